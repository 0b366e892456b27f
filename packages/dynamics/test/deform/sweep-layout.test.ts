import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as layout from '../../src/deform/layout.js';

const source = readFileSync(
  fileURLToPath(new URL('../../kernels/deform/layout.ts', import.meta.url)),
  'utf8',
);
const actual = new Map(
  [...source.matchAll(/^export const ([A-Z0-9_]+): \w+ = (0x[0-9a-f]+|\d+);/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ]),
);

/** pairCapacity → PREFIX_PAIR_CAPACITY, at `size` bytes per entry. */
function fields(prefix: string, words: Readonly<Record<string, number>>, size = 4): [string, number][] {
  return Object.entries(words).map(([name, word]) => [
    `${prefix}_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    size * word,
  ]);
}

describe('kernels and TypeScript agree on', () => {
  it('contexts, grids, cells, clusters and tallies (kernels/deform/layout.ts)', () => {
    const { candidates, boxPairs, dopPairs, primitivePairs, elementPairs, testedPairs } = layout.Tally;
    const expected = new Map<string, number>([
      ...fields('CTX', layout.Ctx),
      ...fields('GRID', layout.GridWord),
      ...fields('CELL', layout.CellWord),
      ...fields('CLUSTER', layout.ClusterWord),
      ...fields('PIECE', layout.PieceWord),
      ...fields('TALLY', layout.TallyWord),
      ['TALLY_CANDIDATES', 8 * candidates],
      ['TALLY_BOX', 8 * boxPairs],
      ['TALLY_DOP', 8 * dopPairs],
      ['TALLY_PRIMITIVE', 8 * primitivePairs],
      ['TALLY_ELEMENT', 8 * elementPairs],
      ['TALLY_TESTED', 8 * testedPairs],
      ['TESTS_ITSELF', 1],
      ['IS_STATIC', 2],
      ['LEFT_OUT', 4],
      ['GROUP_SHIFT', 8],
      ['PACK_MEMBERS', layout.PACK_BYTES - 16],
      // of the kernels alone
      ...['FILL', 'MOST_JOINS', 'OTHERS', 'CLEAR', 'ROOM'].map((name): [string, number] => [
        name,
        actual.get(name)!,
      ]),
      ...Object.entries<unknown>(layout).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    ]);
    expect(actual.size).toBeGreaterThan(80);
    for (const [name, value] of actual) expect([name, value]).toEqual([name, expected.get(name)]);
  });

  it('the size of blocks', () => {
    expect(Math.max(...Object.values(layout.Ctx))).toBeLessThan(layout.CTX_WORDS);
    expect(layout.GridWord.levelStarts + 17).toBeLessThanOrEqual(layout.GridWord.joins);
    expect(layout.GridWord.joins + 16).toBeLessThanOrEqual(layout.GRID_WORDS);
  });
});
