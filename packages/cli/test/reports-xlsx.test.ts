import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { CLASH_COLUMNS } from '../src/reports/csv.js';
import { PICTURES_MAX } from '../src/reports/issue-pictures.js';
import { issuesOf } from '../src/reports/issue-summary.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { columnName } from '../src/reports/xlsx/workbook.js';
import { temporaryFolder } from './files.js';
import { childrenOf, parseXml, type XmlElement } from './reports-bcf-schema.js';
import { grouped, plantClashes, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

interface Book {
  readonly files: Record<string, Uint8Array>;
  /** Rows of a sheet by its name; cells by their column letters. */
  readonly sheets: Map<string, Map<string, string | number>[]>;
}

async function workbook(clashes: readonly ReportClash[], resolved?: readonly ReportClash[]): Promise<Book> {
  const [path] = await writeReports(folder, reportInput(clashes, ['xlsx'], resolved));
  const files = unzipSync(readFileSync(path));
  const xml = (name: string) => parseXml(new TextDecoder('utf-8', { fatal: true }).decode(files[name]));
  const targets = new Map(
    childrenOf(xml('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attributes['Id'],
      attributes['Target'],
    ]),
  );
  const sheets = new Map(
    childrenOf(xml('xl/workbook.xml'), 'sheets', 'sheet').map(({ attributes }) => [
      attributes['name'],
      childrenOf(xml(`xl/${targets.get(attributes['r:id'])}`), 'sheetData', 'row').map(cellsOf),
    ]),
  );
  return { files, sheets };
}

function cellsOf(row: XmlElement): Map<string, string | number> {
  return new Map(
    childrenOf(row, 'c').map((cell): [string, string | number] => {
      const column = cell.attributes['r'].replace(/\d+$/, '');
      expect(cell.attributes['r']).toBe(`${column}${row.attributes['r']}`);
      if (cell.attributes['t'] === 'inlineStr') return [column, childrenOf(cell, 'is', 't')[0].text];
      return [column, Number(childrenOf(cell, 'v')[0].text)];
    }),
  );
}

/** The values below a title. */
function column(rows: readonly Map<string, string | number>[], title: string) {
  const [at] = [...rows[0]].find(([, text]) => text === title)!;
  return rows.slice(1).map((row) => row.get(at));
}

describe('clashes.xlsx', () => {
  const clashes = grouped(plantClashes(24, 34));

  test('lists all issues and clashes, the worst first, as the other reports have them', async () => {
    const { sheets } = await workbook(clashes);
    const { open } = issuesOf({ clashes, approved: [], resolved: undefined });
    const issues = sheets.get('Issues')!;
    expect(column(issues, 'issue')).toEqual(open.map(({ title }) => title));
    expect(column(issues, 'id')).toEqual(open.map(({ id }) => id));
    expect(column(issues, 'clashes')).toEqual(open.map(({ clashCount }) => clashCount));
    const depths = column(issues, 'deepest (mm)') as number[];
    for (const [i, { worstDepth }] of open.entries()) expect(depths[i]).toBeCloseTo(1000 * worstDepth, 9);
    const listed = sheets.get('Clashes')!;
    expect([...listed[0].values()]).toEqual(CLASH_COLUMNS.map(([title]) => title));
    expect(column(listed, 'id').sort()).toEqual(clashes.map(({ id }) => id).sort());
  });

  test('has a filter over all rows, a header that stays, and a picture in the row of each issue', async () => {
    const { files, sheets } = await workbook(clashes);
    const sheet = parseXml(Buffer.from(files['xl/worksheets/sheet2.xml']).toString());
    const rows = sheets.get('Issues')!.length;
    const last = columnName(sheets.get('Issues')![0].size - 1);
    expect(childrenOf(sheet, 'autoFilter')[0].attributes['ref']).toBe(`A1:${last}${rows}`);
    expect(childrenOf(sheet, 'sheetViews', 'sheetView', 'pane')[0].attributes['state']).toBe('frozen');
    const drawing = parseXml(Buffer.from(files['xl/drawings/drawing2.xml']).toString());
    const places = childrenOf(drawing, 'xdr:oneCellAnchor', 'xdr:from', 'xdr:row').map(({ text }) => text);
    const count = Math.min(rows - 1, PICTURES_MAX);
    expect(places).toEqual(Array.from({ length: count }, (_, i) => String(i + 1)));
    const images = Object.keys(files).filter((name) => name.startsWith('xl/media/'));
    expect(images).toHaveLength(count);
    for (const name of images) expect([...files[name].subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    const named = Buffer.from(files['[Content_Types].xml']).toString();
    for (const name of Object.keys(files))
      if (/sheet\d|drawing\d+\.xml$|workbook\.xml$|styles/.test(name) && !name.includes('_rels'))
        expect(named).toContain(`"/${name}"`);
  });

  test('texts that look like formulas, markup or escapes stay texts; dates are dates', async () => {
    const review = {
      status: 'active' as const,
      assignee: '=cmd|1',
      due: '2026-12-24',
      comments: [{ author: 'Ada', date: '', text: 'a < b & _x0041_\u0007\nsecond line' }],
    };
    const odd = clashes.map((clash) => ({ ...clash, review }));
    const { sheets } = await workbook(odd);
    const issues = sheets.get('Issues')!;
    expect(column(issues, 'assignee')[0]).toBe('=cmd|1');
    expect(column(issues, 'status')[0]).toBe('active');
    // 24 December 2026 is day 46 380 of workbooks
    expect(column(issues, 'due')[0]).toBe(46_380);
    const comment = String(column(issues, 'comments')[0]);
    expect(comment).toContain('Ada: a < b & _x005F_x0041_');
    expect(comment).toContain('\nsecond line');
    expect(comment).not.toContain('\u0007');
  });

  test('issues that are gone are listed last, and said to be gone', async () => {
    const [first, ...rest] = clashes;
    const gone = clashes.filter(({ group }) => group === first.group);
    const { sheets } = await workbook(
      rest.filter(({ group }) => group !== first.group),
      gone,
    );
    const issues = sheets.get('Issues')!;
    expect(column(issues, 'status').at(-1)).toBe('no longer there');
    expect(column(issues, 'id').at(-1)).toBe(first.group);
  });

  test('names columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});
