/**
 * Contacts and distances from contact levels, over random poses against the exact distance and all pairs of the
 * originals: 10⁴ poses of every pair of models with `--mode long`, a share of them else.
 */
import { errorFieldOf } from '@impinge/model/internal/level-queries/error-field.js';
import { type Allowed, distance, Mesh, within } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { shiftPose } from 'impinge/internal/mesh/stored-pose.js';
import { readAllowed } from 'impinge/internal/query/pair/allowed.js';
import { afterAll, describe, expect, it } from 'vitest';
import { randomRotation, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { every, LONG, least, runs } from '../../../../test/budget.js';
import { dualBlockOf } from '../../src/contact-pairs/dual-block.js';
import { HullWalk, NUMBERS } from '../../src/contact-pairs/hull-walk.js';
import { N, NODE_BYTES, NODES } from '../../src/contact-pairs/layout.generated.js';
import { buildContactLevels, type ContactLevels, ContactPair, type HullContact } from '../../src/index.js';
import { both, box, corner, meshOf, torus as wavy } from '../contact-levels/models.js';

const POSES = LONG ? 10_000 : runs(60);
const TIMEOUT_MS = 30 * 60_000;
/** Every so many poses, contacts are walked down to triangles, too. */
const BOUNDED = 5;
const ROUNDING = 1e-9;

/** Nothing closed about it: two tori through each other and triangles here and there. */
function soup(): Mesh {
  const random = seededRandom(11);
  const { positions, indices } = torus(0.7, 0.25, 12, 6);
  const loose = Array.from({ length: 9 * 30 }, () => 1.6 * random() - 0.8);
  const first = positions.length / 3;
  return Mesh.from({
    positions: [...positions, ...loose],
    indices: [...indices.slice(0, -30), ...Array.from({ length: 90 }, (_, i) => first + i)],
  });
}

const MODELS = {
  'two rings': [Mesh.from(torus(1, 0.4, 16, 8)), Mesh.from(torus(0.6, 0.2, 14, 6)), 'hulls'],
  'a wavy ring and a corner': [meshOf(wavy(18, 8, 4)), meshOf(corner()), 'hulls'],
  'boxes of two rings': [Mesh.from(torus(1, 0.4, 16, 8)), Mesh.from(torus(0.6, 0.2, 14, 6)), 'boxes'],
  'boxes of a soup and of cubes': [soup(), meshOf(both(box(0, 0, 0, 1), box(2, 0, 1, 1))), 'boxes'],
} as const;

/** Of each triangle its nodes from level 0 to the root. */
function nodesAbove(levels: ContactLevels): Uint32Array[] {
  const [starts, originals, parent] = [
    levels.array('originalStart'),
    levels.array('originals'),
    levels.array('parent'),
  ];
  const above: Uint32Array[] = [];
  for (let leaf = 0; leaf + 1 < starts.length; leaf++) {
    const nodes = [leaf];
    for (let at = parent[leaf]; at !== 0xffffffff; at = parent[at]) nodes.push(at);
    for (let i = starts[leaf]; i < starts[leaf + 1]; i++) above[originals[i]] = Uint32Array.from(nodes);
  }
  return above;
}

describe.each(every(Object.entries(MODELS), 2))('%s', (_, [meshA, meshB, volumes]) => {
  const pair = new ContactPair(
    buildContactLevels(meshA, { volumes }),
    buildContactLevels(meshB, { volumes }),
  );
  const [aboveA, aboveB] = [nodesAbove(pair.a), nodesAbove(pair.b)];
  const key = (a: number, b: number): number => a * pair.b.nodeCount + b;
  afterAll(() => pair.dispose());

  it(
    'errs by no more than it says, and leaves out no pair',
    () => {
      const random = seededRandom(21);
      const wrong: string[] = [];
      let [apart, met, pairs, contactsOf, divided] = [0, 0, 0, 0, 0];
      for (let run = 0; run < POSES; run++) {
        const far = 1.2 + 1.2 * random();
        const [u, v] = [2 * random() - 1, 2 * Math.PI * random()];
        const flat = Math.sqrt(1 - u * u);
        const poseB = {
          rotation: randomRotation(random),
          translation: [far * flat * Math.cos(v), far * flat * Math.sin(v), far * u],
        };
        const reach = 0.1 * random();
        const allowed = 10 ** (-4 + 4 * random());
        const fail = (what: string): void => void wrong.push(`pose ${run}: ${what}`);
        const exact = distance(meshA, meshB, { poseB }).distance;
        const { lower, upper, pointA, pointB } = pair.distance({ poseB, allowed });
        if (!(lower <= exact + ROUNDING && exact <= upper + ROUNDING))
          fail(`${exact} is not from ${lower} to ${upper}`);
        const between = Math.hypot(...[0, 1, 2].map((k) => pointA![k] - pointB![k]));
        if (!(Math.abs(between - upper) < ROUNDING)) fail(`points ${between} apart, not ${upper}`);
        if (exact > 0 && pair.distance({ poseB, allowed, atMost: exact / 2 }).upper < Infinity)
          fail('nearer than at most');
        if (exact > 0) apart++;
        else met++;

        const bounded = run % BOUNDED === 0;
        const { contacts, error, reached } = pair.contacts({ poseB, distance: reach, allowed, bounded });
        if (!(reached <= 1)) fail(`reached ${reached}`);
        const near = within(meshA, meshB, { poseB, distance: reach });
        const cover = (contacts: readonly HullContact[]): void => {
          const found = new Set(contacts.map(({ nodeA, nodeB }) => key(nodeA, nodeB)));
          for (let i = 0; i < near.pairs.length; i += 2) {
            let count = 0;
            for (const a of aboveA[near.pairs[i]])
              for (const b of aboveB[near.pairs[i + 1]]) if (found.has(key(a, b))) count++;
            if (count !== 1) fail(`pair ${near.pairs[i]} ${near.pairs[i + 1]} is below ${count} contacts`);
          }
        };
        cover(contacts);
        pairs += near.count;
        // a clock that moves on with every look
        let ms = 0;
        const budget = { ms: 10 ** (3 * random() - 1), now: () => (ms += 0.01) };
        const hurried = pair.contacts({ poseB, distance: reach, allowed: 1e-9, budget });
        cover(hurried.contacts);
        if (!(ms <= budget.ms + 0.1)) fail(`${ms} ms of ${budget.ms}`);
        if (exact <= reach && !(Math.min(...hurried.contacts.map(({ lower }) => lower)) <= exact + ROUNDING))
          fail(`in a hurry, no contact is as near as ${exact}`);
        if (hurried.reached > 1 && hurried.reached < Infinity) divided++;
        contactsOf += contacts.length;
        for (const { nodeA, nodeB, distance: hulls, lower, upper, normal } of contacts) {
          if (!(Math.abs(Math.hypot(...normal) - 1) < ROUNDING)) fail(`normal of ${nodeA} ${nodeB}`);
          if (!(Math.max(hulls, 0) - lower <= error + ROUNDING)) fail(`error of ${nodeA} ${nodeB}`);
          if (!(lower <= reach)) fail(`${nodeA} ${nodeB} is no contact`);
          if (bounded && !(lower <= (upper as number))) fail(`bounds of ${nodeA} ${nodeB}`);
          if (bounded && !(exact <= (upper as number) + ROUNDING)) fail(`${nodeA} ${nodeB} nearer than all`);
        }
        // with pairs that near, the nearest contact is no farther than they are
        if (exact <= reach && !(Math.min(...contacts.map((contact) => contact.lower)) <= exact + ROUNDING))
          fail(`no contact is as near as ${exact}`);
      }
      expect(wrong).toEqual([]);
      expect(Math.min(apart, met, pairs, contactsOf)).toBeGreaterThan(0);
      expect(divided).toBeGreaterThan(least(0));
    },
    TIMEOUT_MS,
  );

  it(
    'is never worse with more of a budget, and the same from a kept walk as from the start',
    () => {
      const random = seededRandom(22);
      const wrong: string[] = [];
      let refined = 0;
      const kept = new ContactPair(pair.a, pair.b);
      for (let run = 0; run < POSES / 10; run++) {
        const poseB = { rotation: randomRotation(random), translation: [1 + random(), 0, 0] };
        let last = { reached: Infinity, lower: -Infinity };
        for (const tests of [16, 64, 256, 1024, 4096, undefined]) {
          const fresh = new ContactPair(pair.a, pair.b);
          const ask = { poseB, distance: 0.05, allowed: 1e-6, ...(tests && { budget: { tests } }) };
          const { reached, contacts, stats } = fresh.contacts(ask);
          fresh.dispose();
          const again = kept.contacts(ask);
          const isSame = contacts.every(({ nodeA, nodeB, distance: apart }, i) => {
            const kept = again.contacts[i];
            return (
              kept?.nodeA === nodeA && kept.nodeB === nodeB && Math.abs(kept.distance - apart) < ROUNDING
            );
          });
          if (again.reached !== reached || again.contacts.length !== contacts.length || !isSame)
            wrong.push(`pose ${run}, ${tests} tests: kept ${again.reached}, not ${reached}`);
          // nothing is as good as it gets: there is nothing within the distance
          const lower = Math.min(...contacts.map((contact) => contact.lower));
          if (!(reached <= last.reached && lower >= last.lower)) wrong.push(`pose ${run}, ${tests} tests`);
          if (tests && stats.tests > tests) wrong.push(`pose ${run}: ${stats.tests} of ${tests}`);
          if (reached < last.reached) refined++;
          last = { reached, lower };
        }
      }
      kept.dispose();
      expect(wrong).toEqual([]);
      expect(refined).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe('what may be left out', () => {
  const poseB = { translation: [1.5, 0.1, 0.05] as const };
  const [meshA, meshB] = MODELS['two rings'];
  const levels = [buildContactLevels(meshA), buildContactLevels(meshB)] as const;
  const count = (allowed: Parameters<ContactPair['contacts']>[0]['allowed']) => {
    using pair = new ContactPair(...levels);
    return pair.contacts({ poseB, distance: 0.05, allowed }).stats.tests;
  };

  it('is more where bodies move fast against each other', () => {
    const speed = (metres: number) => ({
      speed: { seconds: 0.01, b: { velocity: [metres, 0, 0] as const } },
    });
    expect(count(speed(100))).toBeLessThan(count(speed(0.01)));
    // both the same: nothing moves against anything
    const motion = { velocity: [100, 0, 0] as const };
    expect(count({ speed: { seconds: 0.01, a: motion, b: motion } })).toBeGreaterThanOrEqual(
      count(speed(0.01)),
    );
  });

  it('is more for spins about a far centre', () => {
    const spin = (y: number) => ({
      speed: {
        seconds: 0.01,
        b: { velocity: [0, 0, 0] as const, spin: [0, 1, 0] as const, centre: [0, 0, y] as const },
      },
    });
    expect(count(spin(1000))).toBeLessThan(count(spin(0.5)));
  });

  it('is more where the camera is far away', () => {
    const view = (z: number) => ({
      view: { pixels: 1, camera: [0, 0, z] as const, angle: 1, height: 1000 },
    });
    expect(count(view(1000))).toBeLessThan(count(view(2)));
  });

  it('is the smallest, the largest or the product of several', () => {
    const [fine, coarse] = [count(0.001), count(0.1)];
    expect(coarse).toBeLessThan(fine);
    const speed = { seconds: 0.001, b: { velocity: [1, 0, 0] as const } };
    expect(count({ size: 0.1, speed })).toBe(fine);
    expect(count({ size: 0.1, speed, combined: 'max' })).toBe(coarse);
    expect(count({ size: 1, speed, combined: 'product' })).toBe(fine);
  });

  it('is what questions with an error may leave out at the same place', () => {
    const aToWorld = toRigidPose({ rotation: randomRotation(seededRandom(3)), translation: [1, -2, 0.5] });
    const pose = toRigidPose(poseB);
    const [a, b] = levels;
    shiftPose(pose, ...a.origin, ...b.origin);
    const { block } = dualBlockOf(a);
    /** The measures of contacts, by node of a: what is left out over what is allowed there. */
    const ask = (allowed: number | Allowed) => {
      const walk = new HullWalk(dualBlockOf(a), dualBlockOf(b));
      const allowance = readAllowed('allowed', allowed, aToWorld, a.origin);
      const { count, nodes, numbers } = walk.near(pose, { reach: 0.05, allowance });
      walk.dispose();
      return Array.from({ length: count }, (_, i) => [nodes[2 * i], numbers[NUMBERS * i + 11]] as const);
    };
    const speed = {
      seconds: 1e3,
      a: { velocity: [0, 3, 0] as const },
      b: { velocity: [5, 0, 0] as const, spin: [1, 2, 3] as const, centre: [4, 1, 0] as const },
    };
    const view = { pixels: 1e6, camera: [3, 8, 1] as const, angle: 1, height: 100 };
    const all: readonly Allowed[] = [
      { speed },
      { view },
      { size: 1e4, speed, view },
      { size: 1e4, speed, view, combined: 'max' },
      { size: 3, speed, view, combined: 'product' },
    ];
    const known = ask(1e4);
    for (const allowed of all) {
      const field = errorFieldOf(allowed, { sizeA: 1, sizeB: 1, moved: 0, aToWorld });
      const found = ask(allowed);
      expect(found.map(([node]) => node)).toEqual(known.map(([node]) => node));
      let measured = 0;
      found.forEach(([node, measure], i) => {
        if (measure === 0) return;
        measured++;
        const ball = (block + NODES + NODE_BYTES * node + N.ball) >>> 2;
        const centre = [0, 1, 2].map((k) => arena().f32()[ball + k] + a.origin[k]);
        const there = (1e4 * known[i][1]) / measure;
        expect(field.over(Float64Array.of(...centre, ...centre), 0) / there).toBeCloseTo(1, 9);
      });
      expect(measured).toBeGreaterThan(10);
    }
  });

  it('is found by a clock that gives no number, too', () => {
    using pair = new ContactPair(...levels);
    const budget = { ms: 1, now: () => Number.NaN };
    const { contacts } = pair.contacts({ poseB, distance: 0.05, allowed: 0.001, budget });
    expect(contacts.length).toBeGreaterThan(0);
  });

  it('is more when the time is over', () => {
    using fresh = new ContactPair(...levels);
    // a clock that goes on a millisecond at every look
    let time = 0;
    const budget = { ms: 20, now: () => time++ };
    const ask = { poseB, distance: 0.05, allowed: 1e-6 };
    const short = fresh.contacts({ ...ask, budget });
    // no more than a twentieth over, but for five looks that only learn from it
    expect(time).toBeLessThanOrEqual(21 + 5);
    expect(fresh.contacts(ask).reached).toBeLessThanOrEqual(1);
    expect(short.reached).toBeGreaterThan(1);
  });
});
