/**
 * Cut-off and altered files of every format: whatever the place, the reader either succeeds (text that is complete as
 * far as it goes) or throws a FormatError of one line, in memory as well as in streams. It never throws anything else,
 * never hangs, and leaves no temporary file behind.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { full, stride } from '../../../test/budget.js';
import { FORMAT_NAMES } from '../src/formats/formats.js';
import { asciiPly, asciiStl, binaryStl, Files, obj } from './files.js';
import { compressedGlb } from './gltf-document.js';
import { MODEL_FILES } from './model-files.js';
import { NOTHING, sourceFailure } from './source-triangles.js';

const files = new Files();

/** Fewer bytes than these can be a whole file; of the others, no part is. */
const SHORTEST: Readonly<Record<string, number>> = {
  'ascii.ply': asciiPly().length - 1,
  'ascii.stl': asciiStl().indexOf('endsolid') + 8,
  'tetra.obj': obj().indexOf('f ') + 7,
};

/** IFC is read by an engine that takes its time. */
const whole: (readonly [name: string, bytes: Uint8Array])[] = [
  ...MODEL_FILES.filter(([name]) => !name.endsWith('.ifc')),
  ['solid.stl', binaryStl('solid')],
  ['ascii.stl.gz', gzipSync(asciiStl())],
  ['meshopt.glb', await compressedGlb('meshopt')],
  ['draco.glb', await compressedGlb('draco')],
];

async function outcome(name: string, bytes: Uint8Array, memoryBytes?: number): Promise<'read' | 'refused'> {
  const said = await sourceFailure(files, name, bytes, memoryBytes === undefined ? {} : { memoryBytes });
  return said === 'it was read' ? 'read' : 'refused';
}

describe.each(whole)('%s', (name, bytes) => {
  test('whole, it is read', async () => {
    expect(await outcome(name, bytes)).toBe('read');
    expect(await outcome(name, bytes, NOTHING)).toBe('read');
  });

  full('cut at every byte', async () => {
    const shortest = SHORTEST[name] ?? (name.endsWith('.gz') ? 150 : bytes.length);
    for (let length = 0; length < bytes.length; length += stride) {
      const cut = bytes.slice(0, length);
      const result = await outcome(name, cut);
      if (length < shortest) expect(result, `${length} bytes`).toBe('refused');
      if (length % 5 === 0) expect(await outcome(name, cut, NOTHING), `${length} bytes`).toBe(result);
    }
  });

  full('every byte changed, in one of three ways', async () => {
    for (let at = 0; at < bytes.length; at += stride) {
      const altered = bytes.slice();
      altered[at] ^= [0x01, 0x80, 0xff][at % 3];
      const result = await outcome(name, altered);
      if (at % 4 === 0) expect(await outcome(name, altered, NOTHING), `byte ${at}`).toBe(result);
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
  for (const [name] of MODEL_FILES) expect(await files.failure(name, '')).toBe('is empty');
});
