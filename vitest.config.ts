import { defineConfig } from 'vitest/config';

/**
 * Groups by the last part but two of a file's name; what has none is a unit test. Unit tests share their process, so
 * that modules are loaded and kernels compiled once, and so do those on WebGPU and in browsers; the others have one each.
 */
const GROUPS = {
  private: 'without shared memory, for good',
  alone: 'measures memory that others would use, too',
  webgpu: 'needs WebGPU in Node',
  browser: 'needs Chromium',
  slow: 'reference data, whole commands, long stories',
};

const tests = (name: string) => [
  `packages/*/test/**/*${name}.test.ts`,
  `{scenes,fuzz}/test/**/*${name}.test.mjs`,
];
const groups = Object.keys(GROUPS);
const group = (name: string, env: Readonly<Record<string, string>>) => ({
  extends: true as const,
  test: { name, env, include: tests(`.${name}`), isolate: !COMPILING.includes(name) },
});

/** Given to each project by itself: what a project takes over from the root does not know the mode. */
const budgetOf = (mode: string) => ({
  IMPINGE_TEST_BUDGET: mode === 'fast' || mode === 'long' ? mode : 'full',
});

/** What devices and pages have compiled serves the next file of the process. */
const COMPILING = ['webgpu', 'browser'];

/** Part of the inner loop. */
const QUICK = ['private', 'alone'];

/** `--mode fast`: unit tests with small budgets. `--mode long`: also what takes minutes. Else all, as it must pass. */
export default defineConfig(({ mode }) => ({
  test: {
    pool: 'forks',
    maxWorkers: '100%',
    // properties against exact oracles and reference data take a while on small machines; nothing measures time
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    // what was compiled for an earlier run is used again
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          env: budgetOf(mode),
          include: tests(''),
          exclude: groups.flatMap((name) => tests(`.${name}`)),
          isolate: false,
        },
      },
      ...groups
        .filter((name) => mode !== 'fast' || QUICK.includes(name))
        .map((name) => group(name, budgetOf(mode))),
    ],
  },
}));
