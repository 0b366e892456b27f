/** Reads a viewpoint of BCF 2.0, 2.1 or 3.0, whose texts are untrusted; what is no number or name is left out. */
import { isIfcGuid } from '@impinge/model';
import { SaxesParser } from 'saxes';
import { oneLine } from '../../wire/text.js';
import type { BcfComponent, BcfPoint, BcfView, ViewSetupHints } from './bcf-view.js';

const ENTRIES_MAX = 20_000;
const DEPTH_MAX = 32;
const TEXT_MAX = 200;
const AXES: readonly string[] = ['X', 'Y', 'Z'];

type Points = Map<string, number[]>;

/** Undefined if the text is not XML, or no view. `guid` is that of a view that has none. */
export function readViewpoint(text: string, guid = ''): BcfView | undefined {
  const path: string[] = [];
  const points: Points = new Map();
  const figures = new Map<string, number>();
  const found: Draft = {
    guid: undefined,
    camera: undefined,
    lines: [],
    planes: [],
    selection: [],
    exceptions: [],
    coloring: [],
    isVisible: false,
    hints: undefined,
  };
  let component: { -readonly [K in keyof BcfComponent]: BcfComponent[K] } = {};
  let content = '';
  let entries = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const given = attributes as Record<string, string>;
    if (path.length >= DEPTH_MAX || entries > ENTRIES_MAX) throw new Error('too much');
    path.push(name);
    content = '';
    if (name === 'VisualizationInfo') found.guid = given['Guid'] ?? guid;
    else if (name === 'Component') {
      entries++;
      const id = given['IfcGuid'] ?? '';
      component = isIfcGuid(id) ? { ifc_guid: id } : {};
    } else if (name === 'Visibility') found.isVisible = given['DefaultVisibility'] === 'true';
    else if (name === 'ViewSetupHints') found.hints = hintsOf(given);
    else if (name === 'Color') found.coloring.push({ color: colourOf(given['Color'] ?? ''), components: [] });
    else if (/^(Line|ClippingPlane|\w+Camera)$/.test(name)) {
      entries++;
      points.clear();
      figures.clear();
    }
  });
  parser.on('text', (more) => {
    if (content.length < TEXT_MAX) content += more;
  });
  parser.on('closetag', () => {
    const name = path.pop()!;
    const parent = path.at(-1) ?? '';
    if (AXES.includes(name)) {
      const own = points.get(parent) ?? [];
      points.set(parent, own);
      own[AXES.indexOf(name)] = Number.parseFloat(content);
    } else if (name === 'OriginatingSystem') component.originating_system = oneLine(content, TEXT_MAX);
    else if (name === 'AuthoringToolId') component.authoring_tool_id = oneLine(content, TEXT_MAX);
    else if (/^(FieldOfView|ViewToWorldScale|AspectRatio)$/.test(name))
      figures.set(name, Number.parseFloat(content));
    else if (/^\w+Camera$/.test(name)) found.camera ??= cameraOf(name, points, figures);
    else if (name === 'Line') {
      const [start_point, end_point] = [pointOf(points, 'StartPoint'), pointOf(points, 'EndPoint')];
      if (start_point && end_point) found.lines.push({ start_point, end_point });
    } else if (name === 'ClippingPlane') {
      const [location, direction] = [pointOf(points, 'Location'), pointOf(points, 'Direction')];
      if (location && direction) found.planes.push({ location, direction });
    } else if (name === 'Component' && Object.values(component).some((value) => value !== '')) {
      if (path.includes('Exceptions')) found.exceptions.push(component);
      else if (path.includes('Selection')) found.selection.push(component);
      else if (path.includes('Color')) found.coloring.at(-1)!.components.push(component);
    }
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return found.guid === undefined ? undefined : viewOf(found, found.guid);
}

interface Draft {
  guid: string | undefined;
  camera: Pick<BcfView, 'perspective_camera' | 'orthogonal_camera'> | undefined;
  readonly lines: BcfView['lines'][number][];
  readonly planes: BcfView['clipping_planes'][number][];
  readonly selection: BcfComponent[];
  readonly exceptions: BcfComponent[];
  readonly coloring: { readonly color: string; readonly components: BcfComponent[] }[];
  isVisible: boolean;
  hints: ViewSetupHints | undefined;
}

function viewOf(found: Draft, guid: string): BcfView {
  const { camera, lines, planes, selection, exceptions, coloring, isVisible, hints } = found;
  return {
    guid: guid.toLowerCase(),
    ...camera,
    lines,
    clipping_planes: planes,
    components: {
      selection,
      coloring: coloring.filter(({ color, components }) => color !== '' && components.length > 0),
      visibility: {
        default_visibility: isVisible,
        exceptions,
        ...(hints && { view_setup_hints: hints }),
      },
    },
  };
}

/** Undefined if something is missing. */
function cameraOf(name: string, points: Points, figures: ReadonlyMap<string, number>): Draft['camera'] {
  const [camera_view_point, camera_direction, camera_up_vector] = ['ViewPoint', 'Direction', 'UpVector'].map(
    (what) => pointOf(points, `Camera${what}`),
  );
  const ratio = figures.get('AspectRatio') ?? 0;
  const size = figures.get(name === 'PerspectiveCamera' ? 'FieldOfView' : 'ViewToWorldScale') ?? 0;
  if (!camera_view_point || !camera_direction || !camera_up_vector || !isPositive(size)) return undefined;
  // 2.1 has none
  const aspect_ratio = isPositive(ratio) ? ratio : 4 / 3;
  const camera = { camera_view_point, camera_direction, camera_up_vector, aspect_ratio };
  return name === 'PerspectiveCamera'
    ? { perspective_camera: { ...camera, field_of_view: size } }
    : { orthogonal_camera: { ...camera, view_to_world_scale: size } };
}

function isPositive(value: number): boolean {
  return value > 0 && value < Infinity;
}

function pointOf(points: Points, name: string): BcfPoint | undefined {
  const [x, y, z] = points.get(name) ?? [];
  return [x, y, z].every(Number.isFinite) ? { x, y, z } : undefined;
}

function hintsOf(given: Readonly<Record<string, string>>): ViewSetupHints {
  const hint = (name: string) => (given[name] === undefined ? undefined : given[name] === 'true');
  return {
    spaces_visible: hint('SpacesVisible'),
    space_boundaries_visible: hint('SpaceBoundariesVisible'),
    openings_visible: hint('OpeningsVisible'),
  };
}

/** Empty if it is none. */
function colourOf(text: string): string {
  return /^[0-9a-f]{6}(?:[0-9a-f]{2})?$/i.test(text) ? text.toUpperCase() : '';
}
