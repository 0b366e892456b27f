/** A check that knows answers of earlier ones finds what one that knows none does, whatever has changed in between. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { type CheckOptions, check } from '../../src/check/check.js';
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import type { KnownPair, KnownPairs } from '../../src/check/known-pairs.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays, SourceShape } from '../../src/store/source.js';
import { moved, named, slowSource, storeBytes, storeOf } from '../store/fixtures.js';
import { type Recipe, recipes, shapesOf, sorted } from './scenes.js';

class Known implements KnownPairs {
  readonly pairs = new Map<string, KnownPair>();
  some = true;
  hits = 0;
  nameOf(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('base64');
  }
  find(name: string): KnownPair | undefined {
    const pair = this.pairs.get(name);
    if (pair) this.hits++;
    return pair;
  }
  keep(name: string, pair: KnownPair): void {
    // two objects at the same place, or nothing known before
    if (this.pairs.has(name)) expect(pair).toStrictEqual(this.pairs.get(name));
    this.pairs.set(name, pair);
  }
}

async function checked(list: readonly SourceShape[], options: CheckOptions, pieceTriangles = 8192) {
  const run = check(await openStore(await storeOf(list, { pieceTriangles })), options);
  const clashes = [];
  for await (const clash of run) clashes.push(clash);
  const { pairs, checked, touches, excluded } = run.stats;
  const stats = { pairs, checked, clashes: run.stats.clashes, touches, excluded };
  return { text: JSON.stringify([sorted(clashes), stats]), pairs };
}

/** What may happen to a model from week to week. */
const change = fc.oneof(
  fc.record({ what: fc.constant('swap' as const), at: fc.nat(), by: fc.nat() }),
  fc.record({ what: fc.constant('drop' as const), at: fc.nat(), by: fc.nat() }),
  fc.record({ what: fc.constant('move' as const), at: fc.nat(), by: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ what: fc.constant('other' as const), at: fc.nat(), by: fc.nat() }),
);

function changed(recipe: Recipe, { what, at, by }: typeof change extends fc.Arbitrary<infer T> ? T : never) {
  const out = [...recipe];
  const [i, j] = [at % out.length, by % out.length];
  if (what === 'swap') [out[i], out[j]] = [out[j], out[i]];
  else if (what === 'drop' && out.length > 2) out.splice(i, 1);
  else if (what === 'other') out[i] = { ...out[i], geometry: out[j].geometry };
  else if (what === 'move') {
    const [{ shift, ...first }, ...others] = out[i].poses;
    const [x, y, z] = shift;
    out[i] = { ...out[i], poses: [{ ...first, shift: [x + by / 4, y, z] }, ...others] };
  }
  return out;
}

const asked = fc.record({
  clearance: fc.constantFrom(0, 0.25, 0.3),
  tolerance: fc.constantFrom(0, 0.1),
  kinds: fc.constantFrom(CLASH_KINDS, ['hard', 'clearance'] as const),
});

test.each([
  [71, 8192],
  [72, 64],
])('random models that change, seed %i, in pieces of %i triangles', async (seed, pieceTriangles) => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(
      recipes,
      fc.array(fc.tuple(change, asked), { minLength: 2, maxLength: 4 }),
      async (first, steps) => {
        const known = new Known();
        let recipe = first;
        let options: CheckOptions = {};
        for (const [step, ask] of steps) {
          const list = shapesOf(recipe);
          const fresh = await checked(list, options, pieceTriangles);
          expect((await checked(list, { ...options, known }, pieceTriangles)).text).toBe(fresh.text);
          recipe = changed(recipe, step);
          if (step.at % 3 === 0) options = ask;
        }
        hits += known.hits;
      },
    ),
    { seed, numRuns: runs(30) },
  );
  expect(hits).toBeGreaterThan(0);
});

const BOX = box(1, 1, 1) as ShapeArrays;
const pair = (shift: number): SourceShape[] => [
  { geometry: BOX, objects: [named('a', moved(0, 0, 0)), named('b', moved(shift, 0, 0))] },
];

describe('what is known', () => {
  test('is asked for by contents: of two that have not changed, whatever they are called', async () => {
    const known = new Known();
    await checked(pair(0.5), { known });
    expect(known.hits).toBe(0);
    const [{ geometry, objects }] = pair(0.5);
    const renamed = [...objects].map((object) => ({ ...object, id: `x ${object.id}` }));
    await checked([{ geometry, objects: renamed }], { known });
    expect(known.hits).toBe(1);
    for (const options of [{ tolerance: 0.1 }, { clearance: 0.1 }, { kinds: CLASH_KINDS }, { memory: 1e8 }])
      await checked(pair(0.5), { known, ...options });
    await checked(pair(0.5000001), { known });
    expect([known.hits, known.pairs.size]).toEqual([1, 6]);
  });

  test('tells of pairs that only touch, too', async () => {
    const known = new Known();
    const ask = { clearance: 0.1, kinds: ['hard', 'clearance'] } as const;
    const fresh = await checked(pair(1), ask);
    expect(fresh.text).toContain('"touches":1');
    for (const hits of [0, 1]) {
      expect((await checked(pair(1), { ...ask, known })).text).toBe(fresh.text);
      expect(known.hits).toBe(hits);
    }
  });

  test('is not asked for where nothing is known, nor where pages come from far away', async () => {
    const nothing = Object.assign(new Known(), { some: false });
    await checked(pair(0.5), { known: nothing });
    await checked(pair(0.5), { known: nothing });
    expect(nothing.hits).toBe(0);
    const known = new Known();
    const far = await openStore(slowSource(await storeBytes(pair(0.5))));
    for await (const _ of check(far, { known }));
    expect(known.pairs.size).toBe(0);
  });

  test.each([
    [null, 'known'],
    [{}, 'known'],
    [{ some: true, nameOf: () => '', find: () => undefined }, 'known.keep'],
  ])('is no such thing: %j', async (known, name) => {
    const model = await openStore(await storeOf(pair(0.5)));
    expect(() => check(model, { known: known as unknown as KnownPairs })).toThrow(name);
  });
});
