/**
 * A scan with any number of triangles and detail at every scale, a stand-in for scans too large to distribute.
 *
 * Idea: each triangle becomes factor² triangles, with points that both sides of an edge compute identically
 * (rough-patch.ts). The result is not stored: vertices and triangles are numbered by formulas and computed on demand.
 * Memory holds the scan with its edges and one block.
 *
 * Rows of a triangle run from its first corner to the opposite side: row r has r + 1 points, from the side of the
 * second corner to that of the third.
 */
import { RoughPatches } from './rough-patch.js';
import { type Scan, type ScanNet, scanNet } from './scan-net.js';

export interface RefineOptions {
  /** Approximate number; each triangle of the scan becomes the square of an integer. */
  readonly triangles: number;
  readonly seed?: number;
  /** Upper limit per block; default 65 536. A row of one triangle is never split: 2 · factor − 1 triangles. */
  readonly blockTriangles?: number;
}

export interface ScanBlock {
  /** Vertices at the border of a block are repeated in the next one, with the same bits. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

export function refineScan(scan: Scan, options: RefineOptions): RefinedScan {
  return new RefinedScan(scan, options);
}

export class RefinedScan {
  readonly triangleCount: number;
  readonly vertexCount: number;
  /** Number of parts of each side of the scan's triangles. */
  readonly factor: number;
  readonly #net: ScanNet;
  readonly #patches: RoughPatches;
  readonly #blockTriangles: number;

  constructor(scan: Scan, { triangles, seed = 1, blockTriangles = 65_536 }: RefineOptions) {
    const net = scanNet(scan);
    const count = net.indices.length / 3;
    if (count === 0) throw new RangeError('the scan has no triangles');
    if (!(triangles >= 1)) throw new RangeError(`triangles must be at least 1, got ${triangles}`);
    const factor = Math.max(1, Math.round(Math.sqrt(triangles / count)));
    const inner = ((factor - 1) * (factor - 2)) / 2;
    this.factor = factor;
    this.triangleCount = count * factor * factor;
    this.vertexCount = net.points.length / 3 + (net.ends.length / 2) * (factor - 1) + count * inner;
    if (this.vertexCount > 2 ** 32)
      throw new RangeError(`${triangles} triangles need more than 2³² vertices`);
    this.#net = net;
    this.#patches = new RoughPatches(net, factor, seed);
    this.#blockTriangles = Math.max(1, Math.floor(blockTriangles));
  }

  /** The whole mesh in independent pieces; the caller owns their arrays. */
  *blocks(): Generator<ScanBlock, void, undefined> {
    const { indices: corners } = this.#net;
    const n = this.factor;
    const room = Math.max(this.#blockTriangles, 2 * n - 1);
    let [positions, indices] = newBlock(room, n);
    let vertices = 0;
    let used = 0;
    for (let t = 0; t < corners.length; t += 3) {
      for (let r = 0; r <= n; r++) {
        if (used + 3 * (2 * r - 1) > indices.length) {
          yield { positions: positions.slice(0, 3 * vertices), indices: indices.slice(0, used) };
          [positions, indices] = newBlock(room, n);
          vertices = used = 0;
          if (r > 0) vertices = this.#rowInto(t, r - 1, positions, 0);
        }
        const row = vertices;
        vertices = this.#rowInto(t, r, positions, row);
        const above = row - r;
        for (let c = 0; c < r; c++) {
          used = pushed(indices, used, above + c, row + c, row + c + 1);
          if (c + 1 < r) used = pushed(indices, used, above + c, row + c + 1, above + c + 1);
        }
      }
    }
    yield { positions: positions.slice(0, 3 * vertices), indices: indices.slice(0, used) };
  }

  /** Each vertex once: the scan's, those inside its edges, those inside its triangles. */
  *vertices(): Generator<Float32Array, void, undefined> {
    const { points, indices: corners, ends } = this.#net;
    const n = this.factor;
    const patches = this.#patches;
    const room = this.#blockTriangles;
    let block = new Float32Array(3 * room);
    let used = 0;
    const take = (
      a: number,
      b: number,
      c: number,
      i: number,
      j: number,
      h: number,
    ): Float32Array | undefined => {
      patches.pointInto(a, b, c, i, j, h, block, used);
      if ((used += 3) < block.length) return undefined;
      const full = block;
      block = new Float32Array(3 * room);
      used = 0;
      return full;
    };

    for (let v = 0; v < points.length / 3; v++) {
      const full = take(v, v, v, n, 0, 0);
      if (full !== undefined) yield full;
    }
    for (let e = 0; e < ends.length; e += 2) {
      for (let i = 1; i < n; i++) {
        const full = take(ends[e], ends[e + 1], ends[e + 1], n - i, i, 0);
        if (full !== undefined) yield full;
      }
    }
    for (let t = 0; t < corners.length; t += 3) {
      for (let r = 2; r < n; r++) {
        for (let c = 1; c < r; c++) {
          const full = take(corners[t], corners[t + 1], corners[t + 2], n - r, r - c, c);
          if (full !== undefined) yield full;
        }
      }
    }
    if (used > 0) yield block.slice(0, used);
  }

  /** Triangles of the vertices that `vertices` yields. */
  *triangles(): Generator<Uint32Array, void, undefined> {
    const n = this.factor;
    const room = 3 * this.#blockTriangles;
    let block = new Uint32Array(room);
    let used = 0;
    let above = new Uint32Array(n + 1);
    let row = new Uint32Array(n + 1);
    for (let t = 0; t < this.#net.indices.length; t += 3) {
      for (let r = 0; r <= n; r++) {
        [above, row] = [row, above];
        for (let c = 0; c <= r; c++) row[c] = this.#vertexAt(t, r, c);
        for (let half = 0; half < 2 * r - 1; half++) {
          const c = half >> 1;
          used =
            half % 2 === 0
              ? pushed(block, used, above[c], row[c], row[c + 1])
              : pushed(block, used, above[c], row[c + 1], above[c + 1]);
          if (used < room) continue;
          yield block;
          block = new Uint32Array(room);
          used = 0;
        }
      }
    }
    if (used > 0) yield block.slice(0, used);
  }

  /** Writes a row of points after `vertices` earlier ones; returns the new count. */
  #rowInto(t: number, r: number, out: Float32Array, vertices: number): number {
    const { indices: corners } = this.#net;
    const [a, b, c] = [corners[t], corners[t + 1], corners[t + 2]];
    for (let h = 0; h <= r; h++) {
      this.#patches.pointInto(a, b, c, this.factor - r, r - h, h, out, 3 * (vertices + h));
    }
    return vertices + r + 1;
  }

  /** The number of point c in row r of a triangle. */
  #vertexAt(t: number, r: number, c: number): number {
    const { points, indices: corners, edges, ends } = this.#net;
    const n = this.factor;
    if (r === 0) return corners[t];
    if (r === n && c === 0) return corners[t + 1];
    if (r === n && c === n) return corners[t + 2];
    if (c === 0) return this.#onEdge(edges[t], corners[t] < corners[t + 1] ? r : n - r);
    if (c === r) return this.#onEdge(edges[t + 1], corners[t] < corners[t + 2] ? r : n - r);
    if (r === n) return this.#onEdge(edges[t + 2], corners[t + 1] < corners[t + 2] ? c : n - c);
    const inner = ((n - 1) * (n - 2)) / 2;
    const before = ((r - 1) * (r - 2)) / 2;
    return points.length / 3 + (ends.length / 2) * (n - 1) + (t / 3) * inner + before + c - 1;
  }

  /** The vertex `step` steps from the end with the lower number. */
  #onEdge(edge: number, step: number): number {
    return this.#net.points.length / 3 + edge * (this.factor - 1) + step - 1;
  }
}

/** One row more than the triangles need, for the one repeated at the start. */
function newBlock(triangles: number, factor: number): [Float32Array, Uint32Array] {
  const wholePatches = Math.ceil(triangles / (factor * factor)) + 1;
  const vertices = Math.min(3 * triangles, (wholePatches * (factor + 1) * (factor + 2)) / 2) + factor + 1;
  return [new Float32Array(3 * vertices), new Uint32Array(3 * triangles)];
}

function pushed(indices: Uint32Array, used: number, a: number, b: number, c: number): number {
  indices[used] = a;
  indices[used + 1] = b;
  indices[used + 2] = c;
  return used + 3;
}
