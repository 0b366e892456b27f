/** Pairs that belong together are left out, counted, and can be asked for. */
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { type CheckOptions, type CheckStats, check } from '../../src/index.js';
import { openStore } from '../../src/store/open.js';
import type { ObjectRelations, ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

type Tied = readonly [id: string, relations?: ObjectRelations, file?: string];

/** Checks a heap of cubes that all meet each other; returns the pairs that clash. */
async function clashing(objects: readonly Tied[], options: CheckOptions = {}) {
  const geometry = box(1, 1, 1) as ShapeArrays;
  const model = await openStore(
    await storeOf([
      {
        geometry,
        objects: objects.map(([id, relations = {}, file = 'test'], i) => ({
          ...named(id, moved(0.125 * i, 0.0625 * i, 0.03125 * i)),
          relations,
          file,
        })),
      },
    ]),
  );
  const run = check(model, options);
  const found: string[] = [];
  for await (const { a, b } of run) found.push([a.id, b.id].sort().join('-'));
  return { found: found.sort(), excluded: nonZero(run.stats), pairs: run.stats.pairs };
}

const nonZero = ({ excluded }: CheckStats) =>
  Object.fromEntries(Object.entries(excluded).filter(([, count]) => count > 0));

describe('exclusions', () => {
  test.each<[string, Tied[], string[], Record<string, number>]>([
    [
      'a door and its wall, not two doors',
      [['wall'], ['door 1', { fills: ['wall'] }], ['door 2', { fills: ['wall'] }]],
      ['door 1-door 2'],
      { openings: 2 },
    ],
    [
      'a door, and the parts of its wall',
      [['part', { partOf: ['wall'] }], ['door', { fills: ['wall'] }], ['other']],
      ['door-other', 'other-part'],
      { openings: 1 },
    ],
    [
      'what is connected, not what is connected to the same',
      [['pipe 1', { connectedTo: ['elbow'] }], ['elbow'], ['pipe 2', { connectedTo: ['elbow'] }]],
      ['pipe 1-pipe 2'],
      { connections: 2 },
    ],
    [
      'parts of an assembly with each other and with it',
      [['stair'], ['flight', { partOf: ['stair'] }], ['rail', { partOf: ['guard', 'stair'] }], ['slab']],
      ['flight-slab', 'rail-slab', 'slab-stair'],
      { wholes: 2, assemblies: 1 },
    ],
    [
      'insulation and its own pipe only',
      [['insulation', { covers: ['pipe 1'] }], ['pipe 1'], ['pipe 2']],
      ['insulation-pipe 2', 'pipe 1-pipe 2'],
      { coverings: 1 },
    ],
    [
      'nothing of another file',
      [
        ['wall', {}, 'a.ifc'],
        ['door', { fills: ['wall'] }, 'b.ifc'],
      ],
      ['door-wall'],
      {},
    ],
  ])('%s', async (_, objects, expected, excluded) => {
    const result = await clashing(objects);
    expect(result.found).toEqual(expected);
    expect(result.excluded).toEqual(excluded);
    const all = await clashing(objects, { exclusions: false });
    expect(all.found).toHaveLength((objects.length * (objects.length - 1)) / 2);
    expect(all.excluded).toEqual({});
    const left = Object.values(excluded).reduce((sum, count) => sum + count, 0);
    expect(result.pairs + left).toBe(all.pairs);
  });

  test('one can be switched off, and only pairs that a rule selects count', async () => {
    const objects: Tied[] = [['wall'], ['door', { fills: ['wall'] }], ['pane', { partOf: ['door'] }]];
    expect((await clashing(objects)).excluded).toEqual({ openings: 1, wholes: 1 });
    const { found, excluded } = await clashing(objects, { exclusions: { openings: false } });
    expect([found, excluded]).toEqual([['door-wall', 'pane-wall'], { wholes: 1 }]);
    const rules = [{ a: { id: 'pane' }, b: { id: 'wall' } }];
    expect((await clashing(objects, { rules })).excluded).toEqual({});
  });

  test.each([[{ opening: true }], [{ openings: 'no' }], ['none'], [null]])(
    'refuses %j',
    async (exclusions) => {
      const refused = clashing([['a'], ['b']], { exclusions } as never);
      await expect(refused).rejects.toMatchObject({ code: 'bad-option' });
    },
  );
});
