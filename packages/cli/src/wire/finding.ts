/** Findings about the files and rules of a check, for users to see before its clashes: whether it could find any. */

/** Red: some input was certainly, or almost certainly, not compared. Amber: it may be intended. */
export type FindingSeverity = 'red' | 'amber';

/** Red ones come first. */
export const FINDING_SEVERITIES: readonly FindingSeverity[] = ['red', 'amber'];

/** Titles of the severities. */
export const FINDING_TITLES: Readonly<Record<FindingSeverity, string>> = {
  red: 'Not everything was compared',
  amber: 'Possible mistakes',
};

/** A short label for each kind. */
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
  /** A suggested fix; empty if none is known. */
  readonly suggestion: string;
  /** The names of the files concerned. */
  readonly files: readonly string[];
  /** The paths of the first objects concerned. */
  readonly objects: readonly string[];
}
