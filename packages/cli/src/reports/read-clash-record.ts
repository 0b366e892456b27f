/** A line of `clashes.jsonl`, read back. */
import { CLASH_KINDS } from '@impinge/model';
import type { Vec3 } from 'impinge';
import * as v from 'valibot';
import type { ReportClash } from './report-data.js';

const vec3 = v.pipe(
  v.tuple([v.number(), v.number(), v.number()]),
  v.transform((x): Vec3 => x),
);

const objectSchema = v.object({
  id: v.string(),
  name: v.string(),
  path: v.string(),
  type: v.string(),
  discipline: v.string(),
  file: v.string(),
  storey: v.string(),
  rounding: v.optional(v.number(), 0),
  curveError: v.optional(v.number(), 0),
});

export const clashSchema = v.object({
  id: v.string(),
  kind: v.picklist(CLASH_KINDS),
  form: v.nullable(v.picklist(['protruding', 'piercing'])),
  a: objectSchema,
  b: objectSchema,
  distance: v.number(),
  depth: v.number(),
  depthBound: v.number(),
  point: vec3,
  box: v.object({ min: vec3, max: vec3 }),
  trianglePairs: v.number(),
  rule: v.string(),
  group: v.string(),
  status: v.optional(v.nullable(v.picklist(['new', 'persisting'])), null),
  since: v.string(),
  issueSince: v.string(),
  grid: v.string(),
});

/** What is known of a clash that was read; decisions are in a file of their own. */
export function readClash(read: v.InferOutput<typeof clashSchema>): ReportClash {
  return { ...read, form: read.form ?? undefined, status: read.status ?? undefined, review: undefined };
}

/** Throws with a message that says what is wrong with it. */
export function parseClashLine(line: string): ReportClash {
  const result = v.safeParse(clashSchema, JSON.parse(line));
  if (!result.success) {
    const issue = result.issues[0];
    throw new Error(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
  }
  return readClash(result.output);
}
