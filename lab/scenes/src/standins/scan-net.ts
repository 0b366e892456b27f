/**
 * A scan prepared for refinement: vertices welded by position, degenerate triangles removed, edges numbered, and at
 * each vertex the normal and the mean length of its edges.
 */

export interface Scan {
  /** Three coordinates per vertex. */
  readonly positions: Float32Array;
  /** Three vertices per triangle. */
  readonly indices: Uint32Array;
}

export interface ScanNet {
  /** Three numbers per vertex. */
  readonly points: Float64Array;
  /** Unit vectors; zero where the triangles about a vertex cancel out. */
  readonly normals: Float64Array;
  /** Mean edge length per vertex. */
  readonly spacing: Float64Array;
  readonly indices: Uint32Array;
  /** Three per triangle: of the sides first-second, first-third, second-third. */
  readonly edges: Uint32Array;
  /** Two vertices per edge, the lower first. */
  readonly ends: Uint32Array;
}

const EMPTY = 0xffffffff;
/** The corners of each side, in the order of `edges`. */
const SIDES = [0, 1, 0, 2, 1, 2];

export function scanNet(scan: Scan): ScanNet {
  const { points, indices } = welded(scan);
  const { edges, ends } = numberedEdges(indices);
  return {
    points,
    normals: vertexNormals(points, indices),
    spacing: meanEdgeLengths(points, ends),
    indices,
    edges,
    ends,
  };
}

/** Numbers positions in order of first use and drops triangles with fewer than three of them. */
function welded({ positions, indices }: Scan): { points: Float64Array; indices: Uint32Array } {
  const count = positions.length / 3;
  const table = new Uint32Array(slotsFor(count)).fill(EMPTY);
  const points = new Float64Array(positions.length);
  const numberOf = new Uint32Array(count).fill(EMPTY);
  const kept = new Uint32Array(indices.length);
  const bits = new Uint32Array(3);
  const place = new Float32Array(bits.buffer);
  let vertices = 0;
  let used = 0;

  const weld = (vertex: number): number => {
    // − 0 becomes 0, so that equal positions have equal bits
    for (let k = 0; k < 3; k++) place[k] = positions[3 * vertex + k] + 0;
    if (!(Number.isFinite(place[0]) && Number.isFinite(place[1]) && Number.isFinite(place[2]))) {
      throw new RangeError(`vertex ${vertex} does not exist or is not finite`);
    }
    let slot = slotOf(Math.imul(bits[0], 31) ^ bits[1], bits[2], table.length);
    for (; table[slot] !== EMPTY; slot = (slot + 1) & (table.length - 1)) {
      const at = 3 * table[slot];
      if (points[at] === place[0] && points[at + 1] === place[1] && points[at + 2] === place[2])
        return table[slot];
    }
    points.set(place, 3 * vertices);
    table[slot] = vertices;
    return vertices++;
  };

  for (let t = 0; t + 2 < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const vertex = indices[t + k];
      kept[used + k] = numberOf[vertex] < EMPTY ? numberOf[vertex] : (numberOf[vertex] = weld(vertex));
    }
    const [a, b, c] = [kept[used], kept[used + 1], kept[used + 2]];
    if (a !== b && b !== c && c !== a) used += 3;
  }
  return { points: points.slice(0, 3 * vertices), indices: kept.slice(0, used) };
}

function numberedEdges(indices: Uint32Array): Pick<ScanNet, 'edges' | 'ends'> {
  const edges = new Uint32Array(indices.length);
  const ends = new Uint32Array(2 * indices.length);
  const table = new Uint32Array(slotsFor(indices.length)).fill(EMPTY);
  let edgeCount = 0;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const from = indices[t + SIDES[2 * k]];
      const to = indices[t + SIDES[2 * k + 1]];
      const [low, high] = from < to ? [from, to] : [to, from];
      let slot = slotOf(low, high, table.length);
      while (
        table[slot] !== EMPTY &&
        !(ends[2 * table[slot]] === low && ends[2 * table[slot] + 1] === high)
      ) {
        slot = (slot + 1) & (table.length - 1);
      }
      if (table[slot] === EMPTY) {
        ends[2 * edgeCount] = low;
        ends[2 * edgeCount + 1] = high;
        table[slot] = edgeCount++;
      }
      edges[t + k] = table[slot];
    }
  }
  return { edges, ends: ends.slice(0, 2 * edgeCount) };
}

/** A power of two that leaves at least half of the slots free. */
function slotsFor(count: number): number {
  let slots = 16;
  while (slots < 2 * count) slots *= 2;
  return slots;
}

function slotOf(a: number, b: number, slots: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) & (slots - 1);
}

/** Means of the normals of the triangles about each vertex, weighted by area. */
function vertexNormals(points: Float64Array, indices: Uint32Array): Float64Array {
  const normals = new Float64Array(points.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uy, uz] = [
      points[b] - points[a],
      points[b + 1] - points[a + 1],
      points[b + 2] - points[a + 2],
    ];
    const [vx, vy, vz] = [
      points[c] - points[a],
      points[c + 1] - points[a + 1],
      points[c + 2] - points[a + 2],
    ];
    for (const at of [a, b, c]) {
      normals[at] += uy * vz - uz * vy;
      normals[at + 1] += uz * vx - ux * vz;
      normals[at + 2] += ux * vy - uy * vx;
    }
  }
  for (let at = 0; at < normals.length; at += 3) {
    const [x, y, z] = [normals[at], normals[at + 1], normals[at + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    for (let k = 0; k < 3; k++) normals[at + k] = length > 0 ? normals[at + k] / length : 0;
  }
  return normals;
}

function meanEdgeLengths(points: Float64Array, ends: Uint32Array): Float64Array {
  const sums = new Float64Array(points.length / 3);
  const counts = new Uint32Array(sums.length);
  for (let e = 0; e < ends.length; e += 2) {
    const [a, b] = [3 * ends[e], 3 * ends[e + 1]];
    const [x, y, z] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    for (const vertex of [ends[e], ends[e + 1]]) {
      sums[vertex] += length;
      counts[vertex]++;
    }
  }
  return sums.map((sum, vertex) => sum / counts[vertex]);
}
