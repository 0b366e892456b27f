/** The report together with its model. */
import { signal } from '@preact/signals';
import type { ReportForViewer, ReportRun, ReportWay } from '../../../cli/src/wire/report.js';
import { ClashReview } from '../../../ui/src/clash-review.js';
import { Report } from '../../../ui/src/report.js';
import type { SavingKeeper } from '../../../ui/src/saving-keeper.js';
import type { Surroundings } from '../app/address.js';

export class ModelReport extends Report {
  readonly run: ReportRun;
  readonly date: string;
  readonly ways: readonly ReportWay[];
  readonly #a: readonly number[];
  readonly #b: readonly number[];
  readonly #boxes: readonly number[];

  constructor({ data, a, b, boxes, ways, run, date }: ReportForViewer) {
    super(data);
    this.run = run;
    this.date = date;
    this.ways = ways;
    this.#a = a;
    this.#b = b;
    this.#boxes = boxes;
  }

  /** The objects of a clash in the store; -1 if missing. */
  objectsOf(clash: number): readonly [a: number, b: number] {
    return [this.#a[clash], this.#b[clash]];
  }

  /** Bounds of the contact: minimum and maximum. */
  boxOf(clash: number): readonly number[] {
    const box = this.#boxes.slice(6 * clash, 6 * clash + 6);
    return box.length === 6 ? box : [...this.pointOf(clash), ...this.pointOf(clash)];
  }
}

/** The review of clashes in the model. */
export class ModelReview extends ClashReview {
  declare readonly report: ModelReport;
  declare readonly keeper: SavingKeeper;
  readonly surroundings = signal<Surroundings>('ghost');
}

/** Throws an `Error` with a one-line message. */
export async function readReport(url: string): Promise<ModelReport> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot read the clashes: the server responded ${response.status}`);
  return new ModelReport((await response.json()) as ReportForViewer);
}
