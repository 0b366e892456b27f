/** A report as the page shows it: the lists of report.html, and the numbers of their objects in the model. */
import type { StoredModel } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { type FoundWay, readFoundWays, wayRecording } from '../path/found-ways.js';
import { roundCoordinate } from '../reports/clash-record.js';
import { describeModel } from '../reports/describe-model.js';
import { listedClashes, pageData } from '../reports/page-data.js';
import type { ReportRecord } from '../reports/read-report-record.js';
import type { ReportClash } from '../reports/report-data.js';
import type { Review } from '../reports/review/decision.js';
import { matricesOf } from '../reports/sides.js';
import type { ReportForViewer, ReportWay } from '../wire/report.js';
import { oneLine } from '../wire/text.js';
import { NO_OBJECT, ObjectNumbers } from './object-numbers.js';
import { RecordedReport } from './recorded-report.js';
import { linkedReportPage } from './report-page-file.js';

export class ShownReport extends RecordedReport {
  /** Whether it has a page that may be served. */
  readonly hasPage: boolean;
  /** Ways out that rules about access have found. */
  readonly #ways: readonly FoundWay[];
  readonly #stored: StoredModel;
  #numbers: Promise<ObjectNumbers> | undefined;

  private constructor(
    folder: string,
    record: ReportRecord,
    stored: StoredModel,
    clashes: readonly ReportClash[],
    ways: readonly FoundWay[],
    hasPage: boolean,
  ) {
    super(folder, record, describeModel(stored), clashes);
    this.#stored = stored;
    this.#ways = ways;
    this.hasPage = hasPage;
  }

  static async open(folder: string, record: ReportRecord, model: StoredModel): Promise<ShownReport> {
    const clashes = await RecordedReport.clashesOf(folder, record);
    const hasPage = (await linkedReportPage(folder)) !== undefined;
    return new ShownReport(folder, record, model, clashes, await readFoundWays(folder), hasPage);
  }

  /** The names of the recordings of ways. */
  get wayNames(): readonly string[] {
    return this.#ways.map((_, i) => wayName(i));
  }

  /** The recording of a way; undefined: its object is not in the model. */
  async wayBytes(name: string): Promise<Uint8Array | undefined> {
    const way = this.#ways[this.wayNames.indexOf(name)];
    const object = this.#objectOf(way, await this.#objectNumbers());
    return object === NO_OBJECT ? undefined : wayRecording(this.#stored, object, way);
  }

  #objectNumbers(): Promise<ObjectNumbers> {
    this.#numbers ??= ObjectNumbers.of(this.#stored);
    return this.#numbers;
  }

  #objectOf({ object, path }: FoundWay, numbers: ObjectNumbers): number {
    const position = path.poses[0].position as Vec3;
    return numbers.numberOf(object, { min: position, max: position });
  }

  async forViewer(review: Review): Promise<ReportForViewer> {
    const numbers = await this.#objectNumbers();
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
    const ways = this.#ways.flatMap((way, i): ReportWay[] => {
      const { rule, length, clearance } = way;
      const object = this.#objectOf(way, numbers);
      if (object === NO_OBJECT) return [];
      return [{ object, rule: oneLine(rule, 120), length, clearance, url: wayName(i) }];
    });
    return { data, ...sides, boxes, ways, run: input.run, date: input.model.date };
  }
}

function wayName(index: number): string {
  return `way-${index + 1}.glb`;
}
