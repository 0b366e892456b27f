/** The clashes of a report, as `report.html` carries them and `impinge view` sends them. Lengths are metres, Z up. */
import type { CheckRule, ClashKind, ClashKindInfo, ExclusionChoice, SelectionSets } from '@impinge/model';
import type { Vec3 } from 'impinge';
import type { Finding } from './finding.js';
import type { Decisions } from './review.js';

/** One object; `sides` are the indices of its side in each matrix. */
export type PageObject = readonly [
  name: string,
  path: string,
  id: string,
  type: string,
  file: string,
  sides: readonly number[],
];

/** Columns instead of records, every object once. */
export interface PageData {
  readonly kinds: readonly string[];
  /** By kind: what says how bad a clash is. */
  readonly measures: readonly ClashKindInfo['measure'][];
  /** Against the baseline, `''` without one. */
  readonly statuses: readonly string[];
  /** What each matrix is about: `disciplines`, `systems` … */
  readonly matrices: readonly string[];
  /** Of each matrix. */
  readonly sides: readonly (readonly string[])[];
  readonly rules: readonly string[];
  readonly storeys: readonly string[];
  readonly objects: readonly PageObject[];
  /** Issues, worst first. */
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
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** As they were when the report was written; what was decided since is in `review.json`. */
  readonly review: Decisions;
}

/** Shades of cells, row by row from below: base64 of raw deflate. */
export interface OutlineMap {
  readonly columns: number;
  readonly rows: number;
  readonly cells: string;
}

/** Where the model has anything. */
export interface ModelOutline {
  readonly plan: OutlineMap;
  readonly elevation: OutlineMap;
  /** Lowest first, in metres. */
  readonly storeys: readonly (readonly [name: string, level: number])[];
  /** Straight lines seen from above: a point and a direction, in metres. */
  readonly axes: readonly (readonly [tag: string, x: number, y: number, dx: number, dy: number])[];
}

/** What is drawn of the model. */
export interface PagePictures {
  /** Of the first clashes, see clash-model.ts; empty where there is none. */
  readonly models: readonly string[];
  /** Null where the model is not at hand. */
  readonly outline: ModelOutline | null;
}

/** All that the script of report.html gets. */
export interface ReportPageData extends PageData, PagePictures {
  /** Kinds that are told of even where there is none. */
  readonly telling: readonly string[];
}

/** What of report.html can be read without its script. */
export interface FigureMarkup {
  readonly tiles: string;
  readonly figures: string;
}

export interface ReportRule {
  readonly name: string;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
  /** How many objects each of its sides selects. */
  readonly objects: readonly [a: number, b: number];
  readonly clashes: number;
}

/** What the library was asked: lengths in the model's unit. */
export interface AskedCheck {
  /** None: everything against everything. */
  readonly rules: readonly CheckRule[];
  readonly sets: SelectionSets;
  readonly exclusions: ExclusionChoice;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
}

export interface ReportRun {
  /** For whoever wants to ask again, about an object that is moved. */
  readonly asked: AskedCheck;
  readonly clearance: number;
  readonly tolerance: number;
  readonly rules: readonly ReportRule[];
  /** Pairs that touch without depth: counted, and among the clashes only where a rule asks for them. */
  readonly touches: number;
  readonly pairsChecked: number;
  /** What is remarkable about files and rules, red ones first. */
  readonly findings: readonly Finding[];
  /** Pairs that were left out because they belong together, by reason. */
  readonly excluded: readonly { readonly why: string; readonly pairs: number }[];
  /** Pairs, by the paths of their objects, that could not be measured. */
  readonly unmeasured?: readonly UnmeasuredNames[] | undefined;
}

export interface UnmeasuredNames {
  readonly a: string;
  readonly b: string;
  readonly why: string;
}

/** `report.json` of a view. */
export interface ReportForViewer {
  readonly data: PageData;
  /**
   * For each clash the numbers of its objects in the store, or -1; where several have the same names, of those that
   * meet there.
   */
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Of each clash, six numbers: the least and the greatest corner of the box around its contact. */
  readonly boxes: readonly number[];
  readonly run: ReportRun;
  /** Of the model: ISO 8601. */
  readonly date: string;
}
