/** Verdicts compared with dense samples of the motion, decided exactly. */
import { nutBolt } from '@impinge/scenes/rigid';
import { collide, contains, distance, isClosed, Mesh, type Motion, poseAt, Scene } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box, seededRandom, torus } from '../../../lab/scenes/index.mjs';
import { FAST, least } from '../../../test/budget.js';
import { motionFree } from '../src/motion-free.js';
import { randomBody, randomMotion } from './bodies.js';

const SAMPLES = FAST ? 500 : 10_000;
const times = Array.from({ length: SAMPLES + 1 }, (_, i) => i / SAMPLES);

/** The first sampled time at which the surfaces meet, Infinity where they never do. */
function firstMeeting(body: Mesh, obstacle: Mesh, motion: Motion, among = times): number {
  return (
    among.find((t) => collide(obstacle, body, { poseB: poseAt(motion, t), mode: 'any' }).colliding) ??
    Infinity
  );
}

/** Whether one solid lies in the other, and their surfaces do not meet. */
function isInside(body: Mesh, obstacle: Mesh, motion: Motion): boolean {
  if (!isClosed(body) || !isClosed(obstacle)) return false;
  const { relation } = contains(obstacle, body, { poseB: poseAt(motion, 0) });
  return relation === 'a-inside-b' || relation === 'b-inside-a';
}

function scaled(mesh: Mesh, size: number): Mesh {
  const { storedPositions, storedIndices, origin } = mesh;
  const positions = Array.from(storedPositions, (x, i) => size * (x + origin[i % 3]));
  return Mesh.from({ positions, indices: Array.from(storedIndices) });
}

function scaledMotion(motion: Motion, size: number): Motion {
  const pose = (one: Motion['from']) => {
    const { rotation, translation } = one as { rotation: number[]; translation: number[] };
    return { rotation, translation: translation.map((x) => size * x) };
  };
  const centre = Array.from((motion.centre ?? [0, 0, 0]) as ArrayLike<number>, (x) => size * x);
  return { ...motion, from: pose(motion.from), to: pose(motion.to!), centre };
}

describe('a rigid motion', () => {
  test.each([1, 2, 3, 4])('against dense samples, seed %i', (seed) => {
    const random = seededRandom(seed);
    const seen = { free: 0, hit: 0, undecided: 0 };
    for (let i = 0; i < (FAST ? 6 : 20); i++) {
      const [body, obstacle] = [randomBody(random), randomBody(random)];
      const motion = randomMotion(random);
      const first = firstMeeting(body, obstacle, motion);
      const { verdict, time, contact } = motionFree(body, obstacle, motion);
      seen[verdict]++;
      expect(time).toBeLessThanOrEqual(first);
      if (verdict === 'free') expect(time).toBe(Infinity);
      else if (first === Infinity && isInside(body, obstacle, motion)) expect(time).toBe(0);
      else expect(contact!.distance).toBeLessThan(2e-6);
      if (first < Infinity) expect(verdict).toBe('hit');
    }
    expect(seen.free).toBeGreaterThan(least(2));
    expect(seen.hit).toBeGreaterThan(least(2));
    expect(seen.undecided).toBe(0);
  });

  test.each([5, 6])('that grazes at about the clearance, seed %i', (seed) => {
    const random = seededRandom(seed);
    let free = 0;
    for (let i = 0; i < (FAST ? 3 : 12); i++) {
      const [body, obstacle] = [randomBody(random), randomBody(random)];
      const motion = randomMotion(random, 3);
      const apart = times.map((t) => distance(obstacle, body, { poseB: poseAt(motion, t) }).distance);
      const closest = Math.min(...apart);
      if (closest === 0) continue;
      for (const share of [0.9, 0.999, 0.99999, 1.00001, 1.001, 1.1]) {
        const clearance = share * closest;
        const { verdict, time, contact } = motionFree(body, obstacle, { ...motion, clearance });
        const first = times[apart.findIndex((d) => d <= clearance)] ?? Infinity;
        expect(time).toBeLessThanOrEqual(first);
        if (share > 1) expect(verdict).toBe('hit');
        else if (share < 0.99 && !isInside(body, obstacle, motion)) expect(verdict).toBe('free');
        if (verdict === 'free') free++;
        else if (contact) expect(contact.distance - clearance).toBeLessThan(2e-6);
      }
    }
    expect(free).toBeGreaterThan(least(4));
  });

  // the same numbers but for their exponents: the answers are the same, too
  test.each([11, 12])('of bodies of any size, seed %i', (seed) => {
    const random = seededRandom(seed);
    const seen = { free: 0, hit: 0, undecided: 0 };
    for (let i = 0; i < (FAST ? 20 : 100); i++) {
      const [body, obstacle] = [randomBody(random), randomBody(random)];
      const motion = randomMotion(random);
      const { verdict, time } = motionFree(body, obstacle, motion);
      seen[verdict]++;
      for (const size of [2 ** -12, 2 ** 6, 2 ** 12]) {
        const large = motionFree(scaled(body, size), scaled(obstacle, size), scaledMotion(motion, size));
        expect(large.verdict).toBe(verdict);
        if (verdict === 'free') expect(large.time).toBe(Infinity);
        else expect(Math.abs(large.time - time)).toBeLessThan(1e-6);
      }
    }
    expect(seen.free).toBeGreaterThan(least(10));
    expect(seen.hit).toBeGreaterThan(least(10));
  });

  // the nut has a play of 0.15 mm along its axis
  test.each([
    [0, 'free'],
    [0.05, 'free'],
    [-0.05, 'free'],
    [0.3, 'hit'],
    [-0.3, 'hit'],
  ] as const)('along a thread whose pitch differs by %d: %s', (off, expected) => {
    const { shapes, scenery } = nutBolt({ columns: 24 });
    const [nut, bolt] = [Mesh.from({ ...shapes[0] }), Mesh.from({ ...scenery[0] })];
    const at = (turns: number) => ({
      rotation: [0, Math.sin(Math.PI * turns), 0, Math.cos(Math.PI * turns)],
      translation: [0, 0.002 * (7 + (1 + off) * (turns - 7)), 0],
    });
    const few = times.filter((_, i) => i % (FAST ? 5 : 25) === 0);
    for (const kind of ['linear', 'screw'] as const) {
      const motion = { from: at(7), to: at(7.45), kind };
      const { verdict, time } = motionFree(nut, bolt, motion);
      expect(verdict).toBe(expected);
      const first = firstMeeting(nut, bolt, motion, few);
      expect(time).toBeLessThanOrEqual(first);
      if (verdict === 'hit') expect(first - time).toBeLessThan(0.06);
      else expect(first).toBe(Infinity);
    }
  });

  test('straight onto a large floor', () => {
    const floor = Mesh.from({ positions: [-50, -50, 0, 50, -50, 0, 0, 80, 0], name: 'floor' });
    const block = Mesh.from(box(0.5, 0.5, 0.5));
    for (let i = 0.5; i < 100; i++) {
      const motion = {
        from: { translation: [0, 0, 0.3 + i / 50] },
        to: { translation: [0, 0, 0.2 + i / 1000] },
      };
      const { verdict, time } = motionFree(block, floor, motion);
      const first = (0.05 + i / 50) / (0.1 + (19 * i) / 1000);
      expect(verdict).toBe(first < 1 ? 'hit' : 'free');
      expect(time).toBeLessThanOrEqual(first < 1 ? first + 1e-9 : Infinity);
    }
  });

  test('is hardly ever undecided', () => {
    const random = seededRandom(7);
    const count = FAST ? 100 : 2000;
    let undecided = 0;
    for (let i = 0; i < count; i++) {
      const { verdict } = motionFree(randomBody(random), randomBody(random), randomMotion(random));
      if (verdict === 'undecided') undecided++;
    }
    expect(undecided).toBeLessThanOrEqual(count / 1000);
  });

  test('is undecided where it passes within the accuracy only', () => {
    const cube = Mesh.from(box(1));
    const slab = Mesh.from(box(9, 9, 1));
    // an edge of the cube swings past the slab
    const at = (gap: number, angle: number) => ({
      translation: [0, 0, 0.5 + Math.SQRT1_2 + gap],
      rotation: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)],
    });
    const pass = (gap: number, accuracy: number) =>
      motionFree(cube, slab, { from: at(gap, 0), to: at(gap, 1.5), accuracy }).verdict;
    expect(pass(1e-3, 0.1)).toBe('undecided');
    expect(pass(1e-3, 1e-2)).toBe('free');
    expect(pass(-1e-3, 0.1)).toBe('hit');
  });
});

describe('solids and scenes', () => {
  test('what is inside a closed obstacle is not free, in an open one it is', () => {
    const small = Mesh.from(box(0.1));
    const { positions, indices } = box(1);
    const closed = Mesh.from({ positions, indices });
    const open = Mesh.from({ positions, indices: indices.slice(3) });
    const motion: Motion = { from: { translation: [0.1, 0, 0] }, to: { translation: [-0.1, 0.1, 0] } };
    expect(motionFree(small, closed, motion)).toMatchObject({ verdict: 'hit', time: 0, contact: undefined });
    expect(motionFree(small, open, motion).verdict).toBe('free');
    // the other way round: the obstacle is in the body
    expect(motionFree(closed, small, motion).verdict).toBe('hit');
    expect(motionFree(open, small, motion).verdict).toBe('free');
  });

  test('the first of several obstacles, in meshes and scenes', () => {
    const ring = Mesh.from(torus(1, 0.2, 24, 12));
    const rod = Mesh.from(box(0.2, 0.2, 3));
    const scene = new Scene();
    const near = scene.add(ring, { pose: { translation: [3, 0, 0] } });
    scene.add(ring, { pose: { translation: [6, 0, 0] } });
    const wall = Mesh.from(box(0.1, 9, 9)).transformed({ translation: [-4, 0, 0] });
    const obstacles = [wall, scene];
    const to = (x: number) => ({ to: { translation: [x, 0, 0] } });
    const right = motionFree(rod, obstacles, to(8));
    expect(right.verdict).toBe('hit');
    expect(right.contact!.obstacle).toBe(near);
    expect(right.contact!.normal[0]).toBeCloseTo(-1);
    // from the middle to the outer side of the ring, less half of the rod
    expect(8 * right.time).toBeCloseTo(3 - 1.2 - 0.1, 1);
    const left = motionFree(rod, obstacles, to(-8));
    expect(left.contact!.obstacle).toBe(wall);
    expect(8 * left.time).toBeCloseTo(4 - 0.05 - 0.1, 5);
    expect(motionFree(rod, obstacles, to(1.5)).verdict).toBe('free');
  });

  test('scaled objects are refused', () => {
    const scene = new Scene();
    scene.add(Mesh.from(box(1)), { pose: { scale: 2 } });
    expect(() => motionFree(Mesh.from(box(1)), scene, {})).toThrow(/object 0 is scaled: bake/);
  });
});
