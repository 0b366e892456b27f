/** The report, with what is worked out of it once. */
import type { PageData, ReportForViewer, ReportRun } from '../../../cli/src/wire/report.js';
import { lengthText } from '../model/text.js';

export class Report {
  readonly data: PageData;
  readonly run: ReportRun;
  readonly date: string;
  readonly matrices: readonly string[];
  readonly #a: readonly number[];
  readonly #b: readonly number[];
  readonly #boxes: readonly number[];
  readonly #byId: ReadonlyMap<string, number>;
  /** Whether it was compared with a baseline. */
  readonly hasBaseline: boolean;
  /** The types of the objects that clash, sorted. */
  readonly types: readonly string[];

  readonly #meanings: Readonly<Record<string, string>>;

  constructor({ data, a, b, boxes, run, date, matrices, meanings }: ReportForViewer) {
    this.data = data;
    this.run = run;
    this.date = date;
    this.matrices = matrices;
    this.#meanings = meanings;
    this.#a = a;
    this.#b = b;
    this.#boxes = boxes;
    this.#byId = new Map(data.clashes.id.map((id, i) => [id, i]));
    this.hasBaseline = data.clashes.status.some((status) =>
      ['new', 'persisting', 'resolved'].includes(data.statuses[status]),
    );
    this.types = [...new Set(data.objects.map(([, , , type]) => type))].filter(Boolean).sort();
  }

  get count(): number {
    return this.data.clashes.id.length;
  }

  clashOf(id: string): number | undefined {
    return this.#byId.get(id);
  }

  /** The objects of a clash in the store; -1 where the store has it not. */
  objectsOf(clash: number): readonly [a: number, b: number] {
    return [this.#a[clash], this.#b[clash]];
  }

  /** Around the contact: the least and the greatest corner. */
  boxOf(clash: number): readonly number[] {
    const box = this.#boxes.slice(6 * clash, 6 * clash + 6);
    if (box.length === 6) return box;
    const { x, y, z } = this.data.clashes;
    return [x[clash], y[clash], z[clash], x[clash], y[clash], z[clash]];
  }

  pointOf(clash: number): readonly [number, number, number] {
    const { x, y, z } = this.data.clashes;
    return [x[clash], y[clash], z[clash]];
  }

  kindOf(clash: number): string {
    return this.data.kinds[this.data.clashes.kind[clash]];
  }

  /** What its kind means. */
  meaningOf(clash: number): string {
    return this.#meanings[this.kindOf(clash)] ?? '';
  }

  /** How bad it is, in words. */
  measureOf(clash: number): string {
    const { clashes, measures } = this.data;
    const of = measures[clashes.kind[clash]];
    if (of === 'none') return '–';
    const least = lengthText(clashes[of][clash], clashes.error[clash]);
    return clashes.atMost[clash] > 0
      ? `${least} to ${lengthText(clashes.atMost[clash], clashes.error[clash])}`
      : least;
  }

  /** Against the baseline; a clash that is gone was `resolved`. */
  baselineOf(clash: number): string {
    const status = this.data.statuses[this.data.clashes.status[clash]];
    return status === 'resolved' ? 'gone' : status === 'approved' ? '' : status;
  }
}

/** Throws an `Error` with one line for people. */
export async function readReport(url: string): Promise<Report> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot read the clashes: the server responded ${response.status}`);
  return new Report((await response.json()) as ReportForViewer);
}
