/**
 * `impinge collide` where a side is a store, or an error is permitted: which objects meet, how far apart, and where.
 */
import { hits as findHits, type Hit } from 'impinge';
import {
  type AskedOptions,
  type AskedSides,
  askedJson,
  askedTable,
  openSides,
  scaledBounds,
} from '../asked-sides.js';
import { closePairs } from '../box.js';
import { CommandError } from '../command-error.js';
import { parseError } from '../quantities.js';
import { type AskedPart, intervalText, lengthText, posesOf, StatsSum, scaledPoint } from '../sides.js';
import { count, counted, json, milliseconds, pathEnd, point, type Terminal, table } from '../terminal.js';

export interface CollideStoresOptions extends AskedOptions {
  readonly any?: boolean;
  /** These are for files only. */
  readonly limit?: string;
  readonly pairs?: string;
  readonly contacts?: boolean;
}

/** Object pairs that are printed; --json lists them all. */
const ROWS = 30;

/** In metres. */
interface Found extends Omit<Hit, 'objectA' | 'objectB'> {
  readonly a: string;
  readonly b: string;
}

interface Answer {
  readonly hits: readonly Found[];
  readonly pairs: number;
  readonly stats: StatsSum;
  readonly ms: number;
}

export async function collideStores(
  nameA: string,
  nameB: string,
  within: number | undefined,
  options: CollideStoresOptions,
  terminal: Terminal,
): Promise<number> {
  for (const name of ['limit', 'pairs', 'contacts'] as const) {
    if (options[name] !== undefined) {
      throw new CommandError(
        `--${name}: neither with stores nor with --error, which name objects and places`,
      );
    }
  }
  const permitted = parseError(options.error, '--error');
  const sides = await openSides(nameA, nameB, permitted, options);
  try {
    const start = performance.now();
    const found = await ask(sides, within, options.any === true);
    const answer = { ...found, ms: performance.now() - start };
    if (options.json) terminal.out(json(asJson(sides, answer, within, options)));
    else {
      const text = printed(sides, answer, within, options, terminal);
      terminal.out(`${askedTable(sides, permitted, options)}\n${text}`);
    }
    return answer.hits.length > 0 ? 1 : 0;
  } finally {
    await sides.dispose();
  }
}

async function ask(
  { a, b, metresPerUnit, error }: AskedSides,
  within: number | undefined,
  any: boolean,
): Promise<Omit<Answer, 'ms'>> {
  const distance = (within ?? 0) / metresPerUnit;
  const boxesOf = (parts: readonly AskedPart[]) => parts.map(({ box }) => box);
  const stats = new StatsSum();
  const all: Found[] = [];
  let pairs = 0;
  for (const [i, j] of closePairs(boxesOf(a.parts), boxesOf(b.parts), distance)) {
    const [partA, partB] = [a.parts[i], b.parts[j]];
    const met = await findHits(partA.thing, partB.thing, {
      ...posesOf(partA, partB),
      distance,
      mode: any ? 'any' : 'all',
      error: error / metresPerUnit,
    });
    stats.add(met.stats);
    for (const { objectA, objectB, bounds, pointA, pointB, ...rest } of met.hits) {
      pairs += rest.count;
      all.push({
        ...rest,
        a: partA.pathOf(objectA),
        b: partB.pathOf(objectB),
        bounds: scaledBounds(bounds, metresPerUnit),
        pointA: scaledPoint(pointA, metresPerUnit),
        pointB: scaledPoint(pointB, metresPerUnit),
      });
    }
  }
  return { hits: all, pairs, stats };
}

function asJson(
  sides: AskedSides,
  answer: Answer,
  within: number | undefined,
  { any }: CollideStoresOptions,
) {
  const what = sides.error > 0 ? 'patchPairs' : 'trianglePairs';
  return {
    a: askedJson(sides.a),
    b: askedJson(sides.b),
    error: sides.error,
    ...(within === undefined ? {} : { within }),
    colliding: answer.hits.length > 0,
    ...(any ? {} : { [what]: answer.pairs }),
    objectPairs: answer.hits.map(({ a, b, count: n, bounds, pointA, pointB }) => ({
      a,
      b,
      ...(any ? {} : { [what]: n }),
      distance: [...bounds],
      pointA: [...pointA],
      pointB: [...pointB],
    })),
    stats: { ...answer.stats, openMs: sides.openMs, queryMs: answer.ms },
  };
}

function printed(
  sides: AskedSides,
  { hits, pairs, ms }: Answer,
  within: number | undefined,
  { any }: CollideStoresOptions,
  { colors }: Terminal,
): string {
  const { error } = sides;
  const times = colors.dim(`opened in ${milliseconds(sides.openMs)}, asked in ${milliseconds(ms)}`);
  const near = within === undefined ? 'collision' : `within ${lengthText(within)}`;
  if (hits.length === 0) {
    const nothing = within === undefined ? 'no collision' : `nothing ${near}`;
    return `${colors.green(nothing)}\n\n${times}\n`;
  }
  const what = error > 0 ? 'patch pair' : 'triangle pair';
  const where = counted(hits.length, 'object pair');
  const verdict = any
    ? `${colors.red(near)}: ${where}`
    : `${colors.red(near)}: ${counted(pairs, what)} in ${where}`;
  const rows = hits
    .slice(0, ROWS)
    .map((hit) => [
      pathEnd(hit.a, 40),
      pathEnd(hit.b, 40),
      ...(any ? [] : [count(hit.count)]),
      intervalText(hit.bounds),
      point(hit.pointA),
    ]);
  const head = ['in A', 'in B', ...(any ? [] : [`${what}s`]), 'apart', 'at'];
  const more = hits.length > ROWS ? `  … and ${count(hits.length - ROWS)} more; --json lists them all\n` : '';
  const meaning =
    error > 0
      ? `\nNothing that ${within === undefined ? 'meets' : 'comes that near'} is left out; what is listed may be up to ${lengthText(error)} farther apart.\n` +
        (any ? '' : 'A patch is a few neighbouring triangles.\n')
      : '';
  return `${verdict}\n\n${table([head, ...rows], any ? [] : [2])}${more}${meaning}\n${times}\n`;
}
