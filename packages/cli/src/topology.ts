/**
 * Is a mesh closed? Vertices at equal positions are joined first (formats split them at sharp edges), triangles
 * that collapse are left out; then each edge is counted.
 *
 * Layout: edges grouped by their smaller vertex (counts → offsets → fill), each group sorted.
 */
import type { ShapeArrays } from 'impinge/store';
import { VertexWelder } from './formats/weld.js';

export interface EdgeCounts {
  /** Edges of one triangle only; a mesh without any is closed. */
  readonly boundary: number;
  /** Edges of three or more triangles. */
  readonly nonManifold: number;
}

export function countEdges({ positions, indices }: ShapeArrays): EdgeCounts {
  const vertexOf = joinedVertices(positions);
  const vertexCount = vertexOf.length;
  const offsets = new Uint32Array(vertexCount + 1);
  forEachEdge(indices, vertexOf, (low) => offsets[low + 1]++);
  for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v];
  const next = offsets.slice();
  const highs = new Uint32Array(offsets[vertexCount]);
  forEachEdge(indices, vertexOf, (low, high) => {
    highs[next[low]++] = high;
  });
  let boundary = 0;
  let nonManifold = 0;
  for (let v = 0; v < vertexCount; v++) {
    const group = highs.subarray(offsets[v], offsets[v + 1]).sort();
    for (let i = 0; i < group.length; ) {
      let end = i + 1;
      while (end < group.length && group[end] === group[i]) end++;
      if (end - i === 1) boundary++;
      else if (end - i > 2) nonManifold++;
      i = end;
    }
  }
  return { boundary, nonManifold };
}

function joinedVertices(positions: ShapeArrays['positions']): Uint32Array {
  const welder = new VertexWelder(new Float64Array(1024));
  const vertexOf = new Uint32Array(positions.length / 3);
  for (let v = 0; v < vertexOf.length; v++) {
    vertexOf[v] = welder.add(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }
  return vertexOf;
}

function forEachEdge(
  indices: Uint32Array,
  vertexOf: Uint32Array,
  visit: (low: number, high: number) => void,
): void {
  for (let t = 0; t < indices.length; t += 3) {
    const a = vertexOf[indices[t]];
    const b = vertexOf[indices[t + 1]];
    const c = vertexOf[indices[t + 2]];
    if (a === b || b === c || c === a) continue;
    visit(Math.min(a, b), Math.max(a, b));
    visit(Math.min(b, c), Math.max(b, c));
    visit(Math.min(c, a), Math.max(c, a));
  }
}
