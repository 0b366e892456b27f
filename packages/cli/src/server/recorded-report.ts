/** A report as its folder records it: clashes that take decisions, and the issues they make. */
import { join } from 'node:path';
import { CommandError } from '../command-error.js';
import { readClashes } from '../reports/baseline.js';
import { type Issues, issuesOf } from '../reports/issue-summary.js';
import type { ReportRecord } from '../reports/read-report-record.js';
import type { ReportClash, ReportInput, ReportModel } from '../reports/report-data.js';
import type { Review } from '../reports/review/decision.js';

export type Reported = Pick<ReportInput, 'model' | 'run' | 'clashes' | 'approved' | 'resolved'>;

export class RecordedReport {
  readonly folder: string;
  readonly clashes: readonly ReportClash[];
  readonly model: ReportModel;
  readonly #record: ReportRecord;
  #ids: ReadonlySet<string> | undefined;

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

  /** The clashes with their decisions, and their issues. */
  decided(review: Review): { readonly input: Reported; readonly issues: Issues } {
    const all = this.clashes.map((clash) => {
      const decision = review.get(clash.id);
      return decision ? { ...clash, review: decision } : clash;
    });
    const input = {
      model: this.model,
      run: this.#record.run,
      clashes: all.filter((clash) => clash.review?.status !== 'approved'),
      approved: all.filter((clash) => clash.review?.status === 'approved'),
      resolved: this.#record.resolved,
    };
    return { input, issues: issuesOf(input) };
  }
}
