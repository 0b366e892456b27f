/** Where links are, compared with plain products of 4 × 4 matrices; and what a mechanism refuses. */
import { Mesh, type Pose } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box, seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { freeBody, Mechanism } from '../../src/mechanism/mechanism.js';
import type { JointData, LinkShape, MechanismData } from '../../src/mechanism/mechanism-data.js';
import { writeSineCosine } from '../../src/mechanism/sine-cosine.js';
import { randomConfiguration, randomMachine } from './machines.js';

type Matrix = readonly (readonly number[])[];

const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2, 3].map((j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));

function matrixOf(pose: Pose | undefined): Matrix {
  const { rotation = [0, 0, 0, 1], translation = [0, 0, 0] } = (pose ?? {}) as {
    rotation?: number[];
    translation?: number[];
  };
  const rows = [0, 3, 6].map((row) => rotation.slice(row, row + 3));
  return moved(rotation.length === 9 ? rows : turn(rotation), translation);
}

function moved(r: Matrix, t: ArrayLike<number>): Matrix {
  return [...r.map((row, i) => [...row, t[i]]), [0, 0, 0, 1]];
}

/** By a unit quaternion. */
function turn([x, y, z, w]: ArrayLike<number> & number[]): Matrix {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

function about(axis: readonly number[], angle: number): Matrix {
  const s = Math.sin(angle / 2);
  return turn([...axis.map((x) => s * x), Math.cos(angle / 2)] as number[]);
}

/** The pose of a link by its joints, up to the base. */
function slowPose(data: MechanismData, link: string, valuesOf: (joint: JointData) => number[]): Matrix {
  const joint = data.joints!.find(({ child }) => child === link);
  if (!joint) return matrixOf(data.base);
  const at = times(slowPose(data, joint.parent, valuesOf), matrixOf(joint.pose));
  const [p, q, angle, ...rest] = valuesOf(joint);
  const length = Math.hypot(...Array.from(joint.axis!));
  const axis = Array.from(joint.axis!, (x) => x / length);
  if (joint.type === 'fixed') return at;
  if (joint.type === 'revolute' || joint.type === 'continuous')
    return times(at, moved(about(axis, p), [0, 0, 0]));
  if (joint.type === 'prismatic')
    return times(
      at,
      moved(
        about(axis, 0),
        axis.map((x) => p * x),
      ),
    );
  if (joint.type === 'floating') return times(at, moved(turn(rest as number[]), [p, q, angle]));
  // the shortest turn of z to the axis takes x and y to the directions across it
  const [x, y, z] = axis;
  const across = Math.hypot(x, y);
  const tilt = about(across > 0 ? [-y / across, x / across, 0] : [1, 0, 0], Math.atan2(across, z));
  const slide = tilt.map((row) => row[0] * p + row[1] * q);
  return times(at, moved(about(axis, angle), slide));
}

function valuesOf(data: MechanismData, mechanism: Mechanism, q: Float64Array) {
  return (joint: JointData): number[] => {
    if (joint.mimic) {
      const { joint: name, multiplier = 1, offset = 0 } = joint.mimic;
      const [value] = valuesOf(data, mechanism, q)(data.joints!.find((other) => other.name === name)!);
      return [multiplier * value + offset];
    }
    const { first, lower } = mechanism.jointOf.find((one) => one?.name === joint.name)!;
    return [...q.subarray(first, first + lower.length)];
  };
}

describe('forward kinematics', () => {
  test('of random trees, against products of matrices (seed 1)', () => {
    const random = seededRandom(1);
    for (let i = 0; i < (FAST ? 10 : 100); i++) {
      const types = ['revolute', 'continuous', 'prismatic', 'fixed', 'planar', 'floating'] as const;
      const data = randomMachine(random, { links: 2 + Math.floor(12 * random()), types, kinds: 1 });
      const mechanism = new Mechanism(data);
      // where an axis is nearly −z, directions across it are others
      if (data.joints!.some(({ type, axis }) => type === 'planar' && Number(axis![2]) < -1.96)) continue;
      const q = randomConfiguration(random, mechanism);
      const poses = new Float64Array(12 * mechanism.links.length);
      mechanism.forward(q, poses);
      mechanism.links.forEach((link, at) => {
        const slow = slowPose(data, link, valuesOf(data, mechanism, q));
        for (let k = 0; k < 9; k++)
          expect(poses[12 * at + k]).toBeCloseTo(slow[Math.floor(k / 3)][k % 3], 10);
        for (let k = 0; k < 3; k++) expect(poses[12 * at + 9 + k]).toBeCloseTo(slow[k][3], 10);
      });
    }
  });

  test('a rigid body is the mechanism with one floating joint', () => {
    const body = freeBody([{ mesh: Mesh.from(box(1)) }]);
    expect(body.variables).toBe(7);
    const poses = new Float64Array(24);
    body.forward([1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2], poses);
    expect([...poses.subarray(12)].map((x) => Math.round(1e9 * x) / 1e9 + 0)).toEqual([
      ...[0, -1, 0, 1, 0, 0, 0, 0, 1],
      ...[1, 2, 3],
    ]);
  });

  test('limits of joints that follow others count for these', () => {
    const link = (name: string) => ({ name });
    const between = { parent: 'a', type: 'revolute' as const };
    const mechanism = new Mechanism({
      links: ['a', 'b', 'c'].map(link),
      joints: [
        { ...between, name: 'one', child: 'b', lower: -1, upper: 1 },
        {
          ...between,
          name: 'two',
          child: 'c',
          lower: -1,
          upper: 0.5,
          mimic: { joint: 'one', multiplier: -2 },
        },
      ],
    });
    expect([mechanism.variables, mechanism.joints, ...mechanism.lower, ...mechanism.upper]).toEqual([
      ...[1, ['one']],
      ...[-0.25, 0.5],
    ]);
    expect([mechanism.outOfLimits([0.4]), mechanism.outOfLimits([0.6])]).toEqual([-1, 0]);
  });
});

describe('bad data', () => {
  const links = ['a', 'b', 'c'].map((name) => ({ name }));
  const joint = { name: 'j', type: 'revolute', parent: 'a', child: 'b' } as const;
  const rest = { name: 'k', type: 'fixed', parent: 'a', child: 'c' } as const;
  const sized = (shape: LinkShape): MechanismData => ({ links: [{ name: 'a', shapes: [shape] }] });
  const CASES: Readonly<Record<string, [MechanismData, RegExp]>> = {
    'no links': [{ links: [] }, /at least one link/],
    'two of a name': [{ links: [...links, { name: 'a' }] }, /link a: there are two/],
    'an unknown parent': [{ links, joints: [{ ...joint, parent: 'x' }] }, /joint j: its parent x is no link/],
    'a loop': [
      { links, joints: [joint, { ...joint, name: 'k', parent: 'c' }, { ...joint, name: 'l', child: 'c' }] },
      /joint k: link b has two parents, by joints j and k: a loop/,
    ],
    'a ring beside the rest': [
      {
        links,
        joints: [
          { ...joint, parent: 'c' },
          { ...joint, name: 'k', parent: 'b', child: 'c' },
        ],
      },
      /link b: it is its own ancestor/,
    ],
    'two trees': [{ links, joints: [joint] }, /link c: it has no parent, nor has a/],
    'its own parent': [{ links, joints: [{ ...joint, child: 'a' }] }, /link a is its own parent/],
    'no axis': [{ links, joints: [{ ...joint, axis: [0, 0, 0] }, rest] }, /joint j: its axis has no length/],
    'an axis of NaN': [{ links, joints: [{ ...joint, axis: [0, NaN, 0] }, rest] }, /three finite numbers/],
    'limits reversed': [{ links, joints: [{ ...joint, lower: 1, upper: 0 }, rest] }, /reversed: from 1 to 0/],
    'a limit of NaN': [{ links, joints: [{ ...joint, lower: NaN }, rest] }, /its lower limit is NaN/],
    'an unknown type': [
      { links, joints: [{ ...joint, type: 'ball' as 'fixed' }, rest] },
      /unknown type ball/,
    ],
    'mimics itself': [{ links, joints: [{ ...joint, mimic: { joint: 'j' } }, rest] }, /j: it mimics itself/],
    'mimics nothing': [
      { links, joints: [{ ...joint, mimic: { joint: 'x' } }, rest] },
      /mimics x, which is no joint/,
    ],
    'mimics NaN': [
      { links, joints: [{ ...joint, mimic: { joint: 'k', offset: NaN } }, rest] },
      /finite numbers/,
    ],
    'mimics a fixed joint': [
      { links, joints: [{ ...joint, mimic: { joint: 'k' } }, rest] },
      /has not one variable/,
    ],
    'a bent pose': [
      { links, joints: [{ ...joint, pose: { rotation: [1, 1, 1, 1] } }, rest] },
      /joint j: pose/,
    ],
    'an empty box': [sized({ box: [1, 0, 1] }), /a: edge 1 of a box must be a finite number above 0, got 0/],
    'an endless sphere': [sized({ sphere: { radius: Infinity } }), /radius of a sphere/],
    'a flat cylinder': [sized({ cylinder: { radius: 1, length: 0 } }), /length of a cylinder/],
  };

  test.each(Object.entries(CASES))('%s', (_, [data, message]) => {
    expect(() => new Mechanism(data)).toThrow(message);
    expect(() => new Mechanism(data)).toThrow(expect.objectContaining({ name: 'ImpingeError' }));
  });

  test('configurations', () => {
    const body = freeBody([]);
    expect(() => body.assertConfiguration([1, 2])).toThrow('configuration has 2 numbers, body has 7');
    expect(() => body.assertConfiguration([0, 0, NaN, 0, 0, 0, 1])).toThrow('number 2 is NaN');
    expect(() => body.assertConfiguration([0, 0, 0, 0, 0, 0, 2])).toThrow('joint free has not length 1');
    expect(() => body.linkOf('hand')).toThrow('there is no link hand');
  });
});

test('sines and cosines are those of the engine, but for the last digit', () => {
  const random = seededRandom(9);
  const out = new Float64Array(2);
  const angles = Array.from({ length: 2000 }, (_, i) => 10 ** ((i % 14) - 6) * (2 * random() - 1));
  for (const angle of [0, Math.PI / 4, Math.PI / 2, Math.PI, -Math.PI / 2, 1e6, ...angles]) {
    writeSineCosine(angle, out);
    expect(Math.abs(out[0] - Math.sin(angle))).toBeLessThan(3e-16);
    expect(Math.abs(out[1] - Math.cos(angle))).toBeLessThan(3e-16);
  }
});
