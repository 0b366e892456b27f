/** The view of an issue: its clipping box and its camera, for BCF and for the picture. */
import type { Clash } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { type Camera, frameBox, VIEW_DIRECTIONS } from './camera.js';
import { objectKey } from './group-clashes.js';
import type { Issue } from './issue-summary.js';
import type { IssueView, Subject } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';

export const ASPECT_RATIO = 4 / 3;

/** Minimum radius around a contact, in metres, and maximum as a part of the model. */
const RADIUS = 1.25;
const PART_OF_MODEL = 1 / 6;

/** Maximum number of objects; viewers are slow with more. */
const OBJECTS_MAX = 500;

/** Maximum number of contacts that are drawn. */
const CONTACTS_MAX = 100;

export function subjectOf(issue: Issue): Subject {
  const { hubs, others } = sidesOf(issue);
  const named = ({ file, id, path }: Clash['a']) => ({ file, id, path });
  return {
    ...{ box: issue.box, point: issue.point, hubs: hubs.map(named), others: others.map(named) },
    contacts: issue.clashes.slice(0, CONTACTS_MAX).map(({ box, point }) => ({ box, point })),
  };
}

/** From the usual direction. */
export function plainView(box: ReportBox, model: ReportBox): IssueView {
  const radius = viewRadius(model);
  const section = grown(box, radius);
  return { camera: frameBox(box, radius, VIEW_DIRECTIONS[0], section), section };
}

/** From the first direction with the fewest other objects in between. */
export function clearView(
  { box, point, hubs, others }: Subject,
  model: ReportBox,
  scenery: Scenery,
): IssueView {
  const radius = viewRadius(model);
  const section = grown(box, radius);
  const cameras = VIEW_DIRECTIONS.map((direction) => frameBox(box, radius, direction, section));
  const inTheWay = scenery.obstacles([...hubs, ...others], around(cameras, point));
  let best = cameras[0];
  let least = Infinity;
  for (const camera of cameras) {
    const count = inTheWay(camera.eye, point, least);
    if (count < least) [best, least] = [camera, count];
    if (least === 0) break;
  }
  return { camera: best, section };
}

/** Half the width of a plan in metres, at least, and beyond the contacts; depth below the cut. */
const PLAN_LEAST = 3;
const PLAN_AROUND = 2;
const PLAN_DEPTH = 3;
/** So far above, per half width, that parallel lines stay parallel. */
const PLAN_HEIGHT = 200;

/** From above, with all contacts, cut at the height of the worst. */
export function planView({ box, point }: Subject, model: ReportBox): IssueView {
  const extent = Math.max(model.max[0] - model.min[0], model.max[1] - model.min[1]);
  const reach = (axis: number) => (box.max[axis] - box.min[axis]) / 2;
  const contacts = Math.max(reach(0), ASPECT_RATIO * reach(1));
  const half = Math.max(Math.min(PLAN_LEAST, extent / 2), contacts + Math.min(PLAN_AROUND, extent / 4));
  const [x, y, z] = [box.min[0] + reach(0), box.min[1] + reach(1), point[2]];
  const [width, height] = [half, half / ASPECT_RATIO];
  const away = PLAN_HEIGHT * half;
  return {
    section: { min: [x - width, y - height, z - PLAN_DEPTH], max: [x + width, y + height, z] },
    camera: {
      eye: [x, y, z + away],
      direction: [0, 0, -1],
      up: [0, 1, 0],
      fieldOfViewDegrees: (360 / Math.PI) * Math.atan(height / away),
    },
  };
}

function viewRadius({ min, max }: ReportBox): number {
  const diagonal = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return diagonal > 0 ? Math.min(RADIUS, diagonal * PART_OF_MODEL) : RADIUS;
}

function grown({ min, max }: ReportBox, by: number): ReportBox {
  return {
    min: [min[0] - by, min[1] - by, min[2] - by],
    max: [max[0] + by, max[1] + by, max[2] + by],
  };
}

/** Bounds of all eyes and the point they look at. */
function around(cameras: readonly Camera[], point: Vec3): ReportBox {
  const ends = [point, ...cameras.map(({ eye }) => eye)];
  const end = (pick: (...values: number[]) => number, axis: number) => pick(...ends.map((one) => one[axis]));
  return {
    min: [end(Math.min, 0), end(Math.min, 1), end(Math.min, 2)],
    max: [end(Math.max, 0), end(Math.max, 1), end(Math.max, 2)],
  };
}

/** The shared element and the others; without one, first and second objects. Each object is on one side. */
export function sidesOf(issue: Issue): { hubs: Clash['a'][]; others: Clash['a'][] } {
  const hubs = new Map<string, Clash['a']>();
  const others = new Map<string, Clash['a']>();
  if (issue.hub) hubs.set(objectKey(issue.hub), issue.hub);
  for (const { a, b } of issue.clashes) {
    if (hubs.size + others.size >= OBJECTS_MAX) break;
    for (const [object, side] of [[a, issue.hub ? others : hubs] as const, [b, others] as const]) {
      const key = objectKey(object);
      if (!hubs.has(key) && !others.has(key)) side.set(key, object);
    }
  }
  return { hubs: [...hubs.values()], others: [...others.values()] };
}
