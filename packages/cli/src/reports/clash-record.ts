/**
 * `clashes.jsonl`: one clash per line, for programs and as a baseline of later runs. Numbers are rounded beyond their
 * precision, so that the text is the same on every machine: coordinates to the nanometre, lengths to ten digits.
 */
import { type Clash, OBJECT_TEXTS } from '@impinge/model';
import type { ReportClash } from './report-data.js';
import { record } from './review/decision.js';

/** Lines repeat the objects that clash with several others. */
const objectTexts = new WeakMap<Clash['a'], string>();

/** The line of a clash, with its line end: the text of its record. */
export function clashLine(clash: ReportClash): string {
  const head = oneLineJson(headRecord(clash)).slice(0, -1);
  const rest = oneLineJson(restRecord(clash)).slice(1);
  return `${head},"a":${objectText(clash.a)},"b":${objectText(clash.b)},${rest}\n`;
}

/** All keys are always present, in this order. */
export function clashRecord(clash: ReportClash) {
  return {
    ...headRecord(clash),
    a: objectRecord(clash.a),
    b: objectRecord(clash.b),
    ...restRecord(clash),
  };
}

function headRecord(clash: ReportClash) {
  return { id: clash.id, kind: clash.kind, form: clash.form ?? null };
}

function restRecord(clash: ReportClash) {
  return {
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

function objectText(object: Clash['a']): string {
  let text = objectTexts.get(object);
  if (text === undefined) {
    text = oneLineJson(objectRecord(object));
    objectTexts.set(object, text);
  }
  return text;
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

/** Below this many nanometres, their number in a coordinate is off by less than half of what counts as a tie. */
const EXACT_NANOMETRES = 2 ** 42;
const TIE = 1e-3;

/** As by `toFixed(9)`, which is slow, and decides what lies half way between two nanometres. */
export function roundCoordinate(metres: number): number {
  const nanometres = metres * 1e9;
  const whole = Math.round(nanometres);
  const isClear = Math.abs(Math.abs(nanometres - whole) - 0.5) > TIE;
  const rounded =
    isClear && Math.abs(nanometres) < EXACT_NANOMETRES ? whole / 1e9 : Number(metres.toFixed(9));
  // adding 0 turns -0 into 0
  return rounded + 0;
}
