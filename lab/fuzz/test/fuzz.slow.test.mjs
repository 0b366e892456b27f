/** Mutants of every file format with a fixed seed: none may fail. `--mode long` runs them for ten minutes. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LONG } from '../../../test/budget.ts';
import { TARGETS } from '../targets/index.mjs';

const RUN = fileURLToPath(new URL('../run.mjs', import.meta.url));

const SECONDS = LONG ? 600 : 12;

test(`${SECONDS} seconds of npm run fuzz, seed 1`, { timeout: 20_000 * SECONDS }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [RUN, '--seconds', `${SECONDS}`, '--seed', '1'],
    {
      encoding: 'utf8',
    },
  );
  expect(`${stdout}${stderr}`).toContain(' 0 defects');
  expect(status).toBe(0);
  // every available reader was reached
  for (const [target, { skipped }] of Object.entries(TARGETS)) {
    const line = skipped === undefined ? `^  ${target} +[1-9]` : `SKIPPED: ${target}; ${skipped}`;
    expect(stdout).toMatch(new RegExp(line, 'm'));
  }
});
