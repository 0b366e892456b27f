/** The segments in which surfaces intersect, from pairs of triangles. */
import { collide, type Mesh, type Vec3 } from 'impinge';
import { intersectionTriangleTriangle } from 'impinge/geometry';
import { posed, poseOf, unposed } from './poses.js';
import type { Curve } from './types.js';

export const NO_CURVE: Curve = { segments: new Float64Array(0), complete: true };

export class CurveList {
  readonly #limit: number;
  readonly #numbers: number[] = [];
  /** Edges of shared areas; an edge between two of their polygons is not part of the outline. */
  readonly #edges = new Map<string, { readonly ends: Float64Array; outline: boolean }>();
  #complete = true;

  /** Takes at most `limit` pairs of triangles. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds the intersection of two placed meshes; returns the first pair of intersecting triangles. */
  add(a: Mesh, poseA: Float64Array, b: Mesh, poseB: Float64Array): readonly [number, number] | undefined {
    const left = Math.max(1, this.#limit - this.#segmentCount);
    const met = collide(a, b, { poseA: poseOf(poseA), poseB: poseOf(poseB), limit: left });
    if (met.count === 0) return undefined;
    this.#complete &&= met.complete && this.#segmentCount < this.#limit;
    // in the stored coordinates of a, so that a distant origin costs no digits
    const bToA = between(a, poseA, b, poseB);
    const toWorld = withOrigin(poseA, a.origin);
    const shared = new Float64Array(18);
    for (let i = 0; i < 2 * met.count && this.#segmentCount < this.#limit; i += 2) {
      writeTriangle(a, met.pairs[i], undefined, cornersA);
      writeTriangle(b, met.pairs[i + 1], bToA, cornersB);
      const count = intersectionTriangleTriangle(cornersA, 0, cornersB, 0, shared, 0);
      for (let k = 0; k < count; k++) writePosed(toWorld, shared, 3 * k);
      if (count === 2) for (let k = 0; k < 6; k++) this.#numbers.push(shared[k]);
      else for (let k = 0; count > 2 && k < count; k++) this.#addEdge(shared, 3 * k, 3 * ((k + 1) % count));
    }
    return [met.pairs[0], met.pairs[1]];
  }

  curve(): Curve {
    const numbers = Float64Array.from(this.#numbers);
    if (this.#edges.size === 0) return { segments: numbers, complete: this.#complete };
    const out = [...this.#edges.values()].filter(({ outline }) => outline).flatMap(({ ends }) => [...ends]);
    for (let i = 0; i < numbers.length; i += 6) {
      const segment = numbers.subarray(i, i + 6);
      if (!this.#edges.has(keyOf(segment))) out.push(...segment);
    }
    return { segments: Float64Array.from(out), complete: this.#complete };
  }

  get #segmentCount(): number {
    return this.#numbers.length / 6 + this.#edges.size;
  }

  #addEdge(points: Float64Array, p: number, q: number): void {
    const ends = new Float64Array(6);
    ends.set(points.subarray(p, p + 3));
    ends.set(points.subarray(q, q + 3), 3);
    const key = keyOf(ends);
    const known = this.#edges.get(key);
    if (known) known.outline = !known.outline;
    else this.#edges.set(key, { ends, outline: true });
  }
}

/** Independent of direction and rounding. */
function keyOf(segment: Float64Array): string {
  const text = Array.from(segment, (x) => x.toFixed(7));
  return [text.slice(0, 3).join(' '), text.slice(3).join(' ')].sort().join(', ');
}

const cornersA = new Float64Array(9);
const cornersB = new Float64Array(9);

/** From the stored coordinates of b to those of a. */
function between(a: Mesh, poseA: Float64Array, b: Mesh, poseB: Float64Array): Float64Array {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) out[3 * i + j] += poseA[3 * k + i] * poseB[3 * k + j];
    }
  }
  out.set(unposed(poseA, posed(poseB, b.origin)), 9);
  for (let k = 0; k < 3; k++) out[9 + k] -= a.origin[k];
  return out;
}

/** From stored coordinates to the world. */
function withOrigin(pose: Float64Array, origin: Vec3): Float64Array {
  const out = pose.slice();
  out.set(posed(pose, origin), 9);
  return out;
}

function writeTriangle(
  { positions, indices }: Mesh,
  triangle: number,
  pose: Float64Array | undefined,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    const at = 3 * indices[3 * triangle + k];
    for (let j = 0; j < 3; j++) out[3 * k + j] = positions[at + j];
    if (pose) writePosed(pose, out, 3 * k);
  }
}

/** Transforms the point at points[at ..] in place. */
function writePosed(pose: Float64Array, points: Float64Array, at: number): void {
  const x = points[at];
  const y = points[at + 1];
  const z = points[at + 2];
  for (let k = 0; k < 3; k++) {
    points[at + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
  }
}

/** The corners of a placed triangle. */
export function placedTriangle(mesh: Mesh, triangle: number, pose: Float64Array): Float64Array {
  const out = new Float64Array(9);
  writeTriangle(mesh, triangle, withOrigin(pose, mesh.origin), out);
  return out;
}
