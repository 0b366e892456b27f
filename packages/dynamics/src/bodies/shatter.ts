/**
 * Cuts a closed mesh into closed pieces along planes between seeded sites, like the cells of a Voronoi diagram, but
 * found by halving: the two sites of a piece that are farthest apart are separated by the plane in the middle, the rest
 * go with the nearer one, until every piece has one site.
 *
 * A cut takes out a layer as thick as `gap`, since faces that coincide would count as touching: the seam. Seams are
 * cells of the cut solid like the pieces, so that a body of several pieces and the seams between them is closed, too.
 * Pieces that come apart into several parts count as several.
 * Errs: new vertices are rounded to float32, so the skin moves by that much. The result has been checked exactly: no
 * two faces of the cut solid meet except at common vertices.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown } from 'impinge/internal/base/options.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import { boxAround } from '../contact-levels/box-around.js';
import { CutComplex, OUTSIDE } from './cut-complex.js';
import { type CutSolid, type PieceSurface, surfaceOf } from './piece-surface.js';
import { checkOption, outwardIndices, readSurface, type SurfaceSource } from './surface-input.js';

export interface ShatterOptions {
  /** The target number of pieces. */
  readonly pieces: number;
  /** Equal seeds give equal pieces. Default 1. */
  readonly seed?: number;
  /**
   * Between pieces, as a share of the longest side of the box. Default 4e-3; 0 leaves them in touch. Wider than the
   * thickness of the simulation, parts do not crowd each other.
   */
  readonly gap?: number;
}

const NAMES = { pieces: true, seed: true, gap: true } as const;

export const SHATTER_DEFAULTS = { seed: 1, gap: 4e-3 } as const;

/** A solid cut into pieces: cells 0 … pieceCount − 1; and seams: the cells after them. */
export interface Fracture extends CutSolid {
  readonly pieceCount: number;
  readonly cellCount: number;
  /** Each piece on its own. */
  readonly pieces: readonly PieceSurface[];
}

/** Whole cuts, with other random numbers, before giving up; planes tried for one of them. */
const ATTEMPTS = 6;
const PLANES = 24;
/** Vertices this share of the gap, or of the size, from a plane count as lying in it. */
const SNAP_GAP = 0.25;
const SNAP_SIZE = 4e-6;

/** Cuts a closed mesh, facing either way, that does not meet itself. */
export function shatter(surface: SurfaceSource, options: ShatterOptions): Fracture {
  const { name, positions, indices } = readSurface(surface, 'solid');
  const { pieces, seed, gap } = { ...SHATTER_DEFAULTS, ...readKnown('shatter', options, NAMES) };
  checkOption(`${name}: pieces`, pieces, Number.isInteger(pieces) && pieces >= 1);
  checkOption(`${name}: seed`, seed, true);
  checkOption(`${name}: gap`, gap, gap === 0 || (gap >= 1e-5 && gap < 0.1));
  const outward = outwardIndices(name, positions, indices);
  if (meetsItself(positions, outward)) {
    throw new ImpingeError('bad-input', `${name} meets itself, and cannot be cut`, { object: name });
  }
  const box = boxAround(positions);
  const size = Math.max(...[0, 1, 2].map((k) => box[3 + k] - box[k]));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const cutter = new Cutter(
      new CutComplex(positions, outward),
      new SeededRandom(seed + 7919 * attempt),
      gap * size,
      size,
    );
    cutter.cutBySites(pieces);
    const fracture = fractureOf(name, cutter);
    if (!meetsItself(fracture.positions, fracture.indices)) return fracture;
  }
  throw new ImpingeError('bad-input', `${name}: no clean cut into ${pieces} pieces was found`, {
    object: name,
  });
}

function meetsItself(positions: Float64Array, indices: Uint32Array): boolean {
  const mesh = Mesh.from({ positions, indices });
  try {
    return selfIntersect(mesh, { mode: 'any' }).colliding;
  } finally {
    mesh.dispose();
  }
}

class Cutter {
  complex: CutComplex;
  readonly seams = new Set<number>();
  readonly #random: SeededRandom;
  readonly #gap: number;
  readonly #snap: number;

  constructor(whole: CutComplex, random: SeededRandom, gap: number, size: number) {
    this.complex = whole;
    this.#random = random;
    this.#gap = gap;
    this.#snap = gap > 0 ? SNAP_GAP * gap : SNAP_SIZE * size;
  }

  /** Halves pieces until every one has one site, or resists. */
  cutBySites(count: number): void {
    const random = this.#random;
    const sites = Array.from({ length: count }, () => randomSite(this.complex, random));
    const waiting = [{ piece: 0, sites }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { piece, sites } = next;
      if (sites.length < 2) continue;
      const [a, b] = farthestPair(sites);
      const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      if (!(length > 4 * this.#gap + this.#snap)) continue;
      for (let plane = 0; plane < PLANES; plane++) {
        // the first in the middle, later ones ever farther off and more oblique
        const stray = plane / PLANES;
        const bent = [0, 1, 2].map((k) => (b[k] - a[k]) / length + stray * (random.next() - 0.5));
        const unit = Math.hypot(...bent);
        const normal: Vec3 = [bent[0] / unit, bent[1] / unit, bent[2] / unit];
        const height = (p: Vec3) => normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
        const offset = (height(a) + height(b)) / 2 + 0.4 * stray * length * (random.next() - 0.5);
        const front = this.#cut(piece, normal, offset);
        if (front === undefined) continue;
        waiting.push({ piece, sites: sites.filter((site) => height(site) <= offset) });
        waiting.push({ piece: front, sites: sites.filter((site) => height(site) > offset) });
        break;
      }
    }
  }

  /** Cuts a piece, with a seam if there is a gap; returns the new piece, or undefined if the cut is not clean. */
  #cut(piece: number, normal: Vec3, offset: number): number | undefined {
    const trial = this.complex.copy();
    const seam = trial.pieceCount;
    if (!trial.cut(piece, { normal, offset: offset - this.#gap / 2 }, this.#snap)) return undefined;
    if (this.#gap > 0 && !trial.cut(seam, { normal, offset: offset + this.#gap / 2 }, this.#snap))
      return undefined;
    const cells = new Set([piece, seam, trial.pieceCount - 1]);
    const near: number[] = [];
    for (let t = 0; t < trial.behind.length; t++) {
      if (cells.has(trial.behind[t]) || cells.has(trial.inFront[t])) {
        near.push(trial.corners[3 * t], trial.corners[3 * t + 1], trial.corners[3 * t + 2]);
      }
    }
    if (meetsItself(Float64Array.from(trial.positions), Uint32Array.from(near))) return undefined;
    this.complex = trial;
    if (this.#gap > 0) this.seams.add(seam);
    return trial.pieceCount - 1;
  }
}

/** A point of the surface: a random triangle, whatever its area, so that fine parts get more pieces. */
function randomSite({ positions, corners }: CutComplex, random: SeededRandom): Vec3 {
  const t = Math.floor(random.next() * (corners.length / 3));
  const first = Math.sqrt(random.next());
  const second = random.next();
  const weights = [1 - first, first * (1 - second), first * second];
  const at = (k: number) => weights.reduce((sum, w, i) => sum + w * positions[3 * corners[3 * t + i] + k], 0);
  return [at(0), at(1), at(2)];
}

function farthestPair(sites: readonly Vec3[]): [Vec3, Vec3] {
  let best: [Vec3, Vec3] = [sites[0], sites[1]];
  let farthest = -1;
  for (const a of sites) {
    for (const b of sites) {
      const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      if (distance > farthest) {
        farthest = distance;
        best = [a, b];
      }
    }
  }
  return best;
}

function fractureOf(name: string, { complex, seams }: Cutter): Fracture {
  const positions = Float64Array.from(complex.positions);
  const indices = Uint32Array.from(complex.corners);
  const { sides, pieceCount, cellCount } = numberParts(complex, seams, positions, indices);
  const solid = { name, positions, indices, sides };
  const pieces = Array.from({ length: pieceCount }, (_, piece) => ({
    ...surfaceOf(solid, new Set([piece])),
    name: `${name}, piece ${piece + 1}`,
  }));
  return { ...solid, pieceCount, cellCount, pieces };
}

/** Parts of a piece smaller than this share of the mean piece are lost in the seam, where there is one. */
const CRUMB = 1e-3;

/**
 * Numbers cells so that each hangs together, pieces first. One with hollows, parts that face inwards, stays whole;
 * crumbs count as seams.
 */
function numberParts(
  complex: CutComplex,
  seams: ReadonlySet<number>,
  positions: Float64Array,
  indices: Uint32Array,
): { sides: Int32Array; pieceCount: number; cellCount: number } {
  const { behind, pieceCount } = complex;
  const parts: Part[] = [];
  for (let cell = 0; cell < pieceCount; cell++) parts.push(...partsOf(complex, cell, positions, indices));
  const isPiece = ({ cell }: Part) => !seams.has(cell);
  const total = parts.filter(isPiece).reduce((sum, part) => sum + part.volume, 0);
  const least = seams.size > 0 ? (CRUMB * total) / (pieceCount - seams.size) : -Infinity;
  const pieces = parts.filter((part) => isPiece(part) && part.volume >= least);
  const others = parts.filter((part) => !pieces.includes(part));
  const sides = new Int32Array(2 * behind.length).fill(OUTSIDE);
  [...pieces, ...others].forEach(({ cell, triangles }, number) => {
    for (const t of triangles) sides[behind[t] === cell ? 2 * t : 2 * t + 1] = number;
  });
  return { sides, pieceCount: pieces.length, cellCount: parts.length };
}

interface Part {
  readonly cell: number;
  readonly triangles: readonly number[];
  readonly volume: number;
}

function partsOf(
  { behind, inFront }: CutComplex,
  cell: number,
  positions: Float64Array,
  indices: Uint32Array,
): Part[] {
  const linked = new UnionFind(positions.length / 3);
  const all: number[] = [];
  for (let t = 0; t < behind.length; t++) {
    if (behind[t] !== cell && inFront[t] !== cell) continue;
    all.push(t);
    linked.union(indices[3 * t], indices[3 * t + 1]);
    linked.union(indices[3 * t], indices[3 * t + 2]);
  }
  const lists = new Map<number, number[]>();
  for (const t of all) {
    const root = linked.find(indices[3 * t]);
    const list = lists.get(root);
    if (list) list.push(t);
    else lists.set(root, [t]);
  }
  const partOf = (triangles: readonly number[]): Part => {
    const facing = triangles.flatMap((t) => {
      const [a, b, c] = indices.subarray(3 * t, 3 * t + 3);
      return behind[t] === cell ? [a, b, c] : [a, c, b];
    });
    return { cell, triangles, volume: signedVolumeTimes6(positions, facing) };
  };
  const parts = [...lists.values()].map(partOf);
  return parts.some(({ volume }) => volume < 0) ? [partOf(all)] : parts;
}
