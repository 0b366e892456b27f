/** `impinge collide`: which triangles of two files intersect, or come closer than a distance. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CLASH_KINDS, type ClashMeasure, measure } from '@impinge/model';
import { type ContactRegion, collide as collideMeshes, contacts, within as withinMeshes } from 'impinge';
import { closePairs } from '../box.js';
import { CommandError } from '../command-error.js';
import { clashJson, regionJson, regionsTable, scaledRegion } from '../contact-regions.js';
import type { PlacedObject } from '../placed-model.js';
import { parseLength, parseLimit } from '../quantities.js';
import {
  type PairOptions,
  posesOf,
  readSides,
  type Sides,
  StatsSum,
  sideJson,
  sidesTable,
} from '../sides.js';
import { isStore } from '../store-extension.js';
import { count, counted, json, milliseconds, pathEnd, type Terminal, table } from '../terminal.js';

export interface CollideOptions extends PairOptions {
  readonly error?: string;
  readonly memory: string;
  readonly within?: string;
  readonly any?: boolean;
  readonly all?: boolean;
  readonly limit?: string;
  readonly pairs?: string;
  readonly contacts?: boolean;
}

/** Object pairs that are printed; --json lists them all. */
const ROWS = 30;

interface Hit {
  readonly a: PlacedObject;
  readonly b: PlacedObject;
  readonly trianglePairs: number;
  /** With --contacts. */
  readonly regions: readonly ContactRegion[] | undefined;
  /** With --contacts: what a check would report, in the sides' unit. */
  readonly clash: ClashMeasure | undefined;
  /** Whether both are closed, so that depths mean something; looked at with --contacts only. */
  readonly solids: boolean;
}

export async function collide(
  fileA: string,
  fileB: string,
  options: CollideOptions,
  terminal: Terminal,
): Promise<number> {
  const within = options.within === undefined ? undefined : parseLength(options.within, '--within');
  if (options.error !== undefined || isStore(fileA) || isStore(fileB)) {
    const { collideStores } = await import('./collide-stores.js');
    return collideStores(fileA, fileB, within, options, terminal);
  }
  const limit = options.limit === undefined ? Infinity : parseLimit(options.limit, '--limit');
  const sides = await readSides(fileA, fileB, options);
  const csv = options.pairs === undefined ? undefined : new PairFile(options.pairs);
  await csv?.line('objectA,objectB,triangleA,triangleB');
  const start = performance.now();
  const found = await findHits(sides, within, limit, options, csv);
  const queryMs = performance.now() - start;
  await csv?.close();
  const colliding = found.hits.length > 0;
  if (options.json) terminal.out(json(asJson(sides, found, within, queryMs)));
  else terminal.out(printed(sides, found, options, within, queryMs, terminal));
  return colliding ? 1 : 0;
}

interface Found {
  readonly hits: Hit[];
  readonly boxPairs: number;
  readonly trianglePairs: number;
  /** False when the search stopped at --any or --limit. */
  readonly complete: boolean;
  readonly stats: StatsSum;
}

async function findHits(
  { a, b, metresPerUnit, sameFile }: Sides,
  within: number | undefined,
  limit: number,
  options: CollideOptions,
  csv: PairFile | undefined,
): Promise<Found> {
  const any = options.any === true;
  const boxesOf = (objects: readonly PlacedObject[]) => objects.map(({ box }) => box);
  const distance = within === undefined ? undefined : within / metresPerUnit;
  const near = closePairs(boxesOf(a.objects), boxesOf(b.objects), distance ?? 0);
  const candidates = sameFile ? near.filter(([i, j]) => i < j) : near;
  const hits: Hit[] = [];
  const stats = new StatsSum();
  let trianglePairs = 0;
  let complete = true;
  for (const [i, j] of candidates) {
    const objectA = a.objects[i];
    const objectB = b.objects[j];
    const query = {
      ...posesOf(objectA, objectB),
      mode: any ? ('any' as const) : ('all' as const),
      ...(limit === Infinity || any ? {} : { limit: limit - trianglePairs }),
    };
    const result =
      distance === undefined
        ? collideMeshes(objectA.mesh, objectB.mesh, query)
        : withinMeshes(objectA.mesh, objectB.mesh, { ...query, distance });
    stats.add(result.stats);
    complete &&= result.complete;
    if (result.count > 0) {
      const poses = posesOf(objectA, objectB);
      const met = options.contacts ? contacts(objectA.mesh, objectB.mesh, poses) : undefined;
      const clash = met && measure(objectA.mesh, objectB.mesh, { ...poses, kinds: CLASH_KINDS });
      if (met) stats.add(met.stats);
      const solids = met?.solids ?? false;
      const regions = met?.regions.map((region) => scaledRegion(region, metresPerUnit));
      hits.push({ a: objectA, b: objectB, trianglePairs: result.count, regions, clash, solids });
      trianglePairs += result.count;
      await csv?.pairs(objectA, objectB, result.pairs);
    }
    if (any ? hits.length > 0 : trianglePairs >= limit) {
      const [lastI, lastJ] = candidates[candidates.length - 1];
      complete &&= lastI === i && lastJ === j && !any;
      break;
    }
  }
  return { hits, boxPairs: candidates.length, trianglePairs, complete, stats };
}

function asJson(sides: Sides, found: Found, within: number | undefined, queryMs: number) {
  return {
    a: sideJson(sides.a),
    b: sideJson(sides.b),
    ...(sides.sameFile ? { sameFile: true } : {}),
    ...(within === undefined ? {} : { within }),
    colliding: found.hits.length > 0,
    complete: found.complete,
    trianglePairs: found.trianglePairs,
    objectPairs: found.hits.map(({ a, b, trianglePairs, regions, clash, solids }) => ({
      a: a.path,
      b: b.path,
      trianglePairs,
      ...(clash && { clash: clashJson(clash, sides.metresPerUnit) }),
      ...(regions && { solids, contacts: regions.map(regionJson) }),
    })),
    stats: { boxPairs: found.boxPairs, ...found.stats, readMs: sides.readMs, queryMs },
  };
}

function printed(
  sides: Sides,
  found: Found,
  options: CollideOptions,
  within: number | undefined,
  queryMs: number,
  { colors }: Terminal,
): string {
  const several = sides.a.objects.length > 1 || sides.b.objects.length > 1;
  const alone = sides.sameFile && sides.a.objects.length === 1;
  const { hits, trianglePairs, complete } = found;
  const what = within === undefined ? 'collision' : `within ${sides.lengthText(within)}`;
  const least = complete ? '' : 'at least ';
  const where = several ? ` in ${least}${counted(hits.length, 'object pair')}` : '';
  let verdict: string;
  if (alone) verdict = 'one object, nothing to compare it with; --pose places a copy of it';
  else if (hits.length === 0)
    verdict = colors.green(within === undefined ? 'no collision' : `nothing ${what}`);
  else if (options.any)
    verdict = colors.red(what) + (several ? `: ${nameOf(hits[0].a)} × ${nameOf(hits[0].b)}` : '');
  else verdict = `${colors.red(what)}: ${least}${counted(trianglePairs, 'triangle pair')}${where}`;
  const tests = several ? `${counted(found.boxPairs, 'object pair')} with overlapping boxes, ` : '';
  const times = `${tests}read in ${milliseconds(sides.readMs)}, hierarchies built and tested in ${milliseconds(queryMs)}`;
  const names = sides.sameFile ? ['object', 'with'] : ['in A', 'in B'];
  let list = '';
  if (options.contacts && hits.length > 0) {
    const met = hits.flatMap(({ regions, ...hit }) => (regions ?? []).map((region) => ({ ...hit, region })));
    list = `\n${regionsTable(met, several ? names : [], ROWS)}`;
  } else if (several && hits.length > 0 && !options.any) {
    const rows = hits.slice(0, ROWS).map((hit) => [nameOf(hit.a), nameOf(hit.b), count(hit.trianglePairs)]);
    list = `\n${table([[...names, 'triangle pairs'], ...rows], [2])}`;
    if (hits.length > ROWS) list += `  … and ${count(hits.length - ROWS)} more; --json lists them all\n`;
  }
  return `${sidesTable(sides, options)}\n${verdict}\n${list}${list === '' ? '' : '\n'}${colors.dim(times)}\n`;
}

function nameOf(object: PlacedObject): string {
  return pathEnd(object.path, 50);
}

/** The file of --pairs, written as the pairs are found. */
class PairFile {
  readonly #path: string;
  readonly #stream;
  #failure: Error | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#stream = createWriteStream(path);
    this.#stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  async line(text: string): Promise<void> {
    if (this.#failure) throw this.#complaint(this.#failure);
    // a write that is refused ends in an error, not in a drain
    if (!this.#stream.write(`${text}\n`))
      await once(this.#stream, 'drain').catch((error) => Promise.reject(this.#complaint(error)));
  }

  async pairs(a: PlacedObject, b: PlacedObject, pairs: Uint32Array): Promise<void> {
    const names = `${csvText(a.path)},${csvText(b.path)}`;
    const batch: string[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      batch.push(`${names},${pairs[i]},${pairs[i + 1]}`);
      if (batch.length === 4096 || i + 2 === pairs.length) await this.line(batch.splice(0).join('\n'));
    }
  }

  async close(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream).catch((error) => Promise.reject(this.#complaint(error)));
  }

  #complaint(error: NodeJS.ErrnoException): CommandError {
    const cause =
      error.code === 'ENOENT'
        ? 'no such folder'
        : error.code === 'EACCES'
          ? 'may not be written'
          : error.message;
    return new CommandError(`${this.#path}: ${cause}`);
  }
}

function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
