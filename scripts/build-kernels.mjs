// Compiles the AssemblyScript kernels to WASM and writes them into the library's source as hexadecimal digits, so that
// no bundler has to know about .wasm files. Digits keep bytes apart, so they compress better than base64 (31 against 38
// KB). Does nothing when the sources have not changed since the last time.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'packages/impinge');

/** Constants of all modules lie below ARENA_BASE (src/base/arena.ts), each module's in a range of its own. */
const MODULES = [
  { kernels: 'kernels', target: 'src/kernel', dataFrom: 1024, dataTo: 22528 },
  { kernels: 'kernels/deform', target: 'src/deform', dataFrom: 22528, dataTo: 44032 },
  { kernels: 'kernels/gpu', target: 'src/gpu', dataFrom: 44032, dataTo: 65536 },
];

for (const module of MODULES) {
  const target = join(library, module.target, 'wasm-bytes.generated.ts');
  const digest = digestOf(module);
  if (!firstLineOf(target).includes(digest)) await compile(module, target, digest);
}

/** Changes with anything the module may be made of: its own folder, and those above it. */
function digestOf(module) {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(module.kernels);
  for (const { kernels } of MODULES.filter((other) => module.kernels.startsWith(other.kernels))) {
    const folder = join(library, kernels);
    for (const name of readdirSync(folder).sort()) {
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

function firstLineOf(target) {
  try {
    return readFileSync(target, 'utf8').slice(0, 200);
  } catch {
    return ''; // not built yet
  }
}

async function compile(module, target, digest) {
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stdout, stderr } = await asc.main(
    [
      join(library, module.kernels, 'index.ts'),
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
      '--memoryBase',
      String(module.dataFrom),
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
      writeFile: (_name, contents) => write(module, target, digest, contents),
      listFiles: () => [],
    },
  );
  if (error) {
    process.stderr.write(`${stdout}${stderr}${error.message}\n`);
    process.exit(1);
  }
}

function write({ kernels, dataTo }, target, digest, wasm) {
  const module = new WebAssembly.Module(wasm);
  if (!WebAssembly.Module.imports(module).every((i) => i.module === 'env' && i.name === 'memory')) {
    throw new Error('the kernels import something besides their memory');
  }
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true });
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const heapBase = instance.exports['__heap_base']?.value ?? 0;
  if (heapBase > dataTo) throw new Error(`constants of ${kernels} end at ${heapBase}, past ${dataTo}`);
  mkdirSync(dirname(target), { recursive: true });
  const digits = Buffer.from(wasm).toString('hex');
  writeFileSync(
    target,
    `// ${digest}\n// Written by scripts/build-kernels.mjs from packages/impinge/${kernels}. Do not edit.\nexport const WASM_HEX =\n  '${digits}';\n`,
  );
  process.stdout.write(`${kernels}: ${wasm.length} bytes of WASM\n`);
}
