/**
 * Takes runs from the queue and executes them as `impinge check`. The queue is the database table; this process itself
 * only knows its child processes.
 *
 * Invariant: a run ends in the same transaction that queues its webhooks. A run that is interrupted, because the
 * service stops or is killed, returns to the queue and resumes from its journal.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { isSameDecision, type Review, UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import { mergedChange } from '@impinge/cli/internal/reports/review/merge-change.js';
import { readFolderReview } from '@impinge/cli/internal/reports/review/review-file.js';
import { plural } from '@impinge/cli/internal/wire/text.js';
import * as v from 'valibot';
import type { Run } from './api/schemas.js';
import { type CheckProcess, endLeftOver, type ProcessEnd, startCheckProcess } from './check-process.js';
import type { Folders } from './folders.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Reports } from './reports.js';
import { reviewJson } from './review-json.js';
import type { RunEvents } from './run-events.js';
import { modelFiles, removeFetched } from './run-models.js';
import type { ServiceSettings } from './settings.js';
import { type ClashSpans, recordClashes } from './state/clash-spans.js';
import type { Decisions } from './state/decisions.js';
import type { Projects } from './state/projects.js';
import type { RunEnd, Runs } from './state/runs.js';

/** A run that was interrupted this often is not retried: it may be crashing the service. */
const ATTEMPTS_MAX = 3;
const RETRY_MS = 1000;

const summary = v.object({
  clashes: v.number(),
  new: v.optional(v.number()),
  resolved: v.optional(v.number()),
  approved: v.number(),
  objects: v.number(),
  triangles: v.number(),
  unmeasured: v.optional(v.array(v.object({ a: v.string(), b: v.string(), why: v.string() })), []),
});
/** Maximum number of unmeasured pairs named in an error. */
const NAMED_MAX = 5;

export interface RunnerParts {
  readonly settings: ServiceSettings;
  readonly folders: Folders;
  readonly projects: Projects;
  readonly runs: Runs;
  readonly decisions: Decisions;
  readonly spans: ClashSpans;
  readonly reports: Reports;
  readonly events: RunEvents;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The message for webhooks. */
  readonly bodyOf: (run: Run) => string;
  /** Called when a run has changed decisions. */
  readonly onDecided: (project: string, revision: number) => void;
  /** Called after every run. */
  readonly onFinished: () => void;
}

interface Job {
  readonly controller: AbortController;
  process: CheckProcess | undefined;
  over: Promise<void>;
}

export class Runner {
  readonly #parts: RunnerParts;
  readonly #jobs = new Map<string, Job>();
  #stopping = false;
  #filling: Promise<void> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Requeues interrupted runs of the previous process, and starts. */
  async start(): Promise<void> {
    const { runs, spans, reports, log } = this.#parts;
    for (const { run, project, finished } of await spans.unrecorded())
      await spans.record(project, finished, await reports.found(run).catch(() => []));
    for (const run of await runs.interrupted()) {
      if (run.process !== null) await endLeftOver(run.process);
      if (run.attempts >= ATTEMPTS_MAX)
        await this.#finish(run, { error: `it was interrupted ${run.attempts} times and is not retried` });
      else await runs.requeue(run.id);
      log.info('run-interrupted', { run: run.id, attempts: run.attempts });
    }
    this.wake();
  }

  /** Call when there may be work. */
  wake(): void {
    this.#filling = this.#filling.then(() => this.#fill());
  }

  /** False if it had already ended. */
  async cancel(id: string): Promise<boolean> {
    const run = await this.#parts.runs.finish(id, 'cancelled', this.#parts.bodyOf);
    if (!run) return false;
    const job = this.#jobs.get(id);
    job?.controller.abort();
    job?.process?.kill('cancelled');
    await job?.over;
    this.#notify(run);
    return true;
  }

  /** Lets running checks save finished work; they resume at the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#again);
    await this.#filling;
    for (const { controller, process } of this.#jobs.values()) {
      controller.abort();
      process?.stop('the service is stopping');
    }
    await Promise.all([...this.#jobs.values()].map(({ over }) => over));
  }

  async #fill(): Promise<void> {
    const { settings, runs, log } = this.#parts;
    try {
      while (!this.#stopping && this.#jobs.size < settings.concurrency) {
        const run = await runs.claim();
        if (!run) return;
        const job: Job = { controller: new AbortController(), process: undefined, over: Promise.resolve() };
        this.#jobs.set(run.id, job);
        this.#parts.events.changed(run);
        job.over = this.#work(run, job);
      }
    } catch (error) {
      // the database is temporarily unavailable
      log.error('queue-unreachable', { error: (error as Error).message });
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.wake(), RETRY_MS);
    }
  }

  async #work(run: Run, job: Job): Promise<void> {
    const end = await this.#check(run, job);
    await this.#written(run.id, () =>
      end === undefined ? this.#parts.runs.requeue(run.id, true) : this.#finish(run, end),
    );
    this.#jobs.delete(run.id);
    if (!this.#stopping) this.wake();
  }

  /**
   * Retries until the database has accepted it. If the service stops before that, the next start finds the run
   * unchanged.
   */
  async #written(run: string, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.#parts.log.error('run-not-written', { run, error: (error as Error).message });
        if (this.#stopping) return;
        await delay(RETRY_MS);
      }
    }
  }

  /** Undefined if the run must be repeated: the service stopped it, or could not record its start. */
  async #check(run: Run, job: Job): Promise<RunEnd | undefined> {
    const { settings, folders, events, runs, log } = this.#parts;
    const { signal } = job.controller;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(settings.runMs)]);
      const { args, baseline } = await this.#arguments(run, inTime);
      const given = await this.#giveReview(run);
      signal.throwIfAborted();
      const process = startCheckProcess(
        args,
        { ms: settings.runMs, bytes: settings.processBytes, queue: settings.queue },
        (progress) => events.progress(run.id, progress),
      );
      job.process = process;
      try {
        await runs.began(run.id, process.tag, baseline);
      } catch {
        process.kill('the database is not available');
        await process.ended;
        return undefined;
      }
      const ended = await process.ended;
      if (this.#stopping && ended.code !== 0) return undefined;
      if (ended.code === 0) await this.#takeReview(run, given);
      return endOf(ended, folders);
    } catch (error) {
      if (signal.aborted) return this.#stopping ? undefined : 'cancelled';
      if (error instanceof CommandError) return { error: folders.unnamed(error.lines.join(' ')) };
      const { name, message, stack } = error as Error;
      if (name === 'TimeoutError') return { error: 'its models did not arrive in time' };
      log.error('run-not-started', { run: run.id, error: stack });
      return { error: folders.unnamed(`it could not be started: ${message}`) };
    } finally {
      await removeFetched(run.id, folders).catch(() => {});
    }
  }

  async #arguments(run: Run, signal: AbortSignal) {
    const { settings, folders, projects, runs } = this.#parts;
    const { options } = run;
    const folder = folders.run(run.id);
    await makeFolder(folder);
    const args = ['check', '-o', folders.report(run.id), '--json', '--fail-on', 'never'];
    args.push('--memory', settings.memory, '--workers', String(settings.workers));
    for (const name of ['preset', 'clearance', 'tolerance', 'unit', 'up'] as const)
      if (options[name] !== undefined) args.push(`--${name}=${options[name]}`);
    if (options.allowEmptyRules) args.push('--allow-empty-rules');
    const own = options.rules ?? (options.preset ? undefined : (await projects.get(run.project))?.rules);
    if (own) {
      const path = join(folder, 'rules.yaml');
      await writeFile(path, own);
      args.push('--rules', path);
    }
    const baseline = await this.#baseline(run, options.baseline ?? 'last', runs);
    if (baseline !== null) args.push('--baseline', folders.report(baseline));
    if (existsSync(join(folders.report(run.id), 'check.journal'))) args.push('--resume');
    const models = await projects.modelsById(run.models);
    if (models.length < run.models.length) throw new CommandError('a model of this run was deleted');
    return {
      args: [...args, '--', ...(await modelFiles(run.id, models, folders, settings, signal))],
      baseline,
    };
  }

  /** The decisions of the project are those of the run. */
  async #giveReview({ id, project }: Run): Promise<Review> {
    const { folders, decisions } = this.#parts;
    const { decisions: given } = await decisions.read(project);
    await makeFolder(folders.report(id));
    await writeFile(join(folders.report(id), 'review.json'), reviewJson(given));
    return given;
  }

  /** The check may have carried decisions over to clashes with other ids. */
  async #takeReview({ id, project }: Run, given: Review): Promise<void> {
    const { folders, decisions, onDecided } = this.#parts;
    const file = await readFolderReview(folders.report(id));
    const by = { author: 'impinge', date: new Date().toISOString() };
    const was = (clash: string) => given.get(clash) ?? UNDECIDED;
    const { revision, changed } = await decisions.update(
      project,
      by,
      (now) =>
        new Map(
          [...(file?.decisions ?? [])]
            .filter(([clash, decision]) => !isSameDecision(was(clash), decision))
            .map(([clash, decision]) => [
              clash,
              mergedChange(was(clash), decision, now.get(clash) ?? UNDECIDED, by),
            ]),
        ),
    );
    if (changed.length > 0) onDecided(project, revision);
  }

  async #baseline(run: Run, wanted: string, runs: Runs): Promise<string | null> {
    if (wanted === 'none') return null;
    const found = wanted === 'last' ? await runs.lastDone(run.project, run.number) : await runs.get(wanted);
    const isThere =
      found?.state === 'done' && existsSync(join(this.#parts.folders.report(found.id), 'clashes.jsonl'));
    if (wanted !== 'last' && !isThere)
      throw new CommandError(`the baseline, run ${wanted}, has no report any more`);
    return isThere ? found.id : null;
  }

  async #finish(run: Run, end: RunEnd): Promise<void> {
    const { runs, reports, bodyOf, log } = this.#parts;
    const isDone = end !== 'cancelled' && 'figures' in end && end.error === undefined;
    const found = isDone
      ? await reports.found(run.id).catch((error: Error) => {
          log.error('clashes-not-recorded', { run: run.id, error: error.message });
          return undefined;
        })
      : undefined;
    const finished = await runs.finish(run.id, end, bodyOf, async (queries, { project, finished: at }) => {
      if (found) await recordClashes(queries, project, at!, found);
    });
    if (finished) this.#notify(finished);
  }

  #notify(run: Run): void {
    const { events, metrics, log, onFinished } = this.#parts;
    const seconds =
      run.started && run.finished ? (Date.parse(run.finished) - Date.parse(run.started)) / 1000 : 0;
    metrics.runFinished(run.state, seconds);
    log.info('run-finished', {
      run: run.id,
      project: run.project,
      state: run.state,
      seconds,
      clashes: run.clashes,
    });
    events.changed(run);
    onFinished();
  }
}

function endOf({ code, out, errors, broken }: ProcessEnd, folders: Folders): RunEnd {
  if (broken !== undefined) return { error: `the check was stopped: ${broken}` };
  const found = foundIn(out);
  // pairs that no worker could measure: the report covers all others
  if (found && (code === 0 || found.unmeasured.length > 0)) {
    const { new: newClashes = null, resolved = null, unmeasured, ...rest } = found;
    const figures = { ...rest, newClashes, resolved };
    return unmeasured.length === 0 ? { figures } : { figures, error: folders.unnamed(missing(unmeasured)) };
  }
  if (code === 0) return { error: 'the check printed no readable result' };
  const said = errors.filter((line) => line.startsWith('impinge: ')).map((line) => line.slice(9));
  return { error: folders.unnamed(said.join('\n') || `the check ended with ${code}`) };
}

function foundIn(out: string): v.InferOutput<typeof summary> | undefined {
  try {
    return v.parse(summary, JSON.parse(out));
  } catch {
    return undefined;
  }
}

function missing(pairs: v.InferOutput<typeof summary>['unmeasured']): string {
  const named = pairs.slice(0, NAMED_MAX).map(({ a, b, why }) => `${a} / ${b}: ${why}`);
  const more = pairs.length - named.length;
  const head = `${plural(pairs.length, 'pair')} could not be measured, so their clashes are unknown:`;
  return [head, ...named, ...(more > 0 ? [`… and ${more} more, in the report`] : [])].join('\n');
}
