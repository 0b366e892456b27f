/** A check of a stored model that can be stopped at any instant and resumed. */
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { StoredModel } from '@impinge/model';
import {
  type CheckProgress,
  type CheckStats,
  type Clash,
  check,
  EXCLUSIONS,
  type ExcludedClash,
  type ExcludedPair,
  type Exclusion,
} from '@impinge/model';
import { modelPool, taskPool } from '@impinge/model/node';
import { ImpingeError, type Vec3 } from 'impinge';
import { interruptible } from '../interruptible.js';
import {
  type AccessFinding,
  type AccessRule,
  checkAccess,
  type OpenAccessRule,
  openAccess,
} from '../path/access.js';
import type { QueuedCheck, UnmeasuredPair } from '../server-package.js';
import { spareHeapStill } from '../v8-settings.js';
import type { AskedCheck } from '../wire/report.js';
import { compareText } from '../wire/text.js';
import { makeFolder } from './folder.js';
import { Journal } from './journal.js';
import type { CheckEntry } from './journal-entry.js';
import { KeptPairs } from './kept-pairs.js';
import { SharedObjects } from './shared-objects.js';

export interface CheckModelOptions extends AskedCheck {
  readonly allowEmptyRules: boolean;
  readonly memory: number;
  readonly workers: number;
  /** Where finished pairs are kept until the check is complete. */
  readonly journal: string;
  readonly resume: boolean;
  /** The folder where answers are kept for the next check; undefined: none. */
  readonly kept?: string | undefined;
  /** Opens a queue, whose workers measure everything; `key` is known once the journal is. Otherwise threads do. */
  readonly lead?: (key: () => string) => Promise<QueuedCheck>;
  readonly onProgress: (progress: CheckProgress) => void;
  /** Objects that must be removable, once the pairs are measured. */
  readonly access: readonly AccessRule[];
  readonly onAccess: (done: number, total: number, blocked: number) => void;
  /** Called once, when the pairs of an earlier run are known; undefined if there was none. */
  readonly onResume?: (pairsDone: number | undefined, cut: string | undefined) => void;
}

export interface CheckOutcome {
  readonly touches: number;
  readonly stats: CheckStats;
  /** Of every object of a rule about access, by rule. */
  readonly access: readonly OpenAccessRule[];
  accessFindings(): Promise<AccessFinding[]>;
  /** Pairs that no worker of the queue could measure. */
  readonly unmeasured: readonly UnmeasuredPair[];
  /** All clashes, lengths in metres, sorted by id. The only copy. */
  clashes(): Promise<Clash[]>;
  /** Pairs that meet by design: those that were not measured, in the order of the objects. */
  excludedPairs(): Iterable<ExcludedPair>;
  /** And those that were, lengths in metres, sorted by id. */
  excludedClashes(): Promise<ExcludedClash[]>;
  /** Deletes the journal, because everything is in the reports. It is kept if some pairs are still unmeasured. */
  finish(): Promise<void>;
  /** Keeps the journal, because the reports could not be written. */
  keep(): Promise<void>;
}

/** Runs until it is done or stopped by a signal; pairs finished by then are in the journal. */
export async function checkModel(model: StoredModel, options: CheckModelOptions): Promise<CheckOutcome> {
  return interruptible((signal) => runCheck(model, options, signal));
}

async function runCheck(
  model: StoredModel,
  options: CheckModelOptions,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const { rules, sets, exclusions, allowEmptyRules, clearance, tolerance, kinds, memory, workers } = options;
  const asked = kinds.includes('blocked') ? options.access : [];
  const access = await openAccess(model, asked, sets, allowEmptyRules);
  const header = {
    model: model.fingerprint,
    rules: JSON.stringify({ rules, sets, exclusions, clearance, tolerance, kinds }),
    ...(asked.length > 0 && { access: JSON.stringify(asked) }),
  };
  const done = new Set<number>();
  let clashesBefore = 0;
  let touches = 0;
  const accessDone = new Set<string>();
  const excludedBefore = new Map<Exclusion, number>();
  let key = randomBytes(16).toString('hex');
  const unreachable = new AbortController();
  const leading = options.lead?.(() => key);
  leading?.catch(() => unreachable.abort());
  // tasks are handed out once the journal exists, which says how other runs find their results
  let handOut = (_: QueuedCheck) => {};
  const leader = new Promise<QueuedCheck>((resolve) => (handOut = resolve));
  // even for a single thread: this one stays free for signals, however long a pair takes
  const pool = leading
    ? taskPool(async (triples, settings) => (await leader).measure(triples, settings))
    : modelPool(threadsWithin(memory, workers));
  const kept = leading || options.kept === undefined ? undefined : await KeptPairs.open(options.kept, model);
  // errors in the options are reported before an earlier journal is touched
  const run = check(model, {
    rules,
    sets,
    exclusions,
    allowEmptyRules,
    clearance,
    tolerance,
    kinds,
    memory,
    pool,
    signal: AbortSignal.any([signal, unreachable.signal]),
    done: (pair) => done.has(pair),
    ...(kept && { known: kept }),
    onProgress: (progress) => options.onProgress({ ...progress, clashes: clashesBefore + progress.clashes }),
  });
  let journal: Journal | undefined;
  try {
    if (options.resume) {
      await makeFolder(dirname(options.journal));
      const resumed = await Journal.resume(options.journal, header);
      journal = resumed.journal;
      const { checkEntry } = await import('./journal-entry.js');
      for await (const line of journal.entries()) {
        const entry = checkEntry(line, options.journal);
        key = entry.queueKey ?? key;
        for (const pair of entry.pairs) done.add(pair);
        clashesBefore += entry.clashes.length;
        touches += entry.touches;
        for (const { rule, object } of entry.access ?? []) accessDone.add(`${rule}\n${object}`);
        for (const { why } of entry.excluded) excludedBefore.set(why, (excludedBefore.get(why) ?? 0) + 1);
      }
      options.onResume?.(resumed.isNew ? undefined : done.size, resumed.cut);
    }
    // planned while connecting to the queue
    const batches = leading ? begun(run.batches()) : run.batches();
    const coordinator = await leading;
    if (!journal) {
      await makeFolder(dirname(options.journal));
      journal = await Journal.create(options.journal, header);
    }
    if (coordinator) {
      await journal.append([{ pairs: [], clashes: [], excluded: [], touches: 0, queueKey: key }]);
      handOut(coordinator);
    }
    // clashes stay in the journal, not in memory, until the threads have released theirs
    for await (const batch of batches) {
      spareHeapStill();
      const entry: CheckEntry = { ...batch, pairs: [...batch.pairs] };
      await journal.append([entry]);
      touches += entry.touches;
    }
    await kept?.end();
    await coordinator?.finish();
    if (access.length > 0) {
      // its threads hold the memory that is needed now
      await pool.dispose();
      const total = access.reduce((sum, { selected }) => sum + selected.length, 0);
      let [sought, blocked] = [accessDone.size, 0];
      const isDone = (rule: string, object: number) => accessDone.has(`${rule}\n${object}`);
      for await (const { finding, clash } of checkAccess(model, access, { memory, signal, isDone })) {
        const clashes = clash ? [clash] : [];
        await journal.append([{ pairs: [], clashes, excluded: [], touches: 0, access: [finding] }]);
        blocked += clashes.length;
        options.onAccess(++sought, total, blocked);
      }
    }
    const unmeasured = coordinator?.unmeasured ?? [];
    const written = journal;
    return {
      touches,
      stats: { ...run.stats, excluded: sumOfCounts(run.stats.excluded, excludedBefore) },
      unmeasured,
      access,
      accessFindings: () => accessFindingsIn(written),
      clashes: () => clashesIn(written, ({ clashes }) => clashes, model.meta.metresPerUnit),
      excludedPairs: () => run.excludedPairs(),
      excludedClashes: () => clashesIn(written, ({ excluded }) => excluded, model.meta.metresPerUnit),
      finish: () => (unmeasured.length > 0 ? written.close() : written.remove()),
      keep: () => written.close(),
    };
  } catch (error) {
    // there is nothing to resume
    if (error instanceof ImpingeError && error.code === 'empty-rule') await journal?.remove();
    else await journal?.close();
    throw error;
  } finally {
    await (await leading?.catch(() => undefined))?.close();
    await pool.dispose();
  }
}

/** Starts ahead of time; errors are reported when the result is awaited. */
function begun<T>(items: AsyncGenerator<T, void, void>): AsyncIterable<T> {
  const first = items.next();
  first.catch(() => {});
  return {
    async *[Symbol.asyncIterator]() {
      try {
        const { done, value } = await first;
        if (done) return;
        yield value;
        yield* items;
      } finally {
        await items.return();
      }
    },
  };
}

/** Two fifths of its share are for memory other than geometry, and a thread needs some 16 MB of that. */
const LEAST_SHARE = 40e6;

/** As many threads as fit the memory limit, up to `workers`; one is always permitted beyond the limit. */
export function threadsWithin(memory: number, workers: number): number {
  return Math.max(1, Math.min(workers, Math.floor(memory / LEAST_SHARE)));
}

function sumOfCounts(
  counts: CheckStats['excluded'],
  before: ReadonlyMap<Exclusion, number>,
): CheckStats['excluded'] {
  const sums = EXCLUSIONS.map((name) => [name, counts[name] + (before.get(name) ?? 0)]);
  return Object.fromEntries(sums) as CheckStats['excluded'];
}

async function accessFindingsIn(journal: Journal): Promise<AccessFinding[]> {
  const findings: AccessFinding[] = [];
  for await (const { access = [] } of journal.entries<CheckEntry>()) findings.push(...access);
  return findings.sort((p, q) => compareText(p.rule, q.rule) || p.object - q.object);
}

async function clashesIn<Found extends Clash>(
  journal: Journal,
  listed: (entry: CheckEntry) => readonly Found[],
  metres: number,
): Promise<Found[]> {
  const clashes: Found[] = [];
  const objects = new SharedObjects();
  for await (const entry of journal.entries<CheckEntry>()) {
    for (const clash of listed(entry)) {
      const found = inMetres(clash, metres);
      clashes.push({ ...found, a: objects.share(found.a), b: objects.share(found.b) });
    }
  }
  return clashes.sort((p, q) => compareText(p.id, q.id));
}

function inMetres<Found extends Clash>(clash: Found, metres: number): Found {
  if (metres === 1) return clash;
  const scaled = ([x, y, z]: Vec3): Vec3 => [metres * x, metres * y, metres * z];
  return {
    ...clash,
    a: objectInMetres(clash.a, metres, scaled),
    b: objectInMetres(clash.b, metres, scaled),
    distance: metres * clash.distance,
    depth: metres * clash.depth,
    depthBound: metres * clash.depthBound,
    point: scaled(clash.point),
    box: { min: scaled(clash.box.min), max: scaled(clash.box.max) },
  };
}

function objectInMetres(object: Clash['a'], metres: number, scaled: (x: Vec3) => Vec3): Clash['a'] {
  const { rounding, curveError, box } = object;
  return {
    ...object,
    rounding: metres * rounding,
    curveError: metres * curveError,
    box: { min: scaled(box.min), max: scaled(box.max) },
  };
}
