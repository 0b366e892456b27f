/** Contact regions for people (one line each) and for programs (all fields): of meshes, and of stores in intervals. */
import type { ClashMeasure } from '@impinge/model';
import type { ContactRegion, TargetContactRegion, Vec3 } from 'impinge';
import { intervalText, scaledPoint } from './sides.js';
import { count, counted, decimal, direction, pathEnd, point, table } from './terminal.js';

export interface Met {
  /** Paths of the objects. */
  readonly a: string;
  readonly b: string;
  readonly clash: ClashMeasure | undefined;
  readonly solids: boolean;
  readonly region: ContactRegion;
}

/** The first `rows` regions, deepest first, with their objects if `names` has headings for these. */
export function regionsTable(met: readonly Met[], names: readonly string[], rows: number): string {
  // depths of open meshes are not comparable with the others
  const sorted = [...met].sort(
    (p, q) => Number(q.solids) - Number(p.solids) || q.region.depth - p.region.depth,
  );
  const shown = sorted.slice(0, rows);
  const lines = shown.map(({ a, b, clash, solids, region }) => [
    ...(names.length > 0 ? [pathEnd(a, 30), pathEnd(b, 30)] : []),
    clash?.form ?? clash?.kind ?? 'none',
    region.kind,
    solids ? decimal(region.depth) : 'open',
    decimal(region.length),
    count(region.count),
    point(region.point),
    region.normal.some((x) => x !== 0) ? direction(region.normal) : 'no direction',
  ]);
  const head = [...names, 'clash', 'contact', 'depth', 'length', 'pairs', 'at', 'direction to separate B'];
  const columns = table(
    [head, ...lines],
    [2, 3, 4].map((column) => column + names.length),
  );
  const deepest = sorted[0]?.solids ? sorted[0].region.depth : 0;
  const depth = deepest > 0 ? `, deepest ${decimal(deepest)}` : '';
  const left = met.length - shown.length;
  const more = left > 0 ? `  … and ${count(left)} more; --json lists them all\n` : '';
  const open = shown.some(({ solids }) => !solids)
    ? '  open: one of the two is not closed, so nothing is inside it\n'
    : '';
  return `${counted(met.length, 'contact region')}${depth}\n${columns}${more}${open}`;
}

/** A region of a store, in metres. */
export interface StoreMet {
  readonly a: string;
  readonly b: string;
  readonly region: TargetContactRegion;
}

/** The first `rows` regions of stores, deepest first; `pairs` are of patches, or of triangles. */
export function storeRegionsTable(
  met: readonly StoreMet[],
  names: readonly string[],
  pairs: string,
  rows: number,
): string {
  const sorted = [...met].sort((p, q) => q.region.depth[1] - p.region.depth[1]);
  const lines = sorted
    .slice(0, rows)
    .map(({ a, b, region }) => [
      ...[pathEnd(a, 30), pathEnd(b, 30), intervalText(region.depth), count(region.pairs.length)],
      ...[point(region.point), direction(region.normal)],
    ]);
  const head = [...names, 'depth', pairs, 'at', 'direction to separate B'];
  const left = met.length - lines.length;
  const more = left > 0 ? `  … and ${count(left)} more; --json lists them all\n` : '';
  const depth =
    "  depth: B's part of a region moved that far in its direction, a plane separates it from A's\n";
  return `${counted(met.length, 'contact region')}\n${table([head, ...lines], [3])}${more}${depth}`;
}

export function scaledStoreRegion(region: TargetContactRegion, factor: number): TargetContactRegion {
  const { bounds, depth, point: at, box } = region;
  return {
    ...region,
    bounds: [factor * bounds[0], factor * bounds[1]],
    depth: [factor * depth[0], factor * depth[1]],
    point: scaledPoint(at, factor),
    box: { min: scaledPoint(box.min, factor), max: scaledPoint(box.max, factor) },
  };
}

/** `pairs`: the name of the number of pairs. */
export function storeRegionJson(region: TargetContactRegion, pairs: string) {
  const { depth, bounds, point: at, normal, box } = region;
  return { depth, distance: bounds, point: at, normal, box, [pairs]: region.pairs.length };
}

/** The same region in a unit smaller by `factor`: lengths and coordinates are multiplied by it. */
export function scaledRegion(region: ContactRegion, factor: number): ContactRegion {
  if (factor === 1) return region;
  const scaled = (at: Vec3) => scaledPoint(at, factor);
  return {
    ...region,
    curves: region.curves.map((curve) => ({ ...curve, points: curve.points.map((x) => factor * x) })),
    length: factor * region.length,
    point: scaled(region.point),
    depth: factor * region.depth,
    depthBound: factor * region.depthBound,
    deepest: region.deepest && scaled(region.deepest),
    box: { min: scaled(region.box.min), max: scaled(region.box.max) },
  };
}

/** What a check would report for a pair, in metres. */
export function clashJson({ kind, form, depth, depthBound, point: at, box }: ClashMeasure, factor: number) {
  const scaled = (place: Vec3) => scaledPoint(place, factor);
  return {
    kind,
    ...(form && { form }),
    depth: factor * depth,
    depthBound: factor * depthBound,
    point: scaled(at),
    box: { min: scaled(box.min), max: scaled(box.max) },
  };
}

export function regionJson(region: ContactRegion) {
  return {
    kind: region.kind,
    depth: region.depth,
    depthBound: region.depthBound,
    deepest: region.deepest ?? null,
    point: region.point,
    normal: region.normal,
    length: region.length,
    closed: region.closed,
    box: region.box,
    trianglePairs: region.count,
    pairs: tuplesOf(2, region.pairs),
    curves: region.curves.map(({ points, closed }) => ({ closed, points: tuplesOf(3, points) })),
  };
}

function tuplesOf(size: number, numbers: ArrayLike<number>): number[][] {
  const tuples: number[][] = [];
  for (let i = 0; i < numbers.length; i += size)
    tuples.push(Array.from({ length: size }, (_, k) => numbers[i + k]));
  return tuples;
}
