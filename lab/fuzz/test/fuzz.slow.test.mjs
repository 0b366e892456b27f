/**
 * Mutants of every file that is read, with a seed that never changes: nothing fails. In `--mode long` ten minutes of
 * them.
 */
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
  // every reader was reached, but for those that are not there
  for (const [target, { skipped }] of Object.entries(TARGETS)) {
    const line = skipped === undefined ? `^  ${target} +[1-9]` : `SKIPPED: ${target}; ${skipped}`;
    expect(stdout).toMatch(new RegExp(line, 'm'));
  }
});
