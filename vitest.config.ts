import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Groups by the last part but two of a file's name; what has none is a unit test. The files of a group share processes,
 * so that modules are loaded and kernels compiled once, and what devices and pages have compiled serves the next; those
 * of two groups have one each.
 */
const GROUPS = {
  private: 'without shared memory, for good',
  alone: 'measures memory that others would use, too',
  webgpu: 'needs WebGPU in Node',
  browser: 'needs Chromium',
  slow: 'reference data, whole commands, long stories',
};

const tests = (name: string, initial = '') => [
  `{packages/*/,lab/*/,}test/**/${initial}*${name}.test.{ts,mjs}`,
];
const groups = Object.keys(GROUPS);
const group = (name: string, env: Readonly<Record<string, string>>) => ({
  extends: true as const,
  test: {
    name,
    env,
    include: tests(`.${name}`),
    exclude: [...APART, ...RESTING],
    isolate: ISOLATED.includes(name),
  },
});

/** Slow tests that need a process each, which has one client of object storage and one arena, for good. */
const APART = ['remote', 's3-file', 'service-queue', 'session'].flatMap((name) => tests(`${name}.slow`));
const apart = (env: Readonly<Record<string, string>>) => ({
  extends: true as const,
  test: { name: 'apart', env, include: APART, isolate: true },
});

/**
 * What a run of everything tries on one day of three: scenes of the papers, demonstrations, examples and the site. They
 * hold no defect that somebody found, and what they stand on is tried every day.
 */
const IN_TURN = [
  ['lab/scenes/test/{plant,deform,contact}*.slow.test.mjs', 'lab/gallery/test/*.browser.test.ts'],
  [
    'lab/scenes/test/{gpu,rigid,standins}.slow.test.mjs',
    'lab/command/test/*.slow.test.ts',
    'test/examples.browser.test.ts',
  ],
  [
    'packages/dynamics/test/{contact-levels,rigid/engines}/*.slow.test.ts',
    'packages/gpu/test/no-miss.browser.test.ts',
    'test/site.slow.test.ts',
  ],
];

/** Given to each project by itself: what a project takes over from the root does not know the mode. */
const budgetOf = (mode: string, full = 'full') => ({
  IMPINGE_TEST_BUDGET: mode === 'fast' || mode === 'long' ? mode : full,
});

/** Thirds of the unit tests by the first letter of their file names: about the same time each. */
const THIRDS = ['[a-h]', '[i-p]', '[q-z]'];

/** What `npm test` turns round: unit tests of one third take all of their runs, the others a sample of them. */
const ROTATION = process.env['IMPINGE_TEST_ROTATION'] ?? '';

/** Those of `IN_TURN` whose day it is not. */
const RESTING =
  ROTATION === '' ? [] : IN_TURN.filter((_, i) => i !== Number(ROTATION) % IN_TURN.length).flat();
// this file is loaded for each project
if (RESTING.length > 0 && process.env['IMPINGE_TEST_RESTING'] === undefined) {
  process.env['IMPINGE_TEST_RESTING'] = RESTING.join(' ');
  process.stderr.write(`*** SKIPPED until their day: ${RESTING.join(' ')} ***\n`);
}

/** Unit tests with a name and a budget, all of them or those whose files begin with one of the initials. */
const unit = (name: string, env: Readonly<Record<string, string>>, initials = ['']) => ({
  extends: true as const,
  test: {
    name,
    env,
    include: initials.flatMap((initial) => tests('', initial)),
    exclude: groups.flatMap((name) => tests(`.${name}`)),
    isolate: false,
  },
});

function unitProjects(mode: string) {
  if (ROTATION === '' || mode === 'fast' || mode === 'long') return [unit('unit', budgetOf(mode))];
  const whole = THIRDS[Number(ROTATION) % THIRDS.length]!;
  return [
    unit('unit', budgetOf(mode), [whole]),
    unit(
      'sample',
      budgetOf(mode, 'sample'),
      THIRDS.filter((third) => third !== whole),
    ),
  ];
}

/** Files of these groups have a process of their own. */
const ISOLATED = ['private', 'alone'];

/** Groups that another run has: see scripts/test.mjs. */
const ELSEWHERE = (process.env['IMPINGE_TEST_ELSEWHERE'] ?? '').split(',');

// Node reads these at every start, for connections to the outside, and no test has any
delete process.env['NODE_EXTRA_CA_CERTS'];
// tests read what they write
process.env['IMPINGE_CACHE'] = 'off';

/** Part of the inner loop. */
const QUICK = ['alone'];

const PACKAGES = [
  ...['impinge', 'model', 'dynamics', 'gpu', 'motion', 'cli', 'server'].map((name) => join('packages', name)),
  join('lab', 'command'),
].map((path) => join(import.meta.dirname, path));

/** True where nothing has changed since the last build, which renews this file even if it has nothing to do. */
function upToDate(root: string): boolean {
  const record = join(root, 'tsconfig.tsbuildinfo');
  if (!existsSync(record)) return false;
  const built = statSync(record).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return sources.every((file) => statSync(join(file.parentPath, file.name)).mtimeMs <= built);
}

/**
 * Tests import `src`, and get what was built of it if that is up to date: Node loads it as it is, once for tests and
 * commands, and its inner loops run as they do for users. What Vite makes of a module reaches every import through a
 * getter.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    if (!source.startsWith('.') || importer === undefined) return null;
    const path = resolve(dirname(importer), source);
    const root = PACKAGES.find((root) => path.startsWith(join(root, 'src/')));
    return root === undefined ? null : path.replace(join(root, 'src/'), join(root, 'dist/'));
  },
};

/** `--mode fast`: unit tests with small budgets. `--mode long`: also what takes minutes. Else all, as it must pass. */
export default defineConfig(({ mode }) => ({
  plugins: PACKAGES.every(upToDate) ? [built] : [],
  test: {
    server: { deps: { external: [/\/(packages|lab)\/\w+\/dist\//] } },
    pool: 'forks',
    maxWorkers: '100%',
    // properties against exact oracles and reference data take a while on small machines; nothing measures time
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // pages that draw in software on small machines take their time; nothing waits longer than it has to
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    // what was compiled for an earlier run is used again
    experimental: { fsModuleCache: true },
    projects: [
      ...unitProjects(mode),
      ...groups
        .filter((name) => !ELSEWHERE.includes(name) && (mode !== 'fast' || QUICK.includes(name)))
        .map((name) => group(name, budgetOf(mode))),
      ...(mode === 'fast' ? [] : [apart(budgetOf(mode))]),
    ],
  },
}));
