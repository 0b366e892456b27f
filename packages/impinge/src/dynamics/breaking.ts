/**
 * Rigid bodies that break along seams made beforehand (`shatter`): pieces held together by bonds.
 *
 * The contacts of a step are taken as one blow on the piece nearest to it. Bonds that it strains beyond their strength
 * crack; cracked ones still hold as long as others hold the pieces together. Then the body breaks into parts, and the
 * seams between these are gone. How they move: part-motions.ts.
 * Invariant: the surface of a part is made of triangles of the surface before, vertices unmoved, and of faces along
 * vanished seams, inside the body. Parts are free of each other by the width of the seam.
 */
import { ImpingeError } from '../base/errors.js';
import { UnionFind } from '../base/union-find.js';
import { springImpulses } from './bond-stress.js';
import { type Bond, bondsOf } from './bonds.js';
import { type Blow, partMotions, velocityGain } from './part-motions.js';
import { type PieceSurface, surfaceOf } from './piece-surface.js';
import { RigidBody, type RigidState } from './rigid-body.js';
import { Seams } from './seams.js';
import type { Fracture } from './shatter.js';
import { joinedMass, type SolidMass, solidMass } from './solid-mass.js';
import { solveInertia } from './step-guard.js';
import { checkOption, withDefaults } from './surface-input.js';

export interface BreakableOptions {
  /** Kilograms per cubic metre. */
  readonly density?: number;
  /** The impulse per area in one step at which bonds crack, N s / m²; the weight of the body must be well below it. */
  readonly strength?: number;
  readonly velocity?: readonly [number, number, number];
  /** Radians per second about each axis. */
  readonly spin?: readonly [number, number, number];
}

export const BREAKABLE_DEFAULTS = { density: 1000, strength: 250 } as const;

/** Makes a breakable body of a cut solid, in one piece for now. */
export function breakable(fracture: Fracture, options: BreakableOptions = {}): BreakableBody {
  if (!Array.isArray(fracture?.pieces))
    throw new ImpingeError('bad-input', 'breakable needs what shatter gives');
  const { name, pieces } = fracture;
  const { density, strength } = withDefaults(BREAKABLE_DEFAULTS, options);
  checkOption(`${name}: density`, density, density > 0);
  checkOption(`${name}: strength`, strength, strength > 0);
  const bonds = bondsOf(fracture);
  const masses = pieces.map(({ positions, indices }) => solidMass(positions, indices, density));
  const cracked = new Uint8Array(bonds.length);
  const whole: Whole = { fracture, seams: new Seams(fracture), bonds, cracked, masses, strength };
  return BreakableBody.of(whole, name, [...pieces.keys()], options);
}

/** What all parts of a solid share. */
interface Whole {
  readonly fracture: Fracture;
  readonly seams: Seams;
  readonly bonds: readonly Bond[];
  readonly cracked: Uint8Array;
  /** Of each piece. */
  readonly masses: readonly SolidMass[];
  readonly strength: number;
}

export class BreakableBody extends RigidBody {
  /** Pieces of the cut solid that it holds. */
  readonly pieces: readonly number[];
  readonly #whole: Whole;
  readonly #surface: PieceSurface;
  /** Numbers of the bonds between them. */
  readonly #bonds: readonly number[];
  readonly #smallestBond: number;
  #blow: Blow = { impulse: [0, 0, 0], place: [0, 0, 0] };

  private constructor(
    whole: Whole,
    name: string,
    pieces: readonly number[],
    surface: PieceSurface,
    state: RigidState,
  ) {
    const { positions, indices } = surface;
    super({ name, positions, indices, mass: joinedMass(pieces.map((piece) => whole.masses[piece])) }, state);
    const { bonds } = whole;
    this.#whole = whole;
    this.pieces = pieces;
    this.#surface = surface;
    this.#bonds = [...bonds.keys()].filter(
      (bond) => pieces.includes(bonds[bond].a) && pieces.includes(bonds[bond].b),
    );
    this.#smallestBond = Math.min(...this.#bonds.map((bond) => bonds[bond].area));
  }

  /** A body of some pieces, with the seams between them. */
  static of(whole: Whole, name: string, pieces: readonly number[], state: RigidState): BreakableBody {
    const cells = new Set([...pieces, ...whole.seams.within(new Set(pieces))]);
    return new BreakableBody(whole, name, pieces, surfaceOf(whole.fracture, cells), state);
  }

  override finish(end: Float64Array, dt: number): void {
    super.finish(end, dt);
    this.#blow = this.blow(dt);
    const { strength } = this.#whole;
    if (Math.hypot(...this.#blow.impulse) >= strength * this.#smallestBond) this.#crack();
  }

  broken(): readonly BreakableBody[] | undefined {
    const { bonds, cracked, masses } = this.#whole;
    const joined = new UnionFind(masses.length);
    for (const bond of this.#bonds) if (cracked[bond] === 0) joined.union(bonds[bond].a, bonds[bond].b);
    const parts = new Map<number, number[]>();
    for (const piece of this.pieces) {
      const root = joined.find(piece);
      const part = parts.get(root);
      if (part) part.push(piece);
      else parts.set(root, [piece]);
    }
    if (parts.size < 2) return undefined;
    const lists = [...parts.values()];
    const struckPiece = this.#struckPiece();
    const partMasses = lists.map((pieces) => joinedMass(pieces.map((piece) => masses[piece])));
    const motions = partMotions(
      this.shape.mass,
      { velocity: this.turnedBack(this.velocity), spin: this.turnedBack(this.spin) },
      this.#blow,
      partMasses,
      lists.findIndex((pieces) => pieces.includes(struckPiece)),
    );
    const place = this.#placer();
    return lists.map((pieces, i) => {
      const state = {
        centre: this.placeOf(partMasses[i].centre),
        rotation: this.rotation,
        velocity: this.turned(motions[i].velocity),
        spin: this.turned(motions[i].spin),
      };
      const part = BreakableBody.of(this.#whole, `${this.name}.${i + 1}`, pieces, state);
      place(part);
      return part;
    });
  }

  /** Marks the bonds that the blow strains too much. */
  #crack(): void {
    const { bonds, cracked, masses, strength } = this.#whole;
    const places = new Uint32Array(masses.length);
    this.pieces.forEach((piece, i) => {
      places[piece] = i;
    });
    const springs = this.#bonds.map((bond) => {
      const { a, b, area } = bonds[bond];
      const length = Math.hypot(...[0, 1, 2].map((k) => masses[a].centre[k] - masses[b].centre[k]));
      return { a: places[a], b: places[b], stiffness: area / length };
    });
    const loads = new Float64Array(3 * this.pieces.length);
    const gainAt = velocityGain(this.shape.mass, this.#blow);
    this.pieces.forEach((piece, i) => {
      const gain = gainAt(masses[piece].centre);
      for (let k = 0; k < 3; k++) loads[3 * i + k] = -masses[piece].mass * gain[k];
    });
    const struck = places[this.#struckPiece()];
    for (let k = 0; k < 3; k++) loads[3 * struck + k] += this.#blow.impulse[k];
    const impulses = springImpulses(this.pieces.length, springs, loads);
    this.#bonds.forEach((bond, i) => {
      if (impulses[i] > strength * bonds[bond].area) cracked[bond] = 1;
    });
  }

  /** The piece nearest to the place of the blow. */
  #struckPiece(): number {
    const { fracture } = this.#whole;
    const [x, y, z] = this.#blow.place;
    let struck = this.pieces[0];
    let nearest = Infinity;
    for (const piece of this.pieces) {
      const { positions } = fracture.pieces[piece];
      for (let k = 0; k < positions.length; k += 3) {
        const distance = Math.hypot(positions[k] - x, positions[k + 1] - y, positions[k + 2] - z);
        if (distance < nearest) {
          nearest = distance;
          struck = piece;
        }
      }
    }
    return struck;
  }

  /** Puts parts where they are in this body: vertices that it has, exactly; those inside, as they would be. */
  #placer(): (part: BreakableBody) => void {
    const { sources } = this.#surface;
    const places = new Map(Array.from(sources, (source, v) => [source, v]));
    const inside = affineFit(this.#surface.positions, this.positions);
    return (part) => {
      part.#surface.sources.forEach((source, v) => {
        const old = places.get(source);
        const at =
          old === undefined
            ? inside(part.#surface.positions.subarray(3 * v, 3 * v + 3))
            : this.positions.subarray(3 * old, 3 * old + 3);
        part.positions.set(Float32Array.from(at), 3 * v);
      });
    };
  }
}

/** The affine map that takes one list of points nearest to the other. */
function affineFit(from: Float64Array, to: Float64Array): (point: Float64Array) => number[] {
  const count = from.length / 3;
  const meanOf = (x: Float64Array) =>
    [0, 1, 2].map((k) => x.reduce((sum, value, i) => (i % 3 === k ? sum + value : sum), 0) / count);
  const [p, q] = [meanOf(from), meanOf(to)];
  const moment = (x: Float64Array, m: number[], k: number, l: number) => {
    let sum = 0;
    for (let i = 0; i < from.length; i += 3) sum += (x[i + k] - m[k]) * (from[i + l] - p[l]);
    return sum;
  };
  const second = Float64Array.from(
    [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 1],
      [1, 2],
      [2, 0],
    ],
    ([k, l]) => moment(from, p, k, l),
  );
  const rows = [0, 1, 2].map((k) => {
    const row = new Float64Array(3);
    solveInertia(
      second,
      Float64Array.from([0, 1, 2], (l) => moment(to, q, k, l)),
      row,
    );
    return row;
  });
  return (point) => rows.map((row, k) => row.reduce((sum, a, l) => sum + a * (point[l] - p[l]), q[k]));
}
