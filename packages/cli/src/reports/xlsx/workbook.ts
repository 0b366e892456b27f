/**
 * Writes a workbook (Office Open XML): sheets with a header that stays in view, a filter for each column, and pictures
 * in cells. Written here because no maintained library has both filters and pictures, and gives the same bytes for the
 * same input.
 *
 * Texts are inline strings, which no program takes for formulas.
 */
import { cleanText, cut } from '../../wire/text.js';
import type { Write } from '../staged-files.js';
import { document, element, type Xml } from '../xml.js';
import { deflated, deflatedParts, stored, ZipWriter } from '../zip-writer.js';

/** `length`: millimetres with a tenth; `date`: ISO 8601, of which the day is shown; `long`: text of several lines. */
export type ColumnKind = 'text' | 'long' | 'count' | 'number' | 'length' | 'date';

export interface Column {
  readonly title: string;
  readonly kind: ColumnKind;
  /** In characters. */
  readonly width: number;
}

/** Undefined and empty texts are empty cells. */
export type Cell = string | number | undefined;

export interface Row {
  readonly cells: readonly Cell[];
  /** A PNG for the column of pictures. */
  readonly picture?: (() => Promise<{ readonly png: Uint8Array }>) | undefined;
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[] | Iterable<Row>;
  /** The number of rows with pictures, which come first, and their column. */
  readonly pictures?: { readonly column: number; readonly count: number };
}

/** Longest text of a cell. */
const CELL_MAX = 32_000;

/** Size of pictures in pixels at 96 dpi; a pixel is 9525 EMU. */
const PICTURE = { width: 192, height: 144 };
const EMU = 9525;
/** Rows with pictures, in points. */
const PICTURE_ROW = 112;

/** Cell styles, in the order of `cellXfs`: the default, headers, then the kinds. */
const STYLES: Readonly<Record<ColumnKind, number>> = {
  text: 2,
  long: 3,
  count: 4,
  number: 4,
  length: 5,
  date: 6,
};
const HEADER_STYLE = 1;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Day 0 of dates in workbooks. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;

export async function writeWorkbook(write: Write, sheets: readonly Sheet[]): Promise<void> {
  const zip = new ZipWriter(write);
  const drawn = sheets.map(({ pictures }) => (pictures?.count ?? 0) > 0);
  await zip.add('[Content_Types].xml', deflated(contentTypes(drawn)));
  await zip.add('_rels/.rels', deflated(relations([['officeDocument', 'xl/workbook.xml']])));
  await zip.add('xl/workbook.xml', deflated(workbookDocument(sheets)));
  const parts = sheets.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]);
  await zip.add('xl/_rels/workbook.xml.rels', deflated(relations([...parts, ['styles', 'styles.xml']])));
  await zip.add('xl/styles.xml', deflated(stylesDocument()));
  let media = 0;
  for (const [i, sheet] of sheets.entries()) {
    const number = i + 1;
    const pictures: Uint8Array[] = [];
    await zip.add(`xl/worksheets/sheet${number}.xml`, await deflatedParts(sheetDocument(sheet, pictures)));
    if (!sheet.pictures || !drawn[i]) continue;
    const links: [string, string][] = [];
    for (const picture of pictures) {
      media++;
      links.push(['image', `../media/image${media}.png`]);
      await zip.add(`xl/media/image${media}.png`, stored(picture));
    }
    const drawing = `drawing${number}.xml`;
    const sheetLinks = relations([['drawing', `../drawings/${drawing}`]]);
    await zip.add(`xl/worksheets/_rels/sheet${number}.xml.rels`, deflated(sheetLinks));
    await zip.add(
      `xl/drawings/${drawing}`,
      deflated(drawingDocument(pictures.length, sheet.pictures.column)),
    );
    await zip.add(`xl/drawings/_rels/${drawing}.rels`, deflated(relations(links)));
  }
  await zip.end();
}

function contentTypes(drawn: readonly boolean[]): string {
  const override = (name: string, type: string) => element('Override', { PartName: name, ContentType: type });
  return document(
    element(
      'Types',
      { xmlns: `${PACKAGE}/content-types` },
      element('Default', {
        Extension: 'rels',
        ContentType: 'application/vnd.openxmlformats-package.relationships+xml',
      }),
      element('Default', { Extension: 'xml', ContentType: 'application/xml' }),
      element('Default', { Extension: 'png', ContentType: 'image/png' }),
      override('/xl/workbook.xml', `${SPREADSHEET}.sheet.main+xml`),
      override('/xl/styles.xml', `${SPREADSHEET}.styles+xml`),
      ...drawn.map((_, i) => override(`/xl/worksheets/sheet${i + 1}.xml`, `${SPREADSHEET}.worksheet+xml`)),
      ...drawn.flatMap((has, i) =>
        has
          ? [
              override(
                `/xl/drawings/drawing${i + 1}.xml`,
                'application/vnd.openxmlformats-officedocument.drawing+xml',
              ),
            ]
          : [],
      ),
    ),
  );
}

/** Types and targets; their ids are rId1, rId2, … */
function relations(links: readonly (readonly [type: string, target: string])[]): string {
  return document(
    element(
      'Relationships',
      { xmlns: `${PACKAGE}/relationships` },
      ...links.map(([type, Target], i) =>
        element('Relationship', { Id: `rId${i + 1}`, Type: `${OFFICE}/${type}`, Target }),
      ),
    ),
  );
}

function workbookDocument(sheets: readonly Sheet[]): string {
  return document(
    element(
      'workbook',
      { xmlns: MAIN, 'xmlns:r': OFFICE },
      element(
        'sheets',
        {},
        ...sheets.map(({ name }, i) =>
          element('sheet', { name, sheetId: String(i + 1), 'r:id': `rId${i + 1}` }),
        ),
      ),
    ),
  );
}

function stylesDocument(): string {
  const fonts = [element('font', {}, value('sz', 11), name('Calibri')), bold()];
  const fill = (pattern: string, ...colour: Xml[]) =>
    element('fill', {}, element('patternFill', { patternType: pattern }, ...colour));
  const fills = [fill('none'), fill('gray125'), fill('solid', element('fgColor', { rgb: 'FFE6EBF0' }))];
  const style = (numFmtId: number, header: boolean, wrap: boolean) =>
    element(
      'xf',
      {
        numFmtId: String(numFmtId),
        fontId: header ? '1' : '0',
        fillId: header ? '2' : '0',
        borderId: '0',
        xfId: '0',
        applyNumberFormat: '1',
        applyAlignment: '1',
      },
      element('alignment', { vertical: header ? 'center' : 'top', wrapText: wrap ? '1' : undefined }),
    );
  const styles = [
    style(0, false, false),
    style(0, true, true),
    style(0, false, false),
    style(0, false, true),
    style(0, false, false),
    style(164, false, false),
    style(14, false, false),
  ];
  const none = ['left', 'right', 'top', 'bottom', 'diagonal'].map((side) => element(side, {}));
  return document(
    element(
      'styleSheet',
      { xmlns: MAIN },
      list('numFmts', [element('numFmt', { numFmtId: '164', formatCode: '0.0' })]),
      list('fonts', fonts),
      list('fills', fills),
      list('borders', [element('border', {}, ...none)]),
      list('cellStyleXfs', [element('xf', { numFmtId: '0', fontId: '0', fillId: '0', borderId: '0' })]),
      list('cellXfs', styles),
    ),
  );
}

function bold(): Xml {
  return element('font', {}, element('b', {}), value('sz', 11), name('Calibri'));
}

function value(tag: string, val: number): Xml {
  return element(tag, { val: String(val) });
}

function name(val: string): Xml {
  return element('name', { val });
}

function list(tag: string, items: readonly Xml[]): Xml {
  return element(tag, { count: String(items.length) }, ...items);
}

/** The document in parts, row by row; adds the pictures of its rows. */
async function* sheetDocument(
  { columns, rows, pictures }: Sheet,
  found: Uint8Array[],
): AsyncGenerator<string> {
  const view = element(
    'sheetView',
    { workbookViewId: '0' },
    element('pane', { ySplit: '1', topLeftCell: 'A2', activePane: 'bottomLeft', state: 'frozen' }),
  );
  const widths = columns.map(({ width }, i) =>
    element('col', { min: String(i + 1), max: String(i + 1), width: String(width), customWidth: '1' }),
  );
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">`;
  yield element('sheetPr', {}, element('pageSetUpPr', { fitToPage: '1' })).xml;
  yield element('sheetViews', {}, view).xml + element('cols', {}, ...widths).xml;
  yield `<sheetData>${rowElement(
    1,
    columns.map(({ title }, i) => textCell(i, 1, title, HEADER_STYLE)),
  )}`;
  let number = 1;
  for (const { cells, picture } of rows) {
    number++;
    const drawn = picture !== undefined && found.length < (pictures?.count ?? 0);
    if (drawn) found.push((await picture()).png);
    const written = cells.flatMap((cell, i) => {
      const one = cellElement(i, number, cell, columns[i].kind);
      return one ? [one] : [];
    });
    yield rowElement(number, written, drawn ? PICTURE_ROW : undefined);
  }
  yield '</sheetData>';
  yield element('autoFilter', { ref: `A1:${columnName(columns.length - 1)}${number}` }).xml;
  // printed on A4, as wide as the page
  yield element('pageSetup', { paperSize: '9', orientation: 'landscape', fitToHeight: '0' }).xml;
  if (found.length > 0) yield element('drawing', { 'r:id': 'rId1' }).xml;
  yield '</worksheet>\n';
}

function rowElement(number: number, cells: readonly Xml[], height?: number): string {
  const size = height === undefined ? {} : { ht: String(height), customHeight: '1' };
  return element('row', { r: String(number), ...size }, ...cells).xml;
}

function cellElement(column: number, row: number, cell: Cell, kind: ColumnKind): Xml | undefined {
  if (cell === undefined || cell === '') return undefined;
  if (kind === 'date') {
    const time = typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
    if (!Number.isNaN(time)) return numberCell(column, row, Math.floor((time - DAY_ZERO) / DAY), STYLES.date);
  }
  if (typeof cell === 'string') return textCell(column, row, cell, STYLES[kind === 'long' ? 'long' : 'text']);
  return Number.isFinite(cell) ? numberCell(column, row, cell, STYLES[kind]) : undefined;
}

function numberCell(column: number, row: number, number: number, style: number): Xml {
  return element('c', { r: `${columnName(column)}${row}`, s: String(style) }, element('v', {}, number));
}

function textCell(column: number, row: number, text: string, style: number): Xml {
  const clean = cleanText(text.length > CELL_MAX ? `${cut(text, CELL_MAX)}…` : text);
  // programs read _x0041_ as a character by its number
  const escaped = clean.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return element(
    'c',
    { r: `${columnName(column)}${row}`, s: String(style), t: 'inlineStr' },
    element('is', {}, element('t', { 'xml:space': 'preserve' }, escaped)),
  );
}

/** A, B, … Z, AA, … */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Picture i is in row i below the header. */
function drawingDocument(count: number, column: number): string {
  const [width, height] = [PICTURE.width * EMU, PICTURE.height * EMU].map(String);
  const anchors = Array.from({ length: count }, (_, i) => {
    const id = String(i + 1);
    const at = (tag: string, index: number) => [element(tag, {}, index), element(`${tag}Off`, {}, 2 * EMU)];
    return element(
      'xdr:oneCellAnchor',
      {},
      element('xdr:from', {}, ...at('xdr:col', column), ...at('xdr:row', i + 1)),
      element('xdr:ext', { cx: width, cy: height }),
      element(
        'xdr:pic',
        {},
        element(
          'xdr:nvPicPr',
          {},
          element('xdr:cNvPr', { id, name: `Picture ${id}` }),
          element('xdr:cNvPicPr', {}),
        ),
        element(
          'xdr:blipFill',
          {},
          element('a:blip', { 'r:embed': `rId${id}` }),
          element('a:stretch', {}, element('a:fillRect', {})),
        ),
        element(
          'xdr:spPr',
          {},
          element(
            'a:xfrm',
            {},
            element('a:off', { x: '0', y: '0' }),
            element('a:ext', { cx: width, cy: height }),
          ),
          element('a:prstGeom', { prst: 'rect' }, element('a:avLst', {})),
        ),
      ),
      element('xdr:clientData', {}),
    );
  });
  return document(
    element(
      'xdr:wsDr',
      {
        'xmlns:xdr': `${DRAWING}/spreadsheetDrawing`,
        'xmlns:a': `${DRAWING}/main`,
        'xmlns:r': OFFICE,
      },
      ...anchors,
    ),
  );
}
