/** A store whose checksums are right, but one of whose boxes ends before it begins: nothing would be found in it. */
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { Foot, SECTION_NAMES, STORE_FOOT_BYTES } from '../../src/store/layout.js';
import { openStore } from '../../src/store/open.js';
import { pageChecksum } from '../../src/store/page-hash.js';
import { MemorySource } from '../../src/store/page-source.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeBytes } from '../store/fixtures.js';

const CRATE = box(1, 1, 1) as ShapeArrays;

/** Exchanges minimum and maximum of the first box, and seals the store again. */
async function withBoxTurned(section: 'objectBox' | 'placedBox'): Promise<Uint8Array> {
  const bytes = await storeBytes([{ geometry: CRATE, objects: [named('a'), named('b', moved(3, 0, 0))] }]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const foot = bytes.length - STORE_FOOT_BYTES;
  const directory = view.getFloat64(foot + 4 * Foot.directoryByteOffset, true);
  const at = directory + view.getFloat64(directory + 16 * SECTION_NAMES.indexOf(section), true);
  const [low, high] = [view.getFloat64(at, true), view.getFloat64(at + 24, true)];
  view.setFloat64(at, high, true);
  view.setFloat64(at + 24, low, true);
  view.setUint32(foot + 4 * Foot.directoryChecksum, pageChecksum(bytes.slice(directory, foot)), true);
  view.setUint32(foot + 4 * Foot.footChecksum, 0, true);
  view.setUint32(foot + 4 * Foot.footChecksum, pageChecksum(bytes.slice(foot)), true);
  return bytes;
}

test.each(['objectBox', 'placedBox'] as const)('%s', async (section) => {
  const source = new MemorySource(await withBoxTurned(section));
  await expect(openStore(source)).rejects.toThrow('a box ends before it begins');
});
