/**
 * A tree of links and joints, and where its links are for a configuration: all variables of all joints, in one array.
 *
 * Layout: poses are twelve numbers each as in math/pose.ts, link after link, parents before children.
 */
import { ImpingeError, type Pose } from 'impinge';
import { readKnown, shown } from 'impinge/internal/base/options.js';
import {
  orthonormalised,
  type RigidPose,
  toRigidPose,
  writeQuaternionTurn,
} from 'impinge/internal/math/pose.js';
import { LinkBody } from './link-body.js';
import type { LinkData, LinkShape, MechanismData } from './mechanism-data.js';
import { type Joint, MechanismReader, type PlaceOf } from './read-mechanism.js';
import { writeSineCosine } from './sine-cosine.js';

export interface AttachOptions {
  /** For messages and allowed pairs (default: attached 1, attached 2 …). */
  readonly name?: string;
  /** Names of links that it may touch, besides the link that holds it. */
  readonly touching?: readonly string[];
}

/** What a link holds. */
export interface AttachedObject {
  readonly name: string;
  readonly link: string;
  remove(): void;
}

const ATTACH_NAMES = { name: true, touching: true } as const;

export class Mechanism {
  readonly name: string;
  /** Names, in the order of their poses. */
  readonly links: readonly string[];
  /** Names of the joints with variables of their own, in the order of these. */
  readonly joints: readonly string[];
  /** Numbers of a configuration. */
  readonly variables: number;
  /** Of each variable; infinite where there is none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** @internal By link; undefined for the first. */
  readonly jointOf: readonly (Joint | undefined)[];
  /** @internal Where the first link is. */
  readonly base: RigidPose;
  readonly #bodies: LinkBody[] = [];
  readonly #held: { readonly body: LinkBody; readonly touching: ReadonlySet<string> }[] = [];
  readonly #move = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  readonly #frame = new Float64Array(12);
  #revision = 0;
  #attached = 0;

  /** Checks the data. What is wrong is an error that names the joint or link. */
  constructor(data: MechanismData, place?: PlaceOf) {
    const { links, jointOf, variables } = new MechanismReader(data, place).read();
    this.name = data.name ?? '';
    this.links = links.map((at) => data.links[at].name);
    this.jointOf = jointOf;
    this.variables = variables;
    this.base = orthonormalised(toRigidPose(data.base));
    const free = jointOf.filter((joint) => joint?.free && joint.lower.length > 0) as Joint[];
    this.joints = free.map(({ name }) => name);
    this.lower = new Float64Array(variables).fill(-Infinity);
    this.upper = new Float64Array(variables).fill(Infinity);
    for (const joint of jointOf) if (joint) this.#limit(joint);
    links.forEach((at, link) => {
      for (const shape of shapesOf(data.links[at]))
        this.#bodies.push(new LinkBody(link, this.links[link], shape));
    });
  }

  /** Rises when objects are attached or removed. */
  get revision(): number {
    return this.#revision;
  }

  /** @internal The shapes of all links, and what they hold. */
  get bodies(): readonly LinkBody[] {
    return [...this.#bodies, ...this.#held.map(({ body }) => body)];
  }

  /** The index of a link: its pose begins at twelve times that. */
  linkOf(name: string): number {
    const index = this.links.indexOf(name);
    if (index < 0) throw new ImpingeError('bad-input', `there is no link ${shown(name)}`, { link: name });
    return index;
  }

  /** Writes the poses of all links, twelve numbers each; allocates nothing. */
  forward(configuration: ArrayLike<number>, poses: Float64Array): void {
    poses.set(this.base);
    const { jointOf } = this;
    const [move, frame] = [this.#move, this.#frame];
    for (let link = 1; link < jointOf.length; link++) {
      const joint = jointOf[link]!;
      if (joint.lower.length === 0) {
        compose(poses, 12 * joint.parent, joint.before, poses, 12 * link);
        continue;
      }
      writeMove(joint, configuration, move);
      compose(poses, 12 * joint.parent, joint.before, frame, 0);
      compose(frame, 0, move, poses, 12 * link);
    }
  }

  /** Throws unless it is a configuration: as many finite numbers as there are variables, quaternions not 0. */
  assertConfiguration(configuration: ArrayLike<number>, name = 'configuration'): void {
    if (configuration?.length !== this.variables) {
      const own = `${this.name || 'the mechanism'} has ${this.variables}`;
      const why = `${name} has ${shown(configuration?.length)} numbers, ${own}`;
      throw new ImpingeError('bad-input', why);
    }
    for (let i = 0; i < this.variables; i++) {
      if (Number.isFinite(configuration[i])) continue;
      throw new ImpingeError('non-finite', `${name}: number ${i} is ${shown(configuration[i])}`, {
        variable: i,
      });
    }
    for (const joint of this.jointOf) {
      if (joint?.type !== 'floating') continue;
      const [x, y, z, w] = [3, 4, 5, 6].map((k) => configuration[joint.first + k]);
      if (Math.abs(Math.hypot(x, y, z, w) - 1) > 1e-3)
        throw new ImpingeError('bad-pose', `${name}: the quaternion of joint ${joint.name} has not length 1`);
    }
  }

  /** The first variable out of its limits, or −1. */
  outOfLimits(configuration: ArrayLike<number>): number {
    for (let i = 0; i < this.variables; i++) {
      if (!(configuration[i] >= this.lower[i] && configuration[i] <= this.upper[i])) return i;
    }
    return -1;
  }

  /** Has a link hold something from now on, given in the link's frame. */
  attach(link: string, shape: LinkShape, options: AttachOptions = {}): AttachedObject {
    const { name = `attached ${++this.#attached}`, touching = [] } = readKnown(
      'attach',
      options,
      ATTACH_NAMES,
    );
    if (typeof name !== 'string') throw new ImpingeError('bad-option', `name is ${shown(name)}, not a text`);
    if (!Array.isArray(touching)) throw new ImpingeError('bad-option', 'touching must be a list of links');
    for (const other of touching) this.linkOf(other);
    const body = new LinkBody(this.linkOf(link), name, shape);
    const held = { body, touching: new Set([link, ...touching]) };
    this.#held.push(held);
    this.#revision++;
    return {
      name,
      link,
      remove: () => {
        const at = this.#held.indexOf(held);
        if (at < 0) throw new ImpingeError('removed', `${name} was removed from ${link}`);
        this.#held.splice(at, 1);
        this.#revision++;
      },
    };
  }

  /** @internal Whether something that is held may touch the other. */
  mayTouch(a: LinkBody, b: LinkBody): boolean {
    return this.#touches(a, b) || this.#touches(b, a);
  }

  #touches(held: LinkBody, other: LinkBody): boolean {
    return this.#held.some(({ body, touching }) => body === held && touching.has(other.name));
  }

  /** Takes the limits of a joint over to its variables; those of joints that follow another count for that. */
  #limit({ name, free, first, factor, offset, lower, upper }: Joint): void {
    for (let i = 0; i < lower.length; i++) {
      const [one, two] = free
        ? [lower[i], upper[i]]
        : [(lower[i] - offset) / factor, (upper[i] - offset) / factor];
      if (!free && factor === 0) continue;
      this.lower[first + i] = Math.max(this.lower[first + i], Math.min(one, two));
      this.upper[first + i] = Math.min(this.upper[first + i], Math.max(one, two));
      if (this.lower[first + i] > this.upper[first + i])
        throw new ImpingeError(
          'bad-input',
          `joint ${name}: its limits and those of the joint it mimics exclude each other`,
        );
    }
  }
}

function shapesOf({ name, shapes = [] }: LinkData): readonly LinkShape[] {
  if (Array.isArray(shapes)) return shapes;
  throw new ImpingeError('bad-input', `link ${name}: shapes must be a list`, { link: name });
}

/** A mechanism of one body that moves freely: seven variables, a position and a quaternion (x, y, z, w). */
export function freeBody(shapes: readonly LinkShape[], base?: Pose): Mechanism {
  return new Mechanism({
    name: 'body',
    links: [{ name: 'space' }, { name: 'body', shapes }],
    joints: [{ name: 'free', type: 'floating', parent: 'space', child: 'body' }],
    ...(base === undefined ? {} : { base }),
  });
}

/** Writes what a joint does to its child, in the joint's frame. */
function writeMove(
  { type, first, factor, offset, axis }: Joint,
  q: ArrayLike<number>,
  out: Float64Array,
): void {
  const value = factor * q[first] + offset;
  out[9] = out[10] = out[11] = 0;
  switch (type) {
    case 'revolute':
    case 'continuous':
      writeTurn(axis, value, out);
      return;
    case 'prismatic':
      writeTurn(axis, 0, out);
      for (let k = 0; k < 3; k++) out[9 + k] = value * axis[k];
      return;
    case 'planar':
      writeTurn(axis, q[first + 2], out);
      for (let k = 0; k < 3; k++) out[9 + k] = q[first] * axis[3 + k] + q[first + 1] * axis[6 + k];
      return;
    case 'floating':
      writeQuaternionTurn(q[first + 3], q[first + 4], q[first + 5], q[first + 6], out);
      for (let k = 0; k < 3; k++) out[9 + k] = q[first + k];
  }
}

/** Writes the rotation about a unit vector. */
function writeTurn(axis: Float64Array, angle: number, out: Float64Array): void {
  writeSineCosine(0.5 * angle, half);
  writeQuaternionTurn(half[0] * axis[0], half[0] * axis[1], half[0] * axis[2], half[1], out);
}

const half = new Float64Array(2);

/** Writes the pose that applies `b` first, then that at `a[at ..]`. */
export function compose(a: Float64Array, at: number, b: Float64Array, out: Float64Array, to: number): void {
  for (let row = 0; row < 3; row++) {
    const x = a[at + 3 * row];
    const y = a[at + 3 * row + 1];
    const z = a[at + 3 * row + 2];
    out[to + 3 * row] = x * b[0] + y * b[3] + z * b[6];
    out[to + 3 * row + 1] = x * b[1] + y * b[4] + z * b[7];
    out[to + 3 * row + 2] = x * b[2] + y * b[5] + z * b[8];
    out[to + 9 + row] = x * b[9] + y * b[10] + z * b[11] + a[at + 9 + row];
  }
}
