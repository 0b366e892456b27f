/**
 * The project's own files: stores, journals, rules, baselines, paths and poses, through their readers, and sometimes
 * through a whole check, which takes a hundred times as long because it starts threads. Stores, journals and baselines
 * are written by the code under test at the start, so that no binary seeds have to follow format changes.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../../packages/cli/dist/jobs/journal.js';
import { checkEntry } from '../../../packages/cli/dist/jobs/journal-entry.js';
import { parsePose } from '../../../packages/cli/dist/pose-text.js';
import { compareWithBaseline, readBaseline } from '../../../packages/cli/dist/reports/baseline.js';
import { REPORT_FORMATS } from '../../../packages/cli/dist/reports/choices.js';
import { groupClashes, writeReports } from '../../../packages/cli/dist/reports/index.js';
import { PainterHere } from '../../../packages/cli/dist/reports/painter.js';
import { readRules } from '../../../packages/cli/dist/rules/read-rules.js';
import { check, patternProblem } from '../../../packages/model/dist/index.js';
import { openStoreFile } from '../../../packages/model/dist/node/index.js';
import { isMerelyDamaged } from '../mutate/journal.mjs';
import { CORPUS, corpusOf } from '../seeds/corpus.mjs';
import { command, Failure, refusal } from './outcome.mjs';

const MODEL = join(CORPUS, 'boxes.obj');
export const CHECK = ['--workers', '1', '--memory', '30MB', '--clearance', '10mm', '--formats', 'jsonl,csv'];

/** One in this many mutants goes through a whole check. */
const CHECKED_SHARE = 12;
const DATE = '2000-01-01T00:00:00.000Z';

export const OWN_TARGETS = {
  store: { seeds: storeSeeds, run: askStore },
  journal: { seeds: journalSeeds, prepare: prepareStore, run: resume },
  rules: { seeds: () => corpusOf(['yaml']), prepare: prepareStore, run: checkByRules },
  baseline: { seeds: baselineSeeds, prepare: prepareStore, run: checkAgainst },
  path: { seeds: () => corpusOf(['json']), prepare: prepareStore, run: flyAlong },
  pose: { seeds: () => corpusOf(['txt']), run: readPoses },
};

async function storeSeeds(folder) {
  const seeds = [];
  const pack = async (name, model, ...options) => {
    const path = join(folder, `${name}.impinge`);
    await command('pack', model, ...options, '-o', path);
    seeds.push({ name: `${name}.impinge`, extension: 'impinge', bytes: readFileSync(path) });
  };
  for (const name of ['boxes.obj', 'scene.glb']) await pack(name, join(CORPUS, name));
  const waves = join(folder, 'waves.obj');
  writeFileSync(waves, wavesObj(24));
  await pack('waves', waves, '--levels', '--workers', '1');
  return seeds;
}

/** A sheet of 2 n² triangles: enough for several levels. */
function wavesObj(n) {
  const lines = [];
  for (let i = 0; i < (n + 1) ** 2; i++) {
    const [x, y] = [i % (n + 1), Math.floor(i / (n + 1))];
    lines.push(`v ${x} ${y} ${(Math.sin(x / 2) * Math.cos(y / 3)).toFixed(3)}`);
  }
  for (let i = 0; i < n * n; i++) {
    const v = i + Math.floor(i / n) + 1;
    lines.push(`f ${v} ${v + 1} ${v + n + 2}`, `f ${v} ${v + n + 2} ${v + n + 1}`);
  }
  return `${lines.join('\n')}\n`;
}

async function askStore({ path, folder, number }) {
  const { code } = isWhole(number)
    ? await command('check', path, '-o', join(folder, 'report'), ...CHECK)
    : await command(...(number % 2 === 0 ? ['info', path] : ['fly', path, '--wander', '3', '--distance']));
  return code === 2 ? 'refused' : 'read';
}

export const isWhole = (number) => number % CHECKED_SHARE === 0;

/** Runs `act`; the project's own errors count as a refusal, any other is a failure. */
export async function refusedOrRead(act, path) {
  try {
    await act();
    return 'read';
  } catch (error) {
    refusal(error, path);
    return 'refused';
  }
}

/** Writes the reports of these clashes. */
async function report(folder, clashes, resolved) {
  const box = { min: [0, 0, 0], max: [1, 1, 1] };
  const model = { title: '', files: [], objectCount: 1, triangleCount: 1, disciplines: [], date: DATE, box };
  const run = {
    asked: { rules: [], sets: {}, exclusions: true, clearance: 0.01, tolerance: 0, kinds: ['hard'] },
    clearance: 0.01,
    tolerance: 0,
    rules: [],
    touches: 0,
    pairsChecked: 1,
    findings: [],
    excluded: [],
  };
  async function* excluded() {}
  const options = {
    formats: REPORT_FORMATS,
    bcf: '2.1',
    sheetsBy: 'storey',
    excluded,
    failOn: 'any',
    painter: new PainterHere(box, undefined),
    review: undefined,
  };
  await writeReports(folder, { model, run, clashes, approved: [], resolved, ...options });
}

/** A store that other files are tried with, and its clashes. */
export async function prepareStore(folder) {
  const store = join(folder, 'boxes.impinge');
  await command('pack', MODEL, '-o', store);
  const report = join(folder, 'whole');
  await command('check', store, '-o', report, ...CHECK);
  return { store, report, clashes: readFileSync(join(report, 'clashes.jsonl'), 'utf8') };
}

/** The journal of a check that was interrupted before it wrote its report. */
async function journalSeeds(folder) {
  const { store } = await prepareStore(folder);
  const output = join(folder, 'stopped');
  // a folder in the place of a report: the check completes, but cannot write
  mkdirSync(join(output, 'clashes.jsonl', 'x'), { recursive: true });
  await command('check', store, '-o', output, ...CHECK);
  return [
    { name: 'check.journal', extension: 'journal', bytes: readFileSync(join(output, 'check.journal')) },
  ];
}

/** A forged journal with valid checksums may say anything; a damaged one must never change the answer. */
async function resume({ path, folder, number, bytes, seed, prepared }) {
  const output = join(folder, 'report');
  mkdirSync(output, { recursive: true });
  copyFileSync(path, join(output, 'check.journal'));
  if (!isWhole(number)) return resumeAlone(join(output, 'check.journal'), output, seed);
  const { code } = await command('check', prepared.store, '-o', output, ...CHECK, '--resume');
  if (code === 2) return 'refused';
  const clashes = readFileSync(join(output, 'clashes.jsonl'), 'utf8');
  if (isMerelyDamaged(bytes, seed) && clashes !== prepared.clashes)
    throw new Failure('another answer', 'after a damaged journal');
  return 'resumed';
}

/** Reads the journal without running its check. */
async function resumeAlone(path, output, seed) {
  const first = Buffer.from(seed).toString('utf8', 0, seed.indexOf(10));
  const { header } = JSON.parse(first.slice(first.indexOf('{')));
  let journal;
  const clashes = [];
  try {
    return await refusedOrRead(async () => {
      ({ journal } = await Journal.resume(path, header));
      for await (const line of journal.entries()) clashes.push(...checkEntry(line, path).clashes);
      await report(output, groupClashes(clashes, DATE));
    }, path);
  } finally {
    await journal?.close();
  }
}

async function checkByRules({ path, folder, number, prepared }) {
  if (!isWhole(number)) return refusedOrRead(() => checkHere(path, prepared.store), path);
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

async function checkHere(path, store) {
  const { rules, sets, exclusions, defaults } = await readRules(path, patternProblem);
  const model = await openStoreFile(store);
  try {
    for await (const _ of check(model, { ...defaults, rules, sets, exclusions, allowEmptyRules: true }));
  } finally {
    await model.dispose();
  }
}

async function baselineSeeds(folder) {
  const { clashes } = await prepareStore(folder);
  if (clashes === '') throw new Error('the seed has no clashes');
  return [{ name: 'clashes.jsonl', extension: 'jsonl', bytes: Buffer.from(clashes.repeat(3)) }];
}

async function checkAgainst({ path, folder, number, prepared }) {
  const baseline = join(folder, 'baseline');
  rmSync(baseline, { recursive: true, force: true });
  mkdirSync(baseline);
  copyFileSync(path, join(baseline, 'clashes.jsonl'));
  if (!isWhole(number)) {
    return refusedOrRead(async () => {
      const { clashes, resolved } = compareWithBaseline(
        groupClashes(await readBaseline(prepared.report), DATE),
        await readBaseline(baseline),
      );
      await report(join(folder, 'report'), clashes, resolved);
    }, path);
  }
  const { code } = await command(
    ...['check', prepared.store, '-o', join(folder, 'report'), ...CHECK.slice(0, -2), '--baseline', baseline],
  );
  return code === 2 ? 'refused' : 'read';
}

async function flyAlong({ path, prepared }) {
  const { code } = await command('fly', prepared.store, MODEL, '--path', path, '--distance', '--json');
  return code === 2 ? 'refused' : 'read';
}

/** One pose per line. */
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
