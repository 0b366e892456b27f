/** The data of reports; lengths in metres, Z up. */
import type { ExcludedClash, ExcludedPair, LeftOut } from '@impinge/model';
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash, type ClashKind } from '@impinge/model';
import type { ReportRun } from '../wire/report.js';
import { compareText, lengthText } from '../wire/text.js';
import type { BcfVersion } from './bcf/layout.js';
import type { FailOn, ReportFormat, SheetsBy } from './choices.js';
import type { Painter } from './picture.js';
import type { Place } from './places.js';
import type { ReportBox } from './report-box.js';
import type { Decision } from './review/decision.js';
import type { Scenery } from './scenery.js';

/** `renamed`: persisting, but its objects have other ids than in the baseline, and so has the clash. */
export type ClashStatus = 'new' | 'persisting' | 'renamed';

/** Texts of its place are empty where nothing is known. */
export interface ReportClash extends Clash, Place {
  /** The id of its issue. */
  readonly group: string;
  /** Against the baseline; undefined without one. */
  readonly status: ClashStatus | undefined;
  /** Ids that it had in earlier models, the latest last. */
  readonly formerIds: readonly string[];
  /** The dates of the models in which it, and its issue, were first found. */
  readonly since: string;
  readonly issueSince: string;
  /** The decision about it, if any. */
  readonly review: Decision | undefined;
}

export interface ReportFile {
  readonly name: string;
  /** ISO 8601: when it says that it was written, else of its last change; empty: unknown. */
  readonly modified: string;
  readonly objects: number;
  readonly triangles: number;
  readonly leftOut?: readonly LeftOut[];
  readonly notes?: readonly string[];
  /** The GUID of its IfcProject, if any. */
  readonly projectId?: string;
}

export interface ReportModel {
  readonly title: string;
  readonly files: readonly ReportFile[];
  readonly objectCount: number;
  readonly triangleCount: number;
  readonly disciplines: readonly string[];
  /** ISO 8601: the newest date among the inputs, so that a report is the same whenever it is written. */
  readonly date: string;
  readonly box: ReportBox;
}

/** Whether a run fails on this clash; without a baseline every clash is new. */
export function isFailure(failOn: FailOn, { status }: ReportClash): boolean {
  return failOn === 'any' || (failOn === 'new' && (status ?? 'new') === 'new');
}

export interface ReportInput {
  readonly model: ReportModel;
  readonly run: ReportRun;
  /** Clashes that count. */
  readonly clashes: readonly ReportClash[];
  /** Approved clashes: listed, but not counted. */
  readonly approved: readonly ReportClash[];
  /** Clashes of the baseline that no longer exist; undefined without a baseline. */
  readonly resolved: readonly ReportClash[] | undefined;
  /** Pairs that meet by design. */
  readonly excluded: () => AsyncIterable<ExcludedPair | ExcludedClash>;
  readonly formats: readonly ReportFormat[];
  readonly bcf: BcfVersion;
  readonly sheetsBy: SheetsBy;
  readonly failOn: FailOn;
  /** Draws the pictures of issues. */
  readonly painter: Painter;
  /** The source of clash models and outline; undefined: none are made. */
  readonly scenery: Scenery | undefined;
  /** Path of the store, relative to the report's folder, and its fingerprint; required for the viewer. */
  readonly store?: { readonly path: string; readonly fingerprint: string };
  /** A file of decisions to write beside the reports. */
  readonly review: { readonly name: string; readonly text: string } | undefined;
  /** The findings of rules about access, as JSON. */
  readonly access?: string | undefined;
}

/** Whether a clash is marked as resolved but still exists. */
export function isStillThere({ review }: ReportClash): boolean {
  return review?.status === 'resolved';
}

/** Selects clashes whose severity is this measure. */
export function measuredBy(measure: 'depth' | 'distance'): (clash: Clash) => boolean {
  return ({ kind }) => CLASH_KIND_TABLE[kind].measure === measure;
}

/** The severity of a clash in metres; undefined for kinds without one. */
export function measureOf(clash: Clash): number | undefined {
  const { measure } = CLASH_KIND_TABLE[clash.kind];
  return measure === 'depth' ? depthOf(clash) : measure === 'none' ? undefined : clash.distance;
}

/**
 * The depth of a clash. An overlap too shallow for a point inside has a found depth of 0; its upper bound is used
 * instead.
 */
export function depthOf(clash: Clash): number {
  const isFound = clash.depth > 0 || hasOpenDepth(clash) || !measuredBy('depth')(clash);
  return isFound ? clash.depth : clash.depthBound;
}

/** If the bounds of a depth differ by less, relative or in metres, the depth counts as known. */
const CLOSED_SHARE = 0.0101;
const CLOSED_LENGTH = 1e-6;

/** Whether the depth is known only between two bounds. */
export function hasOpenDepth(clash: Clash): boolean {
  if (!measuredBy('depth')(clash)) return false;
  const { depth, depthBound } = clash;
  return depthBound > (1 + CLOSED_SHARE) * depth && depthBound > depth + CLOSED_LENGTH;
}

/** The severity as text, an open depth as `3.1 mm to 236 mm`; undefined for kinds without one. */
export function measureText(clash: Clash): string | undefined {
  const metres = measureOf(clash);
  if (metres === undefined) return undefined;
  const text = (length: number) => lengthText(length, roundingOf(clash));
  return hasOpenDepth(clash) ? `${text(metres)} to ${text(clash.depthBound)}` : text(metres);
}

/** The possible error of a length by the rounding of both objects, to two digits. */
export function roundingOf({ a, b }: Clash): number {
  return Number((a.rounding + b.rounding).toPrecision(2));
}

/** Worst first: overlaps by depth, then by kind; the closest, or the largest excess, first; then by id. */
export function compareSeverity(p: ReportClash, q: ReportClash): number {
  return (
    severityClass(p.kind) - severityClass(q.kind) ||
    q.depth - p.depth ||
    (CLASH_KIND_TABLE[p.kind].measure === 'excess' ? q.distance - p.distance : p.distance - q.distance) ||
    compareText(p.id, q.id)
  );
}

function severityClass(kind: ClashKind): number {
  return CLASH_KIND_TABLE[kind].measure === 'depth' ? -1 : CLASH_KINDS.indexOf(kind);
}
