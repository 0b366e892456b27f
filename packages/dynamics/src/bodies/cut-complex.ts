/**
 * A solid cut into pieces, as one complex of triangles: its skin, and the faces between pieces. A triangle stores the
 * piece behind it and the one in front of it, or that there is none.
 *
 * Neighbouring pieces share triangles, edges and vertices, so cutting one of them updates its neighbours: an edge is
 * cut in every triangle that has it. Hence every union of pieces is closed, and volumes add up, by construction,
 * whatever rounding does. New vertices are put on the float32 grid as they are made.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { triangulateLoops } from './triangulate-loops.js';

export const OUTSIDE = -1;

const KEY = 2 ** 26;

export interface CutPlane {
  readonly normal: Vec3;
  /** normal · x of the points in the plane. */
  readonly offset: number;
}

export class CutComplex {
  pieceCount = 1;
  positions: number[];
  /** Three vertices per triangle, counter-clockwise seen from the front. */
  corners: number[];
  behind: number[];
  inFront: number[];

  /** A solid in one piece. Precondition: closed, facing outwards, on the float32 grid. */
  constructor(positions: ArrayLike<number>, indices: ArrayLike<number>) {
    this.positions = Array.from(positions);
    this.corners = Array.from(indices);
    this.behind = new Array(indices.length / 3).fill(0);
    this.inFront = new Array(indices.length / 3).fill(OUTSIDE);
  }

  copy(): CutComplex {
    const other = new CutComplex(this.positions, this.corners);
    other.behind = [...this.behind];
    other.inFront = [...this.inFront];
    other.pieceCount = this.pieceCount;
    return other;
  }

  /**
   * Cuts a piece in two: the part in front of the plane becomes the piece `pieceCount`. Vertices at most `snap` from
   * the plane count as lying in it. Returns false, leaving the complex inconsistent, if the plane misses the piece or
   * no valid face can be put there.
   */
  cut(piece: number, plane: CutPlane, snap: number): boolean {
    const sides = this.#sidesOf(piece, plane, snap);
    this.#splitEdges(this.#crossings(piece, plane, sides));
    const front = this.pieceCount++;
    let moved = 0;
    let left = 0;
    for (let t = 0; t < this.behind.length; t++) {
      if (this.behind[t] !== piece && this.inFront[t] !== piece) continue;
      if (!this.#isInFront(t, piece, plane, sides)) {
        left++;
        continue;
      }
      moved++;
      if (this.behind[t] === piece) this.behind[t] = front;
      else this.inFront[t] = front;
    }
    return moved > 0 && left > 0 && this.#fill(piece, front, plane);
  }

  /** −1, 0 or 1 for vertices of a piece; absent for the rest. */
  #sidesOf(piece: number, { normal, offset }: CutPlane, snap: number): Map<number, number> {
    const sides = new Map<number, number>();
    for (let t = 0; t < this.behind.length; t++) {
      if (this.behind[t] !== piece && this.inFront[t] !== piece) continue;
      for (let i = 3 * t; i < 3 * t + 3; i++) {
        const v = this.corners[i];
        const height = this.#along(v, normal) - offset;
        sides.set(v, Math.abs(height) <= snap ? 0 : Math.sign(height));
      }
    }
    return sides;
  }

  #along(v: number, normal: Vec3): number {
    const p = this.positions;
    return normal[0] * p[3 * v] + normal[1] * p[3 * v + 1] + normal[2] * p[3 * v + 2];
  }

  /** Makes a vertex, in the plane, on every edge of the piece that passes through it. */
  #crossings(piece: number, { normal, offset }: CutPlane, sides: Map<number, number>): Map<number, number> {
    const crossings = new Map<number, number>();
    for (let t = 0; t < this.behind.length; t++) {
      if (this.behind[t] !== piece && this.inFront[t] !== piece) continue;
      for (let i = 0; i < 3; i++) {
        const a = this.corners[3 * t + i];
        const b = this.corners[3 * t + ((i + 1) % 3)];
        const key = edgeKey(a, b);
        if (sides.get(a)! * sides.get(b)! >= 0 || crossings.has(key)) continue;
        const [low, high] = a < b ? [a, b] : [b, a];
        const from = offset - this.#along(low, normal);
        const share = from / (this.#along(high, normal) - this.#along(low, normal));
        const vertex = this.positions.length / 3;
        for (let k = 0; k < 3; k++) {
          const start = this.positions[3 * low + k];
          this.positions.push(Math.fround(start + share * (this.positions[3 * high + k] - start)));
        }
        crossings.set(key, vertex);
        sides.set(vertex, 0);
      }
    }
    return crossings;
  }

  /** Cuts all triangles at the new vertices on their edges. */
  #splitEdges(crossings: ReadonlyMap<number, number>): void {
    const count = this.behind.length;
    for (let t = 0; t < count; t++) {
      const ring: number[] = [];
      let apex = -1; // where to begin: at a corner between two cut edges, else at a new vertex
      const cut = [0, 1, 2].map((i) =>
        crossings.get(edgeKey(this.corners[3 * t + i], this.corners[3 * t + ((i + 1) % 3)])),
      );
      const cuts = cut.filter((vertex) => vertex !== undefined).length;
      if (cuts === 0) continue;
      for (let i = 0; i < 3; i++) {
        if (cuts === 2 && cut[i] !== undefined && cut[(i + 2) % 3] !== undefined) apex = ring.length;
        ring.push(this.corners[3 * t + i]);
        const vertex = cut[i];
        if (vertex === undefined) continue;
        if (cuts === 1) apex = ring.length;
        ring.push(vertex);
      }
      const at = (i: number) => ring[(apex + i) % ring.length];
      if (cuts === 3)
        this.#replace(
          t,
          [1, 2, 3, 3, 4, 5, 5, 0, 1, 1, 3, 5].map((i) => ring[i]),
        );
      else if (cuts === 1) this.#replace(t, [at(0), at(1), at(2), at(0), at(2), at(3)]);
      else {
        const first = this.#distanceSq(at(1), at(3)) <= this.#distanceSq(at(2), at(4));
        const four = first ? [1, 2, 3, 1, 3, 4] : [1, 2, 4, 2, 3, 4];
        this.#replace(t, [0, 1, 4, ...four].map(at));
      }
    }
  }

  #distanceSq(v: number, w: number): number {
    const p = this.positions;
    return [0, 1, 2].reduce((sum, k) => sum + (p[3 * v + k] - p[3 * w + k]) ** 2, 0);
  }

  /** Replaces t by the first of the triangles, and appends the rest. */
  #replace(t: number, corners: readonly number[]): void {
    for (let i = 0; i < 3; i++) this.corners[3 * t + i] = corners[i];
    for (let i = 3; i < corners.length; i++) this.corners.push(corners[i]);
    for (let i = 3; i < corners.length; i += 3) {
      this.behind.push(this.behind[t]);
      this.inFront.push(this.inFront[t]);
    }
  }

  /** The side of a triangle of the piece. One in the plane goes with the piece's inside. */
  #isInFront(t: number, piece: number, { normal }: CutPlane, sides: ReadonlyMap<number, number>): boolean {
    for (let i = 3 * t; i < 3 * t + 3; i++) {
      const side = sides.get(this.corners[i])!;
      if (side !== 0) return side > 0;
    }
    const p = this.positions;
    const [a, b, c] = [0, 1, 2].map((i) => 3 * this.corners[3 * t + i]);
    let facing = 0;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const area =
        (p[b + i] - p[a + i]) * (p[c + j] - p[a + j]) - (p[b + j] - p[a + j]) * (p[c + i] - p[a + i]);
      facing += normal[k] * area;
    }
    return this.behind[t] === piece ? facing < 0 : facing > 0;
  }

  /** Closes both parts with a face between them. */
  #fill(back: number, front: number, { normal }: CutPlane): boolean {
    const axis = [0, 1, 2].reduce((most, k) => (Math.abs(normal[k]) > Math.abs(normal[most]) ? k : most), 0);
    const [u, v] = normal[axis] > 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
    const points = new Float64Array((2 * this.positions.length) / 3);
    for (let i = 0; i < points.length / 2; i++) {
      points[2 * i] = this.positions[3 * i + u];
      points[2 * i + 1] = this.positions[3 * i + v];
    }
    const loops = loopsOf(this.#openEdges(back), points);
    const triangles = loops && triangulateLoops(points, loops);
    if (!triangles || triangles.length === 0) return false;
    for (const vertex of triangles) this.corners.push(vertex);
    for (let i = 0; i < triangles.length; i += 3) {
      this.behind.push(back);
      this.inFront.push(front);
    }
    return true;
  }

  /** Edges that the closing face of a piece must have, from vertex to vertices. */
  #openEdges(piece: number): Map<number, number[]> {
    const balance = new Map<number, number>();
    for (let t = 0; t < this.behind.length; t++) {
      const sign = (this.behind[t] === piece ? 1 : 0) - (this.inFront[t] === piece ? 1 : 0);
      if (sign === 0) continue;
      for (let i = 0; i < 3; i++) {
        const a = this.corners[3 * t + i];
        const b = this.corners[3 * t + ((i + 1) % 3)];
        const key = edgeKey(a, b);
        balance.set(key, (balance.get(key) ?? 0) + (a < b ? sign : -sign));
      }
    }
    const open = new Map<number, number[]>();
    for (const [key, excess] of balance) {
      const [low, high] = [Math.floor(key / KEY), key % KEY];
      const [from, to] = excess > 0 ? [high, low] : [low, high];
      for (let i = 0; i < Math.abs(excess); i++) {
        const list = open.get(from);
        if (list) list.push(to);
        else open.set(from, [to]);
      }
    }
    return open;
  }
}

function edgeKey(a: number, b: number): number {
  return a < b ? a * KEY + b : b * KEY + a;
}

/** Chains edges to loops; where several continue from a vertex, the one that keeps the region to the left. */
function loopsOf(open: Map<number, number[]>, points: Float64Array): number[][] | undefined {
  const loops: number[][] = [];
  for (const [start, starts] of open) {
    for (let first = starts.pop(); first !== undefined; first = starts.pop()) {
      const loop = [start];
      let at = first;
      while (at !== start) {
        const nexts = open.get(at);
        if (!nexts || nexts.length === 0) return undefined;
        const before = loop[loop.length - 1];
        const choice = nexts.length === 1 ? 0 : leastTurn(points, before, at, nexts);
        loop.push(at);
        at = nexts.splice(choice, 1)[0];
      }
      loops.push(loop);
    }
  }
  return loops;
}

/** The first of several ways on, going clockwise from the way back. */
function leastTurn(p: Float64Array, before: number, at: number, nexts: readonly number[]): number {
  const direction = (v: number) => Math.atan2(p[2 * v + 1] - p[2 * at + 1], p[2 * v] - p[2 * at]);
  const back = direction(before);
  const turns = nexts.map((v) => (back - direction(v) + 4 * Math.PI) % (2 * Math.PI));
  return turns.indexOf(Math.min(...turns));
}
