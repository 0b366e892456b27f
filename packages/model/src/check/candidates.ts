/** The pairs of objects that a check has to measure: their boxes are close enough for the rule that applies to them. */
import { boxSweep } from 'impinge/internal/scene/box-sweep.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import type { Directory } from '../store/model.js';
import { kindBit } from './clash-kinds.js';
import { EXCLUSIONS, type Exclusions } from './rules/exclusions.js';
import type { RuleTable } from './rules/rule-table.js';

export interface Candidates {
  /** Object a, object b (a < b), rule: three numbers per pair, sorted. */
  readonly triples: Uint32Array;
  readonly count: number;
  /** By rule: the number of pairs it decides about, and the number excluded that it would decide about. */
  readonly perRule: Uint32Array;
  readonly excludedPerRule: Uint32Array;
  /** By the position of the exclusion: pairs that a rule selects, near enough, and that are left out. */
  readonly excluded: Uint32Array;
}

/** More than rounding may put between the boxes of objects that touch, relative to the coordinates. */
const SLACK = 2 ** -44;

const TOUCH = kindBit('touch');

/** The input of the search for candidates. */
export type ObjectExtents = Pick<Directory, 'objectBox' | 'objectRounding' | 'objectCurveError'>;

/**
 * Maximum distance at which two objects matter to a rule: its clearance, or, where touching is reported, their
 * rounding.
 */
export function reachOf(
  { clearance, kinds }: { readonly clearance: number; readonly kinds: number },
  { objectRounding, objectCurveError }: ObjectExtents,
  a: number,
  b: number,
): number {
  if (!(kinds & TOUCH)) return clearance;
  const gap = objectRounding[a] + objectRounding[b] + objectCurveError[a] + objectCurveError[b];
  return Math.max(clearance, gap);
}

export function findCandidates(
  extents: ObjectExtents,
  rules: RuleTable,
  exclusions: Pick<Exclusions, 'of'>,
): Candidates {
  const { objectBox: boxes, objectRounding, objectCurveError } = extents;
  let gap = 0;
  if (rules.rules.some(({ kinds }) => kinds & TOUCH)) {
    for (let i = 0; i < objectRounding.length; i++)
      gap = Math.max(gap, 2 * (objectRounding[i] + objectCurveError[i]));
  }
  let largest = 0;
  for (let i = 0; i < boxes.length; i++) largest = Math.max(largest, Math.abs(boxes[i]));
  const slack = SLACK * largest;
  const pairs = boxSweep.pairs(boxes, Math.max(rules.clearance, gap) + slack);
  const triples = new Uint32Array(1.5 * pairs.length);
  const perRule = new Uint32Array(rules.rules.length);
  const excludedPerRule = new Uint32Array(rules.rules.length);
  const excluded = new Uint32Array(EXCLUSIONS.length);
  let count = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const rule = rules.ruleOf(pairs[i], pairs[i + 1]);
    if (rule < 0) continue;
    const reach = reachOf(rules.rules[rule], extents, pairs[i], pairs[i + 1]) + slack;
    if (!boxesNearAt(boxes, 6 * pairs[i], boxes, 6 * pairs[i + 1], reach)) continue;
    const why = exclusions.of(pairs[i], pairs[i + 1]);
    if (why !== undefined) {
      excluded[EXCLUSIONS.indexOf(why)]++;
      excludedPerRule[rule]++;
      continue;
    }
    perRule[rule]++;
    triples[3 * count] = pairs[i];
    triples[3 * count + 1] = pairs[i + 1];
    triples[3 * count + 2] = rule;
    count++;
  }
  return { triples: triples.slice(0, 3 * count), count, perRule, excludedPerRule, excluded };
}
