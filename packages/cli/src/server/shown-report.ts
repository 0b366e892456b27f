/** A report as the page shows it: the lists of report.html, and the numbers of their objects in the model. */
import { join } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { CommandError } from '../command-error.js';
import { readClashes } from '../reports/baseline.js';
import { roundCoordinate } from '../reports/clash-record.js';
import { describeModel } from '../reports/describe-model.js';
import { type Issues, issuesOf } from '../reports/issue-summary.js';
import { listedClashes, pageData } from '../reports/page-data.js';
import type { ReportRecord } from '../reports/read-report-record.js';
import type { ReportClash, ReportInput } from '../reports/report-data.js';
import type { Review } from '../reports/review/decision.js';
import { matricesOf } from '../reports/sides.js';
import type { ReportForViewer } from '../wire/report.js';
import { ObjectNumbers } from './object-numbers.js';
import { linkedReportPage } from './report-page-file.js';

type Reported = Pick<ReportInput, 'model' | 'run' | 'clashes' | 'approved' | 'resolved'>;

export class ShownReport {
  readonly folder: string;
  /** Whether it has a page that may be served. */
  readonly hasPage: boolean;
  readonly #record: ReportRecord;
  readonly #model: StoredModel;
  readonly #clashes: readonly ReportClash[];
  #numbers: Promise<ObjectNumbers> | undefined;

  private constructor(
    folder: string,
    record: ReportRecord,
    model: StoredModel,
    clashes: readonly ReportClash[],
    hasPage: boolean,
  ) {
    this.folder = folder;
    this.hasPage = hasPage;
    this.#record = record;
    this.#model = model;
    this.#clashes = clashes;
  }

  static async open(folder: string, record: ReportRecord, model: StoredModel): Promise<ShownReport> {
    if (!record.hasClashes) {
      throw new CommandError(
        `${join(folder, 'clashes.jsonl')}: is not part of this report; check again with it among the --formats`,
      );
    }
    const hasPage = (await linkedReportPage(folder)) !== undefined;
    return new ShownReport(folder, record, model, await readClashes(folder), hasPage);
  }

  get clashes(): readonly ReportClash[] {
    return this.#clashes;
  }

  /** Whether there is a clash with this id. */
  has(id: string): boolean {
    this.#ids ??= new Set([...this.#clashes, ...(this.#record.resolved ?? [])].map((clash) => clash.id));
    return this.#ids.has(id);
  }
  #ids: ReadonlySet<string> | undefined;

  /** The clashes with their decisions, and their issues. */
  decided(review: Review): { readonly input: Reported; readonly issues: Issues } {
    const all = this.#clashes.map((clash) => {
      const decision = review.get(clash.id);
      return decision ? { ...clash, review: decision } : clash;
    });
    const input = {
      model: describeModel(this.#model),
      run: this.#record.run,
      clashes: all.filter((clash) => clash.review?.status !== 'approved'),
      approved: all.filter((clash) => clash.review?.status === 'approved'),
      resolved: this.#record.resolved,
    };
    return { input, issues: issuesOf(input) };
  }

  async forViewer(review: Review): Promise<ReportForViewer> {
    this.#numbers ??= ObjectNumbers.of(this.#model);
    const numbers = await this.#numbers;
    const { input, issues } = this.decided(review);
    const matrices = matricesOf([...input.clashes, ...input.approved, ...(input.resolved ?? [])]);
    const data = pageData(input, matrices, [...issues.open, ...issues.approved, ...issues.closed]);
    const sides = { a: [] as number[], b: [] as number[] };
    const boxes: number[] = [];
    listedClashes(input).forEach((clash) => {
      for (const side of ['a', 'b'] as const) {
        sides[side].push(numbers.numberOf(clash[side], clash.box));
      }
      boxes.push(...[...clash.box.min, ...clash.box.max].map(roundCoordinate));
    });
    return { data, ...sides, boxes, run: input.run, date: input.model.date };
  }
}
