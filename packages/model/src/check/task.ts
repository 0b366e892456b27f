/** The input and output of a worker of a check. */
import type { PieceCacheStats } from '../store/piece-cache.js';
import type { ClashMeasure } from './clash.js';
import type { PairPieces } from './pair-pieces.js';
import type { TaskRule } from './task-rule.js';

/** Pairs of objects in the order to look at them: object a, object b, rule, three numbers each. */
export interface CheckTask {
  readonly triples: Uint32Array;
  readonly pieces: PairPieces;
}

export interface FoundClash {
  /** Which pair of the task. */
  readonly pair: number;
  readonly measure: ClashMeasure;
}

/** The results of pairs [from, to) of a task. */
export interface CheckTaskPart {
  readonly from: number;
  readonly to: number;
  readonly found: readonly FoundClash[];
  /** Pairs that touch, under rules that report clearances but not touching. */
  readonly touches: number;
  /** Which pairs these are; undefined where another process has only counted them. */
  readonly touching?: readonly number[];
  /** Totals of the thread so far. */
  readonly cache: PieceCacheStats;
}

/** Settings common to all tasks of a check. */
export interface CheckJob {
  readonly rules: readonly TaskRule[];
  /** Bytes of memory for pieces and trees, all threads together. */
  readonly memory: number;
}

/** A thread's needs besides geometry: script, garbage and work space, in bytes. At most two fifths of its share. */
const THREAD_BYTES = 56e6;

/** The part of a thread's share of memory for geometry and hierarchies, in bytes. */
export function geometryBytes(share: number): number {
  return share - Math.min(THREAD_BYTES, 0.4 * share);
}
