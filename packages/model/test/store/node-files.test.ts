/** Stores in files, and room for shapes larger than memory. */
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { FileSink, FileSource, fileSpill, modelPool, openStoreFile } from '../../src/node/index.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { cornersOf, META, named, storeBytes, streamOf } from './fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'impinge-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BALL = icosphere(20) as ShapeArrays;
const SHAPES = [{ geometry: BALL, objects: [named('ball')] }];

describe('a file', () => {
  test('is written and read as the same bytes, in order and at once', async () => {
    const path = join(folder, 'ball.impinge');
    const expected = await storeBytes(SHAPES, { pieceTriangles: 500 });
    const handle = await open(path, 'w');
    const writer = new StoreWriter(new FileSink(handle), { pieceTriangles: 500 });
    for (const shape of SHAPES) await writer.add(shape);
    await writer.finish(META);
    await handle.close();
    const source = await FileSource.open(path);
    expect(source.byteLength).toBe(expected.length);
    expect(writer.byteLength).toBe(expected.length);
    const whole = new Uint8Array(expected.length);
    await source.read(0, [whole.subarray(0, 1000), whole.subarray(1000, 1001), whole.subarray(1001)]);
    expect(Buffer.compare(whole, expected)).toBe(0);
    const parts = [new Uint8Array(17), new Uint8Array(0), new Uint8Array(64)];
    source.readNow(100, parts);
    expect(Buffer.concat(parts)).toEqual(Buffer.from(expected.subarray(100, 181)));
    await source.dispose();
    const model = await openStoreFile(path);
    expect(model.fingerprint).toBe((await openStore(new MemorySource(expected))).fingerprint);
    await model.dispose();
  });

  test('that ends too early is an error of its own, at once and later', async () => {
    const path = join(folder, 'short');
    writeFileSync(path, new Uint8Array(100));
    const source = await FileSource.open(path);
    const into = () => [new Uint8Array(64), new Uint8Array(64)];
    await expect(source.read(0, into())).rejects.toMatchObject({ code: 'bad-buffer' });
    expect(() => source.readNow(0, into())).toThrow(/cut off/);
    expect(() => source.readNow(500, into())).toThrow(/cut off/);
    await source.dispose();
  });

  test('that was cut off, altered or is something else is refused by its name', async () => {
    const path = join(folder, 'bad.impinge');
    const bytes = await storeBytes(SHAPES);
    for (const [content, message] of [
      [bytes.subarray(0, bytes.length - 1), 'the store was cut off: its end is missing'],
      [bytes.subarray(0, 3000), 'the store was cut off: its end is missing'],
      [bytes.subarray(0, 10), 'not a store: too short'],
      [new Uint8Array(5000).fill(65), 'not a store: it does not begin like one'],
    ] as const) {
      writeFileSync(path, content);
      await expect(openStoreFile(path)).rejects.toMatchObject({
        code: 'bad-buffer',
        message: `${path}: ${message}`,
        detail: { file: path },
      });
    }
    await expect(openStoreFile(join(folder, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that is cut off while it is open: an error, nothing held', async () => {
    const path = join(folder, 'shrinking.impinge');
    writeFileSync(path, await storeBytes(SHAPES, { pieceTriangles: 500 }));
    const model = await openStoreFile(path);
    truncateSync(path, 4096);
    const cache = new PieceCache(model, { limit: 1e8, onLoad: () => {} });
    const last = model.pieceCount - 1;
    expect(() => cache.acquire([last])).toThrow(/cut off/);
    expect(cache.has(last)).toBe(false);
    expect(() => cache.release([last])).toThrow(/twice/);
    await cache.dispose();
    await model.dispose();
  });
});

describe('spilled shapes', () => {
  test('give the same triangles, and the temporary folder goes', async () => {
    const spillFolder = mkdtempSync(join(folder, 'spill-'));
    const geometry = streamOf(cornersOf(BALL), 100);
    const bytes = await storeBytes([{ geometry, objects: [named('ball')] }], {
      pieceTriangles: 500,
      spill: fileSpill(1000, spillFolder),
    });
    const model = await openStore(new MemorySource(bytes));
    expect(model.triangleCount).toBe(BALL.indices.length / 3);
    expect(model.isClosed(0)).toBe(true);
    expect(readdirSync(spillFolder)).toEqual([]);
  });

  test('a read behind the end says so', async () => {
    const room = await fileSpill(10, folder).open();
    await room.write(new Uint8Array(100));
    await expect(room.read(50, new Uint8Array(60))).rejects.toThrow(/cut off/);
    await room.dispose();
  });

  test('without a place to go, the error is the system’s', async () => {
    const nowhere = join(folder, 'nowhere');
    await expect(fileSpill(10, nowhere).open()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(nowhere)).toBe(false);
  });
});

test.each([-1, 1.5, Number.NaN, 1025])('%d threads are refused', (size) => {
  expect(() => modelPool(size)).toThrow(/integer from 0 to 1024/);
});
