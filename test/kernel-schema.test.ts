/** What kernels and TypeScript both know is written once, in the kernels (scripts/kernel-exports, kernel-layouts). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KernelCall } from 'impinge/internal/kernel/kernel-set.js';
import { results } from 'impinge/internal/kernel/schedule.js';
import { pairKernels } from 'impinge/internal/query/pair/kernels.generated.js';
import { afterAll, expect, test } from 'vitest';
import { exportsOf, membersOf } from '../scripts/kernel-exports.mjs';
import { constantsIn, layoutOf } from '../scripts/kernel-layouts.mjs';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'impinge-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));

function sourcesIn(path: string): [name: string, source: string][] {
  return readdirSync(join(packages, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => [`${path}/${name}`, readFileSync(join(packages, path, name), 'utf8')]);
}

test('the compiler checks calls: names, arguments, and that nothing is made of a result that there is not', () => {
  expect(pairKernels.call('keepNear', 1, 2, 3, 4)).toMatchObject({ name: 'keepNear', args: [1, 2, 3, 4] });
  // @ts-expect-error: there is no such kernel
  pairKernels.call('keepFar', 1, 2, 3, 4);
  // @ts-expect-error: an argument is missing
  pairKernels.call('keepNear', 1, 2, 3);
  // @ts-expect-error: one too many
  pairKernels.call('keepNear', 1, 2, 3, 4, 5);
  // @ts-expect-error: not a number
  pairKernels.call('keepNear', 1, 2, 3, 'far');
  // @ts-expect-error: returns nothing
  const wrong: KernelCall<number> = pairKernels.call('writeBoxes', 1, 2);
  // @ts-expect-error: the same
  results([pairKernels.call('writeBoxes', 1, 2)]);
  expect(wrong.name).toBe('writeBoxes');
});

test('exports are read with the names and types of their parameters', () => {
  writeFileSync(join(folder, 'index.ts'), "export { one, two } from './functions';\n");
  const write = (text: string) => writeFileSync(join(folder, 'functions.ts'), text);
  const two = 'export function two(\n  key: u64, more: bool,\n): u64 {\n';
  write(`export function one(at: usize, share: f32): void {}\n${two}`);
  expect(membersOf(exportsOf(join(folder, 'index.ts')))).toEqual([
    '  one(at: number, share: number): void;',
    '  two(key: bigint, more: boolean): bigint;',
  ]);
  write(`export function one(at: v128): void {}\n${two}`);
  expect(() => exportsOf(join(folder, 'index.ts'))).toThrow('one takes v128');
  write(two);
  expect(() => exportsOf(join(folder, 'index.ts'))).toThrow('one is not a function');
});

test('constants that the host is to know, by name and by prefix, in bytes or other units', () => {
  const write = (...lines: string[]) => writeFileSync(join(folder, 'index.ts'), lines.join('\n'));
  const constants = [
    '/** Where. */\nexport const C_AT: usize = 0;',
    'const C_B_TO_A: usize = 0x10;',
    'const C_BYTES: usize = 24;',
  ];
  write('// host: C.* = C_* / 4', '// host: C_BYTES', ...constants);
  expect(layoutOf(folder)).toBe(
    'export const C = {\n/** Where. */\nat: 0,\nbToA: 4,\n} as const;\nexport const C_BYTES = 24;\n',
  );
  for (const [line, message] of [
    ['// host: C_NONE', 'C_NONE is not a constant that is a plain number'],
    ['// host: D.* = D_*', 'there is no D_*'],
    ['// host: C_BYTES C_BYTES', 'the host knows another C_BYTES'],
    ['// host: C = C_*', '"// host: C = C_*" is not understood'],
    ['// host: ODD / 8', 'ODD is no multiple of 8'],
  ]) {
    write(line, ...constants, 'const ODD: usize = 12;');
    expect(() => layoutOf(folder)).toThrow(message);
  }
});

/** Have the name and value of a constant of kernels, and another meaning. */
const BY_CHANCE = [
  'mesh-layout.ts MESH_VERSION',
  'motion-search.ts NEAR',
  'parity.ts UNKNOWN',
  'box-tree.ts FEW',
  'neighbours.ts NONE',
  'layout.ts NONE',
  'affine-frame.ts NODES',
  'hull-clearance.ts STEPS',
  'contact-shape.ts ROUNDING',
  'pair-motion.ts ROUNDING',
  'shape-block.ts ROUNDING',
  'near-bodies.ts ROUNDING',
];
/** Twins of kernels that know nothing of them: below `kernel` in the order of imports. */
const TWINS = /^impinge\/src\/geometry\//;

test.each(['impinge', 'model', 'dynamics', 'gpu'])('%s declares no constant of its kernels again', (name) => {
  const known = new Set<string>();
  for (const [, source] of sourcesIn(`${name}/kernels`)) {
    for (const [constant, { text }] of constantsIn(source)) {
      for (const unit of [1, 4, 8]) known.add(`${constant} ${Number(text) / unit}`);
    }
  }
  expect(known.size).toBeGreaterThan(50);
  const again = sourcesIn(`${name}/src`).flatMap(([path, source]) =>
    [...source.matchAll(/^(?:export )?const ([A-Z\d_]+) = ([\d][\da-fx_.-]*);/gm)]
      .filter(([, constant, text]) => known.has(`${constant} ${Number(text.replaceAll('_', ''))}`))
      .map(([, constant]) => `${path} ${constant}`),
  );
  expect(
    again.filter(
      (place) => !TWINS.test(place) && !BY_CHANCE.includes(place.slice(place.lastIndexOf('/') + 1)),
    ),
  ).toEqual([]);
});

test.each(['impinge', 'model', 'dynamics', 'gpu'])('%s declares no layout of its kernels again', (name) => {
  const screaming = (field: string) => field.replace(/[A-Z]/g, '_$&').toUpperCase();
  const known = sourcesIn(`${name}/kernels`).map(([, source]) => constantsIn(source));
  const again = sourcesIn(`${name}/src`).flatMap(([path, source]) =>
    [...source.matchAll(/^(?:export )?const (\w+) = \{([^{}]*)\} as const;/gm)]
      .filter(([, , body]) => {
        const fields = [...body.matchAll(/^ *(\w+): (\d+),/gm)].map(
          ([, field, text]) => [screaming(field), text] as const,
        );
        const isKnown = (constants: Map<string, { text: string }>) =>
          fields.filter(([field, text]) =>
            [...constants].some(
              ([constant, { text: its }]) =>
                (constant === field || constant.endsWith(`_${field}`)) &&
                [1, 4, 8].some((unit) => Number(its) === unit * Number(text)),
            ),
          ).length > 3;
        return known.some(isKnown);
      })
      .map(([, group]) => `${path} ${group}`),
  );
  expect(again).toEqual([]);
});
