/**
 * Bodies that break along seams made beforehand (`shatter`): pieces, each nearly rigid, held together by bonds.
 *
 * A piece is eight nodes at the corners of its box, and a region of these; a bond is a region of the nodes of both its
 * pieces, which holds them in place to each other. Contact moves the body as a whole; where the impulse would push a bond
 * out of shape by more than its strength, it cracks. Cracked bonds still hold, until the cracks cut the body into parts:
 * then it breaks into these, and the seams between them are gone. The parts have the masses, places and speeds of their
 * nodes from the body, so momentum is kept.
 * Invariant: the surface of a part is made of triangles of the surface before, vertices unmoved, and of faces along
 * vanished seams, inside the body. Parts are free of each other by the width of the seam.
 */
import { UnionFind } from '../base/union-find.js';
import { type Bond, bondsOf } from './bonds.js';
import { trilinear } from './lattice-shape.js';
import { embed, type MatchedShape, matchedShape, type VertexWeights } from './matched-shape.js';
import { type PieceSurface, surfaceOf } from './piece-surface.js';
import { ShapeMatchingBody, type ShapeMatchingOptions } from './shape-matching.js';
import { allocateScratch, allocateStates } from './shape-matching-bodies.js';
import type { Fracture } from './shatter.js';
import { sixfoldVolume } from './springs.js';
import { checkOption } from './surface-input.js';

export interface BreakableOptions {
  /** Kilograms per cubic metre. */
  readonly density?: number;
  /** 1 / s²: (2π · frequency)² of vibrations. */
  readonly stiffness?: number;
  /** Rate at which motion other than rigid dies away, 1 / s. */
  readonly damping?: number;
  /** The strain, a length by a length, at which bonds crack: standing on the ground must be well below it. */
  readonly strength?: number;
  readonly velocity?: readonly [number, number, number];
}

export const BREAKABLE_DEFAULTS = { density: 1000, stiffness: 4e5, damping: 2, strength: 0.01 } as const;

/** Boxes of pieces are at least this share of their longest side thick. */
const THINNEST = 0.2;
const BOX_NODES = 8;

/** Makes a breakable body of a cut solid, in one piece for now. */
export function breakable(fracture: Fracture, options: BreakableOptions = {}): BreakableBody {
  const { density, stiffness, damping, strength } = { ...BREAKABLE_DEFAULTS, ...options };
  checkOption(`${fracture.name}: density`, density, density > 0);
  checkOption(`${fracture.name}: stiffness`, stiffness, stiffness >= 0);
  checkOption(`${fracture.name}: damping`, damping, damping >= 0);
  checkOption(`${fracture.name}: strength`, strength, strength > 0);
  const bonds = bondsOf(fracture);
  const whole: Whole = {
    fracture,
    bonds,
    cracked: new Uint8Array(bonds.length),
    corners: fracture.pieces.map(boxCorners),
    masses: fracture.pieces.map(
      ({ positions, indices }) => (density * sixfoldVolume(positions, indices)) / 6,
    ),
    options: { stiffness, damping, firm: true },
    strength,
  };
  return BreakableBody.ofPieces(whole, [...fracture.pieces.keys()], undefined, options.velocity);
}

/** What all parts of a solid share. */
interface Whole {
  readonly fracture: Fracture;
  readonly bonds: readonly Bond[];
  readonly cracked: Uint8Array;
  /** Of each piece, the corners of its box: 24 numbers. */
  readonly corners: readonly Float64Array[];
  readonly masses: readonly number[];
  readonly options: ShapeMatchingOptions;
  readonly strength: number;
}

export class BreakableBody extends ShapeMatchingBody {
  /** Pieces of the cut solid that it holds; nodes 8 i … 8 i + 7 and region i are those of the i-th. */
  readonly pieces: readonly number[];
  /** Numbers of the bonds between them, one for each of the regions after those of the pieces. */
  readonly #bonds: readonly number[];
  readonly #whole: Whole;
  readonly #surface: PieceSurface;

  private constructor(
    whole: Whole,
    pieces: readonly number[],
    bonds: readonly number[],
    surface: PieceSurface,
    ...matching: ConstructorParameters<typeof ShapeMatchingBody>
  ) {
    super(...matching);
    this.#whole = whole;
    this.pieces = pieces;
    this.#bonds = bonds;
    this.#surface = surface;
  }

  /** A body of some pieces, at rest or as they are in the body they come from. */
  static ofPieces(
    whole: Whole,
    pieces: readonly number[],
    from: BreakableBody | undefined,
    velocity: readonly [number, number, number] = [0, 0, 0],
  ): BreakableBody {
    const { fracture, bonds } = whole;
    const inside = bonds
      .map((_, bond) => bond)
      .filter((bond) => pieces.includes(bonds[bond].a) && pieces.includes(bonds[bond].b));
    const surface = surfaceOf(fracture, new Set([...pieces, ...seamsWithin(fracture, new Set(pieces))]));
    const shape = shapeOf(whole, pieces, inside, surface);
    const [state] = allocateStates([shape]);
    if (from) from.#handDown(pieces, inside, state.x, state.v, state.rotations);
    else {
      state.x.set(shape.rest);
      for (let k = 0; k < state.v.length; k++) state.v[k] = velocity[k % 3];
      for (let k = 3; k < state.rotations.length; k += 4) state.rotations[k] = 1;
    }
    embed(shape.embedding, state.x, state.proposed);
    const places = from && new Map(Array.from(from.#surface.sources, (source, v) => [source, v]));
    surface.sources.forEach((source, v) => {
      const old = places?.get(source);
      for (let k = 0; k < 3; k++) {
        const x = from && old !== undefined ? from.positions[3 * old + k] : state.proposed[3 * v + k];
        state.positions[3 * v + k] = from ? Math.fround(x) : surface.positions[3 * v + k];
      }
    });
    const name =
      pieces.length === fracture.pieceCount
        ? fracture.name
        : `${fracture.name}, piece ${pieces.map((piece) => piece + 1).join(' + ')}`;
    return new BreakableBody(
      whole,
      pieces,
      inside,
      surface,
      name,
      shape,
      state,
      whole.options,
      allocateScratch([shape]),
    );
  }

  override finish(end: Float64Array, dt: number): void {
    super.finish(end, dt);
    const { cracked, strength } = this.#whole;
    this.#bonds.forEach((bond, i) => {
      if (this.strainSq(this.pieces.length + i) > strength * strength) cracked[bond] = 1;
    });
  }

  broken(): readonly BreakableBody[] | undefined {
    const { bonds, cracked } = this.#whole;
    const joined = new UnionFind(this.#whole.fracture.pieceCount);
    for (const bond of this.#bonds) if (cracked[bond] === 0) joined.union(bonds[bond].a, bonds[bond].b);
    const parts = new Map<number, number[]>();
    for (const piece of this.pieces) {
      const root = joined.find(piece);
      if (!parts.has(root)) parts.set(root, []);
      parts.get(root)!.push(piece);
    }
    if (parts.size < 2) return undefined;
    return [...parts.values()].map((pieces) => BreakableBody.ofPieces(this.#whole, pieces, this));
  }

  /** Copies what some of the pieces are and do. */
  #handDown(
    pieces: readonly number[],
    bonds: readonly number[],
    x: Float64Array,
    v: Float64Array,
    rotations: Float64Array,
  ): void {
    const copy = (from: Float64Array, at: number, to: Float64Array, toAt: number, length: number) =>
      to.set(from.subarray(at * length, (at + 1) * length), toAt * length);
    pieces.forEach((piece, i) => {
      const at = this.pieces.indexOf(piece);
      copy(this.state.x, at, x, i, 3 * BOX_NODES);
      copy(this.state.v, at, v, i, 3 * BOX_NODES);
      copy(this.state.rotations, at, rotations, i, 4);
    });
    bonds.forEach((bond, i) => {
      const at = this.pieces.length + this.#bonds.indexOf(bond);
      copy(this.state.rotations, at, rotations, pieces.length + i, 4);
    });
  }
}

/** Seams that touch no other piece than these. */
function seamsWithin({ sides, pieceCount, cellCount }: Fracture, pieces: ReadonlySet<number>): number[] {
  const foreign = new Uint8Array(cellCount);
  for (let t = 0; t < sides.length / 2; t++) {
    const [a, b] = [sides[2 * t], sides[2 * t + 1]];
    if (a >= pieceCount && b >= 0 && b < pieceCount && !pieces.has(b)) foreign[a] = 1;
    if (b >= pieceCount && a < pieceCount && !pieces.has(a)) foreign[b] = 1;
  }
  return Array.from({ length: cellCount - pieceCount }, (_, i) => pieceCount + i).filter(
    (seam) => !foreign[seam],
  );
}

function boxCorners({ positions }: PieceSurface): Float64Array {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3], x);
    high[k % 3] = Math.max(high[k % 3], x);
  });
  const least = THINNEST * Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  for (let k = 0; k < 3; k++) {
    const lacking = Math.max(least - (high[k] - low[k]), 0);
    low[k] -= lacking / 2;
    high[k] += lacking / 2;
  }
  return Float64Array.from({ length: 3 * BOX_NODES }, (_, i) =>
    (Math.floor(i / 3) >> (i % 3)) & 1 ? high[i % 3] : low[i % 3],
  );
}

function shapeOf(
  whole: Whole,
  pieces: readonly number[],
  bonds: readonly number[],
  surface: PieceSurface,
): MatchedShape {
  const nodesOf = pieces.map((_, i) =>
    Array.from({ length: BOX_NODES }, (_, corner) => BOX_NODES * i + corner),
  );
  const places = new Map(pieces.map((piece, i) => [piece, i]));
  return matchedShape({
    rest: Float64Array.from(pieces.flatMap((piece) => Array.from(whole.corners[piece]))),
    masses: Float64Array.from(
      pieces.flatMap((piece) => new Array<number>(BOX_NODES).fill(whole.masses[piece] / BOX_NODES)),
    ),
    regions: [
      ...nodesOf,
      ...bonds.map((bond) => {
        const { a, b } = whole.bonds[bond];
        return [...nodesOf[places.get(a)!], ...nodesOf[places.get(b)!]];
      }),
    ],
    vertices: weightsOf(whole, pieces, surface, nodesOf),
    indices: surface.indices,
  });
}

/** Vertices follow the mean of the pieces they belong to; those of seams alone, that of the nearest vertex of a piece. */
function weightsOf(
  { fracture, corners }: Whole,
  pieces: readonly number[],
  { sources, positions }: PieceSurface,
  nodesOf: readonly (readonly number[])[],
): VertexWeights[] {
  const owners = new Map<number, number[]>();
  pieces.forEach((piece, i) => {
    for (const source of fracture.pieces[piece].sources) {
      if (!owners.has(source)) owners.set(source, []);
      owners.get(source)!.push(i);
    }
  });
  const owned = Array.from(sources.keys()).filter((v) => owners.has(sources[v]));
  const distanceSq = (v: number, w: number) =>
    [0, 1, 2].reduce((sum, k) => sum + (positions[3 * v + k] - positions[3 * w + k]) ** 2, 0);
  const nearest = (v: number) => owned.reduce((a, b) => (distanceSq(v, b) < distanceSq(v, a) ? b : a));
  return Array.from(sources, (source, v): VertexWeights => {
    const list = owners.get(source) ?? owners.get(sources[nearest(v)])!;
    return list.flatMap((i) => {
      const box = corners[pieces[i]];
      const place = [0, 1, 2].map((k) => (positions[3 * v + k] - box[k]) / (box[21 + k] - box[k]));
      return trilinear(nodesOf[i], place).map((entry, j) => (j % 2 === 0 ? entry : entry / list.length));
    });
  });
}
