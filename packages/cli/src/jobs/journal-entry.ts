/**
 * Reads back a line of a check's journal. Its checksum proves that it is unaltered, not that a check wrote it: anything
 * without the form of an entry is refused.
 */
import { type Clash, EXCLUSIONS, type ExcludedClash, LABEL_KINDS, OBJECT_TEXTS } from '@impinge/model';
import * as v from 'valibot';
import { allOf, BOX, CLASH_FIELDS, CLASH_FORM } from '../clash-schema.js';
import type { AccessFinding } from '../path/access.js';
import { foreignEntry } from './journal.js';

/** Finished pairs, and the clashes found among them, those that are left out apart. */
export interface CheckEntry {
  readonly pairs: readonly number[];
  readonly clashes: readonly Clash[];
  readonly excluded: readonly ExcludedClash[];
  readonly touches: number;
  /** Objects that ways were looked for, and the paths found. */
  readonly access?: readonly AccessFinding[];
  /** If a queue was used: the key of its tasks there. */
  readonly queueKey?: string;
}

const objectInfo = v.object({
  ...allOf(OBJECT_TEXTS, v.string()),
  ...{ rounding: v.number(), curveError: v.number(), box: BOX },
  labels: v.optional(v.object(allOf(LABEL_KINDS, v.optional(v.array(v.string()))))),
});

/** The fields that reports use; other fields are kept unchanged. */
const clash = v.looseObject({ ...CLASH_FIELDS, form: v.optional(CLASH_FORM), a: objectInfo, b: objectInfo });

const excluded = v.looseObject({ ...clash.entries, why: v.picklist(EXCLUSIONS) });

const accessFinding = v.looseObject({
  rule: v.string(),
  object: v.number(),
  path: v.optional(
    v.object({
      poses: v.array(v.object({ position: v.array(v.number()), rotation: v.array(v.number()) })),
      times: v.array(v.number()),
      centre: v.array(v.number()),
      certificate: v.object({ clearance: v.number(), nearest: v.number() }),
    }),
  ),
});

const entry = v.object({
  ...{
    pairs: v.array(v.number()),
    clashes: v.array(clash),
    excluded: v.array(excluded),
    touches: v.number(),
  },
  access: v.optional(v.array(accessFinding)),
  queueKey: v.optional(v.string()),
});

/** The entry in a line of the journal at `path`; throws a CommandError if it is something else. */
export function checkEntry(line: unknown, path: string): CheckEntry {
  if (!v.is(entry, line)) throw foreignEntry(path);
  return line as CheckEntry;
}
