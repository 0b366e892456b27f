/**
 * The point of a mesh closest to a point where a pose stretches the mesh unevenly.
 *
 * Idea: the boxes of the mesh's tree are visited in the order of their distances in the world, until none left is
 * nearer than what was found. A posed box lies in the box around it, whose distance is a lower bound.
 */
import { arena } from '../../base/arena.js';
import { PairHeap } from '../../base/heap.js';
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import { isLeaf, LANES, leafCount, refIndex } from '../../hierarchy/layout.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { EMPTY } from '../../kernel/layout.generated.js';
import { RIGID } from '../../math/linear-map.js';
import type { RigidPose, Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type ClosestPointResult, weightsAt } from '../point/closest-point.js';
import { boxTreeOf, REFERENCE_ROW } from '../ray/box-tree.js';
import { BOX_BLOCK_BYTES, BoxesHeader } from '../ray/layout.generated.js';
import { cornersOf, toWorld } from '../shape/find-triangles.js';
import type { TargetPart } from '../target.js';

/** Of the numbers that a bound is computed from: far above its rounding, of some twenty operations. */
const ROUNDING = 1e-14;

export function closestUneven(
  { mesh, pose, stretch = RIGID }: TargetPart,
  point: Float64Array,
  atMost: number,
): ClosestPointResult | undefined {
  const place = { pose, back: pose, stretch };
  const out = new Float64Array(8);
  let best: { distance: number; triangle: number; at: Float64Array } | undefined;
  const limit = () => best?.distance ?? atMost;
  eachNear(mesh, pose, point, limit, (triangle) => {
    const corners = toWorld(cornersOf(mesh, triangle), mesh, place);
    const distance = Math.sqrt(distanceSqPointTriangle(point, 0, corners, 0, out));
    if (!(distance <= limit()) || (distance === best?.distance && triangle > best.triangle)) return;
    best = { distance, triangle, at: out.slice(3, 6) };
  });
  if (!best) return undefined;
  const { distance, triangle, at } = best;
  const corners = toWorld(cornersOf(mesh, triangle), mesh, place);
  const [u, v] = weightsAt(corners, at);
  const barycentrics: Vec3 = [1 - u - v, u, v];
  return { distance, point: [at[0], at[1], at[2]], triangle, barycentrics, normal: normalOf(corners) };
}

/** Visits all triangles that may be within `limit()`, which may become less on the way. */
function eachNear(
  mesh: Mesh,
  pose: RigidPose,
  point: Float64Array,
  limit: () => number,
  visit: (triangle: number) => void,
): void {
  if (!kernelSupported()) {
    for (let t = 0; t < mesh.triangleCount; t++) visit(t);
    return;
  }
  const tree = boxTreeOf(mesh);
  const [words, floats] = [arena().u32(), arena().f32()];
  const start = (field: number) => (tree + words[(tree + field) >>> 2]) >>> 2;
  const [order, blocks] = [start(BoxesHeader.order), start(BoxesHeader.blocks)];
  const heap = new PairHeap();
  heap.push(0, 0, 0);
  while (heap.pop() && heap.key <= limit()) {
    if (isLeaf(heap.a)) {
      const first = order + refIndex(heap.a);
      for (let i = 0; i < leafCount(heap.a); i++) visit(words[first + i]);
      continue;
    }
    const at = blocks + (BOX_BLOCK_BYTES >>> 2) * refIndex(heap.a);
    for (let lane = 0; lane < LANES; lane++) {
      const reference = words[at + LANES * REFERENCE_ROW + lane];
      if (reference !== EMPTY) heap.push(gapTo(mesh, pose, point, floats, at + lane), reference, 0);
    }
  }
}

/** How far a point is at least from a posed box, whose six numbers are `LANES` apart. */
function gapTo(
  { origin }: Mesh,
  pose: RigidPose,
  point: Float64Array,
  boxes: Float32Array,
  at: number,
): number {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    let centre = pose[9 + k];
    let half = 0;
    let most = Math.abs(centre) + Math.abs(point[k]);
    for (let j = 0; j < 3; j++) {
      const least = boxes[at + LANES * j];
      const size = boxes[at + LANES * (3 + j)] - least;
      const middle = origin[j] + (least + 0.5 * size);
      const turn = pose[3 * k + j];
      centre += turn * middle;
      half += 0.5 * Math.abs(turn) * size;
      most += Math.abs(turn) * (Math.abs(origin[j]) + Math.abs(least) + size);
    }
    const gap = Math.max(0, Math.abs(point[k] - centre) - half - ROUNDING * most);
    square += gap * gap;
  }
  return Math.sqrt(square) * (1 - ROUNDING);
}

function normalOf(t: Float64Array): Vec3 {
  const [px, py, pz, qx, qy, qz] = [3, 4, 5, 6, 7, 8].map((k) => t[k] - t[k % 3]);
  const n = [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
  const length = Math.hypot(...n);
  const unit = length > 0 ? 1 / length : 0;
  return [n[0] * unit, n[1] * unit, n[2] * unit];
}
