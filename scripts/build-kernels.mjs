// Compiles the AssemblyScript kernels to WASM and writes them into the library's source as base64, so that no
// bundler has to know about .wasm files. Does nothing when the sources have not changed since the last time.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kernels = join(root, 'packages/impinge/kernels');
const target = join(root, 'packages/impinge/src/kernel/wasm-bytes.generated.ts');
const STATIC_DATA_LIMIT = 65536; // ARENA_BASE in src/base/arena.ts

const sources = readdirSync(kernels)
  .filter((name) => name.endsWith('.ts'))
  .sort();
const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
for (const name of sources) hash.update(name).update(readFileSync(join(kernels, name)));
const digest = hash.digest('hex');

let current = '';
try {
  current = readFileSync(target, 'utf8').slice(0, 200);
} catch {
  // not built yet
}
if (!current.includes(digest)) {
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stdout, stderr, stats } = await asc.main(
    [
      join(kernels, 'index.ts'),
      '--outFile',
      'kernels.wasm',
      '-O3',
      '--noAssert',
      '--converge',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--enable',
      'threads',
      '--sharedMemory',
      '--importMemory',
      '--initialMemory',
      '2',
      '--maximumMemory',
      '65536',
      '--use',
      'abort=',
    ],
    {
      readFile: (name, base) => {
        try {
          return readFileSync(join(base ?? '', name), 'utf8');
        } catch {
          try {
            return readFileSync(name, 'utf8');
          } catch {
            return null;
          }
        }
      },
      writeFile: (_name, contents) => write(contents),
      listFiles: () => [],
    },
  );
  if (error) {
    process.stderr.write(`${stdout}${stderr}${error.message}\n`);
    process.exit(1);
  }
  void stats;
}

function write(wasm) {
  const module = new WebAssembly.Module(wasm);
  if (!WebAssembly.Module.imports(module).every((i) => i.module === 'env' && i.name === 'memory')) {
    throw new Error('the kernels import something besides their memory');
  }
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const heapBase = instance.exports['__heap_base']?.value ?? 0;
  if (heapBase > STATIC_DATA_LIMIT)
    throw new Error(`static data ends at ${heapBase}, past ${STATIC_DATA_LIMIT}`);
  mkdirSync(dirname(target), { recursive: true });
  const base64 = Buffer.from(wasm).toString('base64');
  writeFileSync(
    target,
    `// ${digest}\n// Written by scripts/build-kernels.mjs from packages/impinge/kernels. Do not edit.\nexport const WASM_BASE64 =\n  '${base64}';\n`,
  );
  process.stdout.write(`kernels: ${wasm.length} bytes of WASM\n`);
}
