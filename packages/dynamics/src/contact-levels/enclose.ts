/**
 * The levels above those that represent the surface: hulls joined in pairs, whatever their shape, up to one.
 *
 * Neighbours on the surface come first, by the size of their common box; the rest are paired along a space-filling
 * curve. So each level has half the hulls of the one below, rounded up.
 */
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { boxAround } from './box-around.js';
import type { DraftLevel, DraftNode } from './draft.js';

/**
 * Levels from the one given to a single hull, without the one given, whose parents are set. s bounds the distance of a
 * point of the hull from a vertex, plus that of the vertex from the surface.
 */
export function encloseAll(level: DraftLevel): DraftLevel[] {
  const levels: DraftLevel[] = [];
  const hull = new HullBuilder();
  let pairs = neighbours(level);
  let own = level.nodes.map(({ s }) => s);
  for (let below = level; below.nodes.length > 1; ) {
    const families = paired(below.nodes, pairs);
    const above: DraftLevel = { nodes: [], positions: level.positions };
    const ownAbove: number[] = [];
    families.forEach((children, n) => {
      for (const child of children) below.nodes[child].parent = n;
      const node = joined(
        children.map((child) => below.nodes[child]),
        level.positions,
        hull,
      );
      ownAbove.push(Math.max(...children.map((child) => own[child])));
      node.s = radiusOf(node.points) + ownAbove[n];
      above.nodes.push(node);
    });
    own = ownAbove;
    const { nodes } = below;
    pairs = unique(pairs.map(([a, b]) => [nodes[a].parent, nodes[b].parent] as const));
    levels.push(above);
    below = above;
  }
  return levels;
}

type Pair = readonly [number, number];

function unique(pairs: readonly Pair[]): Pair[] {
  const seen = new Set<string>();
  return pairs.filter(([a, b]) => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (a === b || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Nodes whose patches have an edge in common. */
function neighbours({ nodes }: DraftLevel): Pair[] {
  const owner = new Map<string, number>();
  const pairs: Pair[] = [];
  nodes.forEach(({ triangles }, n) => {
    for (let h = 0; h < triangles.length; h++) {
      const from = triangles[h];
      const to = triangles[h % 3 === 2 ? h - 2 : h + 1];
      const other = owner.get(`${to} ${from}`);
      if (other === undefined) owner.set(`${from} ${to}`, n);
      else pairs.push([other, n]);
    }
  });
  return unique(pairs);
}

function paired(nodes: readonly DraftNode[], pairs: readonly Pair[]): number[][] {
  const boxes = nodes.map(({ points }) => boxAround(points));
  const keyed = pairs.map((pair) => ({ pair, size: commonSize(boxes[pair[0]], boxes[pair[1]]) }));
  keyed.sort((a, b) => a.size - b.size || a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]);
  const families: number[][] = [];
  const taken = new Uint8Array(nodes.length);
  for (const { pair } of keyed) {
    if (taken[pair[0]] || taken[pair[1]]) continue;
    taken[pair[0]] = taken[pair[1]] = 1;
    families.push([...pair]);
  }
  const rest = alongCurve(boxes).filter((n) => !taken[n]);
  for (let i = 0; i < rest.length; i += 2) families.push(rest.slice(i, i + 2));
  return families;
}

function commonSize(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const side = Math.max(a[3 + k], b[3 + k]) - Math.min(a[k], b[k]);
    sum += side * side;
  }
  return sum;
}

/** Z-order of the boxes' middles on a grid of 1 024 cells along each axis. */
function alongCurve(boxes: readonly (readonly number[])[]): number[] {
  const whole = boxes.reduce((a, b) =>
    a.map((value, k) => (k < 3 ? Math.min(value, b[k]) : Math.max(value, b[k]))),
  );
  const all = [0, 1, 2].map((k) => ({ low: whole[k], size: whole[3 + k] - whole[k] }));
  const codes = boxes.map((box) => {
    let code = 0;
    for (let bit = 9; bit >= 0; bit--) {
      for (let k = 0; k < 3; k++) {
        const share = all[k].size > 0 ? ((box[k] + box[3 + k]) / 2 - all[k].low) / all[k].size : 0;
        code = 2 * code + ((Math.min(1023, Math.floor(1024 * share)) >> bit) & 1);
      }
    }
    return code;
  });
  return boxes.map((_, n) => n).sort((a, b) => codes[a] - codes[b] || a - b);
}

function joined(children: readonly DraftNode[], positions: Float64Array, hull: HullBuilder): DraftNode {
  const ids = [...new Set(children.flatMap(({ vertices }) => [...vertices]))];
  hull.build(positions, ids, ids.length);
  const vertices = hull.vertices.slice(0, hull.vertexCount);
  const place = new Map(Array.from(vertices, (v, i) => [v, i]));
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach((v, i) => {
    points.set(positions.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  // their mean, weighted by their numbers of sides
  const count = children.reduce((sum, { triangles }) => sum + triangles.length, 0);
  const lengths = children.reduce((sum, { triangles, r }) => sum + triangles.length / r, 0);
  return {
    points,
    faces: hull.corners.slice(0, 3 * hull.faceCount).map((v) => place.get(v) as number),
    vertices,
    triangles: Int32Array.from(children.flatMap(({ triangles }) => [...triangles])),
    near: [],
    originals: [],
    parent: -1,
    h: 0,
    s: 0,
    r: count / lengths,
    support: new Float64Array(0),
  };
}

/**
 * The radius about the middle of the box. Every point p of a hull is within it of a vertex: for some vertex v the angle
 * at p between v and the middle m is no less than a right one (else all vertices would lie on one side of p), so
 * |v − p| ≤ |v − m|.
 */
function radiusOf(points: Float64Array): number {
  const box = boxAround(points);
  let most = 0;
  for (let i = 0; i < points.length; i += 3) {
    let sq = 0;
    for (let k = 0; k < 3; k++) sq += (points[i + k] - (box[k] + box[3 + k]) / 2) ** 2;
    most = Math.max(most, sq);
  }
  return Math.sqrt(most);
}
