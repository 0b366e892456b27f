/** Selects and sorts the listed clashes. */
import type { Decisions } from '../../cli/src/wire/review.js';
import { ownOf, statusOf } from './decisions.js';
import type { Report } from './report.js';
import { compareNames, wordsOf } from './text.js';

/** Values are names, not numbers: links outlive reports. Empty: all. */
export interface Filters {
  readonly text: string;
  readonly kinds: readonly string[];
  /** Review statuses; empty: all but approved. */
  readonly review: readonly string[];
  /** `new`, `persisting`, `renamed`, `gone`; empty: all but gone. */
  readonly baseline: readonly string[];
  readonly rule: string;
  readonly storey: string;
  readonly room: string;
  readonly type: string;
  readonly assignee: string;
  /** The id of an issue. */
  readonly issue: string;
  /** The name of a matrix, and two of its sides. */
  readonly pair: readonly [matrix: string, side: string, other: string] | null;
  /** In metres: depth of overlaps, or distance of near misses. */
  readonly range: readonly [of: 'depth' | 'distance', from: number, below: number] | null;
}

export const NO_FILTERS: Filters = {
  text: '',
  kinds: [],
  review: [],
  baseline: [],
  rule: '',
  storey: '',
  room: '',
  type: '',
  assignee: '',
  issue: '',
  pair: null,
  range: null,
};

export const SORTS = {
  severity: 'Severity',
  kind: 'Kind',
  measure: 'Depth or distance',
  a: 'Object A',
  b: 'Object B',
  storey: 'Storey',
  room: 'Room',
  rule: 'Rule',
  review: 'Status',
  assignee: 'Assignee',
  due: 'Due date',
} as const;
export type Sort = keyof typeof SORTS;

/** Clashes that pass all filters except `but`, worst first. */
export function selectClashes(
  report: Report,
  filters: Filters,
  decisions: Decisions,
  but?: keyof Filters,
): number[] {
  const passes = test(report, but ? { ...filters, [but]: NO_FILTERS[but] } : filters, decisions);
  const rows: number[] = [];
  for (let i = 0; i < report.count; i++) if (passes(i)) rows.push(i);
  return rows;
}

function test(report: Report, filters: Filters, decisions: Decisions): (clash: number) => boolean {
  const { clashes, objects, groups, rules, storeys, rooms, kinds, measures, matrices, sides } = report.data;
  const { review, baseline, type, assignee, pair, range } = filters;
  const chosenKinds = new Set(filters.kinds.map((kind) => kinds.indexOf(kind)));
  const rule = filters.rule === '' ? -1 : rules.indexOf(filters.rule);
  const storey = filters.storey === '' ? -1 : storeys.indexOf(filters.storey);
  const room = filters.room === '' ? -1 : rooms.indexOf(filters.room);
  const issue = filters.issue === '' ? -1 : groups.findIndex(([id]) => id === filters.issue);
  const matrix = pair ? matrices.indexOf(pair[0]) : -1;
  const [p, q] = pair && matrix >= 0 ? [1, 2].map((k) => sides[matrix].indexOf(pair[k])) : [-1, -1];
  const has = (texts: readonly string[], word: string) => texts.map((text) => text.includes(word));
  const words = wordsOf(filters.text).map((word) => ({
    word,
    objects: has(report.searchable.objects, word),
    groups: has(report.searchable.groups, word),
    rules: has(report.searchable.rules, word),
    storeys: has(report.searchable.storeys, word),
    rooms: has(report.searchable.rooms, word),
    grids: has(report.searchable.grids, word),
  }));
  return (i) => {
    const [a, b] = [clashes.a[i], clashes.b[i]];
    if (chosenKinds.size > 0 && !chosenKinds.has(clashes.kind[i])) return false;
    if (filters.rule !== '' && clashes.rule[i] !== rule) return false;
    if (filters.storey !== '' && clashes.storey[i] !== storey) return false;
    if (filters.room !== '' && clashes.room[i] !== room) return false;
    if (filters.issue !== '' && clashes.group[i] !== issue) return false;
    if (type !== '' && objects[a][3] !== type && objects[b][3] !== type) return false;
    if (pair) {
      const [s, t] = [objects[a][5][matrix], objects[b][5][matrix]];
      if (!((s === p && t === q) || (s === q && t === p))) return false;
    }
    if (range) {
      const [of, from, below] = range;
      if (measures[clashes.kind[i]] !== of || clashes[of][i] < from || clashes[of][i] >= below) return false;
    }
    const compared = report.baselineOf(i);
    if (baseline.length > 0 ? !baseline.includes(compared) : compared === 'gone') return false;
    const decision = ownOf(decisions, clashes.id[i]);
    const status = statusOf(decision);
    if (review.length > 0 ? !review.includes(status) : status === 'approved') return false;
    if (assignee !== '' && decision?.assignee !== assignee) return false;
    return words.every(
      (word) =>
        word.objects[a] ||
        word.objects[b] ||
        word.groups[clashes.group[i]] ||
        word.rules[clashes.rule[i]] ||
        word.storeys[clashes.storey[i]] ||
        word.rooms[clashes.room[i]] ||
        word.grids[clashes.grid[i]] ||
        decision?.assignee?.toLowerCase().includes(word.word) ||
        clashes.id[i].toLowerCase().includes(word.word) ||
        clashes.formerIds[i].includes(word.word),
    );
  };
}

/** Sorts clashes that come worst first; the sort is stable. */
export function sortClashes(
  report: Report,
  rows: readonly number[],
  sort: Sort,
  descending: boolean,
  decisions: Decisions,
): readonly number[] {
  const { clashes, objects, measures, storeys, rooms, rules } = report.data;
  const decision = (i: number) => ownOf(decisions, clashes.id[i]);
  const keys: Record<Sort, (i: number) => string | number> = {
    severity: (i) => i,
    kind: (i) => clashes.kind[i],
    // deep overlaps, then shallow ones, then near misses
    measure: (i) => (measures[clashes.kind[i]] === 'depth' ? -clashes.depth[i] : clashes.distance[i]),
    a: (i) => objects[clashes.a[i]][0],
    b: (i) => objects[clashes.b[i]][0],
    storey: (i) => storeys[clashes.storey[i]],
    room: (i) => rooms[clashes.room[i]],
    rule: (i) => rules[clashes.rule[i]],
    review: (i) => statusOf(decision(i)),
    // empty values come last
    assignee: (i) => decision(i)?.assignee || '\uffff',
    due: (i) => decision(i)?.due || '\uffff',
  };
  if (sort === 'severity') return descending ? [...rows].reverse() : rows;
  const sign = descending ? -1 : 1;
  const compare = (p: string | number, q: string | number) =>
    typeof p === 'string' ? compareNames(p, q as string) : p - (q as number);
  return rows
    .map((i) => ({ i, value: keys[sort](i) }))
    .sort((p, q) => sign * compare(p.value, q.value) || p.i - q.i)
    .map(({ i }) => i);
}

export type ClashRow =
  | { readonly kind: 'issue'; readonly issue: number; readonly clashes: readonly number[] }
  | { readonly kind: 'clash'; readonly clash: number };

/** Groups clashes under their issues, in the order of their first clash; closed issues show only their own row. */
export function issueRows(report: Report, rows: readonly number[], closed: ReadonlySet<number>): ClashRow[] {
  const members = new Map<number, number[]>();
  for (const clash of rows) {
    const issue = report.data.clashes.group[clash];
    const own = members.get(issue);
    if (own) own.push(clash);
    else members.set(issue, [clash]);
  }
  return [...members].flatMap(([issue, clashes]): ClashRow[] => [
    { kind: 'issue', issue, clashes },
    ...(closed.has(issue) ? [] : clashes.map((clash): ClashRow => ({ kind: 'clash', clash }))),
  ]);
}

/** The number of clashes between each two sides of a matrix; only the upper half is filled. */
export function matrixCounts(report: Report, rows: readonly number[], matrix: number): number[][] {
  const n = report.data.sides[matrix].length;
  const counts = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const { clashes, objects } = report.data;
  for (const i of rows) {
    const [p, q] = [objects[clashes.a[i]][5][matrix], objects[clashes.b[i]][5][matrix]];
    counts[Math.min(p, q)][Math.max(p, q)]++;
  }
  return counts;
}
