import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { Files } from './files.js';
import { NOTHING, PLENTY, readSource } from './source-triangles.js';

const files = new Files();

/** The corners of each part, by its path, found in the simplest way: line by line, the vertices first. */
function objCorners(text: string): Map<string, number[]> {
  const lines = text.replaceAll('\\\n', '').split('\n');
  const statements = lines.map((line) => line.trim().split(/\s+/));
  const vertices = statements.filter(([kind]) => kind === 'v').map(([, ...words]) => words.map(Number));
  const parts = new Map<string, number[]>();
  const entered = (path: string) => {
    if (!parts.has(path)) parts.set(path, []);
    return path;
  };
  let object = '';
  let part = entered('');
  let before = 0;
  for (const [kind, ...words] of statements) {
    const name = words.join(' ');
    if (kind === 'v') before++;
    else if (kind === 'o') part = object = entered(name);
    else if (kind === 'g') {
      const inObject = object !== '' && name !== '' && name !== object;
      part = entered(inObject ? `${object}/${name}` : name || object);
    } else if (kind === 'f') {
      const face = words.map(Number).map((i) => vertices[i > 0 ? i - 1 : before + i]);
      for (let i = 2; i < face.length; i++) {
        parts.get(part)!.push(...face[0], ...face[i - 1], ...face[i]);
      }
    }
  }
  return new Map([...parts].filter(([, corners]) => corners.length > 0));
}

const PARTS = `v 0 0 0
v 1 0 0
v 0 1 0
f 1 2 3
o pump
v 0 0 1
g inlet
f 1 2 -1
o motor
f 2 \\
 3 4
v 5 5 5
g
f 4 5 1 2
o empty
o pump
f 5 4 6
g inlet
f -1 -2 -3
v 9 9 9
`;

test('parts are objects; one that is taken up again is one object', async () => {
  for (const [newline, content] of [
    ['LF', PARTS],
    ['CR LF', PARTS.replaceAll('\n', '\r\n')],
    ['CR', PARTS.replaceAll('\n', '\r')],
  ] as const) {
    const path = files.write('parts.obj', content);
    const expected = objCorners(PARTS);
    expect(expected.size).toBe(4);
    for (const memoryBytes of [PLENTY, NOTHING]) {
      const found = await readSource(files, path, { memoryBytes });
      expect(found.map(({ object: { name, path } }) => [name, path])).toEqual([
        ['parts', 'parts'],
        ['pump', 'parts/pump'],
        ['inlet', 'parts/pump/inlet'],
        ['motor', 'parts/motor'],
      ]);
      expect(
        found.map(({ corners }) => corners),
        newline,
      ).toEqual([...expected.values()]);
      expect(new Set(found.map(({ object }) => object.id)).size).toBe(4);
      expect(found.every(({ isStream }) => isStream === (memoryBytes === NOTHING))).toBe(true);
    }
  }
});

test('parts small enough become arrays, though the file is too large', async () => {
  const rows: string[] = [];
  for (let v = 0; v < 2000; v++) rows.push(`v ${v} ${v % 7} ${v % 13}`);
  for (let f = 0; f < 1500; f++) {
    if (f === 10) rows.push('o large');
    if (f === 1490) rows.push('o small again');
    rows.push(`f ${f + 1} ${f + 2} ${((f * 31) % 2000) + 1}`);
  }
  const path = files.write('mixed.obj', rows.join('\n'));
  const found = await readSource(files, path, { memoryBytes: 40_000 });
  expect(found.map(({ isStream }) => isStream)).toEqual([false, true, false]);
  expect(found.map(({ corners }) => corners)).toEqual([...objCorners(rows.join('\n')).values()]);
});

/** Statements in any order: vertices, faces with indices of both signs, objects, groups. */
const statements = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(
        fc.constant('v' as const),
        fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 3, maxLength: 3 }),
      ),
    },
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constant('f' as const), fc.array(fc.nat(1000), { minLength: 3, maxLength: 5 })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom('o' as const, 'g' as const),
        fc.array(fc.nat(2), { minLength: 1, maxLength: 1 }),
      ),
    },
  ),
  { minLength: 1, maxLength: 80 },
);

test('any order of statements, as arrays and as streams (seed 11)', async () => {
  await fc.assert(
    fc.asyncProperty(statements, async (list) => {
      const rows = ['v 1 2 3', 'v 4 5 6', 'v 7 8 9', 'f 1 2 3'];
      let vertices = 3;
      for (const [kind, numbers] of list) {
        if (kind === 'v') vertices++;
        const words = numbers.map((n) => {
          if (kind === 'v') return n;
          if (kind !== 'f') return `part${n}`;
          const index = (n % vertices) + 1;
          return n % 2 === 0 ? index : index - vertices - 1;
        });
        rows.push(`${kind} ${words.join(' ')}`);
      }
      const path = files.write('any.obj', rows.join('\n'));
      const expected = objCorners(rows.join('\n'));
      for (const memoryBytes of [PLENTY, NOTHING]) {
        const found = await readSource(files, path, { memoryBytes });
        expect(found.map(({ corners }) => corners)).toEqual([...expected.values()]);
        const paths = [...expected.keys()].map((part) => (part === '' ? 'any' : `any/${part}`));
        expect(found.map(({ object }) => object.path)).toEqual(paths);
      }
    }),
    { seed: 11, numRuns: runs(60) },
  );
});
