/** Contact regions for people (one line each) and for programs (all of it). */
import type { ContactRegion } from 'impinge';
import type { PlacedObject } from '../placed-model.js';
import { count, counted, decimal, direction, pathEnd, point, table } from '../terminal.js';

export interface Met {
  readonly a: PlacedObject;
  readonly b: PlacedObject;
  readonly region: ContactRegion;
}

/** The first `rows` regions, deepest first, with their objects where `names` has headings for these. */
export function regionsTable(met: readonly Met[], names: readonly string[], rows: number): string {
  const sorted = [...met].sort((p, q) => q.region.depth - p.region.depth);
  const head = ['contact', 'depth', 'length', 'pairs', 'at', 'way out for B'];
  const lines = sorted
    .slice(0, rows)
    .map(({ a, b, region }) => [
      ...(names.length > 0 ? [pathEnd(a.path, 30), pathEnd(b.path, 30)] : []),
      region.kind,
      decimal(region.depth),
      decimal(region.length),
      count(region.pairCount),
      point(region.point),
      region.normal.some((x) => x !== 0) ? direction(region.normal) : 'no direction',
    ]);
  const numbers = [1, 2, 3].map((column) => column + names.length);
  const columns = table([[...names, ...head], ...lines], numbers);
  const left = met.length - lines.length;
  const deepest = sorted[0]?.region.depth ?? 0;
  const depth = deepest > 0 ? `, deepest ${decimal(deepest)}` : '';
  const more = left > 0 ? `  … and ${count(left)} more; --json lists them all\n` : '';
  return `${counted(met.length, 'contact region')}${depth}\n${columns}${more}`;
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
    trianglePairs: region.pairCount,
    pairs: groupsOf(2, region.pairs),
    curves: region.curves.map(({ points, closed }) => ({ closed, points: groupsOf(3, points) })),
  };
}

function groupsOf(size: number, numbers: ArrayLike<number>): number[][] {
  const groups: number[][] = [];
  for (let i = 0; i < numbers.length; i += size)
    groups.push(Array.from({ length: size }, (_, k) => numbers[i + k]!));
  return groups;
}
