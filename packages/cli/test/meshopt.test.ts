/** Meshopt data decoded part by part, held against the decoder of the library, which takes it as a whole. */
import { seededRandom } from '@impinge/scenes/random';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, test } from 'vitest';
import { every, full, runs } from '../../../test/budget.js';
import { fileBytes } from '../src/formats/gltf/bytes.js';
import { decodeMeshopt } from '../src/formats/gltf/meshopt.js';

beforeAll(async () => {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
});

interface Coded {
  readonly encoded: Uint8Array;
  readonly count: number;
  readonly stride: number;
  readonly mode: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES';
  readonly filter?: string;
}

/** In parts, from the middle of a file. */
function inParts({ encoded, count, stride, mode, filter = 'NONE' }: Coded): { bytes: Buffer; most: number } {
  const file = Buffer.concat([Buffer.alloc(77, 0xa5), encoded, Buffer.alloc(99, 0xa5)]);
  const bytes = fileBytes((into, at) => into.set(file.subarray(at, at + into.length)), 0, file.length);
  const source = { bytes, start: 77, end: 77 + encoded.length };
  const parts = Array.from(decodeMeshopt(MeshoptDecoder, { source, count, stride, mode, filter }), (part) =>
    part.slice(),
  );
  return { bytes: Buffer.concat(parts), most: Math.max(0, ...parts.map((part) => part.length)) };
}

function whole({ encoded, count, stride, mode, filter = 'NONE' }: Coded): Buffer {
  const target = new Uint8Array(count * stride);
  MeshoptDecoder.decodeGltfBuffer(target, count, stride, encoded, mode, filter);
  return Buffer.from(target.buffer);
}

function expectSame(coded: Coded): void {
  const { bytes, most } = inParts(coded);
  expect(bytes.equals(whole(coded))).toBe(true);
  expect(most).toBeLessThanOrEqual(1 << 17);
}

/** Numbers that wander, with jumps and rests: groups of every width. */
function wandering(count: number, stride: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(count * stride);
  const value = new Float64Array(stride);
  const step = Float64Array.from({ length: stride }, () => 4 ** Math.floor(5 * random()) - 1);
  for (let i = 0; i < count; i++) {
    if (i % 97 === 0) for (let k = 0; k < stride; k++) step[k] = 4 ** Math.floor(5 * random()) - 1;
    for (let k = 0; k < stride; k++)
      bytes[i * stride + k] = value[k] += Math.round((random() - 0.5) * step[k]);
  }
  return bytes;
}

describe('vertices', () => {
  full.each([0, 1])('of every stride and number of blocks, version %i', (version) => {
    for (const stride of every([4, 8, 12, 16, 28, 64, 256], 3)) {
      for (const count of [0, 1, 15, 16, 17, 256, 257, 4096, 4097, 9001]) {
        const bytes = wandering(count, stride, stride + count);
        const level = version === 0 ? 2 : count % 4;
        const encoded = MeshoptEncoder.encodeVertexBufferLevel(bytes, count, stride, level, version);
        expectSame({ encoded, count, stride, mode: 'ATTRIBUTES' });
      }
    }
  });

  full.each([0, 1])('of a surface, whose numbers belong together by two and four, version %i', (version) => {
    const count = 20_000;
    const positions = Float32Array.from({ length: 3 * count }, (_, i) => 1 + Math.sin(i / 500) + i * 1e-5);
    for (const bytes of [new Uint8Array(positions.buffer), Uint8Array.from(positions, (x) => 20 * x)]) {
      const stride = bytes.length === 4 * positions.length ? 12 : 4;
      const n = Math.floor(bytes.length / stride);
      for (const level of version === 0 ? [2] : [0, 1, 2, 3]) {
        const encoded = MeshoptEncoder.encodeVertexBufferLevel(bytes, n, stride, level, version);
        expectSame({ encoded, count: n, stride, mode: 'ATTRIBUTES' });
      }
    }
  });

  test('filtered', () => {
    const count = 10_000;
    const random = seededRandom(5);
    const positions = Float32Array.from({ length: 3 * count }, () => 1e3 * (random() - 0.5));
    const filtered = MeshoptEncoder.encodeFilterExp(positions, count, 12, 20);
    const encoded = MeshoptEncoder.encodeVertexBuffer(filtered, count, 12);
    expectSame({ encoded, count, stride: 12, mode: 'ATTRIBUTES', filter: 'EXPONENTIAL' });
    expect(whole({ encoded, count, stride: 12, mode: 'ATTRIBUTES' }).equals(filtered)).toBe(true);
  });
});

/** A grid of triangles, some of them anywhere, in an order of its own. */
function grid(side: number, wild: number, seed: number): Uint32Array {
  const random = seededRandom(seed);
  const out: number[] = [];
  for (let i = 0; i < side * side; i++) {
    const v = i + Math.floor(i / side);
    out.push(v, v + 1, v + side + 1, v + 1, v + side + 2, v + side + 1);
  }
  for (let i = 0; i < out.length; i += 3) {
    if (random() >= wild) continue;
    for (let k = 0; k < 3; k++) out[i + k] = Math.floor(random() * (side + 1) ** 2);
  }
  return Uint32Array.from(out);
}

describe('indices', () => {
  full.each(['TRIANGLES', 'INDICES'] as const)('%s', (mode) => {
    for (const stride of [2, 4]) {
      for (const [side, wild] of [
        [1, 0],
        [30, 0],
        [100, 0.01],
        [100, 0.5],
        [60, 1],
      ]) {
        const all = grid(side, wild, side);
        const reordered = all.slice();
        MeshoptEncoder.reorderMesh(reordered, true, true);
        for (const list of [all, reordered]) {
          const typed = stride === 2 ? Uint16Array.from(list) : list;
          const bytes = new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
          const encoded = MeshoptEncoder.encodeGltfBuffer(bytes, list.length, stride, mode);
          expectSame({ encoded, count: list.length, stride, mode });
        }
      }
    }
  });

  test('as the first version wrote them: 14 of the last corners, none beside the last', () => {
    // triangle 0 1 2, then the edge 2 0 with a new corner, with the corner 14 back, and with an explicit one
    const codes = [0xf0, ...Array.from({ length: 14 }, () => 0x00), 0x0e, 0x0f];
    const encoded = Uint8Array.from([0xe0, ...codes, 0x0a, ...new Uint8Array(16)]);
    expectSame({ encoded, count: 3 * codes.length, stride: 4, mode: 'TRIANGLES' });
  });
});

test('damage never passes for something else than the library makes of it', () => {
  const random = seededRandom(9);
  const vertices = wandering(700, 12, 3);
  const list = new Uint8Array(grid(12, 0.2, 1).buffer);
  const sound: Coded[] = [
    ...[0, 1].map((version) => ({
      encoded: MeshoptEncoder.encodeVertexBufferLevel(vertices, 700, 12, 2, version),
      ...{ count: 700, stride: 12, mode: 'ATTRIBUTES' as const },
    })),
    ...(['TRIANGLES', 'INDICES'] as const).map((mode) => ({
      encoded: MeshoptEncoder.encodeGltfBuffer(list, list.length / 4, 4, mode),
      ...{ count: list.length / 4, stride: 4, mode },
    })),
  ];
  const outcome = (decode: () => Buffer) => {
    try {
      return decode().toString('hex');
    } catch {
      return 'damaged';
    }
  };
  const each = runs(400);
  let refused = 0;
  for (const coded of sound) {
    for (let i = 0; i < each; i++) {
      let encoded = coded.encoded.slice();
      if (i % 4 === 0) encoded = encoded.subarray(0, Math.floor(random() * encoded.length));
      else encoded[Math.floor(random() * encoded.length)] = Math.floor(random() * 256);
      const parts = outcome(() => inParts({ ...coded, encoded }).bytes);
      if (parts === 'damaged') refused++;
      else expect(parts).toBe(outcome(() => whole({ ...coded, encoded })));
    }
  }
  expect(refused).toBeGreaterThan(each);
});
