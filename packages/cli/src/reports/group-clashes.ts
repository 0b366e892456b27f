/**
 * Groups thousands of clashes into a few issues, each of which one person can resolve: the clashes of one element with
 * its neighbours, or of two assemblies with each other, in one place.
 *
 * That is `auto`. The other groupings are selected by name: all clashes of an element, of two systems or types, or on a
 * storey, in a room or in a cell of the grid.
 *
 * Within a rule, the element with the most clashes takes them all, then the one with the most of the rest, and so on.
 * The remaining single pairs are grouped by the assemblies (parent folders) of their objects. Issues of many clashes
 * are split into separate places, and large ones at the widest gap.
 *
 * Invariant: a clash is in one issue; issues depend neither on the order of the clashes, nor on clashes of unrelated
 * objects and assemblies. An issue is named after its least clash and keeps its id as long as it contains that clash.
 */

import { createHash } from 'node:crypto';
import { CLASH_KIND_TABLE, type Clash } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { compareText } from '../wire/text.js';
import type { Grouping } from './choices.js';
import { CLUSTER_DISTANCES, clusterPoints, distanceSqPointPoint } from './cluster-points.js';
import { type Place, Places } from './places.js';
import type { ReportClash } from './report-data.js';

/** Up to this many clashes of one element are one issue, wherever they are. */
const WHOLE_MAX = 12;
/** Clashes within this distance, in metres, are certainly in one place. */
const DISTANCE = 1;
/** Shared: clashes are many. */
const NONE: readonly string[] = [];
/** Maximum number of clashes of an issue. */
const ISSUE_MAX = 100;

/** The properties that group clashes by the pair of their values. */
const KEYS: Readonly<Record<'system' | 'type', (object: Clash['a']) => string>> = {
  system: systemOf,
  type: ({ type }) => type,
};

/** The first system that the file names; empty: none. */
export function systemOf({ labels }: Clash['a']): string {
  return labels?.system?.[0] ?? '';
}

/**
 * Assigns every clash to an issue; the order stays. `date` is that of the model.
 */
export function groupClashes(
  clashes: readonly Clash[],
  date: string,
  by: Grouping = 'auto',
  places = new Places({ meta: { files: [], metresPerUnit: 1 } }),
): ReportClash[] {
  const placed = new Map(clashes.map((clash) => [clash, places.of(clash)]));
  const issueOf = new Map<Clash, string>();
  const found =
    by === 'auto' ? issues(clashes, DISTANCE) : issuesBy(clashes, by, (clash) => placed.get(clash)!);
  for (const { members, key } of found) {
    const id =
      key === undefined
        ? issueId(members[0])
        : `g${shortHash([...alikeKey(members[0]), by, key].join('\0'))}`;
    for (const clash of members) issueOf.set(clash, id);
  }
  // field by field: for spread copies with added fields, V8 keeps a hidden class each, larger than the object
  return clashes.map((clash) => ({
    id: clash.id,
    kind: clash.kind,
    form: clash.form,
    a: clash.a,
    b: clash.b,
    distance: clash.distance,
    depth: clash.depth,
    depthBound: clash.depthBound,
    point: clash.point,
    box: clash.box,
    trianglePairs: clash.trianglePairs,
    rule: clash.rule,
    group: issueOf.get(clash)!,
    status: undefined,
    formerIds: NONE,
    since: date,
    issueSince: date,
    review: undefined,
    storey: placed.get(clash)!.storey,
    room: placed.get(clash)!.room,
    grid: placed.get(clash)!.grid,
    penetration: placed.get(clash)!.penetration,
  }));
}

/** Objects are unique by their ids within a file. */
export function objectKey({ file, id, path }: Pick<Clash['a'], 'file' | 'id' | 'path'>): string {
  return `${file}\0${id === '' ? path : id}`;
}

/** A hash that is the same on every machine. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function issueId(least: Clash): string {
  return `g${shortHash([least.rule, family(least), ...[objectKey(least.a), objectKey(least.b)].sort(compareText)].join('\0'))}`;
}

/** Kinds that are resolved in their own way have their own issues. */
function family({ kind }: Clash): string {
  return CLASH_KIND_TABLE[kind].ownIssues ? kind : 'clash';
}

function alikeKey(clash: Clash): [rule: string, family: string] {
  return [clash.rule, family(clash)];
}

function* alikes(clashes: readonly Clash[]): Generator<readonly Clash[]> {
  const sorted = [...clashes].sort(compareClashes);
  yield* partition(sorted, (clash) => alikeKey(clash).join('\0'));
}

interface Issue {
  /** Sorted. */
  readonly members: readonly Clash[];
  /** Determines its id; undefined: its least clash does. */
  readonly key?: string;
}

function* issues(clashes: readonly Clash[], distance: number): Generator<Issue> {
  for (const alike of alikes(clashes)) {
    const { hubs, pairs } = takeHubs(alike);
    for (const { members } of hubs) {
      if (isLink(members, distance)) pairs.push(...members);
      else if (members.length <= WHOLE_MAX) yield { members };
      else yield* inPlaces(members, distance);
    }
    pairs.sort(compareClashes);
    for (const members of partition(pairs, assemblies)) yield* inPlaces(members, distance);
  }
}

/** Explicit groupings are never split, whatever their size and extent. */
function* issuesBy(
  clashes: readonly Clash[],
  by: Exclude<Grouping, 'auto'>,
  placeOf: (clash: Clash) => Place,
): Generator<Issue> {
  for (const alike of alikes(clashes)) {
    if (by === 'element') {
      const { hubs, pairs } = takeHubs(alike);
      yield* hubs;
      for (const clash of pairs) yield { members: [clash] };
      continue;
    }
    const pairOf = (of: (object: Clash['a']) => string, { a, b }: Clash) =>
      [of(a), of(b)].sort(compareText).join('\0');
    const keyOf = (clash: Clash) => {
      if (by === 'system' || by === 'type') return pairOf(KEYS[by], clash);
      const place = placeOf(clash);
      return by === 'storey' ? place.storey : `${place[by]}\0${place.storey}`;
    };
    for (const members of partition(alike, keyOf)) yield { members, key: keyOf(members[0]) };
  }
}

/** Whether an element only meets its two neighbours in a chain, like pipes and fittings: the chain is the issue. */
function isLink(members: readonly Clash[], distance: number): boolean {
  const [p, q] = members;
  if (!p || !q || members.length > 2 || assemblies(p) !== assemblies(q)) return false;
  return distanceSqPointPoint(p.point, q.point) <= (CLUSTER_DISTANCES * distance) ** 2;
}

function compareClashes(p: Clash, q: Clash): number {
  return compareText(p.id, q.id) || compareText(p.a.path, q.a.path) || compareText(p.b.path, q.b.path);
}

/** Groups by key, in the order of first members. */
function partition<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const parts = new Map<string, T[]>();
  for (const item of items) {
    const k = key(item);
    const part = parts.get(k);
    if (part) part.push(item);
    else parts.set(k, [item]);
  }
  return [...parts.values()];
}

function assemblies({ a, b }: Clash): string {
  return [a, b]
    .map(({ file, path }) => `${file}\0${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`)
    .sort(compareText)
    .join('\0');
}

/**
 * Greedily assigns clashes to the element with the most; returns those of each and the remaining single pairs. Elements
 * are in buckets by the number of their clashes; one that has lost some moves down.
 */
function takeHubs(clashes: readonly Clash[]): { hubs: Required<Issue>[]; pairs: Clash[] } {
  const clashesOf = new Map<string, number[]>();
  clashes.forEach(({ a, b }, i) => {
    for (const key of new Set([objectKey(a), objectKey(b)])) {
      const own = clashesOf.get(key);
      if (own) own.push(i);
      else clashesOf.set(key, [i]);
    }
  });
  const buckets: [key: string, own: number[]][][] = [];
  for (const entry of clashesOf) (buckets[entry[1].length] ??= []).push(entry);
  const taken = new Uint8Array(clashes.length);
  const hubs: Required<Issue>[] = [];
  for (let count = buckets.length - 1; count > 1; count--) {
    for (const entry of (buckets[count] ?? []).sort(([p], [q]) => compareText(p, q))) {
      const left = entry[1].filter((i) => !taken[i]);
      if (left.length < count) {
        (buckets[left.length] ??= []).push(entry);
        continue;
      }
      for (const i of left) taken[i] = 1;
      hubs.push({ members: left.map((i) => clashes[i]), key: entry[0] });
    }
  }
  return { hubs, pairs: clashes.filter((_, i) => !taken[i]) };
}

function* inPlaces(members: readonly Clash[], distance: number): Generator<Issue> {
  const clusters = clusterPoints(
    members.map(({ point }) => point),
    distance,
  );
  const places: Clash[][] = [];
  members.forEach((clash, i) => {
    (places[clusters[i]] ??= []).push(clash);
  });
  for (const place of places) for (const part of divided(place)) yield { members: part };
}

/** Splits a large issue at the widest gap in the middle half, along its longest axis. */
function* divided(members: readonly Clash[]): Generator<readonly Clash[]> {
  if (members.length <= ISSUE_MAX) {
    yield members;
    return;
  }
  const axis = longestAxis(members.map(({ point }) => point));
  const along = [...members].sort((p, q) => p.point[axis] - q.point[axis] || compareClashes(p, q));
  let at = along.length >> 1;
  const gap = (i: number) => along[i].point[axis] - along[i - 1].point[axis];
  for (let i = along.length >> 2; i < (3 * along.length) >> 2; i++) if (gap(i) > gap(at)) at = i;
  yield* divided(along.slice(0, at).sort(compareClashes));
  yield* divided(along.slice(at).sort(compareClashes));
}

function longestAxis(points: readonly Vec3[]): number {
  const extents = [0, 1, 2].map((axis) => {
    let low = Infinity;
    let high = -Infinity;
    for (const p of points) {
      low = Math.min(low, p[axis]);
      high = Math.max(high, p[axis]);
    }
    return high - low;
  });
  return extents.indexOf(Math.max(...extents));
}
