/**
 * Geometries of three.js, typed and as they are, against what three.js itself says their vertices and triangles are.
 */
import fc from 'fast-check';
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { Mesh, type MeshInput } from '../../src/index.js';
import { halfFloat } from '../../src/mesh/geometry-input.js';

/** The corners of the triangles of a mesh, in the coordinates of the input. */
function cornersOf({ positions, indices, origin }: Mesh): number[] {
  return Array.from(indices).flatMap((v) => [0, 1, 2].map((k) => positions[3 * v + k] + origin[k]));
}

/** The corners that three.js draws, by its own accessors, rounded to float32. */
function drawnCorners(geometry: three.BufferGeometry): number[] {
  const position = geometry.getAttribute('position');
  const total = geometry.index ? geometry.index.count : position.count;
  const { start, count } = geometry.drawRange;
  const end = Math.min(total, start + count);
  const corners: number[] = [];
  for (let i = start; i + 3 <= end; i += 3) {
    for (let j = i; j < i + 3; j++) {
      const v = geometry.index ? geometry.index.getX(j) : j;
      corners.push(...[position.getX(v), position.getY(v), position.getZ(v)].map(Math.fround));
    }
  }
  return corners;
}

const TRIANGLES = [0, 1, 2, 2, 1, 3, 3, 1, 4, 4, 1, 0];

function geometryWith(position: three.BufferAttribute | three.InterleavedBufferAttribute, indexed: boolean) {
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', position);
  if (indexed) geometry.setIndex(TRIANGLES);
  return geometry;
}

const ATTRIBUTES: Record<
  string,
  (numbers: number[]) => three.BufferAttribute | three.InterleavedBufferAttribute
> = {
  float32: (numbers) => new three.Float32BufferAttribute(numbers, 3),
  'half floats': (numbers) =>
    new three.Float16BufferAttribute(
      numbers.map((x) => three.DataUtils.toHalfFloat(x / 400)),
      3,
    ),
  integers: (numbers) => new three.Int16BufferAttribute(numbers, 3),
  'normalised int8': (numbers) =>
    new three.Int8BufferAttribute(
      numbers.map((x) => x % 128),
      3,
      true,
    ),
  'normalised uint8': (numbers) => new three.Uint8BufferAttribute(numbers.map(Math.abs), 3, true),
  'normalised clamped uint8': (numbers) => new three.Uint8ClampedBufferAttribute(numbers, 3, true),
  'normalised int16': (numbers) => new three.Int16BufferAttribute(numbers, 3, true),
  'normalised uint16': (numbers) => new three.Uint16BufferAttribute(numbers.map(Math.abs), 3, true),
  'normalised int32': (numbers) =>
    new three.Int32BufferAttribute(
      numbers.map((x) => x * 60_000),
      3,
      true,
    ),
  'normalised uint32': (numbers) =>
    new three.Uint32BufferAttribute(
      numbers.map((x) => Math.abs(x * 99_000)),
      3,
      true,
    ),
  'interleaved float32': (numbers) => interleaved(Float32Array, numbers, false),
  'interleaved and normalised int16': (numbers) => interleaved(Int16Array, numbers, true),
};

/** Positions between other numbers: two before, three after. */
function interleaved(
  Numbers: Float32ArrayConstructor | Int16ArrayConstructor,
  numbers: number[],
  normalised: boolean,
) {
  const count = numbers.length / 3;
  const array = new Numbers(8 * count).fill(77);
  for (let v = 0; v < count; v++) for (let k = 0; k < 3; k++) array[8 * v + 2 + k] = numbers[3 * v + k];
  return new three.InterleavedBufferAttribute(new three.InterleavedBuffer(array, 8), 3, 2, normalised);
}

describe.each(Object.entries(ATTRIBUTES))('positions as %s', (_, attribute) => {
  test('are those that three.js reads, in any draw range, with and without an index (seed 17)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -32768, max: 32767 }), { minLength: 18, maxLength: 18 }),
        fc.boolean(),
        fc.nat(6),
        fc.oneof(fc.constant(Infinity), fc.nat(14)),
        (numbers, indexed, start, count) => {
          const geometry = geometryWith(attribute(numbers), indexed);
          geometry.setDrawRange(start, count);
          const expected = drawnCorners(geometry);
          if (expected.length === 0) {
            expect(() => Mesh.from(geometry)).toThrow(/no triangles/);
            return;
          }
          const mesh = Mesh.from(geometry);
          const found = cornersOf(mesh);
          mesh.dispose();
          expect(found.length).toBe(expected.length);
          // about an origin of its own a mesh is more precise than float32 about zero
          for (const [i, x] of expected.entries()) {
            expect(Math.abs(found[i] - x)).toBeLessThanOrEqual(2 ** -23 * Math.abs(x));
          }
        },
      ),
      { seed: 17, numRuns: runs(60) },
    );
  });
});

test('every half float is what three.js says it is', () => {
  for (let bits = 0; bits < 65536; bits++) {
    // infinities and what is no number have exponents of their own there
    if (((bits >> 10) & 31) === 31) expect(Number.isFinite(halfFloat(bits))).toBe(false);
    else if (halfFloat(bits) !== three.DataUtils.fromHalfFloat(bits))
      throw new Error(`0x${bits.toString(16)}`);
  }
});

describe('groups', () => {
  test('are named parts', () => {
    const box = Mesh.from(new three.BoxGeometry(), { partNames: ['right', 'left'] });
    expect(box.namedParts.map(({ name }) => name)).toEqual([
      'right',
      'left',
      ...[2, 3, 4, 5].map((i) => `material ${i}`),
    ]);
    expect(box.partOf(3)).toEqual({ name: 'left', first: 2, count: 2 });
    expect(box.partOf(12)).toBeUndefined();
    expect(box.transformed([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]).namedParts).toEqual(
      box.namedParts,
    );
    expect(Mesh.fromBytes(box.toBytes()).namedParts).toEqual([]);
  });

  test('are cut by the draw range, and count from its first triangle', () => {
    const geometry = new three.BoxGeometry();
    geometry.setDrawRange(9, 12);
    const mesh = Mesh.from(geometry);
    expect(mesh.triangleCount).toBe(4);
    expect(mesh.namedParts.map(({ first, count }) => [first, count])).toEqual([
      [0, 0],
      [0, 1],
      [1, 2],
      [3, 1],
      [4, 0],
      [4, 0],
    ]);
  });

  test('of arrays are given', () => {
    const { positions, indices } = Mesh.from(new three.BoxGeometry());
    const namedParts = [{ name: 'a', first: 3, count: 4 }];
    expect(Mesh.from({ positions, indices, namedParts }).partOf(6)?.name).toBe('a');
    const refused = [{ name: 'a', first: 3, count: 10 }];
    expect(() => Mesh.from({ positions, indices, namedParts: refused })).toThrow(
      'mesh: part 0 is not a named range of its 12 triangles',
    );
  });
});

test('what contradicts itself is refused', () => {
  const geometry = new three.BoxGeometry();
  const refused = (part: object) => () =>
    Mesh.from({ ...geometry, ...part, name: 'box' } as unknown as MeshInput);
  expect(refused({ drawRange: { start: -1, count: 3 } })).toThrow('mesh "box": a draw range of 3 from -1 on');
  expect(refused({ groups: [{ start: 0, count: Number.NaN }] })).toThrow(
    'mesh "box": group 0 holds NaN from 0 on',
  );
  const normalised = { position: { itemSize: 3, array: new Float64Array(9), normalized: true } };
  expect(refused({ attributes: normalised })).toThrow('its positions are normalised, but not integers');
  const flat = { position: { itemSize: 2, array: new Float32Array(8) } };
  for (const attributes of [{}, flat])
    expect(refused({ attributes })).toThrow('attributes.position must have 3 numbers per vertex');
  const data = { array: new Float32Array(24), stride: 0 };
  expect(refused({ attributes: { position: { itemSize: 3, array: [], data } } })).toThrow('a stride of 0');
});
