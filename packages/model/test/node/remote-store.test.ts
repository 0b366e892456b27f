/** Files elsewhere: what is read is what is there, however little is kept, and in few requests. */
import { afterEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { CachedSource } from '../../src/node/remote/cached-source.js';
import { openRemoteStore } from '../../src/node/remote/open-remote.js';
import { PART_BYTES, PartCache } from '../../src/node/remote/part-cache.js';
import { shareStore } from '../../src/node/shared-store.js';
import type { RemoteFile } from '../../src/store/http-file.js';

const LENGTH = 30 * PART_BYTES + 12_345;
/** Repeats at no multiple of a part. */
const PATTERN = Uint8Array.from({ length: 1_000_003 }, (_, i) => Math.imul(i, 2654435761) >>> 24);
const byteAt = (at: number) => PATTERN[at % PATTERN.length];

interface Request {
  readonly at: number;
  readonly length: number;
}

let asked: Request[] = [];
let failures = 0;
const FILE: RemoteFile = {
  name: 'far://away',
  byteLength: LENGTH,
  part: async (at, length) => {
    asked.push({ at, length });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (failures > 0) {
      failures--;
      throw new Error('no route');
    }
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const from = (at + done) % PATTERN.length;
      const some = PATTERN.subarray(from, from + length - done);
      bytes.set(some, done);
      done += some.length;
    }
    return bytes;
  },
};

let source: CachedSource | undefined;
async function open(kept: number): Promise<CachedSource> {
  source = CachedSource.of(await PartCache.open(FILE, kept));
  return source;
}
afterEach(async () => {
  await source?.dispose();
  asked = [];
  failures = 0;
});

async function assertRead(from: CachedSource, at: number, lengths: readonly number[]): Promise<void> {
  const into = lengths.map((length) => new Uint8Array(length));
  await from.read(at, into);
  let place = at;
  for (const buffer of into) {
    let wrong = 0;
    for (let i = 0; i < buffer.length; i += 97) if (buffer[i] !== byteAt(place + i)) wrong++;
    expect(wrong).toBe(0);
    place += buffer.length;
  }
}

describe('what is read', () => {
  test('is what is there, across parts, and is fetched once', async () => {
    const far = await open(Infinity);
    await assertRead(far, PART_BYTES - 10, [5, 0, 20, 3]);
    await assertRead(far, 0, [100]);
    await assertRead(far, LENGTH - 50, [50]);
    expect(asked).toEqual([
      { at: 0, length: 2 * PART_BYTES },
      { at: 30 * PART_BYTES, length: 12_345 },
    ]);
  });

  full('is what is there, where most of it is dropped and many read at once', async () => {
    const far = await open(0); // eight parts are the least
    const random = seededRandom(5);
    const reads = Array.from({ length: 60 }, () => {
      const length = 1 + Math.floor(random() * 3 * PART_BYTES);
      const at = Math.floor(random() * (LENGTH - length));
      return assertRead(far, at, [length >> 2, length - (length >> 2)]);
    });
    await Promise.all(reads);
    expect(asked.length).toBeGreaterThan(16);
  });

  test('is there before it is asked for, where it was expected', async () => {
    const far = await open(Infinity);
    far.expect([
      { at: 5 * PART_BYTES + 7, length: 100 },
      { at: 2 * PART_BYTES - 1, length: 2 },
    ]);
    await expect.poll(() => asked).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await assertRead(far, 5 * PART_BYTES + 7, [100]);
    await assertRead(far, 2 * PART_BYTES - 1, [2]);
    expect(asked).toEqual([
      { at: 5 * PART_BYTES, length: PART_BYTES },
      { at: PART_BYTES, length: 2 * PART_BYTES },
    ]);
  });
});

test('a failure is told to those who wait, and the next may succeed', async () => {
  const far = await open(Infinity);
  failures = 1;
  const [one, two] = await Promise.allSettled([
    far.read(0, [new Uint8Array(4)]),
    far.read(9, [new Uint8Array(4)]),
  ]);
  expect([one, two].map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await assertRead(far, 0, [64]);
});

test('beyond the end nothing is read; nor after the end', async () => {
  const far = await open(Infinity);
  await expect(far.read(LENGTH - 3, [new Uint8Array(4)])).rejects.toMatchObject({ code: 'bad-buffer' });
  const waiting = far.read(0, [new Uint8Array(4)]);
  waiting.catch(() => {});
  await far.dispose();
  source = undefined;
  await expect(waiting).rejects.toMatchObject({ code: 'disposed' });
});

test('what is neither an address nor a file elsewhere is refused', async () => {
  for (const wrong of [null, undefined, 7, {}] as never[])
    await expect(openRemoteStore(wrong)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(openRemoteStore(FILE, { kept: -1 })).rejects.toMatchObject({ code: 'bad-option' });
  await expect(openRemoteStore(FILE)).rejects.toThrow('far://away: not a store');
  expect(() => shareStore({ source: {} } as never)).toThrow(/a stored model/);
});
