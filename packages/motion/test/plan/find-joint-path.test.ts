/** Paths of arms on joints, looked at again triangle by triangle; searches that fail, and those that cannot begin. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { collide, distance, ImpingeError, Mesh, Primitive, Scene } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { every, FAST } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import {
  type FindJointPathOptions,
  findJointPath,
  type JointData,
  Mechanism,
  MechanismSpace,
  verifyJointPath,
} from '../../src/index.js';
import { JointMotion } from '../../src/mechanism/joint-motion.js';
import { loadRobot } from '../../src/node/robot-folder.js';

const SECTION = Mesh.from(box(1, 0.1, 0.1)).transformed([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.55, 0, 0, 1]);
const POST = Mesh.from(box(0.3, 0.3, 2)).transformed([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.6, 0, 0, 1]);

/** Three sections that turn about z, one after the other, as a chain in a plane. */
function arm(changed: Partial<JointData> = {}): Mechanism {
  const names = ['base', 'upper', 'fore', 'hand'];
  return new Mechanism({
    name: 'arm',
    links: names.map((name, i) => ({ name, shapes: i > 0 ? [{ mesh: SECTION }] : [] })),
    joints: [0, 1, 2].map((i) => ({
      name: `j${i}`,
      type: 'revolute',
      parent: names[i],
      child: names[i + 1],
      axis: [0, 0, 1],
      pose: { translation: [i > 0 ? 1.1 : 0, 0, 0] },
      lower: -2.9,
      upper: 2.9,
      ...(i === 0 ? changed : {}),
    })),
  });
}

const allowed = [
  ['upper', 'fore'],
  ['fore', 'hand'],
] as const;
const spaceOf = (mechanism = arm()) => new MechanismSpace(mechanism, POST, { allowed });
const across = { start: [-0.9, 0, 0], goals: [[0.9, 0, 0]] };

/** The least distance of the arm's sections from the post and, where they are not neighbours, from each other. */
function leastAlong({ mechanism }: MechanismSpace, path: readonly Float64Array[], looks: number): number {
  const motion = new JointMotion(mechanism);
  const q = new Float64Array(mechanism.variables);
  const poses = new Float64Array(12 * mechanism.links.length);
  const pose = (link: number) => poses.slice(12 * link, 12 * link + 12);
  let least = Infinity;
  for (let i = 1; i < path.length; i++) {
    motion.set(path[i - 1], path[i]);
    for (let k = 0; k <= looks; k++) {
      motion.at(k / looks, q);
      mechanism.forward(q, poses);
      for (let link = 1; link <= 3; link++) {
        const at = { poseB: pose(link) };
        expect(collide(POST, SECTION, { ...at, mode: 'any' }).colliding).toBe(false);
        least = Math.min(least, distance(POST, SECTION, at).distance);
      }
      const ends = { poseA: pose(1), poseB: pose(3) };
      least = Math.min(least, distance(SECTION, SECTION, ends).distance);
    }
  }
  return least;
}

describe('paths of joints', () => {
  test.each(every([1, 2, 3, 4, 5, 6], 3))('an arm folds to get past a post, seed %i', async (seed) => {
    const space = spaceOf();
    expect(space.edge(across.start, across.goals[0]).verdict).toBe('hit');
    const found = await findJointPath(space, { ...across, seed, clearance: 0.02 });
    if (!found.found) throw new Error(found.reason);
    const { configurations, times, certificate } = found.path;
    expect(certificate).toMatchObject({ free: true, motion: -1 });
    expect(certificate.clearance).toBeGreaterThanOrEqual(0.02);
    const least = leastAlong(space, configurations, FAST ? 40 : 400);
    expect(least).toBeGreaterThanOrEqual(certificate.clearance - 1e-9);
    expect([...configurations[0]]).toEqual(across.start);
    expect([...configurations[configurations.length - 1]]).toEqual(across.goals[0]);
    // the slowest joint turns at one radian a second
    configurations.slice(1).forEach((to, i) => {
      const most = Math.max(...to.map((x, k) => Math.abs(x - configurations[i][k])));
      expect(times[i + 1] - times[i]).toBeCloseTo(most, 12);
    });
    expect(verifyJointPath(space, found.path, { clearance: 0.02 }).free).toBe(true);
    expect(verifyJointPath(space, found.path, { clearance: 1 })).toMatchObject({ free: false, clearance: 0 });
  });

  test('equal seeds find equal paths, others other ones', async () => {
    const path = async (seed: number) => {
      const found = await findJointPath(spaceOf(), { ...across, seed });
      return found.found && found.path.configurations.map((q) => [...q]);
    };
    expect(await path(7)).toEqual(await path(7));
    expect(await path(7)).not.toEqual(await path(8));
  });

  test('a joint without limits goes the shorter way round', async () => {
    const mechanism = arm({ type: 'continuous', lower: undefined, upper: undefined } as object);
    const found = await findJointPath(spaceOf(mechanism), { start: [3, 0, 0], goals: [[-3, 0, 0]] });
    if (!found.found) throw new Error(found.reason);
    expect(found.path.times.at(-1)).toBeCloseTo(2 * Math.PI - 6, 9);
  });

  test('a path that hits is told', () => {
    const path = {
      configurations: [across.start, [-0.95, 0, 0], ...across.goals].map((q) => Float64Array.from(q)),
    };
    expect(verifyJointPath(spaceOf(), path)).toEqual({ free: false, clearance: 0, motion: 1, depth: 0 });
  });

  test('what is closed in ends when time or memory do', async () => {
    const wall = new Scene();
    for (const y of [-0.15, 0.15])
      wall.add(new Primitive({ min: [-0.05, -0.05, -1], max: [9, 0.05, 1] }), {
        pose: { translation: [0, y, 0] },
      });
    const space = new MechanismSpace(arm(), wall, { allowed });
    const closed = { start: [0, 0, 0], goals: [[2.9, 0, 0]] };
    expect(await findJointPath(space, { ...closed, timeLimit: 0.1 })).toMatchObject({
      found: false,
      reason: 'time',
    });
    const little = { ...across, limits: { nodes: 2 } };
    expect(await findJointPath(spaceOf(), little)).toMatchObject({ found: false, reason: 'nodes' });
    const signal = AbortSignal.timeout(20);
    await expect(findJointPath(space, { ...closed, signal })).rejects.toThrow(
      /findJointPath was aborted after/,
    );
  });

  test.each<[string, Partial<FindJointPathOptions>, string]>([
    ['in the post', { start: [0, 0, 0] }, 'the start is not free: fore meets'],
    ['too near', { clearance: 1.3 }, 'the start is not free: '],
    [
      'out of limits',
      { goals: [[0, 3, 0]] },
      'the goal is out of limits: variable 1 is 3, its limits are -2.9 to 2.9',
    ],
    [
      'one of two',
      {
        goals: [
          [1, 0, 0],
          [0, 0],
        ],
      },
      'goals[1] has 2 numbers, arm has 3',
    ],
    ['no goals', { goals: [] }, 'goals must be an array of one configuration or more'],
    ['not a number', { start: [0, NaN, 0] }, 'the start: number 1 is NaN'],
    ['speeds', { speeds: [1, 1, 0] }, 'speeds must be 3 positive numbers'],
  ])('what cannot begin says why: %s', async (_, changed, message) => {
    const asked = findJointPath(spaceOf(), { ...across, ...changed });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toBeInstanceOf(ImpingeError);
  });

  test('joints that cannot be sampled are refused', async () => {
    const sliding = arm({ type: 'prismatic', lower: undefined, upper: undefined } as object);
    const asked = findJointPath(spaceOf(sliding), { start: [5, 0, 0], goals: [[6, 0, 0]] });
    await expect(asked).rejects.toThrow('joint j0 has no limits to look for a path within');
  });
});

const urdf = sharedData('planning/panda/panda.urdf');

describe.skipIf(!urdf)('the Panda arm', () => {
  test.each(['bookshelf_small', 'bookshelf_thin', 'box', 'table_pick'])(
    'finds its way: %s',
    async (family) => {
      const folder = urdf!.replace('panda.urdf', '');
      const { mechanism, allowed } = await loadRobot(urdf!, { srdf: `${folder}panda.srdf` });
      const { problems } = JSON.parse(`${gunzipSync(readFileSync(`${folder}problems/${family}.json.gz`))}`);
      const motion = new JointMotion(mechanism);
      const q = new Float64Array(7);
      for (const { start, goals, obstacles } of problems.slice(0, FAST ? 1 : 5)) {
        const scene = new Scene();
        for (const { type, size, length, radius, name, translation, quaternion } of obstacles) {
          const half = type === 'box' ? size.map((edge: number) => edge / 2) : [0, 0, length / 2];
          const shape =
            type === 'box'
              ? { min: half.map((x: number) => -x), max: half }
              : { bottom: [0, 0, -half[2]], top: half, radius };
          scene.add(new Primitive(shape), { pose: { translation, rotation: quaternion }, name });
        }
        const space = new MechanismSpace(mechanism, scene, { allowed });
        const found = await findJointPath(space, { start, goals });
        if (!found.found) throw new Error(found.reason);
        const { configurations } = found.path;
        for (let i = 1; i < configurations.length; i++) {
          motion.set(configurations[i - 1], configurations[i]);
          for (let k = 0; k <= 200; k++) {
            motion.at(k / 200, q);
            expect(space.isFree(q)).toBe(true);
          }
        }
      }
    },
  );
});
