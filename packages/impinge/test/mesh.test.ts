import fc from 'fast-check';
import * as three from 'three';
import { describe, expect, test, vi } from 'vitest';
import { runs } from '../../../test/budget.js';
import { ImpingeError } from '../src/base/errors.js';
import { MeshHeader } from '../src/kernel/layout.generated.js';
import { Mesh } from '../src/mesh/mesh.js';
import type { MeshInput } from '../src/mesh/mesh-input.js';
import { collide } from '../src/query/pair/collide.js';

// a tetrahedron with integer corners, so that every kind of array holds it
const POSITIONS = [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4];
const INDICES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

/** What was thrown: code, message and particulars. */
function failure(action: () => unknown): { code: string; message: string; detail: Record<string, unknown> } {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(ImpingeError);
    const { code, message, detail } = error as ImpingeError;
    return { code, message, detail };
  }
  throw new Error('nothing was thrown');
}

const failureOf = (input: unknown) => failure(() => Mesh.from(input as MeshInput, { name: 'part 7' }));

describe('Mesh.from', () => {
  test.each([
    ['Array', POSITIONS],
    ['Float64Array', Float64Array.from(POSITIONS)],
    ['Float32Array', Float32Array.from(POSITIONS)],
    ['Int32Array', Int32Array.from(POSITIONS)],
    ['Uint32Array', Uint32Array.from(POSITIONS)],
    ['Int16Array', Int16Array.from(POSITIONS)],
    ['Uint16Array', Uint16Array.from(POSITIONS)],
    ['Int8Array', Int8Array.from(POSITIONS)],
    ['Uint8Array', Uint8Array.from(POSITIONS)],
    ['Uint8ClampedArray', Uint8ClampedArray.from(POSITIONS)],
    [
      'Float32Array on shared memory',
      new Float32Array(new SharedArrayBuffer(48)).map((_, i) => POSITIONS[i]),
    ],
  ])('takes positions in an %s', (_, positions) => {
    const mesh = Mesh.from({ positions, indices: INDICES });
    expect([...mesh.positions]).toEqual(POSITIONS);
    expect([...mesh.indices]).toEqual(INDICES);
    expect([mesh.vertexCount, mesh.triangleCount]).toEqual([4, 4]);
    expect(mesh.origin).toEqual([0, 0, 0]);
    expect(mesh.box).toEqual({ min: [0, 0, 0], max: [4, 4, 4] });
  });

  test.each([
    ['Array', INDICES],
    ['Uint32Array', Uint32Array.from(INDICES)],
    ['Uint16Array', Uint16Array.from(INDICES)],
    ['Uint8Array', Uint8Array.from(INDICES)],
    ['Int32Array', Int32Array.from(INDICES)],
    ['Float64Array', Float64Array.from(INDICES)],
  ])('takes indices in an %s', (_, indices) => {
    expect([...Mesh.from({ positions: POSITIONS, indices }).indices]).toEqual(INDICES);
  });

  test('copies its input', () => {
    const positions = Float32Array.from(POSITIONS);
    const indices = Uint32Array.from(INDICES);
    const mesh = Mesh.from({ positions, indices });
    positions.fill(9);
    indices.fill(0);
    expect([...mesh.positions]).toEqual(POSITIONS);
    expect([...mesh.indices]).toEqual(INDICES);
  });

  test('typed arrays, which are copied whole and checked by a kernel, give the bytes and errors of any list (seed 9)', () => {
    const coordinate = fc.oneof(
      { weight: 40, arbitrary: fc.float({ noNaN: true, noDefaultInfinity: true }) },
      { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity) },
    );
    const bytesOrFailure = (input: MeshInput) => {
      try {
        const mesh = Mesh.from(input, { name: 'part 7' });
        const bytes = mesh.toBytes();
        mesh.dispose();
        return [...bytes];
      } catch (error) {
        const { code, message, detail } = error as ImpingeError;
        return { code, message, detail };
      }
    };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1, maxLength: 9 }),
        fc.array(fc.tuple(fc.nat(9), fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 6 }),
        (vertices, triangles) => {
          const [positions, indices] = [vertices.flat(), triangles.flat()];
          const expected = bytesOrFailure({ positions, indices });
          for (const Numbers of [Uint32Array, Uint16Array]) {
            const typed = { positions: Float32Array.from(positions), indices: Numbers.from(indices) };
            expect(bytesOrFailure(typed)).toEqual(expected);
          }
        },
      ),
      { seed: 9, numRuns: runs(200) },
    );
  });

  test('without indices, every three vertices are a triangle', () => {
    const mesh = Mesh.from({ positions: [...POSITIONS.slice(0, 9), ...POSITIONS.slice(3)] });
    expect([...mesh.indices]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(Mesh.from({ positions: POSITIONS.slice(0, 9), indices: null }).triangleCount).toBe(1);
  });

  test('stride and offset pick vertices out of a wider array (seed 1)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 11 }),
        fc.nat({ max: 9 }),
        fc.boolean(),
        (stride, offset, full) => {
          const vertexCount = 6;
          const needed = offset + (vertexCount - 1) * stride + 3;
          // the last vertex may end the array, or be followed by its other attributes
          const length =
            full || stride === 3 ? needed : Math.min(needed + stride - 3, offset + vertexCount * stride);
          const wide = new Float64Array(length).fill(Number.NaN); // what lies between is not looked at
          const expected: number[] = [];
          for (let v = 0; v < vertexCount; v++) {
            for (let k = 0; k < 3; k++) {
              wide[offset + v * stride + k] = v * 3 + k;
              expected.push(v * 3 + k);
            }
          }
          const mesh = Mesh.from({ positions: wide, stride, offset });
          expect([...mesh.positions]).toEqual(expected);
          mesh.dispose();
        },
      ),
      { seed: 1, numRuns: runs(100) },
    );
  });

  test('names: in the input, as an option (which wins), in any script', () => {
    expect(Mesh.from({ positions: POSITIONS, indices: INDICES }).name).toBe('');
    expect(Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'a' }).name).toBe('a');
    expect(
      Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'a' }, { name: 'Rohr Ø 50 管' }).name,
    ).toBe('Rohr Ø 50 管');
  });

  test('degenerate and duplicate triangles, and vertices that nothing uses, are legal', () => {
    const mesh = Mesh.from({
      positions: [...POSITIONS, 99, 99, 99],
      indices: [0, 0, 0, 0, 1, 1, 0, 1, 2, 0, 1, 2],
    });
    expect(mesh.triangleCount).toBe(4);
    expect(mesh.vertexCount).toBe(5);
    expect(mesh.box.max).toEqual([99, 99, 99]);
  });
});

describe('what is refused, with the element named', () => {
  test.each([
    ['NaN', { positions: [0, 0, 0, 1, Number.NaN, 0, 0, 1, 0] }, 'vertex 1 has y = NaN', { vertex: 1 }],
    [
      'Infinity',
      { positions: [0, 0, 0, 1, 0, 0, 0, 1, -Infinity] },
      'vertex 2 has z = -Infinity',
      { vertex: 2 },
    ],
    [
      'NaN in float32',
      { positions: Float32Array.of(Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0) },
      'vertex 0 has x = NaN',
      { vertex: 0 },
    ],
    [
      'numbers beyond float32',
      { positions: [0, 0, 0, 1, 0, 0, 0, 1e39, 0] },
      'vertex 2 has y = 1e+39, too large for float32',
      { vertex: 2 },
    ],
    [
      'numbers whose differences overflow float64',
      { positions: [-1.7e308, 0, 0, 1.7e308, 0, 0, 0, 1, 0] },
      'vertex 0 has x = -1.7e+308, too large',
      { vertex: 0 },
    ],
    ['a missing coordinate', { positions: [0, 0, 0, 1, undefined, 0, 0, 1, 0] }, 'vertex 1 has y = NaN', {}],
  ])('non-finite: %s', (_, input, message, detail) => {
    expect(failureOf(input)).toMatchObject({
      code: 'non-finite',
      message: expect.stringContaining(`mesh "part 7": ${message}`),
      detail: { object: 'part 7', ...detail },
    });
  });

  test.each([
    ['too large', [0, 1, 2, 1, 2, 4], 4],
    ['negative', Int32Array.of(0, 1, 2, 1, 2, -1), -1],
    ['a primitive restart', Uint32Array.of(0, 1, 2, 1, 2, 0xffffffff), 0xffffffff],
    ['a fraction', [0, 1, 2, 1, 2, 0.5], 0.5],
    ['NaN', [0, 1, 2, 1, 2, Number.NaN], Number.NaN],
  ])('index-out-of-range: %s', (_, indices, vertex) => {
    expect(failureOf({ positions: POSITIONS, indices })).toEqual({
      code: 'index-out-of-range',
      message: `mesh "part 7": triangle 1 refers to vertex ${vertex}, but there are 4`,
      detail: { object: 'part 7', triangle: 1, vertex },
    });
  });

  test.each([
    ['no vertices', { positions: [] }],
    ['no indices', { positions: POSITIONS, indices: [] }],
    ['an offset past the end', { positions: POSITIONS, offset: 12 }],
  ])('empty-mesh: %s', (_, input) => {
    expect(failureOf(input)).toMatchObject({ code: 'empty-mesh', message: 'mesh "part 7": no triangles' });
  });

  test.each([
    ['positions are missing', { indices: INDICES }],
    ['positions are missing', { positions: null }],
    ['arrays or a geometry are needed, got null', null],
    ['arrays or a geometry are needed, got 3', 3],
    ['10 position numbers are not a multiple of 3', { positions: new Float32Array(10) }],
    ['11 position numbers are not a multiple of 3', { positions: POSITIONS, offset: 1 }],
    ['4 indices are not a multiple of 3', { positions: POSITIONS, indices: [0, 1, 2, 3] }],
    ['4 vertices without indices are not a multiple of 3', { positions: POSITIONS }],
    ['stride 2 is not an integer of at least 3', { positions: POSITIONS, stride: 2 }],
    ['stride 3.5 is not an integer of at least 3', { positions: POSITIONS, stride: 3.5 }],
    ['offset -1 is not an integer of at least 0', { positions: POSITIONS, offset: -1 }],
  ])('bad-input: %s', (message, input) => {
    expect(failureOf(input)).toMatchObject({ code: 'bad-input', message: `mesh "part 7": ${message}` });
  });

  test('the constructor, which names what to call instead', () => {
    const Made = Mesh as unknown as new (input: MeshInput) => Mesh;
    expect(failure(() => new Made({ positions: POSITIONS }))).toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('Mesh.from'),
    });
  });

  test('a mesh without a name is called just that', () => {
    expect(failure(() => Mesh.from({ positions: [] })).message).toBe('mesh: no triangles');
  });
});

describe('origin', () => {
  test('survey coordinates keep a hundredth of a millimetre in a model of 100 m (seed 2)', () => {
    const survey = fc.double({ min: 1e5, max: 6e6, noNaN: true });
    const local = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(survey, survey, survey),
        fc.array(local, { minLength: 9, maxLength: 9 }),
        (at, corners) => {
          const positions = corners.map((x, i) => at[i % 3] + x);
          const mesh = Mesh.from({ positions });
          mesh.positions.forEach((x, i) => {
            expect(Math.abs(x + mesh.origin[i % 3] - positions[i])).toBeLessThanOrEqual(1e-5);
          });
          mesh.dispose();
        },
      ),
      { seed: 2, numRuns: runs(300) },
    );
  });

  test('stored coordinates are off by at most 2⁻²³ of the longest side, wherever it lies (seed 3)', () => {
    const unit = fc.double({ min: -1, max: 1, noNaN: true });
    const exponent = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 9, maxLength: 9 }),
        fc.tuple(unit, unit, unit),
        exponent,
        exponent,
        (corners, at, size, away) => {
          const positions = corners.map((x, i) => x * 10 ** size + at[i % 3] * 10 ** away);
          const axes = [0, 1, 2].map((k) => positions.filter((_, i) => i % 3 === k));
          const side = Math.max(...axes.map((values) => Math.max(...values) - Math.min(...values)));
          const mesh = Mesh.from({ positions });
          mesh.positions.forEach((x, i) => {
            // the sum with the origin is rounded once more, in float64; below 2⁻¹⁵⁰ float32 has no numbers
            const error = Math.abs(x + mesh.origin[i % 3] - positions[i]);
            expect(error).toBeLessThanOrEqual(
              side * 2 ** -23 + Math.abs(positions[i]) * 2 ** -52 + 2 ** -150,
            );
          });
          mesh.dispose();
        },
      ),
      { seed: 3, numRuns: runs(500) },
    );
  });

  test('is zero where float32 holds every coordinate, however far away', () => {
    const exact = [5_000_000, 0, 0, 5_000_000.5, 0, 0, 5_000_000, 0.5, 0];
    for (const positions of [exact, Float64Array.from(exact), Float32Array.from(exact)]) {
      const mesh = Mesh.from({ positions });
      expect(mesh.origin).toEqual([0, 0, 0]);
      expect([...mesh.positions]).toEqual(exact);
    }
  });

  test('of meshes of one size lie on one grid, so that their differences are exact', () => {
    const make = (x: number) => Mesh.from({ positions: [x, 0, 0, x + 90.1, 0, 0, x, 70.3, 0] });
    for (const x of [4_999_999.123, 5_000_123.77, 5_100_000.01]) expect(make(x).origin[0] % 64).toBe(0);
  });

  test('a mesh of coinciding points keeps them exactly', () => {
    const point = [5_000_000.001, -0.1, 1e-9];
    const mesh = Mesh.from({ positions: [...point, ...point, ...point] });
    expect([...mesh.positions].map((x, i) => x + mesh.origin[i % 3])).toEqual([...point, ...point, ...point]);
    expect(mesh.box).toEqual({ min: point, max: point });
  });

  test('does not change what collides: 5 000 km away as at home', () => {
    const at = (dx: number, shift: number) =>
      Mesh.from({
        positions: POSITIONS.map((x, i) => x + 0.1 * (i % 2) + (i % 3 === 0 ? dx + shift : shift)),
        indices: INDICES,
      });
    const home = collide(at(0, 0), at(1.7, 0));
    const away = collide(at(0, 5e6), at(1.7, 5e6));
    expect(home.count).toBeGreaterThan(0);
    expect([...away.pairs]).toEqual([...home.pairs]);
  });
});

describe('bytes', () => {
  const mesh = Mesh.from({
    positions: POSITIONS.map((x) => x + 5_000_000.1),
    indices: INDICES,
    name: 'Träger',
  });

  test('there and back again, from any alignment, through a transfer', () => {
    const bytes = mesh.toBytes();
    const shifted = new Uint8Array(bytes.length + 1).subarray(1);
    shifted.set(bytes);
    for (const source of [bytes, shifted, structuredClone(bytes, { transfer: [mesh.toBytes().buffer] })]) {
      const copy = Mesh.fromBytes(source);
      expect([...copy.positions]).toEqual([...mesh.positions]);
      expect([...copy.indices]).toEqual(INDICES);
      expect([copy.name, copy.origin, copy.box]).toEqual(['Träger', mesh.origin, mesh.box]);
      expect(copy.toBytes()).toEqual(bytes);
      expect(copy.uid).not.toBe(mesh.uid);
    }
  });

  test('equal meshes give equal bytes, whatever the memory held before', () => {
    const padded = {
      positions: [...POSITIONS, 1, 2, 3],
      indices: INDICES,
      name: 'five vertices leave a gap',
    };
    const kept = Mesh.from(padded);
    for (let i = 0; i < 3; i++) {
      const noise = Mesh.from({ positions: Array.from({ length: 360 }, (_, k) => Math.sin(k + i)) });
      noise.dispose();
      const again = Mesh.from(padded);
      expect(again.toBytes()).toEqual(kept.toBytes());
      again.dispose();
    }
  });

  test('every truncation is noticed', () => {
    const bytes = mesh.toBytes();
    for (let length = 0; length < bytes.length; length++) {
      expect(failure(() => Mesh.fromBytes(bytes.subarray(0, length))).code).toBe('bad-buffer');
    }
    const longer = new Uint8Array(bytes.length + 4);
    longer.set(bytes);
    expect(failure(() => Mesh.fromBytes(longer)).message).toMatch(/bytes instead of \d+/);
  });

  test('every flipped bit is noticed', () => {
    const bytes = mesh.toBytes();
    for (let i = 0; i < bytes.length; i++) {
      const altered = bytes.slice();
      altered[i] ^= 1 << (i % 8);
      expect(failure(() => Mesh.fromBytes(altered)).code).toBe('bad-buffer');
    }
  });

  /** Alters the words of the block and makes the checksum fit again. */
  function forged(
    alter: (words: Uint32Array, floats: Float32Array, doubles: Float64Array) => unknown,
  ): Uint8Array {
    const bytes = Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'four' }).toBytes(); // whole words
    const words = new Uint32Array(bytes.buffer);
    alter(words, new Float32Array(bytes.buffer), new Float64Array(bytes.buffer, 0, bytes.length >> 3));
    words[MeshHeader.checksum] = 0;
    let hash = 0x811c9dc5;
    for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
    words[MeshHeader.checksum] = hash >>> 0;
    return bytes;
  }
  const firstPosition = 32;
  const firstIndex = 32 + 12;

  test('the forger knows the checksum', () => {
    expect(Mesh.fromBytes(forged(() => {})).triangleCount).toBe(4);
  });

  test.each([
    ['magic', 1, /does not begin with the signature of a mesh/],
    ['version', 2, /version 2, this library reads version 1/],
    ['triangleCount', 0, /no triangles/],
    ['vertexCount', 0xffffffff, /too many/],
    ['vertexCount', 5, /contradicts itself/],
    ['indices', 0, /contradicts itself/],
    ['nameBytes', 400, /contradicts itself/],
  ] as const)('a forged header: %s = %i', (field, value, message) => {
    const bytes = forged((words) => words.fill(value, MeshHeader[field], MeshHeader[field] + 1));
    expect(failure(() => Mesh.fromBytes(bytes))).toMatchObject({
      code: 'bad-buffer',
      message: expect.stringMatching(message),
    });
  });

  test('forged contents', () => {
    const nan = forged((_, floats) => (floats[firstPosition + 5] = Number.NaN));
    expect(failure(() => Mesh.fromBytes(nan))).toMatchObject({
      code: 'non-finite',
      message: 'mesh "four": vertex 1 has z = NaN',
    });
    const index = forged((words) => (words[firstIndex + 4] = 4));
    expect(failure(() => Mesh.fromBytes(index))).toMatchObject({
      code: 'index-out-of-range',
      detail: { triangle: 1 },
    });
    const origin = forged((_, __, doubles) => (doubles[MeshHeader.origin / 2] = Infinity));
    expect(failure(() => Mesh.fromBytes(origin)).message).toMatch(/origin is not finite/);
    const box = forged((_, floats) => floats.fill(0, MeshHeader.box, MeshHeader.box + 6));
    expect(Mesh.fromBytes(box).box).toEqual({ min: [0, 0, 0], max: [4, 4, 4] }); // measured anew
  });
});

describe('setPositions', () => {
  test('moves the vertices, in the coordinates of the input', () => {
    const start = POSITIONS.map((x) => x + 5_000_000.1);
    const mesh = Mesh.from({ positions: start, indices: INDICES });
    const { origin } = mesh;
    mesh.setPositions(start.map((x) => x + 1));
    expect(mesh.revision).toBe(1);
    expect(mesh.origin).toBe(origin);
    expect(mesh.box.min[0]).toBeCloseTo(5_000_001.1, 5);
    expect(mesh.box.max[2]).toBeCloseTo(5_000_005.1, 5);
  });

  test('changes what collides', () => {
    const fixed = Mesh.from({ positions: POSITIONS, indices: INDICES });
    const moving = Mesh.from({ positions: POSITIONS, indices: INDICES });
    expect(collide(fixed, moving).colliding).toBe(true);
    moving.setPositions(POSITIONS.map((x) => x + 10));
    expect(collide(fixed, moving).colliding).toBe(false);
    moving.setPositions(POSITIONS.map((x) => x + 1));
    expect(collide(fixed, moving).colliding).toBe(true);
  });

  test('refuses what does not fit and leaves the mesh as it was', () => {
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'cloth' });
    const with7 = (x: number) => POSITIONS.map((old, i) => (i === 7 ? x : old + 1));
    expect(failure(() => mesh.setPositions([1, 2, 3]))).toMatchObject({
      code: 'bad-input',
      message: 'mesh "cloth": 3 numbers for 4 vertices, 12 needed',
    });
    expect(failure(() => mesh.setPositions(with7(Number.NaN)))).toMatchObject({
      code: 'non-finite',
      detail: { vertex: 2 },
    });
    expect(failure(() => mesh.setPositions(with7(-1e39)))).toMatchObject({
      code: 'non-finite',
      message: 'mesh "cloth": vertex 2 has y = -1e+39, too large for float32',
    });
    expect([...mesh.positions]).toEqual(POSITIONS);
    expect(mesh.revision).toBe(0);
  });
});

describe('transformed', () => {
  test('bakes any affine matrix, as three.js applies it', () => {
    const matrix = new three.Matrix4()
      .makeShear(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
      .scale(new three.Vector3(2, -3, 0.25))
      .setPosition(10, 20, 30);
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'part' });
    const baked = mesh.transformed(matrix.elements);
    for (let v = 0; v < 4; v++) {
      const expected = new three.Vector3(...POSITIONS.slice(3 * v, 3 * v + 3)).applyMatrix4(matrix).toArray();
      expected.forEach((x: number, k: number) => {
        expect(baked.positions[3 * v + k] + baked.origin[k]).toBeCloseTo(x, 5);
      });
    }
    expect(baked.name).toBe('part');
    expect(mesh.transformed(matrix.elements, { name: 'mirrored' }).name).toBe('mirrored');
    expect([...baked.indices]).toEqual(INDICES);
    expect([...mesh.positions]).toEqual(POSITIONS);
  });

  test('refuses what is not affine', () => {
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES });
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const altered = (i: number, x: number) => identity.map((old, k) => (k === i ? x : old));
    expect(failure(() => mesh.transformed([1, 2, 3])).code).toBe('bad-pose');
    expect(failure(() => mesh.transformed(altered(3, 1))).code).toBe('bad-pose');
    expect(failure(() => mesh.transformed(altered(5, Number.NaN)))).toMatchObject({ code: 'non-finite' });
    expect(failure(() => mesh.transformed(altered(0, 1e39))).code).toBe('non-finite');
  });
});

describe('dispose', () => {
  test('ends the use of a mesh; twice does no harm', () => {
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES, name: 'gone' });
    const other = Mesh.from({ positions: POSITIONS, indices: INDICES });
    collide(mesh, other);
    mesh.dispose();
    mesh.dispose();
    const uses = [
      () => mesh.positions,
      () => mesh.indices,
      () => mesh.box,
      () => mesh.byteLength,
      () => mesh.toBytes(),
      () => mesh.setPositions(POSITIONS),
      () => mesh.transformed(new three.Matrix4().elements),
      () => mesh.onDispose(() => {}),
      () => collide(mesh, other),
      () => collide(other, mesh),
    ];
    for (const use of uses) {
      expect(failure(use)).toMatchObject({ code: 'disposed', message: 'mesh "gone" was disposed' });
    }
    expect(collide(other, other).colliding).toBe(true);
  });

  test('runs what was to be released with it, once', () => {
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES });
    let released = 0;
    mesh.onDispose(() => released++);
    mesh.dispose();
    mesh.dispose();
    expect(released).toBe(1);
  });

  test('works with `using`', () => {
    const mesh = Mesh.from({ positions: POSITIONS, indices: INDICES });
    mesh[Symbol.dispose]();
    expect(() => mesh.positions).toThrow(/disposed/);
  });
});

describe('input that changes while it is read', () => {
  test('a list whose numbers differ each time they are asked for', () => {
    let asked = 0;
    const indices = [0, 1, 2];
    Object.defineProperty(indices, 2, { get: () => (asked++ === 0 ? 2 : 1e6), enumerable: true });
    const mesh = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices });
    expect([...mesh.indices]).toEqual([0, 1, 2]);
    expect(asked).toBe(1);
  });

  test('shared memory is copied before it is looked at', () => {
    const shared = new Uint32Array(new SharedArrayBuffer(12));
    shared.set([0, 1, 2]);
    const slice = vi.spyOn(shared, 'slice').mockImplementation(() => {
      const copy = Uint32Array.from(shared);
      shared.fill(77); // as another thread might, at the worst moment
      return copy as never;
    });
    const mesh = Mesh.from({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: shared });
    expect(slice).toHaveBeenCalledOnce();
    expect([...mesh.indices]).toEqual([0, 1, 2]);
  });
});
