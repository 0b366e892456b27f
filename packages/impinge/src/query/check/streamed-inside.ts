/**
 * Whether an object lies inside another that is too large for memory: the pieces along a ray decide, a few at a time.
 *
 * Errs: whether it is inside, never (for an object of one component whose surface does not meet the other's). The depth
 * is that of the inner object's first piece: no part of it lies closer to the outer surface.
 */
import { invertPose, posePoint, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { StoredModel } from '../../store/model.js';
import { gapOfBoxes, sharedDepth } from '../pair/box-gap.js';
import { distance } from '../pair/distance.js';
import { crossingsOf, locationOf, MAX_RAYS, writeOutside } from '../solid/locate.js';
import { asPose } from '../solid/placed-pair.js';
import type { ClashMeasure } from './clash.js';

/** Has a piece in memory while something is done with it. */
export type WithPiece = <T>(piece: number, work: (mesh: Mesh) => T) => Promise<T>;

/** The clash of `inner` lying in `outer`, which must be closed; undefined when it does not. */
export async function streamedInside(
  model: StoredModel,
  inner: number,
  outer: number,
  withPiece: WithPiece,
): Promise<ClashMeasure | undefined> {
  const corner = new Float64Array(3);
  await withPiece(model.firstPiece(inner), (mesh) => {
    const [x, y, z] = mesh.positions.subarray(3 * mesh.indices[0], 3 * mesh.indices[0] + 3);
    const [ox, oy, oz] = mesh.origin;
    posePoint(model.pose(inner), x + ox, y + oy, z + oz, corner, 0);
  });
  if (!(await isInside(model, outer, corner, withPiece))) return undefined;
  const depth = await depthOf(model, inner, outer, withPiece);
  const box = model.box(inner);
  return {
    kind: 'inside',
    form: undefined,
    distance: 0,
    depth,
    depthBound: Math.max(depth, sharedDepth(box, model.box(outer))),
    point: [corner[0], corner[1], corner[2]],
    box: {
      min: [...box.subarray(0, 3)] as unknown as Vec3,
      max: [...box.subarray(3)] as unknown as Vec3,
    },
    trianglePairs: 0,
  };
}

/** Sends rays out of the object's box until one avoids all edges. */
async function isInside(
  model: StoredModel,
  object: number,
  point: Float64Array,
  withPiece: WithPiece,
): Promise<boolean> {
  const { objectFirstPlaced, placedBox } = model.directory;
  const back = invertPose(model.pose(object));
  const end = new Float64Array(3);
  for (let ray = 0; ray < MAX_RAYS; ray++) {
    writeOutside(model.box(object), point, ray, end);
    let crossings: number | 'on' | undefined = 0;
    for (let i = 0; i < model.pieceCountOf(object) && typeof crossings === 'number'; i++) {
      const box = 6 * (objectFirstPlaced[object] + i);
      if (!segmentMeetsBox(point, end, placedBox.subarray(box, box + 6))) continue;
      const found = await withPiece(model.firstPiece(object) + i, (mesh) => {
        const [from, to] = [point, end].map((p) => {
          const stored = new Float64Array(3);
          posePoint(back, p[0], p[1], p[2], stored, 0);
          return stored.map((x, k) => x - mesh.origin[k]);
        });
        return crossingsOf({ meshes: [mesh], closed: false }, from, to);
      });
      crossings = typeof found === 'number' ? crossings + found : found;
    }
    if (crossings !== undefined) return locationOf(crossings) === 'inside';
  }
  return false;
}

/** The least distance from the inner object's first piece to the outer surface, nearest pieces first. */
async function depthOf(
  model: StoredModel,
  inner: number,
  outer: number,
  withPiece: WithPiece,
): Promise<number> {
  const { objectFirstPlaced, placedBox } = model.directory;
  const own = 6 * objectFirstPlaced[inner];
  const pieces = Array.from({ length: model.pieceCountOf(outer) }, (_, i) => {
    const at = 6 * (objectFirstPlaced[outer] + i);
    return { piece: model.firstPiece(outer) + i, gap: gapOfBoxes(placedBox, own, placedBox, at) };
  }).sort((p, q) => p.gap - q.gap || p.piece - q.piece);
  const poses = { poseA: asPose(model.pose(inner)), poseB: asPose(model.pose(outer)) };
  return withPiece(model.firstPiece(inner), async (mesh) => {
    let best = Infinity;
    for (const { piece, gap } of pieces) {
      if (gap >= best) break;
      const atMost = best === Infinity ? {} : { atMost: best };
      const found = await withPiece(piece, (other) => distance(mesh, other, { ...poses, ...atMost }));
      if (found.distance < best) best = found.distance;
    }
    return best;
  });
}

/** Errs towards yes. */
function segmentMeetsBox(p: Float64Array, q: Float64Array, box: Float64Array): boolean {
  let enter = 0;
  let leave = 1;
  for (let k = 0; k < 3; k++) {
    const slack = 1e-9 * (Math.abs(box[k]) + Math.abs(box[3 + k]) + Math.abs(p[k]));
    const [low, high] = [box[k] - slack, box[3 + k] + slack];
    const d = q[k] - p[k];
    if (d === 0) {
      if (p[k] < low || p[k] > high) return false;
      continue;
    }
    const [t0, t1] = [(low - p[k]) / d, (high - p[k]) / d];
    enter = Math.max(enter, Math.min(t0, t1));
    leave = Math.min(leave, Math.max(t0, t1));
  }
  return enter <= leave + 1e-9;
}
