/** A report as its folder records it: clashes that take decisions, and the issues they make. */
import { join } from 'node:path';
import { CommandError } from '../command-error.js';
import { readClashes } from '../reports/baseline.js';
import { topicGuid } from '../reports/bcf/topic.js';
import { type Issues, issuesOf } from '../reports/issue-summary.js';
import type { ReportRecord } from '../reports/read-report-record.js';
import type { ReportClash, ReportInput, ReportModel } from '../reports/report-data.js';
import { isSameDecision, type Review } from '../reports/review/decision.js';

export type Reported = Pick<ReportInput, 'model' | 'run' | 'clashes' | 'approved' | 'resolved'>;

export class RecordedReport {
  readonly folder: string;
  readonly clashes: readonly ReportClash[];
  readonly model: ReportModel;
  readonly #record: ReportRecord;
  #ids: ReadonlySet<string> | undefined;
  #topics: ReadonlySet<string> | undefined;
  /** Of the last answer: its clashes, in order, and its issues. Kept where the decision is the same. */
  #last: { readonly clashes: readonly ReportClash[]; readonly issues: Issues } | undefined;

  constructor(folder: string, record: ReportRecord, model: ReportModel, clashes: readonly ReportClash[]) {
    this.folder = folder;
    this.#record = record;
    this.model = model;
    this.clashes = clashes;
  }

  /** Throws a CommandError if the report has no list of its clashes. */
  static async clashesOf(folder: string, { hasClashes }: ReportRecord): Promise<ReportClash[]> {
    if (hasClashes) return readClashes(folder);
    throw new CommandError(
      `${join(folder, 'clashes.jsonl')}: is not part of this report; check again with it among the --formats`,
    );
  }

  /** Whether there is a clash with this id. */
  has(id: string): boolean {
    this.#ids ??= new Set([...this.clashes, ...(this.#record.resolved ?? [])].map((clash) => clash.id));
    return this.#ids.has(id);
  }

  /** Whether one of its issues, or one that is gone, has this GUID as a topic. */
  hasTopic(guid: string): boolean {
    this.#topics ??= new Set(
      [...this.clashes, ...(this.#record.resolved ?? [])].map(({ group }) => topicGuid({ id: group })),
    );
    return this.#topics.has(guid);
  }

  /** The clashes with their decisions, and their issues: the same objects as before where nothing is decided anew. */
  decided(review: Review): { readonly input: Reported; readonly issues: Issues } {
    const last = this.#last;
    const all = this.clashes.map((clash, i) => {
      const decision = review.get(clash.id);
      if (!decision) return clash;
      const before = last?.clashes[i];
      return before?.review && isSameDecision(before.review, decision)
        ? before
        : { ...clash, review: decision };
    });
    const input = {
      model: this.model,
      run: this.#record.run,
      clashes: all.filter((clash) => clash.review?.status !== 'approved'),
      approved: all.filter((clash) => clash.review?.status === 'approved'),
      resolved: this.#record.resolved,
    };
    const issues = issuesOf(input, last?.issues);
    this.#last = { clashes: all, issues };
    return { input, issues };
  }
}
