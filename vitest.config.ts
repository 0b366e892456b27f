import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scenes/test/**/*.test.mjs'],
    pool: 'forks',
    // properties against exact oracles and reference data take a while on small machines; nothing measures time
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
