/** Mechanisms in contact at the start: what is called free gets nowhere deeper, at dense samples of both surfaces. */
import { slottedPlate } from '@impinge/scenes/puzzle';
import { Mesh, Primitive, Scene } from 'impinge';
import {
  composePoses,
  orthonormalised,
  type RigidPose,
  relativePose,
  toRigidPose,
} from 'impinge/internal/math/pose.js';
import { nodePool } from 'impinge/node';
import { afterAll, describe, expect, test } from 'vitest';
import { box, icosphere, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { every, FAST, least } from '../../../../test/budget.js';
import {
  configurationsFree,
  findJointPath,
  type JointData,
  type LinkShape,
  Mechanism,
  type MechanismData,
  MechanismSpace,
  verifyJointPath,
} from '../../src/index.js';
import type { ConvexSolid } from '../../src/mechanism/convex-solid.js';
import { DrawnBodies } from '../../src/mechanism/drawn-body.js';
import { JointMotion } from '../../src/mechanism/joint-motion.js';
import { LinkBody } from '../../src/mechanism/link-body.js';
import { overlapOf } from '../overlap.js';
import { poseIn, type Random, randomConfiguration, randomMachine } from './machines.js';

const SAMPLES = FAST ? 6 : 16;
const pool = nodePool(2);
afterAll(() => pool.dispose());

interface Placed {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  /** −1: it stands. */
  readonly link: number;
}

/** Meshes of links, each with the link it is on. */
function placedOf(data: MechanismData, mechanism: Mechanism): Placed[] {
  return data.links.flatMap(({ name, shapes = [] }) =>
    shapes.map((shape) => ({
      mesh: (shape as { mesh: Mesh }).mesh,
      pose: orthonormalised(toRigidPose(shape.pose)),
      link: mechanism.linkOf(name),
    })),
  );
}

const standing = (mesh: Mesh): Placed => ({ mesh, pose: toRigidPose({}), link: -1 });

/** How deep two are in each other at a configuration. */
function depthAt(mechanism: Mechanism, a: Placed, b: Placed, q: ArrayLike<number>): number {
  const poses = new Float64Array(12 * mechanism.links.length);
  mechanism.forward(q, poses);
  const at = ({ link, pose }: Placed) =>
    link < 0 ? pose : composePoses(poses.subarray(12 * link, 12 * link + 12), pose);
  return overlapOf(b.mesh, a.mesh, relativePose(at(a), at(b)));
}

/** The deepest of samples of a motion, up to a time. */
function deepest(
  mechanism: Mechanism,
  [a, b]: readonly [Placed, Placed],
  [from, to]: readonly [ArrayLike<number>, ArrayLike<number>],
  end = 1,
): number {
  const motion = new JointMotion(mechanism);
  const q = new Float64Array(mechanism.variables);
  motion.set(from, to);
  let most = 0;
  for (let i = 0; i <= SAMPLES; i++) {
    motion.at((end * i) / SAMPLES, q);
    most = Math.max(most, depthAt(mechanism, a, b, q));
  }
  return most;
}

/** One link on one joint. */
const onJoint = (shape: LinkShape, joint: Partial<JointData>): MechanismData => ({
  links: [{ name: 'base' }, { name: 'part', shapes: [shape] }],
  joints: [
    {
      ...{ name: 'joint', type: 'revolute', parent: 'base', child: 'part', axis: [0, 0, 1] },
      ...{ lower: -4, upper: 4 },
      ...joint,
    },
  ],
});

/** A plate with a round hole along z: as many sides as the hole has corners. */
function ring(sides: number, inner: number, outer: number, height: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const [c, s] = [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)];
    for (const [r, z] of [
      [inner, -height / 2],
      [inner, height / 2],
      [outer, height / 2],
      [outer, -height / 2],
    ])
      positions.push(r * c, r * s, z);
    const [here, there] = [4 * i, 4 * ((i + 1) % sides)];
    for (let k = 0; k < 4; k++) {
      const l = (k + 1) % 4;
      indices.push(here + k, there + k, here + l, there + k, there + l, here + l);
    }
  }
  return Mesh.from({ positions, indices });
}

/** A prism along z with a corner at an angle. */
function prism(sides: number, radius: number, height: number, phase: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = phase + (2 * Math.PI * i) / sides;
    for (const z of [-height / 2, height / 2])
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    const [here, there] = [2 * i, 2 * ((i + 1) % sides)];
    indices.push(here, there, here + 1, there, there + 1, here + 1);
    if (i > 1) indices.push(0, here, here - 2, 1, here - 1, here + 1);
  }
  return Mesh.from({ positions, indices });
}

describe('a peg in a hole', () => {
  const hole = ring(32, 1, 2, 0.5);
  // turned so that no corner of it is deeper later than at first: its corners are farther out than all of the hole
  const peg = prism(24, 1.01, 2, 0.1);
  const spaceOf = (shape: LinkShape, joint: Partial<JointData> = {}) => {
    const data = onJoint(shape, joint);
    const mechanism = new Mechanism(data);
    return { data, mechanism, space: new MechanismSpace(mechanism, hole) };
  };

  test.each<[string, LinkShape]>([
    ['a prism', { mesh: peg }],
    ['a cylinder', { cylinder: { radius: 1, length: 2 } }],
    ['a capsule', { capsule: { radius: 1, length: 1 } }],
  ])('is turned by a joint, and slides out: %s', (_, shape) => {
    for (const [type, to] of [
      ['revolute', 3.5],
      ['prismatic', 3],
    ] as const) {
      const { space } = spaceOf(shape, { type });
      expect(space.edge([0], [to])).toMatchObject({ verdict: 'hit', time: 0, depth: 0 });
      expect(space.edge([0], [to], { allowed: 1e-4 })).toMatchObject({ verdict: 'hit', time: 0, depth: 0 });
      const turned = space.edge([0], [to], { allowed: 0.1 });
      expect(turned.verdict).toBe('free');
      // of the hole, the sides are 0.0048 nearer than its corners
      expect(turned.depth).toBeGreaterThan(0.004);
      expect(turned.depth).toBeLessThan(0.1);
      expect(space.edge([0], [to], { allowed: 0.1, mode: 'any' }).verdict).toBe('free');
    }
  });

  test('gets nowhere deeper than is told', () => {
    const { data, mechanism, space } = spaceOf({ mesh: peg });
    const pair = [standing(hole), placedOf(data, mechanism)[0]] as const;
    const { verdict, depth } = space.edge([0], [3.5], { allowed: 0.1 });
    expect(verdict).toBe('free');
    const sampled = deepest(mechanism, pair, [[0], [3.5]]);
    expect(sampled).toBeGreaterThan(0.009);
    expect(sampled).toBeLessThanOrEqual(depth);
  });

  test.each<[string, LinkShape]>([
    ['a cylinder', { cylinder: { radius: 1, length: 2 } }],
    ['a capsule', { capsule: { radius: 1, length: 1 } }],
    ['a sphere', { sphere: { radius: 1 } }],
  ])('is as deep as a formula tells where it is hit: %s', (_, shape) => {
    for (const angle of [0, 0.05, Math.PI / 32, 1, 2.3]) {
      const axis = [Math.cos(angle), Math.sin(angle), 0];
      const { verdict, time, depth } = spaceOf(shape, { type: 'prismatic', axis }).space.edge([0], [0.5], {
        allowed: 0.1,
      });
      expect(verdict).toBe('hit');
      const side = (Math.PI / 16) * (Math.floor(angle / (Math.PI / 16)) + 0.5);
      const deep = 1 + 0.5 * time * Math.cos(angle - side) - Math.cos(Math.PI / 32);
      expect(deep).toBeLessThanOrEqual(depth);
      expect(deep).toBeGreaterThan(0.7 * depth);
    }
  });

  test('is hit before it is deeper, aside or tilted', () => {
    for (const [joint, to] of [
      [{ type: 'prismatic', axis: [1, 0, 0] }, 0.5],
      [{ axis: [1, 0, 0] }, 0.5],
      // about an axis beside the hole
      [{ axis: [0, 0, 1], pose: { translation: [3, 0, 0] } }, 0.5],
    ] as const) {
      const shape = { mesh: peg, ...('pose' in joint && { pose: { translation: [-3, 0, 0] } }) };
      const { data, mechanism, space } = spaceOf(shape, joint);
      const found = space.edge([0], [to], { allowed: 0.1 });
      expect(found.verdict).toBe('hit');
      expect(found.time).toBeGreaterThan(0);
      const pair = [standing(hole), placedOf(data, mechanism)[0]] as const;
      expect(deepest(mechanism, pair, [[0], [to]], found.time)).toBeLessThanOrEqual(found.depth);
      expect(deepest(mechanism, pair, [[0], [to]])).toBeGreaterThan(found.depth);
    }
  });
});

/** A drawer that stands on two rails between two sides, larger by `more` than its place. */
function drawerIn(more: number, asMeshes: boolean, joint: Partial<JointData> = {}) {
  const parts: [string, number[], number[]][] = [
    ['left rail', [-0.3, -0.5, -0.02], [-0.2, 0.5, 0]],
    ['right rail', [0.2, -0.5, -0.02], [0.3, 0.5, 0]],
    ['left', [-0.32, -0.5, -0.02], [-0.3, 0.5, 0.3]],
    ['right', [0.3, -0.5, -0.02], [0.32, 0.5, 0.3]],
  ];
  const meshOf = (min: number[], max: number[]) =>
    Mesh.from(box(...([0, 1, 2].map((k) => max[k] - min[k]) as [number, number, number]))).transformed({
      translation: min.map((x, k) => 0.5 * (x + max[k])),
    });
  const scene = new Scene();
  for (const [name, min, max] of parts) {
    if (asMeshes) scene.add(meshOf(min, max), { name });
    else scene.add(new Primitive({ min, max }), { name });
  }
  const size = [0.6 + 2 * more, 1, 0.2 + more] as const;
  const pose = { translation: [0, 0, 0.1 - 0.5 * more] };
  const shape = asMeshes ? { mesh: Mesh.from(box(...size)), pose } : { box: size, pose };
  const mechanism = new Mechanism(
    onJoint(shape, { type: 'prismatic', axis: [0, -1, 0], lower: 0, upper: 2, ...joint }),
  );
  const own: Placed = { mesh: Mesh.from(box(...size)), pose: toRigidPose(pose), link: 1 };
  const walls = parts.map(([, min, max]) => standing(meshOf(min, max)));
  return { mechanism, scene, space: new MechanismSpace(mechanism, scene), own, walls };
}

describe('a drawer on its rails', () => {
  test.each([
    [0, false],
    [1e-3, false],
    [0, true],
    [1e-3, true],
  ])('is pulled out, %f larger, as meshes: %s', (more, asMeshes) => {
    const { space, mechanism, own, walls } = drawerIn(more, asMeshes);
    expect(space.edge([0], [1.5])).toMatchObject({ verdict: 'hit', time: 0, depth: 0 });
    const pulled = space.edge([0], [1.5], { allowed: 0.01, clearance: 0.05 });
    expect(pulled).toMatchObject({ verdict: 'free', contact: undefined });
    expect(pulled.depth).toBeGreaterThanOrEqual(more);
    expect(pulled.depth).toBeLessThanOrEqual(Math.max(4 * more, 1e-4));
    for (const wall of walls)
      expect(deepest(mechanism, [wall, own], [[0], [1.5]])).toBeLessThanOrEqual(pulled.depth);
  });

  test.each([false, true])('not through its rails or its sides, as meshes: %s', (asMeshes) => {
    for (const axis of [
      [0, 0, -1],
      [1, 0, 0],
      [-0.1, -1, 0],
    ]) {
      const { space, mechanism, own, walls } = drawerIn(1e-3, asMeshes, { axis });
      const found = space.edge([0], [0.5], { allowed: 0.01 });
      expect(found.verdict).toBe('hit');
      for (const wall of walls)
        expect(deepest(mechanism, [wall, own], [[0], [0.5]], found.time)).toBeLessThanOrEqual(found.depth);
    }
  });

  test('depths by pair, and pairs that may pass through each other', () => {
    const { space } = drawerIn(1e-3, false, { axis: [0, 0, -1] });
    const asked: string[] = [];
    const allowed = ({ a, b, object }: { a: string; b: string; object: unknown }) => {
      asked.push(`${a} ${b} ${object !== undefined}`);
      return b.endsWith('rail') ? Infinity : 0.01;
    };
    expect(space.edge([0], [0.5], { allowed }).verdict).toBe('free');
    expect(asked).toContain('part left rail true');
    expect(space.edge([0], [0.5], { allowed: Infinity }).verdict).toBe('free');
    const rails = ({ b }: { b: string }) => (b.endsWith('rail') ? 1e-4 : 0.01);
    expect(space.edge([0], [0.5], { allowed: rails })).toMatchObject({ time: 0, pair: { a: 'part' } });
  });

  test('only what is in contact at first is not held to the clearance', () => {
    const { space, scene } = drawerIn(1e-3, false);
    scene.add(new Primitive({ centre: [0, -1, 0.5], radius: 0.2 }), { name: 'lamp' }); // 0.1 above the way
    const pulled = (clearance: number) => space.edge([0], [1.5], { clearance, allowed: 0.01 });
    expect(pulled(0.09).verdict).toBe('free');
    expect(pulled(0.11)).toMatchObject({ verdict: 'hit', pair: { b: 'lamp' } });
    const held = new MechanismSpace(space.mechanism, scene, {
      contact: { configurations: [[0]], allowed: 0.01 },
    });
    const kept = held.edgeClearance([0], [1.5]);
    expect(kept.least).toBeLessThanOrEqual(0.1);
    expect(kept.least).toBeGreaterThan(0.08);
    expect(kept.most).toBeGreaterThanOrEqual(0.1 - 1e-9);
    // what is nearer than the clearance is in contact, too
    const near = new MechanismSpace(space.mechanism, scene, {
      contact: { configurations: [[0.7]], allowed: 0.01, clearance: 0.12 },
    });
    expect(near.isFree([0.7], 0.12)).toBe(true);
    expect(near.edge([0.6], [0.8], { clearance: 0.12 }).verdict).toBe('free');
    expect(held.isFree([0.7], 0.12)).toBe(false);
  });

  test('contacts follow what moves and what is attached', () => {
    const { mechanism, scene } = drawerIn(1e-3, false);
    const contact = { configurations: [[0]], allowed: 0.01 };
    const space = new MechanismSpace(mechanism, scene, { contact });
    const { depth } = space;
    expect(depth).toBeGreaterThan(1e-3);
    const ball = mechanism.attach('part', { sphere: { radius: 0.1 }, pose: { translation: [0, 0, 0.298] } });
    const lid = scene.add(new Primitive({ min: [-0.3, -0.5, 0.395], max: [0.3, 2, 0.5] }), { name: 'lid' });
    expect(space.isFree([0])).toBe(true);
    expect(space.depth).toBeGreaterThan(2e-3);
    expect(space.edge([0], [0.3]).verdict).toBe('free');
    lid.move({ translation: [0, 0, -0.05] });
    expect(space.meeting([0])).toMatchObject({ a: ball.name, b: 'lid' });
    ball.remove();
    expect(space.isFree([0])).toBe(true);
    expect(space.depth).toBe(depth);
  });
});

describe('a gripper', () => {
  const finger = { box: [0.02, 0.04, 0.1], pose: { translation: [0.01, 0, 0.05] } };
  const data: MechanismData = {
    links: [
      { name: 'base' },
      { name: 'hand' },
      { name: 'left', shapes: [finger] },
      { name: 'right', shapes: [finger] },
    ],
    joints: [
      { name: 'lift', type: 'prismatic', parent: 'base', child: 'hand', axis: [0, 0, 1], lower: 0, upper: 1 },
      { name: 'l', type: 'prismatic', parent: 'hand', child: 'left', lower: -1, upper: 1 },
      {
        ...{ name: 'r', type: 'prismatic', parent: 'hand', child: 'right', mimic: { joint: 'l' } },
        pose: { rotation: [0, 0, 1, 0] },
      },
    ],
  };
  const grip = (shape: LinkShape) => {
    const mechanism = new Mechanism(data);
    mechanism.attach('hand', shape, { name: 'held' });
    const scene = new Scene();
    scene.add(new Primitive({ normal: [0, 0, 1], offset: -0.02 }), { name: 'table' });
    return new MechanismSpace(mechanism, scene);
  };

  test.each<[string, LinkShape, number]>([
    ['a block', { box: [0.06, 0.03, 0.12], pose: { translation: [0, 0, 0.04] } }, 0.03],
    ['a can', { cylinder: { radius: 0.03, length: 0.12 }, pose: { translation: [0, 0, 0.04] } }, 0.03],
    ['a ball', { sphere: { radius: 0.05 }, pose: { translation: [0, 0, 0.03] } }, 0.05],
    [
      'a ring',
      {
        mesh: Mesh.from(torus(0.04, 0.015, 48, 24)),
        pose: { rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], translation: [0, 0, 0.035] },
      },
      0.055,
    ],
  ])('lifts what it holds off the table, and opens: %s', (_, shape, half) => {
    const space = grip(shape);
    const closed = half - 1e-4; // fingers are that deep in what they hold, and are free to open
    expect(space.meeting([0, closed])).toBeDefined();
    const lifted = space.edge([0, closed], [0.5, closed], { allowed: 1e-3, clearance: 1e-3 });
    expect(lifted.verdict).toBe('free');
    expect(lifted.depth).toBeGreaterThanOrEqual(9e-5);
    expect(lifted.depth).toBeLessThanOrEqual(1e-3);
    expect(space.edge([0, closed], [0.5, half + 0.1], { allowed: 1e-3 }).verdict).toBe('free');
    // closing, and setting down through the table
    const pressed = space.edge([0, closed], [0, closed - 0.02], { allowed: 1e-3 });
    expect(pressed.verdict).toBe('hit');
    expect(1e-4 + 0.02 * pressed.time).toBeLessThanOrEqual(pressed.depth + 1e-6);
    expect(['left', 'right']).toContain(pressed.pair!.a);
    expect(space.edge([0, closed], [-0.1, closed], { allowed: 1e-3 })).toMatchObject({
      verdict: 'hit',
      pair: { a: 'held', b: 'table' },
    });
  });

  test('a plate too thin to be drawn in is held by what it lies on', () => {
    const plate = { box: [1, 1, 1e-4] };
    const mechanism = new Mechanism(
      onJoint(plate, { type: 'planar', axis: [0, 0, 1], lower: [-9, -9, -9], upper: [9, 9, 9] }),
    );
    const space = new MechanismSpace(
      mechanism,
      Mesh.from(box(4, 4, 1)).transformed({ translation: [0, 0, -0.499] }),
    );
    const slid = space.edge([0, 0, 0], [1, 1, 3], { allowed: 0.01 });
    expect(slid.verdict).toBe('free');
    expect(slid.depth).toBeGreaterThan(1e-3);
  });
});

describe('several joints', () => {
  const table = slottedPlate({ thickness: 1, slot: [3, 3] });
  /** A ring on an arm of two joints, which lies on a plate with a slot. */
  function scara(more: number) {
    const plate = Mesh.from(table).transformed({
      rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
      translation: [0, 0, -0.5],
    });
    const shape = { mesh: ring(12, 0.5, 2, 0.5), pose: { translation: [1.5, 0, 0.25 - more] } };
    const data: MechanismData = {
      links: [{ name: 'base' }, { name: 'upper' }, { name: 'fore', shapes: [shape] }],
      joints: ['upper', 'fore'].map((child, i) => ({
        ...{ name: child, type: 'revolute', parent: i === 0 ? 'base' : 'upper', child, axis: [0, 0, 1] },
        ...{ pose: { translation: [1.5 * i, 0, 0] }, lower: -3, upper: 3 },
      })),
    };
    const mechanism = new Mechanism(data);
    return { mechanism, pair: [standing(plate), placedOf(data, mechanism)[0]] as const, plate };
  }

  test('slide along a plane together', () => {
    const { mechanism, pair, plate } = scara(1e-3);
    const space = new MechanismSpace(mechanism, plate);
    const ends = [
      [0.2, 0.3],
      [0.7, -0.4],
    ] as const;
    expect(space.edge(...ends).time).toBe(0);
    const slid = space.edge(...ends, { allowed: 0.02 });
    expect(slid.verdict).toBe('free');
    expect(deepest(mechanism, pair, ends)).toBeLessThanOrEqual(slid.depth);
    expect(slid.depth).toBeGreaterThanOrEqual(1e-3);
  });
});

/** A machine of meshes among meshes, at a configuration at which some are a little in each other. */
function inContact(random: Random, links: number) {
  const types = ['revolute', 'revolute', 'continuous', 'prismatic', 'planar'] as const;
  const data = randomMachine(random, { links, types, kinds: 3 });
  const mechanism = new Mechanism(data);
  const allowed = data.joints!.map(({ parent, child }) => [parent, child] as [string, string]);
  const obstacles = Array.from({ length: 3 }, (_, i) => {
    const mesh = i === 0 ? torus(0.8, 0.2, 16, 8) : i === 1 ? box(0.5, 0.7, 0.9) : icosphere(2, 0.5);
    return Mesh.from(mesh).transformed(poseIn(random, 4));
  });
  const scene = new Scene();
  for (const obstacle of obstacles) scene.add(obstacle);
  const space = new MechanismSpace(mechanism, scene, { allowed });
  const own = placedOf(data, mechanism);
  const names = new Set(allowed.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const nameOf = ({ link }: Placed) => mechanism.links[link];
  const pairs = own.flatMap((a, i) => [
    ...obstacles.map((mesh) => [standing(mesh), a] as const),
    ...own.slice(i + 1).flatMap((b) => (names.has(`${nameOf(a)} ${nameOf(b)}`) ? [] : [[a, b] as const])),
  ]);
  const motion = new JointMotion(mechanism);
  for (let tries = 0; tries < 20; tries++) {
    const [a, b] = [randomConfiguration(random, mechanism), randomConfiguration(random, mechanism)];
    const found = space.edge(a, b);
    if (!(found.time > 0 && found.time < 1)) continue;
    const start = new Float64Array(mechanism.variables);
    motion.set(a, b);
    motion.at(found.time + 2e-3 * random(), start);
    return { mechanism, space, pairs, start };
  }
  return undefined;
}

describe('random machines', () => {
  test.each(every([1, 2, 3], 1))('none that is called free gets deeper, seed %i', (seed) => {
    const random = seededRandom(seed);
    const counts = { free: 0, resting: 0, hit: 0, undecided: 0 };
    for (let i = 0; i < (FAST ? 4 : 10); i++) {
      const one = inContact(random, 2 + Math.floor(3 * random()));
      if (!one) continue;
      const { mechanism, space, pairs, start } = one;
      const before = pairs.map(([a, b]) => depthAt(mechanism, a, b, start));
      for (let k = 0; k < 3; k++) {
        const to = start.map((x) => x + (random() < 0.5 ? 0.6 : 0.02) * (2 * random() - 1));
        const found = space.edge(start, to, { allowed: 0.02 });
        counts[found.verdict]++;
        expect(found.depth).toBeLessThanOrEqual(0.02);
        if (found.depth > 0 && found.time > 0) counts.resting++;
        const end = Math.min(1, found.time) * (1 - 1e-6);
        pairs.forEach((pair, p) => {
          // what touches nothing at first touches nothing
          const most = before[p] > 0 ? Math.max(found.depth, before[p]) : found.depth;
          expect(deepest(mechanism, pair, [start, to], end)).toBeLessThanOrEqual(most + 1e-9);
        });
        if (found.verdict === 'free') expect(Math.max(...before)).toBeLessThanOrEqual(found.depth);
        if (found.contact !== undefined) expect(found.contact).toBeGreaterThanOrEqual(found.time);
      }
    }
    expect(counts.resting).toBeGreaterThan(least(5));
    expect(counts.free).toBeGreaterThan(least(3));
    expect(counts.undecided).toBeLessThanOrEqual(0.1 * (counts.free + counts.hit));
  });

  test.each([4, 5])('are where no contact is as without a depth, seed %i', (seed) => {
    const random = seededRandom(seed);
    for (let i = 0; i < 6; i++) {
      const one = inContact(random, 3);
      if (!one) continue;
      const { mechanism, space } = one;
      const [from, to] = [randomConfiguration(random, mechanism), randomConfiguration(random, mechanism)];
      if (!space.isFree(from)) continue;
      const { pieces: _pieces, ...plain } = space.edge(from, to);
      expect(space.edge(from, to, { allowed: 0.02 })).toMatchObject(plain);
    }
  });

  test.each([6, 7])('one by one, many at once and on threads are the same, seed %i', async (seed) => {
    const random = seededRandom(seed);
    let held = 0;
    for (let i = 0; i < 4; i++) {
      const one = inContact(random, 3);
      if (!one) continue;
      const { mechanism, pairs, start } = one;
      const scene = new Scene();
      for (const { mesh, link } of new Set(pairs.flat())) if (link < 0) scene.add(mesh);
      const allowed = mechanism.links.slice(1).map((name, k) => [mechanism.links[k], name] as const);
      const contact = { configurations: [start], allowed: 0.02 };
      const space = new MechanismSpace(mechanism, scene, { allowed, contact });
      if (space.depth > 0) held++;
      const some = Float64Array.from(
        Array.from({ length: 300 }, (_, k) => [...start.map((x) => x + 0.004 * k * (random() - 0.5))]).flat(),
      );
      for (const clearance of [0, 0.01]) {
        const many = space.areFree(some, clearance);
        expect(await configurationsFree(space, some, { clearance })).toEqual(many);
        expect(await configurationsFree(space, some, { clearance, pool })).toEqual(many);
        many.forEach((free, k) => {
          const q = some.subarray(mechanism.variables * k, mechanism.variables * (k + 1));
          expect(Number(mechanism.outOfLimits(q) < 0 && space.isFree(q, clearance))).toBe(free);
          if (!free || clearance > 0 || k % 15 > 0) return;
          for (const [a, b] of pairs) expect(depthAt(mechanism, a, b, q)).toBeLessThanOrEqual(space.depth);
        });
      }
    }
    expect(held).toBeGreaterThan(0);
  });
});

describe('paths', () => {
  /** A block on a table, moved along x and z over a wall to another place. */
  const block = Mesh.from(box(0.4, 0.4, 0.4));
  const floor = Mesh.from(box(6, 2, 1)).transformed({ translation: [0, 0, -0.5] });
  const wall = Mesh.from(box(0.2, 2, 0.6)).transformed({ translation: [0, 0, 0.2995] });
  const sunk = { pose: { translation: [0, 0, 0.1999] } };
  const data: MechanismData = {
    links: [{ name: 'base' }, { name: 'x' }, { name: 'block', shapes: [{ mesh: block, ...sunk }] }],
    joints: [
      { name: 'x', type: 'prismatic', parent: 'base', child: 'x', lower: -2, upper: 2 },
      { name: 'z', type: 'prismatic', parent: 'x', child: 'block', axis: [0, 0, 1], lower: 0, upper: 2 },
    ],
  };
  const mechanism = new Mechanism(data);
  const scene = new Scene();
  scene.add(floor, { name: 'floor' });
  scene.add(wall, { name: 'wall' });
  const space = new MechanismSpace(mechanism, scene);
  const asked = { start: [-1, 0], goals: [[1, 0]], clearance: 0.02 };

  test.each([1, 2])('begin and end in contact, seed %i', async (seed) => {
    const found = await findJointPath(space, { ...asked, allowed: 1e-3, seed });
    if (!found.found) throw new Error(found.reason);
    const { configurations, certificate } = found.path;
    expect(certificate).toMatchObject({ free: true, motion: -1 });
    expect(certificate.clearance).toBeGreaterThanOrEqual(0.02);
    expect(certificate.depth).toBeGreaterThanOrEqual(1e-4);
    expect(certificate.depth).toBeLessThanOrEqual(1e-3);
    const [own] = placedOf(data, mechanism);
    for (let i = 1; i < configurations.length; i++) {
      const ends = [configurations[i - 1], configurations[i]] as const;
      expect(deepest(mechanism, [standing(floor), own], ends)).toBeLessThanOrEqual(certificate.depth);
      expect(deepest(mechanism, [standing(wall), own], ends)).toBe(0);
    }
    const back = { configurations: [...configurations].reverse() };
    const verified = verifyJointPath(space, back, { clearance: 0.02, allowed: 1e-3 });
    expect(verified).toMatchObject({ free: true, depth: certificate.depth });
    expect(verifyJointPath(space, back, { allowed: 1e-5 }).free).toBe(false);
    expect(verifyJointPath(space, back)).toMatchObject({ free: false, depth: 0, motion: 0 });
    await expect(findJointPath(space, asked)).rejects.toThrow('the start is not free: block comes too near');
    await expect(findJointPath(space, { ...asked, allowed: 1e-5 })).rejects.toThrow('the start is not free');
  });

  test('of surfaces that no plane parts are proved again by other means', async () => {
    const space = new MechanismSpace(
      new Mechanism(onJoint({ mesh: prism(12, 1.01, 2, 0.1) }, {})),
      ring(16, 1, 2, 0.5),
    );
    const found = await findJointPath(space, { start: [0], goals: [[2]], allowed: 0.2 });
    if (!found.found) throw new Error(found.reason);
    const { depth } = found.path.certificate;
    expect(depth).toBeGreaterThan(0.01);
    expect(verifyJointPath(space, found.path, { allowed: 0.2 })).toMatchObject({ free: true, depth });
  });

  test('that go deeper are told', () => {
    const configurations = [
      [-1, 0],
      [-1.5, -0.01],
      [-1.5, 0],
    ].map((q) => Float64Array.from(q));
    expect(verifyJointPath(space, { configurations }, { allowed: 1e-3 })).toMatchObject({
      free: false,
      motion: 0,
      clearance: 0,
    });
    const through = [asked.start, asked.goals[0]].map((q) => Float64Array.from(q));
    expect(verifyJointPath(space, { configurations: through }, { allowed: 1e-3 }).free).toBe(false);
  });

  test.each<[string, unknown]>([
    ['a negative depth', -1],
    ['no number', Number.NaN],
    ['a text', '0.01'],
    ['nothing', null],
    ['a function of no number', () => Number.NaN],
    ['a function of nothing', () => undefined],
  ])('refuse %s', async (_, allowed) => {
    const wrong = allowed as number;
    const message = /allowed must be at least 0, got/;
    expect(() => space.edge([-1, 0], [1, 0], { allowed: wrong })).toThrow(message);
    expect(() =>
      verifyJointPath(space, { configurations: [Float64Array.of(-1, 0)] }, { allowed: wrong }),
    ).toThrow(message);
    await expect(findJointPath(space, { ...asked, allowed: wrong })).rejects.toThrow(message);
    const contact = { configurations: [[-1, 0]], allowed: wrong };
    expect(() => new MechanismSpace(mechanism, scene, { contact }).isFree([0, 0])).toThrow(message);
  });

  test.each<[string, unknown, string]>([
    ['no configurations', { allowed: 1 }, 'contact.configurations must be a list of configurations'],
    [
      'half a configuration',
      { configurations: [[0]], allowed: 1 },
      'a configuration of contact has 1 numbers',
    ],
    ['a configuration of no numbers', { configurations: [[0, NaN]], allowed: 1 }, 'number 1 is NaN'],
    ['no depth', { configurations: [[0, 0]] }, 'allowed must be at least 0, got undefined'],
    ['a negative clearance', { configurations: [], allowed: 1, clearance: -1 }, 'clearance'],
    ['an unknown option', { configurations: [], allowed: 1, depth: 1 }, 'no option depth'],
  ])('a space refuses a contact of %s', (_, contact, message) => {
    expect(() => new MechanismSpace(mechanism, scene, { contact: contact as never })).toThrow(message);
  });

  test('a depth where nothing is in contact changes nothing', async () => {
    const above = { start: [-1, 0.5], goals: [[1, 0.5]] };
    const plain = await findJointPath(space, above);
    const allowed = await findJointPath(space, { ...above, allowed: 0.1 });
    if (!plain.found || !allowed.found) throw new Error('not found');
    expect(allowed.path).toEqual(plain.path);
    expect(allowed.path.certificate.depth).toBe(0);
  });
});

describe('solids drawn in', () => {
  const drawnBy = (shape: LinkShape, length: number) =>
    new DrawnBodies().by(new LinkBody(0, 'one', shape), length, true);
  const farthest = (solid: ConvexSolid, n: readonly number[]) => {
    solid.extent(n[0], n[1], n[2]);
    return [solid.x, solid.y, solid.z].map((x, k) => x + solid.radius * n[k]);
  };

  test.each<[string, LinkShape]>([
    ['a box', { box: [1, 0.4, 0.1], pose: { translation: [3, 0, 0] } }],
    ['a sphere', { sphere: { radius: 0.3 } }],
    ['a cylinder', { cylinder: { radius: 0.3, length: 0.5 } }],
    ['a capsule', { capsule: { radius: 0.3, length: 0.5 } }],
    ['a convex mesh', { mesh: Mesh.from(icosphere(1, 0.5)) }],
  ])('are within the body, and no part of its surface is farther from them: %s', (_, shape) => {
    const random = seededRandom(9);
    const whole = new LinkBody(0, 'one', shape).solid;
    for (const length of [1e-6, 1e-3, 0.02]) {
      const { body, depth } = drawnBy(shape, length)!;
      expect(depth).toBeLessThanOrEqual(length);
      for (let i = 0; i < 200; i++) {
        const v = [random() - 0.5, random() - 0.5, random() - 0.5];
        const n = v.map((x) => x / Math.hypot(...v));
        const along = (solid: ConvexSolid) => farthest(solid, n).reduce((sum, x, k) => sum + x * n[k], 0);
        // convex sets are as far apart as their extents differ at most
        const less = along(whole) - along(body.solid);
        expect(less).toBeGreaterThan(0);
        expect(less).toBeLessThanOrEqual(depth * (1 + 1e-9) + 1e-15);
      }
    }
  });

  test('what has too little is not drawn in', () => {
    expect(drawnBy({ sphere: { radius: 0.1 } }, 0.1)).toBe(undefined);
    expect(drawnBy({ cylinder: { radius: 0.1, length: 0.01 } }, 0.05)).toBe(undefined);
    const flat = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] });
    expect(drawnBy({ mesh: flat }, 0.05)).toBe(undefined);
  });
});
