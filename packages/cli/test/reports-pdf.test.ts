import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '../src/reports/issue-summary.js';
import { listPages } from '../src/reports/pdf/group-list.js';
import { sheetGroups } from '../src/reports/pdf/sheet-groups.js';
import { brokenText } from '../src/reports/pdf/text-lines.js';
import { TrueTypeFont } from '../src/reports/pdf/true-type.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { oneLine } from '../src/wire/text.js';
import { temporaryFolder } from './files.js';
import { PdfFile } from './pdf-text.js';
import { grouped, plantClashes, reportInput } from './reports-clashes.js';

const folder = temporaryFolder();

async function written(clashes: readonly ReportClash[], sheetsBy: 'assignee' | 'storey'): Promise<Buffer> {
  const [path] = await writeReports(folder, { ...reportInput(clashes, ['pdf']), sheetsBy });
  return readFileSync(path);
}

const squeezed = (text: string) => text.replace(/\s+/g, '');

describe('clashes.pdf', () => {
  const clashes = grouped(plantClashes(8, 34));
  const { open } = issuesOf({ clashes, approved: [], resolved: undefined });

  test('has a list for each storey and a page for each issue, with its picture and plan', async () => {
    const file = await written(clashes, 'storey');
    const { pages, bookmarks } = new PdfFile(file);
    const groups = sheetGroups({ open, approved: [], closed: [] }, 'storey');
    const lists = groups.reduce((sum, group) => sum + listPages(group), 0);
    expect(pages).toHaveLength(open.length + lists);
    expect(pages.filter(({ pictures }) => pictures.length === 0)).toHaveLength(lists);
    const all = pages.map(({ texts }) => squeezed(texts.join('')));
    for (const { id, title } of open) {
      const sheets = all.filter((text) => text.includes(squeezed(`Id${id}`)));
      expect(sheets).toHaveLength(1);
      expect(sheets[0]).toContain(squeezed(title).slice(0, 40));
    }
    for (const { pictures } of pages)
      for (const picture of pictures) expect(picture).toEqual({ width: 1280, height: 960 });
    for (const [i, text] of all.entries()) expect(text).toContain(`${i + 1}/${pages.length}`);
    expect(bookmarks).toEqual(
      groups.flatMap(({ title, issues }) => [title, ...issues.map((issue) => oneLine(issue.title, 90))]),
    );
  });

  test('puts together what one person has, and last what nobody has', async () => {
    const names = ['Zoë Łukasz', 'Ада'];
    const assigned = clashes.map((clash, i) => ({
      ...clash,
      group: `g${i}`,
      review: { status: 'active' as const, assignee: names[i % 3] ?? '', due: '', comments: [] },
    }));
    const { pages } = new PdfFile(await written(assigned, 'assignee'));
    const heads = pages.map(({ texts }) => texts[1]);
    expect([...new Set(heads)]).toEqual(['Zoë Łukasz', 'Ада', 'Not assigned']);
  });

  test('says that there is nothing, and is the same for the same input', async () => {
    expect(new PdfFile(await written([], 'storey')).pages[0].texts).toContain('No open issues');
    const few = clashes.slice(0, 2);
    expect((await written(few, 'storey')).equals(await written(few, 'storey'))).toBe(true);
  });

  test('breaks texts at spaces, within long words, and ends what is too long with an ellipsis', () => {
    const widthOf = (text: string) => text.length;
    const broken = (text: string, most: number) => brokenText(text, 8, most, widthOf);
    expect(broken('one two three', 5)).toEqual(['one two', 'three']);
    expect(broken('a verylongword', 5)).toEqual(['a', 'verylong', 'word']);
    expect(broken('one two three', 1)).toEqual(['one two…']);
    expect(broken('first\nsecond line', 5)).toEqual(['first', 'second', 'line']);
    expect(broken('', 5)).toEqual([]);
    for (const line of broken('x'.repeat(100_000), 3)) expect(line.length).toBeLessThanOrEqual(8);
  });

  test('keeps the outlines of the letters it draws, parts of accented ones included, and no others', () => {
    const path = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
    const font = new TrueTypeFont(readFileSync(path));
    const [e, accented, other] = ['e', 'é', 'Q'].map((letter) => font.glyphOf(letter.codePointAt(0)!));
    const part = font.withGlyphs([accented]);
    const tables = tablesOf(part);
    const lengthOf = (glyph: number) => {
      const at = tables.get('loca')! + 4 * glyph;
      return part.readUInt32BE(at + 4) - part.readUInt32BE(at);
    };
    expect(lengthOf(accented)).toBeGreaterThan(0);
    expect(lengthOf(e)).toBeGreaterThan(0);
    expect(lengthOf(other)).toBe(0);
    expect(part.length).toBeLessThan(200_000);
    // the advance of an e is 1260 of 2048 units
    expect(font.widthOf(e)).toBeCloseTo((1000 * 1260) / 2048, 6);
    expect(font.glyphOf(0x4e2d)).toBe(0);
  });
});

/** Where the tables of a font begin. */
function tablesOf(font: Buffer): Map<string, number> {
  return new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, i) => [
      font.toString('latin1', 12 + 16 * i, 16 + 16 * i),
      font.readUInt32BE(20 + 16 * i),
    ]),
  );
}
