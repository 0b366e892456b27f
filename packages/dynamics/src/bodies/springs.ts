/**
 * Springs of a triangle mesh: along its edges, across its edges, and through the solid it bounds.
 *
 * Edges keep lengths and, since triangles are stiff, angles within the surface. A spring between the two corners
 * opposite an edge keeps the surface from folding there. Springs through the solid join a vertex to the corners of the
 * triangle that faces it from the other side.
 * Layout: spring s joins vertices ends[2 s] and ends[2 s + 1]; springs are sorted by them, so that a sweep walks
 * through memory in order and every run meets them in the same order.
 */

/**
 * Relative tolerance of ray hits: rays that miss a triangle by less still hit it, and a hit nearer by less is not
 * nearer: where a ray meets a vertex, the first of its triangles is hit, whatever rounding does.
 */
const GRAZE = 1e-5;

/** Pairs of vertices, each once, the smaller first, sorted. */
export type SpringEnds = Uint32Array;

/** The edges of the triangles. */
export function edgeSprings(indices: ArrayLike<number>): SpringEnds {
  const pairs = new PairSet();
  for (let t = 0; t < indices.length; t += 3) {
    for (let i = 0; i < 3; i++) pairs.add(indices[t + i], indices[t + ((i + 1) % 3)]);
  }
  return pairs.sorted();
}

/** The corners that lie opposite each other across an edge of two triangles, unless they are joined by an edge. */
export function acrossSprings(indices: ArrayLike<number>, edges: SpringEnds): SpringEnds {
  const joined = new PairSet(edges);
  const pairs = new PairSet();
  const opposite = new Map<number, number[]>();
  for (let t = 0; t < indices.length; t += 3) {
    for (let i = 0; i < 3; i++) {
      const key = keyOf(indices[t + i], indices[t + ((i + 1) % 3)]);
      const corner = indices[t + ((i + 2) % 3)];
      const others = opposite.get(key);
      if (!others) opposite.set(key, [corner]);
      else {
        for (const other of others) if (!joined.has(corner, other)) pairs.add(corner, other);
        others.push(corner);
      }
    }
  }
  return pairs.sorted();
}

/**
 * From every vertex straight inwards: to the corners of the first triangle met. Precondition: the mesh is closed and
 * faces outwards. Takes time proportional to vertices times triangles.
 */
export function inwardSprings(positions: ArrayLike<number>, indices: ArrayLike<number>): SpringEnds {
  const pairs = new PairSet();
  const normals = vertexNormals(positions, indices);
  const ray = new Float64Array(6);
  for (let v = 0; v < positions.length / 3; v++) {
    for (let k = 0; k < 3; k++) {
      ray[k] = positions[3 * v + k];
      ray[3 + k] = -normals[3 * v + k];
    }
    const triangle = firstHit(positions, indices, ray, v);
    if (triangle < 0) continue;
    for (let i = 0; i < 3; i++) pairs.add(v, indices[3 * triangle + i]);
  }
  return pairs.sorted();
}

/** The sum of the area vectors of the triangles at each vertex. */
function vertexNormals(positions: ArrayLike<number>, indices: ArrayLike<number>): Float64Array {
  const normals = new Float64Array(positions.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    for (const at of [a, b, c]) {
      normals[at] += uy * vz - uz * vy;
      normals[at + 1] += uz * vx - ux * vz;
      normals[at + 2] += ux * vy - uy * vx;
    }
  }
  return normals;
}

/** The nearest triangle that a ray from inside leaves through, not counting those at vertex `from`; −1 if none. */
function firstHit(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  ray: Float64Array,
  from: number,
): number {
  const [ox, oy, oz, dx, dy, dz] = ray;
  let best = -1;
  let nearest = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const [i, j, k] = [indices[t], indices[t + 1], indices[t + 2]];
    if (i === from || j === from || k === from) continue;
    const ax = positions[3 * i] - ox;
    const ay = positions[3 * i + 1] - oy;
    const az = positions[3 * i + 2] - oz;
    const bx = positions[3 * j] - ox;
    const by = positions[3 * j + 1] - oy;
    const bz = positions[3 * j + 2] - oz;
    const cx = positions[3 * k] - ox;
    const cy = positions[3 * k + 1] - oy;
    const cz = positions[3 * k + 2] - oz;
    // volumes spanned by the ray and the edges: all positive where the ray leaves
    const u = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
    const v = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax);
    const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
    const sum = u + v + w;
    const slack = -GRAZE * sum;
    if (!(sum > 0) || u < slack || v < slack || w < slack) continue;
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const reach = volume / sum;
    if (reach > 0 && reach < nearest * (1 - GRAZE)) {
      nearest = reach;
      best = t / 3;
    }
  }
  return best;
}

/** Six times the signed volume that a closed mesh bounds, and how it grows with each coordinate. */
export function volumeGradient(x: Float64Array, indices: Uint32Array, gradient: Float64Array): number {
  gradient.fill(0);
  const origin = 3 * indices[0];
  const ox = x[origin];
  const oy = x[origin + 1];
  const oz = x[origin + 2];
  let volume = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t];
    const b = 3 * indices[t + 1];
    const c = 3 * indices[t + 2];
    const ax = x[a] - ox;
    const ay = x[a + 1] - oy;
    const az = x[a + 2] - oz;
    const bx = x[b] - ox;
    const by = x[b + 1] - oy;
    const bz = x[b + 2] - oz;
    const cx = x[c] - ox;
    const cy = x[c + 1] - oy;
    const cz = x[c + 2] - oz;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const nz = bx * cy - by * cx;
    volume += ax * nx + ay * ny + az * nz;
    gradient[a] += nx;
    gradient[a + 1] += ny;
    gradient[a + 2] += nz;
    gradient[b] += cy * az - cz * ay;
    gradient[b + 1] += cz * ax - cx * az;
    gradient[b + 2] += cx * ay - cy * ax;
    gradient[c] += ay * bz - az * by;
    gradient[c + 1] += az * bx - ax * bz;
    gradient[c + 2] += ax * by - ay * bx;
  }
  return volume;
}

function keyOf(v: number, w: number): number {
  return v < w ? v * 2 ** 26 + w : w * 2 ** 26 + v;
}

/** Unordered pairs of vertices below 2²⁶. */
class PairSet {
  readonly #keys = new Set<number>();

  constructor(ends: ArrayLike<number> = []) {
    for (let s = 0; s < ends.length; s += 2) this.add(ends[s], ends[s + 1]);
  }

  add(v: number, w: number): void {
    if (v !== w) this.#keys.add(keyOf(v, w));
  }

  has(v: number, w: number): boolean {
    return v === w || this.#keys.has(keyOf(v, w));
  }

  sorted(): SpringEnds {
    const keys = Float64Array.from(this.#keys).sort();
    const ends = new Uint32Array(2 * keys.length);
    keys.forEach((key, s) => {
      ends[2 * s] = Math.floor(key / 2 ** 26);
      ends[2 * s + 1] = key % 2 ** 26;
    });
    return ends;
  }
}
