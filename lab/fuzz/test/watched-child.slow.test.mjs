/** A process that hangs, grows or crashes is noticed, together with its current mutant, and replaced. */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { WatchedChild } from '../watched-child.mjs';

const SCRIPT = fileURLToPath(new URL('./misbehaving-child.mjs', import.meta.url));
const child = new WatchedChild(60, SCRIPT);
const impatient = new WatchedChild(1, SCRIPT);
afterAll(() => Promise.all([child.stop(), impatient.stop()]));

test('one that answers', async () => {
  const failed = [];
  expect(await child.ask('answer')).toEqual({ done: { outcome: 'read' } });
  expect(await child.ask('fail', (failure) => failed.push(failure))).toEqual({ done: { outcome: 'read' } });
  expect(failed).toEqual([{ number: 7 }]);
});

test('one that is to hang', async () => {
  expect(await impatient.ask('hang')).toEqual({
    lost: { at: 'obj hang', kind: 'hang', detail: 'no end after 1 s' },
  });
});

test.each([
  ['swell', 'growth', /beyond 1611 MB/],
  ['throw', 'died', /exit code 1: TypeError: nobody catches this/],
  ['die', 'died', /SIGKILL/],
])('one that is to %s', async (manner, kind, detail) => {
  const { lost } = await child.ask(manner);
  expect(lost).toEqual({ at: `obj ${manner}`, kind, detail: expect.stringMatching(detail) });
  expect(await child.ask('answer')).toEqual({ done: { outcome: 'read' } });
});
