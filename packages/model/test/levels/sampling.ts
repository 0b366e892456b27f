/** How far points of one mesh are from another, by brute force over samples: what no bound may be below. */
import type { Random } from '@impinge/scenes/random';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { type Shape, trianglesOf } from './families.js';

/** The largest distance found of corners, middles of edges and some random points of the triangles of `from`. */
export function sampledDistance(from: Shape, to: Shape, random: Random, per: number): number {
  const corners = new Float64Array(9);
  const targets = trianglesOf(to);
  const boxes = boxesOf(targets);
  const point = new Float64Array(3);
  let largest = 0;
  let last = 0; // what was nearest to the sample before is near to this one
  for (let t = 0; t < from.indices.length; t += 3) {
    for (let k = 0; k < 9; k++)
      corners[k] = from.positions[3 * from.indices[t + Math.floor(k / 3)] + (k % 3)];
    for (let sample = 0; sample < 6 + per; sample++) {
      const [a, b, c] = sample < 6 ? FIXED[sample] : weights(random);
      for (let k = 0; k < 3; k++) point[k] = a * corners[k] + b * corners[3 + k] + c * corners[6 + k];
      // most are nearer to that than others are to anything
      if (distanceSqPointTriangle(point, 0, targets, 9 * last) <= largest * largest) continue;
      const found = nearest(point, targets, boxes);
      last = found.triangle;
      largest = Math.max(largest, found.distance);
    }
  }
  return largest;
}

const FIXED = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.5, 0.5, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
];

function weights(random: Random): number[] {
  const u = Math.sqrt(random.next());
  const v = random.next();
  return [1 - u, u * (1 - v), u * v];
}

function nearest(
  point: Float64Array,
  targets: Float64Array,
  boxes: Float64Array,
): { distance: number; triangle: number } {
  let best = Infinity;
  let triangle = 0;
  for (let t = 0; 9 * t < targets.length; t++) {
    let gap = 0;
    for (let k = 0; k < 3; k++) {
      const d = Math.max(boxes[6 * t + k] - point[k], point[k] - boxes[6 * t + 3 + k], 0);
      gap += d * d;
    }
    if (gap >= best) continue;
    const d = distanceSqPointTriangle(point, 0, targets, 9 * t);
    if (d < best) {
      best = d;
      triangle = t;
    }
  }
  return { distance: Math.sqrt(best), triangle };
}

function boxesOf(targets: Float64Array): Float64Array {
  const boxes = new Float64Array((targets.length / 9) * 6);
  for (let t = 0, box = 0; t < targets.length; t += 9, box += 6) {
    for (let k = 0; k < 3; k++) {
      boxes[box + k] = Math.min(targets[t + k], targets[t + 3 + k], targets[t + 6 + k]);
      boxes[box + 3 + k] = Math.max(targets[t + k], targets[t + 3 + k], targets[t + 6 + k]);
    }
  }
  return boxes;
}
