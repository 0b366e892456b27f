import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@impinge/scenes/random';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import { CommandError } from '../src/command-error.js';
import { partialName } from '../src/jobs/leftovers.js';
import { processTag } from '../src/jobs/process-identity.js';
import { USUAL_FORMATS } from '../src/reports/choices.js';
import { clashLine, clashRecord, roundCoordinate } from '../src/reports/clash-record.js';
import { csvCell } from '../src/reports/csv-cell.js';
import { parseClashLine } from '../src/reports/read-clash-record.js';
import { measureText, type ReportClash } from '../src/reports/report-data.js';
import type { OpenNew } from '../src/reports/staged-files.js';
import { isoDate } from '../src/reports/text.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, manyClashes, plantClashes, plantObject, reportInput } from './reports-clashes.js';

const root = temporaryFolder();
const NAMES = ['clashes.bcfzip', 'clashes.csv', 'clashes.jsonl', 'report.html'];

async function written(name: string, clashes: readonly ReportClash[], resolved?: readonly ReportClash[]) {
  const folder = join(root, name);
  const paths = await writeReports(folder, reportInput(clashes, USUAL_FORMATS, resolved));
  expect(paths).toEqual(
    ['clashes.jsonl', 'clashes.csv', 'report.html', 'clashes.bcfzip'].map((n) => join(folder, n)),
  );
  expect(readdirSync(folder).sort()).toEqual(NAMES);
  return Object.fromEntries(NAMES.map((n) => [n, readFileSync(join(folder, n))])) as Record<string, Buffer>;
}

/** Rows of cells, read strictly. */
function parseCsv(source: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < source.length) {
    const found = cell.exec(source);
    if (!found) throw new Error(`not a cell: ${source.slice(0, 40)}`);
    rows.at(-1)!.push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    if (found[3] !== ',') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  'quote " and, comma',
  'line\r\nline\nline',
  '</script><script>alert(1)</script>',
  '<!-- <img src=x onerror=alert(1)>',
  '\u0000\u0007\u001b[31m',
  '\ud83d alone \udc00',
  '\u2028\u2029\u202e',
  '',
];

const hostileClashes = () =>
  grouped(
    HOSTILE.map((text, i) => {
      const a = {
        ...plantObject(0, 1, i),
        id: `${i}${text}`,
        name: text,
        path: text,
        type: text,
        storey: text,
      };
      return clash({
        a,
        b: { ...plantObject(1, 1, i), name: text, discipline: text, file: text },
        rule: text,
      });
    }),
  );

describe('clashes.jsonl', () => {
  full('has a record for each clash, sorted, with its keys in order', async () => {
    const clashes = grouped(plantClashes(80, 1));
    const lines = (await written('records', clashes))['clashes.jsonl'].toString().split('\n');
    expect(lines.pop()).toBe('');
    const records = lines.map((line) => JSON.parse(line));
    const keys =
      'id kind form a b distance depth depthBound point box trianglePairs rule group status formerIds since issueSince storey room grid penetration review'.split(
        ' ',
      );
    for (const record of records) {
      expect(Object.keys(record)).toEqual(keys);
      expect(Object.keys(record.a)).toEqual(
        'id name path type discipline file storey tag rounding curveError box'.split(' '),
      );
      const was = clashes.find(({ id }) => id === record.id)!;
      expect(record).toMatchObject({ a: was.a, b: was.b, kind: was.kind, rule: was.rule, group: was.group });
      expect(record.form).toBe(was.form ?? null);
      expect(Math.abs(record.depth - was.depth)).toBeLessThanOrEqual(1e-9 * was.depth);
    }
    const order = records.map(({ group, a, b, id }) => [group, a.path, b.path, id].join('\0'));
    expect(order).toEqual([...order].sort());
    expect(new Set(order).size).toBe(80);
  });

  test('keeps names as they are', async () => {
    const text = (await written('hostile', hostileClashes()))['clashes.jsonl'].toString();
    const names = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).a.name);
    expect(new Set(names)).toEqual(new Set(HOSTILE));
  });

  test('rounds away what differs between machines, and no more', async () => {
    const base = clash({ a: plantObject(0, 1, 1), b: plantObject(1, 1, 1) });
    const [one] = grouped([{ ...base, depth: 1.23456789012345e-7, point: [5e6 + 0.123456789, -0, 1 / 3] }]);
    const record = JSON.parse((await written('round', [one]))['clashes.jsonl'].toString());
    expect(record.depth).toBe(1.23456789e-7);
    expect(record.point[0]).toBeCloseTo(5e6 + 0.123456789, 8);
    expect(Object.is(record.point[1], 0)).toBe(true);
    expect(record.point[2]).toBe(0.333333333);
  });
});

test('coordinates are rounded as by their decimals, ties and large ones, too', () => {
  const random = seededRandom(7);
  for (let i = 0; i < 20_000; i++) {
    const size = 10 ** Math.floor(9 * random() - 2);
    const any = size * (2 * random() - 1);
    const tie = (Math.floor(any * 1e9) + 0.5) / 1e9;
    for (const x of [any, tie, Math.fround(any), tie + Number.EPSILON * size])
      expect(Object.is(roundCoordinate(x), Number(x.toFixed(9)) + 0)).toBe(true);
  }
  for (const x of [0, -0, -1e-12, 1e22, -4398.0465111045, Number.NaN])
    expect(roundCoordinate(x)).toBe(Number(x.toFixed(9)) + 0);
});

test('a line has the text of its record, also of objects that other lines have', () => {
  const [first] = grouped(plantClashes(1, 4));
  const other = { ...first, id: 'other', b: first.a, a: first.b };
  for (const one of [first, other, first])
    expect(clashLine(one)).toBe(`${JSON.stringify(clashRecord(one))}\n`);
});

describe('a depth that is open', () => {
  const base = clash({ a: plantObject(0, 1, 1), b: plantObject(1, 1, 1) });
  const open = { ...base, depth: 0.00309, depthBound: 0.2357 };

  test('is an interval in every report', async () => {
    const files = await written('open', grouped([open]));
    expect(JSON.parse(files['clashes.jsonl'].toString())).toMatchObject({
      depth: 0.00309,
      depthBound: 0.2357,
    });
    const [head, row] = parseCsv(files['clashes.csv'].toString().slice(1));
    expect(row[head.indexOf('depth (m)')]).toBe('0.00309');
    expect(row[head.indexOf('depth at most (m)')]).toBe('0.2357');
    expect(files['report.html'].toString()).toContain('"depth":[0.00309],"atMost":[0.2357]');
    const topics = Object.values(unzipSync(files['clashes.bcfzip'])).map((bytes) => strFromU8(bytes));
    expect(topics.filter((text) => text.includes(', 3.09 mm to 236 mm deep: '))).toHaveLength(1);
  });

  test('is open by more than the accuracy of a search', () => {
    expect(measureText(open)).toBe('3.09 mm to 236 mm');
    expect(measureText({ ...open, depth: 0 })).toBe('0 mm to 236 mm');
    expect(measureText({ ...open, depthBound: 0.00309 * 1.01 })).toBe('3.09 mm');
    expect(measureText({ ...open, depth: 1e-7, depthBound: 3e-7 })).toBe('< 0.001 mm');
    expect(measureText({ ...open, depth: 0, depthBound: 3e-7 })).toBe('< 0.001 mm');
    // far from the origin numbers are rounded more, and digits that nobody knows are not printed
    const far = (rounding: number) => ({ ...open, a: { ...open.a, rounding }, b: { ...open.b, rounding } });
    const closed = { depth: 0.01234, depthBound: 0.01234 };
    expect(measureText({ ...far(1e-6), ...closed })).toBe('12.3 mm');
    expect(measureText({ ...far(1e-3), ...closed })).toBe('12 mm');
    expect(measureText({ ...far(2e-3), depth: 4e-4, depthBound: 4e-4 })).toBe('< 1 mm');
    expect(measureText({ ...far(0), ...closed })).toBe('12.3 mm');
    expect(measureText({ ...open, kind: 'touch' })).toBeUndefined();
    expect(measureText({ ...open, kind: 'clearance', distance: 0.02 })).toBe('20 mm');
  });
});

test('an overlap is never 0 deep, in no report', async () => {
  const base = clash({ a: plantObject(0, 1, 1), b: plantObject(1, 1, 1), kind: 'hard' });
  const files = await written('shallow', grouped([{ ...base, depth: 0, depthBound: 3e-7 }]));
  expect(files['report.html'].toString()).toContain('"depth":[3e-7],"atMost":[0]');
  const topics = Object.values(unzipSync(files['clashes.bcfzip'])).map((bytes) => strFromU8(bytes));
  expect(topics.filter((text) => /, &lt; 0.001 mm deep: /.test(text))).toHaveLength(1);
});

describe('clashes.csv', () => {
  test('has a row for each clash, and every row all columns', async () => {
    const clashes = grouped(plantClashes(60, 2));
    const text = (await written('csv', clashes))['clashes.csv'].toString();
    expect(text.startsWith('\ufeff')).toBe(true);
    const [head, ...rows] = parseCsv(text.slice(1));
    expect(rows).toHaveLength(60);
    for (const row of rows) {
      const get = (column: string) => row[head.indexOf(column)];
      const was = clashes.find(({ id }) => id === get('id'))!;
      expect(row).toHaveLength(head.length);
      expect(get('kind')).toBe(was.kind);
      expect(get('a path')).toBe(was.a.path);
      expect(get('b id')).toBe(was.b.id);
      expect(Number(get('x (m)'))).toBeCloseTo(was.point[0], 8);
      expect(Number(get('depth (m)'))).toBeCloseTo(was.depth, 8);
    }
  });

  test('has no cell that a spreadsheet would run, nor control characters', async () => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      (await written('formula', hostileClashes()))['clashes.csv'],
    );
    const [head, ...rows] = parseCsv(text.replace('\ufeff', ''));
    expect(rows).toHaveLength(HOSTILE.length);
    for (const row of rows) {
      row.forEach((cell, i) => {
        if (head[i].endsWith('(m)') || head[i] === 'triangle pairs')
          expect(Number.isFinite(Number(cell))).toBe(true);
        else expect(cell).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
      });
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });
});

test.each([
  ['=1+1', "'=1+1"],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1"', `"a;'""=1+1"""`],
  ['a|\u200b+1', `"a|'\u200b+1"`],
  ['＝1+1', "'＝1+1"],
  ['x; ＠SUM(1)', `"x;' ＠SUM(1)"`],
  ['a\n=1+1', 'a =1+1'],
  ['a\u2028b', 'a b'],
  ['Wall - 3, west', '"Wall - 3, west"'],
  ['A-3', 'A-3'],
])('a cell of CSV: %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test.each([
  ['2024-05-17', '2024-05-17T00:00:00.000Z'],
  ['2024-05-17T08:30:00', '2024-05-17T08:30:00.000Z'],
  ['next week', '1970-01-01T00:00:00.000Z'],
  ['+275760-09-12', '1970-01-01T00:00:00.000Z'],
])('a date as XML has it: %j', (text, date) => {
  expect(isoDate(text)).toBe(date);
});

test('a clash is one line of JSON for every reader of lines, and is read back as it was', () => {
  const [clash] = grouped(plantClashes(5, 9));
  const name = 'a\u2028b\u2029c\u0085d\ne';
  const line = clashLine({ ...clash, a: { ...clash.a, name } });
  expect(line.slice(0, -1)).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
  expect(parseClashLine(line).a.name).toBe(name);
});

describe('reports', () => {
  full('are the same bytes again, wherever and in whatever order the clashes come', async () => {
    const clashes = grouped(plantClashes(60, 4)).map((one, i) => ({
      ...one,
      status: i % 3 === 0 ? ('new' as const) : ('persisting' as const),
    }));
    const resolved = grouped(plantClashes(20, 44));
    const first = await written('same-1', clashes, resolved);
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Kiritimati';
    const again = await written('same-1', clashes, resolved);
    const turned = await written('same-2', [...clashes].reverse(), [...resolved].reverse());
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    for (const name of NAMES) {
      expect(again[name].equals(first[name])).toBe(true);
      expect(turned[name].equals(first[name])).toBe(true);
    }
  });

  test('of nothing are complete too', async () => {
    const files = await written('nothing', []);
    expect(files['clashes.jsonl'].length).toBe(0);
    expect(parseCsv(files['clashes.csv'].toString().slice(1))).toHaveLength(1);
    expect(files['report.html'].toString()).toContain('No clashes');
  });

  full('of 10 000 clashes are streamed: no write is large but that of the page', async () => {
    const clashes = manyClashes(10_000);
    let largest = 0;
    let total = 0;
    const openNew: OpenNew = async () => ({
      writeFile: async (data) => {
        largest = Math.max(largest, data.length);
        total += data.length;
      },
      sync: async () => {},
      close: async () => {},
    });
    const error = await writeReports(
      join(root, 'many'),
      reportInput(clashes, ['jsonl', 'csv']),
      openNew,
    ).catch(String);
    expect(error).toContain('cannot be written');
    expect(total).toBeGreaterThan(5e6);
    expect(largest).toBeLessThan(1e6);
  });

  test('leave what was there when the disk fills up, and say so in one line', async () => {
    const folder = join(root, 'full');
    await writeReports(folder, reportInput(grouped(plantClashes(20, 7))));
    const before = NAMES.map((name) => readFileSync(join(folder, name)));
    for (const room of [0, 5_000, 50_000, 120_000]) {
      let left = room;
      const openNew: OpenNew = async (path) => {
        const file = await open(path, 'wx');
        return {
          writeFile: async (data) => {
            left -= data.length;
            if (left < 0)
              throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
                code: 'ENOSPC',
                syscall: 'write',
              });
            await file.writeFile(data);
          },
          sync: () => file.sync(),
          close: () => file.close(),
        };
      };
      const error = await writeReports(folder, reportInput(grouped(plantClashes(90, 8))), openNew).catch(
        (e) => e,
      );
      expect(error).toBeInstanceOf(CommandError);
      expect(error.message).toMatch(/^[^\n]*cannot be written: the disk is full$/);
      expect(readdirSync(folder).sort()).toEqual(NAMES);
      NAMES.forEach((name, i) => {
        expect(readFileSync(join(folder, name)).equals(before[i])).toBe(true);
      });
    }
  });

  test('remove what a killed run left, and do not follow a link in its place', async () => {
    const folder = join(root, 'left');
    mkdirSync(folder);
    const elsewhere = join(root, 'elsewhere');
    writeFileSync(elsewhere, 'mine');
    const next = /^(.*)-(\d+)\.part$/.exec(partialName(join(folder, 'clashes.csv')))!;
    const link = `${next[1]}-${Number(next[2]) + 1}.part`;
    symlinkSync(elsewhere, link);
    writeFileSync(
      join(folder, `clashes.jsonl.${processTag().split('-')[0]}-${process.ppid}-1-1.part`),
      'half',
    );
    const input = reportInput(grouped(plantClashes(5, 9)), ['csv']);
    await expect(writeReports(folder, input)).rejects.toThrow('something else is in the way');
    expect(readdirSync(folder)).toEqual([]);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    expect(await writeReports(folder, input)).toEqual([join(folder, 'clashes.csv')]);
  });

  test('cannot go into a file', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const error = await writeReports(join(file, 'report'), reportInput([], ['csv'])).catch((e) => e);
    expect(error).toBeInstanceOf(CommandError);
    expect(existsSync(file)).toBe(true);
  });
});
