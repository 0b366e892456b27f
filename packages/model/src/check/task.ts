/** What a worker of a check receives, and what it returns. */
import type { PieceCacheStats } from '../store/piece-cache.js';
import type { ClashMeasure } from './clash.js';
import type { PairPieces } from './pair-pieces.js';

/** A rule, as far as measuring needs it. */
export interface TaskRule {
  readonly clearance: number;
  readonly tolerance: number;
  /** The bits of kinds, see `kindBit`. */
  readonly kinds: number;
}

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

/** What came of pairs [from, to) of a task. */
export interface CheckTaskPart {
  readonly from: number;
  readonly to: number;
  readonly found: readonly FoundClash[];
  /** Pairs that touch where a clearance is asked for, and touching is not. */
  readonly touches: number;
  /** Of the thread, so far. */
  readonly cache: PieceCacheStats;
}

/** What all tasks of a check have in common. */
export interface CheckJob {
  readonly rules: readonly TaskRule[];
  /** Bytes of memory for pieces and trees, all threads together. */
  readonly memory: number;
}

/** What a thread needs besides geometry: its script, its garbage, its work space. At most two fifths of its share. */
const THREAD_BYTES = 56e6;

/** How much of a thread's share of the memory geometry and hierarchies may take. */
export function geometryBytes(share: number): number {
  return share - Math.min(THREAD_BYTES, 0.4 * share);
}
