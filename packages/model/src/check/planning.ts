/** Everything before measuring: which rule decides about which pair of objects, and their order. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { StoredModel } from '../store/model.js';
import { memoryBytes } from '../store/page-layout.js';
import { type Candidates, findCandidates } from './candidates.js';
import { Exclusions } from './exclusions/exclusions.js';
import type { Exclusion } from './exclusions/table.js';
import { findOpeningTasks, type OpeningTask } from './openings/opening-tasks.js';
import { type PlannedTask, planCheck } from './plan.js';
import type { CheckRule, SelectionSets } from './rules/rule.js';
import { ruleModel, sorted } from './rules/rule-model.js';
import { CompiledRules, type EmptySide, type RuleDefaults, type TableRule } from './rules/rule-table.js';
import { geometryBytes } from './task.js';
import type { TaskRule } from './task-rule.js';

/** The request, in a form that can be sent to another thread. */
export interface CheckQuestion {
  readonly rules: readonly CheckRule[] | undefined;
  readonly sets: SelectionSets | undefined;
  readonly exclusions: readonly Exclusion[];
  readonly allowEmptyRules: boolean;
  readonly defaults: RuleDefaults;
  /** Bytes, for all workers together. */
  readonly memory: number;
  readonly workers: number;
  /** Whether answers about some pairs may be known: then workers are not started ahead. */
  readonly someKnown: boolean;
}

export interface PlannedCheck {
  readonly rules: readonly TableRule[];
  readonly candidates: Candidates;
  /** In the pieces that some candidate needs, each counted once. */
  readonly triangles: number;
  readonly tasks: readonly PlannedTask[];
  /** Pairs that need more than a worker's share. */
  readonly alone: readonly PlannedTask[];
  /** Judged one by one, after all pairs. */
  readonly openings: readonly OpeningTask[];
}

/** What may be done among: triples and rules only where some may be known. */
export interface DoneQuestion extends Pick<Candidates, 'count' | 'triples'> {
  readonly rules: readonly TaskRule[];
}

/** Flags of candidates that are done, 1 for each; undefined: none. */
export type DoneAmong = (
  candidates: DoneQuestion,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

const NOTHING_KNOWN = { triples: new Uint32Array(0), rules: [] };
/** A subgraph leaves room for the one after it. */
const SHARE_USED = 0.75;
/** The least that two pieces and their work space need. */
export const LEAST_MEMORY = 4e6;

export async function planModel(
  model: StoredModel,
  { rules: given, sets, exclusions, allowEmptyRules, defaults, memory, workers, someKnown }: CheckQuestion,
  doneAmong: DoneAmong,
): Promise<PlannedCheck> {
  const compiled = new CompiledRules(given, defaults, sets);
  const seen = await ruleModel(model, compiled.asksForProperties);
  const rules = compiled.tableFor(seen, await sorted(model, compiled.sorting(seen)));
  if (!allowEmptyRules) assertNoneEmpty(rules.emptySides);
  const leftOut = new Exclusions(model, exclusions);
  const candidates = findCandidates(model.directory, rules, leftOut);
  const openings = findOpeningTasks(model, rules, leftOut);
  const { count, triples } = candidates;
  const done = await doneAmong({ count, ...(someKnown ? { triples, rules: rules.rules } : NOTHING_KNOWN) });
  const total = neededBytes(model, candidates);
  // one subgraph for each worker to begin with, none larger than its share: the rest is divided at the end
  const share = geometryBytes(memory / workers);
  const capacity = Math.max(LEAST_MEMORY / 2, Math.min(SHARE_USED * share, total.bytes / workers));
  const isDone = done && ((pair: number) => done[pair] === 1);
  const { tasks, alone } = planCheck(model, candidates, rules, capacity, share, isDone, workers);
  return { rules: rules.rules, candidates, triangles: total.triangles, tasks, alone, openings };
}

/** Refuses rules that select nothing: they would pass for rules that nothing violates. */
function assertNoneEmpty(empty: readonly EmptySide[]): void {
  if (empty.length === 0) return;
  const lines = empty.map(({ rule, side }) => `rule "${rule}": side ${side} selects no object`);
  throw new ImpingeError('empty-rule', lines.join('; '), { empty });
}

/** The total size of the candidates' pieces, each counted once. */
function neededBytes(model: StoredModel, { triples }: Candidates): { bytes: number; triangles: number } {
  const { objectShape, shapeFirstPiece, shapeExactPieces, pieceTriangles } = model.directory;
  const seen = new Uint8Array(model.shapeCount);
  let bytes = 0;
  let triangles = 0;
  for (let i = 0; i < triples.length; i++) {
    if (i % 3 === 2) continue;
    const shape = objectShape[triples[i]];
    if (seen[shape]) continue;
    seen[shape] = 1;
    const end = shapeFirstPiece[shape] + shapeExactPieces[shape];
    for (let piece = shapeFirstPiece[shape]; piece < end; piece++) {
      bytes += memoryBytes(model.directory, piece);
      triangles += pieceTriangles[piece];
    }
  }
  return { bytes, triangles };
}
