/**
 * The data of `report.html` for its script: columns instead of records, every object once, so that 50 000 clashes take
 * a few megabytes.
 */
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash } from '@impinge/model';
import { Names } from '../wire/names.js';
import type { PageData, PageObject } from '../wire/report.js';
import { oneLine } from '../wire/text.js';
import { objectKey } from './group-clashes.js';
import type { Issue } from './issue-summary.js';
import { objectName } from './object-name.js';
import {
  compareSeverity,
  depthOf,
  hasOpenDepth,
  type ReportClash,
  type ReportInput,
  roundingOf,
} from './report-data.js';
import { record } from './review/decision.js';
import type { Sides } from './sides.js';

/** The page lists at most this many clashes, the worst; the other files have all. */
export const LISTED_MAX = 100_000;

export const STATUSES = ['', 'new', 'persisting', 'renamed', 'resolved', 'approved'] as const;

export type Listed = Pick<ReportInput, 'model' | 'clashes' | 'approved' | 'resolved'>;

/** The clashes that a page lists, in its order: those that count, approved ones, those that are gone. */
export function listedClashes({ clashes, approved, resolved }: Listed): ReportClash[] {
  return [clashes, approved, resolved ?? []].flatMap((of) =>
    [...of].sort(compareSeverity).slice(0, LISTED_MAX),
  );
}

export function pageData(input: Listed, matrices: readonly Sides[], issues: readonly Issue[]): PageData {
  const all = listedClashes(input);
  const gone = new Set(input.resolved);
  const approved = new Set(input.approved);
  const rules = new Names();
  const [storeys, rooms, grids, penetrations] = [new Names(), new Names(), new Names(), new Names()];
  const objects = new Map<string, number>();
  const rows: PageObject[] = [];
  const objectIndex = (object: Clash['a']) => {
    const key = objectKey(object);
    const known = objects.get(key);
    if (known !== undefined) return known;
    const { path, id, type, file } = object;
    rows.push([
      objectName(object),
      oneLine(path, 300),
      oneLine(id, 120),
      oneLine(type, 60),
      oneLine(file, 120),
      matrices.map((sides) => sides.indexOf(object)),
    ]);
    objects.set(key, rows.length - 1);
    return rows.length - 1;
  };
  const issueIndex = new Map(issues.map(({ id }, i) => [id, i]));
  const status = (clash: ReportClash) =>
    gone.has(clash) ? 'resolved' : approved.has(clash) ? 'approved' : (clash.status ?? '');
  return {
    kinds: CLASH_KINDS,
    measures: CLASH_KINDS.map((kind) => CLASH_KIND_TABLE[kind].measure),
    statuses: STATUSES,
    matrices: matrices.map(({ title }) => title),
    sides: matrices.map(({ names }) => names),
    clashes: {
      id: all.map(({ id }) => oneLine(id, 120)),
      formerIds: all.map(({ formerIds }) => oneLine(formerIds.join(' '), 200)),
      kind: all.map(({ kind }) => CLASH_KINDS.indexOf(kind)),
      form: all.map(({ form }) => form ?? ''),
      status: all.map((clash) => STATUSES.indexOf(status(clash))),
      a: all.map(({ a }) => objectIndex(a)),
      b: all.map(({ b }) => objectIndex(b)),
      depth: all.map((clash) => Number(depthOf(clash).toPrecision(6))),
      atMost: all.map((clash) => (hasOpenDepth(clash) ? Number(clash.depthBound.toPrecision(6)) : 0)),
      distance: all.map(({ distance }) => Number(distance.toPrecision(6))),
      error: all.map(roundingOf),
      x: all.map(({ point }) => millimetres(point[0])),
      y: all.map(({ point }) => millimetres(point[1])),
      z: all.map(({ point }) => millimetres(point[2])),
      pairs: all.map(({ trianglePairs }) => trianglePairs),
      rule: all.map(({ rule }) => rules.indexOf(oneLine(rule, 120))),
      storey: all.map((clash) => storeys.indexOf(oneLine(clash.storey, 120))),
      room: all.map((clash) => rooms.indexOf(oneLine(clash.room, 120))),
      grid: all.map((clash) => grids.indexOf(oneLine(clash.grid, 120))),
      penetration: all.map(({ penetration }) => penetrations.indexOf(penetration)),
      group: all.map(({ group }) => issueIndex.get(group)!),
    },
    // filled while the columns were computed
    rules: rules.list,
    storeys: storeys.list,
    rooms: rooms.list,
    grids: grids.list,
    penetrations: penetrations.list,
    objects: rows,
    groups: issues.map(({ id, title }) => [id, oneLine(title, 200)] as const),
    box: input.model.box,
    review: Object.fromEntries(all.flatMap(({ id, review }) => (review ? [[id, record(review)]] : []))),
  };
}

function millimetres(metres: number): number {
  return Number(metres.toFixed(3)) + 0;
}
