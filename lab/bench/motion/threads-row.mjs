/**
 * Many poses and many configurations on two threads, beside none: how many times faster by the clock, and how much of
 * the processor's time is the calling thread's, which does not depend on what else runs and bounds what more threads
 * can give.
 */
import { existsSync, readFileSync } from 'node:fs';
import { configurationsFree, MechanismSpace, posesFree } from '@impinge/motion';
import { nodePool } from 'impinge/node';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { loadPanda, sceneOf } from './panda-row.mjs';
import { plantScene } from './plant-scene.mjs';
import { readProblem } from './problem.mjs';

const THREADS = 2;
const RATIO = 1.7;
/** Of the calling thread: with more, it is this one that the others wait for. */
const SHARE = 0.4;
const BATCHES = [2_000, 20_000, 100_000];
const FAMILY = 'bookshelf_thin';
const PROBLEM = 3;
/** Where in the plant the arm stands: above the floor, between machines. */
const PLACE = [5, 4, 1.5];

export async function threadsRow({ figures, problems, quick, repetitions }, row) {
  figures.begin(row, `many questions on ${THREADS} threads, beside none`);
  const pool = nodePool(THREADS);
  const batches = quick ? BATCHES.slice(0, 2) : BATCHES;
  const measure = (name, ask) => compare(figures, name, { pool, batches, repetitions, ask });
  try {
    const alpha = readProblem(problems, 'alpha-1.5');
    if (!alpha) figures.note(`SKIPPED: no alpha-1.5 with its meshes among --problems ${problems ?? 'DIR'}`);
    else {
      const poses = posesIn(alpha.problem.bounds, batches.at(-1));
      await measure('alpha-1.5, poses', (count, options) =>
        posesFree(alpha.body, alpha.world, poses.subarray(0, 12 * count), options),
      );
    }
    const panda = await loadPanda(problems);
    if (!panda) figures.note(`SKIPPED: no panda/panda.urdf among --problems ${problems ?? 'DIR'}`);
    else {
      const { mechanism, allowed } = panda;
      const { variables, lower, upper } = mechanism;
      const random = seededRandom(5);
      const all = Float64Array.from({ length: variables * batches.at(-1) }, (_, i) => {
        const [low, high] = [lower[i % variables], upper[i % variables]];
        return low + random() * (high - low);
      });
      const worlds = {
        [FAMILY]: sceneOf(panda.problemsOf(FAMILY)[PROBLEM].obstacles),
        plant: plantScene(PLACE).scene,
      };
      for (const [name, scene] of Object.entries(worlds)) {
        const space = new MechanismSpace(mechanism, scene, { allowed });
        await measure(`${name}, configurations`, (count, options) =>
          configurationsFree(space, all.subarray(0, variables * count), options),
        );
      }
    }
  } finally {
    await pool.dispose();
  }
}

async function compare(figures, name, { pool, batches, repetitions, ask }) {
  for (const count of batches) {
    const expected = await ask(count, {});
    figures.assert(Buffer.compare(await ask(count, { pool }), expected) === 0, `${name}: other answers`);
    const ratios = [];
    const shares = [];
    const each = [];
    for (let run = 0; run < repetitions; run++) {
      const alone = await timed(() => ask(count, {}));
      const threaded = await timed(() => ask(count, { pool }));
      ratios.push(alone.clock / threaded.clock);
      shares.push(threaded.own / threaded.all);
      each.push((1e3 * alone.all) / count);
    }
    figures.add(`${name}, ${count} at once`, {
      time: { value: each, unit: 'µs' },
      faster: { value: ratios, unit: '×', asked: { least: RATIO } },
      own: { value: shares, unit: '', asked: { most: SHARE } },
      free: { value: expected.reduce((sum, one) => sum + one, 0) / count, unit: '' },
    });
  }
}

/** Milliseconds: by the clock, of all threads, of this one. */
async function timed(work) {
  const [before, own, began] = [process.cpuUsage(), ownTime(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - began, all: (user + system) / 1e3, own: ownTime() - own };
}

/** Of this thread, in milliseconds, to the hundredth of a second; NaN where the system does not say. */
function ownTime() {
  const file = `/proc/self/task/${process.pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const numbers = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return 10 * (Number(numbers[11]) + Number(numbers[12]));
}

function posesIn({ min, max }, count) {
  const random = seededRandom(5);
  const out = new Float64Array(12 * count);
  for (let at = 0; at < out.length; at += 12) {
    out.set(randomRotation(random), at);
    for (let k = 0; k < 3; k++) out[at + 9 + k] = min[k] + random() * (max[k] - min[k]);
  }
  return out;
}
