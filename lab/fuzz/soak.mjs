// npm run soak: random models, checked repeatedly under different memory caps and thread counts, killed at random times
// and at exact writes, and resumed. Reports must have the same bytes every time, memory must stay below the cap plus a
// constant, and brute force and the library must agree with the findings. In between: scenes queried while they change,
// and random bodies that must fly, turn and slide as closed formulas say.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@impinge/scenes';
import { below, oneIn, oneOf } from './mutate/choose.mjs';
import { bruteForceDifferences, clashesIn, libraryDifferences, reportDifferences } from './soak/answers.mjs';
import { bodyProblems } from './soak/bodies.mjs';
import { changingSceneDifferences } from './soak/changing-scenes.mjs';
import { commandRun } from './soak/command-run.mjs';
import { SCENES } from './soak/scenes.mjs';
import { slideDifferences } from './soak/slides.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    kills: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    round: { type: 'string' },
  },
});

const MB = 1e6;
/** Memory allowed beyond the cap: Node, threads, the reports. */
const BESIDES_BYTES = 120 * MB;
const CAPS_MB = [30, 40, 64, 128, 256, 1000];
const KINDS = ['hard', 'inside', 'duplicate', 'clearance', 'touch'];
const CLEARANCE_METRES = 0.05;
const RUNS_PER_ROUND = 3;
const SCENES_PER_ROUND = 10;
const SLIDES_PER_ROUND = 10;
const MOST_KILLS_PER_RUN = 4;

const tally = { scenes: 0, slides: 0, rounds: 0, runs: 0, kills: 0, resumed: 0, highest: 0 };
const problems = [];

const ends = performance.now() + 60_000 * Number(options.minutes);
console.log(`soak: seed ${options.seed}`);
const first = Number(options.round ?? 0);
for (let round = first; round === first || isTimeLeft(); round++) {
  await soak(round);
  if (options.round !== undefined) break;
}
console.log(
  `${tally.scenes} scenes, ${tally.slides} slides, ${tally.rounds} models, ${tally.runs} runs, ${tally.kills} kills, ${tally.resumed} resumed; at most ` +
    `${Math.round(tally.highest / MB)} MB beyond the cap; ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

function isTimeLeft() {
  return performance.now() < ends && tally.kills < Number(options.kills);
}

async function soak(round) {
  const random = seededRandom(1e6 * Number(options.seed) + round);
  const folder = mkdtempSync(join(tmpdir(), 'impinge-soak-'));
  const kind = oneOf(random, Object.keys(SCENES));
  const complain = (what) => {
    const problem = `round ${round}, ${kind}: ${what}`;
    problems.push(problem);
    console.log(`  PROBLEM ${problem} (npm run soak -- --seed ${options.seed} --round ${round})`);
  };
  try {
    for (let i = 0; i < SCENES_PER_ROUND; i++) {
      changingSceneDifferences(random).forEach((difference) => {
        complain(`scene ${i}: ${difference}`);
      });
      tally.scenes++;
    }
    bodyProblems(random).forEach(complain);
    for (let i = 0; i < SLIDES_PER_ROUND; i++) {
      slideDifferences(random).forEach(complain);
      tally.slides++;
    }
    const { path, objects } = await SCENES[kind](folder, random);
    const whole = join(folder, 'whole');
    const reference = await commandRun(checkArgs(path, whole, 256, 1));
    if (reference.code !== 0 && reference.code !== 1) {
      complain(`exit code ${reference.code}: ${reference.err}`);
      return;
    }
    const clashes = clashesIn(whole);
    if (objects)
      bruteForceDifferences(
        objects,
        clashes.filter((clash) => clash.kind !== 'clearance'),
      ).forEach(complain);
    const store = path.endsWith('.impinge') ? path : join(whole, 'model.impinge');
    const question = { kinds: KINDS, clearance: CLEARANCE_METRES };
    (await libraryDifferences(store, question, clashes)).forEach(complain);
    for (let run = 0; run < RUNS_PER_ROUND; run++) {
      const output = join(folder, `run ${run}`);
      mkdirSync(output);
      if (!(await killedRun(path, output, random, complain))) continue;
      for (const difference of reportDifferences(output, whole)) complain(`run ${run}: ${difference}`);
      tally.runs++;
    }
    tally.rounds++;
    console.log(`  ${kind}: ${clashes.length} clashes; ${tally.kills} kills so far`);
  } catch (error) {
    complain(error.stack);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkArgs(path, output, capMb, threads) {
  return [
    ...['check', path, '-o', output, '--memory', `${capMb}MB`, '--workers', String(threads)],
    ...['--clearance', `${CLEARANCE_METRES}m`, '--kinds', KINDS.join()],
  ];
}

/** Kills a check a few times, then lets it finish; returns whether it succeeded. */
async function killedRun(path, output, random, complain) {
  let wasKilled = false;
  for (let left = below(random, MOST_KILLS_PER_RUN + 1); ; left--) {
    const threads = 1 + below(random, 4);
    const capMb = oneOf(random, CAPS_MB);
    const args = [...checkArgs(path, output, capMb, threads), ...(wasKilled ? ['--resume'] : [])];
    const kill = left > 0 ? someKill(random) : undefined;
    const { code, err, peakBytes } = await commandRun(args, kill);
    const beyond = peakBytes - capMb * MB;
    tally.highest = Math.max(tally.highest, beyond);
    if (beyond > BESIDES_BYTES)
      complain(`${Math.round(peakBytes / MB)} MB under a cap of ${capMb} MB, ${threads} threads`);
    if (code === undefined) {
      tally.kills++;
      wasKilled = true;
      continue;
    }
    if (wasKilled) tally.resumed++;
    if (code === 0 || code === 1) return true;
    complain(`exit code ${code}${wasKilled ? ', resumed' : ''}: ${err}`);
    return false;
  }
}

/** A random time within the first two seconds, or a write of a store, a journal or a report. */
function someKill(random) {
  if (oneIn(random, 2)) return { afterMs: 50 + 2000 * random() };
  return { at: `${oneOf(random, ['write', 'write', 'writeFile'])} ${1 + below(random, 5)}` };
}
