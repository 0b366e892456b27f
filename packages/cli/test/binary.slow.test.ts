/** The built command, as a user's shell runs it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { asciiPly, Files } from './files.js';

const main = fileURLToPath(new URL('../bin/impinge.js', import.meta.url));
const files = new Files();

function run(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

describe.skipIf(!existsSync(new URL('../dist/command/main.js', import.meta.url)))('the built command', () => {
  const tetra = files.write('tetra.ply', asciiPly());
  const cut = files.write('cut.ply', asciiPly().slice(0, asciiPly().indexOf('1.5 0 0') + 5));

  test('exit codes of collide: 0, 1, 2', async () => {
    expect((await run(['collide', tetra, tetra, '--pose', 't=9,9,9'])).code).toBe(0);
    expect((await run(['collide', tetra, tetra, '--pose', 't=0.5,0,0.5'])).code).toBe(1);
    expect((await run(['collide', tetra, tetra])).code).toBe(0); // one object: nothing to compare it with
    expect(await run(['collide', tetra, cut])).toEqual({
      code: 2,
      out: '',
      err: `impinge: ${cut}: cut off in vertex 1 of 4\n`,
    });
  });

  test('a reader that has seen enough does not change the exit code', async () => {
    // closes the pipe before anything is printed
    const child = spawn(process.execPath, [main, 'collide', tetra, tetra, '--pose', 't=0.5,0,0.5']);
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(err).toBe('');
  });

  test('no colours in a pipe; a stack trace only when asked for', async () => {
    expect((await run(['collide', tetra, tetra])).out).not.toContain('\u001b');
    const { err } = await run(['info', cut], { IMPINGE_DEBUG: '1' });
    expect(err.split('\n').length).toBeGreaterThan(3);
    expect(err).toContain('    at ');
  });

  test('a message has no more than 2 000 characters, whatever it is about', async () => {
    const { code, err } = await run(['info', `${'x'.repeat(50_000)}.obj`]);
    expect([code, err.length]).toEqual([2, 2001]);
    expect(err).toMatch(/^impinge: x+…\n$/);
    const option = await run(['info', tetra, `--${'x'.repeat(50_000)}`]);
    expect(Math.max(...option.err.split('\n').map((line) => line.length))).toBe(2000);
  });

  test('without arguments it says what there is', async () => {
    const { code, err } = await run([]);
    expect(code).toBe(2);
    expect(err).toContain('Usage: impinge');
  });
});
