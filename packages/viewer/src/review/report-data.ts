/** The clashes of a report, as the server or an exported folder gives them (`report.json`). Lengths are metres. */

/** One object: name, path, id, type, file, and for each matrix the index of its side. */
export type ReportObject = readonly [
  name: string,
  path: string,
  id: string,
  type: string,
  file: string,
  sides: readonly number[],
];

export type Measure = 'depth' | 'distance' | 'none';

/** What report.html carries for its script: columns instead of records, every object once. */
export interface PageData {
  readonly kinds: readonly string[];
  /** By kind: what says how bad a clash is. */
  readonly measures: readonly Measure[];
  /** Against the baseline, `''` without one. */
  readonly statuses: readonly string[];
  /** Of each matrix. */
  readonly sides: readonly (readonly string[])[];
  readonly rules: readonly string[];
  readonly storeys: readonly string[];
  readonly objects: readonly ReportObject[];
  /** Issues: id and title, worst first. */
  readonly groups: readonly (readonly [id: string, title: string])[];
  /** Worst first; numbers are indices where a list above has the name. */
  readonly clashes: {
    readonly id: readonly string[];
    readonly kind: readonly number[];
    readonly form: readonly string[];
    readonly status: readonly number[];
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly depth: readonly number[];
    /** Where the depth is open: nothing is deeper. Else 0. */
    readonly atMost: readonly number[];
    readonly distance: readonly number[];
    /** What these may be off by rounding. */
    readonly error: readonly number[];
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly z: readonly number[];
    readonly pairs: readonly number[];
    readonly rule: readonly number[];
    readonly storey: readonly number[];
    readonly group: readonly number[];
  };
  readonly box: { readonly min: readonly number[]; readonly max: readonly number[] };
  readonly reviewStatuses: readonly string[];
  /** As they were when the report was written; what was decided since is in `review.json`. */
  readonly review: Readonly<Record<string, Decision>>;
}

/** A decision as review.json has it. */
export interface Decision {
  readonly status?: string;
  readonly assignee?: string;
  /** `2026-12-24`. */
  readonly due?: string;
  /** One comment of nobody in particular. */
  readonly comment?: string;
  readonly comments?: readonly Comment[];
}

export interface Comment {
  readonly author?: string;
  /** ISO 8601. */
  readonly date?: string;
  readonly text: string;
}

export type Decisions = Readonly<Record<string, Decision>>;

export interface ReportForViewer {
  readonly data: PageData;
  /** For every row of `data.objects` the number of that object in the store; -1 where it has none. */
  readonly objects: readonly number[];
  /** For each clash the numbers of its objects; where several have the same names, of those that meet there. */
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** What each matrix is about: `disciplines`, `systems` … */
  readonly matrices: readonly string[];
  /** Six numbers for each clash: the least and the greatest corner of the box around its contact. */
  readonly boxes: readonly number[];
  /** By the name of a kind, what it means. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly run: ReportRun;
  /** Of the model: ISO 8601. */
  readonly date: string;
}

export interface ReportRun {
  readonly clearance: number;
  readonly tolerance: number;
  readonly rules: readonly {
    readonly name: string;
    readonly clearance: number;
    readonly tolerance: number;
    readonly kinds: readonly string[];
    readonly clashes: number;
  }[];
  readonly touches: number;
  readonly pairsChecked: number;
}

/** `review.json` of a server that is there. */
export interface ReviewAnswer {
  readonly revision: string;
  readonly decisions: Decisions;
}
