/**
 * What is remarkable about the files and rules of a check before anybody looks at its clashes: whether it could find
 * any.
 */

/** Red: something that was given has surely, or nearly so, not been compared. Amber: it may be as it should. */
export type FindingSeverity = 'red' | 'amber';

/** Red ones come first. */
export const FINDING_SEVERITIES: readonly FindingSeverity[] = ['red', 'amber'];

/** What all of a severity are called. */
export const FINDING_TITLES: Readonly<Record<FindingSeverity, string>> = {
  red: 'Not everything was compared',
  amber: 'Possible mistakes',
};

/** By kind, what it is in a word or two. */
export const FINDING_KINDS = {
  far: 'far from the others',
  unit: 'in another unit',
  size: 'of an odd size',
  skipped: 'not read',
  empty: 'without geometry',
  idle: 'nothing to check',
  open: 'open objects',
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

export interface Finding {
  readonly kind: FindingKind;
  readonly severity: FindingSeverity;
  /** A line for people. */
  readonly message: string;
  /** What would put it right; empty where nothing is known to. */
  readonly suggestion: string;
  /** The names of the files that it is about. */
  readonly files: readonly string[];
  /** The paths of the objects that it is about, the first of them. */
  readonly objects: readonly string[];
}
