/**
 * Whether a component of an object lies inside another object, with a few of their pieces in memory at a time.
 *
 * Idea: where the surfaces do not pass through each other, a component is inside as a whole, and so is every part of it
 * that a piece holds. So each component of each piece is tried by itself: all its points must be in the other's box,
 * and one of them inside the other, which the pieces along a ray decide. Errs: never, where it says that a component is
 * inside, nor where it denies it of surfaces that do not touch. Of components that touch the other surface it may miss
 * some.
 */
import { invertPose, posePoint, type Vec3 } from 'impinge/internal/math/pose.js';
import { gapSqOfBoxes, sharedDepth } from 'impinge/internal/query/pair/box-gap.js';
import { componentEndsOf } from 'impinge/internal/query/solid/component-seeds.js';
import {
  crossingsOf,
  distanceTo,
  locationOf,
  MAX_RAYS,
  writeOutside,
} from 'impinge/internal/query/solid/locate.js';
import type { StoredModel } from '../store/model.js';
import type { PieceCache } from '../store/piece-cache.js';
import { type ClashMeasure, clashOf, commonBox } from './clash.js';

/** Where pieces are read. */
export type Pieces = Pick<PieceCache, 'withPiece'>;

/** Numbers per component: its six ends, see `componentEndsOf`. */
const ENDS = 18;
/** Share of the coordinates by which posing may misplace a point. */
const ROUNDING = 1e-9;

/**
 * The ends, in the world, of a component of `inner` that lies in `outer`, which must be closed; undefined: none does.
 */
export async function findInside(
  model: StoredModel,
  inner: number,
  outer: number,
  pieces: Pieces,
): Promise<Float64Array | undefined> {
  const { objectFirstPlaced, placedBox } = model.directory;
  const box = model.box(outer);
  const pose = model.pose(inner);
  for (let i = 0; i < model.pieceCountOf(inner); i++) {
    if (gapSqOfBoxes(placedBox, 6 * (objectFirstPlaced[inner] + i), box, 0) > 0) continue;
    const inBox = await pieces.withPiece(model.firstPiece(inner) + i, (mesh) => {
      const [x, y, z] = mesh.origin;
      const ends = componentEndsOf(mesh);
      const found: Float64Array[] = [];
      for (let at = 0; at < ends.length; at += ENDS) {
        const own = new Float64Array(ENDS);
        for (let k = 0; k < ENDS; k += 3) {
          posePoint(pose, ends[at + k] + x, ends[at + k + 1] + y, ends[at + k + 2] + z, own, k);
        }
        if (isWithin(box, own)) found.push(own);
      }
      return found;
    });
    for (const ends of inBox) if (await isInside(model, outer, ends, pieces)) return ends;
  }
  return undefined;
}

/** Whether all points lie in a box. Errs towards yes. */
function isWithin(box: Float64Array, points: Float64Array): boolean {
  return points.every((x, i) => {
    const slack = ROUNDING * Math.abs(x);
    return x >= box[i % 3] - slack && x <= box[3 + (i % 3)] + slack;
  });
}

/** The clash of a component of `inner`, given by its ends, in `outer`: as deep as the deepest of them. */
export async function measureInside(
  model: StoredModel,
  inner: number,
  outer: number,
  ends: Float64Array,
  pieces: Pieces,
): Promise<ClashMeasure> {
  const { depth, point } = await deepestOf(model, outer, ends, pieces);
  const [p, q] = [model.box(inner), model.box(outer)];
  const depthBound = Math.max(depth, sharedDepth(p, q));
  return clashOf('inside', { depth, depthBound, point, box: commonBox(p, q) });
}

/**
 * Whether a point is inside a closed object: rays are sent out of its box until one avoids all edges. Errs towards no.
 */
export async function isInside(
  model: StoredModel,
  object: number,
  point: Float64Array,
  pieces: Pieces,
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
      const found = await pieces.withPiece(model.firstPiece(object) + i, (mesh) => {
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

/** The point farthest from an object's surface, and its distance; pieces are read nearest first. */
export async function deepestOf(
  model: StoredModel,
  object: number,
  points: Float64Array,
  pieces: Pieces,
): Promise<{ readonly depth: number; readonly point: Vec3 }> {
  const { objectFirstPlaced, placedBox } = model.directory;
  const back = invertPose(model.pose(object));
  let depth = -1;
  let point: Vec3 = [0, 0, 0];
  for (let at = 0; at < points.length; at += 3) {
    const [x, y, z] = points.subarray(at, at + 3);
    const here = Float64Array.of(x, y, z, x, y, z);
    const nearest = Array.from({ length: model.pieceCountOf(object) }, (_, i) => ({
      piece: model.firstPiece(object) + i,
      gap: Math.sqrt(gapSqOfBoxes(here, 0, placedBox, 6 * (objectFirstPlaced[object] + i))),
    })).sort((p, q) => p.gap - q.gap || p.piece - q.piece);
    let least = Infinity;
    for (const { piece, gap } of nearest) {
      if (gap >= least) break;
      const found = await pieces.withPiece(piece, (mesh) => {
        const stored = new Float64Array(3);
        posePoint(back, x, y, z, stored, 0);
        return distanceTo(
          { meshes: [mesh], closed: false },
          stored.map((coordinate, k) => coordinate - mesh.origin[k]),
        );
      });
      least = Math.min(least, found);
      if (least <= depth) break;
    }
    if (least <= depth) continue;
    depth = least;
    point = [x, y, z];
  }
  return { depth, point };
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
