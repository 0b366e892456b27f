/** A shape-keeping body: free, of prescribed motion, or fixed. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Body } from '../bodies/body.js';
import { RigidBody } from '../bodies/rigid-body.js';
import { Scenery } from '../bodies/scenery.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { ContactLevels } from '../contact-levels/contact-levels.js';
import { middleOf } from './box-middle.js';
import type { BodyShape } from './contact-engine.js';
import { ContactShape, type RigidSurface } from './contact-shape.js';
import { DualShape } from './engines/dual-shape.js';

export interface Member {
  readonly body: Body;
  /** If it is free to move. */
  readonly rigid: RigidBody | undefined;
  /** If its motion is prescribed. */
  readonly carrier: Scenery | undefined;
  readonly shape: BodyShape;
  /** In the broad phase: never shared while it is in use. */
  readonly slot: number;
  /** Place in the table of bodies. */
  index: number;
  /** How often the caller had moved it when it was last looked at. */
  placed: number;
  /**
   * A bound on the total path of its points, in metres; together with an earlier distance of two bodies it bounds their
   * present one.
   */
  travelled: number;
  /** The same, plus all changes of what its points were to move in a search. */
  unrest: number;
  /** Seconds that it has been still, and where. */
  still: number;
  readonly stillPlace: Float64Array;
  readonly stillTurn: Float64Array;
}

/** A body that has not been looked at yet. */
export function memberOf(body: Body, shape: BodyShape, slot: number): Member {
  return {
    body,
    rigid: body instanceof RigidBody ? body : undefined,
    carrier: body instanceof Scenery && body.kind === 'kinematic' ? body : undefined,
    shape,
    slot,
    index: 0,
    placed: -1,
    travelled: 0,
    unrest: 0,
    still: 0,
    stillPlace: new Float64Array(3),
    stillTurn: Float64Array.of(0, 0, 0, 1),
  };
}

/** Writes what is known of a member. */
export function saveMember(member: Member, out: StateWriter): void {
  const { placed, rigid, travelled, unrest, still, stillPlace, stillTurn } = member;
  // how often it was moved says nothing elsewhere: whether it was since it was looked at
  out.number(rigid && placed >= 0 ? rigid.state.placed - placed : placed);
  out.flag(placed >= 0);
  out.number(travelled);
  out.number(unrest);
  out.number(still);
  out.array(stillPlace);
  out.array(stillTurn);
}

export function restoreMember(member: Member, from: StateReader): void {
  const placed = from.number();
  member.placed = from.flag() && member.rigid ? member.rigid.state.placed + Math.sign(placed) : placed;
  member.travelled = from.number();
  member.unrest = from.number();
  member.still = from.number();
  from.into(member.stillPlace);
  from.into(member.stillTurn);
}

/** Contact shapes, each made once for all bodies that share it, and let go of with the last. */
export class ShapeShelf {
  readonly #shapes = new Map<object, { shape: BodyShape; uses: number }>();

  take(body: Body): BodyShape {
    const { key, make } = shapeOf(body);
    const known = this.#shapes.get(key) ?? { shape: make(), uses: 0 };
    known.uses++;
    this.#shapes.set(key, known);
    return known.shape;
  }

  giveBack(body: Body): void {
    const { key } = shapeOf(body);
    const known = this.#shapes.get(key);
    if (!known || --known.uses > 0) return;
    this.#shapes.delete(key);
    known.shape.dispose();
  }

  dispose(): void {
    for (const { shape } of this.#shapes.values()) shape.dispose();
    this.#shapes.clear();
  }
}

function shapeOf(body: Body): { key: object; make: () => BodyShape } {
  if (body instanceof RigidBody) {
    const { shape } = body;
    return {
      key: shape,
      make: () => shape.contactShape?.() ?? shapeOfSurface(shape, shape.mass.centre, shape.contactLevels),
    };
  }
  if (body instanceof Scenery) {
    const { name, indices, rest: positions, contactLevels } = body;
    const surface = { name, indices, positions };
    const make = () => shapeOfSurface(surface, middleOf(positions), contactLevels);
    return { key: body, make: body.contactShape ?? make };
  }
  if (body.kind === 'kinematic') {
    throw new ImpingeError(
      'bad-input',
      `${body.name}: only bodies made by kinematicBody can meet rigid bodies`,
      {
        object: body.name,
      },
    );
  }
  const { name, indices, positions } = body;
  return { key: body, make: () => new ContactShape({ name, indices, positions }, middleOf(positions)) };
}

function shapeOfSurface(surface: RigidSurface, centre: Vec3, levels: ContactLevels | undefined): BodyShape {
  return levels ? new DualShape(surface, centre, levels) : new ContactShape(surface, centre);
}
