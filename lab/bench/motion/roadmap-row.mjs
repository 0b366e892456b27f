/** Many questions of one world: by a roadmap, and one search for each. */
import {
  findJointPath,
  findPath,
  MechanismSpace,
  makeJointRoadmap,
  makeRoadmap,
  posesFree,
} from '@impinge/motion';
import { slottedPlate } from '@impinge/scenes/puzzle';
import { Mesh } from 'impinge';
import { box, randomRotation, seededRandom } from '../../scenes/index.mjs';
import { loadPanda, sceneOf } from './panda-row.mjs';

const QUESTIONS = 100;
/** Which problem of a family, and how far from its ends every joint may begin, in radians. */
const PROBLEM = 3;
const AROUND = 0.2;
/** How far from a plate bodies begin. */
const BESIDE = 4;
/** Seconds of the clock for one question. */
const LIMIT = 60;

export async function roadmapRow({ figures, problems, quick }, row) {
  const count = quick ? 10 : QUESTIONS;
  figures.begin(row, `${count} questions of one world, by a roadmap and by a search for each`);
  const bounds = { min: [-9, -7, -7], max: [9, 7, 7] };
  const bar = Mesh.from(box(3, 6, 1));
  const plate = Mesh.from(slottedPlate({ slot: [5, 3] }));
  const poses = await freePoses(bar, plate, bounds, 2 * count);
  await compare(figures, 'a bar and a slot', poses, {
    make: () => makeRoadmap(bar, plate, { bounds }),
    find: (question) => findPath(bar, plate, { ...question, bounds }),
  });
  const panda = await loadPanda(problems);
  if (!panda) return figures.note(`SKIPPED: no panda/panda.urdf among --problems ${problems ?? 'DIR'}`);
  for (const family of ['bookshelf_thin', 'box', 'table_pick']) {
    const { start, goals, obstacles } = panda.problemsOf(family)[PROBLEM];
    const space = new MechanismSpace(panda.mechanism, sceneOf(obstacles), { allowed: panda.allowed });
    await compare(figures, family, freeConfigurations(space, [start, goals[0]], 2 * count), {
      make: () => makeJointRoadmap(space),
      find: (question) => findJointPath(space, question),
    });
  }
}

async function compare(figures, name, ends, { make, find }) {
  const seconds = { find: 0, map: 0 };
  const timed = async (by, work) => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    seconds[by] += (user + system) / 1e6;
    return result;
  };
  const roadmap = await timed('map', make);
  for (let i = 0; i < ends.length; i += 2) {
    const question = { start: ends[i], goals: [ends[i + 1]], timeLimit: LIMIT };
    for (const [by, ask] of [
      ['find', find],
      ['map', (asked) => roadmap.find(asked)],
    ]) {
      const result = await timed(by, () => ask(question));
      figures.assert(result.found && result.path.certificate.free, `${name} ${i / 2}: none by ${by}`);
    }
  }
  const asked = { most: seconds.find };
  figures.add(`${name}, a roadmap`, { time: { value: seconds.map, unit: 's', asked } });
  figures.add(`${name}, searches`, { time: { value: seconds.find, unit: 's' } });
}

/** On both sides of a plate, by turns. */
async function freePoses(body, plate, { min, max }, count) {
  const random = seededRandom(5);
  const out = [];
  while (out.length < count) {
    const at = min.map((least, k) => least + random() * (max[k] - least));
    const side = out.length % 2 === 0 ? -1 : 1;
    const pose = Float64Array.of(...randomRotation(random), side * Math.abs(at[0]), at[1], at[2]);
    if (Math.abs(at[0]) > BESIDE && (await posesFree(body, plate, pose))[0]) out.push(pose);
  }
  return out;
}

/** Near the ends of a problem, by turns. */
function freeConfigurations(space, ends, count) {
  const random = seededRandom(5);
  const out = [];
  while (out.length < count) {
    const near = ends[out.length % 2].map((x) => x + AROUND * (2 * random() - 1));
    if (space.areFree(near)[0]) out.push(near);
  }
  return out;
}
