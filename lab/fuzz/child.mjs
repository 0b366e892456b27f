// Tries mutants in its own process, which may hang, grow or crash; the parent process watches it. The number of each
// mutant is written to a file first, because a hanging process cannot report it.
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

// some readers give up after minutes: cap their timers at seconds
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

/** Tries one file; returns its failure or its outcome. */
async function attempt(target, number, { name, seed, bytes }) {
  writeSync(progress, `${target} ${number}`.padEnd(40), 0);
  // files left by the previous mutant (rare)
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

/** Tries mutants from `from` on until time runs out; returns the next number and the count of each outcome. */
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

/** The bytes of one mutant, or of a given file. */
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
