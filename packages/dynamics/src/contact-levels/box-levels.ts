/**
 * The dual hierarchy of oriented boxes over any triangles: a balanced tree, whose boxes are hulls of up to eight
 * vertices.
 *
 * Each level has half the boxes of the one below, and a surface with half the triangles, as long as the mesh can be
 * simplified. A triangle of a surface is one of the mesh's, with other corners: it is in the patch of the box above the
 * mesh's triangle. So the tree is that of the mesh's triangles, however they are simplified. Boxes are fitted to their
 * patch, or where nothing is left of it, to the mesh's triangles below, and their corners are rounded to float32. h is
 * the distance by which boxes and triangles below stick out, measured as for hulls.
 */
import { MeshDeviation } from '@impinge/model/internal/levels/mesh-deviation.js';
import {
  type SimplifiedSurface,
  simplifiedSurfaces,
} from '@impinge/model/internal/levels/simplified-surfaces.js';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { corners, fit, STRIDE } from 'impinge/internal/volumes/obb-fit.js';
import { roundUp } from 'impinge/internal/volumes/round.js';
import type { Draft, DraftLevel, DraftNode } from './draft.js';
import { measureHausdorff } from './hausdorff.js';
import { resolutionOf, supportAreas } from './resolution.js';

/** Most triangles below a box of level 0. */
const LEAF = 4;

/** A face with a smaller ratio of its sides is not measured. */
const SLIVER = 1e-3;
/** Triangles of which the nearest to a needle is looked for. */
const SOME = 12;
/** Corners as triangles: each is a point. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [c, c, c]);
/**
 * Bounds the relative error of corners, rounded to float32, and of points between them, as a share of the coordinates.
 */
const ROUNDED = 2 ** -21;
/** A bound within this factor of the distance found at corners is good enough. */
const ENOUGH = 1.3;
const NOTHING = new Int32Array(0);
const ALL = [0, 1, 2, 3, 4, 5, 6, 7];
const NO_POINTS = new Float64Array(0);

export function boxLevels(mesh: Mesh): Draft {
  const { storedIndices: indices, storedPositions: positions } = mesh;
  const all = Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
  );
  const { order, starts } = split(all);
  const leaves = starts.length - 1;
  const below = (n: number): Float64Array => pointsOf(all, order, starts[n], starts[n + 1]);
  const leafOf = new Int32Array(order.length);
  for (let n = 0; n < leaves; n++) for (let i = starts[n]; i < starts[n + 1]; i++) leafOf[order[i]] = n;
  const first = { positions, indices, kept: Uint32Array.from(order.keys()) };
  const surfaces = [first, ...simplifiedSurfaces(positions, indices, Math.log2(leaves))];
  const deviation = new MeshDeviation(positions, indices, Math.max(8, positions.length / 3));
  const greatest = all.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const levels: DraftLevel[] = [];
  for (let step = 1; step <= leaves; step *= 2) {
    const surface = surfaces[levels.length] as SimplifiedSurface | undefined;
    const patches = surface && patchesOf(surface, leaves / step, (t) => Math.floor(leafOf[t] / step));
    const points = surface ? Float64Array.from(surface.positions) : NO_POINTS;
    if (surface) deviation.place(points);
    const areas = supportAreas(points, surface ? [Int32Array.from(surface.indices)] : []);
    const nodes: DraftNode[] = [];
    for (let n = 0; n < leaves; n += step) {
      const patch = patches?.[nodes.length];
      const [start, end] = [starts[n], starts[n + step]];
      const node =
        surface && patch && patch.length > 0
          ? ofPatch(surface, points, areas, patch)
          : boxOf(pointsOf(all, order, start, end));
      if (step === 1) node.originals = order.slice(start, end).sort((a, b) => a - b);
      else if (node.near.length > 0) node.s = roundUp(deviation.of(node.triangles, node.near));
      node.parent = step < leaves ? nodes.length >> 1 : -1;
      nodes.push(node);
    }
    levels.push({ nodes, positions: points });
  }
  // boxes without a patch represent no surface but their own faces
  levels.forEach(({ nodes }, k) => {
    nodes.forEach((node, n) => {
      if (node.triangles.length > 0) return;
      const start = starts[n << k];
      const near = order.slice(start, Math.min(starts[(n + 1) << k], start + SOME));
      node.s = roundUp(facesApart(deviation, node as BoxNode, near, all) + ROUNDED * greatest);
    });
  });
  measureHausdorff(levels, below);
  deviation.dispose();
  return { kind: 'boxes', levels, usable: levels.length };
}

/** The triangles of a surface by node: that which the triangle they were at first is below. */
function patchesOf(
  { kept }: SimplifiedSurface,
  count: number,
  nodeOf: (triangle: number) => number,
): number[][] {
  const patches: number[][] = Array.from({ length: count }, () => []);
  kept.forEach((t, i) => {
    patches[nodeOf(t)].push(i);
  });
  return patches;
}

/** A box around some triangles of a surface, with the mean of the support areas of their corners. */
function ofPatch(
  { indices, kept }: SimplifiedSurface,
  points: Float64Array,
  areas: Float64Array,
  patch: readonly number[],
): BoxNode {
  const triangles = Int32Array.from(patch.flatMap((i) => [...indices.subarray(3 * i, 3 * i + 3)]));
  const corners = Float64Array.from(
    { length: 3 * triangles.length },
    (_, i) => points[3 * triangles[Math.floor(i / 3)] + (i % 3)],
  );
  const box = boxOf(corners);
  const mean = triangles.reduce((sum, v) => sum + areas[v], 0) / triangles.length;
  return {
    ...box,
    triangles,
    near: patch.map((i) => kept[i]),
    r: resolutionOf(points, triangles),
    support: box.support.fill(mean),
  };
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

function boxOf(points: Float64Array): BoxNode {
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
    triangles: NOTHING,
    near: [],
    originals: [],
    parent: -1,
    h: 0,
    s: 0,
    r: 2 / (longest + second),
    support: new Float64Array(vertices.length).fill((longest * second) / 4),
  };
}

/**
 * s of a box without a patch: none of its points is farther from the triangles.
 *
 * Faces that are not much longer than wide are measured; points of narrow faces are no farther from a measured one than
 * their width. A box without any is a needle, or less: distance to one triangle is convex, so largest at a corner, and
 * the nearest triangle suffices.
 */
function facesApart(
  deviation: MeshDeviation,
  { eight, sides }: BoxNode,
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

/** The distance of the corners from the nearest of a few triangles. */
function nearestOf(eight: Float64Array, near: readonly number[], all: Float64Array): number {
  let best = Infinity;
  for (const t of near) {
    let most = 0;
    for (let c = 0; c < 24; c += 3) most = Math.max(most, distanceSqPointTriangle(eight, c, all, 9 * t));
    best = Math.min(best, most);
  }
  return Math.sqrt(best);
}
