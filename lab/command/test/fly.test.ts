/** `lab fly`: paths from files and made up, figures, plots, and what it refuses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRecording } from '../../../packages/cli/src/wire/recording.js';
import { Files } from '../../../packages/cli/test/files.js';
import { boxesObj, impinge } from '../../../packages/cli/test/run-impinge.js';
import { full } from '../../../test/budget.js';
import { lab } from './run-lab.js';

const files = new Files();
const store = join(files.folder, 'row.impinge');
const WALLS = 10;

beforeAll(async () => {
  const walls = Array.from(
    { length: WALLS },
    (_, i) => [`wall ${i}`, [2 * i, 2 * i + 0.5], [-5, 5], [0, 3]] as const,
  );
  await impinge('pack', files.write('row.obj', boxesObj(...walls)), '-o', store);
});

const cube = files.write('cube.obj', boxesObj(['cube', [-0.25, 0.25], [-0.25, 0.25], [1, 1.5]]));

/** Steps along x. */
function pathFile(name: string, xs: readonly number[]): string {
  return files.write(
    name,
    JSON.stringify({ interval: 0.1, steps: xs.map((x) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0]) }),
  );
}

test('a body along a path: contacts where there are walls', async () => {
  const xs = Array.from({ length: 40 }, (_, i) => i / 2);
  const path = pathFile('path.json', xs);
  const met = xs.filter((x) =>
    Array.from({ length: WALLS }, (_, i) => 2 * i).some((w) => x + 0.25 >= w && x - 0.25 <= w + 0.5),
  ).length;
  const plot = join(files.folder, 'plots', 'fly.svg');
  const { code, out, err } = await lab(
    ...['fly', store, cube, '--path', path, '--plot', plot, '--json', '--distance'],
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const summary = JSON.parse(out);
  expect(summary).toMatchObject({ steps: 40, stepsWithContact: met });
  expect(summary.meanMs).toBeGreaterThan(0);
  expect(summary.medianMs).toBeLessThanOrEqual(summary.p99Ms);
  expect(summary.p99Ms).toBeLessThanOrEqual(summary.maxMs);
  expect(summary.peakBytes).toBeLessThanOrEqual(160e6);
  expect(readFileSync(plot, 'utf8')).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
  const near = await lab('fly', store, cube, '--path', path, '--within', '1m', '--json');
  expect(JSON.parse(near.out).stepsWithContact).toBe(40);
  const text = await lab('fly', store, cube, '--path', path);
  expect(text.out).toMatch(/^12 triangles through 120 triangles in 10 objects\n/);
  expect(text.out).toMatch(/with contact +\d+\n/);
});

test('a recording: poses, hits and phases of every step, as the viewer reads them', async () => {
  const xs = [0.25, 1, 3];
  const file = join(files.folder, 'records', 'fly.glb');
  const args = ['fly', store, cube, '--path', pathFile('record.json', xs), '--record', file];
  const { code, out, err } = await lab(...args, '--plot', join(files.folder, 'phases.svg'));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`Recording: ${file}\n`);
  expect(out).toMatch(/mean +\S+ ms per step: collide \S+ ms, prefetch \S+ ms\n/);
  const plot = readFileSync(join(files.folder, 'phases.svg'), 'utf8');
  expect(plot.match(/<polyline/g)).toHaveLength(2);
  const { flight, bodies, times } = readRecording(readFileSync(file));
  expect(Array.from(times)).toEqual([0, 0.1, 0.2].map(Math.fround));
  expect(flight).toMatchObject({ model: 'row.impinge', metresPerUnit: 1 });
  const [{ surface, placeAt }] = bodies;
  const heights = surface.positions.filter((_, i) => i % 3 === 2);
  expect([surface.indices.length, Math.min(...heights), Math.max(...heights)]).toEqual([36, 1, 1.5]);
  // in metres with y up: (x, z, −y)
  const places = xs.map((_, i) => placeAt(i));
  expect(places.map((place) => place[9])).toEqual(xs);
  const turn = [1, 0, 0, 0, 0, 1, 0, -1, 0, 0.25, 0, 0];
  expect(Array.from(places[0])).toEqual(turn.map((x) => expect.closeTo(x, 12)));
  expect(flight!.steps.map(({ hits }) => hits.map(({ object }) => object))).toEqual([[0], [], []]);
  const [{ point, distance }] = flight!.steps[0].hits;
  expect(distance).toEqual([0, 0]);
  expect(point[2]).toBeGreaterThanOrEqual(1);
  expect(flight!.steps.every(({ collideMs, prefetchMs }) => collideMs >= 0 && prefetchMs >= 0)).toBe(true);
});

full('a path that is made up: the same for the same seed, and a person by default', async () => {
  const paths = ['a', 'b', 'c'].map((name) => join(files.folder, `${name}.json`));
  for (const [i, seed] of ['1', '1', '2'].entries()) {
    const { code, out } = await lab(
      ...['fly', store, '--wander', '30', '--seed', seed, '--save-path', paths[i]],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^[34],\d{3} triangles through/);
  }
  const [a, b, c] = paths.map((path) => readFileSync(path, 'utf8'));
  expect(a).toBe(b);
  expect(a).not.toBe(c);
  expect(JSON.parse(a).steps).toHaveLength(30);
  const again = await lab('fly', store, '--path', paths[0], '--json');
  expect(JSON.parse(again.out).steps).toBe(30);
});

describe('refused in one line', () => {
  const pathOf = (value: unknown) =>
    files.write('bad.json', typeof value === 'string' ? value : JSON.stringify(value));
  test.each([
    ['no path', () => [], /give --path FILE, or --wander STEPS/],
    ['no JSON', () => ['--path', pathOf('{"steps": [')], /bad\.json: cannot be read: /],
    ['no steps', () => ['--path', pathOf({ steps: [] })], /"steps" must be a list of poses/],
    ['null', () => ['--path', pathOf(null)], /"steps" must be a list of poses/],
    [
      'eleven numbers',
      () => ['--path', pathOf({ steps: [Array(11).fill(0)] })],
      /step 0 is not twelve numbers/,
    ],
    ['no rotation', () => ['--path', pathOf({ steps: [Array(12).fill(2)] })], /pose|rotation|rigid/],
    ['an interval of 0', () => ['--path', pathOf({ steps: [Array(12).fill(0)], interval: 0 })], /"interval"/],
    [
      'no file',
      () => ['--path', join(files.folder, 'none.json')],
      /none\.json: cannot be read: there is no such/,
    ],
    ['two paths', () => ['--path', 'x', '--wander', '5'], /cannot be used with/],
    ['no number of steps', () => ['--wander', 'far'], /--wander: "far" is not a number/],
    ['no steps at all', () => ['--wander', '0'], /--wander/],
  ] as const)('%s', async (_, args, message) => {
    const { code, out, err } = await lab('fly', store, cube, ...args());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).toMatch(/^lab: (?!internal error).*\n$/);
  });

  test('what is no store', async () => {
    const { code, err } = await lab('fly', cube, '--wander', '5');
    expect(code).toBe(2);
    expect(err).toMatch(/^lab: .*cube\.obj: not a store.*\n$/);
  });
});

test('an avatar in another unit than the store', async () => {
  const store = join(files.folder, 'row.impinge');
  const row = files.write('row.obj', boxesObj(['row', [0, 10_000], [0, 100], [0, 100]]));
  expect((await impinge('pack', row, '--unit', 'mm', '-o', store)).code).toBe(0);
  const steps = [5, 0.5, 0.25, 0.15].map((y) => [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, y, 0]);
  const path = files.write('path.json', JSON.stringify({ steps }));
  const cube = files.write('cube.obj', boxesObj(['cube', [0, 10], [0, 10], [0, 10]]));
  const fly = async (...more: string[]) =>
    JSON.parse((await lab('fly', store, cube, '--path', path, '--json', ...more)).out).stepsWithContact;
  expect(await fly('--unit', 'cm', '--within', '200mm')).toBe(2);
  expect(await fly('--unit', 'cm')).toBe(0);
});
