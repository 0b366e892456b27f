/** A view of an issue in BCF: camera, visible and coloured components, clipping planes. */
import { type Clash, isIfcGuid } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { roundCoordinate } from '../clash-record.js';
import type { Issue } from '../issue-summary.js';
import type { IssueView } from '../picture.js';
import type { ReportBox } from '../report-box.js';
import { ASPECT_RATIO, sidesOf } from '../view.js';
import { document, element, type Xml } from '../xml.js';
import { component } from './component.js';
import type { BcfLayout } from './layout.js';
import { viewpointGuid } from './topic.js';

/** Alpha, red, green, blue. */
export const HUB_COLOUR = 'FFD92D20';
export const OTHER_COLOUR = 'FF2E6FDB';

export function viewpointDocument(
  issue: Issue,
  { camera, section }: Pick<IssueView, 'camera' | 'section'>,
  layout: BcfLayout,
): string {
  const { hubs, others } = sidesOf(issue);
  const colour = (argb: string, objects: readonly Clash['a'][]) =>
    objects.length > 0
      ? element('Color', { Color: argb }, ...layout.coloured(objects.map(component)))
      : undefined;
  const shown = [...hubs, ...others];
  const components = element(
    'Components',
    {},
    element('Selection', {}, ...shown.map(component)),
    visibility(shown),
    element('Coloring', {}, colour(HUB_COLOUR, hubs), colour(OTHER_COLOUR, others)),
  );
  const view = element(
    'PerspectiveCamera',
    {},
    vector('CameraViewPoint', camera.eye),
    vector('CameraDirection', camera.direction),
    vector('CameraUpVector', camera.up),
    element('FieldOfView', {}, camera.fieldOfViewDegrees),
    layout.aspectRatio(ASPECT_RATIO),
  );
  return document(
    element(
      'VisualizationInfo',
      { Guid: viewpointGuid(issue) },
      components,
      view,
      element('ClippingPlanes', {}, ...clippingPlanes(section)),
    ),
  );
}

/**
 * Hides everything else, by GUIDs. If an object has none, most viewers would not find it and show nothing at all; then
 * only the clipping planes apply.
 */
function visibility(shown: readonly Clash['a'][]): Xml {
  if (!shown.every(({ id }) => isIfcGuid(id))) return element('Visibility', { DefaultVisibility: 'true' });
  return element(
    'Visibility',
    { DefaultVisibility: 'false' },
    element('Exceptions', {}, ...shown.map(component)),
  );
}

/** The six sides of a box; directions point to the hidden side. */
function clippingPlanes({ min, max }: ReportBox): Xml[] {
  return [0, 1, 2].flatMap((axis) =>
    [min, max].map((end, side) => {
      const direction = [0, 0, 0];
      direction[axis] = side === 0 ? -1 : 1;
      return element('ClippingPlane', {}, vector('Location', end), vector('Direction', direction));
    }),
  );
}

function vector(name: string, p: Vec3 | readonly number[]): Xml {
  return element(name, {}, ...['X', 'Y', 'Z'].map((axis, k) => element(axis, {}, roundCoordinate(p[k]))));
}
