/**
 * A body whose surface is drawn in: every corner is moved by at most a length, away from the outside of all its faces.
 *
 * Where the body drawn in by d neither meets an obstacle nor lies in it or around it, the two are nowhere deeper in
 * each other than d, by the depth of the check (docs/check.md):
 * - Take a point p of the body's surface in the obstacle. Its triangle was moved linearly, so p went to a point p' at
 *   most d away, which is outside. So between the two, at most d from p, is the obstacle's surface.
 * - Take a point q of the obstacle's surface in the body, or one in both that is farther than d from either surface. It
 *   is not in the body drawn in: that would lie in the obstacle, or around it, or meet it. Corners at one place move as
 *   one, so closed surfaces stay closed all the way from one to the other, and a point changes sides only when the
 *   surface passes over it: then a point of the body's surface is at most d away from it.
 * Nothing of that asks the surface drawn in to be free of folds, nor the directions to be good ones: those only decide
 * how much of a contact they take away. Of open bodies the first holds.
 * Errs: `depth` is what corners did move, as they are stored.
 */
import { Mesh } from 'impinge';
import { adjacencyOf } from 'impinge/internal/mesh/adjacency.js';
import { orientationOf } from 'impinge/internal/mesh/closed.js';

export interface DrawnBody {
  readonly mesh: Mesh;
  /** No corner has moved farther. */
  readonly depth: number;
}

/** Steps towards the best direction of a corner. */
const STEPS = 48;
/** Faces that differ by less, as the square of the sine, count as one. */
const SAME = 1e-8;
/** What float32 loses of a coordinate, with room for three. */
const FLOAT32 = 2 ** -23;
const ROUNDED_UP = 1 + 1e-12;

export class DrawnIn {
  readonly #mesh: Mesh;
  readonly #made = new Map<number, DrawnBody>();
  #directions: Float64Array | undefined;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }

  /** The body drawn in by about a depth, and by no more. */
  by(depth: number): DrawnBody {
    let made = this.#made.get(depth);
    if (!made) this.#made.set(depth, (made = this.#make(depth)));
    return made;
  }

  /** Disposes of all but some of them. */
  keep(used: ReadonlySet<Mesh>): void {
    for (const [depth, { mesh }] of this.#made) {
      if (used.has(mesh)) continue;
      mesh.dispose();
      this.#made.delete(depth);
    }
  }

  #make(most: number): DrawnBody {
    const { storedPositions: from, storedIndices, origin, triangleCount, name } = this.#mesh;
    const directions = (this.#directions ??= directionsOf(this.#mesh));
    let far = 0;
    for (const x of from) far = Math.max(far, Math.abs(x));
    const depth = Math.max(0, most - FLOAT32 * (far + most));
    const shape = { vertexCount: from.length / 3, triangleCount, origin, name };
    const mesh = Mesh.layOut(shape, (positions, indices) => {
      indices.set(storedIndices);
      for (let i = 0; i < from.length; i++) positions[i] = from[i] + depth * directions[i];
    });
    const { storedPositions: to } = mesh;
    let mostSq = 0;
    for (let i = 0; i < from.length; i += 3) {
      const [x, y, z] = [to[i] - from[i], to[i + 1] - from[i + 1], to[i + 2] - from[i + 2]];
      mostSq = Math.max(mostSq, x * x + y * y + z * z);
    }
    return { mesh, depth: Math.sqrt(mostSq) * ROUNDED_UP };
  }
}

function directionsOf(mesh: Mesh): Float64Array {
  const inwards = orientationOf(mesh) < 0 ? 1 : -1;
  return directionsAt(mesh.storedPositions, mesh.storedIndices, inwards, adjacencyOf(mesh).weld);
}

/**
 * Of every corner, the unit vector that leads away best from all faces there; zero where none does. `inwards` is -1
 * where triangles are counter-clockwise from outside, else 1; `weld` has the first of all corners at the same place.
 */
export function directionsAt(
  p: ArrayLike<number>,
  indices: ArrayLike<number>,
  inwards: number,
  weld: ArrayLike<number>,
): Float64Array {
  const normals: (number[] | undefined)[] = new Array(weld.length).fill(undefined);
  for (let t = 0; t < indices.length; t += 3) {
    const normal = normalOf(p, indices, t, inwards);
    if (!normal) continue;
    for (let k = t; k < t + 3; k++) addNormal((normals[weld[indices[k]]] ??= []), normal);
  }
  const out = new Float64Array(p.length);
  for (let v = 0; v < weld.length; v++) {
    const own = normals[v];
    if (own) writeDeepest(own, out, 3 * v);
  }
  for (let v = 0; v < weld.length; v++) {
    for (let k = 0; k < 3; k++) out[3 * v + k] = out[3 * weld[v] + k];
  }
  return out;
}

function normalOf(
  p: ArrayLike<number>,
  indices: ArrayLike<number>,
  t: number,
  sign: number,
): number[] | undefined {
  const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(n[0], n[1], n[2]);
  return length > 0 ? n.map((x) => (sign * x) / length) : undefined;
}

function addNormal(list: number[], n: number[]): void {
  for (let i = 0; i < list.length; i += 3) {
    if ((list[i] - n[0]) ** 2 + (list[i + 1] - n[1]) ** 2 + (list[i + 2] - n[2]) ** 2 < SAME) return;
  }
  list.push(...n);
}

/**
 * The direction whose least product with some unit vectors is greatest is that of the point nearest to zero among all
 * of their means. From their sum, the weight of the least is raised, or that of the greatest lowered (Wolfe, Gilbert).
 */
function writeDeepest(normals: readonly number[], out: Float64Array, at: number): void {
  const count = normals.length / 3;
  const weights = new Float64Array(count).fill(1 / count);
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < normals.length; i += 3) {
    x += normals[i] / count;
    y += normals[i + 1] / count;
    z += normals[i + 2] / count;
  }
  for (let step = 0; step < STEPS; step++) {
    let [low, high] = [-1, -1];
    let [least, most] = [Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const d = x * normals[3 * i] + y * normals[3 * i + 1] + z * normals[3 * i + 2];
      if (d < least) [low, least] = [i, d];
      if (weights[i] > 0 && d > most) [high, most] = [i, d];
    }
    if (!(most - least > 1e-9)) break;
    const [dx, dy, dz] = [0, 1, 2].map((k) => normals[3 * low + k] - normals[3 * high + k]);
    const move = Math.min(weights[high], (most - least) / (dx * dx + dy * dy + dz * dz));
    weights[high] -= move;
    weights[low] += move;
    x += move * dx;
    y += move * dy;
    z += move * dz;
  }
  const length = Math.hypot(x, y, z);
  let least = Infinity;
  for (let i = 0; i < normals.length; i += 3)
    least = Math.min(least, x * normals[i] + y * normals[i + 1] + z * normals[i + 2]);
  if (!(least > 1e-6)) return;
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
}
