/** A check of a stored model that can be stopped at any instant and taken up again. */
import { dirname } from 'node:path';
import {
  type CheckProgress,
  type CheckRule,
  type CheckStats,
  type Clash,
  type ClashKind,
  check,
  type Vec3,
} from 'impinge';
import { nodePool } from 'impinge/node';
import type { StoredModel } from 'impinge/store';
import { interruptible } from '../interruptible.js';
import { makeFolder } from './folder.js';
import { Journal } from './journal.js';
import type { CheckEntry } from './journal-entry.js';

export interface CheckModelOptions {
  /** Lengths in the model's unit. */
  readonly rules: readonly CheckRule[] | undefined;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
  readonly memory: number;
  readonly workers: number;
  /** Where what is finished is kept until the check is complete. */
  readonly journal: string;
  readonly resume: boolean;
  readonly onProgress: (progress: CheckProgress) => void;
  /** Told once, when the pairs of an earlier run are known; undefined when there was none. */
  readonly onResume?: (pairsDone: number | undefined, cut: string | undefined) => void;
}

export interface CheckOutcome {
  /** Lengths in metres, sorted by id. */
  readonly clashes: readonly Clash[];
  readonly touches: number;
  readonly stats: CheckStats;
  /** Deletes the journal: everything is in the reports. */
  finish(): Promise<void>;
  /** Keeps the journal: the reports could not be written. */
  keep(): Promise<void>;
}

/** Runs until it is done or stopped by a signal; what is finished by then is in the journal. */
export async function checkModel(model: StoredModel, options: CheckModelOptions): Promise<CheckOutcome> {
  const { clashes, ...outcome } = await interruptible((signal) => runCheck(model, options, signal));
  const { metresPerUnit } = model.meta;
  return { ...outcome, clashes: clashes.map((clash) => inMetres(clash, metresPerUnit)).sort(byId) };
}

/** Clashes are as they come, lengths in the model's unit. */
async function runCheck(
  model: StoredModel,
  options: CheckModelOptions,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const { rules, clearance, tolerance, kinds, memory, workers } = options;
  const header = {
    model: model.fingerprint,
    rules: JSON.stringify({ rules, clearance, tolerance, kinds }),
  };
  const clashes: Clash[] = [];
  const done = new Set<number>();
  let touches = 0;
  let clashesBefore = 0;
  // also where there is only one: this thread stays free for signals, whatever a pair takes
  const pool = nodePool(workers);
  // what is wrong with the options comes before an earlier journal is touched
  const run = check(model, {
    ...(rules === undefined ? {} : { rules }),
    clearance,
    tolerance,
    kinds,
    memory,
    pool,
    signal,
    done: (pair) => done.has(pair),
    onProgress: (progress) => options.onProgress({ ...progress, clashes: clashesBefore + progress.clashes }),
  });
  await makeFolder(dirname(options.journal));
  const take = (entry: CheckEntry) => {
    clashes.push(...entry.clashes);
    touches += entry.touches;
  };
  let journal: Journal | undefined;
  try {
    if (options.resume) {
      const resumed = await Journal.resume<unknown>(options.journal, header);
      journal = resumed.journal;
      const { checkEntry } = await import('./journal-entry.js');
      for await (const line of resumed.entries) {
        const entry = checkEntry(line, options.journal);
        for (const pair of entry.pairs) done.add(pair);
        take(entry);
      }
      clashesBefore = clashes.length;
      options.onResume?.(resumed.isNew ? undefined : done.size, resumed.cut);
    } else journal = await Journal.create(options.journal, header);
    for await (const batch of run.batches()) {
      const entry: CheckEntry = { ...batch, pairs: [...batch.pairs] };
      await journal.append([entry]);
      take(entry);
    }
  } catch (error) {
    await journal?.close();
    throw error;
  } finally {
    await pool.dispose();
  }
  const written = journal;
  return {
    clashes,
    touches,
    stats: run.stats,
    finish: () => written.remove(),
    keep: () => written.close(),
  };
}

function byId(p: Clash, q: Clash): number {
  return p.id < q.id ? -1 : p.id > q.id ? 1 : 0;
}

function inMetres(clash: Clash, metres: number): Clash {
  if (metres === 1) return clash;
  const scaled = ([x, y, z]: Vec3): Vec3 => [metres * x, metres * y, metres * z];
  return {
    ...clash,
    distance: metres * clash.distance,
    depth: metres * clash.depth,
    depthBound: metres * clash.depthBound,
    point: scaled(clash.point),
    box: { min: scaled(clash.box.min), max: scaled(clash.box.max) },
  };
}
