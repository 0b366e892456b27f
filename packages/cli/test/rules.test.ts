/** Files of rules: what they mean, and what is said about mistakes in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full, least, runs } from '../../../test/budget.js';
import { CLASH_KINDS } from '../../model/src/check/clash-kinds.js';
import { patternProblem } from '../../model/src/check/rules/glob-pattern.js';
import { CompiledRules } from '../../model/src/check/rules/rule-table.js';
import { CommandError } from '../src/command-error.js';
import { closestWord } from '../src/rules/closest-word.js';
import { inModelUnit } from '../src/rules/model-unit.js';
import { parseRules, readRules } from '../src/rules/read-rules.js';
import { Files } from './files.js';

const files = new Files();

/** The mistakes in a text, without the name of the file. */
function mistakes(text: string): string[] {
  try {
    parseRules(text, 'r.yaml', patternProblem);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.message.split('\n').map((line) => {
      expect(line).toMatch(/^r\.yaml:\d+:\d+: /);
      return line.slice('r.yaml:'.length);
    });
  }
  return [];
}

/** What the documents show. */
const shown = ['rules', 'coordination'].flatMap((name) => {
  const text = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n(?!# \S*review)([\s\S]*?)^```$/gm)];
  return blocks.map(([, yaml], i) => [`docs/${name}.md, block ${i + 1}`, yaml] as const);
});

describe('files of rules', () => {
  test.each(shown)('%s has no mistakes', (_, yaml) => expect(mistakes(yaml)).toEqual([]));

  test('the example', async () => {
    const path = fileURLToPath(new URL('../../../examples/rules.yaml', import.meta.url));
    const file = await readRules(path, patternProblem);
    expect(file.defaults).toEqual({ tolerance: 0.001, kinds: ['hard', 'inside', 'duplicate', 'clearance'] });
    expect(file.ignoredClashIds).toEqual(['4f0c2a91d3b87e65']);
    expect(file.exclusions).toEqual({ assemblies: false });
    expect(Object.keys(file.sets)).toEqual(['steel', 'ducts', 'large pipes', 'routes', 'cables']);
    expect(file.rules).toHaveLength(2 + 3 + 8);
    expect(file.rules.slice(0, 3)).toEqual([
      { name: 'ignore 1', ignore: true, a: '**/reference grid/**' },
      { name: 'ignore 2', ignore: true, a: { type: 'pipe shoe' }, b: { type: ['pipe', 'girder'] } },
      {
        name: 'insulation needs room',
        a: { set: ['large pipes'], except: { property: { system: 'drain' } } },
        b: ['structure/**', 'hvac/**'],
        clearance: 0.05,
      },
    ]);
    expect(file.places.slice(2, 4)).toEqual([
      { a: { line: 29, column: 8 }, b: { line: 30, column: 8 } },
      { a: { line: 34, column: 8 }, b: { line: 36, column: 7 } },
    ]);
    expect(file.rules.slice(5)).toEqual([
      { name: 'piping / piping', a: { discipline: 'piping' }, b: { discipline: 'piping' }, clearance: 0 },
      { name: 'piping / steel', a: { discipline: 'piping' }, b: { set: 'steel' }, clearance: 0 },
      {
        name: 'piping / electrical',
        a: { discipline: 'piping' },
        b: { discipline: 'electrical' },
        clearance: 0.025,
      },
      {
        name: 'piping / ducts',
        a: { discipline: 'piping' },
        b: { set: 'ducts' },
        clearance: 0.025,
        tolerance: 0.005,
      },
      {
        name: 'electrical / electrical',
        a: { discipline: 'electrical' },
        b: { discipline: 'electrical' },
        ignore: true,
      },
      { name: 'electrical / steel', a: { discipline: 'electrical' }, b: { set: 'steel' }, clearance: 0 },
      { name: 'steel / steel', a: { set: 'steel' }, b: { set: 'steel' }, ignore: true },
      { name: 'steel / ducts', a: { set: 'steel' }, b: { set: 'ducts' }, clearance: 0 },
    ]);
    // the library takes all of it
    new CompiledRules(file.rules, { clearance: 0, tolerance: 0, kinds: ['hard'] }, file.sets);
  });

  test('JSON is the same, tabs and all', async () => {
    const rules = { clearance: '2 in', rules: [{ a: 'x/**', b: { id: ['1', '2'] }, ignore: false }] };
    const path = files.write('rules.json', JSON.stringify(rules, undefined, '\t'));
    expect(await readRules(path)).toMatchObject({
      defaults: { clearance: 0.0508 },
      sets: {},
      ignoredClashIds: [],
      files: [],
      rules: [{ name: 'rule 1', a: 'x/**', b: { id: ['1', '2'] }, ignore: false }],
    });
  });

  test.each([
    ['50mm', 0.05],
    ['2 in', 0.0508],
    ['0', 0],
  ])('the length %s', (text, metres) => {
    expect(parseRules(`clearance: ${text}`, '').defaults.clearance).toBeCloseTo(metres, 12);
  });

  test('texts that look like numbers stay as they are', () => {
    const text = 'rules: [{name: 007, a: {storey: 01, name: 1.50, property: {x: 1.50, y: "1.50", z: no}}}]';
    expect(parseRules(text, '').rules).toEqual([
      { name: '007', a: { storey: '01', name: '1.50', property: { x: 1.5, y: '1.50', z: 'no' } } },
    ]);
  });

  test('leaving something out does not leave out the rest', () => {
    expect(parseRules('ignore: [x/**]', '').rules).toEqual([
      { name: 'ignore 1', ignore: true, a: 'x/**' },
      { name: 'default' },
    ]);
    expect(parseRules('ignore: [{clash: [a1, b2]}, {clash: c3}]', '')).toMatchObject({
      rules: [],
      ignoredClashIds: ['a1', 'b2', 'c3'],
      files: [],
      defaults: {},
    });
    expect(parseRules('ignore: [{b: x}, [y, {id: z}]]', '').rules.slice(0, 2)).toEqual([
      { name: 'ignore 1', ignore: true, b: 'x' },
      { name: 'ignore 2', ignore: true, a: ['y', { id: 'z' }] },
    ]);
  });

  test('anchors and aliases', () => {
    const text =
      'rules:\n  - a: &pipes {type: IfcPipe*}\n    b: &x [w/**, *pipes]\n  - {name: again, a: *pipes, b: *x}\n';
    const [first, second] = parseRules(text, '').rules;
    expect(second).toEqual({ ...first, name: 'again' });
    expect(first.b).toEqual(['w/**', { type: 'IfcPipe*' }]);
  });

  test('in the unit of a model', () => {
    const file = parseRules('tolerance: 1mm\nrules: [{clearance: 50mm}, {a: x}]', '');
    const inMillimetres = inModelUnit(file, 0.001);
    expect(inMillimetres.defaults).toEqual({ tolerance: 1 });
    expect(inMillimetres.rules).toEqual([
      { name: 'rule 1', clearance: 50 },
      { name: 'rule 2', a: 'x' },
    ]);
  });
});

describe('mistakes', () => {
  test('all of them are told, in the order of the file', () => {
    const text = [
      'clearence: 1mm',
      'tolerance: 5 bananas',
      'rules:',
      '  - name: x',
      '    a: { tpye: IfcWall }',
      '    clearance: -1',
      '    kinds: [hard, softly]',
      '  - name: x',
      '    b: "{a,b"',
      '    skip-same-assembly: true',
      '    ignore: yes',
      'ignore:',
      '  - { clash: "" }',
      '  - {}',
    ].join('\n');
    expect(mistakes(text)).toEqual([
      '1:1: a file of rules has no "clearence"; did you mean clearance?',
      '2:12: tolerance: "5 bananas" is not a length; write it like 50mm',
      '5:10: a selector has no "tpye"; did you mean type?',
      '6:16: clearance: "-1" is not a length; write it like 50mm',
      `7:19: kinds: "softly" is not a kind of clash; use ${CLASH_KINDS.join(', ')}`,
      '8:11: name: another rule is called "x"',
      '9:8: b: the pattern "{a,b" has a { without a }; write \\{ for a literal brace',
      '10:5: a rule has no "skip-same-assembly"; did you mean skipSameAssembly?',
      '11:13: ignore: write true or false',
      '13:14: clash: it is empty',
      '14:5: ignore: an empty selector; leave the side out to select everything',
    ]);
  });

  test.each([
    ['', '1:1: the file is empty; write "rules:" and a list'],
    ['# nothing\n', '1:1: the file is empty; write "rules:" and a list'],
    ['just words', '1:1: a file of rules is written as names and values, "name: value"'],
    ['rules:', '1:7: rules: it is empty'],
    ['rules: {a: x}', '1:8: rules: write a list, one entry per line after "- "'],
    ['rules: [x]', '1:9: a rule is written as names and values, "name: value"'],
    ['a: 1\na: 2', '2:1: this key is here twice'],
    ['rules: []\n---\nrules: []', '2:1: a second document begins here; a file of rules is a single one'],
    [
      'rules: [{a: *x}]',
      '1:13: there is no anchor &x before this; quote a text that begins with one of * { [ !',
    ],
    ['rules: [{a: []}]', '1:13: a: an empty list selects nothing'],
    ['rules: [{a: [[x]]}]', '1:14: a: a list within a list'],
    ['rules: [{a: {name: []}}]', '1:20: name: the list is empty'],
    ['rules: [{a: {name: {x: 1}}}]', '1:20: name: write a pattern here'],
    ['rules: [{a: {property: {}}}]', '1:24: property: write the name of a property and its value'],
    [
      'rules: [{a: {property: {x: [1]}}}]',
      '1:28: x: write a text, a number, true, false, or a range such as {min: 2, max: 5} here',
    ],
    ['rules: [{a: {property: {x: {}}}}]', '1:28: x: a range needs min, max or both'],
    ['rules: [{a: {property: {x: {mim: 2}}}}]', '1:29: a range has no "mim"; did you mean min?'],
    ['rules: [{a: {property: {x: {min: two}}}}]', '1:34: min: write a number'],
    ['rules: [{a: {property: {x: {min: 2, max: 1}}}}]', '1:28: x: min is more than max'],
    [
      'rules: [{a: {set: x}}]',
      '1:19: set: no set above is called "x"; "sets:" at the top of the file names them',
    ],
    [
      'sets: {pipes: a/**}\nrules: [{a: {set: pipe}}]',
      '2:19: set: no set above is called "pipe"; did you mean pipes?',
    ],
    [
      'sets: {x: {set: x}}',
      '1:17: set: no set above is called "x"; "sets:" at the top of the file names them',
    ],
    ['sets: {x: {tpye: y}}', '1:12: a selector has no "tpye"; did you mean type?'],
    ['sets: {x: a}\nrules: [{a: {near: x}}]', '2:20: near is written as names and values, "name: value"'],
    ['sets: {x: a}\nrules: [{a: {near: {set: x}}}]', '2:20: near: write {set: NAME, within: 2m}'],
    [
      'sets: {x: a}\nrules: [{a: {near: {set: x, within: far}}}]',
      '2:37: within: "far" is not a length; write it like 50mm',
    ],
    ['exclusions: {opening: false}', '1:14: exclusions has no "opening"; did you mean openings?'],
    ['exclusions: {openings: no}', '1:24: openings: write true or false'],
    ['exclusions: none', '1:13: exclusions: write true or false'],
    ['matrix: {a: off}', '1:13: a row of the matrix is written as names and values, "name: value"'],
    [
      'matrix: {a: {b: soft}}',
      '1:17: a / b: "soft" is not off, hard, a clearance such as 50mm, or {clearance, tolerance, allowance, kinds}',
    ],
    ['matrix: {a: {b: 5mn}}', '1:17: a / b: "5mn" is not a length; write it like 50mm'],
    [
      'matrix: {a: {b: hard}, b: {a: off}}',
      '1:31: b / a: the matrix already has this pair, or a rule has this name',
    ],
    [
      'matrix: {a: {b: {clearence: 1}}}',
      '1:18: a cell of the matrix has no "clearence"; did you mean clearance?',
    ],
    ['rules: [{a: x, optional: maybe}]', '1:26: optional: write true or false'],
    ['rules: [{a: ""}]', '1:13: a: it is empty'],
    ['rules: [{kinds: []}]', '1:17: kinds: the list is empty'],
    [
      'rules: [{clearance: 1mm, kinds: hard}]',
      '1:33: kinds: the rule has a clearance, but its kinds leave clearance out',
    ],
    ['clearance: .inf', '1:12: clearance: ".inf" is not a length; write it like 50mm'],
    ['clearance: .nan', '1:12: clearance: ".nan" is not a length; write it like 50mm'],
    ['clearance: mm', '1:12: clearance: "mm" is not a length; write it like 50mm'],
    ['clearance: [1]', '1:12: clearance: this is not a length; write it like 50mm'],
    ['ignore: [{clash: x, a: y}]', '1:21: an ignored clash has no "a"; use clash'],
    ['ignore: [{a: x, type: y}]', '1:17: an ignored pair has no "type"; use a, b'],
    ['? [a]\n: 1', '1:3: a name must be a plain text'],
  ])('%j', (text, message) => {
    expect(mistakes(text)).toEqual([message]);
  });

  test.each(['*.ifc', '**/x', '[a-z]*', '{a,b}/**', '!x'])('the pattern %s without quotes', (pattern) => {
    expect(mistakes(`rules:\n  - a: ${pattern}`)).toEqual([
      expect.stringMatching(/^2:\d+: .*quote a text that begins with one of \* \{ \[ !$/),
    ]);
    expect(mistakes(`rules:\n  - a: '${pattern}'`)).toEqual([]);
  });

  test('broken YAML and strange tags are told with their place', () => {
    expect(mistakes('rules:\n  - a: x\n b: y')[0]).toMatch(/^\d+:\d+: ./);
    expect(mistakes('rules: [')[0]).toMatch(/^1:\d+: ./);
    expect(mistakes('rules: !!js/function x')[0]).toMatch(/^1:8: ./);
  });

  test('files that cannot be read', async () => {
    await expect(readRules(join(files.folder, 'absent.yaml'))).rejects.toThrow(
      /absent\.yaml: cannot be read: there is no such file/,
    );
    await expect(readRules(files.folder)).rejects.toThrow(/: is a folder$/);
    const bytes = files.write('bytes.yaml', Uint8Array.of(0x61, 0xff, 0xfe));
    await expect(readRules(bytes)).rejects.toThrow(/bytes\.yaml: is not UTF-8 text/);
    const long = files.write('long.yaml', '#'.repeat(5_000_000));
    await expect(readRules(long)).rejects.toThrow(/long\.yaml:1:1: the file is longer than 2 million/);
  });
});

describe('hostile files', () => {
  full('bombs of aliases', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? 'x0: &x0 [a, a]'
        : `x${i}: &x${i} [${Array(9)
            .fill(`*x${i - 1}`)
            .join()}]`,
    );
    expect(mistakes(levels.join('\n')).length).toBeGreaterThan(0);
    const excepts = Array.from({ length: 20 }, (_, i) =>
      i === 0
        ? '&x0 {except: [a, b]}'
        : `&x${i} {except: [${Array(6)
            .fill(`*x${i - 1}`)
            .join()}]}`,
    );
    expect(mistakes(`rules:\n${excepts.map((text) => `  - a: ${text}`).join('\n')}`).join()).toMatch(
      /aliases make the file too large/,
    );
    expect(mistakes('rules: [{a: &x {except: *x}}]')).toEqual([
      expect.stringMatching(/except is nested more than 16 deep/),
    ]);
  });

  test.each(['[', '{a: ', '- ', '? ', '- ? ', 'a: b '])('nesting of %j', (open) => {
    for (const end of ['', '\nx: y\n']) {
      const found = mistakes(open.repeat(5_000) + end);
      expect(found).toEqual([expect.stringMatching(/nested more than 64 deep/)]);
    }
  });

  test('what is not text, and names of everything', () => {
    expect(mistakes('\u0000\u0001: [\u0002').length).toBeGreaterThan(0);
    const { rules } = parseRules('rules: [{a: {property: {__proto__: 1, constructor: x}}}]', '');
    const { property } = rules[0].a as { property: object };
    expect(Object.entries(property)).toEqual([
      ['__proto__', 1],
      ['constructor', 'x'],
    ]);
    expect(mistakes('constructor: 1')).toHaveLength(1);
  });

  test('cut or altered anywhere, the example is read or refused, never anything else (seed 311)', () => {
    const whole = readFileSync(new URL('../../../examples/rules.yaml', import.meta.url), 'utf8');
    let refused = 0;
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.constantFrom('', '{', '[', ':', '- ', '*a', '&a', '"', '\n', '\t', '%', '!', '|', '}'),
        fc.boolean(),
        (at, inserted, cut) => {
          const text = whole.slice(0, at) + inserted + (cut ? '' : whole.slice(at + 1));
          if (mistakes(text).length > 0) refused++;
        },
      ),
      { seed: 311, numRuns: runs(150) },
    );
    expect(refused).toBeGreaterThan(least(30));
  });
});

test('what someone may have meant', () => {
  const known = ['clearance', 'tolerance', 'name', 'a', 'b', 'skipSameFile'];
  expect(closestWord('clearence', known)).toBe('clearance');
  expect(closestWord('Tolerence', known)).toBe('tolerance');
  expect(closestWord('nmae', known)).toBe('name');
  expect(closestWord('skip_same_file', known)).toBe('skipSameFile');
  expect(closestWord('distance', known)).toBeUndefined();
});
