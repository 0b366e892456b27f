/** A report as the page shows it: the lists of report.html, and the numbers of their objects in the model. */
import type { StoredModel } from '@impinge/model';
import { roundCoordinate } from '../reports/clash-record.js';
import { describeModel } from '../reports/describe-model.js';
import { listedClashes, pageData } from '../reports/page-data.js';
import type { ReportRecord } from '../reports/read-report-record.js';
import type { ReportClash } from '../reports/report-data.js';
import type { Review } from '../reports/review/decision.js';
import { matricesOf } from '../reports/sides.js';
import type { ReportForViewer } from '../wire/report.js';
import { ObjectNumbers } from './object-numbers.js';
import { RecordedReport } from './recorded-report.js';
import { linkedReportPage } from './report-page-file.js';

export class ShownReport extends RecordedReport {
  /** Whether it has a page that may be served. */
  readonly hasPage: boolean;
  readonly #stored: StoredModel;
  #numbers: Promise<ObjectNumbers> | undefined;

  private constructor(
    folder: string,
    record: ReportRecord,
    stored: StoredModel,
    clashes: readonly ReportClash[],
    hasPage: boolean,
  ) {
    super(folder, record, describeModel(stored), clashes);
    this.#stored = stored;
    this.hasPage = hasPage;
  }

  static async open(folder: string, record: ReportRecord, model: StoredModel): Promise<ShownReport> {
    const clashes = await RecordedReport.clashesOf(folder, record);
    const hasPage = (await linkedReportPage(folder)) !== undefined;
    return new ShownReport(folder, record, model, clashes, hasPage);
  }

  async forViewer(review: Review): Promise<ReportForViewer> {
    this.#numbers ??= ObjectNumbers.of(this.#stored);
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
