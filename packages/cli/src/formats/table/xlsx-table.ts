/**
 * Rows of the first sheet of an XLSX workbook, as texts: a zip archive of XML. Formulas count by the values that were
 * saved with them. Dates are days since 1900, since only the style of a cell tells them from numbers.
 */
import { SaxesParser } from 'saxes';
import { FormatError } from '../format-error.js';
import type { SourceFile } from '../source-file.js';
import { ZipArchive } from '../zip-archive.js';

/** Limit on the cells of a sheet. */
const MAX_CELLS = 5_000_000;

export async function xlsxRows(file: SourceFile): Promise<string[][]> {
  const archive = ZipArchive.open(file);
  const sheets = archive.names(/^xl\/worksheets\/sheet\d+\.xml$/);
  const number = (name: string) => Number(/(\d+)\.xml$/.exec(name)![1]);
  const [sheet] = sheets.sort((p, q) => number(p) - number(q));
  if (sheet === undefined) throw new FormatError(file.path, 'holds no sheet');
  const shared: string[] = [];
  if (archive.names(/^xl\/sharedStrings\.xml$/).length > 0) {
    let text: string | undefined;
    let isPhonetic = false;
    await parse(file, archive, 'xl/sharedStrings.xml', {
      open: (name) => {
        if (name === 'si') text = '';
        if (name === 'rPh') isPhonetic = true;
      },
      text: (more, inside) => {
        if (inside === 't' && !isPhonetic && text !== undefined) text += more;
      },
      close: (name) => {
        if (name === 'rPh') isPhonetic = false;
        if (name !== 'si') return;
        shared.push(text ?? '');
        text = undefined;
      },
    });
  }
  const rows: string[][] = [];
  let row: string[] = [];
  let cells = 0;
  let cell = { type: '', column: 0, value: '' };
  await parse(file, archive, sheet, {
    open: (name, { r = '', t = '' }) => {
      if (name === 'row') row = [];
      if (name !== 'c') return;
      if (++cells > MAX_CELLS) throw new FormatError(file.path, `has more than ${MAX_CELLS} cells`);
      cell = { type: t, column: r === '' ? row.length : columnOf(r), value: '' };
    },
    text: (more, inside) => {
      if (inside === 'v' || inside === 't') cell.value += more;
    },
    close: (name) => {
      if (name === 'c') {
        const { type, column, value } = cell;
        if (column >= 16_384) throw new FormatError(file.path, 'has a cell beyond the last column');
        while (row.length < column) row.push('');
        const text =
          type === 's' ? (shared[Number(value)] ?? '') : type === 'b' ? String(value === '1') : value;
        row[column] = text.trim();
      }
      if (name === 'row' && row.some((text) => text !== '')) rows.push(row);
    },
  });
  return rows;
}

/** `B7`: 1. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d.*$/, '')) column = 26 * column + letter.charCodeAt(0) - 64;
  return Math.max(0, column - 1);
}

interface Handlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** `inside`: the element that has it. */
  text(text: string, inside: string): void;
  close(name: string): void;
}

async function parse(file: SourceFile, archive: ZipArchive, part: string, to: Handlers): Promise<void> {
  const parser = new SaxesParser();
  const inside: string[] = [];
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let failure: unknown;
  parser.on('opentag', ({ name, attributes }) => {
    inside.push(local(name));
    if (inside.length > 100) throw new FormatError(file.path, 'its elements are nested too deep', part);
    to.open(local(name), attributes as Record<string, string>);
  });
  parser.on('text', (text) => to.text(text, inside.at(-1) ?? ''));
  parser.on('closetag', ({ name }) => {
    inside.pop();
    to.close(local(name));
  });
  parser.on('error', (error) => {
    failure ??= error;
  });
  const decoder = new TextDecoder();
  for await (const bytes of archive.read(part)) {
    parser.write(decoder.decode(bytes, { stream: true }));
    if (failure !== undefined) break;
  }
  if (failure === undefined) parser.write(decoder.decode()).close();
  if (failure !== undefined)
    throw new FormatError(file.path, `is damaged: ${(failure as Error).message.slice(0, 120)}`, part);
}
