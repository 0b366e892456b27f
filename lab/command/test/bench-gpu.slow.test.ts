/** `lab bench gpu`: small runs on the CPU, what it writes, what it refuses; and its parts. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CulledPairs } from '@impinge/gpu';
import { bunnyDragon, cylinders, knot, type MovingScene, movingCylinders } from '@impinge/scenes/gpu';
import { describe, expect, test } from 'vitest';
import { Files } from '../../../packages/cli/test/files.js';
import { boxesObj } from '../../../packages/cli/test/run-impinge.js';
import { checkFrame } from '../src/jobs/gpu-bench/check-frame.js';
import { ENVIRONMENTS, SWEEPS } from '../src/jobs/gpu-bench/environments.js';
import { readModels, writeModels } from '../src/jobs/gpu-bench/models.js';
import { ENGINE_NAMES, runEngine } from '../src/jobs/gpu-bench/run-engines.js';
import { logPlot } from '../src/reports/log-plot.js';
import { lab } from './run-lab.js';

const files = new Files();
const inFolder = (name: string) => join(files.folder, name);
const CPU = ['--backend', 'cpu', '--frames', '2'];

async function bench(...args: string[]) {
  const { code, out, err } = await lab('bench', 'gpu', ...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

describe('environments', () => {
  test('have names, the paper’s times and the paper’s sizes', () => {
    expect(ENVIRONMENTS.map(({ name, paperMs }) => [name, paperMs])).toEqual([
      ['cylinders', 4],
      ['tori', 8],
      ['tori-10', undefined],
      ['bunny-dragon', 40],
      ['breaking', 35],
      ['moving', undefined],
      ['moving-sparse', undefined],
    ]);
    const small = { bunny: knot(40, 8), dragon: knot(60, 10) };
    expect(ENVIRONMENTS.map(({ make }) => make(1, small).objects.length)).toEqual([
      100, 6, 10, 2, 2, 10_000, 10_000,
    ]);
  });

  test('figures grow in what they are named for', () => {
    const sizes = SWEEPS.map(({ make, values }) => {
      const { objects } = make(values[1], 1);
      return [objects.length, objects[0].indices.length / 3];
    });
    expect(sizes).toEqual([
      [50, 200],
      [100, 500],
      [100, 200],
      [50, 200],
    ]);
    expect(SWEEPS[2].culling(400)).toEqual({ resolution: 400 });
  });
});

describe('the command', () => {
  test('cylinders on the CPU: a table, equal to the engine', async () => {
    const { code, out, err } = await lab('bench', 'gpu', '--scene', 'cylinders', ...CPU, '--check', '1');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^cpu, /);
    expect(out).toMatch(/cylinders +100 +20,000 +\d+ +[\d.,]+ +[\d,]+ +[\d.]+ +– /);
    expect(out).toMatch(/ 4\.00 +[\d.]+ × +[\d.]+ (collideAll|Deformables)\n/);
    expect(out).toContain('Equal to the CPU engine in 2 checked frames.');
  });

  test('JSON and CSV say the same', async () => {
    const folder = inFolder('results');
    const { rows, written, machine } = await bench(
      ...['--scene', 'cylinders', ...CPU, '--resolution', '64'],
      ...['--out', folder, '--no-engines'],
    );
    expect(rows[0]).toMatchObject({
      name: 'cylinders',
      backend: 'cpu',
      resolution: 64,
      objects: 100,
      frames: 2,
    });
    expect(rows[0].engines).toEqual([]);
    expect(rows[0].kept).toBeLessThanOrEqual(100);
    expect(written).toEqual(readdirSync(folder).map((name) => join(folder, name)));
    const [head, line, ...more] = readFileSync(written[0], 'utf8').trim().split('\n');
    expect(more).toEqual([]);
    const columns = head.split(',');
    expect(columns.slice(0, 2)).toEqual(['environment', 'backend']);
    const values = line.split(',');
    expect(Number(values[columns.indexOf('pairs')])).toBe(rows[0].pairs);
    expect(values[columns.indexOf('collideAllMs')]).toBe('');
    expect(line).toContain(machine.node);
  });

  test('breaking, with models of one’s own: the number of objects changes, the pairs stay right', async () => {
    files.write('bunny.obj', boxesObj(['bunny', [0, 1], [0, 1], [0, 1]]));
    const { objects } = cylinders({ count: 1, triangles: 5000 });
    const lines = [];
    const [{ positions, indices }] = objects as [(typeof objects)[0]];
    for (let v = 0; v < positions.length; v += 3) lines.push(`v ${positions.slice(v, v + 3).join(' ')}`);
    for (let t = 0; t < indices.length; t += 3) {
      lines.push(`f ${Array.from(indices.slice(t, t + 3), (v) => v + 1).join(' ')}`);
    }
    files.write('dragon.obj', lines.join('\n'));
    const { rows } = await bench(
      ...['--scene', 'breaking', '--backend', 'cpu', '--frames', '40', '--check', '8'],
      ...['--models', files.folder, '--no-engines'],
    );
    expect(rows[0]).toMatchObject({ checked: 5, wrong: [] });
    expect(rows[0].objects).toBeGreaterThan(5);
  });
});

describe('what it refuses', () => {
  test.each([
    [['--backend', 'cuda'], /"cuda" is not webgpu or cpu/],
    [['--scene', 'teapot'], /--scene: "teapot" is not one of cylinders, tori, /],
    [['--method', 'guess'], /--method: "guess" is not one of queries, split-tree/],
    [['--stages', 'boxes,atoms'], /--stages: "atoms" is not one of/],
    [['--resolution', '0'], /--resolution: 0 is not from 1 to 8,192/],
    [['--frames', 'many'], /--frames/],
    [['--check', '0'], /--check: 0 is not from 1 to/],
    [['--workers', '2'], /--workers is for --backend cpu/],
    [['--scene', 'breaking', '--models', 'absent'], /--models absent: there is no such file or folder/],
  ])('%j', async (args, message) => {
    const { code, out, err } = await lab('bench', 'gpu', ...(args as string[]));
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message as RegExp);
  });
});

describe('models', () => {
  test('survive being written and read, without loss', async () => {
    const scans = { bunny: knot(40, 8), dragon: knot(60, 10) };
    const folder = inFolder('models');
    expect(await writeModels(folder, { scans, origin: '' })).toEqual([
      join(folder, 'bunny.ply'),
      join(folder, 'dragon.ply'),
    ]);
    const read = await readModels(folder);
    const [bunny, dragon] = bunnyDragon(scans).objects;
    expect(read.scans.bunny).toEqual({ positions: bunny.positions, indices: bunny.indices });
    expect(read.scans.dragon).toEqual({ positions: dragon.positions, indices: dragon.indices });
  });

  test('that are too large are simplified to the paper’s sizes', async () => {
    const folder = inFolder('large');
    await writeModels(folder, { scans: { bunny: knot(400, 100), dragon: knot(60, 10) }, origin: '' });
    const { scans } = await readModels(folder);
    const { positions, indices } = scans.bunny!;
    expect(indices.length / 3).toBeGreaterThan(34_000);
    expect(indices.length / 3).toBeLessThanOrEqual(35_000);
    expect(new Set(indices).size).toBe(positions.length / 3);
  });

  test('a folder that lacks one says which', async () => {
    const folder = inFolder('lonely');
    mkdirSync(folder);
    files.write('lonely/bunny.obj', boxesObj(['bunny', [0, 1], [0, 1], [0, 1]]));
    await expect(readModels(folder)).rejects.toThrow(/lonely: there is no dragon\.ply/);
  });
});

describe('checking a frame', () => {
  const pairsOf = (list: readonly (readonly number[])[]): CulledPairs => ({
    count: list.length,
    objects: Uint32Array.from(list.flatMap(([a, , b]) => [a, b])),
    triangles: Uint32Array.from(list.flatMap(([, t, , u]) => [t, u])),
    complete: true,
    error: 0,
    stats: {} as CulledPairs['stats'],
  });

  /** Triangle 1 of object 3 crosses triangle 0 of object 7. */
  const scene = (): MovingScene => {
    const pose = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
    const first = Float32Array.of(9, 9, 9, 9, 9, 8, 9, 8, 9, 0, 0, 0, 2, 0, 0, 0, 2, 0);
    const second = Float32Array.of(1, 1, -1, 1, 1, 1, 0, 3, 0);
    const objects = [
      { id: 3, name: '', positions: first, indices: Uint32Array.of(0, 1, 2, 3, 4, 5), pose: pose(0) },
      { id: 7, name: '', positions: second, indices: Uint32Array.of(0, 1, 2), pose: pose(-0.5) },
    ];
    return { ...cylinders({ count: 1 }), objects };
  };

  test.each([
    [[[3, 1, 7, 0]], undefined],
    [[], 'triangle 1 of object 3 with 0 of 7 is missing (1 pairs, 0 found)'],
    [
      [
        [3, 0, 7, 0],
        [3, 1, 7, 0],
      ],
      'triangle 0 of object 3 with 0 of 7 does not meet',
    ],
    [
      [
        [3, 1, 7, 0],
        [3, 1, 7, 0],
      ],
      'a pair was found twice',
    ],
  ])('%j', (pairs, problem) => {
    expect(checkFrame(scene(), pairsOf(pairs))).toBe(problem);
  });
});

test('the CPU engines follow a scene frame by frame', async () => {
  for (const name of ENGINE_NAMES) {
    for (const make of [() => cylinders({ count: 20 }), () => movingCylinders({ count: 20 })]) {
      let frames = 0;
      const run = await runEngine(name, make(), { frames: 6, queries: 3, onFrame: () => frames++ });
      expect(frames).toBe(6);
      expect(run.query).toHaveLength(3);
    }
  }
});

test('a plot names itself and every point', () => {
  // a time of zero has no place on such an axis, but must not keep it from being drawn
  expect(
    logPlot('time', 'objects', 'ms', [
      {
        name: 'a',
        colour: '#000',
        points: [
          [1, 0],
          [2, 3],
        ],
      },
    ]),
  ).toContain('<svg');
  const svg = logPlot('time & size', 'objects', 'ms', [
    {
      name: 'ours',
      colour: '#123456',
      points: [
        [10, 0.5],
        [1000, 40],
      ],
    },
  ]);
  expect(svg).toContain('<title>time &amp; size</title>');
  expect(svg).toContain('<title>ours: 1000, 40</title>');
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect(svg).not.toMatch(/NaN|Infinity/);
});
