/** Mutants are reproducible by number and differ from their seeds; containers survive unpacking and packing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAST } from '../../../test/budget.js';
import { numberedMutant } from '../mutants.mjs';
import { CONTAINERS } from '../mutate/containers.mjs';
import { extensionOf } from '../mutate/structures.mjs';
import { reduced } from '../reduce.mjs';
import { CORPUS, corpusOf } from '../seeds/corpus.mjs';

const COUNT = FAST ? 20 : 60;
const NAMES = readdirSync(CORPUS).sort();

test('every seed is of a kind that can be altered', () => {
  expect(NAMES.length).toBeGreaterThan(15);
  expect(NAMES.filter((name) => extensionOf(name) === undefined)).toEqual([]);
});

describe.each([...new Set(NAMES.map(extensionOf))])('mutants of %s', (extension) => {
  const seeds = corpusOf([extension]);
  test('are the same for the same number, and rarely the seed itself', () => {
    const hashes = new Set();
    let unaltered = 0;
    for (let number = 0; number < COUNT; number++) {
      const mutant = numberedMutant(seeds, extension, '7', number);
      expect(numberedMutant(seeds, extension, '7', number).bytes.equals(mutant.bytes)).toBe(true);
      hashes.add(mutant.bytes.toString('latin1'));
      if (mutant.bytes.equals(mutant.seed)) unaltered++;
    }
    expect(hashes.size).toBeGreaterThan((2 / 3) * COUNT);
    expect(unaltered).toBeLessThan(COUNT / 4);
  });
});

test.each(NAMES.filter((name) => CONTAINERS[extensionOf(name)]))('%s is put together again', (name) => {
  const { open, close } = CONTAINERS[extensionOf(name)];
  const contents = open(readFileSync(join(CORPUS, name)));
  const again = open(close(contents));
  // packing may add padding
  expect(again.map((content) => content.toString('latin1').trimEnd())).toEqual(
    contents.map((content) => content.toString('latin1').trimEnd()),
  );
});

describe('what is reduced', () => {
  const fails = (needed) => async (bytes) => needed.every((part) => bytes.includes(part));

  test('keeps what shows the failure, and nothing else', async () => {
    const text = Buffer.from('v 1 2 3\nv 4 5 6\nf 1 2 9\nf 1 2 3\n'.repeat(20));
    expect((await reduced(text, 'obj', fails(['9']), 10)).toString()).toBe('9');
  });
  test('within a container too', async () => {
    const seed = readFileSync(join(CORPUS, 'boxes.obj.gz'));
    const inside = fails(['1e-1']);
    const smallest = await reduced(
      seed,
      'obj.gz',
      (bytes) => inside(CONTAINERS['obj.gz'].open(bytes)?.[0] ?? Buffer.of()),
      10,
    );
    expect(CONTAINERS['obj.gz'].open(smallest)[0].toString()).toBe('1e-1');
  });
  test('as JSON without the other keys', async () => {
    const text = Buffer.from(JSON.stringify({ a: [1, { b: 'needle' }, 3], c: { d: 4 } }));
    const isJsonWithNeedle = async (bytes) => {
      try {
        return JSON.stringify(JSON.parse(bytes.toString())).includes('needle');
      } catch {
        return false;
      }
    };
    expect((await reduced(text, 'json', isJsonWithNeedle, 10)).toString()).toBe('{"":[{"":"needle"}]}');
  });
});
