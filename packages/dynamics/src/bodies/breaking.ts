/**
 * Rigid bodies that break along seams made beforehand (`shatter`): pieces held together by bonds.
 *
 * The contacts of a step are taken as one blow on the piece nearest to it. Bonds that it strains beyond their strength
 * crack; cracked ones still hold as long as intact ones hold the pieces together. Then the body breaks into parts, and
 * the seams between these are gone. How they move: part-motions.ts.
 * Invariant: the surface of a part is made of triangles of the surface before, vertices unmoved, and of faces along
 * vanished seams, inside the body. Parts are free of each other by the width of the seam.
 */

import { ImpingeError } from 'impinge/internal/base/errors.js';
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { Point } from 'impinge/internal/math/point.js';
import { springImpulses } from './bond-stress.js';
import { type Bond, bondsOf } from './bonds.js';
import { type Blow, partMotions, velocityGain } from './part-motions.js';
import { type PieceSurface, surfaceOf } from './piece-surface.js';
import { RigidBody, type RigidMotionOptions } from './rigid-body.js';
import { Seams } from './seams.js';
import type { Fracture } from './shatter.js';
import { joinedMass, type SolidMass, solidMass } from './solid-mass.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import { checkOption, withDefaults } from './surface-input.js';
import { TOUCH_NAMES, type TouchOptions } from './touch.js';

export interface BreakableOptions extends TouchOptions {
  /** Kilograms per cubic metre. */
  readonly density?: number;
  /** The impulse per area in one step at which bonds crack, N s / m²; the weight of the body must be well below it. */
  readonly strength?: number;
  readonly velocity?: Point;
  /** Radians per second about each axis. */
  readonly spin?: readonly [number, number, number];
}

export const BREAKABLE_DEFAULTS = { density: 1000, strength: 250 } as const;

/** Makes a breakable body of a cut solid, in one piece for now. */
export function breakable(fracture: Fracture, options: BreakableOptions = {}): BreakableBody {
  if (!Array.isArray(fracture?.pieces))
    throw new ImpingeError('bad-input', 'breakable needs a result of shatter');
  const { name, pieces } = fracture;
  const { density, strength } = withDefaults('breakable', BREAKABLE_DEFAULTS, options, {
    velocity: true,
    spin: true,
    ...TOUCH_NAMES,
  });
  checkOption(`${name}: density`, density, density > 0);
  checkOption(`${name}: strength`, strength, strength > 0);
  const bonds = bondsOf(fracture);
  const masses = pieces.map(({ positions, indices }) => solidMass(positions, indices, density));
  const cracked = new Uint8Array(bonds.length);
  const whole: Whole = { fracture, seams: new Seams(fracture), bonds, cracked, masses, strength };
  return BreakableBody.of(whole, name, [...pieces.keys()], options);
}

/** Data that all parts of a solid share. */
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
  /** The blows on it in this step. */
  #places: number[] = [];
  #impulses: number[] = [];

  private constructor(
    whole: Whole,
    name: string,
    pieces: readonly number[],
    surface: PieceSurface,
    motion: RigidMotionOptions,
  ) {
    const { positions, indices } = surface;
    const mass = joinedMass(pieces.map((piece) => whole.masses[piece]));
    super(name, { name, positions, indices, mass }, motion);
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
  static of(
    whole: Whole,
    name: string,
    pieces: readonly number[],
    motion: RigidMotionOptions,
  ): BreakableBody {
    const cells = new Set([...pieces, ...whole.seams.within(new Set(pieces))]);
    return new BreakableBody(whole, name, pieces, surfaceOf(whole.fracture, cells), motion);
  }

  /** Takes note of an impulse, in the world, at a place of the body at rest as seen from its centre. */
  struck(place: Float64Array, impulse: Float64Array): void {
    const { centre } = this.shape.mass;
    for (let k = 0; k < 3; k++) this.#places.push(place[k] + centre[k]);
    this.#impulses.push(...impulse);
  }

  /** A step begins. */
  forgetBlow(): void {
    this.#places = [];
    this.#impulses = [];
  }

  /** Ends the step: its blows may crack bonds. */
  endBlow(dt: number): void {
    this.eachPush(dt, (place, impulse) => {
      this.#places.push(...place);
      this.#impulses.push(...impulse);
    });
    this.#blow = this.#asOneBlow();
    this.forgetBlow();
    const { strength } = this.#whole;
    if (Math.hypot(...this.#blow.impulse) >= strength * this.#smallestBond) this.#crack();
  }

  override finish(end: Float64Array, dt: number): void {
    super.finish(end, dt);
    this.endBlow(dt);
  }

  override save(out: StateWriter): void {
    super.save(out);
    out.array(this.#whole.cracked);
  }

  override restore(from: StateReader): void {
    super.restore(from);
    from.into(this.#whole.cracked);
  }

  /** The sum of impulses, at the mean of the places that they pushed its way. */
  #asOneBlow(): Blow {
    const sum = [0, 0, 0];
    for (let i = 0; i < this.#impulses.length; i++) sum[i % 3] += this.#impulses[i];
    const lengthSq = sum[0] ** 2 + sum[1] ** 2 + sum[2] ** 2;
    const place: [number, number, number] = [0, 0, 0];
    for (let i = 0; i < this.#impulses.length && lengthSq > 0; i += 3) {
      const [x, y, z] = this.#impulses.slice(i, i + 3);
      const share = (x * sum[0] + y * sum[1] + z * sum[2]) / lengthSq;
      for (let k = 0; k < 3; k++) place[k] += share * this.#places[i + k];
    }
    return { impulse: this.turnedBack(sum), place };
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
      const motion = {
        ...this.touch.options,
        position: this.placeOf(partMasses[i].centre),
        orientation: this.orientation,
        velocity: this.turned(motions[i].velocity),
        spin: this.turned(motions[i].spin),
      };
      const part = BreakableBody.of(this.#whole, `${this.name}.${i + 1}`, pieces, motion);
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

  /** Puts vertices of parts that this body has exactly where they are in it. */
  #placer(): (part: BreakableBody) => void {
    const places = new Map(Array.from(this.#surface.sources, (source, v) => [source, v]));
    return (part) => {
      part.#surface.sources.forEach((source, v) => {
        const old = places.get(source);
        if (old !== undefined) part.positions.set(this.positions.subarray(3 * old, 3 * old + 3), 3 * v);
      });
    };
  }
}
