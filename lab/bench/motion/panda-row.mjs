/** Paths of the Panda arm for all problems of a family, each looked at again. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findJointPath, MechanismSpace } from '@impinge/motion';
import { loadRobot } from '@impinge/motion/node';
import { Primitive, Scene } from 'impinge';

const FAMILIES = ['bookshelf_small', 'bookshelf_thin', 'box', 'table_pick'];
/** Configurations of a path that are looked at again. */
const LOOKS = 10_000;
/** Seconds, of the clock. */
const LIMIT = 20;
/** Milliseconds asked for. */
const MOST = 50;

export async function pandaRow({ figures, problems, quick }, row) {
  figures.begin(row, 'a certified path of seven joints for each problem');
  const panda = await loadPanda(problems);
  if (!panda) {
    figures.note(`SKIPPED: no panda/panda.urdf among --problems ${problems ?? 'DIR'}`);
    return;
  }
  const { mechanism, allowed } = panda;
  for (const family of FAMILIES) {
    const all = panda.problemsOf(family);
    const asked = quick ? all.slice(0, 10) : all;
    const times = [];
    let unsolved = 0;
    for (const [i, problem] of asked.entries()) {
      const space = new MechanismSpace(mechanism, sceneOf(problem.obstacles), { allowed });
      const before = process.cpuUsage();
      const found = await findJointPath(space, {
        start: problem.start,
        goals: problem.goals,
        timeLimit: LIMIT,
      });
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1e3);
      if (!found.found) {
        unsolved++;
        continue;
      }
      const hits = hitsAlong(space, found.path.configurations);
      figures.assert(hits === 0, `${family} ${i}: ${hits} of ${LOOKS} configurations meet`);
    }
    figures.add(`${family}, ${asked.length - unsolved} of ${asked.length} problems`, {
      time: { value: times, unit: 'ms', asked: { most: MOST } },
      unsolved: { value: unsolved, unit: '', asked: { most: 0 } },
    });
  }
}

/** The arm and its problems; undefined where they are not there. */
export async function loadPanda(problems) {
  const home = problems && join(problems, 'panda');
  if (!home || !existsSync(join(home, 'panda.urdf'))) return undefined;
  const robot = await loadRobot(join(home, 'panda.urdf'), { srdf: join(home, 'panda.srdf') });
  const problemsOf = (family) => {
    const file = readFileSync(join(home, 'problems', `${family}.json.gz`));
    return JSON.parse(gunzipSync(file).toString('utf8')).problems;
  };
  return { ...robot, problemsOf };
}

export function sceneOf(obstacles) {
  const scene = new Scene();
  for (const { type, size, length, radius, name, translation, quaternion } of obstacles) {
    const half = type === 'box' ? size.map((edge) => edge / 2) : [0, 0, length / 2];
    const shape =
      type === 'box'
        ? { min: half.map((x) => -x), max: half }
        : { bottom: [0, 0, -half[2]], top: half, radius };
    scene.add(new Primitive(shape), { pose: { translation, rotation: quaternion }, name });
  }
  return scene;
}

/** How many of many configurations along a path meet; all of its joints are limited, so it is straight in between. */
function hitsAlong(space, configurations) {
  const each = Math.ceil(LOOKS / Math.max(1, configurations.length - 1));
  let hits = 0;
  for (let i = 1; i < configurations.length; i++) {
    const [from, to] = [configurations[i - 1], configurations[i]];
    for (let k = 0; k <= each; k++) {
      if (!space.isFree(from.map((x, j) => x + (k / each) * (to[j] - x)))) hits++;
    }
  }
  return hits;
}
