/** What reports are made of: plain data, lengths in metres, Z up. */
import type { LeftOut } from '@impinge/model';
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash, type ClashKind } from '@impinge/model';
import type { ReportRun } from '../wire/report.js';
import { compareText, lengthText } from '../wire/text.js';
import type { BcfVersion } from './bcf/layout.js';
import type { FailOn, ReportFormat } from './choices.js';
import type { Painter } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Decision } from './review/decision.js';
import type { Scenery } from './scenery.js';

export type ClashStatus = 'new' | 'persisting';

export interface ReportClash extends Clash {
  /** The id of the issue it belongs to. */
  readonly group: string;
  /** Against the baseline; undefined without one. */
  readonly status: ClashStatus | undefined;
  /** The date of the model in which it was found first, and of the first in which its issue was. */
  readonly since: string;
  readonly issueSince: string;
  /** What people have decided about it; undefined: nothing. */
  readonly review: Decision | undefined;
  /** Between which axes of the model's grid it is; empty where there is none. */
  readonly grid: string;
}

export interface ReportFile {
  readonly name: string;
  readonly objects: number;
  readonly triangles: number;
  readonly leftOut?: readonly LeftOut[];
  readonly notes?: readonly string[];
  /** The GUID of its IfcProject, where it has one. */
  readonly projectId?: string;
}

export interface ReportModel {
  readonly title: string;
  readonly files: readonly ReportFile[];
  readonly objectCount: number;
  readonly triangleCount: number;
  readonly disciplines: readonly string[];
  /** ISO 8601: the newest date among the inputs, so that a report says the same whenever it is written. */
  readonly date: string;
  readonly box: ReportBox;
}

/** Whether a run fails on this clash; without a baseline every clash is new. */
export function isFailure(failOn: FailOn, { status }: ReportClash): boolean {
  return failOn === 'any' || (failOn === 'new' && status !== 'persisting');
}

export interface ReportInput {
  readonly model: ReportModel;
  readonly run: ReportRun;
  /** Those that count. */
  readonly clashes: readonly ReportClash[];
  /** Those that may stay: listed, but not counted. */
  readonly approved: readonly ReportClash[];
  /** Clashes of the baseline that are gone; undefined where no baseline was given. */
  readonly resolved: readonly ReportClash[] | undefined;
  readonly formats: readonly ReportFormat[];
  readonly bcf: BcfVersion;
  readonly failOn: FailOn;
  /** Draws the pictures of issues. */
  readonly painter: Painter;
  /** What the models of clashes and the outline are made of; without it there are none. */
  readonly scenery: Scenery | undefined;
  /** Where the model is, seen from the folder of the reports, and which; without it nobody can show them together. */
  readonly store?: { readonly path: string; readonly fingerprint: string };
  /** A file of decisions to write beside the reports. */
  readonly review: { readonly name: string; readonly text: string } | undefined;
}

/** Whether somebody says of a clash that was found that it is resolved. */
export function isStillThere({ review }: ReportClash): boolean {
  return review?.status === 'resolved';
}

/** Which clashes say by this how bad they are. */
export function measuredBy(measure: 'depth' | 'distance'): (clash: Clash) => boolean {
  return ({ kind }) => CLASH_KIND_TABLE[kind].measure === measure;
}

/** What says how bad a clash is, in metres; undefined where nothing does. */
export function measureOf(clash: Clash): number | undefined {
  const { measure } = CLASH_KIND_TABLE[clash.kind];
  return measure === 'depth' ? depthOf(clash) : measure === 'distance' ? clash.distance : undefined;
}

/** How deep a clash is. No overlap is 0 deep: of one so shallow that no point in it was found, what nothing exceeds. */
export function depthOf(clash: Clash): number {
  const isFound = clash.depth > 0 || hasOpenDepth(clash) || !measuredBy('depth')(clash);
  return isFound ? clash.depth : clash.depthBound;
}

/** Of a depth: what it may be above it, and in metres, where the search for it has come to its end. */
const CLOSED_SHARE = 0.0101;
const CLOSED_LENGTH = 1e-6;

/** Whether the depth of a clash is known between two bounds only. */
export function hasOpenDepth(clash: Clash): boolean {
  if (!measuredBy('depth')(clash)) return false;
  const { depth, depthBound } = clash;
  return depthBound > (1 + CLOSED_SHARE) * depth && depthBound > depth + CLOSED_LENGTH;
}

/** What says how bad a clash is in words, an open depth as `3.1 mm to 236 mm`; undefined where nothing does. */
export function measureText(clash: Clash): string | undefined {
  const metres = measureOf(clash);
  if (metres === undefined) return undefined;
  const text = (length: number) => lengthText(length, roundingOf(clash));
  return hasOpenDepth(clash) ? `${text(metres)} to ${text(clash.depthBound)}` : text(metres);
}

/** How much rounding of both objects may have changed a length, to two digits. */
export function roundingOf({ a, b }: Clash): number {
  return Number((a.rounding + b.rounding).toPrecision(2));
}

/** Worst first: overlaps by depth, then kind by kind; the closest before others; then by id. */
export function compareSeverity(p: ReportClash, q: ReportClash): number {
  return (
    severityClass(p.kind) - severityClass(q.kind) ||
    q.depth - p.depth ||
    p.distance - q.distance ||
    compareText(p.id, q.id)
  );
}

function severityClass(kind: ClashKind): number {
  return CLASH_KIND_TABLE[kind].measure === 'depth' ? -1 : CLASH_KINDS.indexOf(kind);
}
