/** The Panda arm with the problems of MotionBenchMaker: free starts and goals, and motions between configurations. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Primitive, Scene } from 'impinge';
import { composePoses, toRigidPose } from 'impinge/internal/math/pose.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { allowedPairs } from '../../src/mechanism/allowed-pairs.js';
import { JointMotion } from '../../src/mechanism/joint-motion.js';
import { MechanismSpace } from '../../src/mechanism/mechanism-space.js';
import { type LoadedRobot, loadRobot } from '../../src/node/robot-folder.js';

const urdf = sharedData('planning/panda/panda.urdf');
const folder = urdf?.replace('panda.urdf', '') ?? '';

interface Placed {
  readonly translation: number[];
  readonly quaternion: number[];
}
interface Problem {
  readonly start: number[];
  readonly goals: number[][];
  readonly obstacles: (Placed & {
    type: string;
    name: string;
    size: number[];
    length: number;
    radius: number;
  })[];
}

const poseOf = ({ translation, quaternion }: Placed) => ({ translation, rotation: quaternion });

function sceneOf({ obstacles }: Problem): Scene {
  const scene = new Scene();
  for (const one of obstacles) {
    const half = one.type === 'box' ? one.size.map((edge) => edge / 2) : [0, 0, one.length / 2];
    const shape =
      one.type === 'box'
        ? { min: half.map((x) => -x), max: half }
        : { bottom: [0, 0, -half[2]], top: half, radius: one.radius };
    scene.add(new Primitive(shape), { pose: poseOf(one), name: one.name });
  }
  return scene;
}

describe.skipIf(!urdf)('the Panda arm', () => {
  let arm: LoadedRobot;
  let problems: Problem[];
  beforeAll(async () => {
    arm = await loadRobot(urdf!, { srdf: `${folder}panda.srdf` });
    problems = ['bookshelf_small', 'bookshelf_thin', 'box', 'table_pick'].flatMap(
      (name) => JSON.parse(`${gunzipSync(readFileSync(`${folder}problems/${name}.json.gz`))}`).problems,
    );
  });
  const space = (problem: Problem) =>
    new MechanismSpace(arm.mechanism, sceneOf(problem), { allowed: arm.allowed });

  test('is where other kinematics have it', () => {
    const robot = JSON.parse(readFileSync(`${folder}robot.json`, 'utf8'));
    const { mechanism } = arm;
    const random = seededRandom(11);
    const poses = new Float64Array(12 * mechanism.links.length);
    for (let i = 0; i < 50; i++) {
      const q = Array.from({ length: 7 }, () => 4 * random() - 2);
      mechanism.forward(q, poses);
      const slow = new Map<string, Float64Array>();
      for (const { name, parent, joint } of robot.links) {
        const { translation, quaternion } = joint?.before ?? {
          translation: [0, 0, 0],
          quaternion: [0, 0, 0, 1],
        };
        const angle = joint?.type === 'revolute' ? q[robot.joints.indexOf(joint.name)] / 2 : 0;
        const turn = (joint?.axis ?? [0, 0, 1]).map((x: number) => x * Math.sin(angle));
        const own = composePoses(
          toRigidPose({ translation, rotation: quaternion }),
          toRigidPose({ rotation: [...turn, Math.cos(angle)] }),
        );
        slow.set(name, parent ? composePoses(slow.get(parent)!, own) : own);
        const at = 12 * mechanism.linkOf(name);
        slow.get(name)!.forEach((x, k) => {
          expect(poses[at + k]).toBeCloseTo(x, 9);
        });
      }
    }
  });

  test('starts and goals are free, but not within obstacles', () => {
    let count = 0;
    for (const problem of problems) {
      const here = space(problem);
      for (const q of [problem.start, ...problem.goals]) {
        expect(here.meeting(q)).toBe(undefined);
        count++;
      }
    }
    expect(count).toBe(800);
    // as the source of the data found with another checker
    const random = seededRandom(12);
    let free = 0;
    for (let i = 0; i < 200; i++) {
      const { lower, upper } = arm.mechanism;
      const q = Array.from(lower, (least, k) => least + random() * (upper[k] - least));
      if (space(problems[100 + (i % 100)]).isFree(q)) free++;
    }
    expect(free).toBeGreaterThan(120);
    expect(free).toBeLessThan(180);
  });

  test('motions are free where no sample meets, and hits are never late', () => {
    const random = seededRandom(13);
    const counts = { free: 0, hit: 0, undecided: 0 };
    const { mechanism } = arm;
    const motion = new JointMotion(mechanism);
    const q = new Float64Array(7);
    for (const problem of problems.filter((_, i) => i % (FAST ? 40 : 8) === 0)) {
      const here = space(problem);
      for (let i = 0; i < 10; i++) {
        const from = i < 5 ? problem.start : problem.goals[0];
        const to = from.map((x, k) => {
          const value = x + 2 * (random() - 0.5);
          return Math.min(mechanism.upper[k], Math.max(mechanism.lower[k], value));
        });
        const found = here.edge(from, to);
        counts[found.verdict]++;
        expect(here.edge(from, to, { mode: 'any' }).verdict).toBe(found.verdict);
        motion.set(from, to);
        for (let s = 0; s < 100; s++) {
          motion.at(s / 100, q);
          if (s / 100 < found.time) expect(here.meeting(q)).toBe(undefined);
        }
        if (found.contact === undefined) continue;
        motion.at(found.contact, q);
        expect(here.isFree(q)).toBe(false);
        // near the contact, or what comes as near as the accuracy before
        expect(found.time).toBeLessThanOrEqual(found.contact);
      }
    }
    expect(counts.free).toBeGreaterThan(FAST ? 10 : 100);
    expect(counts.hit).toBeGreaterThan(FAST ? 5 : 50);
    expect(counts.undecided).toBeLessThanOrEqual(0.001 * (counts.free + counts.hit));
  });

  test('pairs that sampling lets touch are those of its SRDF file, and some more', () => {
    const { adjacent, always, never } = allowedPairs(arm.mechanism, { samples: FAST ? 200 : 2000 });
    const key = (pair: readonly string[]) => [...pair].sort().join(' ');
    const found = new Set([...adjacent, ...always, ...never].map(key));
    const known = arm.allowed.map(key);
    const have = known.filter((pair) => found.has(pair));
    expect(have.length).toBeGreaterThan(0.7 * known.length);
  });
});
