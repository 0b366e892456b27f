/**
 * Triangles that fill a plane region bounded by loops, without new points: holes are joined to the loop around them by
 * bridges, ears are clipped, good ones first, and edges flipped while that makes the worse of two triangles better.
 *
 * Decisions rest on exact signs, and only triangles of positive area are made: runs of points along a line, as cuts
 * through flat faces leave them, do not become flat triangles, which would touch triangles other than their neighbours.
 */
import { orient2dSign } from 'impinge/internal/math/predicates.js';

/** Maximum rounds of flips, and the minimum improvement of a flip. */
const MAX_ROUNDS = 50;
const BETTER = 1.01;

/** Points of the plane: u, v each. Loops name them by number. */
export type PlanePoints = Float64Array;

/**
 * Fills loops that have the region on their left (outer ones counter-clockwise). Returns three point numbers per
 * triangle, counter-clockwise, or undefined if the loops cross, touch or are flat.
 */
export function triangulateLoops(
  points: PlanePoints,
  loops: readonly (readonly number[])[],
): number[] | undefined {
  const outer = loops.filter((loop) => areaOf(points, loop) > 0);
  const holes = loops.filter((loop) => areaOf(points, loop) < 0);
  if (outer.length + holes.length < loops.length) return undefined;
  const rising = outer
    .map((loop) => ({ loop, area: areaOf(points, loop), holes: [] as (readonly number[])[] }))
    .sort((a, b) => a.area - b.area);
  for (const hole of holes) {
    const around = rising.find(({ loop }) => isInside(points, loop, hole[0]));
    if (!around) return undefined;
    around.holes.push(hole);
  }
  const triangles: number[] = [];
  for (const { loop, holes } of rising) {
    const polygon = bridgeHoles(points, loop, holes);
    if (!polygon || !clipEars(points, polygon, triangles)) return undefined;
  }
  flipEdges(points, triangles);
  return triangles;
}

function orient(p: PlanePoints, a: number, b: number, c: number): number {
  return orient2dSign(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], p[2 * c], p[2 * c + 1]);
}

/** Twice the signed area. */
function areaOf(p: PlanePoints, loop: readonly number[]): number {
  let area = 0;
  const [u0, v0] = [p[2 * loop[0]], p[2 * loop[0] + 1]];
  for (let i = 0; i < loop.length; i++) {
    const a = loop[i];
    const b = loop[(i + 1) % loop.length];
    area += (p[2 * a] - u0) * (p[2 * b + 1] - v0) - (p[2 * b] - u0) * (p[2 * a + 1] - v0);
  }
  return area;
}

/** Whether a point off the loop lies inside: by the edges that a ray to the right crosses. */
function isInside(p: PlanePoints, loop: readonly number[], point: number): boolean {
  let inside = false;
  const v = p[2 * point + 1];
  for (let i = 0; i < loop.length; i++) {
    const a = loop[i];
    const b = loop[(i + 1) % loop.length];
    const [av, bv] = [p[2 * a + 1], p[2 * b + 1]];
    if (av > v === bv > v) continue;
    if (orient(p, a, b, point) === (bv > av ? 1 : -1)) inside = !inside;
  }
  return inside;
}

/** One polygon out of a loop and the holes in it; bridges are run through both ways. */
function bridgeHoles(
  p: PlanePoints,
  loop: readonly number[],
  holes: readonly (readonly number[])[],
): number[] | undefined {
  let polygon = [...loop];
  const right = (hole: readonly number[]) =>
    hole.reduce((most, v, i) => (p[2 * v] > p[2 * hole[most]] ? i : most), 0);
  const waiting = holes.map((hole) => ({ hole, at: right(hole) }));
  waiting.sort((a, b) => p[2 * b.hole[b.at]] - p[2 * a.hole[a.at]]);
  for (let next = 0; next < waiting.length; next++) {
    const { hole, at } = waiting[next];
    const from = hole[at];
    const others = [polygon, ...waiting.slice(next).map((one) => one.hole)];
    const distanceSq = (v: number) => (p[2 * v] - p[2 * from]) ** 2 + (p[2 * v + 1] - p[2 * from + 1]) ** 2;
    const order = polygon.map((_, i) => i).sort((i, j) => distanceSq(polygon[i]) - distanceSq(polygon[j]));
    const to = order.find(
      (i) =>
        opensTo(p, polygon, i, from) &&
        opensTo(p, hole, at, polygon[i]) &&
        others.every((other) => isClear(p, other, from, polygon[i])),
    );
    if (to === undefined) return undefined;
    polygon = [
      ...polygon.slice(0, to + 1),
      ...hole.slice(at),
      ...hole.slice(0, at + 1),
      ...polygon.slice(to),
    ];
  }
  return polygon;
}

/** Whether the region at corner i of a loop opens towards a point. */
function opensTo(p: PlanePoints, loop: readonly number[], i: number, point: number): boolean {
  const before = loop[(i + loop.length - 1) % loop.length];
  const after = loop[(i + 1) % loop.length];
  const first = orient(p, before, loop[i], point) > 0;
  const second = orient(p, loop[i], after, point) > 0;
  return orient(p, before, loop[i], after) > 0 ? first && second : first || second;
}

/** Whether a segment meets no edge of a loop but those at its own ends. */
function isClear(p: PlanePoints, loop: readonly number[], from: number, to: number): boolean {
  for (let i = 0; i < loop.length; i++) {
    const a = loop[i];
    const b = loop[(i + 1) % loop.length];
    if (a === from || a === to || b === from || b === to) continue;
    const apart = orient(p, from, to, a) * orient(p, from, to, b) > 0;
    if (!apart && orient(p, a, b, from) * orient(p, a, b, to) <= 0) return false;
  }
  return true;
}

/** Cuts the polygon into triangles; false if it runs out of ears. */
function clipEars(p: PlanePoints, polygon: readonly number[], triangles: number[]): boolean {
  const rest = [...polygon];
  const quality = rest.map((_, i) => earQuality(p, rest, i));
  while (rest.length > 3) {
    let best = quality.indexOf(Math.max(...quality));
    if (quality[best] === 0) {
      // clipping may have freed corners that were no ears before
      for (let i = 0; i < rest.length; i++) quality[i] = earQuality(p, rest, i);
      best = quality.indexOf(Math.max(...quality));
      if (quality[best] === 0) return false;
    }
    const count = rest.length;
    triangles.push(rest[(best + count - 1) % count], rest[best], rest[(best + 1) % count]);
    rest.splice(best, 1);
    quality.splice(best, 1);
    for (const i of [(best + count - 2) % (count - 1), best % (count - 1)])
      quality[i] = earQuality(p, rest, i);
  }
  if (orient(p, rest[0], rest[1], rest[2]) <= 0) return false;
  triangles.push(rest[0], rest[1], rest[2]);
  return true;
}

/** 0 if corner i is no ear, else a measure of its triangle's distance from flat. */
function earQuality(p: PlanePoints, polygon: readonly number[], i: number): number {
  const count = polygon.length;
  const a = polygon[(i + count - 1) % count];
  const b = polygon[i];
  const c = polygon[(i + 1) % count];
  if (orient(p, a, b, c) <= 0) return 0;
  for (const v of polygon) {
    if (v === a || v === b || v === c) continue;
    if (orient(p, a, b, v) >= 0 && orient(p, b, c, v) >= 0 && orient(p, c, a, v) >= 0) return 0;
  }
  return roundness(p, a, b, c);
}

/** Twice the area over the square of the longest side: 0 for flat triangles, 0.87 for equilateral ones. */
function roundness(p: PlanePoints, a: number, b: number, c: number): number {
  const sideSq = (v: number, w: number) => (p[2 * v] - p[2 * w]) ** 2 + (p[2 * v + 1] - p[2 * w + 1]) ** 2;
  return areaOf(p, [a, b, c]) / Math.max(sideSq(a, b), sideSq(b, c), sideSq(c, a));
}

/** Exchanges the diagonals of pairs of triangles while that helps. Ends, since the sorted roundnesses only rise. */
function flipEdges(p: PlanePoints, triangles: number[]): void {
  for (let round = 0, flips = 1; flips > 0 && round < MAX_ROUNDS; round++) {
    flips = 0;
    const seen = new Map<string, number>();
    for (let h = 0; h < triangles.length; h++) {
      const [a, b] = [triangles[h], triangles[next(h)]];
      const twin = seen.get(`${b} ${a}`);
      // triangles that were changed in this round wait for the next
      if (twin === undefined || triangles[twin] !== b || triangles[next(twin)] !== a) {
        seen.set(`${a} ${b}`, h);
        continue;
      }
      const c = triangles[next(next(h))];
      const d = triangles[next(next(twin))];
      if (orient(p, c, d, b) <= 0 || orient(p, d, c, a) <= 0) continue;
      const now = Math.min(roundness(p, a, b, c), roundness(p, b, a, d));
      const then = Math.min(roundness(p, c, d, b), roundness(p, d, c, a));
      if (then <= now * BETTER) continue;
      const [first, second] = [h - (h % 3), twin - (twin % 3)];
      [triangles[first], triangles[first + 1], triangles[first + 2]] = [c, d, b];
      [triangles[second], triangles[second + 1], triangles[second + 2]] = [d, c, a];
      flips++;
      h = first + 2;
    }
  }
}

function next(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}
