/**
 * The topology of a surface that a step needs: the owners of vertices and edges, and the triangles around a vertex.
 *
 * Idea: an element shared by several triangles is tested once because only its owner, the lowest of them, brings it
 * along. Edges are found without hashing: half-edges are gathered at their lower end, where a mark per upper end
 * distinguishes the first from the rest.
 * A corner named twice in a triangle is one vertex; a side from a vertex to itself is no edge.
 */

export interface Topology {
  /** Edges counted once. */
  readonly edgeCount: number;
  /** Per triangle: bit i: it owns its corner i; bit 3 + i: it owns the edge from corner i to i + 1. */
  readonly owned: Uint8Array;
  /** Triangles around vertex v, rising: rings[ringStart[v] .. ringStart[v + 1]). */
  readonly ringStart: Uint32Array;
  readonly rings: Uint32Array;
}

/** Analyses a surface in time linear in its size. Every index must be below `vertexCount`. */
export function topologyOf(vertexCount: number, indices: Uint32Array): Topology {
  const { ringStart, rings } = ringsOf(vertexCount, indices);
  const owned = new Uint8Array(indices.length / 3);
  ownVertices(indices, ringStart, rings, owned);
  const edgeCount = ownEdges(vertexCount, indices, owned);
  return { edgeCount, owned, ringStart, rings };
}

export function ringsOf(vertexCount: number, indices: Uint32Array) {
  const ringStart = new Uint32Array(vertexCount + 1);
  for (let t = 0; t < indices.length; t += 3) {
    const a = indices[t];
    const b = indices[t + 1];
    const c = indices[t + 2];
    ringStart[a + 1]++;
    if (b !== a) ringStart[b + 1]++;
    if (c !== a && c !== b) ringStart[c + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) ringStart[v + 1] += ringStart[v];
  const rings = new Uint32Array(ringStart[vertexCount]);
  const next = ringStart.slice();
  for (let t = 0; t < indices.length; t += 3) {
    const a = indices[t];
    const b = indices[t + 1];
    const c = indices[t + 2];
    rings[next[a]++] = t / 3;
    if (b !== a) rings[next[b]++] = t / 3;
    if (c !== a && c !== b) rings[next[c]++] = t / 3;
  }
  return { ringStart, rings };
}

function ownVertices(
  indices: Uint32Array,
  ringStart: Uint32Array,
  rings: Uint32Array,
  owned: Uint8Array,
): void {
  for (let v = 0; v + 1 < ringStart.length; v++) {
    if (ringStart[v] === ringStart[v + 1]) continue; // no triangle uses it
    const owner = rings[ringStart[v]];
    const corner = indices[3 * owner] === v ? 0 : indices[3 * owner + 1] === v ? 1 : 2;
    owned[owner] |= 1 << corner;
  }
}

function ownEdges(vertexCount: number, indices: Uint32Array, owned: Uint8Array): number {
  // gather sides at their lower end, those of low triangles first
  const from = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i];
    const b = indices[endOfSide(i)];
    if (a !== b) from[Math.min(a, b) + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) from[v + 1] += from[v];
  const sides = new Uint32Array(from[vertexCount]);
  const next = from.slice();
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i];
    const b = indices[endOfSide(i)];
    if (a !== b) sides[next[Math.min(a, b)]++] = i;
  }
  // the first side to reach an upper end is the owner's
  const reachedFrom = new Uint32Array(vertexCount).fill(vertexCount);
  let edgeCount = 0;
  for (let low = 0; low < vertexCount; low++) {
    for (let k = from[low]; k < from[low + 1]; k++) {
      const i = sides[k];
      const a = indices[i];
      const high = a === low ? indices[endOfSide(i)] : a;
      if (reachedFrom[high] === low) continue;
      reachedFrom[high] = low;
      owned[(i / 3) | 0] |= 8 << (i % 3);
      edgeCount++;
    }
  }
  return edgeCount;
}

function endOfSide(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1;
}
