/**
 * The dual hierarchy of oriented boxes over any triangles: a balanced tree, whose boxes are hulls of up to eight vertices.
 *
 * Boxes are fitted to the triangles below them, which is tighter than about other boxes, and their corners are rounded to
 * float32. By how much they then fail to hold the boxes and triangles below is h, measured as for hulls. Boxes of level 0 have
 * the triangles in them; those above stand for no surface but their own.
 */
import type { Mesh } from '../mesh/mesh.js';
import { corners, fit, STRIDE } from '../volumes/obb-fit.js';
import { roundUp } from '../volumes/round.js';
import { HullBuilder } from './convex-hull.js';
import type { Draft, DraftLevel, DraftNode } from './draft.js';
import { measureHausdorff } from './hausdorff.js';
import { SurfaceDeviation } from './surface-deviation.js';

/** Most triangles below a box of level 0. */
const LEAF = 4;

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
  const levels: DraftLevel[] = [];
  for (let step = 1; levels.length === 0 || levels[levels.length - 1].nodes.length > 1; step *= 2) {
    const nodes: DraftNode[] = [];
    for (let n = 0; n + step < starts.length; n += step) {
      const [start, end] = [starts[n], starts[n + step]];
      const originals = step === 1 ? order.slice(start, end).sort((a, b) => a - b) : [];
      const node = boxOf(pointsOf(all, order, start, end), originals, indices);
      node.parent = step < starts.length - 1 ? nodes.length >> 1 : -1;
      nodes.push(node);
    }
    levels.push({ nodes, positions: step === 1 ? Float64Array.from(positions) : NO_POINTS });
  }
  measureHausdorff(levels, below);
  measureFaces(levels, new SurfaceDeviation(all));
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

function boxOf(points: Float64Array, originals: readonly number[], indices: Uint32Array): DraftNode {
  const box = new Float32Array(4 * STRIDE);
  fit(points, points.length / 3, box, 0);
  const eight = new Float64Array(24);
  corners(box, 0, eight, 0);
  // rounded corners are those of no box: their own hull stands for it
  const hull = new HullBuilder();
  for (let i = 0; i < 24; i++) eight[i] = Math.fround(eight[i]);
  hull.build(eight, ALL, 8);
  const vertices = hull.vertices.slice(0, hull.vertexCount);
  const sides = [box[12], box[16], box[20]].map((half) => 2 * half).sort((a, b) => b - a);
  return {
    points: Float64Array.from(
      { length: 3 * vertices.length },
      (_, i) => eight[3 * vertices[Math.floor(i / 3)] + (i % 3)],
    ),
    faces: hull.corners.slice(0, 3 * hull.faceCount).map((v) => vertices.indexOf(v)),
    vertices: NOTHING,
    triangles: Int32Array.from(originals.flatMap((t) => [...indices.subarray(3 * t, 3 * t + 3)])),
    originals,
    parent: -1,
    h: 0,
    s: 0,
    r: 2 / (sides[0] + sides[1]),
    support: new Float64Array(vertices.length).fill((sides[0] * sides[1]) / 4),
  };
}

/** s: how far the faces of the box are from the triangles. */
function measureFaces(levels: readonly DraftLevel[], deviation: SurfaceDeviation): void {
  for (const { nodes } of levels) {
    for (const node of nodes) {
      node.s = roundUp(deviation.of(node.points, node.faces, new Float64Array(8).fill(-1)));
    }
  }
}
