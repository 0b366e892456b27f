// Compiles the AssemblyScript kernels to WASM and writes them into the library's source as text (encode-bytes.mjs), so
// that no bundler has to know about .wasm files. Does nothing when the sources have not changed since the last time.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeBytes } from './encode-bytes.mjs';
import { fixedMemoryIn, hasStaticData, LOW_MEMORY, MODULES } from './kernel-modules.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'packages/impinge');

for (const name of Object.keys(MODULES)) {
  const target = join(library, MODULES[name].target, 'wasm-bytes.generated.ts');
  const digest = digestOf(name);
  if (!firstLineOf(target).includes(digest)) await compile(name, target, digest);
}

/** Changes with anything the module may be made of: its own folder, those above it, and the one that it uses. */
function digestOf(name) {
  const hash = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(new URL('encode-bytes.mjs', import.meta.url)))
    .update(name);
  const { kernels, uses } = MODULES[name];
  for (const folder of Object.values(MODULES).map((other) => other.kernels)) {
    if (!kernels.startsWith(folder) && folder !== uses) continue;
    for (const [file, source] of sourcesIn(folder)) hash.update(file).update(source);
  }
  return hash.digest('hex');
}

/** Name and text of every source in a folder of kernels. */
function sourcesIn(kernels) {
  const folder = join(library, kernels);
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

function firstLineOf(target) {
  try {
    return readFileSync(target, 'utf8').slice(0, 200);
  } catch {
    return ''; // not built yet
  }
}

async function compile(name, target, digest) {
  const { kernels } = MODULES[name];
  for (const [file, source] of sourcesIn(kernels)) {
    const found = fixedMemoryIn(source);
    if (found) throw new Error(`${kernels}/${file}: ${found} would take memory at a fixed address`);
  }
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stdout, stderr } = await asc.main(
    [
      join(library, kernels, 'index.ts'),
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
      String(LOW_MEMORY),
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
      writeFile: (_name, contents) => write(name, target, digest, contents),
      listFiles: () => [],
    },
  );
  if (error) {
    process.stderr.write(`${stdout}${stderr}${error.message}\n`);
    process.exit(1);
  }
}

function write(name, target, digest, wasm) {
  const { kernels } = MODULES[name];
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  if (!imports.every((i) => i.module === 'env' && i.name === 'memory')) {
    throw new Error(`${kernels} imports something besides its memory`);
  }
  if (hasStaticData(wasm)) throw new Error(`${kernels} has static data, which would lie at a fixed address`);
  mkdirSync(dirname(target), { recursive: true });
  const lines = [
    `// ${digest}`,
    `// Written by scripts/build-kernels.mjs from packages/impinge/${kernels}. Do not edit.`,
    `export const MODULE_NAME = '${name}';`,
    `export const WASM_TEXT: string = "${encodeBytes(wasm)}";`,
  ];
  writeFileSync(target, `${lines.join('\n')}\n`);
  process.stdout.write(`${kernels}: ${wasm.length} bytes of WASM\n`);
}
