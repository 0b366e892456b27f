/** Views of topics in the BCF API: those of issues, and those that people add. */
import { randomUUID } from 'node:crypto';
import type { BcfComponent, BcfView } from '@impinge/cli/internal/reports/bcf/bcf-view.js';
import type { PictureType } from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import { pngProblem } from '@impinge/cli/internal/server/png-check.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import type { NewView } from '../state/remarks.js';
import type { NewViewpoint } from './bcf-schemas.js';

/** Of a new viewpoint with its picture, in base64. */
export const VIEWPOINT_BYTES_MAX = 8 << 20;

const ASPECT_RATIO = 4 / 3;

/** Components are asked for on their own. */
export function viewpointJson(
  { components: _, ...view }: BcfView,
  index: number,
  picture?: PictureType,
): Omit<BcfView, 'components'> & { readonly index: number } {
  return { ...view, index, ...(picture && { snapshot: { snapshot_type: picture } }) };
}

/** Throws a 400 that says what is wrong. */
export function newView(given: NewViewpoint): NewView {
  const { perspective_camera: perspective, orthogonal_camera: orthogonal, components, snapshot } = given;
  if (perspective && orthogonal) throw new RequestError(400, 'a viewpoint has one camera');
  const { selection, coloring, visibility } = components ?? {};
  const hints = visibility?.view_setup_hints;
  const view: BcfView = {
    guid: given.guid?.toLowerCase() ?? randomUUID(),
    ...(perspective && {
      perspective_camera: { ...perspective, aspect_ratio: perspective.aspect_ratio ?? ASPECT_RATIO },
    }),
    ...(orthogonal && {
      orthogonal_camera: { ...orthogonal, aspect_ratio: orthogonal.aspect_ratio ?? ASPECT_RATIO },
    }),
    lines: given.lines ?? [],
    clipping_planes: given.clipping_planes ?? [],
    components: {
      selection: named(selection),
      coloring: (coloring ?? [])
        .map(({ color, components: own }) => ({ color, components: named(own) }))
        .filter((one) => one.components.length > 0),
      visibility: {
        // without any, everything is visible
        default_visibility: visibility ? (visibility.default_visibility ?? false) : true,
        exceptions: named(visibility?.exceptions),
        ...(hints && { view_setup_hints: withoutNull(hints) }),
      },
    },
  };
  if (!snapshot) return { view, picture: undefined };
  const bytes = Buffer.from(snapshot.snapshot_data.replace(/^data:[^,]*,/, ''), 'base64');
  const type = pictureType(bytes);
  if (type !== snapshot.snapshot_type)
    throw new RequestError(400, `the snapshot ${pngProblem(bytes) ?? `is no ${snapshot.snapshot_type}`}`);
  return { view, picture: { type, bytes } };
}

/** Undefined if the bytes are no picture as a whole. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (pngProblem(bytes) === undefined) return 'png';
  const [start, end] = [bytes.subarray(0, 3), bytes.subarray(-2)];
  return start.toString('hex') === 'ffd8ff' && end.toString('hex') === 'ffd9' ? 'jpg' : undefined;
}

type Given = NonNullable<NonNullable<NewViewpoint['components']>['selection']>;

/** Without those that name nothing. */
function named(given: Given | null | undefined): BcfComponent[] {
  return (given ?? [])
    .map(withoutNull)
    .filter(({ ifc_guid, authoring_tool_id }) => ifc_guid !== undefined || authoring_tool_id !== undefined);
}

function withoutNull<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], null | ''> } {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], null | ''> };
}
