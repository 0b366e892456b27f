/**
 * Which triangles of a surface lie in one plane, within the precision of their corners.
 *
 * Float32 moves each corner by its rounding, so that triangles that were cut from one plane bend against each other
 * wherever the plane is not along the axes: the more, the smaller they are. Facets are therefore decided by the
 * distance of their corners from one plane, and not by angles: starting from large triangles, neighbours are added as
 * long as their corners stay within the grain of the plane of all those added before. That plane follows from the sum
 * of their areas, which is the more precise the larger they are together. Invariant: corners of a facet are within
 * `flatness` of its plane, and triangles wider than the grain face to its side.
 */
import { type Adjacency, NO_EDGE } from 'impinge/internal/mesh/adjacency.js';
import { type MatchedBorders, matchBorders } from './matched-borders.js';

/**
 * Relative to the largest coordinate: more than twice the effect of rounding to float32 on corners along a normal, √3 ·
 * 2⁻²⁴.
 */
const GRAIN = 4 * 2 ** -24;
/** Grains that corners of a facet may be from its plane: it has moved on since they were taken in. */
const MOST = 2;

export interface FlatFacets {
  /** By triangle: one of its facet, the same for all of it. */
  readonly facet: Uint32Array;
  /** By triangle: unit normal and offset of the plane of its facet; all zero where that has no area. */
  readonly planes: Float64Array;
  /** No corner is farther from the plane of its facet, and no gap between borders inside of one is wider. */
  readonly flatness: number;
  /** Whether a half-edge that is a border has triangles of its facet on the other side, all along. */
  isInside(border: number): boolean;
}

/**
 * Facets of triangles, with three `corners` each, of vertices that were rounded when none of their coordinates was
 * above `largest`.
 */
export function flatFacets(
  vertices: Float64Array,
  corners: Uint32Array,
  adjacency: Adjacency,
  largest: number,
): FlatFacets {
  const finding = new FacetFinding(vertices, corners, adjacency, GRAIN * largest);
  for (const seed of finding.fromLargest()) finding.grow(seed);
  finding.closeBorders();
  return finding;
}

class FacetFinding implements FlatFacets {
  readonly facet: Uint32Array;
  readonly planes: Float64Array;
  flatness = 0;
  readonly #x: Float64Array;
  readonly #corners: Uint32Array;
  readonly #adjacency: Adjacency;
  readonly #borders: MatchedBorders;
  readonly #grain: number;
  /** For each triangle, its normal times twice its area. */
  readonly #areas: Float64Array;
  readonly #taken: Uint8Array;
  /** The current facet: its triangles, the sum of their areas, unit normal, and a point of its plane. */
  readonly #members: number[] = [];
  readonly #sum = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #middle = new Float64Array(3);

  constructor(x: Float64Array, corners: Uint32Array, adjacency: Adjacency, grain: number) {
    const count = corners.length / 3;
    this.facet = new Uint32Array(count);
    for (let t = 0; t < count; t++) this.facet[t] = t;
    this.planes = new Float64Array(4 * count);
    this.#x = x;
    this.#corners = corners;
    this.#adjacency = adjacency;
    this.#borders = matchBorders(x, corners, adjacency, MOST * grain);
    this.#grain = grain;
    this.#taken = new Uint8Array(count);
    const areas = (this.#areas = new Float64Array(3 * count));
    for (let t = 0; t < count; t++) {
      const a = 3 * corners[3 * t];
      const b = 3 * corners[3 * t + 1];
      const c = 3 * corners[3 * t + 2];
      for (let k = 0; k < 3; k++) {
        const i = (k + 1) % 3;
        const j = (k + 2) % 3;
        areas[3 * t + k] =
          (x[b + i] - x[a + i]) * (x[c + j] - x[a + j]) - (x[b + j] - x[a + j]) * (x[c + i] - x[a + i]);
      }
    }
  }

  /** Triangles with an area, large ones before small ones. */
  *fromLargest(): Generator<number> {
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    const count = this.facet.length;
    const keys = new Float64Array(count);
    for (let t = 0; t < count; t++) {
      float[0] = length(this.#areas, 3 * t);
      // the exponent and a few digits are order enough
      keys[t] = (2047 - (bits[0] >>> 20)) * 2 ** 32 + t;
    }
    for (const key of keys.sort()) yield key % 2 ** 32;
  }

  /**
   * Finds the facet of a triangle, unless another has it. Whether all corners are still near its plane is checked
   * whenever it has doubled: if not, it falls back to the last valid state. So hardly more is discarded than kept.
   */
  grow(seed: number): void {
    if (this.#taken[seed] !== 0) return;
    const members = this.#members;
    members.length = 0;
    this.#keep(0);
    if (!this.#take(seed)) return;
    let known = 1;
    for (let next = 0; next < members.length; next++) {
      for (let h = 3 * members[next]; h < 3 * members[next] + 3; h++) this.#takeAcross(h);
      if (members.length < 2 * known) continue;
      if (this.#settle()) known = members.length;
      else break;
    }
    if (this.#settle(true)) return;
    this.#keep(known);
    this.#settle(true);
  }

  /** Adds the triangle on the other side of a half-edge if it fits. */
  #takeAcross(h: number): void {
    const { edgeOf, edgeStart, halfEdges } = this.#adjacency;
    const e = edgeOf[h];
    if (e === NO_EDGE) return;
    const from = edgeStart[e];
    const halves = edgeStart[e + 1] - from;
    if (halves === 2) this.#offer(halfEdges[from] === h ? halfEdges[from + 1] : halfEdges[from]);
    if (halves !== 1) return;
    for (const piece of this.#borders.pieces.get(h) ?? []) for (const half of piece) this.#offer(half);
  }

  #offer(half: number): void {
    const t = Math.floor(half / 3);
    if (this.#taken[t] === 0 && this.#fits(t)) this.#take(t);
  }

  /** Keeps only the first `count` triangles of the facet. */
  #keep(count: number): void {
    const members = this.#members;
    for (let i = count; i < members.length; i++) this.#taken[members[i]] = 0;
    const first = members.slice(0, count);
    members.length = 0;
    this.#sum.fill(0);
    this.#middle.fill(0);
    for (const t of first) this.#take(t);
  }

  isInside(border: number): boolean {
    const facet = this.facet[Math.floor(border / 3)];
    const isOfIt = (other: number) => this.facet[Math.floor(other / 3)] === facet;
    return this.#borders.pieces.get(border)?.every((piece) => piece.some(isOfIt)) ?? false;
  }

  /** Takes note of gaps between borders that are inside of facets. */
  closeBorders(): void {
    const { pieces, gap } = this.#borders;
    for (const border of pieces.keys())
      if (this.isInside(border)) this.flatness = Math.max(this.flatness, gap);
  }

  /** Takes a triangle into the facet; false where that has no area then. */
  #take(t: number): boolean {
    const { length: count } = this.#members;
    this.#members.push(t);
    this.#taken[t] = 1;
    for (let k = 0; k < 3; k++) {
      let third = 0;
      for (let i = 3 * t; i < 3 * t + 3; i++) third += this.#x[3 * this.#corners[i] + k] / 3;
      this.#middle[k] += (third - this.#middle[k]) / (count + 1);
      this.#sum[k] += this.#areas[3 * t + k];
    }
    return this.#turn();
  }

  /** Brings the normal up to date with the areas. */
  #turn(): boolean {
    const area = length(this.#sum, 0);
    for (let k = 0; k < 3; k++) this.#normal[k] = area > 0 ? this.#sum[k] / area : 0;
    return area > 0;
  }

  /** Whether a triangle is in the plane of the facet, and faces to its side unless it is too narrow to decide. */
  #fits(t: number): boolean {
    const n = this.#normal;
    const areas = this.#areas;
    const facing = n[0] * areas[3 * t] + n[1] * areas[3 * t + 1] + n[2] * areas[3 * t + 2];
    let longestSq = 0;
    for (let i = 3 * t; i < 3 * t + 3; i++) {
      const v = 3 * this.#corners[i];
      const w = 3 * this.#corners[i % 3 === 2 ? i - 2 : i + 1];
      if (!(Math.abs(this.#height(v)) <= this.#grain)) return false;
      longestSq = Math.max(longestSq, squaredBetween(this.#x, v, w));
    }
    return facing > 0 || -facing <= MOST * this.#grain * Math.sqrt(longestSq);
  }

  #height(v: number): number {
    const x = this.#x;
    const n = this.#normal;
    const m = this.#middle;
    return n[0] * (x[v] - m[0]) + n[1] * (x[v + 1] - m[1]) + n[2] * (x[v + 2] - m[2]);
  }

  /** Whether no corner is too far from the plane in the middle of all; with `write`, that is the facet's then. */
  #settle(write = false): boolean {
    const members = this.#members;
    let low = Infinity;
    let high = -Infinity;
    for (const t of members) {
      for (let i = 3 * t; i < 3 * t + 3; i++) {
        const height = this.#height(3 * this.#corners[i]);
        low = Math.min(low, height);
        high = Math.max(high, height);
      }
    }
    const off = 0.5 * (high - low);
    if (members.length > 1 && off > MOST * this.#grain) return false;
    if (!write) return true;
    this.flatness = Math.max(this.flatness, off);
    const n = this.#normal;
    const m = this.#middle;
    const offset = n[0] * m[0] + n[1] * m[1] + n[2] * m[2] + 0.5 * (low + high);
    for (const t of members) {
      this.facet[t] = members[0];
      for (let k = 0; k < 3; k++) this.planes[4 * t + k] = n[k];
      this.planes[4 * t + 3] = offset;
    }
    return true;
  }
}

function length(x: Float64Array, at: number): number {
  return Math.sqrt(x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2);
}

function squaredBetween(x: Float64Array, v: number, w: number): number {
  return (x[v] - x[w]) ** 2 + (x[v + 1] - x[w + 1]) ** 2 + (x[v + 2] - x[w + 2]) ** 2;
}
