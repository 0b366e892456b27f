/** A view of a topic in BCF: camera, visible and coloured components, lines, clipping planes. */
import { roundCoordinate } from '../clash-record.js';
import { document, element, type Xml } from '../xml.js';
import type { BcfComponent, BcfPoint, BcfView, ViewSetupHints } from './bcf-view.js';
import type { BcfLayout } from './layout.js';

export function viewpointDocument(view: BcfView, layout: BcfLayout): string {
  const { guid, lines, clipping_planes: planes } = view;
  return document(
    element(
      'VisualizationInfo',
      { Guid: guid },
      componentsElement(view, layout),
      cameraElement(view, layout),
      list(
        'Lines',
        lines.map(({ start_point: from, end_point: to }) =>
          element('Line', {}, vector('StartPoint', from), vector('EndPoint', to)),
        ),
      ),
      list(
        'ClippingPlanes',
        planes.map(({ location, direction }) =>
          element('ClippingPlane', {}, vector('Location', location), vector('Direction', direction)),
        ),
      ),
    ),
  );
}

function componentsElement(
  { components: { selection, coloring, visibility } }: BcfView,
  layout: BcfLayout,
): Xml {
  const { default_visibility: isVisible, exceptions, view_setup_hints: given } = visibility;
  const hints = given && hintsElement(given);
  return element(
    'Components',
    {},
    layout.hintsAreFirst ? hints : undefined,
    list('Selection', selection.map(component)),
    element(
      'Visibility',
      { DefaultVisibility: String(isVisible) },
      layout.hintsAreFirst ? undefined : hints,
      list('Exceptions', exceptions.map(component)),
    ),
    list(
      'Coloring',
      coloring.map(({ color, components }) =>
        element('Color', { Color: color }, ...layout.coloured(components.map(component))),
      ),
    ),
  );
}

function hintsElement(hints: ViewSetupHints): Xml {
  const word = (value: boolean | undefined) => (value === undefined ? undefined : String(value));
  return element('ViewSetupHints', {
    SpacesVisible: word(hints.spaces_visible),
    SpaceBoundariesVisible: word(hints.space_boundaries_visible),
    OpeningsVisible: word(hints.openings_visible),
  });
}

function cameraElement(view: BcfView, layout: BcfLayout): Xml | undefined {
  const { perspective_camera: perspective, orthogonal_camera: orthogonal } = view;
  const camera = perspective ?? orthogonal;
  if (!camera) return undefined;
  const [least, most] = layout.fieldsOfView;
  return element(
    perspective ? 'PerspectiveCamera' : 'OrthogonalCamera',
    {},
    vector('CameraViewPoint', camera.camera_view_point),
    vector('CameraDirection', camera.camera_direction),
    vector('CameraUpVector', camera.camera_up_vector),
    perspective
      ? element('FieldOfView', {}, Math.min(most, Math.max(least, perspective.field_of_view)))
      : element('ViewToWorldScale', {}, orthogonal!.view_to_world_scale),
    layout.aspectRatio(camera.aspect_ratio),
  );
}

/** Nothing if it is empty, which 2.1 forbids. */
function list(name: string, entries: readonly Xml[]): Xml | undefined {
  return entries.length > 0 ? element(name, {}, ...entries) : undefined;
}

function component({ ifc_guid, originating_system, authoring_tool_id }: BcfComponent): Xml {
  const text = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? undefined : element(name, {}, value);
  return element(
    'Component',
    { IfcGuid: ifc_guid },
    text('OriginatingSystem', originating_system),
    text('AuthoringToolId', authoring_tool_id),
  );
}

function vector(name: string, { x, y, z }: BcfPoint): Xml {
  return element(
    name,
    {},
    ...(
      [
        ['X', x],
        ['Y', y],
        ['Z', z],
      ] as const
    ).map(([axis, value]) => element(axis, {}, roundCoordinate(value))),
  );
}
