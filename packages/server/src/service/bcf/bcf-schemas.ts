/** The bodies of the BCF API 2.1 and 3.0: what both have is the same, and each ignores what only the other has. */

import { isDate } from '@impinge/cli/internal/reports/review/review-file.js';
import { cleanText } from '@impinge/cli/internal/wire/text.js';
import { isIfcGuid } from '@impinge/model';
import * as v from 'valibot';

export const BCF_API_VERSIONS = ['2.1', '3.0'] as const;

const TEXT_MAX = 20_000;
const COMPONENTS_MAX = 20_000;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const version = v.picklist(BCF_API_VERSIONS);
export const guid = v.pipe(v.string(), v.regex(GUID, 'not a GUID'));

const texts = v.array(v.string());
const name = v.pipe(
  v.string(),
  v.maxLength(300),
  v.transform((text) => cleanText(text).replace(/\s+/g, ' ')),
  v.trim(),
);
const names = v.pipe(
  v.array(v.nullable(name)),
  v.maxLength(100),
  v.transform((list) => list.flatMap((one) => one || [])),
);
const text = v.pipe(v.string(), v.maxLength(TEXT_MAX), v.transform(cleanText), v.trim());

export const versions = v.object({
  versions: v.array(
    v.object({
      api_id: v.string(),
      version_id: v.string(),
      detailed_version: v.string(),
      api_base_url: v.string(),
    }),
  ),
});
export const auth = v.object({ http_basic_supported: v.boolean(), supported_oauth2_flows: texts });
export const user = v.object({ id: v.string(), name: v.string() });

export const project = v.object({
  project_id: v.string(),
  name: v.string(),
  authorization: v.object({ project_actions: texts }),
});

export const extensions = v.object({
  topic_type: texts,
  topic_status: texts,
  topic_label: texts,
  snippet_type: texts,
  priority: texts,
  users: texts,
  user_id_type: v.pipe(texts, v.description('the users, as 2.1 names them')),
  stage: texts,
  project_actions: texts,
  topic_actions: texts,
  comment_actions: texts,
});

export const topic = v.object({
  guid: v.string(),
  server_assigned_id: v.string(),
  topic_type: v.string(),
  topic_status: v.string(),
  reference_links: texts,
  title: v.string(),
  priority: v.nullable(v.string()),
  index: v.number(),
  labels: texts,
  creation_date: v.string(),
  creation_author: v.string(),
  modified_date: v.string(),
  modified_author: v.string(),
  assigned_to: v.nullable(v.string()),
  stage: v.nullable(v.string()),
  description: v.nullable(v.string()),
  due_date: v.nullable(v.string()),
  authorization: v.optional(v.object({ topic_actions: texts, topic_status: texts })),
});
export type BcfTopic = Readonly<v.InferOutput<typeof topic>>;

const decided = {
  topic_status: v.optional(v.nullable(name)),
  assigned_to: v.optional(v.nullable(name)),
  due_date: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => text === '' || (text.length <= 40 && isDate(text)), 'not a date'),
      ),
    ),
  ),
};
const described = {
  topic_type: v.optional(v.nullable(name)),
  priority: v.optional(v.nullable(name)),
  labels: v.optional(v.nullable(names)),
  stage: v.optional(v.nullable(name)),
  reference_links: v.optional(v.nullable(names)),
};
const title = v.pipe(name, v.minLength(1, 'a topic needs a title'));

/** Null and empty texts clear. */
export const changedTopic = v.object({
  ...decided,
  ...described,
  title: v.optional(title),
  // of issues, lists of clashes
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1 << 20), v.transform(cleanText)))),
});
export type ChangedTopic = Readonly<v.InferOutput<typeof changedTopic>>;

export const newTopic = v.object({
  ...decided,
  ...described,
  guid: v.optional(v.nullable(guid)),
  title,
  description: v.optional(v.nullable(text)),
});

export type NewTopic = Readonly<v.InferOutput<typeof newTopic>>;

export const comment = v.object({
  guid: v.string(),
  date: v.string(),
  author: v.string(),
  comment: v.string(),
  topic_guid: v.string(),
  viewpoint_guid: v.optional(v.string()),
  authorization: v.optional(v.object({ comment_actions: texts })),
});

export const newComment = v.object({
  comment: v.pipe(text, v.minLength(1)),
  viewpoint_guid: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => text === '' || GUID.test(text), 'not a GUID'),
      ),
    ),
  ),
});

const finite = v.pipe(v.number(), v.finite());
const positive = v.pipe(finite, v.gtValue(0));
const point = v.object({ x: finite, y: finite, z: finite });
const component = v.object({
  ifc_guid: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => text === '' || isIfcGuid(text), 'not an IFC GUID'),
      ),
    ),
  ),
  originating_system: v.optional(v.nullable(name)),
  authoring_tool_id: v.optional(v.nullable(name)),
});
const components = v.pipe(v.array(component), v.maxLength(COMPONENTS_MAX));
const camera = { camera_view_point: point, camera_direction: point, camera_up_vector: point };
/** 2.1 has none. */
const aspect_ratio = v.optional(v.nullable(positive));
const perspective = { ...camera, field_of_view: v.pipe(positive, v.ltValue(180)) };
const orthogonal = { ...camera, view_to_world_scale: positive };
const line = v.object({ start_point: point, end_point: point });
const plane = v.object({ location: point, direction: point });
const PICTURE_TYPES = ['png', 'jpg'] as const;

export const viewpoint = v.object({
  guid: v.string(),
  index: v.number(),
  perspective_camera: v.optional(v.object({ ...perspective, aspect_ratio: v.number() })),
  orthogonal_camera: v.optional(v.object({ ...orthogonal, aspect_ratio: v.number() })),
  lines: v.array(line),
  clipping_planes: v.array(plane),
  snapshot: v.optional(v.object({ snapshot_type: v.picklist(PICTURE_TYPES) })),
});

const hint = v.optional(v.nullable(v.boolean()));
export const newViewpoint = v.object({
  guid: v.optional(v.nullable(guid)),
  perspective_camera: v.optional(v.nullable(v.object({ ...perspective, aspect_ratio }))),
  orthogonal_camera: v.optional(v.nullable(v.object({ ...orthogonal, aspect_ratio }))),
  lines: v.optional(v.nullable(v.pipe(v.array(line), v.maxLength(COMPONENTS_MAX)))),
  clipping_planes: v.optional(v.nullable(v.pipe(v.array(plane), v.maxLength(100)))),
  snapshot: v.optional(
    v.nullable(v.object({ snapshot_type: v.picklist(PICTURE_TYPES), snapshot_data: v.string() })),
  ),
  components: v.optional(
    v.nullable(
      v.object({
        selection: v.optional(v.nullable(components)),
        coloring: v.optional(
          v.nullable(
            v.pipe(
              v.array(
                v.object({
                  color: v.pipe(
                    v.string(),
                    v.transform((text) => text.replace(/^#/, '').toUpperCase()),
                    v.regex(/^[0-9A-F]{6}(?:[0-9A-F]{2})?$/, 'not a colour'),
                  ),
                  components,
                }),
              ),
              v.maxLength(1000),
            ),
          ),
        ),
        visibility: v.optional(
          v.nullable(
            v.object({
              default_visibility: v.optional(v.nullable(v.boolean())),
              exceptions: v.optional(v.nullable(components)),
              view_setup_hints: v.optional(
                v.nullable(
                  v.object({
                    spaces_visible: hint,
                    space_boundaries_visible: hint,
                    openings_visible: hint,
                  }),
                ),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
});
export type NewViewpoint = Readonly<v.InferOutput<typeof newViewpoint>>;

const listed = v.array(
  v.object({
    ifc_guid: v.optional(v.string()),
    originating_system: v.optional(v.string()),
    authoring_tool_id: v.optional(v.string()),
  }),
);
export const selection = v.object({ selection: listed });
export const coloring = v.object({
  coloring: v.array(v.object({ color: v.string(), components: listed })),
});
export const visibility = v.object({
  visibility: v.object({
    default_visibility: v.boolean(),
    exceptions: listed,
    view_setup_hints: v.optional(
      v.object({
        spaces_visible: v.optional(v.boolean()),
        space_boundaries_visible: v.optional(v.boolean()),
        openings_visible: v.optional(v.boolean()),
      }),
    ),
  }),
});

export const file = v.object({
  ifc_project: v.optional(v.string()),
  filename: v.string(),
  date: v.string(),
});
