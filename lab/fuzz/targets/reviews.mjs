/**
 * Review files that people write, and BCF archives of other tools. A file that can be read can be saved, and reads the
 * same afterwards; sometimes a whole check takes it over.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readBcf } from '../../../packages/cli/dist/reports/review/bcf-import.js';
import { mergedReviews } from '../../../packages/cli/dist/reports/review/decision.js';
import {
  parseReview,
  readReview,
  reviewUpdate,
} from '../../../packages/cli/dist/reports/review/review-file.js';
import { corpusOf } from '../seeds/corpus.mjs';
import { command, Failure } from './outcome.mjs';
import { CHECK, isWhole, prepareStore, refusedOrRead } from './own-files.mjs';

export const REVIEW_TARGETS = {
  review: {
    seeds: () => corpusOf(['review.yaml', 'review.json']),
    prepare: prepareStore,
    run: readDecisions,
  },
  bcf: { seeds: bcfSeeds, prepare: prepareStore, run: importTopics },
};

/** A decision added to the file: it must be saved, and the others must stay as they are. */
const ADDED = {
  status: 'reviewed',
  assignee: 'Zoë: "x"',
  due: '2027-01-31',
  comments: [{ author: '', date: '', text: ' # no comment\n- [' }],
};

async function readDecisions({ path, folder, number, prepared }) {
  if (isWhole(number)) return checkWith(path, folder, prepared);
  return refusedOrRead(async () => {
    const own = await readReview(path);
    assertSaved(own, new Map([['00000000000000ff', ADDED]]));
    // without an existing review file
    assertSaved(undefined, own.decisions);
  }, path);
}

async function importTopics({ path, folder, number, prepared }) {
  if (isWhole(number)) return checkWith(path, folder, prepared);
  return refusedOrRead(async () => {
    const topics = await readBcf(path);
    const decisions = new Map(
      topics.flatMap(({ exports, decision }) =>
        exports.flatMap(({ clashes }) => clashes.map((id) => [id, decision])),
      ),
    );
    assertSaved(undefined, mergedReviews(new Map(), decisions));
  }, path);
}

/** Saves, reads again, and compares. */
function assertSaved(own, changed) {
  for (const first of ['review.yaml', 'review.json']) {
    const update = reviewUpdate(own, changed, first);
    if (update === undefined) continue;
    const again = parseReview(update.text, update.name);
    for (const [id, decision] of new Map([...(own?.decisions ?? []), ...changed])) {
      if (!isDeepStrictEqual(again.get(id) ?? decision, decision))
        throw new Failure(
          'another decision',
          `${JSON.stringify(again.get(id))} for ${JSON.stringify(decision)}`,
        );
    }
  }
}

async function checkWith(path, folder, { store }) {
  const output = join(folder, 'report');
  const { code } = await command('check', store, '-o', output, ...CHECK, '--review', path);
  return code === 2 ? 'refused' : 'read';
}

/** BCF archives with decisions, written by the command. */
async function bcfSeeds(folder) {
  const { store, clashes } = await prepareStore(folder);
  const ids = clashes
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  const review = join(folder, 'decided.review.yaml');
  writeFileSync(
    review,
    ids
      .map((id) => `  ${id}: { status: active, assignee: Ann, comment: look }`)
      .join('\n')
      .replace(/^/, 'clashes:\n'),
  );
  const seeds = [];
  for (const [version, name] of [
    ['2.1', 'clashes.bcfzip'],
    ['3.0', 'clashes.bcf'],
  ]) {
    const output = join(folder, version);
    const options = ['--formats', 'jsonl,bcf', '--bcf', version, '--review', review];
    await command('check', store, '-o', output, ...CHECK.slice(0, -2), ...options);
    seeds.push({ name, extension: name.split('.')[1], bytes: readFileSync(join(output, name)) });
  }
  return seeds;
}
