/** The small models and maps that report.html draws. */
import { inflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { clashModel } from '../src/reports/clash-model.js';
import { modelOutline } from '../src/reports/model-outline.js';
import { Scenery } from '../src/reports/scenery.js';
import { clash, grouped, plantObject } from './reports-clashes.js';
import { cuboid, stored } from './stored-objects.js';

const MODEL = { min: [0, 0, 0], max: [80, 45, 25] } as const;

/** A rough ball of so many steps. */
function ball(steps: number, radius: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= steps; j++) {
    for (let i = 0; i <= steps; i++) {
      const [u, v] = [(2 * Math.PI * i) / steps, (Math.PI * j) / steps];
      positions.push(
        radius * Math.sin(v) * Math.cos(u),
        radius * Math.sin(v) * Math.sin(u),
        radius * Math.cos(v),
      );
      const a = j * (steps + 1) + i;
      if (i < steps && j < steps) indices.push(a, a + 1, a + steps + 1, a + 1, a + steps + 2, a + steps + 1);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** What the page reads. */
function unpacked(text: string) {
  const bytes = inflateSync(Buffer.from(text, 'base64')).slice().buffer;
  const half = new Float32Array(bytes, 0, 1)[0];
  const numbers = new Uint16Array(bytes);
  const sides: { vertices: number[][]; corners: number[] }[] = [];
  let at = 2;
  for (let side = 0; side < 2; side++) {
    const [vertices, triangles] = [numbers[at], numbers[at + 1]];
    const place = (v: number) =>
      [0, 1, 2].map((k) => ((numbers[at + 2 + k * vertices + v] / 4095) * 2 - 1) * half);
    const first = at + 2 + 3 * vertices;
    sides.push({
      vertices: Array.from({ length: vertices }, (_, v) => place(v)),
      corners: [...numbers.subarray(first, first + 3 * triangles)],
    });
    at = first + 3 * triangles;
  }
  expect(at).toBe(numbers.length);
  return { half, sides };
}

const [a, b] = [plantObject(0, 1, 1), plantObject(1, 1, 1)];

describe('the small model of a clash', () => {
  test('holds what of both is around the contact, and nothing else', async () => {
    // a long beam along x, and a pipe through it along y; in millimetres
    const model = await stored(
      [
        [cuboid([0, 9900, 4900], [20000, 10100, 5100]), a],
        [cuboid([9950, 5000, 4950], [10050, 15000, 5050]), b],
        [cuboid([9000, 9000, 4000], [11000, 11000, 4100]), plantObject(2, 1, 1)],
      ],
      0.001,
    );
    const [one] = grouped([clash({ a, b, depth: 0.1, point: [10, 10, 5] })]);
    const { half, sides } = unpacked(await clashModel(one, MODEL, new Scenery(model)));
    expect(half).toBeCloseTo(0.35, 6);
    const extent = ({ vertices }: (typeof sides)[0], k: number) => [
      Math.min(...vertices.map((v) => v[k])),
      Math.max(...vertices.map((v) => v[k])),
    ];
    const step = (2 * half) / 4095;
    const within = (found: number[], wanted: number[]) => {
      for (const [i, x] of found.entries()) expect(Math.abs(x - wanted[i])).toBeLessThan(step);
    };
    within(extent(sides[0], 0), [-half, half]);
    within(extent(sides[0], 1), [-0.1, 0.1]);
    within(extent(sides[0], 2), [-0.1, 0.1]);
    within(extent(sides[1], 0), [-0.05, 0.05]);
    within(extent(sides[1], 1), [-half, half]);
  });

  test('is a few kilobytes, whatever the objects are', async () => {
    const model = await stored([
      [ball(120, 1), a],
      [cuboid([0.9, -1, -1], [2, 1, 1]), b],
    ]);
    const [one] = grouped([clash({ a, b, depth: 0.9, point: [0.9, 0, 0] })]);
    const text = await clashModel(one, MODEL, new Scenery(model));
    expect(text.length).toBeLessThan(20_000);
    const [round, box] = unpacked(text).sides;
    expect(round.corners.length / 3).toBeGreaterThan(200);
    expect(round.corners.length / 3).toBeLessThanOrEqual(1500);
    expect(box.corners.length / 3).toBeGreaterThanOrEqual(4);
    expect(Math.max(...round.corners)).toBeLessThan(round.vertices.length);
  });

  test('is nothing where neither is at hand', async () => {
    const model = await stored([[cuboid([0, 0, 0], [1, 1, 1]), plantObject(3, 1, 1)]]);
    const [one] = grouped([clash({ a, b })]);
    expect(await clashModel(one, MODEL, new Scenery(model))).toBe('');
  });
});

test('the maps know where the model is, its storeys and its axes', async () => {
  const low = { ...a, storey: 'Ground' };
  const high = { ...b, storey: 'Roof' };
  const model = await stored([
    [cuboid([0, 0, 0], [10, 5, 1]), low],
    [cuboid([10, 15, 9], [20, 20, 10]), high],
  ]);
  const { plan, elevation, storeys, axes } = modelOutline(model, { min: [0, 0, 0], max: [20, 20, 10] });
  expect([plan.columns, plan.rows, elevation.columns, elevation.rows]).toEqual([240, 240, 240, 120]);
  const cells = inflateSync(Buffer.from(plan.cells, 'base64'));
  const at = (x: number, y: number) => cells[Math.floor(12 * y) * 240 + Math.floor(12 * x)];
  expect([at(5, 2), at(15, 18), at(15, 2), at(5, 18)]).toEqual([1, 1, 0, 0]);
  const front = inflateSync(Buffer.from(elevation.cells, 'base64'));
  expect([front[5 * 240 + 10], front[115 * 240 + 200], front[60 * 240 + 100]]).toEqual([1, 1, 0]);
  expect(storeys).toEqual([
    ['Ground', 0],
    ['Roof', 9],
  ]);
  expect(axes).toEqual([['B', 0, 7, 1, 0]]);
});
