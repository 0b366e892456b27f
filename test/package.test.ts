/** What users get: its size, what importing it does, and that kernels and TypeScript agree on the layout. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CORNER, GAP, NORMAL, POINT_A, POINT_B } from '@impinge/dynamics/internal/rigid/contact-set.js';
import * as contacts from '@impinge/dynamics/internal/rigid/exact/layout.js';
import * as rigid from '@impinge/dynamics/internal/rigid/impulse-system.js';
import { build } from 'esbuild';
import { ARENA_BASE } from 'impinge/internal/base/arena.js';
import * as tree from 'impinge/internal/hierarchy/layout.js';
import { decodeBytes } from 'impinge/internal/kernel/decode-bytes.js';
import { MeshHeader } from 'impinge/internal/mesh/mesh-layout.js';
import { Q, Status } from 'impinge/internal/query/pair/context.js';
import * as obb from 'impinge/internal/volumes/obb.js';
import { describe, expect, test } from 'vitest';
import { encodeBytes } from '../scripts/encode-bytes.mjs';
import { fixedMemoryIn, hasStaticData, LOW_MEMORY, MODULES } from '../scripts/kernel-modules.mjs';
import { full } from './budget.js';

const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const here = fileURLToPath(new URL('.', import.meta.url));

async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: here },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0].text;
}

describe('the package', () => {
  full.each([
    ['* as used', 176_000],
    ['{ collide as used }', 50_500],
    ['{ raycast as used }', 30_000],
    ['{ closestPoint as used }', 32_000],
  ])('import %s costs at most %i bytes gzipped', async (what, limit) => {
    const code = await bundle(`import ${what} from 'impinge'; globalThis.used = used;`);
    const gzipped = gzipSync(code, { level: 9 }).length;
    process.stdout.write(`import ${what}: ${code.length} bytes minified, ${gzipped} gzipped\n`);
    expect(gzipped).toBeGreaterThan(10_000); // the kernels are in there
    expect(gzipped).toBeLessThanOrEqual(limit);
  });

  test('readMeshes costs at most 10 000 bytes gzipped, and needs no Node', async () => {
    const code = await bundle("import { readMeshes } from 'impinge/formats'; globalThis.used = readMeshes;");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(10_000);
  });

  test('an import that is not used leaves nothing behind', async () => {
    expect(await bundle("import { Mesh, collide } from 'impinge';")).toBe('');
  });

  test('importing does no work: no memory, no compilation, no timers, no output', () => {
    // a process of its own, in which everything that work would need throws
    const script = `
      const refuse = (name) => function () { throw new Error('importing called ' + name); };
      for (const name of ['Memory', 'Module', 'Instance', 'compile', 'instantiate', 'Table', 'Global']) {
        WebAssembly[name] = refuse('WebAssembly.' + name);
      }
      for (const name of ['setTimeout', 'setInterval', 'queueMicrotask', 'fetch', 'atob']) globalThis[name] = refuse(name);
      const before = Object.getOwnPropertyNames(globalThis);
      const { Mesh } = await import('impinge');
      if (Object.getOwnPropertyNames(globalThis).length !== before.length) throw new Error('importing made a global');
      try {
        Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] });
      } catch (error) {
        if (!/WebAssembly\\.Memory/.test(error.message)) throw error;
        console.log('memory comes with the first mesh');
      }
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: here,
      encoding: 'utf8',
    });
    expect(output).toBe('memory comes with the first mesh\n');
  });
});

test('the API documentation has every entry point', () => {
  const sources = ['impinge', 'model', 'dynamics', 'gpu'].flatMap((name) => {
    const { exports } = JSON.parse(text(`../packages/${name}/package.json`)) as {
      exports: Record<string, { default?: string }>;
    };
    const files = Object.values(exports).flatMap((entry) => entry.default ?? []);
    return files
      .filter((file) => !file.includes('*'))
      .map((file) => file.replace('./dist/', `packages/${name}/src/`).replace(/\.js$/, '.ts'));
  });
  const { entryPoints } = JSON.parse(text('../typedoc.json')) as { entryPoints: string[] };
  expect(sources.length).toBeGreaterThan(5);
  expect(entryPoints.sort()).toEqual(sources.sort());
});

/** NAME → value of every `export const NAME: type = number` in an AssemblyScript file. */
function constantsIn(path: string): Map<string, number> {
  const lines = text(path).matchAll(/^export const ([A-Z0-9_]+): \w+ = (0x[0-9a-f]+|\d+);/gm);
  return new Map([...lines].map(([, name, value]) => [name, Number(value)]));
}

/** pairCapacity → PAIR_CAPACITY */
const screaming = (name: string) => name.replace(/[A-Z0-9]+/g, '_$&').toUpperCase();

/** The fields of a header in bytes, under the kernels' names. `…ByteOffset` is left out of a name there. */
function headerBytes(prefix: string, words: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(words).map(([name, word]) => [
    prefix + screaming(name.replace('ByteOffset', '')),
    4 * word,
  ]);
}

describe('kernel modules', () => {
  test.each(Object.entries(MODULES))('%s has no memory of its own', (name, { target }) => {
    const generated = text(`../packages/${target}/wasm-bytes.generated.ts`);
    expect(generated).toContain(`MODULE_NAME = '${name}'`);
    const wasm = decodeBytes(generated.match(/WASM_TEXT: string = "([^"]+)"/)![1]);
    expect(WebAssembly.validate(wasm)).toBe(true);
    expect(hasStaticData(wasm)).toBe(false);
  });

  test.each([
    ['none', []],
    ['every byte', Array.from({ length: 256 }, (_, byte) => byte)],
    ['a few, often', Array.from({ length: 1000 }, (_, i) => (i * i) % 7)],
    ['all, unevenly', Array.from({ length: 5000 }, (_, i) => (i * i * i) >> (i % 11)).map((n) => n & 255)],
  ])('are read as they were written: %s', (_, bytes) => {
    const written = encodeBytes(bytes);
    expect(written).toMatch(/^[\da-f]{64}[#-[\]-~]*$/); // nothing that has to be escaped
    expect([...decodeBytes(written)]).toEqual(bytes);
  });

  test('with static data, strings or objects would be refused', () => {
    // (module (memory 1) (data (i32.const 0) "x"))
    const data = [11, 7, 1, 0, 65, 0, 11, 1, 120];
    const wasm = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, ...data]);
    expect(WebAssembly.validate(wasm)).toBe(true);
    expect(hasStaticData(wasm)).toBe(true);
    expect(fixedMemoryIn('const TABLE = memory.data(64);')).toBe('memory.data');
    expect(fixedMemoryIn("const name = 'x';")).toBe("'");
    expect(fixedMemoryIn('const list = new Array<f32>(4);')).toBe('new Array');
    const fine = "import { a } from './a'; // 'x'\nexport * from './b';\nconst C: usize = 4;";
    expect(fixedMemoryIn(fine)).toBe(undefined);
  });
});

describe('kernels and TypeScript agree on', () => {
  test('meshes and trees (kernels/layout.ts)', () => {
    const expected = new Map<string, number>([
      ...headerBytes('MESH_', MeshHeader),
      ...headerBytes('TREE_', tree.HierarchyHeader),
      ['ROW', 4 * tree.LANES],
      ['ROW_CENTRE', 0],
      ['ROW_HALF', 3 * 4 * tree.LANES],
      ['ROW_QUATERNION', 6 * 4 * tree.LANES],
      ['ROW_REF', obb.STRIDE * 4 * tree.LANES],
      ['BLOCK_BYTES', 4 * tree.blockWords(obb.STRIDE)],
      ['EMPTY', tree.EMPTY],
      ['LEAF_BIT', tree.leafRef(0, 1)],
      ['PENDING_BIT', tree.PENDING_BIT],
      ['LOW_BITS', tree.refIndex(tree.EMPTY)],
    ]);
    const actual = constantsIn('../packages/impinge/kernels/layout.ts');
    expect(actual.size).toBeGreaterThan(20);
    for (const [name, value] of actual) expect([name, value]).toEqual([name, expected.get(name)]);
  });

  test('query contexts (kernels/context.ts)', () => {
    const actual = constantsIn('../packages/impinge/kernels/context.ts');
    const fields = new Map([...actual].filter(([name]) => name.startsWith('Q_')));
    const states = new Map([...actual].filter(([name]) => !name.startsWith('Q_')));
    expect(fields).toEqual(
      new Map(Object.entries(Q).map(([name, value]) => [`Q_${screaming(name)}`, value])),
    );
    expect(states).toEqual(new Map(Object.entries(Status).map(([name, value]) => [screaming(name), value])));
  });

  test('rigid bodies and contacts (kernels/rigid/layout.ts)', () => {
    const actual = constantsIn('../packages/dynamics/kernels/rigid/layout.ts');
    const numbers = Object.entries(rigid).filter(([, value]) => typeof value === 'number');
    expect(numbers.length).toBeGreaterThan(15);
    for (const [name, value] of numbers) {
      const bytes = name === 'PAIR' || name === 'WRITTEN' ? 4 : 8;
      expect([name, actual.get(name)]).toEqual([name, bytes * (value as number)]);
    }
  });

  test('pairs of shapes (kernels/contacts/layout.ts)', () => {
    const fields = (prefix: string, words: Record<string, number>): [string, number][] =>
      Object.entries(words).map(([name, value]) => [prefix + screaming(name), value]);
    const { S, P, I, Status: status } = contacts;
    const expected = new Map<string, number>([
      ...fields('S_', S),
      ...fields('P_', P),
      ...fields('I_', I),
      ...fields('', status),
      ['PAIR_BYTES', contacts.PAIR_BYTES],
      ['POSE_BYTES', contacts.POSE_BYTES],
      ['PACE_BYTES', contacts.PACE_BYTES],
      ['LEAF_BYTES', contacts.LEAF_BYTES],
      ['ITEM_BYTES', contacts.ITEM_BYTES],
      ['ENTRY_BYTES', contacts.ENTRY_BYTES],
      ['POINT_A', 8 * POINT_A],
      ['POINT_B', 8 * POINT_B],
      ['NORMAL', 8 * NORMAL],
      ['GAP', 8 * GAP],
      ['CORNER', 8 * CORNER],
      ['ID', contacts.CONTACT_ID],
      ['ORDER', contacts.CONTACT_ORDER],
      ['CONTACT_BYTES', contacts.CONTACT_BYTES],
    ]);
    const actual = constantsIn('../packages/dynamics/kernels/contacts/layout.ts');
    // the kernels' own
    for (const name of ['ACROSS', 'TAKEN']) expect(actual.delete(name)).toBe(true);
    for (const name of actual.keys()) if (name.startsWith('L_')) actual.delete(name);
    expect(actual).toEqual(expected);
  });

  test('where memory begins (scripts/kernel-modules.mjs)', () => {
    expect(ARENA_BASE).toBe(LOW_MEMORY);
  });

  test('the parser reads what it should', () => {
    expect(constantsIn('../packages/impinge/kernels/context.ts').get('Q_POSE')).toBe(64);
    expect(screaming('pairCapacity')).toBe('PAIR_CAPACITY');
    expect(screaming('bToA')).toBe('B_TO_A');
  });
});
