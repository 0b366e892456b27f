/**
 * Kinds of clashes in real models, against the crossings that are known of them; and depths of organs, whose surfaces
 * run alongside each other: known to the hundredth, and decided at any tolerance.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readMeshes } from 'impinge/formats';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { afterAll, describe, expect, test } from 'vitest';
import { third } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { worldObjects } from '../../../../test/world-objects.js';
import type { ClashMeasure } from '../../src/check/clash.js';
import { measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { ask, placedMesh } from './support.js';

const read = new Map<string, Map<string, PlacedParts>>();
afterAll(() => read.clear());

/** The objects of a model by name, or at least those with these names; all of them are read once. */
async function readObjects(file: string, names?: readonly string[]): Promise<Map<string, PlacedParts>> {
  const known = read.get(file);
  if (known) return known;
  const objects = new Map(
    (await worldObjects(file, names)).map(({ name, mesh }): [string, PlacedParts] => [
      name,
      placedMesh(mesh),
    ]),
  );
  if (!names) read.set(file, objects);
  return objects;
}

/** Pairs in which an edge properly crosses a triangle → whether it does so clearly. */
function readCrossings(file: string): Map<string, boolean> {
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [a, b, clear] = line.split('\t');
      return [[a, b].sort().join('\t'), clear === '1'];
    }),
  );
}

const duplex = sharedData('plants/duplex.glb');
test.skipIf(!duplex)(
  'duplex: every clear crossing is hard, nothing else is; one object lies in another',
  async () => {
    const objects = await readObjects(duplex!);
    const crossings = readCrossings(sharedData('plants/duplex.crossings.tsv.gz')!);
    const names = [...objects.keys()];
    const kinds = {
      hard: 0,
      inside: 0,
      touch: 0,
      clearance: 0,
      duplicate: 0,
      obstruction: 0,
      blocked: 0,
      oversized: 0,
    };
    const missed: string[] = [];
    const invented: string[] = [];
    for (let i = 0; i < names.length; i++) {
      for (let j = i + 1; j < names.length; j++) {
        const [a, b] = [objects.get(names[i])!, objects.get(names[j])!];
        if (![0, 1, 2].every((k) => a.box[k] <= b.box[3 + k] && b.box[k] <= a.box[3 + k])) continue;
        const found = measurePair(a, b, ask);
        const key = [names[i], names[j]].sort().join('\t');
        if (found) kinds[found.kind]++;
        if (crossings.get(key) && found?.kind !== 'hard') missed.push(key);
        if (!crossings.has(key) && found?.kind === 'hard') invented.push(key);
      }
    }
    expect(missed).toEqual([]);
    expect(invented).toEqual([]);
    expect(kinds).toMatchObject({ hard: 876, clearance: 0, duplicate: 1 });
    expect(kinds.inside).toBeGreaterThan(100);
  },
);

const atst = sharedData('cad/atst.glb');
test.skipIf(!atst)('atst, open shells in any position: every clear crossing is hard', async () => {
  const objects = await readObjects(atst!);
  const clear = [...readCrossings(sharedData('cad/atst.crossings.tsv.gz')!)].filter(([, sure]) => sure);
  expect(clear).toHaveLength(466);
  const missed = third(clear).filter(([key]) => {
    const [a, b] = key.split('\t').map((name) => objects.get(name)!);
    return measurePair(a, b, ask)?.kind !== 'hard';
  });
  expect(missed).toEqual([]);
});

test.skipIf(!atst)(
  'atst: whether open shells are more than 0.2 mm deep is decided of all that cross',
  async () => {
    const objects = await readObjects(atst!);
    const tolerance = 2e-4;
    const crossings = [...readCrossings(sharedData('cad/atst.crossings.tsv.gz')!).keys()];
    const undecided = third(crossings).filter((key) => {
      const [a, b] = key.split('\t').map((name) => objects.get(name)!);
      const found = measurePair(a, b, { ...ask, tolerance });
      return found && found.depth <= tolerance && found.depthBound > tolerance;
    });
    expect(undecided).toEqual([]);
  },
);

const schependomlaan = sharedData('plants/schependomlaan.glb');
describe.skipIf(!schependomlaan)('schependomlaan', () => {
  test('of the depths of all crossings, 999 of 1000 are known to the hundredth', async () => {
    const objects = await readObjects(schependomlaan!);
    const crossings = readCrossings(sharedData('plants/schependomlaan.crossings.tsv.gz')!);
    let overlaps = 0;
    let open = 0;
    for (const key of crossings.keys()) {
      const [a, b] = key.split('\t').map((name) => objects.get(name)!);
      const found = measurePair(a, b, ask);
      if (found?.kind !== 'hard') continue;
      overlaps++;
      if (found.depthBound > 1.0101 * found.depth && found.depthBound > found.depth + 2e-6) open++;
    }
    expect(overlaps).toBeGreaterThan(1000);
    expect(open).toBeLessThanOrEqual(overlaps / 1000);
  });

  test('beside an open object, whichever way it faces, closed ones only touch', async () => {
    const objects = await readObjects(schependomlaan!);
    for (const name of ['31jJ7Ha698fBHCB0Q2e1yq', '2xj8og5ynADeLjrLMO9aln']) {
      const [open, closed] = [objects.get('3AuBloy8rB2eQ0HbTV6Kmm')!, objects.get(name)!];
      expect([open.parts.closed, closed.parts.closed]).toEqual([false, true]);
      expect(measurePair(open, closed, ask)).toMatchObject({ kind: 'touch', depth: 0 });
    }
  });
});

const deep = sharedData('repro/deep2.glb');
const column = sharedData('repro/noev1.glb');
describe.skipIf(!deep || !column)('pairs that were measured wrong', () => {
  test('a deep one: samples reach 88 mm', async () => {
    const [a, b] = [...(await readObjects(deep!)).values()];
    const found = measurePair(a, b, ask)!;
    expect(found.kind).toBe('hard');
    expect(found.depth).toBeGreaterThan(0.088);
    expect(found.depthBound).toBeLessThan(1.011 * found.depth);
  });

  test('a column under an open slab that faces inwards: it touches', async () => {
    const [a, b] = [...(await readObjects(column!)).values()];
    for (const turned of [a, { ...a, parts: { ...a.parts, meshes: a.parts.meshes.map(reversed) } }]) {
      expect(measurePair(turned, b, ask)).toMatchObject({ kind: 'touch', depth: 0 });
    }
  });
});

/** The same surface, facing the other way. */
function reversed({ positions, indices, origin }: Mesh): Mesh {
  return Mesh.from({
    positions: Float64Array.from(positions, (x, i) => x + origin[i % 3]),
    indices: Uint32Array.from(indices, (_, h) => indices[h - (h % 3) + [0, 2, 1][h % 3]]),
  });
}

describe.skipIf(!duplex)('clashes without a crossing', () => {
  test.each([
    // the same box twice
    ['plants/schependomlaan.glb', '35zAcqGav04htqTJTCcQ2_', '1Xz3hRjGn87Bkrn9PpbIxz', 'duplicate'],
    ['plants/duplex.glb', '3bXiCStxP6Fgxdej$yc503', '3bXiCStxP6Fgxdej$yc50B', 'duplicate'],
    ['plants/clinic.glb', '0$T_kKFfj6eQu9LjJc1LCN', '0$T_kKFfj6eQu9LjJc1LCM', 'inside'],
  ])('%s: %s and %s', async (file, nameA, nameB, kind) => {
    const objects = await readObjects(sharedData(file)!, [nameA, nameB]);
    const [a, b] = [nameA, nameB].map((name) => objects.get(name)!);
    expect(measurePair(a, b, ask)?.kind).toBe(kind);
    expect(measurePair(b, a, ask)).toEqual(measurePair(a, b, ask));
    // the same solids, were they not recognised as the same
    const other = { ...b, triangleCount: 0 };
    expect(measurePair(a, other, ask)?.kind).toBe('inside');
  });
});

const measure = (a: PlacedParts, b: PlacedParts, tolerance: number): ClashMeasure =>
  measurePair(a, b, { ...ask, tolerance })!;

/** Decided, known to the hundredth where it is reported, and in keeping with what is known at tolerance 0. */
function expectDecided(found: ClashMeasure, plain: ClashMeasure, tolerance: number): void {
  if (found.kind === 'touch') expect(found.depthBound).toBeLessThanOrEqual(tolerance);
  else {
    expect(found.depth).toBeGreaterThan(tolerance);
    expect(found.depthBound).toBeLessThanOrEqual(1.0101 * found.depth);
  }
  expect(found.depth).toBeLessThanOrEqual(plain.depthBound);
  expect(found.depthBound).toBeGreaterThanOrEqual(Math.min(plain.depth, tolerance));
}

const folder = sharedData('repro/depth/FMA38520.stl.gz')?.replace('FMA38520.stl.gz', '');
describe.skipIf(!folder)('pairs of which a larger tolerance knew less', () => {
  const organ = (name: string): PlacedParts => {
    const [file] = readMeshes(gunzipSync(readFileSync(`${folder}${name}.stl.gz`)), { name: `${name}.stl` });
    return placedMesh(Mesh.from(file));
  };
  test.each([
    ['FMA38520', 'FMA38523', 0.74, 0.748],
    ['FMA46286', 'FMA7131', 3.72, 3.757],
  ])('%s and %s: between %f and %f mm', (nameA, nameB, least, most) => {
    const [a, b] = [organ(nameA), organ(nameB)];
    const plain = measure(a, b, 0);
    expect(plain.kind).toBe('hard');
    expect(plain.depth).toBeGreaterThan(least);
    expect(plain.depthBound).toBeLessThan(most);
    for (const tolerance of [0.5, 0.7, 1, 2, 3.7, 4, 5, 20]) {
      const found = measure(a, b, tolerance);
      expect(found.kind).toBe(tolerance < plain.depth ? 'hard' : 'touch');
      expectDecided(found, plain, tolerance);
    }
  });
});

const body = sharedData('anatomy/body-upper.glb');
test.skipIf(!body)(
  'organs of a body, every 24th pair of those that cross: depths are known to the hundredth, 5 mm and 1 mm decide',
  async () => {
    const crossings = readCrossings(sharedData('anatomy/body-upper.crossings.tsv.gz')!);
    const pairs = [...crossings.keys()].map((key) => key.split('\t')).filter((_, i) => i % 24 === 0);
    const chosen = third(pairs);
    const objects = await readObjects(body!, chosen.flat());
    for (const [nameA, nameB] of chosen) {
      const [a, b] = [objects.get(nameA)!, objects.get(nameB)!];
      const plain = measure(a, b, 0);
      expectDecided(plain, plain, 0);
      for (const tolerance of [0.001, 0.005]) expectDecided(measure(a, b, tolerance), plain, tolerance);
    }
  },
  300_000,
);
