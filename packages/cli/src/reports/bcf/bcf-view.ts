/** A view of a topic as the BCF API has it; archives have the same as XML (`viewpoint.ts`, `read-viewpoint.ts`). */
import { type Clash, isIfcGuid } from '@impinge/model';
import { oneLine } from '../../wire/text.js';
import type { Issue } from '../issue-summary.js';
import type { IssueView } from '../picture.js';
import { ASPECT_RATIO, sidesOf } from '../view.js';
import { viewpointGuid } from './topic.js';

export interface BcfPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface BcfCamera {
  readonly camera_view_point: BcfPoint;
  readonly camera_direction: BcfPoint;
  readonly camera_up_vector: BcfPoint;
  /** Width by height. */
  readonly aspect_ratio: number;
}

export interface BcfComponent {
  readonly ifc_guid?: string | undefined;
  readonly originating_system?: string | undefined;
  readonly authoring_tool_id?: string | undefined;
}

export interface ViewSetupHints {
  readonly spaces_visible?: boolean | undefined;
  readonly space_boundaries_visible?: boolean | undefined;
  readonly openings_visible?: boolean | undefined;
}

export interface BcfComponents {
  readonly selection: readonly BcfComponent[];
  /** Colours are alpha, red, green, blue. */
  readonly coloring: readonly { readonly color: string; readonly components: readonly BcfComponent[] }[];
  readonly visibility: {
    readonly default_visibility: boolean;
    readonly exceptions: readonly BcfComponent[];
    readonly view_setup_hints?: ViewSetupHints | undefined;
  };
}

/** Has at most one camera. */
export interface BcfView {
  readonly guid: string;
  /** Vertical, in degrees. */
  readonly perspective_camera?: (BcfCamera & { readonly field_of_view: number }) | undefined;
  readonly orthogonal_camera?: (BcfCamera & { readonly view_to_world_scale: number }) | undefined;
  readonly lines: readonly { readonly start_point: BcfPoint; readonly end_point: BcfPoint }[];
  /** Directions point to what is hidden. */
  readonly clipping_planes: readonly { readonly location: BcfPoint; readonly direction: BcfPoint }[];
  readonly components: BcfComponents;
}

const HUB_COLOUR = 'FFD92D20';
const OTHER_COLOUR = 'FF2E6FDB';
const ID_MAX = 200;

/** The objects of an issue and nothing else, cut around its contacts. */
export function issueView(issue: Issue, { camera, section }: Pick<IssueView, 'camera' | 'section'>): BcfView {
  const { hubs, others } = sidesOf(issue);
  const shown = [...hubs, ...others];
  const components = shown.map(component);
  // objects without GUIDs are not found by most viewers, which would then show nothing
  const isKnown = shown.every(({ id }) => isIfcGuid(id));
  const coloring = [
    { color: HUB_COLOUR, components: hubs.map(component) },
    { color: OTHER_COLOUR, components: others.map(component) },
  ];
  return {
    guid: viewpointGuid(issue),
    perspective_camera: {
      camera_view_point: point(camera.eye),
      camera_direction: point(camera.direction),
      camera_up_vector: point(camera.up),
      field_of_view: camera.fieldOfViewDegrees,
      aspect_ratio: ASPECT_RATIO,
    },
    lines: [],
    clipping_planes: [0, 1, 2].flatMap((axis) =>
      [section.min, section.max].map((end, side) => ({
        location: point(end),
        direction: point([0, 1, 2].map((k) => (k === axis ? (side === 0 ? -1 : 1) : 0))),
      })),
    ),
    components: {
      selection: components,
      coloring: coloring.filter((one) => one.components.length > 0),
      visibility: { default_visibility: !isKnown, exceptions: isKnown ? components : [] },
    },
  };
}

/** Named by its GUID if it has one, otherwise by its id in the file. */
function component({ id, file }: Clash['a']): BcfComponent {
  if (isIfcGuid(id)) return { ifc_guid: id };
  const name = oneLine(id, ID_MAX);
  return {
    originating_system: oneLine(file, ID_MAX) || 'impinge',
    ...(name !== '' && { authoring_tool_id: name }),
  };
}

function point([x, y, z]: readonly number[]): BcfPoint {
  return { x, y, z };
}
