/** Roadmaps: their paths looked at again, what they learn and forget, how large they get, and what they refuse. */
import { interlockedRings } from '@impinge/scenes/puzzle';
import { ImpingeError, Mesh, Primitive, Scene } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { every, FAST } from '../../../../test/budget.js';
import { FreeSpace } from '../../src/free-space.js';
import {
  Mechanism,
  MechanismSpace,
  makeJointRoadmap,
  makeRoadmap,
  type RoadmapQuestion,
  verifyJointPath,
  verifyPath,
} from '../../src/index.js';
import { RigidSpace } from '../../src/plan/rigid-space.js';
import { otherEnd, type Road, RoadGraph } from '../../src/plan/road-graph.js';
import { apart, type StateSpace } from '../../src/plan/state-space.js';

const { ring: shape, start: linked, goal: away } = interlockedRings({ gap: 8, tube: 1.5 });
const ring = Mesh.from(shape);
const bounds = { min: [-16, -16, -16], max: [16, 16, 41] };
const clearance = 0.05;
const made = { bounds, clearance, nodes: 300 };
const space = new RigidSpace(new FreeSpace(ring, ring, { clearance }), bounds);

/** Free poses of one ring about the other, two for a question. */
function questions(count: number, seed = 1): RoadmapQuestion<Float64Array>[] {
  const random = new SeededRandom(seed);
  const freePose = () => {
    for (;;) {
      const state = space.sample(random);
      if (space.keepsClear(state)) return space.poseOf(state);
    }
  };
  return Array.from({ length: count }, () => ({ start: freePose(), goals: [freePose()] }));
}

async function answersTo(asked: readonly RoadmapQuestion<Float64Array>[], seed = 1) {
  const roadmap = await makeRoadmap(ring, ring, { ...made, seed });
  const paths = [];
  for (const question of asked) {
    const found = await roadmap.find(question);
    if (!found.found) throw new Error(found.reason);
    paths.push(found.path);
  }
  return { roadmap, paths };
}

describe('a roadmap of a body', () => {
  test('answers with paths that are proved again', async () => {
    const asked = questions(FAST ? 6 : 30);
    const { paths } = await answersTo(asked);
    paths.forEach((path, i) => {
      expect(path.certificate.free).toBe(true);
      expect(path.certificate.clearance).toBeGreaterThan(clearance);
      expect(verifyPath(ring, ring, path, { clearance })).toMatchObject({ free: true, motion: -1 });
      expect(path.times).toHaveLength(path.poses.length);
      const ends = [asked[i].start, asked[i].goals[0]];
      [path.poses[0], path.poses[path.poses.length - 1]].forEach((pose, end) => {
        for (const [k, x] of pose.entries()) expect(x).toBeCloseTo(ends[end][k], 9);
      });
    });
  });

  test('gives the same answers for the same seed, and others for another', async () => {
    const asked = questions(FAST ? 3 : 10, 2);
    const [a, b, c] = [await answersTo(asked, 7), await answersTo(asked, 7), await answersTo(asked, 8)];
    expect(b.paths).toEqual(a.paths);
    expect(b.roadmap.nodes).toBe(a.roadmap.nodes);
    expect(c.paths).not.toEqual(a.paths);
  });

  test('learns ways that it did not have', async () => {
    const roadmap = await makeRoadmap(ring, ring, { ...made, nodes: 0 });
    const question = { start: linked, goals: [away] };
    const first = await roadmap.find(question);
    expect(first.found).toBe(true);
    expect(first.stats.nodes).toBeGreaterThan(0);
    expect(roadmap.nodes).toBeGreaterThan(1);
    // the other way, and over a part of it
    const back = await roadmap.find({ start: away, goals: [linked] });
    expect(back).toMatchObject({ found: true, stats: { nodes: 0 } });
  });

  test('keeps no more states than it may', async () => {
    const limits = { nodes: 40 };
    const roadmap = await makeRoadmap(ring, ring, { ...made, limits, nodes: 35 });
    expect(roadmap.nodes).toBe(35);
    for (const question of [{ start: linked, goals: [away] }, ...questions(FAST ? 3 : 10, 3)]) {
      expect((await roadmap.find(question)).found).toBe(true);
      expect(roadmap.nodes).toBeLessThanOrEqual(40);
    }
    expect((await makeRoadmap(ring, ring, { bounds, limits })).nodes).toBe(40);
  });

  test('leads to one of several goals', async () => {
    const { roadmap } = await answersTo([]);
    const near = { start: linked, goals: [away, linked.map((x, k) => (k === 11 ? x + 0.2 : x))] };
    const found = await roadmap.find(near);
    expect(found.found && found.path.poses.at(-1)?.[11]).toBeCloseTo(linked[11] + 0.2, 12);
  });

  test('says that none was found, and goes on', async () => {
    const tight = Mesh.from(interlockedRings({ gap: 4, tube: 2 }).ring);
    const roadmap = await makeRoadmap(tight, tight, { bounds, nodes: 50 });
    const closed = { start: linked, goals: [away] };
    expect(await roadmap.find({ ...closed, timeLimit: 0.1 })).toMatchObject({ found: false, reason: 'time' });
    const little = { ...closed, limits: { nodes: 10 } };
    expect(await roadmap.find(little)).toMatchObject({ found: false, reason: 'nodes' });
    const asked = roadmap.find({ ...closed, signal: AbortSignal.timeout(20) });
    await expect(roadmap.find(closed)).rejects.toMatchObject({ code: 'busy' });
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    expect(roadmap.nodes).toBe(50);
    expect((await roadmap.find({ start: linked, goals: [linked] })).found).toBe(true);
  });

  test('is built until time is up, and can be aborted', async () => {
    const seen: number[] = [];
    const onProgress = ({ nodes }: { nodes: number }) => seen.push(nodes);
    const roadmap = await makeRoadmap(ring, ring, { ...made, nodes: 20_000, timeLimit: 0.2, onProgress });
    expect(roadmap.nodes).toBeLessThan(20_000);
    expect(seen.length).toBeGreaterThan(0);
    const signal = AbortSignal.timeout(20);
    await expect(makeRoadmap(ring, ring, { ...made, nodes: 20_000, signal })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['an unknown option', () => makeRoadmap(ring, ring, { allowed: 1 } as object), 'no option allowed'],
    ['no room', () => makeRoadmap(ring, ring, { nodes: 9, limits: { nodes: 8 } }), 'nodes must be'],
    ['part of a state', () => makeRoadmap(ring, ring, { nodes: 1.5 }), 'nodes must be an integer'],
    ['nowhere', () => makeRoadmap(ring, []), 'without obstacles, bounds are needed'],
    [
      'another clearance',
      async () => (await answersTo([])).roadmap.find({ start: linked, goals: [away], clearance: 1 } as never),
      'find has no option clearance',
    ],
    [
      'a start in the way',
      async () => (await answersTo([])).roadmap.find({ start: {}, goals: [away] } as never),
      'find: the start is not free',
    ],
    [
      'no goals',
      async () => (await answersTo([])).roadmap.find({ start: linked, goals: [] }),
      'find: goals must be an array',
    ],
    ['no mechanism', () => makeJointRoadmap({} as never), 'needs a MechanismSpace'],
  ])('is refused: %s', async (_, ask, message) => {
    const error = await ask().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ImpingeError);
    expect((error as Error).message).toContain(message);
  });
});

describe('a roadmap of joints', () => {
  const names = ['base', 'upper', 'fore', 'hand'];
  const arm = new Mechanism({
    links: names.map((name, i) => ({
      name,
      shapes: i > 0 ? [{ box: [1, 0.1, 0.1], pose: { translation: [0.55, 0, 0] } }] : [],
    })),
    joints: [0, 1, 2].map((i) => ({
      ...{ name: `j${i}`, type: 'revolute', parent: names[i], child: names[i + 1], axis: [0, 0, 1] },
      ...{ pose: { translation: [i > 0 ? 1.1 : 0, 0, 0] }, lower: -2.9, upper: 2.9 },
    })),
  });
  const allowed = [
    ['upper', 'fore'],
    ['fore', 'hand'],
  ] as const;
  const across = { start: [-0.9, 0, 0], goals: [[0.9, 0, 0]] };
  const yard = () => {
    const scene = new Scene();
    const post = scene.add(new Primitive({ min: [1.45, -0.15, -1], max: [1.75, 0.15, 1] }), { name: 'post' });
    return { scene, post };
  };

  test.each(every([1, 2, 3], 1))('answers with paths that are proved again, seed %i', async (seed) => {
    const around = new MechanismSpace(arm, yard().scene, { allowed });
    const roadmap = await makeJointRoadmap(around, { nodes: 200, seed, clearance: 0.02, speeds: [1, 2, 3] });
    const random = new SeededRandom(seed);
    let [asked, beside] = [0, 0];
    while (asked < (FAST ? 8 : 40)) {
      const [start, goal] = [0, 1].map(() => [0, 1, 2].map(() => 5.6 * random.next() - 2.8));
      if (!around.isFree(start, 0.02) || !around.isFree(goal, 0.02)) continue;
      asked++;
      const found = await roadmap.find({ start, goals: [goal] });
      if (!found.found) throw new Error(found.reason);
      if (found.stats.nodes > 0) beside++;
      const { configurations, certificate } = found.path;
      expect(certificate.free).toBe(true);
      expect(verifyJointPath(around, found.path, { clearance: 0.02 }).free).toBe(true);
      expect([...configurations[0]]).toEqual(start);
      expect([...configurations[configurations.length - 1]]).toEqual(goal);
    }
    expect(beside).toBeLessThan(asked / 2);
  });

  test('follows what moves', async () => {
    const { scene, post } = yard();
    const around = new MechanismSpace(arm, scene, { allowed });
    const roadmap = await makeJointRoadmap(around, { nodes: 200 });
    expect((await roadmap.find(across)).found).toBe(true);
    for (const y of [0.9, 0, -1.1, 9]) {
      post.move({ translation: [0, y, 0] });
      const asked = { start: [-1.5, 0, 0], goals: [[1.5, 0, 0]] };
      const found = await roadmap.find(asked);
      expect(found.found && verifyJointPath(around, found.path).free).toBe(true);
    }
    const straight = await roadmap.find(across);
    expect(straight.found && straight.path.configurations).toHaveLength(2);
  });
});

describe('the map', () => {
  const plane = {
    dimension: 2,
    weights: Float64Array.of(1, 1),
    images: (state) => [state],
  } as Partial<StateSpace>;

  /** The length of the shortest way by trying all roads again and again (Bellman and Ford). */
  function shortestLength(points: readonly Float64Array[], blocked: ReadonlySet<string>): number {
    const cost = points.map((_, i) => (i === 0 ? 0 : Infinity));
    for (const _ of points) {
      for (const [a, p] of points.entries()) {
        for (const [b, q] of points.entries()) {
          if (blocked.has(`${Math.min(a, b)} ${Math.max(a, b)}`)) continue;
          cost[b] = Math.min(cost[b], cost[a] + Math.hypot(p[0] - q[0], p[1] - q[1]));
        }
      }
    }
    return cost[1];
  }

  test.each([1, 2, 3])('has the shortest way over what is not blocked, seed %i', (seed) => {
    const random = new SeededRandom(seed);
    const points = Array.from({ length: 10 }, () => Float64Array.of(random.next(), random.next()));
    const graph = new RoadGraph(plane as StateSpace, 100);
    for (const point of points) expect(graph.add(point)).toBe(true);
    const blocked = new Set<string>();
    const left = graph.leftTo([1]);
    expect(left[0]).toBe(apart(plane as StateSpace, points[0], points[1]));
    for (let tries = 0; tries < 100; tries++) {
      const way = graph.shortest(0, left);
      const length = shortestLength(points, blocked);
      if (!way) {
        expect(length).toBe(Infinity);
        expect(blocked.size).toBeGreaterThan(9);
        return;
      }
      expect(way.reduce((sum, road) => sum + road.length, 0)).toBeCloseTo(length, 12);
      expect(way.reduce((at, road: Road) => otherEnd(road, at), 0)).toBe(1);
      const road = way[Math.floor(random.next() * way.length)];
      road.known = 'blocked';
      blocked.add(`${Math.min(road.a, road.b)} ${Math.max(road.a, road.b)}`);
    }
    throw new Error('there are only 45 roads');
  });

  test('forgets ends', () => {
    const graph = new RoadGraph(plane as StateSpace, 3);
    for (let x = 0; x < 3; x++) graph.add(Float64Array.of(x, 0));
    expect(graph.add(Float64Array.of(9, 9))).toBe(false);
    const ends = [Float64Array.of(0, 1), Float64Array.of(2, 1)].map((end) => graph.addEnd(end));
    expect(graph.shortest(ends[0], graph.leftTo([ends[1]]))).toBeDefined();
    graph.forgetEnds();
    expect(graph.size).toBe(3);
    expect(graph.shortest(0, graph.leftTo([2]))).toHaveLength(1);
  });
});
