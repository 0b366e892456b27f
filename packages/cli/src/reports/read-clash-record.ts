/** Reads a line of `clashes.jsonl`. */
import { OBJECT_TEXTS } from '@impinge/model';
import * as v from 'valibot';
import { allOf, BOX, CLASH_FIELDS, CLASH_FORM } from '../clash-schema.js';
import { PENETRATIONS } from './penetrations.js';
import type { ReportClash } from './report-data.js';

const objectSchema = v.pipe(
  v.object({
    ...allOf(OBJECT_TEXTS, v.string()),
    tag: v.optional(v.string(), ''),
    rounding: v.optional(v.number(), 0),
    curveError: v.optional(v.number(), 0),
    box: v.optional(BOX, { min: [NaN, NaN, NaN], max: [NaN, NaN, NaN] }),
  }),
  v.transform(({ tag, ...object }) => ({ ...object, ...(tag !== '' && { labels: { tag: [tag] } }) })),
);

export const clashSchema = v.object({
  ...CLASH_FIELDS,
  form: v.nullable(CLASH_FORM),
  a: objectSchema,
  b: objectSchema,
  group: v.string(),
  status: v.optional(v.nullable(v.picklist(['new', 'persisting', 'renamed'])), null),
  formerIds: v.optional(v.array(v.string()), []),
  since: v.string(),
  issueSince: v.string(),
  storey: v.string(),
  room: v.string(),
  grid: v.string(),
  penetration: v.optional(v.picklist(['', ...PENETRATIONS]), ''),
});

/** Decisions are in their own file. */
export function readClash(read: v.InferOutput<typeof clashSchema>): ReportClash {
  return { ...read, form: read.form ?? undefined, status: read.status ?? undefined, review: undefined };
}

/** Throws with the cause if the line is invalid. */
export function parseClashLine(line: string): ReportClash {
  const result = v.safeParse(clashSchema, JSON.parse(line));
  if (!result.success) {
    const issue = result.issues[0];
    throw new Error(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  return readClash(result.output);
}
