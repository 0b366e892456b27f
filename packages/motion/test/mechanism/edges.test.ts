/** Free configurations and motions, compared with the triangles of dense samples. */
import { collide, contains, isClosed, Mesh, Primitive, Scene } from 'impinge';
import { composePoses, orthonormalised, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { JointMotion } from '../../src/mechanism/joint-motion.js';
import { freeBody, Mechanism } from '../../src/mechanism/mechanism.js';
import type { LinkShape, MechanismData } from '../../src/mechanism/mechanism-data.js';
import { MechanismSpace } from '../../src/mechanism/mechanism-space.js';
import { poseIn, type Random, randomConfiguration, randomMachine } from './machines.js';

/** Each mesh of a machine with its link; all have one, as their only shape. */
function meshesOf(data: MechanismData, mechanism: Mechanism) {
  return mechanism.links.map((name) => {
    const shape = data.links.find((link) => link.name === name)!.shapes![0] as LinkShape & { mesh: Mesh };
    return { mesh: shape.mesh, own: orthonormalised(toRigidPose(shape.pose)), name };
  });
}

/** Whether anything meets: all triangles against all, and solids in solids. */
function bruteMeets(
  mechanism: Mechanism,
  meshes: ReturnType<typeof meshesOf>,
  obstacles: readonly Mesh[],
  allowed: ReadonlySet<string>,
  q: Float64Array,
): boolean {
  const poses = new Float64Array(12 * mechanism.links.length);
  mechanism.forward(q, poses);
  const pose = (link: number) => composePoses(poses.subarray(12 * link, 12 * link + 12), meshes[link].own);
  const meets = (a: Mesh, b: Mesh, poseA?: Float64Array, poseB?: Float64Array) => {
    const at = { ...(poseA && { poseA }), ...(poseB && { poseB }) };
    if (collide(a, b, { ...at, mode: 'any' }).colliding) return true;
    return isClosed(a) && isClosed(b) && contains(a, b, at).relation !== 'disjoint';
  };
  return meshes.some(
    ({ mesh, name }, i) =>
      obstacles.some((obstacle) => meets(mesh, obstacle, pose(i))) ||
      meshes.some(
        (other, j) =>
          j > i && !allowed.has(`${name} ${other.name}`) && meets(mesh, other.mesh, pose(i), pose(j)),
      ),
  );
}

/** A machine of meshes among meshes; links next to each other may touch. */
function someSpace(random: Random, links: number) {
  const types = ['revolute', 'revolute', 'continuous', 'prismatic', 'floating', 'planar'] as const;
  const data = randomMachine(random, { links, types, kinds: 3 });
  const mechanism = new Mechanism(data);
  const allowed = data.joints!.map(({ parent, child }) => [parent, child] as [string, string]);
  const obstacles = Array.from({ length: 3 }, (_, i) => {
    const mesh = i === 0 ? torus(0.8, 0.2, 16, 8) : i === 1 ? box(0.5, 0.7, 0.9) : icosphere(2, 0.5);
    return Mesh.from(mesh).transformed(poseIn(random, 5));
  });
  const scene = new Scene();
  for (const obstacle of obstacles) scene.add(obstacle);
  const names = new Set(allowed.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const meshes = meshesOf(data, mechanism);
  const brute = (q: Float64Array) => bruteMeets(mechanism, meshes, obstacles, names, q);
  return { mechanism, space: new MechanismSpace(mechanism, scene, { allowed }), brute };
}

describe('configurations', () => {
  test('are free where no triangles meet and nothing lies in anything (seed 5)', () => {
    const random = seededRandom(5);
    let free = 0;
    let all = 0;
    for (let i = 0; i < (FAST ? 6 : 40); i++) {
      const { mechanism, space, brute } = someSpace(random, 2 + Math.floor(4 * random()));
      for (let k = 0; k < 20; k++) {
        const q = randomConfiguration(random, mechanism);
        const isFree = space.isFree(q);
        expect(isFree).toBe(!brute(q));
        expect(space.meeting(q) === undefined).toBe(isFree);
        free += Number(isFree);
        all++;
      }
    }
    expect(free).toBeGreaterThan(0.1 * all);
    expect(free).toBeLessThan(0.97 * all);
  });

  test('many at once are what they are one by one, and those out of limits are not free', () => {
    const random = seededRandom(6);
    const { mechanism, space } = someSpace(random, 5);
    const some = Array.from({ length: 50 }, () => randomConfiguration(random, mechanism));
    const out = space.areFree(Float64Array.from(some.flatMap((q) => [...q])));
    some.forEach((q, i) => {
      expect(out[i]).toBe(Number(mechanism.outOfLimits(q) < 0 && space.isFree(q)));
    });
    expect(() => space.areFree(new Float64Array(mechanism.variables + 1))).toThrow('are no configurations');
  });
});

describe('motions', () => {
  test('a free one has no sample that meets, a hit is never late (seed 7)', () => {
    const random = seededRandom(7);
    const counts = { free: 0, hit: 0, undecided: 0 };
    for (let i = 0; i < (FAST ? 6 : 20); i++) {
      const { mechanism, space, brute } = someSpace(random, 2 + Math.floor(4 * random()));
      const motion = new JointMotion(mechanism);
      const q = new Float64Array(mechanism.variables);
      for (let k = 0; k < 3; k++) {
        const from = randomConfiguration(random, mechanism);
        const to = randomConfiguration(random, mechanism);
        for (let v = 0; v < q.length; v++) if (random() < 0.5) to[v] = from[v] + 0.2 * (to[v] - from[v]);
        for (const { type, first } of mechanism.jointOf.flatMap((joint) => joint ?? [])) {
          if (type !== 'floating') continue;
          const length = Math.hypot(...to.subarray(first + 3, first + 7));
          for (let v = first + 3; v < first + 7; v++) to[v] /= length;
        }
        const found = space.edge(from, to);
        const any = space.edge(from, to, { mode: 'any' });
        counts[found.verdict]++;
        if (found.verdict !== 'undecided' && any.verdict !== 'undecided')
          expect(any.verdict).toBe(found.verdict);
        motion.set(from, to);
        const meetsAt = (time: number) => {
          motion.at(time, q);
          return brute(q);
        };
        const until = Math.min(found.time, 1);
        const samples = FAST ? 20 : 40;
        for (let s = 0; s <= samples; s++) {
          const time = (s / samples) * until;
          if (time < found.time) expect(meetsAt(time)).toBe(false);
        }
        if (found.contact !== undefined) {
          expect(meetsAt(found.contact)).toBe(true);
          expect(found.contact).toBeGreaterThanOrEqual(found.time);
        }
      }
    }
    expect(counts.free).toBeGreaterThan(FAST ? 1 : 6);
    expect(counts.hit).toBeGreaterThan(FAST ? 1 : 6);
    expect(counts.undecided).toBe(0);
  });

  test('clearance is kept, and known from both sides (seed 8)', () => {
    const random = seededRandom(8);
    for (let i = 0; i < (FAST ? 10 : 60); i++) {
      const { mechanism, space } = someSpace(random, 3);
      const motion = new JointMotion(mechanism);
      const q = new Float64Array(mechanism.variables);
      const from = randomConfiguration(random, mechanism);
      const to = randomConfiguration(random, mechanism);
      const free = space.edge(from, to, { clearance: 0.05 });
      const kept = space.edgeClearance(from, to);
      if (kept.least > 0.05) expect(free.verdict).toBe('free');
      if (kept.most < 0.05) expect(free.verdict).not.toBe('free');
      if (kept.most < Infinity) {
        const beyond = { clearance: kept.most, accuracy: 0.02, mode: 'any' } as const;
        expect(space.edge(from, to, beyond).verdict).not.toBe('free');
        expect(kept.most - kept.least).toBeLessThan(0.16 * kept.most + 0.1);
      }
      motion.set(from, to);
      for (let s = 0; s <= 60; s++) {
        motion.at(s / 60, q);
        if (s / 60 < free.time) expect(space.isFree(q, 0.05)).toBe(true);
        if (kept.least > 0) expect(space.isFree(q, kept.least - 1e-9)).toBe(true);
      }
      if (free.contact === undefined) continue;
      motion.at(free.contact, q);
      expect(space.isFree(q, 0.05)).toBe(false);
    }
  });

  test('an arm swings into a wall at the angle that a formula tells', () => {
    // a rod of length 2 from the origin, turned about z towards a wall at x = 1
    const arm = new Mechanism({
      links: [
        { name: 'base' },
        { name: 'rod', shapes: [{ capsule: { radius: 0.1, length: 2 }, pose: alongY }] },
      ],
      joints: [{ name: 'turn', type: 'continuous', parent: 'base', child: 'rod', axis: [0, 0, -1] }],
    });
    const scene = new Scene();
    scene.add(new Primitive({ normal: [-1, 0, 0], offset: -1 }), { name: 'wall' });
    const space = new MechanismSpace(arm, scene);
    // the end of its axis is 0.1 from the wall: 2 sin(angle) = 0.9
    const angle = Math.asin(0.45);
    const found = space.edge([0], [1]);
    expect(found.verdict).toBe('hit');
    expect(found.time).toBeLessThanOrEqual(angle);
    expect(found.time).toBeGreaterThan(angle - 1e-5);
    expect(found.pair).toMatchObject({ a: 'rod', b: 'wall' });
    expect(space.edge([0], [angle - 1e-4]).verdict).toBe('free');
    // the shorter way round
    expect(space.edge([0], [2 * Math.PI - 1]).verdict).toBe('free');
    expect(new MechanismSpace(arm, scene, { allowed: [['rod', 'wall']] }).edge([0], [1]).verdict).toBe(
      'free',
    );
    // it grazes the clearance: nothing can be decided
    const gap = 1 - 0.1 - 2 * Math.sin(0.3);
    expect(space.edge([0], [0.3], { clearance: gap + 1e-9, accuracy: 1e-4 }).verdict).toBe('undecided');
    expect(space.edge([0], [0.3], { clearance: gap - 1e-3, accuracy: 1e-4 }).verdict).toBe('free');
  });

  test('a slide that grazes something is undecided within 10⁻⁶ of the coordinates', () => {
    const scene = new Scene();
    scene.add(new Primitive({ centre: [0, 0, 0], radius: 1 }));
    const past = (gap: number) => {
      const ball = { sphere: { radius: 0.1 }, pose: { translation: [1.1 + gap, 0, 0] } };
      const slider = new Mechanism({
        links: [{ name: 'base' }, { name: 'slider', shapes: [ball] }],
        joints: [{ name: 'slide', type: 'prismatic', parent: 'base', child: 'slider', axis: [0, 1, 0] }],
      });
      return new MechanismSpace(slider, scene).edge([-1], [1.1]).verdict;
    };
    expect([1e-5, 1e-7, -1e-5].map(past)).toEqual(['free', 'undecided', 'hit']);
  });

  test('a body in a hollow one is in collision, though nothing touches', () => {
    const hollow = Mesh.from(torus(2, 0.8, 24, 12));
    const space = new MechanismSpace(freeBody([{ sphere: { radius: 0.1 } }]), hollow);
    const at = (x: number) => [x, 0, 0, 0, 0, 0, 1];
    expect([space.isFree(at(0)), space.isFree(at(2)), space.isFree(at(4))]).toEqual([true, false, true]);
    expect(space.edge(at(2), at(2.1))).toMatchObject({ verdict: 'hit', time: 0 });
    expect(space.edge(at(0), at(0.5)).verdict).toBe('free');
    expect(space.edge(at(0), at(4)).time).toBeCloseTo((2 - 0.8 - 0.1) / 4, 1);
  });

  test('follows what is attached, what moves, and what may touch', () => {
    const body = freeBody([{ box: [1, 1, 1] }]);
    const scene = new Scene();
    const obstacle = scene.add(new Primitive({ centre: [0, 0, 3], radius: 1 }), { name: 'ball' });
    const space = new MechanismSpace(body, scene);
    const here = [0, 0, 0, 0, 0, 0, 1];
    expect(space.isFree(here)).toBe(true);
    const held = body.attach(
      'body',
      { box: [0.2, 0.2, 2], pose: { translation: [0, 0, 1.2] } },
      { name: 'tool' },
    );
    expect(space.meeting(here)).toEqual({ a: 'tool', b: 'ball', object: obstacle });
    obstacle.move({ translation: [0, 0, 5] });
    expect(space.isFree(here)).toBe(true);
    obstacle.move({ translation: [0, 0, 0] });
    held.remove();
    expect(space.isFree(here)).toBe(true);
    expect(() => held.remove()).toThrow('tool was removed from body');
  });
});

const alongY = { rotation: [Math.SQRT1_2, 0, 0, -Math.SQRT1_2], translation: [0, 1, 0] };
