/** The sample of docs/judged-clashes.md, taken again: every clash in it is judged, and most are worth a meeting. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { clashesIn, impinge, impingeJson } from './run-impinge.js';

const data = fileURLToPath(new URL('../../../../shared/data/ifc/', import.meta.url));
const document = readFileSync(new URL('../../../docs/judged-clashes.md', import.meta.url), 'utf8');
const page = document.slice(document.indexOf('## The judgements'));
const SAMPLE = 60;

const all = (folder: string, ending: string) =>
  readdirSync(join(data, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(data, folder, name));

describe.skipIf(!existsSync(join(data, 'schependomlaan')))('clashes of real models', () => {
  const files = new Files();
  const reports = ['Duplex', 'Schependomlaan', 'federated'].map((name) => join(files.folder, name));
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they look for
  const summaries = new Map<string, any>();
  beforeAll(async () => {
    const models = [
      [join(data, 'Duplex_A_20110907.ifc')],
      all('schependomlaan', '.ifczip'),
      all('federated', '.ifc'),
    ];
    for (const [i, model] of models.entries()) {
      const args = ['-o', reports[i], '--preset', 'coordination', '--formats', 'jsonl,excluded'];
      summaries.set(reports[i], await impingeJson('check', ...model, ...args));
    }
  });

  test('60 of them, chosen by a hash: at least 70 % are worth a meeting', () => {
    const judged = new Map(
      [...page.matchAll(/^\| `([0-9a-f]{16})` \|.*\| (yes|no) +\| \w+ +\|$/gm)].map(([, id, worth]) => [
        id,
        worth,
      ]),
    );
    expect(judged.size).toBe(SAMPLE);
    const key = (id: string) => createHash('sha256').update(`35 ${id}`).digest('hex');
    const ids: string[] = reports.flatMap((report) => clashesIn(report).map(({ id }) => id));
    expect(ids).toHaveLength(68);
    const sample = ids.sort((p, q) => (key(p) < key(q) ? -1 : 1)).slice(0, SAMPLE);
    const judgements = sample.map((id) => judged.get(id));
    expect(judgements).not.toContain(undefined);
    const worth = judgements.filter((word) => word === 'yes').length;
    expect(document).toContain(`**${worth} of ${SAMPLE} (85 %)**`);
    expect(worth / SAMPLE).toBeGreaterThanOrEqual(0.7);
  });

  test('every pair that is left out is counted, and listed', () => {
    for (const [report, { excluded, stats }] of summaries) {
      const rows = readFileSync(join(report, 'excluded.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
      for (const { name, pairs } of excluded) {
        expect(rows.filter((row) => row.startsWith(`${name},`))).toHaveLength(pairs);
        expect(stats.excluded[name]).toBe(pairs);
      }
      expect(rows).toHaveLength(
        excluded.reduce((sum: number, { pairs }: { pairs: number }) => sum + pairs, 0),
      );
    }
    const [, aspects] = reports;
    expect(summaries.get(aspects).excluded[0]).toMatchObject({ name: 'copies', pairs: 107, elements: 42 });
  });

  test('the pair of elements that a topic of people names is in the first 20 issues', async () => {
    const output = join(files.folder, 'vebo');
    const model = join(data, 'schependomlaan/ROOT-Vebo.ifczip');
    await impinge(
      'check',
      model,
      '-o',
      output,
      '--formats',
      'jsonl',
      '--kinds',
      'hard,inside,duplicate,touch',
    );
    const found = clashesIn(output);
    const topic = ['2idEjti6zFIgYm2tBrhV$n', '3yp24Y_VTA$gEU$IkhzuVa'];
    const pair = found.find(({ a, b }) => topic.includes(a.id) && topic.includes(b.id));
    expect(pair).toMatchObject({ kind: 'touch' });
    expect(pair.depthBound).toBeLessThan(2e-7);
    const issues = [...new Set(found.map(({ group }) => group))];
    expect(issues.indexOf(pair.group)).toBeLessThan(20);
  });
});
