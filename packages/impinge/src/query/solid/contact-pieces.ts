/**
 * Where each pair of meeting triangles meets, and which pairs hang together.
 *
 * Two pairs are neighbours when they share a triangle, their other triangles share an edge, and that edge meets the
 * shared triangle: then the places where they meet have a point in common. Decided exactly; pairs whose corners
 * coincide but for rounding are joined as well.
 * Layout: the corners of pair i are points[3 · first[i] .. 3 · first[i + 1]); nodes names equal ones.
 */
import { UnionFind } from '../../base/union-find.js';
import { intersectsSegmentTriangle } from '../../geometry/intersect/segment-triangle.js';
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import { type Adjacency, adjacencyOf, NO_EDGE } from '../../mesh/adjacency.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { mergePoints } from './contact-curves.js';
import { Meeting } from './layout.generated.js';
import type { PlacedPair } from './placed-pair.js';
import { normalOf } from './placed-solid.js';
import type { SolidRelation } from './solid-relation.js';

export interface ContactPieces {
  readonly first: Uint32Array;
  readonly points: Float64Array;
  readonly nodes: Uint32Array;
  /** Unit normals of the two triangles of each pair, six numbers; zero for degenerate triangles. */
  readonly normals: Float64Array;
  /** Whether the surfaces pass through each other there, by more than rounding. */
  readonly crossing: Uint8Array;
  /** The region of each pair, numbered by first pair. */
  readonly region: Uint32Array;
  readonly regionCount: number;
}

/** `pairs` are triangles of a and of b, alternating; both objects have one part. */
export function findPieces(pair: PlacedPair, relation: SolidRelation, pairs: Uint32Array): ContactPieces {
  const [a, b] = [pair.a.parts.meshes[0], pair.b.parts.meshes[0]];
  const { meeting: how, segments } = relation.contact;
  const count = pairs.length / 2;
  const reader = new PairReader(a, b, pair.pose);
  const first = new Uint32Array(count + 1);
  const normals = new Float64Array(6 * count);
  const crossing = new Uint8Array(count);
  const corners: number[] = [];
  const meeting = new Float64Array(18);
  for (let i = 0; i < count; i++) {
    const triangles = reader.read(pairs[2 * i], pairs[2 * i + 1]);
    const segment = (how[i] & (Meeting.crossing | Meeting.blurred)) !== 0;
    if (segment) for (let k = 0; k < 6; k++) meeting[k] = segments[6 * i + k];
    const found = segment ? 2 : intersectionTriangleTriangle(triangles, 0, triangles, 9, meeting, 0);
    for (let k = 0; k < 3 * found; k++) corners.push(meeting[k]);
    first[i + 1] = first[i] + found;
    crossing[i] = how[i] === Meeting.crossing ? 1 : 0;
    writeNormal(triangles, 0, normals, 6 * i);
    writeNormal(triangles, 9, normals, 6 * i + 3);
  }
  for (const hinge of relation.crossingHinges()) crossing[hinge.pair] = 1;
  const points = Float64Array.from(corners);
  const nodes = mergePoints(points);
  const { region, regionCount } = joinPairs(a, b, reader, pairs, first, nodes);
  return { first, points, nodes, normals, crossing, region, regionCount };
}

function writeNormal(t: Float64Array, to: number, out: Float64Array, oo: number): void {
  const n = normalOf(t, to, t, to + 3, t, to + 6);
  const length = Math.hypot(n[0], n[1], n[2]);
  for (let k = 0; k < 3; k++) out[oo + k] = length > 0 ? n[k] / length : 0;
}

function joinPairs(
  a: Mesh,
  b: Mesh,
  reader: PairReader,
  pairs: Uint32Array,
  first: Uint32Array,
  nodes: Uint32Array,
): { region: Uint32Array; regionCount: number } {
  const count = pairs.length / 2;
  const sets = new UnionFind(count);
  const pairAtNode = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    for (let c = first[i]; c < first[i + 1]; c++) {
      const other = pairAtNode.get(nodes[c]);
      if (other === undefined) pairAtNode.set(nodes[c], i);
      else sets.union(i, other);
    }
  }
  const pairAt = new Map<number, number>();
  const keyOf = (ta: number, tb: number) => ta * b.triangleCount + tb;
  for (let i = 0; i < count; i++) pairAt.set(keyOf(pairs[2 * i], pairs[2 * i + 1]), i);
  const joinAcross = (i: number, side: 0 | 1, adjacency: Adjacency) => {
    const kept = pairs[2 * i + 1 - side];
    for (let h = 3 * pairs[2 * i + side]; h < 3 * pairs[2 * i + side] + 3; h++) {
      const e = adjacency.edgeOf[h];
      if (e === NO_EDGE) continue;
      for (let k = adjacency.edgeStart[e]; k < adjacency.edgeStart[e + 1]; k++) {
        const t = Math.floor(adjacency.halfEdges[k] / 3);
        const j = pairAt.get(side === 0 ? keyOf(t, kept) : keyOf(kept, t));
        if (j === undefined || sets.find(i) === sets.find(j)) continue;
        const triangles = reader.read(pairs[2 * i], pairs[2 * i + 1]);
        const from = 9 * side + 3 * (h % 3);
        const to = 9 * side + 3 * ((h + 1) % 3);
        if (intersectsSegmentTriangle(triangles, from, to, triangles, 9 - 9 * side)) sets.union(i, j);
      }
    }
  };
  const adjacencyA = adjacencyOf(a);
  const adjacencyB = adjacencyOf(b);
  for (let i = 0; i < count; i++) {
    joinAcross(i, 0, adjacencyA);
    joinAcross(i, 1, adjacencyB);
  }
  const region = new Uint32Array(count);
  let regionCount = 0;
  for (let i = 0; i < count; i++) {
    const root = sets.find(i); // the least pair of its set: numbered before the others
    region[i] = root === i ? regionCount++ : region[root];
  }
  return { region, regionCount };
}
