/** Rules with their places in a file. */
import type { CheckRule } from '@impinge/model';
import type { Place } from './yaml-document.js';

export interface SidePlaces {
  readonly a?: Place;
  readonly b?: Place;
}

/** A rule, and where it is written. */
export interface PlacedRule {
  readonly rule: CheckRule;
  readonly places: SidePlaces;
}
