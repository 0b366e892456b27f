/**
 * Which vertices are at the same place: at equal positions, or within a tolerance of an earlier vertex that represents
 * its place.
 *
 * Guarantee: each vertex is represented by itself, or by the first representative within the tolerance of it;
 * representatives are farther than the tolerance from each other. Nothing drifts along chains of near vertices.
 * Layout: with a tolerance, representatives are chained by the hash of their cell in a grid of
 * 2.01 tolerances, so that every vertex near enough is in one of eight cells.
 */

/** The vertex that stands for every vertex. */
export function firstAtPlace(positions: ArrayLike<number>, tolerance: number): Uint32Array {
  return tolerance > 0 ? firstWithin(positions, tolerance) : firstEqual(positions);
}

/** The first vertex at the position of every vertex. */
export function firstEqual(positions: ArrayLike<number>): Uint32Array {
  const count = positions.length / 3;
  const first = new Uint32Array(count);
  const mask = tableSize(count) - 1;
  const table = new Uint32Array(mask + 1); // vertex + 1, or 0
  const bits = new Int32Array(3);
  const floats = new Float32Array(bits.buffer);
  for (let v = 0; v < count; v++) {
    // adding zero makes one zero of two
    for (let k = 0; k < 3; k++) floats[k] = positions[3 * v + k] + 0;
    let slot = mix(bits[0], mix(bits[1], bits[2])) & mask;
    while (table[slot] !== 0 && !samePosition(positions, table[slot] - 1, v)) slot = (slot + 1) & mask;
    if (table[slot] === 0) table[slot] = v + 1;
    first[v] = table[slot] - 1;
  }
  return first;
}

function samePosition(p: ArrayLike<number>, v: number, w: number): boolean {
  return p[3 * v] === p[3 * w] && p[3 * v + 1] === p[3 * w + 1] && p[3 * v + 2] === p[3 * w + 2];
}

function firstWithin(positions: ArrayLike<number>, tolerance: number): Uint32Array {
  const count = positions.length / 3;
  const first = new Uint32Array(count);
  const mask = tableSize(count) - 1;
  const heads = new Uint32Array(mask + 1); // vertex + 1, or 0
  const next = new Uint32Array(count);
  const cell = new Float64Array(3);
  const beside = new Float64Array(3);
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < 3; k++) {
      const at = positions[3 * v + k] / (2.01 * tolerance);
      cell[k] = Math.floor(at);
      beside[k] = at - cell[k] < 0.5 ? cell[k] - 1 : cell[k] + 1;
    }
    let found = v;
    for (let corner = 0; corner < 8; corner++) {
      const x = corner & 1 ? beside[0] : cell[0];
      const y = corner & 2 ? beside[1] : cell[1];
      const z = corner & 4 ? beside[2] : cell[2];
      for (let w = heads[mix(x | 0, mix(y | 0, z | 0)) & mask]; w !== 0; w = next[w - 1]) {
        if (w - 1 < found && isWithin(positions, v, w - 1, tolerance)) found = w - 1;
      }
    }
    first[v] = found;
    if (found !== v) continue;
    const slot = mix(cell[0] | 0, mix(cell[1] | 0, cell[2] | 0)) & mask;
    next[v] = heads[slot];
    heads[slot] = v + 1;
  }
  return first;
}

/** Whether two vertices are no farther apart, as float64 computes it. */
function isWithin(p: ArrayLike<number>, v: number, w: number, tolerance: number): boolean {
  const [x, y, z] = [p[3 * v] - p[3 * w], p[3 * v + 1] - p[3 * w + 1], p[3 * v + 2] - p[3 * w + 2]];
  return Math.hypot(x, y, z) <= tolerance;
}

/** The size of a hash table: at least two slots per entry. */
export function tableSize(entries: number): number {
  return 2 ** Math.ceil(Math.log2(2 * entries + 2));
}

export function mix(x: number, y: number): number {
  let hash = Math.imul(x, 0x9e3779b1) ^ Math.imul((y << 13) | (y >>> 19), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
