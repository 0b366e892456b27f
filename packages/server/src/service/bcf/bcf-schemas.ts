/** The bodies of the BCF API 2.1 and 3.0: what both have is the same, and each ignores what only the other has. */

import { isDate } from '@impinge/cli/internal/reports/review/review-file.js';
import { cleanText } from '@impinge/cli/internal/wire/text.js';
import * as v from 'valibot';

export const BCF_API_VERSIONS = ['2.1', '3.0'] as const;

const TEXT_MAX = 20_000;
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const version = v.picklist(BCF_API_VERSIONS);
export const guid = v.pipe(v.string(), v.regex(GUID, 'not a GUID'));

const texts = v.array(v.string());
const name = v.pipe(v.string(), v.maxLength(300), v.transform(cleanText), v.trim());

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
  priority: v.string(),
  index: v.number(),
  labels: texts,
  creation_date: v.string(),
  creation_author: v.string(),
  modified_date: v.string(),
  modified_author: v.string(),
  assigned_to: v.nullable(v.string()),
  stage: v.nullable(v.string()),
  description: v.string(),
  due_date: v.nullable(v.string()),
  authorization: v.optional(v.object({ topic_actions: texts, topic_status: texts })),
});
export type BcfTopic = Readonly<v.InferOutput<typeof topic>>;

/** Of a topic, its status, assignee and due date can be changed; null and empty texts clear the latter two. */
export const changedTopic = v.object({
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
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1 << 20)))),
});
export type ChangedTopic = Readonly<v.InferOutput<typeof changedTopic>>;

export const comment = v.object({
  guid: v.string(),
  date: v.string(),
  author: v.string(),
  comment: v.string(),
  topic_guid: v.string(),
  authorization: v.optional(v.object({ comment_actions: texts })),
});

export const newComment = v.object({
  comment: v.pipe(v.string(), v.transform(cleanText), v.trim(), v.minLength(1), v.maxLength(TEXT_MAX)),
});

const point = v.object({ x: v.number(), y: v.number(), z: v.number() });
const component = v.object({
  ifc_guid: v.optional(v.string()),
  originating_system: v.optional(v.string()),
  authoring_tool_id: v.optional(v.string()),
});
export type BcfComponent = Readonly<v.InferOutput<typeof component>>;

export const viewpoint = v.object({
  guid: v.string(),
  index: v.number(),
  perspective_camera: v.object({
    camera_view_point: point,
    camera_direction: point,
    camera_up_vector: point,
    field_of_view: v.number(),
    aspect_ratio: v.number(),
  }),
  clipping_planes: v.array(v.object({ location: point, direction: point })),
  snapshot: v.optional(v.object({ snapshot_type: v.literal('png') })),
});

export const selection = v.object({ selection: v.array(component) });
export const coloring = v.object({
  coloring: v.array(v.object({ color: v.string(), components: v.array(component) })),
});
export const visibility = v.object({
  visibility: v.object({ default_visibility: v.boolean(), exceptions: v.array(component) }),
});

export const file = v.object({
  ifc_project: v.optional(v.string()),
  filename: v.string(),
  date: v.string(),
});
