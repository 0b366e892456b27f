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

/** Columns instead of records; every object occurs once. */
export interface PageData {
  readonly kinds: readonly string[];
  /** By kind: the quantity that says how bad a clash is. */
  readonly measures: readonly ClashKindInfo['measure'][];
  /** Relative to the baseline; `''` without one. */
  readonly statuses: readonly string[];
  /** The subject of each matrix: `disciplines`, `systems` … */
  readonly matrices: readonly string[];
  /** The sides of each matrix. */
  readonly sides: readonly (readonly string[])[];
  readonly rules: readonly string[];
  readonly storeys: readonly string[];
  readonly rooms: readonly string[];
  readonly grids: readonly string[];
  readonly penetrations: readonly string[];
  readonly objects: readonly PageObject[];
  /** Issues, worst first. */
  readonly groups: readonly (readonly [id: string, title: string])[];
  /** Worst first; numbers are indices if a list above has the same name. */
  readonly clashes: {
    readonly id: readonly string[];
    /** Its ids in earlier models, joined by spaces. */
    readonly formerIds: readonly string[];
    readonly kind: readonly number[];
    readonly form: readonly string[];
    readonly status: readonly number[];
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly depth: readonly number[];
    /** If the depth is uncertain, its upper bound; otherwise 0. */
    readonly atMost: readonly number[];
    readonly distance: readonly number[];
    /** Rounding error of these. */
    readonly error: readonly number[];
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly z: readonly number[];
    readonly pairs: readonly number[];
    readonly rule: readonly number[];
    readonly storey: readonly number[];
    readonly room: readonly number[];
    readonly grid: readonly number[];
    readonly penetration: readonly number[];
    readonly group: readonly number[];
  };
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** As of the writing of the report; later decisions are in `review.json`. */
  readonly review: Decisions;
}

/** Shades of cells, row by row from below: base64 of raw deflate. */
export interface OutlineMap {
  readonly columns: number;
  readonly rows: number;
  readonly cells: string;
}

/** Where the model has geometry. */
export interface ModelOutline {
  readonly plan: OutlineMap;
  readonly elevation: OutlineMap;
  /** Lowest first, in metres. */
  readonly storeys: readonly (readonly [name: string, height: number])[];
  /** Straight lines seen from above: a point and a direction, in metres. */
  readonly axes: readonly (readonly [tag: string, x: number, y: number, dx: number, dy: number])[];
}

/** Pictures of the model. */
export interface PagePictures {
  /** Models of the first clashes, see clash-model.ts; empty if there is none. */
  readonly models: readonly string[];
  /** Null if the model is not available. */
  readonly outline: ModelOutline | null;
}

/** All data for the script of report.html. */
export interface ReportPageData extends PageData, PagePictures {
  /** Kinds that are mentioned even if there is none. */
  readonly telling: readonly string[];
}

/** The parts of report.html that can be read without its script. */
export interface FigureMarkup {
  readonly tiles: string;
  readonly figures: string;
}

export interface ReportRule {
  readonly name: string;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
  /** Number of objects that each of its sides selects. */
  readonly objects: readonly [a: number, b: number];
  readonly clashes: number;
}

/** The input of the library's check: lengths in the model's unit. */
export interface AskedCheck {
  /** Empty: everything against everything. */
  readonly rules: readonly CheckRule[];
  readonly sets: SelectionSets;
  readonly exclusions: ExclusionChoice;
  readonly clearance: number;
  readonly tolerance: number;
  readonly kinds: readonly ClashKind[];
}

export interface ReportRun {
  /** For repeating the query about an object that was moved. */
  readonly asked: AskedCheck;
  readonly clearance: number;
  readonly tolerance: number;
  readonly rules: readonly ReportRule[];
  /** Pairs that touch without depth: counted, and among the clashes only if a rule asks for them. */
  readonly touches: number;
  readonly pairsChecked: number;
  /** Findings about files and rules, red ones first. */
  readonly findings: readonly Finding[];
  /** Pairs that were left out because they meet by design, by reason. */
  readonly excluded: readonly ExcludedCount[];
  /** Pairs, by the paths of their objects, that could not be measured. */
  readonly unmeasured?: readonly UnmeasuredNames[] | undefined;
}

export interface ExcludedCount {
  /** Of the exclusion, and its meaning. */
  readonly name: string;
  readonly why: string;
  readonly pairs: number;
  /** If the pairs are of one element each: the number of these. */
  readonly elements?: number | undefined;
}

export interface UnmeasuredNames {
  readonly a: string;
  readonly b: string;
  readonly why: string;
}

/** A way out that a rule about access asked for, and that is proved. Lengths in metres. */
export interface ReportWay {
  /** The number of the object in the store. */
  readonly object: number;
  readonly rule: string;
  readonly length: number;
  /** What it keeps from everything at least. */
  readonly clearance: number;
  /** Of its recording. */
  readonly url: string;
}

/** `report.json` of a view. */
export interface ReportForViewer {
  readonly data: PageData;
  /**
   * For each clash the numbers of its objects in the store, or -1; if several have the same names, those that meet
   * there.
   */
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Six numbers for each clash: the least and the greatest corner of the box around its contact. */
  readonly boxes: readonly number[];
  readonly ways: readonly ReportWay[];
  readonly run: ReportRun;
  /** Date of the model: ISO 8601. */
  readonly date: string;
}
