/** The pairs of objects that a check has to measure: their boxes are close enough for the rule that applies to them. */
import { u32Column } from 'impinge/internal/base/column.js';
import { boxSweep } from 'impinge/internal/scene/box-sweep.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { BoxTree } from '../store/box-tree.js';
import { axesAt, type Directory } from '../store/model.js';
import { kindBit } from './clash-kinds.js';
import type { Exclusions } from './exclusions/exclusions.js';
import { EXCLUSIONS } from './exclusions/table.js';
import type { RuleTable } from './rules/rule-table.js';
import { zoneBounds } from './zones/zone.js';

export interface Candidates {
  /**
   * Object a, object b, rule: three numbers per pair. First objects that are compared, a < b, sorted; then objects that
   * may be in the zone of another, which is a.
   */
  readonly triples: Uint32Array;
  readonly count: number;
  /** By rule: the number of pairs it decides about. */
  readonly perRule: Uint32Array;
  /**
   * Pairs that a rule selects, near enough, and that are left out: object a, object b (a < b), rule, the position of
   * the exclusion, four numbers each.
   */
  readonly excluded: Uint32Array;
}

/** More than rounding may put between the boxes of objects that touch, relative to the coordinates. */
const SLACK = 2 ** -44;

const TOUCH = kindBit('touch');

/** The input of the search for candidates. */
export type ObjectExtents = Pick<
  Directory,
  'objectBox' | 'objectPose' | 'objectAxes' | 'objectRounding' | 'objectCurveError'
>;

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
  const excluded = u32Column();
  let count = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const rule = rules.ruleOf(pairs[i], pairs[i + 1]);
    if (rule < 0) continue;
    const reach = reachOf(rules.rules[rule], extents, pairs[i], pairs[i + 1]) + slack;
    if (!boxesNearAt(boxes, 6 * pairs[i], boxes, 6 * pairs[i + 1], reach)) continue;
    const why = exclusions.of(pairs[i], pairs[i + 1]);
    if (why !== undefined) {
      excluded.append([pairs[i], pairs[i + 1], rule, EXCLUSIONS.indexOf(why)]);
      continue;
    }
    perRule[rule]++;
    triples[3 * count] = pairs[i];
    triples[3 * count + 1] = pairs[i + 1];
    triples[3 * count + 2] = rule;
    count++;
  }
  const all = u32Column();
  all.append(triples.subarray(0, 3 * count));
  for (const [owner, other, rule] of zonePairs(extents, rules, slack)) {
    const [a, b] = [Math.min(owner, other), Math.max(owner, other)];
    const why = exclusions.of(a, b);
    if (why === undefined) {
      perRule[rule]++;
      all.append([owner, other, rule]);
    } else excluded.append([a, b, rule, EXCLUSIONS.indexOf(why)]);
  }
  return { triples: all.values(), count: all.length / 3, perRule, excluded: excluded.values() };
}

/** Objects that may be in zones: the owner of the zone, the other object, the rule. */
function* zonePairs(
  extents: ObjectExtents,
  rules: RuleTable,
  slack: number,
): Generator<[owner: number, other: number, rule: number]> {
  const { objectBox } = extents;
  let tree: BoxTree | undefined;
  for (const [rule, { zone }] of rules.rules.entries()) {
    if (zone === undefined) continue;
    tree ??= new BoxTree(objectBox);
    for (let owner = 0; owner < objectBox.length / 6; owner++) {
      if (!rules.owns(rule, owner)) continue;
      const own = objectBox.subarray(6 * owner, 6 * owner + 6);
      const bounds = zoneBounds(own, axesAt(extents, owner), zone);
      const near: number[] = [];
      const isNear = (boxes: Float64Array, at: number) => boxesNearAt(bounds, 0, boxes, at, slack);
      tree.some(isNear, (object) => {
        if (rules.keepsOut(rule, owner, object)) near.push(object);
        return false;
      });
      for (const other of near.sort((p, q) => p - q)) yield [owner, other, rule];
    }
  }
}
