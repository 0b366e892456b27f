/** How far points are from many triangles, by a tree of boxes of its own. */
import { distanceSqPointTriangle } from 'impinge/geometry';

interface Node {
  /** Least and greatest x, y, z. */
  readonly box: Float64Array;
  readonly triangles?: readonly Float64Array[];
  readonly halves?: readonly [Node, Node];
}

const LEAF = 8;

/** Triangles are nine numbers each. */
export function distanceTo(triangles: readonly Float64Array[]): (p: Float64Array) => number {
  const root = divide([...triangles]);
  return (p) => Math.sqrt(nearer(root, p, Infinity));
}

function divide(triangles: Float64Array[]): Node {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const t of triangles) {
    for (let i = 0; i < 9; i++) {
      box[i % 3] = Math.min(box[i % 3], t[i]);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], t[i]);
    }
  }
  if (triangles.length <= LEAF) return { box, triangles };
  const sizes = [0, 1, 2].map((k) => box[3 + k] - box[k]);
  const axis = sizes.indexOf(Math.max(...sizes));
  const middle = (t: Float64Array): number => t[axis] + t[axis + 3] + t[axis + 6];
  triangles.sort((a, b) => middle(a) - middle(b));
  const half = triangles.length >> 1;
  return { box, halves: [divide(triangles.slice(0, half)), divide(triangles.slice(half))] };
}

/** The lesser of a squared distance and that of the triangles below a node. */
function nearer(node: Node, p: Float64Array, than: number): number {
  if (node.triangles)
    return node.triangles.reduce((sq, t) => Math.min(sq, distanceSqPointTriangle(p, 0, t, 0)), than);
  let best = than;
  const [a, b] = node.halves!;
  for (const half of fromBox(a, p) <= fromBox(b, p) ? [a, b] : [b, a])
    if (fromBox(half, p) < best) best = nearer(half, p, best);
  return best;
}

function fromBox({ box }: Node, p: Float64Array): number {
  let sq = 0;
  for (let k = 0; k < 3; k++) sq += Math.max(0, box[k] - p[k], p[k] - box[3 + k]) ** 2;
  return sq;
}
