/** Lengths and sizes as people write them. */
import type { ShapeArrays, ShapeStream, SourceObject } from '@impinge/model';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { scaledShape } from '../src/formats/scaled-shape.js';
import { placeOf } from '../src/formats/source-object.js';
import { parseBytes, parseError, parseLength, parseUnit } from '../src/quantities.js';

describe('errors', () => {
  test.each([
    ['0.04%', 0.02, true],
    [' 2 % ', 1, true],
    ['5mm', 0.005, false],
    ['0', 0, false],
  ])('%s of 50 m', (text, metres, isShare) => {
    const error = parseError(text, '--error');
    expect(error.metres(50)).toBeCloseTo(metres, 15);
    expect(error.isShare).toBe(isShare);
  });

  test('none is permitted where none is given', () => {
    expect(parseError(undefined, '--error').metres(50)).toBe(0);
  });

  test.each([
    ['%', /"%" is not a share such as 0\.04%, or a length such as 2mm/],
    ['5mm%', /"5mm%" is not a share/],
    ['1%%', /"1%%" is not|unknown unit/],
    ['-3%', /"-3%" is negative/],
    ['1e999%', /not finite/],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseError(text, '--error')).toThrow(CommandError);
    expect(() => parseError(text, '--error')).toThrow(message);
  });
});

describe('lengths', () => {
  test.each([
    ['50mm', 0.05],
    [' 50 mm ', 0.05],
    ['50MM', 0.05],
    ['2in', 0.0508],
    ['2 inches', 0.0508],
    ['2"', 0.0508],
    ["3'", 0.9144],
    ['3 feet', 0.9144],
    ['1.5m', 1.5],
    ['1.5 metres', 1.5],
    ['.5cm', 0.005],
    ['2.e-1m', 0.2],
    ['1e3um', 1e-3],
    ['0', 0],
    ['mm', 1e-3],
    ['millimeters', 1e-3],
    ['+3km', 3000],
  ])('%s', (text, metres) => {
    expect(parseLength(text, '--clearance')).toBeCloseTo(metres, 15);
  });

  test.each([
    ['', /^--clearance: it is empty$/],
    ['50 parsecs', /unknown unit "parsecs"; mm, cm/],
    ['NaN', /unknown unit "nan"/],
    ['-5mm', /"-5mm" is negative/],
    ['1e999', /not finite/],
    ['50', /^--clearance: "50" has no unit; write 50mm, 50in or 50m$/],
    [' .05 ', /^--clearance: "\.05" has no unit; write \.05mm/],
    ['1,5mm', /"1,5mm" is not a length such as/],
    ['5mm3', /is not a length/],
    ['constructor', /unknown unit "constructor"/],
    ['s', /unknown unit "s"/],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseLength(text, '--clearance')).toThrow(CommandError);
    expect(() => parseLength(text, '--clearance')).toThrow(message);
  });

  test('a unit is more than nothing', () => {
    expect(parseUnit('ft', '--unit')).toBe(0.3048);
    expect(parseUnit('0.001', '--unit')).toBe(0.001);
    expect(() => parseUnit('0mm', '--unit')).toThrow(/--unit: "0mm": a unit is longer than 0/);
  });
});

describe('sizes', () => {
  test.each([
    ['160MB', 160e6],
    ['160 mb', 160e6],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['64KiB', 65536],
    ['1000000', 1e6],
    ['2 GB', 2e9],
  ])('%s', (text, bytes) => {
    expect(parseBytes(text, '--memory')).toBe(bytes);
  });

  test.each([
    ['', /has no number/],
    ['MB', /has no number/],
    ['12 lots', /unknown unit "lots"/],
    ['-1MB', /is negative/],
    ['0', /less than a byte/],
    ['1e30', /too much/],
    ['1e999GB', /not finite/],
    ['1 2', /is not a size/],
  ])('"%s" is refused', (text, message) => {
    expect(() => parseBytes(text, '--memory')).toThrow(message);
  });
});

describe('shapes in another unit', () => {
  const object: SourceObject = {
    id: 'a',
    name: 'a',
    path: 'a',
    type: '',
    discipline: '',
    file: '',
    storey: '',
    pose: Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, 10, 20, 30),
  };
  const geometry: ShapeArrays = {
    positions: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 9),
    indices: Uint32Array.of(0, 1, 2),
  };

  test('coordinates and translations are scaled, rotations are not', () => {
    const scaled = scaledShape({ geometry, objects: [object, { ...object, pose: undefined }] }, 0.1);
    expect((scaled.geometry as ShapeArrays).positions).toEqual(
      Float64Array.from(geometry.positions, (x) => x * 0.1),
    );
    expect((scaled.geometry as ShapeArrays).indices).toBe(geometry.indices);
    expect([...placeOf(scaled.objects[0])!]).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1, 1, 2, 3]);
    expect(scaled.objects[1].pose).toBeUndefined();
    expect(placeOf(object)![9]).toBe(10);
  });

  test('streams are scaled as they come', async () => {
    const stream: ShapeStream = {
      triangleCount: 1,
      async *batches() {
        yield geometry.positions;
      },
    };
    const scaled = scaledShape({ geometry: stream, objects: [object] }, 1000).geometry as ShapeStream;
    const batches: number[][] = [];
    for await (const batch of scaled.batches()) batches.push([...batch]);
    expect(batches).toEqual([[0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 9000]]);
  });

  test('a factor of 1 changes nothing', () => {
    const shape = { geometry, objects: [object] };
    expect(scaledShape(shape, 1)).toBe(shape);
  });
});
