/** What `npm publish` would send: packed, looked at, installed in a project of its own, compiled against and run. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { turn } from './budget.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** Where each published package is. */
const LIBRARY = {
  impinge: 'packages/impinge',
  '@impinge/model': 'packages/model',
  '@impinge/dynamics': 'packages/dynamics',
  '@impinge/gpu': 'packages/gpu',
  '@impinge/motion': 'packages/motion',
};
const PACKAGES = {
  ...LIBRARY,
  '@impinge/cli': 'packages/cli',
  '@impinge/server': 'packages/server',
  '@impinge/mcp': 'packages/mcp',
};

interface Manifest {
  readonly version: string;
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: string;
  readonly keywords: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
}
const manifestOf = (folder: string) => JSON.parse(text(join(folder, 'package.json'))) as Manifest;

let folder = '';
/** Has everything but the server. */
let project = '';
/** Has the command and the server. */
let serving = '';
/** Packages of others that come with those of the former. */
let needed: string[] = [];
/** By package. */
const tarballs = new Map<string, Buffer>();
const filesOf = new Map<string, string[]>();

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

function bytesIn(place: string): number {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0);
}

/** A project with some of ours, and all else from what is installed here, so that no network is needed. */
function installed(name: string, packedAt: Readonly<Record<string, string>>, ours: readonly string[]) {
  const { packages: lock } = JSON.parse(text('package-lock.json')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  const dependencies = Object.fromEntries(ours.map((one) => [one, packedAt[one]]));
  const places = ours.map((one) => PACKAGES[one as keyof typeof PACKAGES]);
  const others: string[] = [];
  for (const place of places) {
    for (const other of Object.keys(lock[place]?.dependencies ?? {})) {
      if (other in dependencies) continue;
      dependencies[other] = `file:${join(root, 'node_modules', other)}`;
      places.push(`node_modules/${other}`);
      others.push(other);
    }
  }
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  // packages of others are links to those folders: copies of them took most of the time
  npm(place, 'install', '--offline', '--omit=optional', '--no-audit', '--no-fund');
  return [place, others] as const;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'impinge-publish-'));
  const workspaces = Object.keys(PACKAGES).map((name) => `--workspace=${name}`);
  const packed = npm(root, 'pack', '--json', '--pack-destination', folder, ...workspaces);
  // keyed by name since npm 11, a list before
  const records = Object.values(
    JSON.parse(packed) as Record<string, { name: string; filename: string; files: { path: string }[] }>,
  );
  const packedAt: Record<string, string> = {};
  for (const { name, filename, files } of records) {
    // of packages with a scope, some versions of npm write the name here instead of the file's
    const path = join(folder, filename.replace('@', '').replace('/', '-'));
    tarballs.set(name, readFileSync(path));
    filesOf.set(name, files.map((file) => file.path).sort());
    packedAt[name] = `file:${path}`;
  }
  [project, needed] = installed('project', packedAt, [...Object.keys(LIBRARY), '@impinge/cli']);
  [serving] = installed('serving', packedAt, ['@impinge/cli', '@impinge/server']);
  // as before packing
  for (const [name, place] of Object.entries(LIBRARY)) {
    const declarations = join(project, 'node_modules', name, 'dist');
    execFileSync(process.execPath, [
      join(root, 'scripts/strip-internals.mjs'),
      join(root, place),
      declarations,
    ]);
  }
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.entries(PACKAGES))('%s', (name, place) => {
  test('has a licence, a read-me, and says where it comes from', () => {
    expect(filesOf.get(name)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(text(join(place, 'LICENSE'))).toBe(text('LICENSE'));
    const [own, all] = [manifestOf(place), manifestOf('.')];
    expect(own.repository).toEqual({ ...all.repository, directory: place });
    expect(own.homepage).toBe(all.homepage);
    expect(own.version).toBe(all.version);
    expect(text('CHANGELOG.md')).toContain(`\n## ${own.version}`);
    expect(own.bugs).toBe(all.bugs);
    expect(own.keywords.length).toBeGreaterThan(3);
  });

  test('passes publint and are-the-types-wrong', async () => {
    const bytes = new Uint8Array(tarballs.get(name) as Buffer);
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(bytes));
    // ES modules alone: what cannot load them, or only by import(), is left aside
    const others = (result.types === false ? [] : result.problems).filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' &&
        !(problem.kind === 'NoResolution' && problem.resolutionKind === 'node10'),
    );
    expect(others).toEqual([]);
  });
});

describe.each(Object.entries(LIBRARY))('the declarations and maps of %s', (name, place) => {
  const shipped = (ending: string) =>
    (filesOf.get(name) ?? []).filter((path) => path.startsWith('dist/') && path.endsWith(ending));
  const read = (path: string) => readFileSync(join(project, 'node_modules', name, path), 'utf8');

  test('have the sources in the maps', () => {
    // what an earlier build has left behind goes before packing (scripts/prepack.mjs)
    const maps = shipped('.js.map').filter((path) =>
      existsSync(join(root, place, path.replace('dist', 'src').replace(/\.js\.map$/, '.ts'))),
    );
    expect(maps.length).toBeGreaterThan(40);
    for (const path of maps) expect(JSON.parse(read(path)), path).toHaveProperty('sourcesContent');
    expect(shipped('.d.ts.map')).toEqual([]);
  });

  test('have no bytes in them', () => {
    const declarations = shipped('.d.ts');
    expect(declarations.length).toBeGreaterThan(40);
    expect(declarations.filter((path) => read(path).length > 20_000)).toEqual([]);
  });

  test('show nothing that is for the package alone', () => {
    expect(shipped('.d.ts').filter((path) => read(path).includes('@internal'))).toEqual([]);
  });
});

describe('a project that installs them', () => {
  /** Name of a file → an example, and what it says it prints. */
  const examples = ['README.md', ...Object.values(PACKAGES).map((place) => `${place}/README.md`)].flatMap(
    (path) =>
      [...text(path).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code], i) => ({
        file: `${path.replace(/\W/g, '-')}-${i + 1}`,
        code,
        printed: [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map((match) => match[1]),
      })),
  );
  /** What other packages would have to supply types for is left to those who have them. */
  const entries = Object.entries(LIBRARY).flatMap(([name, place]) =>
    Object.keys(manifestOf(place).exports)
      .map((entry) => `${name}${entry.slice(1)}`)
      .filter((entry) => !/\/(package\.json|three|internal\/.*)$/.test(entry)),
  );

  beforeAll(() => {
    const source = join(project, 'src');
    mkdirSync(source);
    for (const { file, code } of examples) writeFileSync(join(source, `${file}.ts`), code);
    const lines = entries.map((entry, i) => `export * as entry${i} from '${entry}';`);
    writeFileSync(join(source, 'entries.ts'), `${lines.join('\n')}\n`);
  });

  type Compiler = readonly [title: string, compiler: string, lib: readonly string[], more: string];
  const BARE = 'declare const console: { log(...values: unknown[]): void };\n';
  const WITH_DOM = `import type { CheckOptions } from '@impinge/model';
    import type { CullingDevice } from '@impinge/gpu';
    import { openStoreUrl } from '@impinge/model';
    export const options: CheckOptions = { signal: new AbortController().signal };
    export const signal: AbortSignal | undefined = options.signal;
    export const device: CullingDevice = 'cpu';
    export const opened = () => openStoreUrl(new URL('https://example.com/model.impinge'));
    // @ts-expect-error: the platform's own type is asked for
    export const wrong: CheckOptions = { signal: 'soon' };\n`;

  const CURRENT: readonly Compiler[] = [
    ['current', 'node_modules/typescript', ['ES2022'], BARE],
    ['current, with the DOM', 'node_modules/typescript', ['ES2022', 'DOM'], WITH_DOM],
  ];
  test.each<Compiler>([
    ['5.4', 'packages/consumer/node_modules/typescript', ['ES2022'], BARE],
    ...turn(CURRENT),
  ])(
    'compiles, strictly and with its libraries, by TypeScript %s, and runs',
    (title, compiler, lib, more) => {
      const { version } = JSON.parse(text(join(compiler, 'package.json'))) as { version: string };
      if (title === '5.4') expect(version).toMatch(/^5\.4\./);
      writeFileSync(join(project, 'src', lib.includes('DOM') ? 'platform.ts' : 'platform.d.ts'), more);
      const out = `out-${title.replace(/\W/g, '-')}`;
      const include = lib.includes('DOM') ? ['src/*.ts'] : ['src'];
      const compilerOptions = {
        ...{ strict: true, skipLibCheck: false, noUncheckedIndexedAccess: true },
        ...{ target: 'ES2022', module: 'NodeNext', lib, types: [], rootDir: 'src', outDir: out },
      };
      const exclude = lib.includes('DOM') ? ['src/platform.d.ts'] : ['src/platform.ts'];
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude }));
      expect(compile(compiler)).toBe('');
      expect(readdirSync(join(project, out)).length).toBeGreaterThanOrEqual(examples.length);
      expect(examples.length).toBeGreaterThanOrEqual(3);
      const modules = examples.map(({ file }) => join(out, `${file}.js`));
      const output = execFileSync(process.execPath, [join(root, 'test/print-modules.mjs'), ...modules], {
        cwd: project,
        encoding: 'utf8',
      });
      const promised = examples.map(({ printed }) => ({ printed: `${printed.join('\n')}\n` }));
      expect(Object.values(JSON.parse(output))).toEqual(promised);
    },
  );

  /** What the compiler complains about. */
  function compile(compiler: string): string {
    try {
      return execFileSync(process.execPath, [join(root, compiler, 'bin/tsc')], {
        cwd: project,
        encoding: 'utf8',
      });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  test('has the command, and it works', () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, ['node_modules/@impinge/cli/bin/impinge.js', ...args], {
        cwd: project,
        encoding: 'utf8',
      });
    const { version } = JSON.parse(text('packages/cli/package.json')) as { version: string };
    expect(run('--version').trim()).toBe(version);
    expect(readdirSync(join(project, 'node_modules/@impinge/cli/dist/viewer'))).toContain('index.html');
    // threads and reports included
    expect(run('demo')).toContain('25 clashes');
  });

  test('has little to install for it', () => {
    const own = join(project, 'node_modules/@impinge/cli');
    expect(needed.filter((name) => existsSync(join(project, 'node_modules', name))).sort()).toEqual(
      needed.sort(),
    );
    const bytes = [own, ...needed.map((name) => join(root, 'node_modules', name))].reduce(
      (sum, place) => sum + bytesIn(place),
      0,
    );
    expect(needed.length + 1).toBeLessThanOrEqual(12);
    expect(bytes).toBeLessThan(60e6);
  });

  /** What the command says to an error. */
  function failure(place: string, ...args: string[]): string {
    try {
      execFileSync(process.execPath, [join(place, 'node_modules/@impinge/cli/bin/impinge.js'), ...args], {
        cwd: place,
        stdio: 'pipe',
      });
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
    return '';
  }

  test('is told how to get the service and queues', () => {
    for (const args of [
      ['serve'],
      ['worker', '--help'],
      ['check', 'x.obj', '--queue', 'redis://localhost'],
    ]) {
      expect(failure(project, ...args)).toMatch(
        /^impinge: .* needs the package @impinge\/server, .*: npm install @impinge\/server@\d+\.\d+\.\d+\n$/,
      );
    }
  });

  test('has them when the server is installed', () => {
    const help = execFileSync(
      process.execPath,
      ['node_modules/@impinge/cli/bin/impinge.js', 'serve', '--help'],
      { cwd: serving, encoding: 'utf8' },
    );
    expect(help).toContain('impinge serve token create ci');
    // nobody listens there: hono and drivers of databases are loaded by then
    expect(failure(serving, 'serve', '--state', 'postgres://127.0.0.1:1/x')).toMatch(
      /^impinge: the database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
    );
    expect(failure(serving, 'worker', '--queue', 'redis://127.0.0.1:1')).toMatch(
      /^impinge: --queue: redis:\/\/ needs the package ioredis: npm install ioredis@\d+\.\d+\.\d+\n$/,
    );
  });

  test('cannot reach what is not an entry', () => {
    const reach = (path: string) => () =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', `await import('${path}')`], {
        cwd: project,
        stdio: 'pipe',
      });
    expect(reach('impinge')).not.toThrow();
    expect(reach('impinge/dist/mesh/mesh.js')).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });
});
