/** Where clashes are: storeys by height, rooms by what encloses the point. */
import type { StoreRoom, StoreSourceFile } from '@impinge/model';
import type { Vec3 } from 'impinge';
import { describe, expect, test } from 'vitest';
import { Places } from '../src/reports/places.js';
import { plantObject } from './reports-clashes.js';

/** A box with corners at these two points. */
function room(name: string, min: Vec3, max: Vec3): StoreRoom {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) =>
    [0, 1, 2].map((k) => ((c >> k) & 1 ? max : min)[k]),
  );
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices = [0, 4, 8, 12, 16, 20].flatMap((f) => [0, 1, 2, 0, 2, 3].map((corner) => faces[f + corner]));
  return { name, positions, indices };
}

const LEVELS = [
  { name: 'T/FDN', elevation: -1250 },
  { name: 'Level 1', elevation: 0 },
  { name: 'Level 2', elevation: 3100 },
];
const NOTHING = { byteLength: 0, modified: '', objects: 0, triangles: 0 };

/** In millimetres. */
function placesOf(...files: (Partial<StoreSourceFile> & { readonly name: string })[]) {
  return new Places({ meta: { metresPerUnit: 1e-3, files: files.map((file) => ({ ...NOTHING, ...file })) } });
}

const at = (
  point: Vec3,
  storeys: readonly [string, string] = ['', ''],
  fileNames = ['house.ifc', 'house.ifc'],
) => {
  const [a, b] = [0, 1].map((i) => ({ ...plantObject(i, 1, 0), storey: storeys[i], file: fileNames[i] }));
  return { a, b, point, kind: 'hard' as const, form: undefined, box: { min: point, max: point } };
};

describe('storeys', () => {
  const places = placesOf({ name: 'house.ifc', storeys: LEVELS }, { name: 'pipes.glb' });

  test.each([
    [-2, 'T/FDN'],
    [-1.25, 'T/FDN'],
    [-0.001, 'T/FDN'],
    [0, 'Level 1'],
    [3.099, 'Level 1'],
    [3.1, 'Level 2'],
    [90, 'Level 2'],
  ])('at %f m: %s', (z, storey) => {
    expect(places.of(at([0, 0, z], ['Level 2', 'T/FDN'])).storey).toBe(storey);
    expect(places.of(at([0, 0, z])).storey).toBe(storey);
    expect(places.of(at([0, 0, z], ['Level 1', ''], ['house.ifc', 'pipes.glb'])).storey).toBe(storey);
    expect(places.of(at([0, 0, z], ['', ''], ['pipes.glb', 'pipes.glb'])).storey).toBe(storey);
  });

  test('what both objects are on is not doubted', () => {
    expect(places.of(at([0, 0, 9], ['Level 1', 'Level 1'])).storey).toBe('Level 1');
  });

  test('of storeys of one height, the one of an object', () => {
    const two = placesOf(
      { name: 'house.ifc', storeys: LEVELS },
      { name: 'structure.ifc', storeys: [{ name: '02 first floor', elevation: 3080 }] },
    );
    const names = ['house.ifc', 'structure.ifc'];
    expect(two.of(at([0, 0, 4], ['Level 1', '02 first floor'], names)).storey).toBe('02 first floor');
    expect(two.of(at([0, 0, 4], ['Level 2', 'cellar'], names)).storey).toBe('Level 2');
    expect(two.of(at([0, 0, 4], ['Level 1', 'cellar'], names)).storey).toBe('02 first floor');
    // those of other files do not matter
    expect(two.of(at([0, 0, 4], ['Level 1', '02 first floor'], [names[1], names[1]])).storey).toBe(
      '02 first floor',
    );
  });

  test('without heights, as the objects say', () => {
    const none = placesOf({ name: 'house.ifc' });
    expect(none.of(at([0, 0, 4], ['B', 'A'])).storey).toBe('A – B');
    expect(none.of(at([0, 0, 4], ['', 'A'])).storey).toBe('A');
    expect(none.of(at([0, 0, 4]))).toEqual({ storey: '', room: '', grid: '', penetration: '' });
  });
});

test('rooms: the smallest around the point, or one within a metre', () => {
  const rooms = [
    room('flat', [0, 0, 0], [9000, 9000, 2500]),
    room('kitchen', [0, 0, 0], [4000, 4000, 2500]),
    room('shaft', [20_000, 0, 0], [21_000, 1000, 9000]),
  ];
  const places = placesOf({ name: 'house.ifc', rooms });
  const roomAt = (...point: Vec3) => places.of(at(point)).room;
  expect(roomAt(1, 1, 1)).toBe('kitchen');
  expect(roomAt(1, 1, 2.5)).toBe('kitchen');
  expect(roomAt(5, 1, 1)).toBe('flat');
  expect(roomAt(5, 1, 2.7)).toBe('near flat');
  expect(roomAt(19.2, 0.5, 5)).toBe('near shaft');
  expect(roomAt(15, 0.5, 5)).toBe('');
  expect(roomAt(5, 1, 3.5)).toBe('');
});
