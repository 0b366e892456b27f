/** A check answers signals at once, whatever the pair that it is at. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from './files.js';
import { start } from './run-impinge.js';

const folder = temporaryFolder();

/** Thin plates on edge, `count` of them along x, or along y: each of one kind passes through each of the other. */
function plates(name: string, count: number, along: 'x' | 'y'): string {
  let vertices = '';
  let faces = '';
  for (let i = 0; i < count; i++) {
    const at = (i + 0.5) / count;
    for (const [s, z] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]) {
      vertices += along === 'x' ? `v ${s} ${at} ${z}\n` : `v ${at} ${s} ${z}\n`;
    }
    faces += `f ${4 * i + 1} ${4 * i + 2} ${4 * i + 3}\nf ${4 * i + 1} ${4 * i + 3} ${4 * i + 4}\n`;
  }
  const path = join(folder, name);
  writeFileSync(path, vertices + faces);
  return path;
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops one worker in the middle of a pair', async (signal) => {
  // some hundred million pairs of triangles: minutes, at best
  const files = [plates('x.obj', 12_000, 'x'), plates('y.obj', 12_000, 'y')];
  const output = join(folder, signal);
  const { child, ended } = start('check', ...files, '-o', output, '--workers', '1');
  while (!existsSync(join(output, 'check.journal'))) await delay(20);
  await delay(500); // into the pair
  child.kill(signal);
  const { code, err } = await ended;
  expect(err).toContain('impinge: stopped');
  expect(code).toBe(2);
});
