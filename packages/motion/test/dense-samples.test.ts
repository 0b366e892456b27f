/**
 * Motions that are proved free, beside very many of their poses: in the long mode a million of each motion. Bodies are
 * what is hard to get right: large faces and tiny ones, triangles without area, solids in solids, all of it far from
 * zero; some motions graze what they pass, some are held to a clearance.
 */
import { collide, distance, type Mesh, type Motion, poseAt, Scene } from 'impinge';
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../lab/scenes/index.mjs';
import { FAST, LONG, least } from '../../../test/budget.js';
import { JointMotion } from '../src/mechanism/joint-motion.js';
import { Mechanism } from '../src/mechanism/mechanism.js';
import { MechanismSpace } from '../src/mechanism/mechanism-space.js';
import { motionFree } from '../src/motion-free.js';
import { posesFree } from '../src/poses-free.js';
import { type Random, randomBody, randomMotion, roughBody } from './bodies.js';
import { randomConfiguration, randomMachine } from './mechanism/machines.js';

const SAMPLES = LONG ? 1_000_000 : FAST ? 1000 : 10_000;
const CHUNK = 50_000;
const MOTIONS = FAST ? 10 : 60;
/** Milliseconds for a test. */
const PATIENCE = LONG ? 3_600_000 : 300_000;
/** Samples of which the nearest is grazed. */
const FEW = 200;

/** A motion of one body past another, everything moved by `far` along some direction. */
function passing(random: Random, far: number) {
  const [u, v, w] = randomRotation(random);
  const shift = [far * u, far * v, far * w];
  const [body, obstacle] = [roughBody(random, shift), roughBody(random, shift)];
  const { from, to, kind } = randomMotion(random, random() < 0.5 ? 3 : 1.5);
  const centre = body.box.min.map((low, k) => 0.5 * (low + body.box.max[k]));
  // turned about the middle, which is near that of the obstacle
  const about = (pose: Motion['from']) => {
    const { rotation: r, translation: t } = pose as { rotation: number[]; translation: number[] };
    const turned = (k: number) => r[3 * k] * centre[0] + r[3 * k + 1] * centre[1] + r[3 * k + 2] * centre[2];
    return { rotation: r, translation: t.map((x, k) => x + shift[k] - turned(k)) };
  };
  return { body, obstacle, motion: { from: about(from), to: about(to), kind, centre } as Motion };
}

/** How many of many poses along a motion are not free. */
async function hitsAlong(body: Mesh, obstacle: Mesh, motion: Motion, clearance: number): Promise<number> {
  let hits = 0;
  for (let first = 0; first <= SAMPLES; first += CHUNK) {
    const count = Math.min(CHUNK, SAMPLES + 1 - first);
    const poses = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      const { rotation, translation } = poseAt(motion, (first + i) / SAMPLES);
      poses.set(rotation, 12 * i);
      poses.set(translation, 12 * i + 9);
    }
    for (const free of await posesFree(body, obstacle, poses, { clearance })) if (!free) hits++;
  }
  return hits;
}

describe('motions that are proved free', () => {
  test.each([
    [1, 0],
    [2, 0],
    [3, 1e3],
    [4, 1e6],
  ])(
    'of rigid bodies, seed %i, %d from zero',
    async (seed, far) => {
      const random = seededRandom(seed);
      const seen = { free: 0, hit: 0, undecided: 0 };
      for (let i = 0; i < MOTIONS; i++) {
        const { body, obstacle, motion } = passing(random, far);
        const apart = (t: number) => distance(obstacle, body, { poseB: poseAt(motion, t) }).distance;
        const nearest = Math.min(...Array.from({ length: FEW + 1 }, (_, s) => apart(s / FEW)));
        // what grazes comes nearer between the samples, or does not
        const share = [0, 0.3, 0.99, 0.9999, 1.0001][i % 5];
        const clearance = share * nearest;
        const { verdict, time } = motionFree(body, obstacle, { ...motion, clearance });
        seen[verdict]++;
        if (verdict === 'free') expect(await hitsAlong(body, obstacle, motion, clearance)).toBe(0);
        else if (nearest <= clearance) expect(time).toBeLessThan(1);
      }
      expect(seen.free).toBeGreaterThan(least(MOTIONS / 10));
      expect(seen.hit).toBeGreaterThan(least(MOTIONS / 10));
    },
    PATIENCE,
  );

  test.each([11, 12])(
    'of machines, seed %i',
    (seed) => {
      const random = seededRandom(seed);
      const seen = { free: 0, hit: 0, undecided: 0 };
      const samples = SAMPLES / 10; // a machine of several links takes longer
      for (let i = 0; i < MOTIONS / 5; i++) {
        const types = ['revolute', 'continuous', 'prismatic', 'planar'] as const;
        const data = randomMachine(random, { links: 2 + Math.floor(4 * random()), types });
        const mechanism = new Mechanism(data);
        const scene = new Scene();
        for (let k = 0; k < 3; k++)
          scene.add(roughBody(random, [0, 0, 0]), { pose: randomMotion(random, 2).from! });
        const allowed = data.joints!.map(({ parent, child }) => [parent, child] as [string, string]);
        const space = new MechanismSpace(mechanism, scene, { allowed });
        const motion = new JointMotion(mechanism);
        const q = new Float64Array(mechanism.variables);
        for (const share of [0, 0.6, 0.99, 1.01]) {
          const [from, to] = [randomConfiguration(random, mechanism), randomConfiguration(random, mechanism)];
          for (let v = 0; v < to.length; v++) to[v] = from[v] + 0.4 * (to[v] - from[v]);
          const clearance = share * Math.min(1, space.edgeClearance(from, to, { atMost: 1 }).most);
          const { verdict } = space.edge(from, to, { clearance });
          seen[verdict]++;
          if (verdict !== 'free') continue;
          motion.set(from, to);
          let hits = 0;
          for (let s = 0; s <= samples; s++) {
            motion.at(s / samples, q);
            if (!space.isFree(q, clearance)) hits++;
          }
          expect(hits).toBe(0);
        }
      }
      expect(seen.free).toBeGreaterThan(least(3));
      expect(seen.hit).toBeGreaterThan(least(3));
      expect(seen.undecided).toBeLessThan(2);
    },
    PATIENCE,
  );

  // what grazes is proved, or its contact is found: little is left open
  test(
    'are hardly ever left open, random ones and those that graze',
    () => {
      const random = seededRandom(21);
      const count = LONG ? 10_000 : FAST ? 100 : 1000;
      let undecided = 0;
      for (let i = 0; i < count; i++) {
        const [body, obstacle, motion] = [randomBody(random), randomBody(random), randomMotion(random, 3)];
        const apart = (t: number) => distance(obstacle, body, { poseB: poseAt(motion, t) }).distance;
        const isGraze = i % 2 === 1;
        const nearest = isGraze ? Math.min(...Array.from({ length: 21 }, (_, s) => apart(s / 20))) : 0;
        const { verdict, time } = motionFree(body, obstacle, { ...motion, clearance: 0.99 * nearest });
        if (verdict === 'undecided') undecided++;
        if (verdict === 'free' && !isGraze)
          expect(collide(obstacle, body, { poseB: poseAt(motion, random()) }).colliding).toBe(false);
        if (verdict === 'hit') expect(time).toBeLessThanOrEqual(1);
      }
      expect(undecided).toBeLessThanOrEqual(count / 1000);
    },
    PATIENCE,
  );
});
