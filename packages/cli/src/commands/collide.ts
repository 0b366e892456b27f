/**
 * `impinge collide`: which triangles of two files intersect, or come closer than a distance. If a side is a store, or
 * an error is permitted: which objects meet, how far apart they are, and where.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CLASH_KINDS, type ClashMeasure, measure } from '@impinge/model';
import {
  type ContactRegion,
  collide as collideMeshes,
  contacts,
  hits as findHits,
  type Hit,
  Mesh,
  type PartsTarget,
  type TargetContactRegion,
  within as withinMeshes,
} from 'impinge';
import { type Asked, areFiles, openAsked } from '../asked.js';
import { closePairs } from '../box.js';
import { CommandError } from '../command-error.js';
import {
  clashJson,
  regionJson,
  regionsTable,
  scaledRegion,
  scaledStoreRegion,
  storeRegionJson,
  storeRegionsTable,
} from '../contact-regions.js';
import { parseLength, parseLimit } from '../quantities.js';
import { type AskedPart, type AskOptions, intervalText, posesOf, StatsSum, scaledPoint } from '../sides.js';
import { count, counted, json, milliseconds, pathEnd, point, type Terminal, table } from '../terminal.js';

export interface CollideOptions extends AskOptions {
  readonly within?: string;
  readonly any?: boolean;
  readonly all?: boolean;
  readonly limit?: string;
  readonly pairs?: string;
  readonly contacts?: boolean;
}

/** Number of object pairs printed; --json lists them all. */
const ROWS = 30;

interface ObjectPair {
  /** Paths. */
  readonly a: string;
  readonly b: string;
  /** Number of pairs of triangles, or of patches if an error is permitted. */
  readonly pairs: number;
  /** With --contacts. */
  readonly met?: Met;
  /** With --contacts, for stores, in metres. */
  readonly regions?: readonly TargetContactRegion[];
  /** For stores, in metres. */
  readonly place?: Pick<Hit, 'bounds' | 'pointA' | 'pointB'>;
}

/** The contact of two meshes; the clash is the one that a check would report, in the sides' unit. */
interface Met {
  readonly regions: readonly ContactRegion[];
  readonly clash: ClashMeasure | undefined;
  /** Whether both are closed, so that depths are meaningful. */
  readonly solids: boolean;
}

export async function collide(
  nameA: string,
  nameB: string,
  options: CollideOptions,
  terminal: Terminal,
): Promise<number> {
  const within = options.within === undefined ? undefined : parseLength(options.within, '--within');
  if (!areFiles(nameA, nameB, options)) refuseForStores(options);
  const limit = options.limit === undefined ? Infinity : parseLimit(options.limit, '--limit');
  const asked = await openAsked(nameA, nameB, options);
  try {
    const csv = options.pairs === undefined ? undefined : new PairFile(options.pairs);
    await csv?.line('objectA,objectB,triangleA,triangleB');
    const start = performance.now();
    const found = await new Comparison(asked, within, limit, options, csv).run();
    const queryMs = performance.now() - start;
    await csv?.close();
    if (options.json) terminal.out(json(asJson(asked, found, within, options, queryMs)));
    else terminal.out(`${asked.table}\n${printed(asked, found, options, within, queryMs, terminal)}`);
    return found.hits.length > 0 ? 1 : 0;
  } finally {
    await asked.dispose();
  }
}

function refuseForStores(options: CollideOptions): void {
  for (const name of ['limit', 'pairs'] as const) {
    if (options[name] !== undefined) {
      throw new CommandError(
        `--${name}: neither with stores nor with --error, which name objects and places`,
      );
    }
  }
}

interface Found {
  readonly hits: readonly ObjectPair[];
  readonly boxPairs: number;
  readonly pairs: number;
  /** False when the search stopped at --any or --limit. */
  readonly complete: boolean;
  readonly stats: StatsSum;
}

/** Compares the parts of both sides whose boxes are near each other. */
class Comparison {
  readonly hits: ObjectPair[] = [];
  readonly stats = new StatsSum();
  boxPairs = 0;
  pairs = 0;
  complete = true;
  readonly #asked: Asked;
  /** In the sides' unit. */
  readonly #distance: number | undefined;
  readonly #limit: number;
  readonly #options: CollideOptions;
  readonly #csv: PairFile | undefined;

  constructor(
    asked: Asked,
    within: number | undefined,
    limit: number,
    options: CollideOptions,
    csv: PairFile | undefined,
  ) {
    this.#asked = asked;
    this.#distance = within === undefined ? undefined : within / asked.metresPerUnit;
    this.#limit = limit;
    this.#options = options;
    this.#csv = csv;
  }

  async run(): Promise<Found> {
    const { a, b, isOfFiles, sameFile } = this.#asked;
    const boxesOf = (parts: readonly AskedPart[]) => parts.map(({ box }) => box);
    const near = closePairs(boxesOf(a), boxesOf(b), this.#distance ?? 0);
    const candidates = sameFile ? near.filter(([i, j]) => i < j) : near;
    this.boxPairs = candidates.length;
    for (const [n, [i, j]] of candidates.entries()) {
      if (!isOfFiles) await this.#askEngines(a[i], b[j]);
      else if (await this.#compareMeshes(a[i], b[j])) {
        this.complete &&= n === candidates.length - 1 && !this.#options.any;
        break;
      }
    }
    return this;
  }

  /** Returns whether enough has been found. */
  async #compareMeshes(a: AskedPart, b: AskedPart): Promise<boolean> {
    const { any } = this.#options;
    const [meshA, meshB] = [a.thing as Mesh, b.thing as Mesh];
    const poses = posesOf(a, b);
    const query = {
      ...poses,
      mode: any ? ('any' as const) : ('all' as const),
      ...(this.#limit === Infinity || any ? {} : { limit: this.#limit - this.pairs }),
    };
    const distance = this.#distance;
    const result =
      distance === undefined
        ? collideMeshes(meshA, meshB, query)
        : withinMeshes(meshA, meshB, { ...query, distance });
    this.stats.add(result.stats);
    this.complete &&= result.complete;
    if (result.count > 0) {
      const [pathA, pathB] = [a.pathOf(0), b.pathOf(0)];
      const met = this.#options.contacts && { met: this.#meet(meshA, meshB, poses) };
      this.hits.push({ a: pathA, b: pathB, pairs: result.count, ...met });
      this.pairs += result.count;
      await this.#csv?.pairs(pathA, pathB, result.pairs);
    }
    return any ? this.hits.length > 0 : this.pairs >= this.#limit;
  }

  #meet(a: Mesh, b: Mesh, poses: ReturnType<typeof posesOf>): Met {
    const { regions, solids, stats } = contacts(a, b, poses);
    this.stats.add(stats);
    return {
      regions: regions.map((region) => scaledRegion(region, this.#asked.metresPerUnit)),
      clash: measure(a, b, { ...poses, kinds: CLASH_KINDS }),
      solids,
    };
  }

  async #askEngines(a: AskedPart, b: AskedPart): Promise<void> {
    const { metresPerUnit: unit, error } = this.#asked;
    const [thingA, thingB] = [a.thing, b.thing];
    const poses = posesOf(a, b);
    const { hits, stats } = await findHits(thingA, thingB, {
      ...poses,
      distance: this.#distance ?? 0,
      mode: this.#options.any ? 'any' : 'all',
      error: error / unit,
    });
    this.stats.add(stats);
    const areMeshes = thingA instanceof Mesh && thingB instanceof Mesh;
    const asksRegions = this.#options.contacts && hits.length > 0;
    const all = asksRegions && !areMeshes ? await this.#regionsOf(thingA, thingB, poses) : undefined;
    for (const { objectA, objectB, bounds, pointA, pointB, count: pairs } of hits) {
      this.pairs += pairs;
      const place = {
        bounds: [unit * bounds[0], unit * bounds[1]] as const,
        pointA: scaledPoint(pointA, unit),
        pointB: scaledPoint(pointB, unit),
      };
      this.hits.push({
        ...{ a: a.pathOf(objectA), b: b.pathOf(objectB), pairs, place },
        ...(asksRegions && areMeshes && { met: this.#meet(thingA, thingB, poses) }),
        ...(all && {
          regions: all.filter((region) => region.objectA === objectA && region.objectB === objectB),
        }),
      });
    }
  }

  /** Of two sides of which one is a store. */
  async #regionsOf(
    a: AskedPart['thing'],
    b: AskedPart['thing'],
    poses: ReturnType<typeof posesOf>,
  ): Promise<TargetContactRegion[]> {
    const { metresPerUnit, error } = this.#asked;
    const { regions, found } = await contacts(a as PartsTarget, b, {
      ...poses,
      error: error / metresPerUnit,
    });
    this.stats.add(found.stats);
    return regions.map((region) => scaledStoreRegion(region, metresPerUnit));
  }
}

function asJson(
  { isOfFiles, sameFile, error, metresPerUnit, readMs, json: sides }: Asked,
  found: Found,
  within: number | undefined,
  { any }: CollideOptions,
  queryMs: number,
) {
  const what = error > 0 ? 'patchPairs' : 'trianglePairs';
  // which of the pairs of an object are found first is unspecified
  const countOf = (pairs: number) => (any && !isOfFiles ? {} : { [what]: pairs });
  return {
    ...sides,
    ...(sameFile ? { sameFile: true } : {}),
    ...(within === undefined ? {} : { within }),
    colliding: found.hits.length > 0,
    ...(isOfFiles ? { complete: found.complete } : {}),
    ...countOf(found.pairs),
    objectPairs: found.hits.map(({ a, b, pairs, met, regions, place }) => ({
      ...{ a, b, ...countOf(pairs) },
      ...(met?.clash && { clash: clashJson(met.clash, metresPerUnit) }),
      ...(met && { solids: met.solids, contacts: met.regions.map(regionJson) }),
      ...(regions && { contacts: regions.map((region) => storeRegionJson(region, what)) }),
      ...(place && { distance: [...place.bounds], pointA: [...place.pointA], pointB: [...place.pointB] }),
    })),
    stats: { boxPairs: found.boxPairs, ...found.stats, readMs, queryMs },
  };
}

function printed(
  asked: Asked,
  found: Found,
  options: CollideOptions,
  within: number | undefined,
  queryMs: number,
  { colors }: Terminal,
): string {
  const { a, b, error, sameFile, isOfFiles } = asked;
  const several = a.length > 1 || b.length > 1;
  const { hits, complete } = found;
  const near = within === undefined ? 'collision' : `within ${asked.lengthText(within)}`;
  const what = error > 0 ? 'patch pair' : 'triangle pair';
  const least = complete ? '' : 'at least ';
  const where = counted(hits.length, 'object pair');
  let verdict: string;
  if (sameFile && a.length === 1)
    verdict = 'one object, nothing to compare it with; --pose places a copy of it';
  else if (hits.length === 0)
    verdict = colors.green(within === undefined ? 'no collision' : `nothing ${near}`);
  else if (options.any && isOfFiles)
    verdict = colors.red(near) + (several ? `: ${nameOf(hits[0].a)} × ${nameOf(hits[0].b)}` : '');
  else if (options.any) verdict = `${colors.red(near)}: ${where}`;
  else {
    const objects = several || !isOfFiles ? ` in ${least}${where}` : '';
    verdict = `${colors.red(near)}: ${least}${counted(found.pairs, what)}${objects}`;
  }
  const names = sameFile ? ['object', 'with'] : ['in A', 'in B'];
  let list = '';
  if (options.contacts && hits.length > 0) {
    const met = hits.flatMap(({ met, ...hit }) =>
      (met?.regions ?? []).map((region) => ({ ...hit, ...met!, region })),
    );
    const ofStores = hits.flatMap(({ a, b, regions = [] }) => regions.map((region) => ({ a, b, region })));
    list = hits[0].regions
      ? `\n${storeRegionsTable(ofStores, names, `${what}s`, ROWS)}${errorText(asked, within, options)}`
      : `\n${regionsTable(met, several ? names : [], ROWS)}`;
  } else if (hits.length > 0 && !(isOfFiles && (options.any || !several))) {
    list = `\n${hitsTable(hits, [...names, ...(options.any ? [] : [`${what}s`])])}${errorText(asked, within, options)}`;
  }
  const tests = several ? `${counted(found.boxPairs, 'object pair')} with overlapping boxes, ` : '';
  const times = `${tests}read in ${milliseconds(asked.readMs)}, compared in ${milliseconds(queryMs)}`;
  return `${verdict}\n${list}${list === '' ? '' : '\n'}${colors.dim(times)}\n`;
}

/** The first object pairs, under these headings; for stores, also their distances and places. */
function hitsTable(hits: readonly ObjectPair[], head: readonly string[]): string {
  const rows = hits
    .slice(0, ROWS)
    .map(({ a, b, pairs, place }) => [
      ...[nameOf(a), nameOf(b)],
      ...(head.length > 2 ? [count(pairs)] : []),
      ...(place ? [intervalText(place.bounds), point(place.pointA)] : []),
    ]);
  const more = hits.length > ROWS ? `  … and ${count(hits.length - ROWS)} more; --json lists them all\n` : '';
  const columns = [...head, ...(hits[0].place ? ['apart', 'at'] : [])];
  return table([columns, ...rows], head.length > 2 ? [2] : []) + more;
}

/** The effect of a permitted error on the listed pairs. */
function errorText(
  { error, lengthText }: Asked,
  within: number | undefined,
  { any }: CollideOptions,
): string {
  if (error === 0) return '';
  const meets = within === undefined ? 'meets' : 'comes that near';
  const patch = any ? '' : 'A patch is a few neighbouring triangles.\n';
  const apart = `may be up to ${lengthText(error)} farther apart`;
  return `\nNothing that ${meets} is left out; what is listed ${apart}.\n${patch}`;
}

function nameOf(path: string): string {
  return pathEnd(path, 50);
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
    // a refused write ends in an error, not in a drain
    if (!this.#stream.write(`${text}\n`))
      await once(this.#stream, 'drain').catch((error) => Promise.reject(this.#complaint(error)));
  }

  async pairs(a: string, b: string, pairs: Uint32Array): Promise<void> {
    const names = `${csvText(a)},${csvText(b)}`;
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
