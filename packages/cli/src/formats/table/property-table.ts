/**
 * Tables of properties, CSV or XLSX, that are joined to the objects of a file: for formats that have none.
 *
 * The first row has the names of the columns, and the first column says which object a row is about: `id`, `name` or
 * `path`, by its name; otherwise by id, or else by name. Columns that are called like a field of objects (type, storey,
 * discipline) or a label (system, material …) are these; `from` and `until` are dates; all others are properties.
 */
import { basename } from 'node:path';
import {
  LABEL_KINDS,
  type LabelKind,
  type PropertyValue,
  type SourceObject,
  type SourceShape,
} from '@impinge/model';
import { counted } from '../../terminal.js';
import { FormatError, quoted } from '../format-error.js';
import { SourceFile } from '../source-file.js';
import { changedObjects } from '../source-object.js';
import { csvRows } from './csv-table.js';
import { xlsxRows } from './xlsx-table.js';

const TEXTS = ['type', 'storey', 'discipline'] as const;
const KEYS: Readonly<Record<string, readonly ('id' | 'name' | 'path')[]>> = {
  id: ['id'],
  guid: ['id'],
  globalid: ['id'],
  name: ['name'],
  path: ['path'],
};
/** A table is in memory as a whole. */
const MAX_BYTES = 256e6;
/** The first of January 1970 in the days of spreadsheets. */
const SINCE_1970 = 25_569;
const DAY_MS = 86_400_000;
/** Number of keys that are named where rows match nothing. */
const NAMED = 5;

type Row = Pick<SourceObject, 'labels' | 'properties'> & Partial<Pick<SourceObject, (typeof TEXTS)[number]>>;

export class PropertyTable {
  readonly path: string;
  readonly #keys: readonly ('id' | 'name' | 'path')[];
  readonly #rows = new Map<string, Row>();
  readonly #used = new Set<string>();

  private constructor(path: string, [head, ...rows]: readonly (readonly string[])[]) {
    this.path = path;
    if (head === undefined || head.length < 2)
      throw new FormatError(path, 'a table needs a row of names and at least two columns');
    this.#keys = KEYS[head[0].toLowerCase()] ?? ['id', 'name'];
    const twice = head.find((name, i) => name !== '' && head.indexOf(name) < i);
    if (twice !== undefined) throw new FormatError(path, `two columns are called ${quoted(twice)}`);
    rows.forEach((cells, i) => {
      const [key] = cells;
      if (key === undefined || key === '') return;
      if (this.#rows.has(key))
        throw new FormatError(path, `two rows are about ${quoted(key)}`, `row ${i + 2}`);
      const fail = (why: string) => new FormatError(path, why, `row ${i + 2}`);
      this.#rows.set(key, rowOf(head, cells, fail));
    });
  }

  static async read(path: string): Promise<PropertyTable> {
    const file = await SourceFile.open(path, { memoryBytes: MAX_BYTES });
    try {
      if (/\.xlsx$/i.test(path)) return new PropertyTable(path, await xlsxRows(file));
      if (file.byteLength > MAX_BYTES) throw new FormatError(path, 'a table has at most 256 MB');
      const bytes = new Uint8Array(file.byteLength);
      file.read(bytes, 0);
      return new PropertyTable(path, csvRows(bytes, path));
    } finally {
      await file.close();
    }
  }

  /** A shape whose objects have what their rows say, over what they had. */
  joined(shape: SourceShape): SourceShape {
    return { ...shape, objects: changedObjects(shape.objects, (object) => this.#joinedTo(object)) };
  }

  #joinedTo(object: SourceObject): SourceObject {
    const key = this.#keys.map((name) => object[name]).find((one) => this.#rows.has(one));
    if (key === undefined) return object;
    this.#used.add(key);
    const { labels, properties, ...texts } = this.#rows.get(key)!;
    return {
      ...object,
      ...texts,
      labels: { ...object.labels, ...labels },
      properties: { ...object.properties, ...properties },
    };
  }

  /** What did not find its match, when all objects were joined. */
  get notes(): string[] {
    const idle = [...this.#rows.keys()].filter((key) => !this.#used.has(key));
    if (idle.length === 0) return [];
    const named = idle.slice(0, NAMED).map(quoted).join(', ');
    const more = idle.length > NAMED ? ' and others' : '';
    const rows = `${counted(idle.length, 'row')} of ${this.#rows.size}`;
    return [`${basename(this.path)}: ${rows} match no object: ${named}${more}`];
  }
}

function rowOf(head: readonly string[], cells: readonly string[], fail: (why: string) => Error): Row {
  const texts: Record<string, string> = {};
  const labels: Partial<Record<LabelKind, string[]>> = {};
  const properties: Record<string, PropertyValue> = {};
  const dates = { from: '', until: '' };
  head.forEach((name, column) => {
    const text = cells[column] ?? '';
    if (column === 0 || name === '' || text === '') return;
    const field = name.toLowerCase();
    if (field === 'from' || field === 'until') dates[field] = dateOf(text, fail);
    else if ((TEXTS as readonly string[]).includes(field)) texts[field] = text;
    else if ((LABEL_KINDS as readonly string[]).includes(field)) labels[field as LabelKind] = [text];
    else properties[name] = propertyOf(text);
  });
  if (dates.from + dates.until !== '') labels.period = [`${dates.from}/${dates.until}`];
  return { ...texts, labels, properties };
}

/** ISO 8601, or the days since 1900 that spreadsheets have. */
function dateOf(text: string, fail: (why: string) => Error): string {
  const days = /^\d{5}([.]\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const date =
    days > 0 ? new Date(Math.round((days - SINCE_1970) * DAY_MS)).toISOString().slice(0, 10) : text;
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/.test(date) || Number.isNaN(Date.parse(date)))
    throw fail(`${quoted(text)} is no date such as 2026-03-31`);
  return date;
}

/** Numbers and truth as such; what begins with zeros, such as 0042, is a text. */
function propertyOf(text: string): PropertyValue {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?(0|[1-9]\d*)([.]\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : text;
}
