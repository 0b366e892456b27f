/**
 * An order of a mesh's triangles that keeps neighbours together, so that parts are compact: scans and soups come in any
 * order. A counting sort by the Morton cell of the centre, linear in the triangles. Only the amount of culling depends
 * on it.
 */

const MOST_BITS = 7;
const SPREAD = Uint32Array.from({ length: 1 << MOST_BITS }, (_, cell) => {
  let bits = 0;
  for (let i = 0; i < MOST_BITS; i++) bits |= ((cell >> i) & 1) << (3 * i);
  return bits;
});

/** The triangle for each place. */
export function orderTriangles(positions: Float32Array, indices: Uint32Array): Uint32Array {
  const count = indices.length / 3;
  // about one cell per triangle: a surface passes through a small share of them
  const bits = Math.max(1, Math.min(MOST_BITS, Math.round(Math.log2(count) / 3)));
  // three times the centres: only their relative positions count
  const centres = new Float32Array(3 * count);
  let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity];
  let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity];
  for (let t = 0; t < 3 * count; t += 3) {
    const a = 3 * indices[t];
    const b = 3 * indices[t + 1];
    const c = 3 * indices[t + 2];
    const x = Math.fround(positions[a] + positions[b] + positions[c]);
    const y = Math.fround(positions[a + 1] + positions[b + 1] + positions[c + 1]);
    const z = Math.fround(positions[a + 2] + positions[b + 2] + positions[c + 2]);
    centres[t] = x;
    centres[t + 1] = y;
    centres[t + 2] = z;
    if (x < lowX) lowX = x;
    if (y < lowY) lowY = y;
    if (z < lowZ) lowZ = z;
    if (x > highX) highX = x;
    if (y > highY) highY = y;
    if (z > highZ) highZ = z;
  }
  const size = Math.max(highX - lowX, highY - lowY, highZ - lowZ);
  const last = (1 << bits) - 1;
  const scale = size > 0 ? (last + 0.99) / size : 0; // cells are rounded down
  const keys = new Uint32Array(count);
  const starts = new Uint32Array((1 << (3 * bits)) + 1);
  for (let t = 0; t < count; t++) {
    const x = SPREAD[((centres[3 * t] - lowX) * scale) | 0];
    const y = SPREAD[((centres[3 * t + 1] - lowY) * scale) | 0];
    const z = SPREAD[((centres[3 * t + 2] - lowZ) * scale) | 0];
    const key = x | (y << 1) | (z << 2);
    keys[t] = key;
    starts[key + 1]++;
  }
  for (let key = 1; key < starts.length; key++) starts[key] += starts[key - 1];
  const order = new Uint32Array(count);
  for (let t = 0; t < count; t++) order[starts[keys[t]]++] = t;
  return order;
}
