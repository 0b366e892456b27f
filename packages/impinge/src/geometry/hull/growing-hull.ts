/**
 * A convex polytope that grows point by point. Which faces a new point sees is decided by exact signs, so the
 * surface stays closed and convex however many points are coplanar or nearly so.
 *
 * Layout: face f has corners 3 f .. 3 f + 2, counter-clockwise from outside; across its edge i (corner i to i + 1)
 * lies face neighbours[3 f + i]. Faces that were covered keep their number and are dead.
 */
import { orient3dAt } from '../../math/predicates.js';

export class GrowingHull {
  readonly #points: number[];
  #coords: Float64Array;
  readonly #corners: number[] = [];
  readonly #neighbours: number[] = [];
  readonly #dead: boolean[] = [];
  /** Outward unit normal and distance from the origin along it, four numbers per face. */
  readonly #planes: number[] = [];

  /** Starts from four points (twelve numbers) that do not lie in one plane; `undefined` when they do. */
  static from(points: Float64Array): GrowingHull | undefined {
    const side = orient3dAt(points, 0, points, 3, points, 6, points, 9);
    return side === 0 ? undefined : new GrowingHull(points, side > 0);
  }

  private constructor(points: Float64Array, fourthAbove: boolean) {
    this.#points = Array.from(points);
    this.#coords = Float64Array.from(points);
    const [v1, v2] = fourthAbove ? [2, 1] : [1, 2];
    this.#addFace(0, v1, v2);
    this.#addFace(0, 3, v1);
    this.#addFace(v1, 3, v2);
    this.#addFace(v2, 3, 0);
    this.#neighbours.push(1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0);
  }

  get faceCount(): number {
    return this.#dead.length;
  }
  isAlive(face: number): boolean {
    return !this.#dead[face];
  }
  /** The normal (outward, unit) and the distance of the face's plane from the origin. */
  plane(face: number): readonly [number, number, number, number] {
    const p = this.#planes;
    return [p[4 * face], p[4 * face + 1], p[4 * face + 2], p[4 * face + 3]];
  }

  /** The live face whose plane is nearest to the origin; a plane that has the origin outside counts as negative. */
  nearestFace(): number {
    let nearest = -1;
    for (let f = 0; f < this.#dead.length; f++) {
      if (!this.#dead[f] && (nearest < 0 || this.#planes[4 * f + 3] < this.#planes[4 * nearest + 3]))
        nearest = f;
    }
    return nearest;
  }

  /** Adds a point above the given face; false, and nothing changes, when it is not strictly above it. */
  grow(x: number, y: number, z: number, face: number): boolean {
    const p = Float64Array.of(x, y, z);
    if (!this.#sees(p, face)) return false;
    const point = this.#points.length / 3;
    this.#points.push(x, y, z);
    this.#coords = Float64Array.from(this.#points);
    const visible = new Set([face]);
    for (const f of visible) {
      for (let i = 0; i < 3; i++) {
        const g = this.#neighbours[3 * f + i];
        if (!visible.has(g) && this.#sees(p, g)) visible.add(g);
      }
    }
    // the border of the visible faces becomes a fan about the point
    const faceFrom: number[] = []; // by corner
    const fan: { face: number; to: number }[] = [];
    for (const f of visible) {
      for (let i = 0; i < 3; i++) {
        const g = this.#neighbours[3 * f + i];
        if (visible.has(g)) continue;
        const from = this.#corners[3 * f + i];
        const to = this.#corners[3 * f + ((i + 1) % 3)];
        const created = this.#addFace(from, to, point);
        this.#neighbours.push(g, -1, -1);
        const back = [0, 1, 2].findIndex(
          (j) => this.#neighbours[3 * g + j] === f && this.#corners[3 * g + j] === to,
        );
        this.#neighbours[3 * g + back] = created;
        faceFrom[from] = created;
        fan.push({ face: created, to });
      }
      this.#dead[f] = true;
    }
    for (const { face: created, to } of fan) {
      const next = faceFrom[to];
      this.#neighbours[3 * created + 1] = next;
      this.#neighbours[3 * next + 2] = created;
    }
    return true;
  }

  #sees(p: Float64Array, face: number): boolean {
    const c = this.#coords;
    const [i, j, k] = [3 * face, 3 * face + 1, 3 * face + 2].map((at) => 3 * this.#corners[at]);
    return orient3dAt(c, i, c, j, c, k, p, 0) > 0;
  }

  #addFace(i: number, j: number, k: number): number {
    const p = this.#points;
    const u = [0, 1, 2].map((c) => p[3 * j + c] - p[3 * i + c]);
    const v = [0, 1, 2].map((c) => p[3 * k + c] - p[3 * i + c]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(n[0], n[1], n[2]);
    for (let c = 0; c < 3; c++) n[c] /= length;
    this.#planes.push(n[0], n[1], n[2], n[0] * p[3 * i] + n[1] * p[3 * i + 1] + n[2] * p[3 * i + 2]);
    this.#corners.push(i, j, k);
    this.#dead.push(false);
    return this.#dead.length - 1;
  }
}
