/**
 * A mechanism's data, checked and put in order: parents before children, joints by their child.
 * Errs: everything wrong is one line that names the joint or link; `place` adds where in a file it is.
 */
import { ImpingeError } from 'impinge';
import { readKnown, shown } from 'impinge/internal/base/options.js';
import { orthonormalised, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import {
  JOINT_TYPES,
  type JointData,
  type JointType,
  type MechanismData,
  VARIABLES,
} from './mechanism-data.js';

/** A joint as it is used; `first` is the place of its first variable, or of the first of the joint that it follows. */
export interface Joint {
  readonly name: string;
  readonly type: JointType;
  /** Indices of links. */
  readonly parent: number;
  readonly child: number;
  readonly before: RigidPose;
  /** Three unit vectors: the axis, and two across it. */
  readonly axis: Float64Array;
  readonly first: number;
  readonly factor: number;
  readonly offset: number;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Whether its variables are its own. */
  readonly free: boolean;
}

/** Says where in a file a link or joint is, for messages. */
export type PlaceOf = (kind: 'link' | 'joint', name: string) => string;

const DATA_NAMES = { name: true, links: true, joints: true, base: true } as const;
const LINK_NAMES = { name: true, shapes: true } as const;
const JOINT_NAMES = {
  name: true,
  type: true,
  parent: true,
  child: true,
  pose: true,
  axis: true,
  lower: true,
  upper: true,
  mimic: true,
} as const;
const MIMIC_NAMES = { joint: true, multiplier: true, offset: true } as const;

const NOWHERE: PlaceOf = () => '';
/** Far more than any machine has. */
const MOST_LINKS = 10_000;

export interface OrderedLinks {
  /** The order of links: names in data → index. */
  readonly links: readonly number[];
  /** By link; undefined for the first. */
  readonly jointOf: readonly (Joint | undefined)[];
  readonly variables: number;
}

export class MechanismReader {
  readonly #data: MechanismData;
  readonly #place: PlaceOf;
  readonly #links = new Map<string, number>();
  readonly #joints = new Map<string, JointData>();
  /** Of each link, as the child; and those it bears. */
  readonly #above: (JointData | undefined)[] = [];
  readonly #below: JointData[][] = [];

  constructor(data: MechanismData, place: PlaceOf = NOWHERE) {
    this.#data = data;
    this.#place = place;
  }

  read(): OrderedLinks {
    const { links, joints = [], name = '' } = readKnown('Mechanism', this.#data, DATA_NAMES);
    if (!Array.isArray(links)) throw new ImpingeError('bad-input', 'links must be a list');
    if (!Array.isArray(joints)) throw new ImpingeError('bad-input', 'joints must be a list');
    if (typeof name !== 'string')
      throw new ImpingeError('bad-input', `name must be a text, got ${shown(name)}`);
    for (const link of links) readKnown('a link', link, LINK_NAMES);
    for (const joint of joints) {
      readKnown('a joint', joint, JOINT_NAMES);
      if (joint.mimic !== undefined) readKnown('mimic', joint.mimic, MIMIC_NAMES);
    }
    this.#nameAll();
    this.#connect();
    const order = this.#order();
    const indexOf = new Int32Array(order.length);
    order.forEach((link, index) => {
      indexOf[link] = index;
    });
    let variables = 0;
    const firstOf = new Map<string, number>();
    for (const link of order) {
      const joint = this.#above[link];
      if (!joint || joint.mimic) continue;
      firstOf.set(joint.name, variables);
      variables += VARIABLES[joint.type];
    }
    const jointOf = order.map((link) => {
      const joint = this.#above[link];
      return joint && this.#readJoint(joint, indexOf, firstOf);
    });
    return { links: order, jointOf, variables };
  }

  #nameAll(): void {
    const { links, joints = [] } = this.#data;
    if (links.length === 0) throw new ImpingeError('bad-input', 'a mechanism has at least one link');
    if (links.length > MOST_LINKS) throw new ImpingeError('bad-input', `more than ${MOST_LINKS} links`);
    links.forEach(({ name }, i) => {
      if (typeof name !== 'string' || name === '') throw this.#fail('link', shown(name), 'it needs a name');
      if (this.#links.has(name)) throw this.#fail('link', name, 'there are two of this name');
      this.#links.set(name, i);
      this.#below.push([]);
    });
    for (const joint of joints) {
      if (typeof joint.name !== 'string' || joint.name === '')
        throw this.#fail('joint', shown(joint.name), 'it needs a name');
      if (this.#joints.has(joint.name)) throw this.#fail('joint', joint.name, 'there are two of this name');
      if (!JOINT_TYPES.includes(joint.type)) {
        throw this.#fail(
          'joint',
          joint.name,
          `unknown type ${shown(joint.type)}; it is one of ${JOINT_TYPES.join(', ')}`,
        );
      }
      this.#joints.set(joint.name, joint);
    }
  }

  #connect(): void {
    for (const joint of this.#joints.values()) {
      const parent = this.#linkOf(joint, 'parent');
      const child = this.#linkOf(joint, 'child');
      if (parent === child) throw this.#fail('joint', joint.name, `link ${joint.child} is its own parent`);
      const other = this.#above[child];
      if (other) {
        const why = `link ${joint.child} has two parents, by joints ${other.name} and ${joint.name}: a loop`;
        throw this.#fail('joint', joint.name, why);
      }
      this.#above[child] = joint;
      this.#below[parent].push(joint);
    }
  }

  #linkOf(joint: JointData, side: 'parent' | 'child'): number {
    const index = this.#links.get(joint[side]);
    if (index !== undefined) return index;
    throw this.#fail('joint', joint.name, `its ${side} ${shown(joint[side])} is no link`);
  }

  /** Links in data, each after its parent. */
  #order(): number[] {
    const names = this.#data.links.map(({ name }) => name);
    const roots = names.filter((_, i) => !this.#above[i]);
    if (roots.length > 1)
      throw this.#fail(
        'link',
        roots[1],
        `it has no parent, nor has ${roots[0]}: there must be one such link`,
      );
    const order = roots.map((name) => this.#links.get(name)!);
    for (let at = 0; at < order.length; at++) {
      for (const { child } of this.#below[order[at]]) order.push(this.#links.get(child)!);
    }
    if (order.length === names.length) return order;
    const reached = new Set(order);
    const inLoop = names.find((_, i) => !reached.has(i))!;
    throw this.#fail('link', inLoop, 'it is its own ancestor: the joints make a loop');
  }

  #readJoint(joint: JointData, indexOf: Int32Array, firstOf: ReadonlyMap<string, number>): Joint {
    const { name, type, mimic } = joint;
    const count = VARIABLES[type];
    const [lower, upper] = [this.#limits(joint, 'lower', -1), this.#limits(joint, 'upper', 1)];
    for (let i = 0; i < count; i++) {
      if (lower[i] > upper[i])
        throw this.#fail('joint', name, `its limits are reversed: from ${lower[i]} to ${upper[i]}`);
    }
    let [source, factor, offset] = [joint, 1, 0];
    const seen = new Set<string>();
    while (source.mimic) {
      if (seen.has(source.name)) throw this.#fail('joint', name, 'it mimics itself');
      seen.add(source.name);
      const { joint: to, multiplier = 1, offset: plus = 0 } = source.mimic;
      if (!Number.isFinite(multiplier) || !Number.isFinite(plus))
        throw this.#fail('joint', name, 'multiplier and offset of its mimic must be finite numbers');
      const next = this.#joints.get(to);
      if (!next) throw this.#fail('joint', name, `it mimics ${shown(to)}, which is no joint`);
      if (VARIABLES[next.type] !== 1 && count > 0)
        throw this.#fail('joint', name, `it mimics ${to}, which has not one variable`);
      offset += factor * plus;
      factor *= multiplier;
      source = next;
    }
    if (mimic && count > 1) throw this.#fail('joint', name, `a ${type} joint cannot mimic`);
    return {
      name,
      type,
      parent: indexOf[this.#links.get(joint.parent)!],
      child: indexOf[this.#links.get(joint.child)!],
      before: this.#pose(joint),
      axis: this.#axis(joint),
      first: firstOf.get(source.name) ?? 0,
      factor,
      offset,
      lower,
      upper,
      free: !mimic,
    };
  }

  #limits(joint: JointData, side: 'lower' | 'upper', sign: number): number[] {
    const count = VARIABLES[joint.type];
    const given = joint[side];
    if (given === undefined || joint.type === 'continuous' || joint.type === 'fixed')
      return new Array<number>(count).fill(sign * Infinity);
    const limits = typeof given === 'number' ? [given] : numbersOf(given);
    if (limits?.length !== count)
      throw this.#fail('joint', joint.name, `${side} must be ${count} numbers, one for each variable`);
    const wrong = limits.find(Number.isNaN);
    if (wrong !== undefined) throw this.#fail('joint', joint.name, `its ${side} limit is ${wrong}`);
    return limits;
  }

  #pose(joint: JointData): RigidPose {
    try {
      return orthonormalised(toRigidPose(joint.pose));
    } catch (error) {
      throw this.#fail('joint', joint.name, error instanceof Error ? error.message : String(error));
    }
  }

  /** The axis, and two unit vectors that follow it as x and y do z. */
  #axis({ name, type, axis = [1, 0, 0] }: JointData): Float64Array {
    if (type === 'fixed' || type === 'floating') return Float64Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0);
    const three = numbersOf(axis);
    if (three?.length !== 3 || !three.every(Number.isFinite))
      throw this.#fail('joint', name, `its axis must be three finite numbers, got ${shown(axis)}`);
    const [x, y, z] = three;
    const length = Math.hypot(x, y, z);
    if (!(length > 0)) throw this.#fail('joint', name, 'its axis has no length');
    const [ax, ay, az] = [x / length, y / length, z / length];
    // the shortest turn that takes z to the axis takes x and y along
    const k = az > -0.99 ? 1 / (1 + az) : 0;
    const first = k > 0 ? [1 - k * ax * ax, -k * ax * ay, -ax] : normalised(0, -az, ay);
    const [ux, uy, uz] = first;
    return Float64Array.of(ax, ay, az, ux, uy, uz, ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux);
  }

  #fail(kind: 'link' | 'joint', name: string, why: string): ImpingeError {
    return new ImpingeError('bad-input', `${this.#place(kind, name)}${kind} ${name}: ${why}`, {
      [kind]: name,
    });
  }
}

function normalised(x: number, y: number, z: number): number[] {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Numbers as callers give them; undefined where they are none. */
export function numbersOf(list: unknown): number[] | undefined {
  if (typeof list !== 'object' || list === null || !('length' in list)) return undefined;
  const { length } = list as ArrayLike<unknown>;
  // no more than any joint or shape has
  if (!Number.isInteger(length) || length < 0 || length > 16) return undefined;
  const numbers = Array.from({ length }, (_, i) => (list as ArrayLike<unknown>)[i]);
  return numbers.every((x) => typeof x === 'number') ? (numbers as number[]) : undefined;
}
