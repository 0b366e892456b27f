/**
 * The project's own files: stores, journals, rules, baselines, paths and poses, through the commands that read them.
 * Stores, journals and baselines are made by the code that is tested, at the beginning: their formats are its own affair.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parsePose } from '../../packages/cli/dist/pose-text.js';
import { isMerelyDamaged } from '../mutate/journal.mjs';
import { CORPUS, corpusOf } from '../seeds/corpus.mjs';
import { command, Failure, refusal } from './outcome.mjs';

const MODEL = join(CORPUS, 'boxes.obj');
const CHECK = ['--workers', '1', '--memory', '30MB', '--clearance', '10mm', '--formats', 'jsonl,csv'];

export const OWN_TARGETS = {
  store: { seeds: storeSeeds, run: askStore, share: 0.5 },
  journal: { seeds: journalSeeds, prepare: prepareStore, run: resume, share: 0.3 },
  rules: { seeds: () => corpusOf(['yaml']), prepare: prepareStore, run: checkByRules, share: 0.5 },
  baseline: { seeds: baselineSeeds, prepare: prepareStore, run: checkAgainst, share: 0.4 },
  path: { seeds: () => corpusOf(['json']), prepare: prepareStore, run: flyAlong },
  pose: { seeds: () => corpusOf(['txt']), run: readPoses },
};

async function storeSeeds(folder) {
  const seeds = [];
  for (const name of ['boxes.obj', 'scene.glb']) {
    const path = join(folder, `${name}.impinge`);
    await command('pack', join(CORPUS, name), '-o', path);
    seeds.push({ name: `${name}.impinge`, extension: 'impinge', bytes: readFileSync(path) });
  }
  return seeds;
}

async function askStore({ path, folder, number }) {
  const commands = [
    ['info', path],
    ['check', path, '-o', join(folder, 'report'), ...CHECK],
    ['fly', path, '--wander', '3', '--distance'],
  ];
  const { code } = await command(...commands[number % commands.length]);
  return code === 2 ? 'refused' : 'read';
}

/** A store that other files are tried on; its answer. */
async function prepareStore(folder) {
  const store = join(folder, 'boxes.impinge');
  await command('pack', MODEL, '-o', store);
  const report = join(folder, 'whole');
  await command('check', store, '-o', report, ...CHECK);
  return { store, clashes: readFileSync(join(report, 'clashes.jsonl'), 'utf8') };
}

/** What a check leaves that was stopped before it could write its report. */
async function journalSeeds(folder) {
  const { store } = await prepareStore(folder);
  const output = join(folder, 'stopped');
  // where a report is to be, there is a folder: the work is done, and nothing can be written
  mkdirSync(join(output, 'clashes.jsonl', 'x'), { recursive: true });
  await command('check', store, '-o', output, ...CHECK);
  return [
    { name: 'check.journal', extension: 'journal', bytes: readFileSync(join(output, 'check.journal')) },
  ];
}

/** A journal whose checksums are right may say anything; one that is merely damaged never changes the answer. */
async function resume({ path, folder, bytes, seed, prepared }) {
  const output = join(folder, 'report');
  mkdirSync(output, { recursive: true });
  copyFileSync(path, join(output, 'check.journal'));
  const { code } = await command('check', prepared.store, '-o', output, ...CHECK, '--resume');
  if (code === 2) return 'refused';
  const clashes = readFileSync(join(output, 'clashes.jsonl'), 'utf8');
  if (isMerelyDamaged(bytes, seed) && clashes !== prepared.clashes)
    throw new Failure('another answer', 'after a damaged journal');
  return 'resumed';
}

async function checkByRules({ path, folder, prepared }) {
  const { code } = await command(
    'check',
    prepared.store,
    '-o',
    join(folder, 'report'),
    ...CHECK,
    '--rules',
    path,
  );
  return code === 2 ? 'refused' : 'read';
}

async function baselineSeeds(folder) {
  const { clashes } = await prepareStore(folder);
  if (clashes === '') throw new Error('the seed has no clashes');
  return [{ name: 'clashes.jsonl', extension: 'jsonl', bytes: Buffer.from(clashes.repeat(3)) }];
}

async function checkAgainst({ path, folder, prepared }) {
  const baseline = join(folder, 'baseline');
  rmSync(baseline, { recursive: true, force: true });
  mkdirSync(baseline);
  copyFileSync(path, join(baseline, 'clashes.jsonl'));
  const { code } = await command(
    ...['check', prepared.store, '-o', join(folder, 'report'), ...CHECK.slice(0, -2), '--baseline', baseline],
  );
  return code === 2 ? 'refused' : 'read';
}

async function flyAlong({ path, prepared }) {
  const { code } = await command('fly', prepared.store, MODEL, '--path', path, '--distance', '--json');
  return code === 2 ? 'refused' : 'read';
}

/** One pose a line. */
async function readPoses({ bytes, path }) {
  for (const line of bytes.toString('latin1').split('\n').slice(0, 50)) {
    try {
      if (parsePose(line, '--pose').some((x) => !Number.isFinite(x)))
        throw new Failure('not finite', 'a pose');
    } catch (error) {
      if (error instanceof Failure) throw error;
      refusal(error, path);
    }
  }
  return 'read';
}
