/**
 * The number of tests after hashing alone, for comparison with our stages: the paper's scheme without its culling.
 *
 * One grid with cells of the largest extent of any moving triangle's 26-DOP (floors would make them useless); a table
 * with a fifth as many slots as triangles; every triangle in the slots of all cells that its box touches.
 * Paper: Jung and Choi, section 6.2; the hash of cells is the usual one of three large primes.
 */
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 1],
  [1, 0, 1],
  [1, -1, 0],
  [0, 1, -1],
  [1, 0, -1],
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [1, -1, -1],
];
const TABLE_SHARE = 0.2;

/**
 * Pairs of triangles in the same slot, summed over all slots.
 * @param {{ indices: ArrayLike<number>, start: ArrayLike<number>, end: ArrayLike<number>, still?: boolean }[]} surfaces
 *   positions at the start and at the end of the step; `still` for what never moves
 */
export function countHashedPairs(surfaces) {
  const count = surfaces.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const boxes = new Float64Array(6 * count);
  let cell = 0;
  let t = 0;
  for (const surface of surfaces) {
    for (let i = 0; i < surface.indices.length; i += 3) {
      const extent = measure(surface, i, boxes, 6 * t++);
      if (!surface.still) cell = Math.max(cell, extent);
    }
  }
  if (cell === 0) cell = 1; // nothing moves, or only points
  const slots = new Uint32Array(Math.max(1, Math.floor(TABLE_SHARE * count)));
  const touched = new Set();
  let everywhere = 0;
  for (let at = 0; at < boxes.length; at += 6) {
    const [x0, y0, z0, x1, y1, z1] = boxes.subarray(at, at + 6).map((x) => Math.floor(x / cell));
    if ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > slots.length) {
      everywhere++; // more cells than slots: in nearly all of them
      continue;
    }
    touched.clear();
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) {
        for (let z = z0; z <= z1; z++) touched.add(slotOf(x, y, z, slots.length));
      }
    }
    for (const slot of touched) slots[slot]++;
  }
  return slots.reduce((sum, n) => sum + ((n + everywhere) * (n + everywhere - 1)) / 2, 0);
}

function slotOf(x, y, z, slots) {
  return ((Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 0) % slots;
}

/** Writes the swept box of the triangle with corners at `i`; returns the largest extent of its 26-DOP. */
function measure({ indices, start, end }, i, boxes, at) {
  let largest = 0;
  AXES.forEach(([ax, ay, az], axis) => {
    let lo = Infinity;
    let hi = -Infinity;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[i + k];
      for (const x of [start, end]) {
        const value = ax * x[v] + ay * x[v + 1] + az * x[v + 2];
        lo = Math.min(lo, value);
        hi = Math.max(hi, value);
      }
    }
    if (axis < 3) {
      boxes[at + axis] = lo;
      boxes[at + 3 + axis] = hi;
    }
    largest = Math.max(largest, (hi - lo) / Math.hypot(ax, ay, az));
  });
  return largest;
}
