/** What was read is kept, as long as there is room; and read through a port. */
import { MemorySource, openStore, type PageSource } from '@impinge/model';
import { Random } from '@impinge/scenes/random';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { KeptReads } from '../src/streaming/kept-reads.js';
import { openServedStore, servePages } from '../src/streaming/page-port.js';
import { box, modelOf, moved } from './small-model.js';

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 251);

/** Notes what is read. */
function noted(from: Uint8Array): { readonly source: PageSource; readonly reads: string[] } {
  const reads: string[] = [];
  const memory = new MemorySource(from);
  const read: PageSource['read'] = (at, into) => {
    reads.push(`${at} ${into.reduce((sum, { length }) => sum + length, 0)}`);
    return memory.read(at, into);
  };
  return { source: { byteLength: from.length, read }, reads };
}

async function part(source: PageSource, at: number, ...lengths: number[]): Promise<number[]> {
  const into = lengths.map((length) => new Uint8Array(length));
  await source.read(at, into);
  return into.flatMap((buffer) => [...buffer]);
}

describe('what was read', () => {
  test('is not read again, nor is a part of it', async () => {
    const { source, reads } = noted(bytes);
    const kept = new KeptReads(source, 2000);
    expect(await part(kept, 100, 200, 100)).toEqual([...bytes.subarray(100, 400)]);
    expect(await part(kept, 150, 50, 30)).toEqual([...bytes.subarray(150, 230)]);
    expect(await part(kept, 150, 260)).toEqual([...bytes.subarray(150, 410)]);
    expect(reads).toEqual(['100 300', '150 260']);
    expect([kept.bytesRead, kept.keptBytes]).toEqual([560, 560]);
  });

  test('makes room, the longest unused first; what is long is not kept', async () => {
    const { source, reads } = noted(bytes);
    const kept = new KeptReads(source, 1000);
    for (const at of [0, 300, 600, 900]) await part(kept, at, 250);
    await part(kept, 0, 250); // used again
    await part(kept, 1200, 250); // in place of that at 300
    await part(kept, 0, 250);
    await part(kept, 300, 250);
    await part(kept, 2000, 400);
    await part(kept, 2000, 400);
    expect(reads.slice(4)).toEqual(['1200 250', '300 250', '2000 400', '2000 400']);
    expect(kept.keptBytes).toBe(1000);
  });

  test('is what the source has, whatever is asked for, seed 3', async () => {
    const random = new Random(3);
    const kept = new KeptReads(noted(bytes).source, 1500);
    for (let i = 0; i < runs(400); i++) {
      const at = Math.floor(4000 * random.next());
      const length = 1 + Math.floor(500 * random.next());
      expect(await part(kept, at, length)).toEqual([...bytes.subarray(at, at + length)]);
      expect(kept.keptBytes).toBeLessThanOrEqual(1500);
    }
    expect(kept.bytesRead).toBeGreaterThan(0);
  });
});

describe('a store that another worker has open', () => {
  const { port1, port2 } = new MessageChannel();
  afterAll(() => port1.close());

  test('is read there, with the same contents', async () => {
    const small = await modelOf([0, 3].map((x) => ({ solid: box(1, 1, 1, 3), pose: moved(x, 0, 0) })));
    const { source, reads } = noted(small.bytes);
    const there = await openStore(source);
    servePages(port1, there);
    const before = reads.length;
    const here = await openServedStore(port2);
    expect(reads.length).toBe(before);
    expect([here.objectCount, here.fingerprint]).toEqual([2, there.fingerprint]);
    const into = [new Uint8Array(40), new Uint8Array(30)];
    await here.source.read(64, into);
    expect([...into[0], ...into[1]]).toEqual([...small.bytes.subarray(64, 134)]);
    expect(reads.slice(before)).toEqual(['64 70']);
    await expect(here.source.read(small.bytes.length, into)).rejects.toThrowError(/cut off/);
  });
});
