/** Reads a line of `clashes.jsonl`. */
import { OBJECT_TEXTS } from '@impinge/model';
import * as v from 'valibot';
import { allOf, CLASH_FIELDS, CLASH_FORM } from '../clash-schema.js';
import type { ReportClash } from './report-data.js';

const objectSchema = v.object({
  ...allOf(OBJECT_TEXTS, v.string()),
  rounding: v.optional(v.number(), 0),
  curveError: v.optional(v.number(), 0),
});

export const clashSchema = v.object({
  ...CLASH_FIELDS,
  form: v.nullable(CLASH_FORM),
  a: objectSchema,
  b: objectSchema,
  group: v.string(),
  status: v.optional(v.nullable(v.picklist(['new', 'persisting'])), null),
  since: v.string(),
  issueSince: v.string(),
  grid: v.string(),
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
