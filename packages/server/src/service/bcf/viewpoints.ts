/** The view of an issue as JSON; its counterpart in XML is `viewpoint.ts` of the reports. */
import { viewpointGuid } from '@impinge/cli/internal/reports/bcf/topic.js';
import { HUB_COLOUR, OTHER_COLOUR } from '@impinge/cli/internal/reports/bcf/viewpoint.js';
import type { Issue } from '@impinge/cli/internal/reports/issue-summary.js';
import type { IssueView } from '@impinge/cli/internal/reports/picture.js';
import { ASPECT_RATIO, sidesOf } from '@impinge/cli/internal/reports/view.js';
import { type Clash, isIfcGuid } from '@impinge/model';
import type { BcfComponent } from './bcf-schemas.js';

export function viewpointJson(issue: Issue, { camera, section }: IssueView, hasSnapshot: boolean) {
  return {
    guid: viewpointGuid(issue),
    index: 0,
    perspective_camera: {
      camera_view_point: point(camera.eye),
      camera_direction: point(camera.direction),
      camera_up_vector: point(camera.up),
      field_of_view: camera.fieldOfViewDegrees,
      aspect_ratio: ASPECT_RATIO,
    },
    clipping_planes: [0, 1, 2].flatMap((axis) =>
      [section.min, section.max].map((end, side) => ({
        location: point(end),
        direction: point([0, 1, 2].map((k) => (k === axis ? (side === 0 ? -1 : 1) : 0))),
      })),
    ),
    ...(hasSnapshot && { snapshot: { snapshot_type: 'png' as const } }),
  };
}

export function selectionJson(issue: Issue) {
  return { selection: shown(issue).map(componentJson) };
}

export function coloringJson(issue: Issue) {
  const { hubs, others } = sidesOf(issue);
  const colours = [
    { color: HUB_COLOUR, components: hubs.map(componentJson) },
    { color: OTHER_COLOUR, components: others.map(componentJson) },
  ];
  return { coloring: colours.filter(({ components }) => components.length > 0) };
}

/** Objects without GUIDs are not found by most viewers, which would then show nothing. */
export function visibilityJson(issue: Issue) {
  const all = shown(issue);
  const isKnown = all.every(({ id }) => isIfcGuid(id));
  return {
    visibility: { default_visibility: !isKnown, exceptions: isKnown ? all.map(componentJson) : [] },
  };
}

function shown(issue: Issue): Clash['a'][] {
  const { hubs, others } = sidesOf(issue);
  return [...hubs, ...others];
}

function componentJson({ id, file }: Clash['a']): BcfComponent {
  return isIfcGuid(id)
    ? { ifc_guid: id }
    : { originating_system: file || 'impinge', ...(id !== '' && { authoring_tool_id: id }) };
}

function point([x, y, z]: readonly number[]) {
  return { x, y, z };
}
