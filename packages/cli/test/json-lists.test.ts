/** JSON whose long lists stay outside memory, against JSON.parse. */
import { seededRandom } from '@impinge/scenes/random';
import type { Entries } from 'impinge/internal/formats/gltf-json.js';
import { expect, test } from 'vitest';
import { FAST, runs } from '../../../test/budget.js';
import { fileBytes } from '../src/formats/gltf/bytes.js';
import { JsonList, parseLongJson } from '../src/formats/gltf/json-lists.js';

/** What `text` is, its lists read entry by entry, from first to last and back. */
function parsed(text: string, blockBytes: number): unknown {
  const bytes = Buffer.from(text);
  const file = fileBytes(
    (into, position) => into.set(bytes.subarray(position, position + into.length)),
    0,
    bytes.length,
    blockBytes,
  );
  const root = parseLongJson(file, () => {});
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return root;
  const whole = Object.entries(root).map(([key, value]: [string, unknown]) => {
    if (!(value instanceof JsonList)) return [key, value];
    const list: Entries = value;
    const entries = Array.from({ length: list.length }, (_, i) => list.at(i));
    for (let i = list.length - 1; i >= 0; i -= 7) expect(list.at(i)).toEqual(entries[i]);
    return [key, entries];
  });
  return Object.fromEntries(whole);
}

/** A value, or that there is none. */
function outcome(parse: () => unknown): { readonly value: unknown } | 'damaged' {
  try {
    return { value: parse() };
  } catch {
    return 'damaged';
  }
}

/** A whole number below another. */
type Below = (n: number) => number;

const NAMES = ['nodes', 'meshes', 'accessors', 'n\\u006fdes', 'scenes', 'extras', ''];
const TEXTS = ['', 'a', '[{', ']}', ',', '\\"', '\\\\', 'nodes', 'ü', '\\u0022'];

function randomJson(below: Below, depth: number): string {
  const space = () => ['', '', ' ', '\n\t'][below(4)];
  const one = () => randomJson(below, depth - 1);
  const text = () => `"${TEXTS[below(TEXTS.length)]}"`;
  const all = (make: () => string) => Array.from({ length: below(5) }, make).join(`${space()},`);
  const kind = depth === 0 ? below(3) : below(6);
  if (kind === 0) return String(below(100) - 50);
  if (kind === 1) return text();
  if (kind === 2) return ['true', 'null', '1e3'][below(3)];
  if (kind < 5) return `[${space()}${all(one)}${space()}]`;
  return `{${space()}${all(() => `${text()}${space()}:${space()}${one()}`)}}`;
}

test.each([1, 2])('random documents, whole and damaged, seed %i', (seed) => {
  const random = seededRandom(seed);
  const below: Below = (n) => Math.floor(n * random());
  let damaged = 0;
  for (let run = 0; run < runs(3000); run++) {
    const member = () => `"${NAMES[below(NAMES.length)]}": ${randomJson(below, 3)}`;
    let text = `{${Array.from({ length: below(5) }, member).join(', ')}}`;
    if (run % 2 === 1) {
      const at = below(text.length);
      const byte = '[]{},:"\\ 0x'[below(11)];
      text = text.slice(0, at) + byte + text.slice(at + below(2));
    }
    const expected = outcome(() => JSON.parse(text) as unknown);
    if (expected === 'damaged') damaged++;
    expect(
      outcome(() => parsed(text, 1 + below(64))),
      text,
    ).toEqual(expected);
  }
  expect(damaged).toBeGreaterThan(runs(3000) / 20);
});

test('lists of more than is read at a time', () => {
  const count = FAST ? 1000 : 8000;
  const nodes = Array.from({ length: count }, (_, i) => ({
    name: `node ${i} "[,]" ü`,
    children: [i, i + 1],
  }));
  const text = JSON.stringify({ asset: {}, nodes, meshes: [], accessors: [[], {}] });
  expect(parsed(text, 4096)).toEqual(JSON.parse(text));
  expect(outcome(() => parsed(text.replace(`node ${count - 100} `, `node ${count - 100} "`), 4096))).toBe(
    'damaged',
  );
  expect(outcome(() => parsed(text.slice(0, -20), 4096))).toBe('damaged');
});
