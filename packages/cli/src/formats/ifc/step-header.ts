/** The header of an IFC file: its schema, and when it was written. */
import { FormatError, quoted } from '../format-error.js';
import type { SourceFile } from '../source-file.js';

/** Where the header must have named its schema. */
const HEADER_BYTES = 1 << 16;

export interface StepHeader {
  readonly schema: string;
  /** ISO 8601; undefined where the header names no date. Without a zone, as most are, it counts as universal time. */
  readonly written: string | undefined;
}

export function readHeader(file: SourceFile): StepHeader {
  const head = new Uint8Array(Math.min(HEADER_BYTES, file.byteLength));
  file.read(head, 0);
  const text = Buffer.from(head).toString('latin1');
  if (!/^(\xef\xbb\xbf)?\s*ISO-10303-21\s*;/.test(text)) {
    throw new FormatError(file.path, 'not an IFC file: it does not begin with "ISO-10303-21;"');
  }
  const schema = /FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'/i.exec(text)?.[1];
  if (schema === undefined) throw new FormatError(file.path, 'its header names no schema');
  if (!/^IFC/i.test(schema))
    throw new FormatError(file.path, `a STEP file of schema ${quoted(schema)}, not IFC`);
  const stamp = /FILE_NAME\s*\(\s*'(?:[^']|'')*'\s*,\s*'([^']*)'/i.exec(text)?.[1] ?? '';
  return { schema: schema.toUpperCase(), written: dateOf(stamp) };
}

/** `2011-09-07T12:40:02`, with or without a zone, or the day alone. */
function dateOf(stamp: string): string | undefined {
  const parts = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?\s*$/.exec(
    stamp,
  );
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const date = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
