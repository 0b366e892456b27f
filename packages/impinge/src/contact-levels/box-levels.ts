/**
 * The dual hierarchy of oriented boxes over any triangles: a balanced tree, whose boxes are hulls of up to eight vertices.
 *
 * Boxes are fitted to the triangles below them, which is tighter than about other boxes, and their corners are rounded to
 * float32. By how much they then fail to hold the boxes and triangles below is h, measured as for hulls. Boxes of level 0 have
 * the triangles in them; those above stand for no surface but their own.
 */
import { distanceSqPointTriangle } from '../geometry/distance/point-triangle.js';
import { MeshDeviation } from '../levels/mesh-deviation.js';
import type { Mesh } from '../mesh/mesh.js';
import { corners, fit, STRIDE } from '../volumes/obb-fit.js';
import { roundUp } from '../volumes/round.js';
import { HullBuilder } from './convex-hull.js';
import type { Draft, DraftLevel, DraftNode } from './draft.js';
import { measureHausdorff } from './hausdorff.js';

/** Most triangles below a box of level 0. */
const LEAF = 4;

/** A face whose sides are so far from equal is not measured. */
const SLIVER = 1e-3;
/** Triangles of which the nearest to a needle is looked for. */
const SOME = 12;
/** Corners as triangles: each is a point. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [c, c, c]);
/** Corners, rounded to float32, and what is between them are off by less than this share of the coordinates. */
const ROUNDED = 2 ** -21;
/** How many times what is found at corners need not be any better. */
const ENOUGH = 1.3;
const NOTHING = new Int32Array(0);
const ALL = [0, 1, 2, 3, 4, 5, 6, 7];
const NO_POINTS = new Float64Array(0);

export function boxLevels(mesh: Mesh): Draft {
  const { indices, positions } = mesh;
  const all = Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
  );
  const { order, starts } = split(all);
  const below = (n: number): Float64Array => pointsOf(all, order, starts[n], starts[n + 1]);
  const deviation = new MeshDeviation(positions, indices, 8);
  const greatest = all.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const levels: DraftLevel[] = [];
  for (let step = 1; levels.length === 0 || levels[levels.length - 1].nodes.length > 1; step *= 2) {
    const nodes: DraftNode[] = [];
    for (let n = 0; n + step < starts.length; n += step) {
      const [start, end] = [starts[n], starts[n + step]];
      const originals = step === 1 ? order.slice(start, end).sort((a, b) => a - b) : [];
      const near = order.slice(start, Math.min(end, start + SOME));
      const node = boxOf(pointsOf(all, order, start, end), originals, indices);
      // the few triangles of a leaf are as good as all
      const far =
        step === 1
          ? nearestOf(node.eight, near, all)
          : deviationOf(deviation, node.eight, node.sides, near, all);
      node.s = roundUp(far + ROUNDED * greatest);
      node.parent = step < starts.length - 1 ? nodes.length >> 1 : -1;
      nodes.push(node);
    }
    levels.push({ nodes, positions: step === 1 ? Float64Array.from(positions) : NO_POINTS });
  }
  measureHausdorff(levels, below);
  deviation.dispose();
  return { kind: 'boxes', levels, usable: levels.length };
}

/** Divides the triangles by halves until few are left: their order, and where each leaf begins. */
function split(all: Float64Array): { order: number[]; starts: number[] } {
  const count = all.length / 9;
  let leaves = 1;
  while (leaves * LEAF < count) leaves *= 2;
  const order = Array.from({ length: count }, (_, t) => t);
  const starts: number[] = [];
  const middle = (t: number, k: number): number => all[9 * t + k] + all[9 * t + 3 + k] + all[9 * t + 6 + k];
  const divide = (start: number, end: number, parts: number): void => {
    if (parts === 1) {
      starts.push(start);
      return;
    }
    let [axis, widest] = [0, -1];
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = start; i < end; i++) {
        low = Math.min(low, middle(order[i], k));
        high = Math.max(high, middle(order[i], k));
      }
      if (high - low > widest) [axis, widest] = [k, high - low];
    }
    const sorted = order.slice(start, end).sort((a, b) => middle(a, axis) - middle(b, axis) || a - b);
    for (let i = start; i < end; i++) order[i] = sorted[i - start];
    const half = (start + end) >> 1;
    divide(start, half, parts / 2);
    divide(half, end, parts / 2);
  };
  divide(0, count, leaves);
  starts.push(count);
  return { order, starts };
}

function pointsOf(all: Float64Array, order: readonly number[], start: number, end: number): Float64Array {
  const points = new Float64Array(9 * (end - start));
  for (let i = start; i < end; i++) points.set(all.subarray(9 * order[i], 9 * order[i] + 9), 9 * (i - start));
  return points;
}

/** A node, the corners of its box and how long that is along its axes. */
interface BoxNode extends DraftNode {
  readonly eight: Float64Array;
  readonly sides: readonly number[];
}

function boxOf(points: Float64Array, originals: readonly number[], indices: Uint32Array): BoxNode {
  const box = new Float32Array(4 * STRIDE);
  fit(points, points.length / 3, box, 0);
  const eight = new Float64Array(24);
  corners(box, 0, eight, 0);
  // rounded corners are those of no box: their own hull stands for it
  const hull = new HullBuilder();
  for (let i = 0; i < 24; i++) eight[i] = Math.fround(eight[i]);
  hull.build(eight, ALL, 8);
  const vertices = hull.vertices.slice(0, hull.vertexCount);
  const sides = [box[12], box[16], box[20]].map((half) => 2 * half);
  const [longest, second] = [...sides].sort((a, b) => b - a);
  return {
    eight,
    sides,
    points: Float64Array.from(
      { length: 3 * vertices.length },
      (_, i) => eight[3 * vertices[Math.floor(i / 3)] + (i % 3)],
    ),
    faces: hull.corners.slice(0, 3 * hull.faceCount).map((v) => vertices.indexOf(v)),
    vertices: NOTHING,
    triangles: Int32Array.from(originals.flatMap((t) => [...indices.subarray(3 * t, 3 * t + 3)])),
    near: [],
    originals,
    parent: -1,
    h: 0,
    s: 0,
    r: 2 / (longest + second),
    support: new Float64Array(vertices.length).fill((longest * second) / 4),
  };
}

/**
 * s: no point of a box is farther from the triangles. `sides`: how long the box is along its axes.
 *
 * Faces that are not much longer than wide are measured; points of others are no farther from a measured one than these are
 * wide. A box without any is a needle, or less: distance to one triangle is convex, so largest at a corner, and the nearest
 * triangle will do.
 */
function deviationOf(
  deviation: MeshDeviation,
  eight: Float64Array,
  sides: readonly number[],
  near: readonly number[],
  all: Float64Array,
): number {
  deviation.place(eight);
  const most = (triangles: readonly number[], enough: number): number => {
    let far = 0;
    for (let at = 0; at < triangles.length; at += 3 * near.length) {
      const some = triangles.slice(at, at + 3 * near.length);
      far = Math.max(far, deviation.of(some, near.slice(0, some.length / 3), Math.max(far, enough)));
    }
    return far;
  };
  const atCorners = most(CORNERS, 0);
  const faces: number[] = [];
  let thin = 0;
  for (let k = 0; k < 3; k++) {
    const [i, j] = [1 << ((k + 1) % 3), 1 << ((k + 2) % 3)];
    const [one, other] = [sides[(k + 1) % 3], sides[(k + 2) % 3]];
    if (Math.min(one, other) < SLIVER * Math.max(one, other)) thin = Math.max(thin, Math.min(one, other));
    else for (const low of [0, 1 << k]) faces.push(low, low + i, low + i + j, low, low + i + j, low + j);
  }
  return faces.length > 0 ? most(faces, ENOUGH * atCorners) + thin : nearestOf(eight, near, all);
}

/** Of a few triangles, how far the corners are from the one to which they are nearest. */
function nearestOf(eight: Float64Array, near: readonly number[], all: Float64Array): number {
  let best = Infinity;
  for (const t of near) {
    let most = 0;
    for (let c = 0; c < 24; c += 3) most = Math.max(most, distanceSqPointTriangle(eight, c, all, 9 * t));
    best = Math.min(best, most);
  }
  return Math.sqrt(best);
}
