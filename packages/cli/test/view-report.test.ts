/** A report and its model for the page: what the record of a report holds, and which objects its clashes are about. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySink, MemorySource, openStore, type StoredModel, StoreWriter } from '@impinge/model';
import { expect, test } from 'vitest';
import { openSubject } from '../src/commands/view-subject.js';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { readRecord } from '../src/reports/read-report-record.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { storePathFrom } from '../src/reports/report-record.js';
import { UNDECIDED } from '../src/reports/review/decision.js';
import { writeReports } from '../src/reports/write-reports.js';
import { ObjectNumbers } from '../src/server/object-numbers.js';
import { ShownReport } from '../src/server/shown-report.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, plantClashes, plantObject, reportInput } from './reports-clashes.js';
import { writtenPage } from './written-page.js';

const root = temporaryFolder();

/** A store of these objects, boxes of a metre at these places along x. */
async function modelOf(
  objects: readonly (readonly [object: ReportClash['a'], x: number])[],
  metresPerUnit = 1,
): Promise<{ readonly model: StoredModel; readonly bytes: Uint8Array }> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  const size = 1 / metresPerUnit;
  const positions = new Float32Array([0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size]);
  await writer.add({
    geometry: { positions, indices: new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]) },
    objects: objects.map(([object, x]) => ({
      ...object,
      pose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x / metresPerUnit, 0, 0),
    })),
  });
  await writer.finish({ title: 'plant', metresPerUnit, files: [], recipe: '' });
  const bytes = sink.bytes();
  return { model: await openStore(new MemorySource(bytes)), bytes };
}

/** Writes a report of these clashes into a folder, and the store of all their objects beside it. */
async function reported(name: string, clashes: readonly ReportClash[], resolved?: readonly ReportClash[]) {
  const folder = join(root, name, 'report');
  mkdirSync(join(root, name), { recursive: true });
  const objects = new Map(
    [...clashes, ...(resolved ?? [])].flatMap(({ a, b }) => [
      [a.id, a],
      [b.id, b],
    ]),
  );
  const { model, bytes } = await modelOf([...objects.values()].map((object, i) => [object, 3 * i]));
  const path = join(root, name, 'plant.impinge');
  writeFileSync(path, bytes);
  const store = { path: storePathFrom(folder, path), fingerprint: model.fingerprint };
  const paths = await writeReports(folder, { ...reportInput(clashes, ['jsonl'], resolved), store });
  return { folder, model, path, paths, store };
}

const OPTIONS = { output: join(root, 'packed'), store: undefined, memory: 64e6 };

test('the record is what was asked, where the model is, and what is gone', async () => {
  const all = plantClashes(12, 31);
  const { clashes, resolved } = compareWithBaseline(grouped(all.slice(4)), grouped(all.slice(0, 9)));
  const { folder, paths, store } = await reported('record', clashes, resolved);
  expect(paths).toEqual([join(folder, 'clashes.jsonl')]);
  expect(store.path).toBe('../plant.impinge');
  const record = (await readRecord(folder))!;
  expect(record).toMatchObject({ store: '../plant.impinge', hasClashes: true });
  expect(record.run).toEqual(reportInput(clashes).run);
  expect(new Set(record.resolved?.map(({ id }) => id))).toEqual(new Set(resolved.map(({ id }) => id)));
  expect((await readRecord(root)) ?? 'none').toBe('none');
});

test('the page gets the lists of report.html, and the number of every object', async () => {
  const all = plantClashes(60, 31);
  const { clashes, resolved } = compareWithBaseline(grouped(all.slice(10)), grouped(all.slice(0, 45)));
  const { folder, model } = await reported('lists', clashes, resolved);
  const report = await ShownReport.open(folder, (await readRecord(folder))!, model);
  const shown = await report.forViewer(new Map());
  const { data } = await writtenPage('the same', clashes, resolved);
  const { box, ...lists } = JSON.parse(JSON.stringify(shown.data));
  // besides, that page holds pictures
  expect(data).toMatchObject(lists);
  expect(box).toEqual({ min: [0, 0, 0], max: [3 * model.objectCount - 2, 1, 1] });
  expect(data.matrices).toHaveLength(data.sides.length);
  const byId = new Map([...clashes, ...resolved].map((one) => [one.id, one]));
  const listed = data.clashes.id.map((id) => byId.get(id)!);
  const ids = (numbers: readonly number[]) => numbers.map((number) => model.object(number).id);
  expect(ids(shown.a)).toEqual(listed.map(({ a }) => a.id));
  expect(ids(shown.b)).toEqual(listed.map(({ b }) => b.id));
  const boxes = listed.flatMap(({ box: around }) => [...around.min, ...around.max]);
  expect(Math.max(...boxes.map((x, i) => Math.abs(x - shown.boxes[i])))).toBeLessThan(1e-9);
  expect(shown.boxes).toHaveLength(6 * data.clashes.id.length);
});

test('decisions set clashes apart as they do in the check', async () => {
  const clashes = grouped(plantClashes(20, 3));
  const { folder, model } = await reported('decided', clashes);
  const report = await ShownReport.open(folder, (await readRecord(folder))!, model);
  const approved = { ...UNDECIDED, status: 'approved' as const };
  const { data } = await report.forViewer(new Map([[clashes[7].id, approved]]));
  const at = data.clashes.id.indexOf(clashes[7].id);
  expect(data.statuses[data.clashes.status[at]]).toBe('approved');
  expect(data.clashes.status.filter((status) => status === data.clashes.status[at])).toHaveLength(1);
  expect(data.review).toEqual({ [clashes[7].id]: { status: 'approved' } });
  expect([report.has(clashes[7].id), report.has('x'), report.has('__proto__')]).toEqual([true, false, false]);
});

test('of objects with the same names, the one that is met', async () => {
  const twin = plantObject(1, 1, 1);
  const other = plantObject(2, 1, 1);
  const moved = { ...plantObject(1, 1, 1), path: 'elsewhere' };
  const { model } = await modelOf(
    [
      [other, 0],
      [twin, 10],
      [twin, 20],
      [moved, 30],
    ],
    0.001,
  );
  const numbers = await ObjectNumbers.of(model);
  const at = (x: number) => clash({ a: twin, b: other, point: [x, 0.2, 0.2] }).box;
  expect(numbers.numberOf(twin, at(10.2))).toBe(1);
  expect(numbers.numberOf(twin, at(20.2))).toBe(2);
  expect(numbers.numberOf(twin, at(30.2))).toBe(2);
  expect(numbers.numberOf(moved, at(10.2))).toBe(3);
  expect(numbers.numberOf({ ...twin, path: 'nowhere' }, at(30.2))).toBe(3);
  expect(numbers.numberOf(other, at(99))).toBe(0);
  expect(numbers.numberOf({ ...other, id: 'x' }, at(0))).toBe(-1);
});

test('the folder of a report stands for its model, also where that has moved', async () => {
  const clashes = grouped(plantClashes(5, 4));
  const { folder, path } = await reported('subject', clashes);
  const there = await openSubject([folder], OPTIONS);
  expect(there).toMatchObject({ path, folder, notes: [] });
  await there.model.dispose();
  const elsewhere = join(root, 'moved.impinge');
  writeFileSync(elsewhere, readFileSync(path));
  const record = join(folder, 'report.json');
  const text = readFileSync(record, 'utf8');
  writeFileSync(record, text.replace('../plant.impinge', '../gone.impinge'));
  await expect(openSubject([folder], OPTIONS)).rejects.toThrow(
    /gone\.impinge: cannot be read: there is no such file or folder; .* is its report: pass its new place with --store$/,
  );
  const named = await openSubject([folder], { ...OPTIONS, store: elsewhere });
  expect(named).toMatchObject({ path: elsewhere, notes: [] });
  await named.model.dispose();
  writeFileSync(elsewhere, (await modelOf([[plantObject(1, 1, 1), 0]])).bytes);
  const changed = await openSubject([folder], { ...OPTIONS, store: elsewhere });
  expect(changed.notes).toEqual([
    `${elsewhere}: is not the model of this report, or has changed since the report was written`,
  ]);
  await changed.model.dispose();
  await expect(openSubject([elsewhere], { ...OPTIONS, store: path })).rejects.toThrow(
    '--store is for the folder of a report',
  );
});

test.each([
  ['{', /report\.json: is not a report of impinge: it is not JSON$/],
  [
    '{"format":"impinge report 99"}',
    /report\.json: was written by another version of impinge; run the check again$/,
  ],
  ['{"format":"impinge report 1","store":5}', /report\.json: cannot be read: store: /],
])('a record that is none: %s', async (text, message) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'report.json'), text);
  await expect(readRecord(folder)).rejects.toThrow(message);
});

test('a file of that name among models is none of ours; a report without clashes cannot be shown', async () => {
  const folder = temporaryFolder();
  for (const text of ['{"format":"other"}', '[]', '"impinge report 1"', 'null']) {
    writeFileSync(join(folder, 'report.json'), text);
    expect(await readRecord(folder)).toBeUndefined();
  }
  const { model } = await modelOf([[plantObject(1, 1, 1), 0]]);
  const store = { path: 'x.impinge', fingerprint: model.fingerprint };
  await writeReports(folder, { ...reportInput(grouped(plantClashes(2, 5)), ['csv']), store });
  const record = (await readRecord(folder))!;
  await expect(ShownReport.open(folder, record, model)).rejects.toThrow('is not part of this report');
});
