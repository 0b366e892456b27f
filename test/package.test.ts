/** What users get: its size, what importing it does, and that kernels have no memory of their own. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ARENA_BASE } from 'impinge/internal/base/arena.js';
import { decodeBytes } from 'impinge/internal/kernel/decode-bytes.js';
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
    ['* as used', 168_000],
    ['{ collide as used }', 46_200],
    ['{ raycast as used }', 29_100],
    ['{ closestPoint as used }', 31_200],
  ])('import %s costs at most %i bytes gzipped', async (what, limit) => {
    const code = await bundle(`import ${what} from 'impinge'; globalThis.used = used;`);
    const gzipped = gzipSync(code, { level: 9 }).length;
    process.stdout.write(`import ${what}: ${code.length} bytes minified, ${gzipped} gzipped\n`);
    expect(gzipped).toBeGreaterThan(10_000); // the kernels are in there
    expect(gzipped).toBeLessThanOrEqual(limit);
  });

  test('readMeshes costs at most 12 000 bytes gzipped, and needs no Node', async () => {
    const code = await bundle("import { readMeshes } from 'impinge/formats'; globalThis.used = readMeshes;");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(12_000);
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
  const sources = ['impinge', 'model', 'dynamics', 'gpu', 'motion'].flatMap((name) => {
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

describe('kernel modules', () => {
  test.each(Object.entries(MODULES))('%s has no memory of its own', (name, { target }) => {
    const generated = text(`../packages/${target}/kernels.generated.ts`);
    const wasm = decodeBytes(
      generated.match(new RegExp(`KernelSet<\\w+>\\(\\s*'${name}',\\s*"([^"]+)"`))![1],
    );
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

test('memory begins where kernels may fold additions (scripts/kernel-modules.mjs)', () => {
  expect(ARENA_BASE).toBe(LOW_MEMORY);
});
