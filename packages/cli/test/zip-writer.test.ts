/** Archives that are written entry by entry hold what was put into them, for other readers as well. */
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { deflated, stored, ZipWriter } from '../src/reports/zip-writer.js';

async function archive(entries: readonly (readonly [name: string, text: string, isStored: boolean])[]) {
  const parts: Uint8Array[] = [];
  const zip = new ZipWriter(async (data) => {
    parts.push(Buffer.from(data));
  });
  for (const [name, text, isStored] of entries)
    await zip.add(name, isStored ? stored(Buffer.from(text)) : deflated(text));
  await zip.end();
  return { parts, bytes: Buffer.concat(parts) };
}

test('any entries (seed 5)', async () => {
  const entry = fc.tuple(
    fc.stringMatching(/^[a-z0-9/.-]{1,40}$/),
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(entry, { selector: ([name]) => name, maxLength: 150 }),
      async (entries) => {
        const { bytes } = await archive(entries);
        const found = Object.entries(unzipSync(bytes)).map(([name, content]) => [
          name,
          Buffer.from(content).toString(),
        ]);
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(entries));
        expect((await archive(entries)).bytes.equals(bytes)).toBe(true);
      },
    ),
    { seed: 5, numRuns: runs(40) },
  );
});

test('what is written is handed on, and does not wait for the end', async () => {
  const text = Array.from({ length: 100_000 }, (_, i) => (i * i) % 9973).join(' ');
  const { parts } = await archive(Array.from({ length: 20 }, (_, i) => [`${i}`, text, true] as const));
  expect(parts).toHaveLength(20 + 1);
});

full('more entries than an archive has numbers for are an error', async () => {
  const zip = new ZipWriter(async () => {});
  const nothing = stored(new Uint8Array(0));
  for (let i = 0; i < 0xffff; i++) await zip.add(`${i}`, nothing);
  await expect(zip.add('one more', nothing)).rejects.toThrow(RangeError);
});
