// Compiles the AssemblyScript kernels to WASM and writes into the sources of the packages what a module exports, as an
// interface (kernel-exports.mjs), what the host has to know of its memory, as constants (kernel-layouts.mjs), and its
// bytes, as text (encode-bytes.mjs), so that no bundler has to know about .wasm files. A module is compiled again only
// if one of the files that it is made of has changed; several are compiled at a time.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { encodeBytes } from './encode-bytes.mjs';
import { exportsOf, membersOf } from './kernel-exports.mjs';
import { layoutOf } from './kernel-layouts.mjs';
import { fixedMemoryIn, hasStaticData, LOW_MEMORY, MODULES } from './kernel-modules.mjs';

const packages = join(import.meta.dirname, '..', 'packages');

if (isMainThread) {
  for (const module of Object.values(MODULES)) writeLayout(module);
  await compileChanged();
} else await compile(workerData);

function writeLayout({ kernels, target }) {
  const layout = layoutOf(join(packages, kernels));
  if (layout === '') return;
  const file = join(packages, target, 'layout.generated.ts');
  const text = `// Written by scripts/build-kernels.mjs from packages/${kernels}. Do not edit.\n${layout}`;
  if (textOf(file) !== text) writeFileSync(file, text);
}

async function compileChanged() {
  const changed = Object.keys(MODULES).filter(
    (name) => !textOf(targetOf(name)).startsWith(`// ${digestOf(name)}\n`),
  );
  const next = async () => {
    for (let name = changed.shift(); name !== undefined; name = changed.shift()) await inThread(name);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}

function inThread(name) {
  return new Promise((resolve, reject) => {
    new Worker(fileURLToPath(import.meta.url), { workerData: name })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : process.exit(code)));
  });
}

function targetOf(name) {
  return join(packages, MODULES[name].target, 'kernels.generated.ts');
}

/** Changes with what compiles the module, and with every file that it is made of. */
function digestOf(name) {
  const hash = createHash('sha256').update(JSON.stringify([name, MODULES[name], LOW_MEMORY]));
  for (const tool of ['build-kernels.mjs', 'encode-bytes.mjs', 'kernel-exports.mjs']) {
    hash.update(readFileSync(join(import.meta.dirname, tool)));
  }
  for (const [file, source] of sourcesOf(name)) hash.update(relative(packages, file)).update(source);
  return hash.digest('hex');
}

/** Path → text of the module's index and all that it imports. */
function sourcesOf(name) {
  const sources = new Map();
  const visit = (file) => {
    if (sources.has(file)) return;
    const source = readFileSync(file, 'utf8');
    sources.set(file, source);
    for (const [, path] of source.matchAll(/\bfrom\s*'([^']+)'/g)) visit(join(dirname(file), `${path}.ts`));
  };
  visit(join(packages, MODULES[name].kernels, 'index.ts'));
  return sources;
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not built yet
  }
}

async function compile(name) {
  const { kernels } = MODULES[name];
  for (const [file, source] of sourcesOf(name)) {
    const found = fixedMemoryIn(source);
    if (found) throw new Error(`${relative(packages, file)}: ${found} would take memory at a fixed address`);
  }
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stdout, stderr } = await asc.main(
    [
      join(packages, kernels, 'index.ts'),
      ...['--outFile', 'kernels.wasm', '-O3', '--noAssert', '--converge', '--runtime', 'stub'],
      ...['--enable', 'simd', '--enable', 'threads', '--sharedMemory', '--importMemory'],
      ...['--initialMemory', '2', '--maximumMemory', '65536', '--memoryBase', String(LOW_MEMORY)],
      ...['--use', 'abort='],
    ],
    { readFile, writeFile: (_name, contents) => write(name, contents), listFiles: () => [] },
  );
  if (error) {
    process.stderr.write(`${stdout}${stderr}${error.message}\n`);
    process.exit(1);
  }
}

/** For the compiler, which tries names until one is there. */
function readFile(name, base) {
  for (const path of [join(base ?? '', name), name]) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // the next
    }
  }
  return null;
}

function write(name, wasm) {
  const { kernels, target } = MODULES[name];
  const module = new WebAssembly.Module(wasm);
  const imports = WebAssembly.Module.imports(module);
  if (!imports.every((i) => i.module === 'env' && i.name === 'memory')) {
    throw new Error(`${kernels} imports something besides its memory`);
  }
  if (hasStaticData(wasm)) throw new Error(`${kernels} has static data, which would lie at a fixed address`);
  const exported = exportsOf(join(packages, kernels, 'index.ts'));
  assertExports(kernels, module, exported);
  const type = `${name[0].toUpperCase()}${name.slice(1)}Kernels`;
  const lines = [
    `// ${digestOf(name)}`,
    `// Written by scripts/build-kernels.mjs from packages/${kernels}. Do not edit.`,
    `import { KernelSet } from '${setFrom(target)}';`,
    `export interface ${type} {`,
    ...membersOf(exported),
    '}',
    `export const ${name}Kernels: KernelSet<${type}> = /* @__PURE__ */ new KernelSet<${type}>(`,
    `  '${name}',`,
    `  "${encodeBytes(wasm)}",`,
    ');',
  ];
  writeFileSync(targetOf(name), `${lines.join('\n')}\n`);
  process.stdout.write(`${kernels}: ${wasm.length} bytes of WASM\n`);
}

/** How the folder of a module imports the class of sets. */
function setFrom(target) {
  const [owner, , ...folders] = target.split('/');
  if (owner !== 'impinge') return 'impinge/internal/kernel/kernel-set.js';
  const path = relative(folders.join('/'), 'kernel/kernel-set.js');
  return path.startsWith('.') ? path : `./${path}`;
}

/** What was read from the source is what the compiler made of it. */
function assertExports(kernels, module, exported) {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536, shared: true });
  const compiled = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const functions = Object.keys(compiled).filter((name) => typeof compiled[name] === 'function');
  const differs = [...new Set([...functions, ...exported.keys()])].find(
    (name) => compiled[name]?.length !== exported.get(name)?.parameters.length,
  );
  if (differs) throw new Error(`${kernels}: ${differs} is not exported as its source says`);
}
