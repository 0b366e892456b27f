/** Patterns, selections and rule tables against slow readings of the same rules. */
import fc from 'fast-check';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { describe, expect, it, test } from 'vitest';
import { full, least, runs } from '../../../../test/budget.js';
import { CLASH_KINDS, kindBit } from '../../src/check/clash-kinds.js';
import { GlobSet } from '../../src/check/rules/glob.js';
import { type GlobStyle, patternProblem } from '../../src/check/rules/glob-pattern.js';
import type { CheckRule, Selection, Selector } from '../../src/check/rules/rule.js';
import { CompiledRules } from '../../src/check/rules/rule-table.js';
import type { PropertyValue } from '../../src/store/source.js';
import { DEFAULTS, modelOf, selected, type TestObject, tableOf } from './rule-models.js';
import { ALL_KINDS } from './support.js';

const PATHS: GlobStyle = { paths: true, caseless: true };
const NAMES: GlobStyle = { paths: false, caseless: true };
const IDS: GlobStyle = { paths: false, caseless: false };

function matches(pattern: string, text: string, style = PATHS): boolean {
  const globs = new GlobSet(style);
  const index = globs.add(pattern);
  return globs.matched(globs.match(text)).has(index);
}

/**
 * Patterns of letters, `/`, `?`, `*`, `**` and `{…}`: braces written out, then going back wherever that is possible.
 */
function slowMatches(pattern: string, text: string, paths: boolean): boolean {
  const tokens = pattern
    .replace(/(?<=^|\/)\*{2,}\//g, paths ? '§' : '²/')
    .replace(/\*{2,}/g, '²')
    .replace(/\*/g, paths ? '¹' : '²');
  const from = (p: string, t: string): boolean => {
    const [first, rest] = [p[0], p.slice(1)];
    if (first === undefined) return t === '';
    if (first === '§') return from(rest, t) || from(`²/${rest}`, t);
    if (first === '²') return from(rest, t) || (t !== '' && from(p, t.slice(1)));
    if (first === '¹') return from(rest, t) || (t !== '' && t[0] !== '/' && from(p, t.slice(1)));
    if (t === '' || (first === '?' && paths && t[0] === '/')) return false;
    return (first === '?' || first === t[0]) && from(rest, t.slice(1));
  };
  return writtenOut(tokens).some((p) => from(p, text));
}

/** `a{b,c}` → `ab`, `ac`: innermost braces first. */
function writtenOut(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  return braces[1].split(',').flatMap((alternative) => writtenOut(before + alternative + after));
}

describe('patterns', () => {
  test.each([
    ['piping/**', 'piping/level 1/pipe', true],
    ['piping/**', 'piping', false],
    ['piping/*', 'piping/level 1/pipe', false],
    ['**/valve*', 'a/b/valve 7', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['**', '', true],
    ['?', '𝒳', true],
    ['PIPING/*', 'Piping/x', true],
    ['{pipe,duct}-[0-9]', 'DUCT-7', true],
    ['{pipe,duct}-[!0-9]', 'duct-7', false],
    ['a{,b{c,d}}', 'abd', true],
    ['{a/,}**/z', 'a/b/z', true],
    ['[]x]', ']', true],
    ['[a-]', '-', true],
    ['[!x]', '/', false],
    ['[A-Z]1', 'q1', true],
    ['\\*\\{\\[', '*{[', true],
    ['\\*', 'x', false],
    ['a}b]', 'a}b]', true],
    ['Straße*', 'STRAßE 1', true],
    ['ΣΑΣ?', 'σας1', true],
    ['caf\u00e9*', 'CAFE\u0301 1', true],
    ['caf\u00e9', 'cafe\u0301', true],
  ])('%s against %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test('in names `/` is a character like others; in ids case counts', () => {
    expect(matches('*elbow', 'Pipe 1/2" elbow', NAMES)).toBe(true);
    expect(matches('1?2', '1/2', NAMES)).toBe(true);
    expect(matches('2O2Fr$t4X7Zf8NOew3FLOH', '2O2Fr$t4X7Zf8NOew3FLOH', IDS)).toBe(true);
    expect(matches('2o2fr$t4x7zf8noew3floh', '2O2Fr$t4X7Zf8NOew3FLOH', IDS)).toBe(false);
    expect(matches('2o2*', '2O2Fr', IDS)).toBe(false);
  });

  it('equals a matcher that goes back, many patterns at once (seed 301)', () => {
    const alphabet = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '{a,/b}', '{,*{b,/}}');
    const pattern = fc.array(alphabet, { maxLength: 7 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 9 });
    let hits = 0;
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 12 }),
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        (patterns, texts, paths) => {
          const globs = new GlobSet({ paths, caseless: true });
          const indices = patterns.map((p) => globs.add(p));
          for (const t of texts) {
            const outcome = globs.match(t);
            patterns.forEach((p, k) => {
              const expected = slowMatches(p, t, paths);
              if (expected) hits++;
              expect(globs.matched(outcome).has(indices[k]), `${p} against ${t}`).toBe(expected);
            });
          }
        },
      ),
      { seed: 301, numRuns: runs(400) },
    );
    expect(hits).toBeGreaterThan(least(1000));
  });

  full.each([1, 4])('keeps right when states are thrown away and patterns parted, %d patterns', (count) => {
    // which of the last characters were an a: at least 2¹³ states
    const globs = new GlobSet(NAMES);
    const lengths = Array.from({ length: count }, (_, k) => 13 + k);
    const indices = lengths.map((length) => globs.add(`*a${'?'.repeat(length - 1)}`));
    let random = 1;
    let hits = 0;
    for (let k = 0; k < 300; k++) {
      let text = k % 5 === 0 ? 'ö' : '';
      for (let i = 0; i < 40; i++) {
        random = (random * 1103515245 + 12345) % 2147483648;
        text += random & 65536 ? 'a' : 'b';
      }
      const expected = indices.filter((_, n) => text.at(-lengths[n]) === 'a');
      hits += expected.length;
      expect([...globs.matched(globs.match(text))]).toEqual(expected);
    }
    expect(hits).toBeGreaterThan(100);
  });

  it('no pattern makes it slow', () => {
    expect(matches('*a'.repeat(400), `${'a'.repeat(5000)}b`, NAMES)).toBe(false);
    expect(matches('{a,a}'.repeat(200), 'a'.repeat(200), NAMES)).toBe(true);
    expect(matches(`${'{a,'.repeat(200)}b${'}'.repeat(200)}`, 'b', NAMES)).toBe(true);
  });

  test.each([
    ['a{b', /\{ without a \}/],
    ['{ab}', /single alternative/],
    ['{}', /single alternative/],
    ['[ab', /\[ without a \]/],
    ['[]', /\[ without a \]/],
    ['[z-a]', /backwards/],
    ['a\\', /a lone/],
    ['x'.repeat(1025), /longer than 1024/],
  ])('refuses %s', (pattern, message) => {
    expect(patternProblem(pattern)).toMatch(message);
    expect(() => new GlobSet(PATHS).add(pattern)).toThrow(ImpingeError);
  });
  test('has no objection to sound patterns', () => {
    expect(patternProblem('a/**/{b,c}[0-9]?')).toBeUndefined();
  });
});

describe('selections', () => {
  const objects: TestObject[] = [
    { path: 'Piping/L1/Pipe 1', name: 'Pipe 1', id: 'aB', type: 'IfcPipeSegment', discipline: 'Piping' },
    { path: 'Piping/L1/Valve', name: 'Valve 1/2', id: 'Ab', type: 'IfcValve', storey: 'L1', file: 'P.ifc' },
    {
      path: 'Walls/W1',
      name: 'W1',
      type: 'IfcWall',
      properties: { 'Pset.FireRating': 'REI 60', loadBearing: true, width: 0.2 },
    },
    {
      path: 'Walls/W2',
      name: 'W2',
      type: 'IfcWallStandardCase',
      properties: { loadBearing: 'TRUE', width: '0.2' },
    },
  ];
  test.each<[string, Selection, number[]]>([
    ['a pattern of paths', 'piping/**', [0, 1]],
    ['several', ['piping/**', { type: 'ifcwall' }], [0, 1, 2]],
    ['one of several patterns', { name: ['pipe*', 'w?'] }, [0, 2, 3]],
    ['fields together', { type: 'ifcwall*', name: 'W2' }, [3]],
    ['ids, to the letter', { id: 'aB' }, [0]],
    ['what is unknown', { storey: '', discipline: '' }, [2, 3]],
    ['exceptions', { type: 'Ifc*', except: 'Walls/**' }, [0, 1]],
    ['exceptions of exceptions', { except: { path: 'Walls/**', except: { name: 'w1' } } }, [0, 1, 2]],
    ['files', { file: '*.IFC' }, [1]],
    ['storeys', { storey: 'l1' }, [1]],
    ['properties by pattern', { property: { 'Pset.FireRating': 'rei*' } }, [2]],
    ['properties by truth', { property: { loadBearing: true } }, [2, 3]],
    ['properties by number', { property: { width: 0.2 } }, [2, 3]],
    ['several properties', { property: { width: 0.2, 'Pset.FireRating': '*60' } }, [2]],
    ['no property of that name', { property: { toString: '*' } }, []],
  ])('%s', (_, selection, expected) => {
    expect(selected(selection, objects)).toEqual(expected);
  });

  test('properties are read only when asked for', () => {
    const model = { ...modelOf(objects), properties: () => expect.unreachable() };
    expect(tableOf([{ a: { type: 'x' } }], model).ruleOf(0, 1)).toBe(-1);
  });
});

describe('the rule table', () => {
  const plant = modelOf([
    { path: 'piping/rack/p1', file: 'p.ifc' },
    { path: 'piping/rack/p2', file: 'p.ifc' },
    { path: 'steel/beam', file: 's.ifc' },
    { path: 'steel/column', file: 's.ifc' },
    { path: 'loose' },
    { path: 'other' },
  ]);

  test.each([[undefined], [[]]])('without rules: one for every pair (%s)', (rules) => {
    const table = tableOf(rules, plant, {}, { ...DEFAULTS, clearance: 0.1, kinds: ['hard', 'clearance'] });
    expect(table.rules).toEqual([
      {
        name: 'default',
        clearance: 0.1,
        tolerance: 0,
        kinds: kindBit('hard') | kindBit('clearance'),
        countA: 6,
        countB: 6,
        unmatched: [],
      },
    ]);
    expect(table.clearance).toBe(0.1);
    expect(table.ruleOf(0, 1)).toBe(0);
    expect(table.ruleOf(5, 0)).toBe(0);
    expect(table.ruleOf(3, 3)).toBe(-1);
  });

  test('the first rule that selects a pair decides, in either order', () => {
    const table = tableOf(
      [
        { name: 'known', a: 'piping/rack/p1', b: 'steel/beam', ignore: true, clearance: 9 },
        { name: 'pipes', a: 'piping/**', b: 'steel/**', clearance: 0.05, tolerance: 0.001 },
        { name: 'rest', a: 'piping/**', kinds: ['hard'] },
      ],
      plant,
      {},
      { ...DEFAULTS, clearance: 0.2 },
    );
    const rows = [0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3, 4].map((j) => table.ruleOf(i, j)));
    expect(rows).toEqual([
      [-1, 2, -1, 1, 2],
      [2, -1, 1, 1, 2],
      [-1, 1, -1, -1, -1],
      [1, 1, -1, -1, -1],
      [2, 2, -1, -1, -1],
    ]);
    expect(table.rules.map((r) => [r.clearance, r.tolerance, r.kinds, r.countA, r.countB])).toEqual([
      [9, 0, 0, 1, 1],
      [0.05, 0.001, ALL_KINDS & ~(kindBit('obstruction') | kindBit('blocked')), 2, 2],
      [0, 0, kindBit('hard'), 2, 6],
    ]);
    // neither the rule that ignores nor the one without clearances counts
    expect(table.clearance).toBe(0.05);
  });

  test('pairs of one assembly or one file are left to later rules', () => {
    const table = tableOf(
      [{ skipSameAssembly: true }, { skipSameFile: true }, { a: 'steel/*', ignore: true }, {}],
      plant,
    );
    expect(table.rules.map((rule) => rule.name)).toEqual(['rule 1', 'rule 2', 'rule 3', 'rule 4']);
    expect(table.ruleOf(0, 1)).toBe(3); // one rack, one file
    expect(table.ruleOf(2, 3)).toBe(-1); // the same, and ignored
    expect(table.ruleOf(0, 2)).toBe(0);
    expect(table.ruleOf(4, 5)).toBe(0); // no assembly is not the same assembly
    const files = tableOf([{ skipSameFile: true }], plant);
    expect([files.ruleOf(0, 1), files.ruleOf(0, 2), files.ruleOf(4, 5)]).toEqual([-1, 0, 0]);
  });

  test.each<[string, unknown, RegExp]>([
    ['a negative clearance', { name: 'x', clearance: -1 }, /^rule "x": its clearance is -1/],
    ['no number', { tolerance: Number.NaN }, /^rule "rule 1": its tolerance is NaN/],
    ['infinity', { clearance: Infinity }, /clearance is Infinity/],
    ['text for a length', { clearance: '5' }, /clearance is 5, not a length/],
    ['an unknown kind', { kinds: ['soft'] }, /unknown kind "soft"; there are hard, inside/],
    ['no kinds', { kinds: [] }, /at least one/],
    ['a clearance that cannot be reported', { kinds: ['hard'], clearance: 1 }, /leave clearance out/],
    ['an unknown field', { clearence: 1 }, /unknown field "clearence"/],
    ['an unknown field of a selector', { a: { tpye: 'x' } }, /^rule "rule 1", side a: unknown field "tpye"/],
    ['an empty selector', { b: {} }, /side b: an empty selector/],
    ['an empty list', { b: [] }, /side b: an empty list/],
    ['an empty list of patterns', { b: { name: [] } }, /side b: name is an empty list/],
    ['an empty path', { a: '' }, /empty pattern/],
    ['a number for a pattern', { a: { name: 7 } }, /name is not a pattern/],
    [
      'a malformed pattern',
      { name: 'x', a: { type: '{a' } },
      /^rule "x", side a, type: the pattern "\{a" has a \{/,
    ],
    ['no properties', { a: { property: {} } }, /property needs names/],
    ['an odd property', { a: { property: { x: null } } }, /property "x": is not a string/],
    ['an exception', { a: { except: [] } }, /side a, except: an empty list/],
    ['a flag', { ignore: 'yes' }, /ignore is yes/],
    ['an empty name', { name: '' }, /its name/],
  ])('refuses %s', (_, rule, message) => {
    const compile = () => tableOf([rule as CheckRule], plant);
    expect(compile).toThrow(message);
    expect(compile).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
  test('refuses a selection that excepts itself', () => {
    const self: { except?: Selector } = {};
    self.except = self;
    expect(() => tableOf([{ a: self }], plant)).toThrow(/nested more than 16 deep/);
  });

  full('equals reading the rules one after the other (seed 302)', () => {
    const word = fc.constantFrom('a', 'b', 'c');
    const pattern = fc.constantFrom('a', 'b*', '**', 'a/**', '*/b', '{a,b}/*', '[!a]*', '**/c');
    const selector: fc.Arbitrary<string | Selector> = fc.oneof(
      pattern,
      fc.record({ path: pattern }),
      fc.record(
        { name: pattern, type: fc.array(word, { minLength: 1, maxLength: 2 }) },
        { requiredKeys: ['name'] },
      ),
      fc.record({ id: word, except: pattern }, { requiredKeys: ['except'] }),
      fc.record({ property: fc.record({ k: fc.constantFrom<PropertyValue>('a*', 1, true) }) }),
    );
    const selection: fc.Arbitrary<Selection> = fc.oneof(
      selector,
      fc.array(selector, { minLength: 1, maxLength: 3 }),
    );
    const rule: fc.Arbitrary<CheckRule> = fc.record(
      {
        a: selection,
        b: selection,
        ignore: fc.boolean(),
        skipSameAssembly: fc.boolean(),
        skipSameFile: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const object: fc.Arbitrary<TestObject> = fc.record(
      {
        path: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('/')),
        name: word,
        id: word,
        type: word,
        file: word,
        properties: fc.record(
          { k: fc.constantFrom<PropertyValue>('a1', '1', 1, true, 'TRUE', 2) },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['path'] },
    );
    let checked = 0;
    let unchecked = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 70 }),
        fc.array(object, { minLength: 2, maxLength: 12 }),
        (rules, objects) => {
          const table = tableOf(rules, modelOf(objects));
          for (let i = 0; i < objects.length; i++) {
            for (let j = 0; j < objects.length; j++) {
              const expected = slowRuleOf(rules, objects, i, j);
              if (expected < 0) unchecked++;
              else checked++;
              expect(table.ruleOf(i, j)).toBe(expected);
            }
          }
        },
      ),
      { seed: 302, numRuns: runs(300) },
    );
    expect(checked).toBeGreaterThan(least(1000));
    expect(unchecked).toBeGreaterThan(least(1000));
  });

  full('thousands of rules about single objects', () => {
    const objects = Array.from({ length: 3000 }, (_, i) => ({ path: `x/${i}`, id: `id${i}` }));
    const rules: CheckRule[] = objects
      .slice(0, 2000)
      .map((_, i) => ({ a: { id: `id${i}` }, b: { id: `id${i + 1}` }, ignore: true }));
    const table = tableOf([...rules, {}], modelOf(objects));
    for (let i = 0; i < 2999; i++) {
      expect(table.ruleOf(i + 1, i)).toBe(i < 2000 ? -1 : 2000);
      expect(table.ruleOf(i, (i + 2) % 3000)).toBe(2000);
    }
  });

  test.each<[CheckRule, boolean]>([
    [{ a: 'property/**', name: '"property"' }, false],
    [{ a: { name: 'property' }, b: [{ type: 'x' }, 'y'] }, false],
    [{ b: { property: { colour: 'red' } } }, true],
    [{ a: ['x', { path: 'y', except: { type: 'z', except: { property: { n: 1 } } } }] }, true],
  ])('whether %j asks for properties', (rule, expected) => {
    expect(new CompiledRules([rule], DEFAULTS).asksForProperties).toBe(expected);
  });

  test('every kind has a bit of its own', () => {
    CLASH_KINDS.forEach((kind, bit) => {
      if (kind === 'blocked') return; // of no pair
      const rule = kind === 'obstruction' ? { zone: { above: 1 } } : { kinds: [kind] };
      expect(tableOf([rule], plant).rules[0].kinds).toBe(1 << bit);
    });
    expect(() => tableOf([{ kinds: ['obstruction'] }], plant)).toThrow(
      'it reports obstructions, but has no zone',
    );
    expect(() => tableOf([{ kinds: ['blocked'] }], plant)).toThrow('but asks for no access');
  });
});

/** The same without tables, profiles or automata. */
function slowRuleOf(
  rules: readonly CheckRule[],
  objects: readonly TestObject[],
  i: number,
  j: number,
): number {
  if (i === j) return -1;
  const [x, y] = [objects[i], objects[j]];
  const parent = (o: TestObject) => o.path!.split('/').slice(0, -1).join('/');
  for (const [index, rule] of rules.entries()) {
    const on = (side: Selection | undefined, o: TestObject) => side === undefined || slowSelects(side, o);
    if (!((on(rule.a, x) && on(rule.b, y)) || (on(rule.a, y) && on(rule.b, x)))) continue;
    if (rule.skipSameAssembly && parent(x) !== '' && parent(x) === parent(y)) continue;
    if (rule.skipSameFile && x.file && x.file === y.file) continue;
    return rule.ignore ? -1 : index;
  }
  return -1;
}

function slowSelects(selection: Selection, o: TestObject): boolean {
  if (Array.isArray(selection)) return selection.some((one: string | Selector) => slowSelects(one, o));
  const selector = typeof selection === 'string' ? { path: selection } : (selection as Selector);
  for (const field of ['path', 'name', 'id', 'type', 'file'] as const) {
    const patterns = selector[field];
    if (patterns === undefined) continue;
    if (![patterns].flat().some((p: string) => matches(p, o[field] ?? '', field === 'path' ? PATHS : NAMES)))
      return false;
  }
  if (selector.property) {
    const value = o.properties?.['k'];
    const wanted = selector.property['k'];
    if (value === undefined) return false;
    if (wanted === 1 && String(value) !== '1') return false;
    if (wanted === true && String(value).toLowerCase() !== 'true') return false;
    if (wanted === 'a*' && !String(value).startsWith('a')) return false;
  }
  return !(selector.except !== undefined && slowSelects(selector.except, o));
}
