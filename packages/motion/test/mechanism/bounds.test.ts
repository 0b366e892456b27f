/** How far links move, compared with many motions that are sampled. */
import { expect, test } from 'vitest';
import { randomDirection, seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { BodyPair } from '../../src/mechanism/body-pair.js';
import { BodySet } from '../../src/mechanism/body-set.js';
import { ConvexGap } from '../../src/mechanism/convex-gap.js';
import { ConvexSolid } from '../../src/mechanism/convex-solid.js';
import { JointMotion } from '../../src/mechanism/joint-motion.js';
import { LinkMotion } from '../../src/mechanism/link-motion.js';
import { Mechanism } from '../../src/mechanism/mechanism.js';
import { sweptGap } from '../../src/mechanism/swept-gap.js';
import { randomConfiguration, randomMachine } from './machines.js';

const posed = (p: Float64Array, link: number, x: ArrayLike<number>) =>
  [0, 1, 2].map((k) => {
    const row = 12 * link + 3 * k;
    return p[row] * x[0] + p[row + 1] * x[1] + p[row + 2] * x[2] + p[12 * link + 9 + k];
  });
/** A point of the world in the frame of a link. */
const inFrame = (p: Float64Array, link: number, x: ArrayLike<number>) =>
  [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, i) => sum + p[12 * link + 3 * i + k] * (x[i] - p[12 * link + 9 + i]), 0),
  );
const between = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, k) => x - b[k]));

test('no point moves farther, nor faster, than the bounds, in the world and in frames between (seed 2)', () => {
  const random = seededRandom(2);
  let tight = 0;
  for (let i = 0; i < (FAST ? 100 : 2000); i++) {
    const mechanism = new Mechanism(randomMachine(random, { links: 2 + Math.floor(6 * random()) }));
    if (mechanism.variables === 0) continue;
    const bodies = new BodySet(mechanism);
    const motion = new JointMotion(mechanism);
    const [from, to] = [randomConfiguration(random, mechanism), randomConfiguration(random, mechanism)];
    motion.set(from, to);
    const piece = new LinkMotion(mechanism, bodies);
    const half = 0.5 ** (1 + Math.floor(5 * random()));
    const middle = half + (1 - 2 * half) * random();
    piece.set(motion, middle, half);
    const body = Math.floor(random() * bodies.count);
    const { link, solid } = bodies.bodies[body];
    const chain = bodies.chains[link];
    if (chain.length === 0) continue;
    piece.bound(body, motion);
    // counted from any joint of the chain: in the frame of the link that bears it
    const k = Math.floor(random() * chain.length);
    const frame = mechanism.jointOf[chain[k]]!.parent;
    const speed = piece.speeds[bodies.stride * body + k];
    const bend = piece.bends[bodies.stride * body + k];
    const poses = new Float64Array(piece.poses.length);
    const q = new Float64Array(mechanism.variables);
    for (let s = 0; s < 5; s++) {
      const at = 3 * Math.floor((solid.points.length / 3) * random());
      const around = randomDirection(random).map((x: number) => x * (solid.radius || 0));
      const point = [0, 1, 2].map((c) => solid.points[at + c] + around[c]);
      const before = inFrame(piece.poses, frame, posed(piece.poses, link, point));
      const step = half * (2 * random() - 1);
      motion.at(middle + step, q);
      mechanism.forward(q, poses);
      const after = inFrame(poses, frame, posed(poses, link, point));
      const moved = between(before, after);
      expect(moved).toBeLessThanOrEqual(Math.abs(step) * speed + 1e-12);
      if (moved > 0.5 * Math.abs(step) * speed) tight++;
      // where its velocity would have taken it
      const there = posed(piece.poses, link, point);
      const velocity = [0, 1, 2].map((c) => {
        const [v, w] = [0, 3].map((o) =>
          [0, 1, 2].map((e) => piece.fields[6 * link + o + e] - piece.fields[6 * frame + o + e]),
        );
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        return v[c] + w[d] * there[e] - w[e] * there[d];
      });
      const straight = inFrame(
        piece.poses,
        frame,
        there.map((x, c) => x + step * velocity[c]),
      );
      expect(between(straight, after)).toBeLessThanOrEqual(0.5 * step * step * bend + 1e-12);
    }
  }
  expect(tight).toBeGreaterThan(FAST ? 20 : 400);
});

test('bodies keep as far apart along a direction as the bound says (seed 3)', () => {
  const random = seededRandom(3);
  let useful = 0;
  for (let i = 0; i < (FAST ? 100 : 2000); i++) {
    const mechanism = new Mechanism(randomMachine(random, { links: 3 + Math.floor(5 * random()) }));
    const bodies = new BodySet(mechanism);
    const [a, b] = [0, 1].map(() => Math.floor(random() * bodies.count));
    const [one, two] = [bodies.bodies[a], bodies.bodies[b]];
    if (a === b) continue;
    const shared = bodies.shared(one.link, two.link);
    const ancestor = shared > 0 ? bodies.chains[one.link][shared - 1] : -1;
    const pair = new BodyPair({ index: a, body: one }, { index: b, body: two }, shared, ancestor);
    const motion = new JointMotion(mechanism);
    motion.set(randomConfiguration(random, mechanism), randomConfiguration(random, mechanism));
    const piece = new LinkMotion(mechanism, bodies);
    const half = 0.5 ** (2 + Math.floor(4 * random()));
    const middle = half + (1 - 2 * half) * random();
    piece.set(motion, middle, half);
    piece.bound(a, motion);
    piece.bound(b, motion);
    const bend = piece.bends[bodies.stride * a + shared] + piece.bends[bodies.stride * b + shared];
    const gap = new ConvexGap();
    gap.measure(
      one.solid,
      piece.poses,
      12 * one.link,
      two.solid,
      piece.poses,
      12 * two.link,
      Infinity,
      0,
      1e-9,
    );
    const bound = sweptGap(pair, piece, gap.nx, gap.ny, gap.nz, bend);
    if (bound > 0) useful++;
    const poses = new Float64Array(piece.poses.length);
    const q = new Float64Array(mechanism.variables);
    for (let s = 0; s < 8; s++) {
      motion.at(middle + half * (2 * random() - 1), q);
      mechanism.forward(q, poses);
      gap.measure(one.solid, poses, 12 * one.link, two.solid, poses, 12 * two.link, Infinity, 0, 1e-9);
      expect(gap.most).toBeGreaterThanOrEqual(Math.max(0, bound) - 1e-9);
    }
  }
  expect(useful).toBeGreaterThan(FAST ? 10 : 200);
});

test('distances of convex solids, against all pairs of sampled points and against spheres (seed 4)', () => {
  const random = seededRandom(4);
  const still = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
  const gap = new ConvexGap();
  let apart = 0;
  for (let i = 0; i < (FAST ? 200 : 3000); i++) {
    const cloud = (count: number) => Float64Array.from({ length: 3 * count }, () => random() - 0.5);
    const [a, b] = [3, 40].map(
      (most) => new ConvexSolid(cloud(4 + Math.floor(most * random())), 0.1 * random()),
    );
    const pose = still.slice();
    randomDirection(random).forEach((x: number, k: number) => {
      pose[9 + k] = 1.5 * random() * x;
    });
    gap.measure(a, still, 0, b, pose, 0, Infinity, 0, 1e-12);
    expect(gap.most - gap.least).toBeLessThan(gap.most > 0 ? 1e-9 : Infinity);
    if (gap.most > 0) apart++;
    // no two points are nearer than what holds from below
    for (let s = 0; s < 20; s++) {
      const inside = (solid: ConvexSolid) => {
        const weights = Array.from({ length: solid.points.length / 3 }, () => random() ** 4);
        const sum = weights.reduce((x, y) => x + y);
        return [0, 1, 2].map((k) => weights.reduce((x, w, p) => x + (w / sum) * solid.points[3 * p + k], 0));
      };
      const [p, q] = [inside(a), inside(b)];
      const distance = Math.hypot(...p.map((x, k) => q[k] + pose[9 + k] - x)) - a.radius - b.radius;
      expect(distance).toBeGreaterThanOrEqual(gap.least - 1e-12);
    }
  }
  expect(apart).toBeGreaterThan(FAST ? 20 : 300);
});

test('the farthest points of cylinders lie in them, along directions as near to the axis as can be', () => {
  const random = seededRandom(8);
  for (let i = 0; i < 2000; i++) {
    const axis = randomDirection(random);
    const [low, high] = [-0.5 * random(), 0.5 * random()];
    const ends = Float64Array.from([
      ...axis.map((x: number) => low * x),
      ...axis.map((x: number) => high * x),
    ]);
    const solid = new ConvexSolid(ends, 0, 0.3);
    const off = 10 ** -(i % 20);
    const [x, y, z] = axis.map((c: number) => c + off * (random() - 0.5));
    const most = solid.extent(x, y, z);
    const found = [solid.x, solid.y, solid.z];
    const along = found.reduce((sum, c, k) => sum + c * axis[k], 0);
    expect(along).toBeGreaterThan(low - 1e-12);
    expect(along).toBeLessThan(high + 1e-12);
    expect(Math.hypot(...found.map((c, k) => c - along * axis[k]))).toBeLessThan(0.3 + 1e-12);
    expect(found[0] * x + found[1] * y + found[2] * z).toBeCloseTo(most, 14);
  }
});
