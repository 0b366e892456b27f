/**
 * A line of a check's journal, read back. Its checksum says that it is as somebody wrote it, not that this somebody was
 * a check: what does not have the form of an entry is refused.
 */
import { CLASH_KINDS, type Clash, LABEL_KINDS, OBJECT_TEXTS } from '@impinge/model';
import * as v from 'valibot';
import { foreignEntry } from './journal.js';

/** Pairs that are finished, and what was found among them. */
export interface CheckEntry {
  readonly pairs: readonly number[];
  readonly clashes: readonly Clash[];
  readonly touches: number;
  /** Where a queue was used: what its groups are known by there. */
  readonly queueKey?: string;
}

const vec3 = v.tuple([v.number(), v.number(), v.number()]);
const text = v.string();
const texts = v.optional(v.array(text));
const all = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as { [Key in Name]: Schema };
const objectInfo = v.object({
  ...all(OBJECT_TEXTS, text),
  ...{ rounding: v.number(), curveError: v.number() },
  labels: v.optional(v.object(all(LABEL_KINDS, texts))),
});

/** What reports use; further fields are kept as they are. */
const clash = v.looseObject({
  ...{ id: text, kind: v.picklist(CLASH_KINDS), form: v.optional(v.picklist(['protruding', 'piercing'])) },
  ...{ a: objectInfo, b: objectInfo, rule: text },
  ...{ distance: v.number(), depth: v.number(), depthBound: v.number(), trianglePairs: v.number() },
  ...{ point: vec3, box: v.object({ min: vec3, max: vec3 }) },
});

const entry = v.object({
  ...{ pairs: v.array(v.number()), clashes: v.array(clash), touches: v.number() },
  queueKey: v.optional(text),
});

/** The entry that a line of the journal at `path` holds; throws a CommandError where it holds something else. */
export function checkEntry(line: unknown, path: string): CheckEntry {
  if (!v.is(entry, line)) throw foreignEntry(path);
  return line as CheckEntry;
}
