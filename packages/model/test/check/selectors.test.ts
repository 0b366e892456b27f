/** Labels, ranges, sets and what is near them; sides that select nothing; against slow readings of the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { kindBit } from '../../src/check/clash-kinds.js';
import { MembersNear } from '../../src/check/rules/members-near.js';
import type { CheckRule, Selection, SelectionSets } from '../../src/check/rules/rule.js';
import { modelOf, selected, type TestObject, tableOf } from './rule-models.js';
import { ALL_KINDS } from './support.js';

const plant: readonly TestObject[] = [
  { type: 'Pipe', x: 0, labels: { system: ['Cold water', 'Fire'], material: ['Steel'] } },
  { type: 'Pipe', x: 10, properties: { 'Pset_Pipe.NominalDiameter': 100, 'Pset_Pipe.Status': 'New' } },
  { type: 'Wall', x: 11.5, labels: { layer: ['A-WALL'], classification: ['21.22 External walls'] } },
  {
    type: 'Wall',
    x: 20,
    properties: { 'Qto.Length': 4, 'Dimensions.Length': 4.2, 'Pset.LoadBearing': true },
  },
  {
    type: 'Door',
    x: 22.5,
    labels: { group: ['Phase 2'] },
    properties: { 'Pset_Pipe.NominalDiameter': '40' },
  },
];

describe('selectors', () => {
  test.each<[string, Selection, number[]]>([
    ['any of several systems', { system: 'fire' }, [0]],
    ['materials and types together', { material: 'st*', type: 'Pipe' }, [0]],
    ['classifications by code', { classification: '21.*' }, [2]],
    ['layers and groups', [{ layer: 'a-*' }, { group: 'Phase ?' }], [2, 4]],
    ['what has no system', { system: '' }, [1, 2, 3, 4]],
    ['a range', { property: { 'Pset_Pipe.NominalDiameter': { min: 50, max: 100 } } }, [1]],
    ['an open range, of numbers in words too', { property: { NominalDiameter: { max: 99.5 } } }, [4]],
    ['a name without its set', { property: { LoadBearing: true } }, [3]],
    ['several that agree about what is asked', { property: { Length: { min: 4 } } }, [3]],
    ['no part of a word', { property: { Bearing: true } }, []],
    ['a set', { set: 'pipes' }, [0, 1]],
    ['one of several sets', { set: ['pipes', 'doors'] }, [0, 1, 4]],
    ['a set and more', { set: 'services', type: 'Door' }, [4]],
    ['a set without another', { set: 'services', except: { set: 'pipes' } }, [4]],
    ['all but a set', { except: { set: 'services' } }, [2, 3]],
    ['what is near', { near: { set: 'pipes', within: 0.5 } }, [0, 1, 2]],
    ['what is nearer', { near: { set: 'pipes', within: 0.49 } }, [0, 1]],
    ['what is near what is near', { near: { set: 'by pipes', within: 7.5 } }, [1, 2, 3]],
  ])('%s', (_, selection, expected) => {
    const sets: SelectionSets = {
      pipes: { type: 'Pipe' },
      doors: { type: 'Door' },
      services: [{ set: 'pipes' }, { set: 'doors' }],
      'by pipes': { type: 'Wall', near: { set: 'pipes', within: 1 } },
    };
    expect(selected(selection, plant, sets)).toEqual(expected);
  });

  test('a name that leaves open which property is meant is refused, where it matters', () => {
    const wanted = { property: { Length: { min: 4.1 } } };
    expect(() => selected(wanted, [{ path: 'W', ...plant[3] }])).toThrow(
      'rule "rule 1", side a, property "Length": "W" has several with different values, ' +
        'Qto.Length, Dimensions.Length; write the full name of one',
    );
    expect(selected({ ...wanted, type: 'Door' }, plant)).toEqual([]);
    expect(selected({ property: { 'Dimensions.Length': { min: 4.1 } } }, plant)).toEqual([3]);
  });

  test.each<[string, SelectionSets, Selection, RegExp]>([
    ['an unknown set', { x: 'a' }, { set: 'y' }, /side a, set: there is no set y; there are x$/],
    [
      'a set within itself',
      { x: { except: { set: 'x' } } },
      { set: 'x' },
      /^set "x", except, set: set "x" contains itself/,
    ],
    [
      'sets in a circle',
      { x: { set: 'y' }, y: { near: { set: 'x', within: 1 } } },
      { set: 'x' },
      /contains itself/,
    ],
    ['no list of sets', {}, { set: [] }, /side a: set is an empty list/],
    ['near without a length', { x: 'a' }, { near: { set: 'x' } as never }, /near: needs a set, and within/],
    ['near nothing', {}, { near: { within: 1 } as never }, /near: needs a set/],
    ['a range without ends', {}, { property: { p: {} } }, /property "p": is not a string/],
    ['a range of words', {}, { property: { p: { min: 'a' as never } } }, /is not a range/],
    ['a range backwards', {}, { property: { p: { min: 2, max: 1 } } }, /is not a range: 2 to 1/],
    ['what is wrong in a set', { x: { type: '{' } }, { set: 'x' }, /set "x", type: the pattern/],
  ])('refuses %s', (_, sets, selection, message) => {
    expect(() => selected(selection, plant, sets)).toThrow(message);
  });

  test('a chain of hundreds of sets needs no depth', () => {
    const sets: Record<string, Selection> = { s0: { type: 'Pipe' } };
    for (let i = 1; i < 300; i++) sets[`s${i}`] = { set: `s${i - 1}` };
    const rules = Object.keys(sets).map((set) => ({ a: { set } }));
    expect(tableOf(rules, modelOf(plant), sets).rules.at(-1)).toMatchObject({ countA: 2 });
    const backwards = Object.fromEntries(Object.entries(sets).reverse());
    expect(() => tableOf(rules, modelOf(plant), backwards)).toThrow(/nested more than 16 deep/);
  });

  test('near is what the distance of boxes says (seed 510)', () => {
    const coordinate = fc.integer({ min: -20, max: 20 });
    const box = fc.tuple(coordinate, coordinate, coordinate, fc.integer({ min: 0, max: 5 }));
    let found = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(box, fc.boolean()), { maxLength: 60 }), fc.nat(9), (given, distance) => {
        const boxes = Float64Array.from(
          given.flatMap(([[x, y, z, size]]) => [x, y, z, x + size, y + size, z + size]),
        );
        const members = Uint8Array.from(given, ([, isMember]) => (isMember ? 1 : 0));
        const expected = given.map((_, i) =>
          given.some(([, isMember], j) => {
            const gaps = [0, 1, 2].map((k) =>
              Math.max(0, boxes[6 * i + k] - boxes[6 * j + 3 + k], boxes[6 * j + k] - boxes[6 * i + 3 + k]),
            );
            return isMember && Math.hypot(...gaps) <= distance;
          })
            ? 1
            : 0,
        );
        found += expected.reduce<number>((sum, one) => sum + one, 0);
        const near = new MembersNear(boxes, members, distance);
        expect(given.map((_, i) => Number(near.of(i).length > 0))).toEqual(expected);
      }),
      { seed: 510, numRuns: runs(200) },
    );
    expect(found).toBeGreaterThan(10);
  });
});

describe('sides that select nothing', () => {
  const empty = (...rules: CheckRule[]) =>
    tableOf(rules, modelOf(plant)).emptySides.map(({ rule, side }) => `${rule}.${side}`);
  test('are told, unless the rule is optional or only leaves out', () => {
    expect(empty({ name: 'r', a: { type: 'IfcWal' }, b: { type: 'x' } })).toEqual(['r.a', 'r.b']);
    expect(empty({ a: { type: 'Pipe' } }, { a: { type: 'y' }, optional: true })).toEqual([]);
    expect(empty({ a: { type: 'y' }, ignore: true }, {})).toEqual([]);
  });
  test('of optional rules, too, where no rule is left', () => {
    expect(empty({ a: { type: 'y' }, optional: true }, { ignore: true })).toEqual(['rule 1.a']);
  });
  test('parts of sides that find nothing are told, where the side finds something', () => {
    const unmatched = (a: Selection, more = {}) =>
      tableOf([{ a, ...more }, {}], modelOf(plant)).rules[0].unmatched;
    expect(unmatched(['x/**', { type: ['Pipe', 'Pip'] }])).toEqual([
      'side a: path "x/**"',
      'side a: type "Pip"',
    ]);
    expect(unmatched([{ type: 'Wall' }, { type: 'Pipe', layer: 'A-*' }])).toEqual(['side a: entry 2']);
    expect(unmatched([{ type: 'Wall' }, { property: { LoadBearing: false } }])).toEqual([
      'side a: property "LoadBearing"',
    ]);
    expect(unmatched([{ type: 'Wall' }, { type: 'Door', except: { system: 'x' } }])).toEqual([]);
    expect(unmatched({ type: ['Pipe', 'Pip'] }, { optional: true })).toEqual([]);
    expect(unmatched({ type: ['Pipe', 'Pip'] }, { ignore: true })).toEqual([]);
    expect(unmatched({ type: ['Pip'] }, { optional: true })).toEqual([]);
  });
  test('counts are given', () => {
    const [rule] = tableOf([{ a: { type: 'Pipe' }, b: { system: 'Fire' } }], modelOf(plant)).rules;
    expect(rule).toEqual({
      ...{ name: 'rule 1', clearance: 0, tolerance: 0, countA: 2, countB: 1, zone: undefined },
      // without a zone nothing can be in it
      kinds: ALL_KINDS & ~(kindBit('obstruction') | kindBit('blocked')),
      unmatched: [],
    });
  });
});
