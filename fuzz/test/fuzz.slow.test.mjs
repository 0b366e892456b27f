/** A minute of mutants of every file that is read, with a seed that never changes: nothing fails. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { TARGETS } from '../targets/index.mjs';

const RUN = fileURLToPath(new URL('../run.mjs', import.meta.url));

test('60 seconds of npm run fuzz, seed 1', { timeout: 600_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, '--seconds', '60', '--seed', '1'], {
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain(' 0 defects');
  expect(status).toBe(0);
  // every reader was reached
  for (const target of Object.keys(TARGETS)) expect(stdout).toMatch(new RegExp(`^  ${target} +[1-9]`, 'm'));
});
