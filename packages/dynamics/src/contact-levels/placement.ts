/**
 * The position of a vertex of the surface after two have become one: smoothed, then moved to where the patches about it
 * stay convex.
 *
 * Smoothing is Guskov's: of every edge with its two triangles laid flat, the second divided difference is the
 * combination of the four corners that vanishes on linear functions; the vertex goes to where the sum of squares of
 * those that contain it is least.
 * Constraints: an edge inside a patch is convex when the vertex lies on one side of a plane through three others,
 * whether it ends the edge or lies opposite.
 */
import { beforeOf, type ClosedSurface, nextOf } from './closed-surface.js';

const SWEEPS = 24;
/** Margin by which constraints are exceeded where possible, as a share of the mean length of the edges. */
const MARGIN = 1e-3;

/** The half-edges that begin at u, in order. */
export function ringOf({ across, firstOf }: ClosedSurface, u: number, out: number[]): void {
  out.length = 0;
  const first = firstOf[u];
  let h = first;
  do {
    out.push(h);
    h = across[beforeOf(h)];
  } while (h !== first);
}

/** The place of vertex u that makes the surface about it smoothest, with lengths and areas as they are now. */
export function smoothPlace(
  surface: ClosedSurface,
  u: number,
  ring: readonly number[],
  out: Float64Array,
): void {
  const { x, corner, across } = surface;
  let weight = 0;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  const c = new Float64Array(4);
  const add = (mine: number, p: number, cp: number, q: number, cq: number, r: number, cr: number): void => {
    weight += mine * mine;
    sx -= mine * (cp * x[3 * p] + cq * x[3 * q] + cr * x[3 * r]);
    sy -= mine * (cp * x[3 * p + 1] + cq * x[3 * q + 1] + cr * x[3 * r + 1]);
    sz -= mine * (cp * x[3 * p + 2] + cq * x[3 * q + 2] + cr * x[3 * r + 2]);
  };
  for (const h of ring) {
    const k = corner[nextOf(h)];
    const after = corner[beforeOf(h)];
    const before = corner[beforeOf(across[h])];
    if (differences(x, u, k, after, before, c)) add(c[0], k, c[1], after, c[2], before, c[3]);
    const opposite = corner[beforeOf(across[nextOf(h)])];
    if (differences(x, k, after, u, opposite, c)) add(c[2], k, c[0], after, c[1], opposite, c[3]);
  }
  if (!(weight > 0)) {
    for (let k = 0; k < 3; k++) out[k] = x[3 * u + k];
    return;
  }
  out[0] = sx / weight;
  out[1] = sy / weight;
  out[2] = sz / weight;
}

/** The weights of j1, j2 (the edge), k1, k2 (opposite it) in the second divided difference; false for slivers. */
function differences(
  x: Float64Array,
  j1: number,
  j2: number,
  k1: number,
  k2: number,
  c: Float64Array,
): boolean {
  const ex = x[3 * j2] - x[3 * j1];
  const ey = x[3 * j2 + 1] - x[3 * j1 + 1];
  const ez = x[3 * j2 + 2] - x[3 * j1 + 2];
  const sq = ex * ex + ey * ey + ez * ez;
  let lean = 0;
  for (let side = 2; side < 4; side++) {
    const k = 3 * (side === 2 ? k1 : k2);
    const fx = x[k] - x[3 * j1];
    const fy = x[k + 1] - x[3 * j1 + 1];
    const fz = x[k + 2] - x[3 * j1 + 2];
    const along = (ex * fx + ey * fy + ez * fz) / sq;
    const heightSq = fx * fx + fy * fy + fz * fz - along * along * sq;
    if (!(heightSq > 1e-6 * sq)) return false;
    c[side] = 2 / Math.sqrt(heightSq);
    lean += c[side] * along;
  }
  c[1] = -lean;
  c[0] = lean - c[2] - c[3];
  return true;
}

/** Half-spaces n · p ≤ d that keep the inner edges about a vertex convex. */
export class LocalConstraints {
  #n = new Float64Array(4 * 64);
  #count = 0;
  #margin = 0;

  /** Takes those about the vertex of a ring, for the patches given. */
  take(surface: ClosedSurface, ring: readonly number[], patchOf: Int32Array): void {
    const { corner, across, x } = surface;
    this.#count = 0;
    let lengths = 0;
    for (const h of ring) {
      const t = Math.floor(h / 3);
      const k = corner[nextOf(h)];
      const after = corner[beforeOf(h)];
      if (patchOf[Math.floor(across[h] / 3)] === patchOf[t]) {
        this.#add(x, after, k, corner[beforeOf(across[h])]);
      }
      const outer = across[nextOf(h)];
      if (patchOf[Math.floor(outer / 3)] === patchOf[t]) {
        this.#add(x, corner[outer], corner[nextOf(outer)], corner[beforeOf(outer)]);
      }
      const [dx, dy, dz] = [
        x[3 * k] - x[3 * after],
        x[3 * k + 1] - x[3 * after + 1],
        x[3 * k + 2] - x[3 * after + 2],
      ];
      lengths += Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
    this.#margin = (MARGIN * lengths) / ring.length;
  }

  /** The vertex must not lie above the plane of a, b, c. */
  #add(x: Float64Array, a: number, b: number, c: number): void {
    const ux = x[3 * b] - x[3 * a];
    const uy = x[3 * b + 1] - x[3 * a + 1];
    const uz = x[3 * b + 2] - x[3 * a + 2];
    const vx = x[3 * c] - x[3 * a];
    const vy = x[3 * c + 1] - x[3 * a + 1];
    const vz = x[3 * c + 2] - x[3 * a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return;
    if (4 * this.#count === this.#n.length) {
      const grown = new Float64Array(2 * this.#n.length);
      grown.set(this.#n);
      this.#n = grown;
    }
    const at = 4 * this.#count++;
    this.#n[at] = nx / length;
    this.#n[at + 1] = ny / length;
    this.#n[at + 2] = nz / length;
    this.#n[at + 3] = (nx * x[3 * a] + ny * x[3 * a + 1] + nz * x[3 * a + 2]) / length;
  }

  /** Moves p to near the closest point that fulfils them all, by projecting onto one after the other. */
  project(p: Float64Array): void {
    const n = this.#n;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let moved = false;
      for (let at = 0; at < 4 * this.#count; at += 4) {
        const over = n[at] * p[0] + n[at + 1] * p[1] + n[at + 2] * p[2] - n[at + 3];
        if (over <= -this.#margin / 2) continue;
        moved = true;
        const by = over + this.#margin;
        p[0] -= by * n[at];
        p[1] -= by * n[at + 1];
        p[2] -= by * n[at + 2];
      }
      if (!moved) return;
    }
  }
}
