/**
 * The convex hull of a set of vertices, by exact signs.
 *
 * Idea: start from four vertices that span space, add the rest one by one. A vertex outside removes every face whose
 * plane it lies on or above, as far as they are connected to one that it lies strictly above. It is then joined to
 * edges of faces whose planes it lies strictly below, so every new face has area and only extreme vertices are left.
 * Vertices in one plane give a polygon with two sides, on one line a segment.
 * Layout: `corners` has three vertices per face, counter-clockwise from outside.
 */
import { ORIENT_3D_BOUND, orient2dAt, orient3dExactAt } from '../../math/predicates.js';

export class HullBuilder {
  /** 3 for a solid, 2 for a polygon, 1 for a segment, 0 for a point. */
  dimension = 0;
  vertexCount = 0;
  /** Of a polygon in order, counter-clockwise about the axis it was projected along. */
  vertices = new Int32Array(64);
  faceCount = 0;
  corners = new Int32Array(384);

  #points = new Float64Array(192);
  #ids = new Int32Array(64);
  #count = 0;
  /** Slots of faces: corners as places in #points, neighbours, and the plane's products (see #addFace). */
  #corner = new Int32Array(768);
  #beside = new Int32Array(768);
  #plane = new Float64Array(1536);
  #alive = new Uint8Array(256);
  #stamp = new Int32Array(256);
  #slots = 0;
  #free: number[] = [];
  #round = 0;
  #visible = new Int32Array(256);
  #fan = new Int32Array(768);
  #faceFrom = new Int32Array(64);
  #used = new Uint8Array(64);

  /** Builds the hull of `count` different vertices of `x`. */
  build(x: Float64Array, ids: ArrayLike<number>, count: number): void {
    this.#load(x, ids, count);
    const start = this.#startSimplex();
    if (start < 3) {
      this.dimension = start;
      if (start === 2) this.#polygon();
      else this.#line(start);
      return;
    }
    this.dimension = 3;
    for (let p = 4; p < count; p++) this.#insert(p);
    this.#collect();
  }

  /** Begins a hull that grows, with four points (twelve numbers); false where they lie in one plane. */
  begin(points: Float64Array): boolean {
    this.#load(points, [0, 1, 2, 3], 4);
    return this.#startSimplex() === 3;
  }

  /** Adds a point to it; false where that is not outside. */
  add(x: number, y: number, z: number): boolean {
    const p = this.#count++;
    if (p === this.#ids.length) this.#reserve(p + 1);
    this.#points.set([x, y, z], 3 * p);
    return this.#insert(p);
  }

  /**
   * The plane of a face of it that is nearest to the origin; one that has the origin outside counts as negative. The
   * outward unit normal, and the distance along it.
   */
  nearestPlane(): [x: number, y: number, z: number, distance: number] {
    const [plane, p] = [this.#plane, this.#points];
    const out: [number, number, number, number] = [0, 0, 0, Infinity];
    for (let f = 0; f < this.#slots; f++) {
      if (!this.#alive[f]) continue;
      const at = 3 * this.#corner[3 * f];
      const along = plane[6 * f] * p[at] + plane[6 * f + 1] * p[at + 1] + plane[6 * f + 2] * p[at + 2];
      const length = Math.hypot(plane[6 * f], plane[6 * f + 1], plane[6 * f + 2]);
      if (!(along / length < out[3])) continue;
      for (let k = 0; k < 3; k++) out[k] = plane[6 * f + k] / length;
      out[3] = along / length;
    }
    return out;
  }

  #load(x: Float64Array, ids: ArrayLike<number>, count: number): void {
    if (this.#ids.length < count) this.#reserve(count);
    this.#count = count;
    for (let i = 0; i < count; i++) {
      const v = ids[i];
      this.#ids[i] = v;
      this.#points[3 * i] = x[3 * v];
      this.#points[3 * i + 1] = x[3 * v + 1];
      this.#points[3 * i + 2] = x[3 * v + 2];
    }
  }

  #reserve(count: number): void {
    const room = 2 * count;
    this.#points = longer(new Float64Array(3 * room), this.#points);
    this.#ids = longer(new Int32Array(room), this.#ids);
    this.vertices = new Int32Array(room);
    this.corners = new Int32Array(6 * room);
    // while a vertex is added, old and new faces both exist
    this.#corner = longer(new Int32Array(12 * room), this.#corner);
    this.#beside = longer(new Int32Array(12 * room), this.#beside);
    this.#plane = longer(new Float64Array(24 * room), this.#plane);
    this.#alive = longer(new Uint8Array(4 * room), this.#alive);
    this.#stamp = longer(new Int32Array(4 * room), this.#stamp);
    this.#visible = new Int32Array(4 * room);
    this.#fan = new Int32Array(12 * room);
    this.#faceFrom = new Int32Array(room);
    this.#used = new Uint8Array(room);
  }

  #swap(i: number, j: number): void {
    if (i === j) return;
    const p = this.#points;
    for (let k = 0; k < 3; k++) {
      const t = p[3 * i + k];
      p[3 * i + k] = p[3 * j + k];
      p[3 * j + k] = t;
    }
    const t = this.#ids[i];
    this.#ids[i] = this.#ids[j];
    this.#ids[j] = t;
  }

  /** Moves vertices that span the set to the front; returns the dimension of their span. */
  #startSimplex(): number {
    const p = this.#points;
    const count = this.#count;
    let i = 1;
    while (i < count && p[3 * i] === p[0] && p[3 * i + 1] === p[1] && p[3 * i + 2] === p[2]) i++;
    if (i >= count) return 0;
    this.#swap(1, i);
    for (i = 2; i < count; i++) if (!this.#isInLine(0, 1, i)) break;
    if (i >= count) return 1;
    this.#swap(2, i);
    let side = 0;
    for (i = 3; i < count; i++) {
      side = this.#side(0, 1, 2, i);
      if (side !== 0) break;
    }
    if (side === 0) return 2;
    this.#swap(3, i);
    if (side > 0) this.#swap(1, 2);
    this.#slots = 0;
    this.#free.length = 0;
    this.#addFace(0, 1, 2);
    this.#addFace(0, 3, 1);
    this.#addFace(1, 3, 2);
    this.#addFace(2, 3, 0);
    this.#beside.set([1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0]);
    return 3;
  }

  #isInLine(a: number, b: number, c: number): boolean {
    const p = this.#points;
    for (let axis = 0; axis < 3; axis++) {
      if (orient2dAt(p, 3 * a, p, 3 * b, p, 3 * c, axis) !== 0) return false;
    }
    return true;
  }

  #side(a: number, b: number, c: number, d: number): number {
    const p = this.#points;
    return orient3dExactAt(p, 3 * a, p, 3 * b, p, 3 * c, p, 3 * d);
  }

  /** The six products of orient3d that do not depend on the fourth point: their differences and their magnitudes. */
  #addFace(a: number, b: number, c: number): number {
    const face = this.#free.length > 0 ? (this.#free.pop() as number) : this.#slots++;
    const p = this.#points;
    const ux = p[3 * b] - p[3 * a];
    const uy = p[3 * b + 1] - p[3 * a + 1];
    const uz = p[3 * b + 2] - p[3 * a + 2];
    const vx = p[3 * c] - p[3 * a];
    const vy = p[3 * c + 1] - p[3 * a + 1];
    const vz = p[3 * c + 2] - p[3 * a + 2];
    const plane = this.#plane;
    const at = 6 * face;
    plane[at] = uy * vz - uz * vy;
    plane[at + 1] = uz * vx - ux * vz;
    plane[at + 2] = ux * vy - uy * vx;
    plane[at + 3] = Math.abs(uy * vz) + Math.abs(uz * vy);
    plane[at + 4] = Math.abs(uz * vx) + Math.abs(ux * vz);
    plane[at + 5] = Math.abs(ux * vy) + Math.abs(uy * vx);
    this.#corner[3 * face] = a;
    this.#corner[3 * face + 1] = b;
    this.#corner[3 * face + 2] = c;
    this.#alive[face] = 1;
    this.#stamp[face] = 0;
    return face;
  }

  #sideOfFace(face: number, d: number): number {
    const p = this.#points;
    const plane = this.#plane;
    const a = 3 * this.#corner[3 * face];
    const at = 6 * face;
    const wx = p[3 * d] - p[a];
    const wy = p[3 * d + 1] - p[a + 1];
    const wz = p[3 * d + 2] - p[a + 2];
    const det = wx * plane[at] + wy * plane[at + 1] + wz * plane[at + 2];
    const bound =
      ORIENT_3D_BOUND *
      (Math.abs(wx) * plane[at + 3] + Math.abs(wy) * plane[at + 4] + Math.abs(wz) * plane[at + 5]);
    if (det > bound) return 1;
    if (-det > bound) return -1;
    if (bound === 0) return 0;
    return this.#side(this.#corner[3 * face], this.#corner[3 * face + 1], this.#corner[3 * face + 2], d);
  }

  /** False where it is not outside. */
  #insert(p: number): boolean {
    let seen = -1;
    for (let f = this.#slots - 1; f >= 0; f--) {
      if (this.#alive[f] && this.#sideOfFace(f, p) > 0) {
        seen = f;
        break;
      }
    }
    if (seen < 0) return false;
    const round = ++this.#round;
    const corner = this.#corner;
    const beside = this.#beside;
    const stamp = this.#stamp;
    const visible = this.#visible;
    const fan = this.#fan;
    let count = 1;
    visible[0] = seen;
    stamp[seen] = round;
    for (let i = 0; i < count; i++) {
      for (let at = 3 * visible[i]; at < 3 * visible[i] + 3; at++) {
        const g = beside[at];
        if (stamp[g] === round || this.#sideOfFace(g, p) < 0) continue;
        stamp[g] = round;
        visible[count++] = g;
      }
    }
    // the border of the visible faces: from, to, and the face beyond, read before slots are reused
    let rim = 0;
    for (let i = 0; i < count; i++) {
      const f = 3 * visible[i];
      for (let k = 0; k < 3; k++) {
        const g = beside[f + k];
        if (stamp[g] === round) continue;
        fan[rim++] = corner[f + k];
        fan[rim++] = corner[k === 2 ? f : f + k + 1];
        fan[rim++] = g;
      }
    }
    for (let i = 0; i < count; i++) {
      this.#alive[visible[i]] = 0;
      this.#free.push(visible[i]);
    }
    for (let i = 0; i < rim; i += 3) {
      const from = fan[i];
      const to = fan[i + 1];
      const g = 3 * fan[i + 2];
      const created = this.#addFace(from, to, p);
      beside[3 * created] = fan[i + 2];
      beside[corner[g] === to ? g : corner[g + 1] === to ? g + 1 : g + 2] = created;
      this.#faceFrom[from] = created;
      fan[i] = created;
    }
    for (let i = 0; i < rim; i += 3) {
      const next = this.#faceFrom[fan[i + 1]];
      beside[3 * fan[i] + 1] = next;
      beside[3 * next + 2] = fan[i];
    }
    return true;
  }

  #collect(): void {
    this.#used.fill(0, 0, this.#count);
    let faces = 0;
    for (let f = 0; f < this.#slots; f++) {
      if (!this.#alive[f]) continue;
      for (let k = 0; k < 3; k++) {
        const c = this.#corner[3 * f + k];
        this.#used[c] = 1;
        this.corners[3 * faces + k] = this.#ids[c];
      }
      faces++;
    }
    this.faceCount = faces;
    this.vertexCount = 0;
    for (let i = 0; i < this.#count; i++) if (this.#used[i]) this.vertices[this.vertexCount++] = this.#ids[i];
  }

  /** The ends of a set on a line: the least and the greatest by x, then y, then z. */
  #line(dimension: number): void {
    const p = this.#points;
    const isBefore = (i: number, j: number): boolean => {
      for (let k = 0; k < 2; k++) if (p[3 * i + k] !== p[3 * j + k]) return p[3 * i + k] < p[3 * j + k];
      return p[3 * i + 2] < p[3 * j + 2];
    };
    let least = 0;
    let most = 0;
    for (let i = 1; i < this.#count; i++) {
      if (isBefore(i, least)) least = i;
      if (isBefore(most, i)) most = i;
    }
    this.faceCount = 0;
    this.vertexCount = dimension + 1;
    this.vertices[0] = this.#ids[least];
    if (dimension === 1) this.vertices[1] = this.#ids[most];
  }

  /** Andrew's monotone chain in a projection that keeps the plane a plane. */
  #polygon(): void {
    const p = this.#points;
    let axis = 0;
    while (orient2dAt(p, 0, p, 3, p, 6, axis) === 0) axis++;
    const u = axis === 2 ? 0 : axis + 1;
    const v = axis === 0 ? 2 : axis - 1;
    const order = Array.from({ length: this.#count }, (_, i) => i).sort(
      (i, j) => p[3 * i + u] - p[3 * j + u] || p[3 * i + v] - p[3 * j + v] || i - j,
    );
    const chain: number[] = [];
    for (const [sequence, least] of [
      [order, 2],
      [order.slice().reverse(), 0],
    ] as const) {
      const floor = least === 2 ? 2 : chain.length + 1;
      for (const i of sequence) {
        while (chain.length >= floor && this.#turns(chain, i, axis) <= 0) chain.pop();
        if (chain[chain.length - 1] !== i) chain.push(i);
      }
    }
    chain.pop(); // the first again
    this.vertexCount = chain.length;
    for (let i = 0; i < chain.length; i++) this.vertices[i] = this.#ids[chain[i]];
    this.faceCount = 0;
    for (let side = 0; side < 2; side++) {
      for (let i = 2; i < chain.length; i++) {
        const at = 3 * this.faceCount++;
        this.corners[at] = this.vertices[0];
        this.corners[at + 1] = this.vertices[side === 0 ? i - 1 : i];
        this.corners[at + 2] = this.vertices[side === 0 ? i : i - 1];
      }
    }
  }

  #turns(chain: readonly number[], i: number, axis: number): number {
    const p = this.#points;
    const n = chain.length;
    return orient2dAt(p, 3 * chain[n - 2], p, 3 * chain[n - 1], p, 3 * i, axis);
  }
}

function longer<List extends { set(old: List): void }>(list: List, old: List): List {
  list.set(old);
  return list;
}
