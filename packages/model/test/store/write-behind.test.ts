/** Writing while working: one write at a time, in order, and no error is lost. */
import { expect, test } from 'vitest';
import { WriteBehind } from '../../src/store/write-behind.js';

/** A sink whose writes end when told to. */
function slowSink() {
  const begun: number[] = [];
  const ends: { keep: () => void; fail: (error: Error) => void }[] = [];
  return {
    begun,
    ends,
    write: (bytes: Uint8Array) => {
      begun.push(bytes[0]);
      return new Promise<void>((keep, fail) => ends.push({ keep, fail }));
    },
  };
}

const later = () => new Promise((resolve) => setImmediate(resolve));

test('returns while a write is under way, and waits for it before the next', async () => {
  const sink = slowSink();
  const writer = new WriteBehind(sink);
  await writer.write(Uint8Array.of(1));
  let isDone = false;
  const second = writer.write(Uint8Array.of(2)).then(() => {
    isDone = true;
  });
  await later();
  expect([sink.begun, isDone]).toEqual([[1], false]);
  sink.ends[0].keep();
  await second;
  expect(sink.begun).toEqual([1, 2]);
  sink.ends[1].keep();
  await writer.done();
});

test('what went wrong is told by the next call', async () => {
  for (const next of ['write', 'done'] as const) {
    const sink = slowSink();
    const writer = new WriteBehind(sink);
    await writer.write(Uint8Array.of(1));
    sink.ends[0].fail(new Error('no space left'));
    await later();
    await expect(writer[next](Uint8Array.of(2))).rejects.toThrow('no space left');
    expect(sink.begun).toEqual([1]);
  }
});
