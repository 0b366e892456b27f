/** Summarises issues from their clashes. */
import { CLASH_KINDS, type Clash, type ClashKind } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { objectKey } from './group-clashes.js';
import { issueTitle } from './issue-title.js';
import type { ReportBox } from './report-box.js';
import {
  type ClashStatus,
  compareSeverity,
  measuredBy,
  type ReportClash,
  type ReportInput,
} from './report-data.js';
import { commonDecision, type Decision } from './review/decision.js';

/** Maximum number of rooms, or of cells of the grid, that are named. */
const PLACES_MAX = 4;

export interface Issue {
  readonly id: string;
  /** `Beam B-204 / 11 pipes, 1 duct, Level 2`. */
  readonly title: string;
  readonly rule: string;
  readonly clashCount: number;
  /** Number of clashes of each kind that occurs. */
  readonly kinds: Partial<Record<ClashKind, number>>;
  readonly worstDepth: number;
  readonly leastDistance: number;
  /** Bounds of all contacts. */
  readonly box: ReportBox;
  /** The point of the worst clash. */
  readonly point: Vec3;
  /** The storey of all its clashes; empty if they differ or none is known. */
  readonly storey: string;
  readonly disciplines: readonly string[];
  /** `new` if every clash is; undefined without a baseline. */
  readonly status: ClashStatus | undefined;
  /** The date of the model in which it was first found. */
  readonly since: string;
  /** The combined decision about its clashes. */
  readonly decision: Decision;
  /** The element that all its clashes share, if any. */
  readonly hub: Clash['a'] | undefined;
  /** Worst first. */
  readonly clashes: readonly ReportClash[];
}

/** Issues with clashes that count, those whose clashes are all approved, and those that are gone. */
export interface Issues {
  readonly open: readonly Issue[];
  readonly approved: readonly Issue[];
  readonly closed: readonly Issue[];
}

/**
 * Each issue once: one that has lost some of its clashes is still open. Those of `before` are kept whose clashes are
 * the very same.
 */
export function issuesOf(
  { clashes, approved, resolved }: Pick<ReportInput, 'clashes' | 'approved' | 'resolved'>,
  before: Issues = { open: [], approved: [], closed: [] },
): Issues {
  const present = new Set<string>();
  const lists = [
    [clashes, before.open],
    [approved, before.approved],
    [resolved ?? [], before.closed],
  ] as const;
  const [open, staying, closed] = lists.map(([of, known]) => {
    const issues = summariseIssues(of, known).filter(({ id }) => !present.has(id));
    for (const { id } of issues) present.add(id);
    return issues;
  });
  return { open, approved: staying, closed };
}

/** The issues of these clashes, worst first; see `issuesOf` for `before`. */
export function summariseIssues(clashes: readonly ReportClash[], before: readonly Issue[] = []): Issue[] {
  const known = new Map<ReportClash, Issue>();
  for (const issue of before) for (const clash of issue.clashes) known.set(clash, issue);
  const members = new Map<string, ReportClash[]>();
  for (const clash of clashes) {
    const own = members.get(clash.group);
    if (own) own.push(clash);
    else members.set(clash.group, [clash]);
  }
  return [...members.values()]
    .map((own) => {
      const issue = known.get(own[0]);
      const isKept = issue?.clashCount === own.length && own.every((clash) => known.get(clash) === issue);
      return isKept ? issue : summarise(own.sort(compareSeverity));
    })
    .sort((p, q) => compareSeverity(p.clashes[0], q.clashes[0]));
}

function summarise(clashes: readonly ReportClash[]): Issue {
  const worst = clashes[0];
  const hub = commonObject(clashes);
  const storey = common(clashes.map(({ storey: one }) => one));
  const overlaps = clashes.filter(measuredBy('depth'));
  const kinds: Partial<Record<ClashKind, number>> = {};
  for (const kind of CLASH_KINDS) {
    const count = clashes.filter((clash) => clash.kind === kind).length;
    if (count > 0) kinds[kind] = count;
  }
  return {
    id: worst.group,
    title: issueTitle(clashes, hub, placeOf(clashes)),
    rule: worst.rule,
    clashCount: clashes.length,
    kinds,
    worstDepth: overlaps.reduce((depth, clash) => Math.max(depth, clash.depth), 0),
    leastDistance: clashes.reduce((distance, clash) => Math.min(distance, clash.distance), Infinity),
    box: boxOf(clashes),
    point: worst.point,
    storey,
    disciplines: [...new Set(clashes.flatMap(({ a, b }) => [sideName(a), sideName(b)]))].sort(),
    status: clashes.every(({ status }) => status === worst.status) ? worst.status : 'persisting',
    since: worst.issueSince,
    decision: commonDecision(clashes.map(({ review }) => review)),
    hub,
    clashes,
  };
}

/** The rooms or cells of the grid in which an issue has clashes, of many the first few. */
export function placesOf({ clashes }: Pick<Issue, 'clashes'>, part: 'room' | 'grid'): string {
  const all = [...new Set(clashes.map((clash) => clash[part]))].filter((place) => place !== '');
  return all.slice(0, PLACES_MAX).join('; ');
}

/** `Level 2, A102 Bathroom, B–C / 3–4`: the parts that all clashes share. */
function placeOf(clashes: readonly ReportClash[]): string {
  const texts = (['storey', 'room', 'grid'] as const).map((part) => common(clashes.map((one) => one[part])));
  return texts.filter((text) => text !== '').join(', ');
}

/** The row of an object in the matrix: its discipline, file or top folder. */
export function sideName(object: Clash['a']): string {
  return object.discipline || object.file || topFolder(object) || 'unnamed';
}

function topFolder({ path }: Clash['a']): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? '' : path.slice(0, end);
}

function commonObject(clashes: readonly Clash[]): Clash['a'] | undefined {
  if (clashes.length < 2) return undefined;
  const { a, b } = clashes[0];
  return [a, b].find((object) => {
    const key = objectKey(object);
    return clashes.every((clash) => objectKey(clash.a) === key || objectKey(clash.b) === key);
  });
}

/** The common value, or empty. */
function common(values: readonly string[]): string {
  return values.every((value) => value === values[0]) ? (values[0] ?? '') : '';
}

function boxOf(clashes: readonly Clash[]): ReportBox {
  const extreme = (pick: (...values: number[]) => number, end: 'min' | 'max'): Vec3 => {
    const reach = (axis: number) => clashes.map(({ box }) => box[end][axis]).reduce((p, q) => pick(p, q));
    return [reach(0), reach(1), reach(2)];
  };
  return { min: extreme(Math.min, 'min'), max: extreme(Math.max, 'max') };
}
