/**
 * A line of a check's journal, read back. Its checksum says that it is as somebody wrote it, not that this somebody was
 * a check: what does not have the form of an entry is refused.
 */
import { type Clash, LABEL_KINDS, OBJECT_TEXTS } from '@impinge/model';
import * as v from 'valibot';
import { allOf, CLASH_FIELDS, CLASH_FORM } from '../clash-schema.js';
import { foreignEntry } from './journal.js';

/** Pairs that are finished, and what was found among them. */
export interface CheckEntry {
  readonly pairs: readonly number[];
  readonly clashes: readonly Clash[];
  readonly touches: number;
  /** Where a queue was used: what its groups are known by there. */
  readonly queueKey?: string;
}

const objectInfo = v.object({
  ...allOf(OBJECT_TEXTS, v.string()),
  ...{ rounding: v.number(), curveError: v.number() },
  labels: v.optional(v.object(allOf(LABEL_KINDS, v.optional(v.array(v.string()))))),
});

/** What reports use; further fields are kept as they are. */
const clash = v.looseObject({ ...CLASH_FIELDS, form: v.optional(CLASH_FORM), a: objectInfo, b: objectInfo });

const entry = v.object({
  ...{ pairs: v.array(v.number()), clashes: v.array(clash), touches: v.number() },
  queueKey: v.optional(v.string()),
});

/** The entry that a line of the journal at `path` holds; throws a CommandError where it holds something else. */
export function checkEntry(line: unknown, path: string): CheckEntry {
  if (!v.is(entry, line)) throw foreignEntry(path);
  return line as CheckEntry;
}
