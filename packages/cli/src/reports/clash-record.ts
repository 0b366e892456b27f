/**
 * `clashes.jsonl`: one clash per line, for programs and as a baseline of later runs. Numbers are rounded beyond their
 * precision, so that the text is the same on every machine: coordinates to the nanometre, lengths to ten digits.
 */
import { type Clash, OBJECT_TEXTS } from '@impinge/model';
import type { ReportClash } from './report-data.js';
import { record } from './review/decision.js';

/** The line of a clash, with its line end. All keys are always present, in this order. */
export function clashLine(clash: ReportClash): string {
  return `${oneLineJson(clashRecord(clash))}\n`;
}

export function clashRecord(clash: ReportClash) {
  return {
    id: clash.id,
    kind: clash.kind,
    form: clash.form ?? null,
    a: objectRecord(clash.a),
    b: objectRecord(clash.b),
    distance: roundLength(clash.distance),
    depth: roundLength(clash.depth),
    depthBound: roundLength(clash.depthBound),
    point: clash.point.map(roundCoordinate),
    box: boxRecord(clash.box),
    trianglePairs: clash.trianglePairs,
    rule: clash.rule,
    group: clash.group,
    status: clash.status ?? null,
    formerIds: clash.formerIds,
    since: clash.since,
    issueSince: clash.issueSince,
    storey: clash.storey,
    room: clash.room,
    grid: clash.grid,
    penetration: clash.penetration,
    review: clash.review ? record(clash.review) : null,
  };
}

/** JSON without characters that some readers take for line ends. */
function oneLineJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function objectRecord(object: Clash['a']) {
  const texts = Object.fromEntries(OBJECT_TEXTS.map((name) => [name, object[name]]));
  return {
    ...texts,
    tag: object.labels?.tag?.[0] ?? '',
    rounding: roundLength(object.rounding),
    curveError: roundLength(object.curveError),
    box: boxRecord(object.box),
  };
}

function boxRecord({ min, max }: Clash['box']) {
  return { min: min.map(roundCoordinate), max: max.map(roundCoordinate) };
}

export function roundLength(metres: number): number {
  return Number(metres.toPrecision(10));
}

export function roundCoordinate(metres: number): number {
  // adding 0 turns -0 into 0
  return Number(metres.toFixed(9)) + 0;
}
