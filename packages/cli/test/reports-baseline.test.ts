import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { compareWithBaseline, readBaseline } from '../src/reports/baseline.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { clash, DATE, grouped, plantClashes, plantObject, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

describe('a baseline', () => {
  test('is read back as it was written', async () => {
    const clashes = grouped(plantClashes(200, 21));
    await writeReports(folder, reportInput(clashes, ['jsonl']));
    const read = await readBaseline(folder);
    expect(read).toHaveLength(200);
    for (const one of read) {
      const was = clashes.find(({ id }) => id === one.id)!;
      expect(one).toMatchObject({ kind: was.kind, form: was.form, a: was.a, b: was.b, group: was.group });
      expect(one.depth).toBeCloseTo(was.depth, 9);
      expect(one.point[0]).toBeCloseTo(was.point[0], 8);
    }
  });

  test('tells new, persisting and resolved clashes apart; a change of kind persists', () => {
    const all = plantClashes(90, 22);
    const earlier = grouped(all.slice(0, 60));
    const now = grouped([
      { ...all[30], kind: 'clearance', form: undefined, depth: 0, distance: 0.01 },
      ...all.slice(31),
    ]);
    const { clashes, resolved } = compareWithBaseline(now, earlier);
    const ids = (status: string) => clashes.filter((one) => one.status === status).map(({ id }) => id);
    expect(ids('persisting')).toEqual(all.slice(30, 60).map(({ id }) => id));
    expect(ids('new')).toEqual(all.slice(60).map(({ id }) => id));
    expect(resolved.map(({ id }) => id)).toEqual(all.slice(0, 30).map(({ id }) => id));
  });

  test('clashes and issues keep the dates of the models they were first found in, week after week', () => {
    const all = plantClashes(90, 22);
    const first = groupClashes(all.slice(0, 60), '2024-01-01');
    const second = compareWithBaseline(groupClashes(all.slice(20, 75), '2024-01-08'), first).clashes;
    const third = compareWithBaseline(groupClashes(all.slice(25), '2024-01-15'), second).clashes;
    all.slice(25).forEach((one, i) => {
      const since = i < 35 ? '2024-01-01' : i < 50 ? '2024-01-08' : '2024-01-15';
      expect(third.find(({ id }) => id === one.id)!.since).toBe(since);
    });
    const opened = (list: readonly ReportClash[]) =>
      new Map(list.map(({ group, issueSince }) => [group, issueSince]));
    const kept = [...opened(third)].filter(([group]) => opened(first).has(group));
    expect(kept.length).toBeGreaterThan(5);
    for (const [, since] of kept) expect(since).toBe('2024-01-01');
    expect(new Set(opened(third).values())).toEqual(new Set(['2024-01-01', '2024-01-08', '2024-01-15']));
  });

  test('of the same clashes changes nothing', () => {
    const list = plantClashes(150, 23);
    const { clashes, resolved } = compareWithBaseline(groupClashes(list, DATE), grouped(list));
    expect(resolved).toEqual([]);
    expect(clashes.map(({ group }) => group)).toEqual(grouped(list).map(({ group }) => group));
    expect(clashes.every(({ status }) => status === 'persisting')).toBe(true);
  });

  test('lets an issue keep its id when its least clash is gone', () => {
    const beam = plantObject(0, 1, 1);
    const list = Array.from({ length: 5 }, (_, i) => clash({ a: plantObject(1, 1, i), b: beam }));
    const earlier = grouped(list);
    const least = [...list].sort((p, q) => (p.id < q.id ? -1 : 1))[0];
    const left = list.filter((one) => one !== least);
    expect(grouped(left)[0].group).not.toBe(earlier[0].group);
    const { clashes } = compareWithBaseline(groupClashes(left, DATE), earlier);
    expect(new Set(clashes.map(({ group }) => group))).toEqual(new Set([earlier[0].group]));
  });

  test('gives an earlier id to one issue only', () => {
    const list = plantClashes(200, 24);
    const one = grouped(list).map((each) => ({ ...each, group: 'gall' }));
    const { clashes } = compareWithBaseline(groupClashes(list, DATE), one);
    const was = groupClashes(list, DATE);
    const pairs = new Set(clashes.map(({ group }, i) => `${group} ${was[i].group}`));
    expect(pairs.size).toBe(new Set(was.map(({ group }) => group)).size);
    expect(new Set(clashes.map(({ group }) => group)).size).toBe(pairs.size);
    expect(clashes.some(({ group }) => group === 'gall')).toBe(true);
  });

  test('that is missing, cut off or altered is refused in one line', async () => {
    const failure = async (name: string, content?: string) => {
      const place = join(folder, name);
      mkdirSync(place, { recursive: true });
      if (content !== undefined) writeFileSync(join(place, 'clashes.jsonl'), content);
      const error = await readBaseline(place).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CommandError);
      const { message } = error as Error;
      expect(message).not.toContain('\n');
      return message;
    };
    expect(await failure('none')).toContain('no clashes.jsonl');
    expect(await failure('cut', '{"id":"x","kind"')).toContain('line 1');
    expect(await failure('other', '\n{"id":"x"}\n')).toMatch(/line 2: .*kind/);
    expect(await failure('list', '[1, 2]\n')).toContain('line 1');
  });
});
