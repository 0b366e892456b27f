/**
 * Cut-off and altered files: whatever the place, the reader either succeeds (text that is complete as far as it goes)
 * or throws a FormatError of one line, in memory as well as in streams. It never throws anything else, never hangs, and
 * leaves no temporary file behind.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { full, stride } from '../../../test/budget.js';
import { FORMAT_NAMES } from '../src/formats/formats.js';
import { asciiPly, asciiStl, binaryPly, binaryStl, Files, glb, gltfParts, obj } from './files.js';
import { NOTHING, sourceFailure } from './source-triangles.js';

const files = new Files();
const text = (content: string) => new Uint8Array(Buffer.from(content));
const { json, binary } = gltfParts();
const dataUri = `data:;base64,${Buffer.from(binary).toString('base64')}`;

const whole: [name: string, bytes: Uint8Array, shortest: number][] = [
  // `shortest`: fewer bytes than these can never be a whole file
  ['little.ply', binaryPly(true), binaryPly(true).length],
  ['big.ply', binaryPly(false), binaryPly(false).length],
  ['ascii.ply', text(asciiPly()), asciiPly().length - 1],
  ['ascii.stl', text(asciiStl()), asciiStl().indexOf('endsolid') + 8],
  ['binary.stl', binaryStl(), binaryStl().length],
  ['solid.stl', binaryStl('solid'), binaryStl().length],
  ['model.obj', text(obj()), obj().indexOf('f ') + 7],
  ['model.glb', glb(json, binary), glb(json, binary).length],
  ['model.gltf', text(JSON.stringify({ ...json, buffers: [{ byteLength: 72, uri: dataUri }] })), 900],
  ['little.ply.gz', gzipSync(binaryPly(true)), 200],
  ['ascii.stl.gz', gzipSync(asciiStl()), 150],
];

async function outcome(name: string, bytes: Uint8Array): Promise<'read' | 'refused'> {
  return files.failure(name, bytes).then(
    () => 'refused',
    (error: Error) => {
      if (error.message !== 'it was read') throw error;
      return 'read';
    },
  );
}

async function streamed(name: string, bytes: Uint8Array): Promise<'read' | 'refused'> {
  const said = await sourceFailure(files, name, bytes, { memoryBytes: NOTHING });
  return said === 'it was read' ? 'read' : 'refused';
}

describe.each(whole)('%s', (name, bytes, shortest) => {
  test('whole, it is read', async () => {
    expect(await outcome(name, bytes)).toBe('read');
    expect(await streamed(name, bytes)).toBe('read');
  });

  full('cut at every byte', async () => {
    for (let length = 0; length < bytes.length; length += stride) {
      const cut = bytes.slice(0, length);
      const result = await outcome(name, cut);
      if (length < Math.min(shortest, bytes.length)) expect(result, `${length} bytes`).toBe('refused');
      if (length % 5 === 0) expect(await streamed(name, cut), `${length} bytes`).toBe(result);
    }
  });

  full('every byte changed, in one of three ways', async () => {
    for (let at = 0; at < bytes.length; at += stride) {
      const altered = bytes.slice();
      altered[at] ^= [0x01, 0x80, 0xff][at % 3];
      const result = await outcome(name, altered);
      if (at % 4 === 0) expect(await streamed(name, altered), `byte ${at}`).toBe(result);
    }
  });
});

test('things that are no model files', async () => {
  expect(await files.failure('notes.txt', 'Dear all,\n')).toBe(
    `unknown format; ${FORMAT_NAMES} are supported`,
  );
  expect(await files.failure('twice.ply.gz', gzipSync(gzipSync(asciiPly())))).toMatch(/not a PLY file/);
  expect(await files.failure('zeros.stl', new Uint8Array(5000))).toBe('no triangles');
  expect(await files.failure('zeros.obj', new Uint8Array(5000))).toMatch(/^not an OBJ file/);
  expect(await files.failure('long-line.obj', `v ${'1'.repeat(1 << 20)}`)).toMatch(/^line 1: a/);
});
