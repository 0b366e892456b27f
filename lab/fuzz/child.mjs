// Tries mutants in a process of its own, which may hang, swell or die: the one that started it watches. Before each
// mutant its number is noted in a file, because a process that hangs cannot tell.
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { numberedMutant } from './mutants.mjs';
import { forgetPeak, growthLimit, peakBytes, residentBytes } from './process-state.mjs';
import { TARGETS } from './targets/index.mjs';
import { MEMORY } from './targets/models.mjs';
import { Failure } from './targets/outcome.mjs';

const folder = process.argv[2];
const progress = openSync(join(folder, 'progress'), 'w');
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
const own = join(folder, 'mutant');
mkdirSync(own);

// readers that stop by themselves after minutes are let off after seconds
const LONGEST_WAIT_MS = 4000;
const { setTimeout: originalTimeout } = globalThis;
globalThis.setTimeout = (act, ms, ...rest) => originalTimeout(act, Math.min(ms, LONGEST_WAIT_MS), ...rest);

const ready = new Map();

async function prepared(target) {
  if (!ready.has(target)) {
    const own = join(folder, `of ${target}`);
    mkdirSync(own);
    const { seeds, prepare } = TARGETS[target];
    ready.set(target, { seeds: await seeds(own), prepared: await prepare?.(own) });
  }
  return ready.get(target);
}

/** Tries some bytes; the failure, or what came of it. */
async function attempt(target, number, { name, seed, bytes }) {
  writeSync(progress, `${target} ${number}`.padEnd(40), 0);
  // what the mutant before it left, which is rarely anything
  for (const left of readdirSync(own)) rmSync(join(own, left), { recursive: true });
  const path = join(own, name);
  writeFileSync(path, bytes);
  const context = { ...(await prepared(target)), path, folder: own, temporary, number, seed, bytes };
  forgetPeak();
  const before = residentBytes('self');
  try {
    const outcome = await TARGETS[target].run(context);
    const growth = peakBytes() - before;
    if (growth > growthLimit(MEMORY, bytes.length) + (TARGETS[target].engineBytes ?? 0))
      throw new Failure('growth', `${Math.round(growth / 1e6)} MB for ${bytes.length} bytes`);
    return { outcome };
  } catch (error) {
    const failure =
      error instanceof Failure ? error : new Failure('raw error', String(error?.stack ?? error), error);
    return { failure: { message: failure.message, signature: failure.signature } };
  }
}

/** Numbers from `from` on, as long as there is time; then where it stopped and what was found. */
async function series({ target, seed, from, to, seconds }) {
  const { seeds } = await prepared(target);
  const ends = performance.now() + 1000 * seconds;
  const outcomes = {};
  let number = from;
  for (; number < to && performance.now() < ends; number++) {
    const mutant = numberedMutant(seeds, target, seed, number);
    const { outcome, failure } = await attempt(target, number, mutant);
    if (failure) process.send({ failed: { target, number, ...failure } });
    const kind = outcome ?? 'failed';
    outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  }
  return { next: number, outcomes };
}

/** The bytes of one mutant, or a file that is tried as it is. */
async function single({ target, seed, number, path, name }) {
  const { seeds } = await prepared(target);
  if (path === undefined) return numberedMutant(seeds, target, seed, number);
  const bytes = readFileSync(path);
  return { name: name ?? basename(path), bytes, seed: seeds[0].bytes };
}

process.on('message', async (message) => {
  if (message.series) process.send({ done: await series(message.series) });
  if (message.attempt) {
    const mutant = await single(message.attempt);
    process.send({ done: await attempt(message.attempt.target, message.attempt.number ?? 0, mutant) });
  }
});
process.send({ ready: true });
