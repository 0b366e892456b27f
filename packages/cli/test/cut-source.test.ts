/**
 * Cut-off and altered files through the sources of the pack command, as arrays and as streams: refused where `readModel`
 * refuses, with a FormatError of one line, and without a temporary file left behind.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { asciiPly, asciiStl, binaryPly, binaryStl, Files, glb, gltfParts, obj } from './files.js';
import { NOTHING, PLENTY, sourceFailure } from './source-triangles.js';

const files = new Files();
const text = (content: string) => new Uint8Array(Buffer.from(content));
const { json, binary } = gltfParts();
const dataUri = `data:;base64,${Buffer.from(binary).toString('base64')}`;

const whole: [name: string, bytes: Uint8Array][] = [
  ['little.ply', binaryPly(true)],
  ['big.ply', binaryPly(false)],
  ['ascii.ply', text(asciiPly())],
  ['ascii.stl', text(asciiStl())],
  ['binary.stl', binaryStl()],
  ['model.obj', text(obj())],
  ['model.glb', glb(json, binary)],
  ['model.gltf', text(JSON.stringify({ ...json, buffers: [{ byteLength: 72, uri: dataUri }] }))],
  ['little.ply.gz', gzipSync(binaryPly(true))],
];

async function readWhole(name: string, bytes: Uint8Array): Promise<string> {
  return files.failure(name, bytes).catch((error: Error) => {
    if (error.message !== 'it was read') throw error;
    return error.message;
  });
}

describe.each(whole)('%s', (name, bytes) => {
  test.each([
    ['as arrays', PLENTY],
    ['as a stream', NOTHING],
  ])('cut anywhere, %s', async (_, memoryBytes) => {
    expect(await sourceFailure(files, name, bytes, { memoryBytes })).toBe('it was read');
    for (let length = 0; length < bytes.length; length += 5) {
      const cut = bytes.slice(0, length);
      const expected = await readWhole(name, cut);
      const found = await sourceFailure(files, name, cut, { memoryBytes });
      expect(found === 'it was read', `${length} bytes: ${found}`).toBe(expected === 'it was read');
    }
  });

  test('altered anywhere', async () => {
    for (let at = 0; at < bytes.length; at += 3) {
      const altered = bytes.slice();
      altered[at] ^= [0x01, 0x80, 0xff, 0x10][at % 4];
      const expected = await readWhole(name, altered);
      const memoryBytes = at % 2 === 0 ? PLENTY : NOTHING;
      const found = await sourceFailure(files, name, altered, { memoryBytes });
      // the format is told by the caller here, not by the first bytes
      if (at >= 8) expect(found === 'it was read', `byte ${at}: ${found}`).toBe(expected === 'it was read');
    }
  });
});
