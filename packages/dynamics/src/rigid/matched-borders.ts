/**
 * Borders of triangles that run along each other though they have no edge in common: a corner of one is on the edge of
 * another, or corners that should be one differ by rounding. Surfaces that are put together from strips have such
 * seams.
 *
 * Idea: corners of borders within a tolerance of an edge divide it into pieces. Pieces between the same two places that
 * run in opposite directions have triangles on either side. Layout: corners are chained by the hash of their cell in a
 * grid. Points sampled along an edge are near enough to each other that every place on it is in one of the eight cells
 * around one of them.
 */
import { type Adjacency, NO_EDGE } from 'impinge/internal/mesh/adjacency.js';
import { firstAtPlace, mix, tableSize } from 'impinge/internal/mesh/places.js';

const NONE: readonly number[] = [];

export interface MatchedBorders {
  /** For each border half-edge: for each of its pieces in order, the half-edges on the other side. */
  readonly pieces: ReadonlyMap<number, readonly (readonly number[])[]>;
  /** No corner is farther from an edge that it divides. */
  readonly gap: number;
}

/** Borders of triangles with three `corners` each that run along each other within a tolerance. */
export function matchBorders(
  x: Float64Array,
  corners: Uint32Array,
  { edgeOf, edgeStart }: Adjacency,
  tolerance: number,
): MatchedBorders {
  const borders: number[] = [];
  for (let h = 0; h < corners.length; h++) {
    const e = edgeOf[h];
    if (e !== NO_EDGE && edgeStart[e + 1] - edgeStart[e] === 1) borders.push(h);
  }
  const pieces = new Map<number, (readonly number[])[]>();
  if (borders.length === 0) return { pieces, gap: 0 };
  const dividing = new Dividing(x, corners, borders, tolerance);
  const sides = new Map<number, number[]>();
  const keyOf = (from: number, to: number) => (from * x.length) / 3 + to;
  const chains = borders.map((h) => dividing.places(h));
  for (let i = 0; i < borders.length; i++) {
    for (let k = 1; k < chains[i].length; k++) {
      const key = keyOf(chains[i][k - 1], chains[i][k]);
      const side = sides.get(key);
      if (side) side.push(borders[i]);
      else sides.set(key, [borders[i]]);
    }
  }
  for (let i = 0; i < borders.length; i++) {
    const chain = chains[i];
    let others: (readonly number[])[] | undefined;
    for (let k = 1; k < chain.length; k++) {
      const side = sides.get(keyOf(chain[k], chain[k - 1]));
      if (!side) continue;
      others ??= new Array(chain.length - 1).fill(NONE);
      others[k - 1] = side;
    }
    if (others) pieces.set(borders[i], others);
  }
  return { pieces, gap: dividing.gap };
}

/** Corners of borders, by where they are. */
class Dividing {
  gap = 0;
  readonly #x: Float64Array;
  readonly #corners: Uint32Array;
  readonly #tolerance: number;
  /** By vertex of a border: which stands for its place. */
  readonly #place: Uint32Array;
  readonly #step: number;
  readonly #heads: Uint32Array;
  readonly #next: Uint32Array;
  /** By vertex: the last edge that it was held against. */
  readonly #asked: Uint32Array;
  #edges = 0;

  constructor(x: Float64Array, corners: Uint32Array, borders: readonly number[], tolerance: number) {
    this.#x = x;
    this.#corners = corners;
    this.#tolerance = tolerance;
    const lengths = borders.map((h) => Math.sqrt(betweenSq(x, corners[h], corners[nextOf(h)])));
    this.#step = Math.max(lengths.reduce((sum, one) => sum + one, 0) / borders.length, 4 * tolerance);
    this.#heads = new Uint32Array(tableSize(borders.length));
    this.#next = new Uint32Array(x.length / 3);
    this.#asked = new Uint32Array(x.length / 3);
    const ends = Uint32Array.from(new Set(borders.flatMap((h) => [corners[h], corners[nextOf(h)]]))).sort();
    const first = firstAtPlace(
      Float64Array.from({ length: 3 * ends.length }, (_, i) => x[3 * ends[Math.floor(i / 3)] + (i % 3)]),
      tolerance,
    );
    this.#place = new Uint32Array(x.length / 3);
    for (let i = 0; i < ends.length; i++) {
      const v = ends[i];
      this.#place[v] = ends[first[i]];
      if (first[i] !== i) continue;
      const [a, b, c] = [this.#cellOf(x[3 * v]), this.#cellOf(x[3 * v + 1]), this.#cellOf(x[3 * v + 2])];
      const slot = this.#slot(Math.floor(a), Math.floor(b), Math.floor(c));
      this.#next[v] = this.#heads[slot];
      this.#heads[slot] = v + 1;
    }
  }

  /** The places along a half-edge: its ends, and the corners that divide it. */
  places(h: number): number[] {
    const [x, place] = [this.#x, this.#place];
    const [p, q] = [this.#corners[h], this.#corners[nextOf(h)]];
    const found: { v: number; along: number }[] = [];
    const count = Math.ceil(Math.sqrt(betweenSq(x, p, q)) / this.#step);
    this.#edges++;
    this.#asked[place[p]] = this.#asked[place[q]] = this.#edges;
    for (let i = 0; i <= count; i++) {
      const share = i / count;
      const u = this.#cellOf(x[3 * p] + share * (x[3 * q] - x[3 * p]));
      const v = this.#cellOf(x[3 * p + 1] + share * (x[3 * q + 1] - x[3 * p + 1]));
      const w = this.#cellOf(x[3 * p + 2] + share * (x[3 * q + 2] - x[3 * p + 2]));
      for (let corner = 0; corner < 8; corner++) {
        const slot = this.#slot(
          cellBeside(u, corner & 1),
          cellBeside(v, (corner >> 1) & 1),
          cellBeside(w, corner >> 2),
        );
        for (let next = this.#heads[slot]; next !== 0; next = this.#next[next - 1]) {
          if (this.#asked[next - 1] === this.#edges) continue;
          this.#asked[next - 1] = this.#edges;
          const along = this.#along(next - 1, p, q);
          if (along > 0) found.push({ v: next - 1, along });
        }
      }
    }
    if (found.length === 0) return [place[p], place[q]];
    found.sort((a, b) => a.along - b.along || a.v - b.v);
    return [place[p], ...found.map(({ v }) => v), place[q]];
  }

  /** Where between p and q a vertex is on the edge, or 0. */
  #along(v: number, p: number, q: number): number {
    const x = this.#x;
    let [dot, sq] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const way = x[3 * q + k] - x[3 * p + k];
      dot += way * (x[3 * v + k] - x[3 * p + k]);
      sq += way * way;
    }
    const along = dot / sq;
    if (!(along > 0 && along < 1)) return 0;
    let apartSq = 0;
    for (let k = 0; k < 3; k++)
      apartSq += (x[3 * p + k] + along * (x[3 * q + k] - x[3 * p + k]) - x[3 * v + k]) ** 2;
    const apart = Math.sqrt(apartSq);
    if (apart > this.#tolerance) return 0;
    this.gap = Math.max(this.gap, apart);
    return along;
  }

  /** Anything within half a step plus the tolerance of a point is in one of eight cells. */
  #cellOf(coordinate: number): number {
    return coordinate / (2.01 * (0.5 * this.#step + this.#tolerance));
  }

  #slot(i: number, j: number, k: number): number {
    return mix(i | 0, mix(j | 0, k | 0)) & (this.#heads.length - 1);
  }
}

/** The cell in which something is along an axis, or with 1 the nearer of those beside it. */
function cellBeside(at: number, beside: number): number {
  const cell = Math.floor(at);
  return beside === 0 ? cell : at - cell < 0.5 ? cell - 1 : cell + 1;
}

function betweenSq(x: Float64Array, v: number, w: number): number {
  return (x[3 * v] - x[3 * w]) ** 2 + (x[3 * v + 1] - x[3 * w + 1]) ** 2 + (x[3 * v + 2] - x[3 * w + 2]) ** 2;
}

/** The half-edge after h in the same triangle. */
function nextOf(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}
