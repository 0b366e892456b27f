/** The joints of a simulation: made, removed, broken; and pairs of bodies that they leave alone. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { relativePose } from 'impinge/internal/math/pose.js';
import type { PairFilter } from '../bodies/pair-filter.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { ChooseEngine } from './contact-engine.js';
import { Joint, type JointHandle, type JointOptions } from './joint.js';
import type { Member } from './member.js';
import type { MovingBodies } from './moving-bodies.js';
import { frameOf } from './shape-meetings.js';

/** What the simulation does before a joint is changed or removed. */
export interface JointOwner {
  readonly dt: number;
  readonly onChange: () => void;
  readonly onRemove: (joint: Joint) => void;
}

export class Joints {
  readonly #all = new Map<Joint, JointHandle>();
  readonly #bodies: MovingBodies;
  readonly #filter: PairFilter;
  readonly #engineOf: ChooseEngine;
  readonly #thickness: number;
  /** Bodies that did not collide as long as they were joined, and may still overlap. */
  #released: (readonly [Member, Member])[] = [];

  constructor(bodies: MovingBodies, filter: PairFilter, engineOf: ChooseEngine, thickness: number) {
    this.#bodies = bodies;
    this.#filter = filter;
    this.#engineOf = engineOf;
    this.#thickness = thickness;
  }

  get count(): number {
    return this.#all.size;
  }

  /** Those that hold. */
  get holding(): Joint[] {
    return [...this.#all.keys()].filter(({ state }) => !state.broken);
  }

  /** Bodies that motors drive. */
  get driven(): Member[] {
    return this.holding.filter(({ motor }) => motor).map(({ a }) => a.member as Member);
  }

  join(options: JointOptions, members: readonly Member[], owner: JointOwner): JointHandle {
    const { a: first, b: second } = Object(options) as Partial<JointOptions>;
    const [a, b] = [first, second].map((body) => members.find((member) => member.body === body));
    if (!a?.rigid || (second && !b) || a === b) {
      throw new ImpingeError(
        'bad-input',
        'a joint needs a rigid body of the simulation, and another or scenery of it unless it is tied to the world',
      );
    }
    const joint = new Joint(options, a, b);
    const handle = handleOf(joint, owner);
    this.#all.set(joint, handle);
    if (b && !joint.collide) this.#filter.except(a.body, b.body, 1);
    this.#tie();
    joint.disturb();
    return handle;
  }

  /** Takes a joint away; false if it is not there. */
  remove(joint: Joint): boolean {
    if (!this.#all.delete(joint)) return false;
    if (!joint.state.broken) this.#release(joint);
    this.#tie();
    joint.disturb();
    return true;
  }

  /** Takes away the joints of a body that leaves. */
  leave(member: Member): void {
    for (const joint of [...this.#all.keys()])
      if (joint.a.member === member || joint.b.member === member) this.remove(joint);
    for (const [a, b] of this.#released)
      if (a === member || b === member) this.#filter.except(a.body, b.body, -1);
    this.#released = this.#released.filter(([a, b]) => a !== member && b !== member);
  }

  /** Begins a step: released bodies that are apart collide again. */
  begin(): void {
    for (const joint of this.#all.keys()) joint.keep(0);
    this.#released = this.#released.filter(([a, b]) => {
      const engine = this.#engineOf(a.shape, b.shape);
      const pose = relativePose(frameOf(a), frameOf(b));
      const isNear = engine.distance({ a: a.shape, b: b.shape, pose }) < this.#thickness;
      engine.dispose?.();
      if (!isNear) this.#filter.except(a.body, b.body, -1);
      return isNear;
    });
  }

  /** Comes back to the beginning of the step. */
  comeBack(): void {
    for (const joint of this.#all.keys()) joint.comeBack(0);
  }

  /** Begins to add up what joints of moving bodies carry in a step of dt seconds. */
  beginCount(dt: number): void {
    const { awake } = this.#bodies;
    for (const joint of this.#all.keys()) {
      const { a, b, state } = joint;
      if (![a, b].some(({ member }) => member && awake[member.index] !== 0)) continue;
      joint.load = Math.hypot(...state.carried.subarray(0, 3)) / dt;
      state.carried.fill(0);
    }
  }

  /** Ends a step: those that broke in it. */
  broken(): JointHandle[] {
    const broken = [...this.#all].filter(([joint]) => joint.breaks);
    for (const [joint] of broken) this.#release(joint);
    if (broken.length > 0) this.#tie();
    return broken.map(([, handle]) => handle);
  }

  /** Writes what changes from step to step. */
  save(out: StateWriter, members: readonly Member[]): void {
    for (const joint of this.#all.keys()) joint.save(out);
    out.array(Uint32Array.from(this.#released.flat(), (member) => members.indexOf(member)));
  }

  /** Takes it over, for the same joints. */
  restore(from: StateReader, members: readonly Member[]): void {
    this.#exceptAll(-1);
    for (const joint of this.#all.keys()) joint.restore(from);
    const indices = new Uint32Array(from.bytes().buffer as ArrayBuffer);
    this.#released = Array.from({ length: indices.length / 2 }, (_, i) => [
      members[indices[2 * i]],
      members[indices[2 * i + 1]],
    ]);
    this.#exceptAll(1);
    this.#tie();
  }

  /** Leaves alone, or no longer, all that do not collide. */
  #exceptAll(by: 1 | -1): void {
    for (const { a, b, collide } of this.holding)
      if (a.member && b.member && !collide) this.#filter.except(a.member.body, b.member.body, by);
    for (const [a, b] of this.#released) this.#filter.except(a.body, b.body, by);
  }

  #release({ a, b, collide }: Joint): void {
    if (a.member && b.member && !collide) this.#released.push([a.member, b.member]);
  }

  /** Tells which bodies are tied to which. */
  #tie(): void {
    this.#bodies.ties = this.holding.flatMap(({ a, b }) =>
      a.member && b.member ? [[a.member, b.member] as const] : [],
    );
  }
}

function handleOf(joint: Joint, { dt, onChange, onRemove }: JointOwner): JointHandle {
  const mean = (from: number) =>
    Array.from(joint.state.carried.subarray(from, from + 3), (x) => x / dt) as unknown as Vec3;
  return {
    kind: joint.kind,
    a: (joint.a.member as Member).rigid as JointHandle['a'],
    b: joint.b.member?.body,
    get position() {
      return joint.position;
    },
    get force() {
      return mean(0);
    },
    get torque() {
      return mean(3);
    },
    get motor() {
      return joint.motor;
    },
    set motor(motor) {
      onChange();
      joint.motor = motor;
    },
    get broken() {
      return joint.state.broken;
    },
    remove: () => onRemove(joint),
  };
}
