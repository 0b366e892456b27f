/** `collide` and `distance` with stores and --error, held against the same questions about the files. */
import { join } from 'node:path';
import { LevelsTarget } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { contacts } from 'impinge';
import { beforeAll, describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { hills } from './hills.js';
import { boxesObj, impinge } from './run-impinge.js';

const files = new Files();

const ground = files.write('ground.obj', hills('ground', 64));
const things = files.write(
  'things.obj',
  boxesObj(
    ['low', [2, 3], [2, 3], [-0.5, 0.5]],
    ['high', [5, 6], [5, 6], [0.7, 1.5]],
    ['far', [2, 3], [2, 3], [4, 5]],
  ),
);
const levels = join(files.folder, 'ground.impinge');
const plain = join(files.folder, 'plain.impinge');
const body = join(files.folder, 'things.impinge');

beforeAll(async () => {
  await impinge('pack', ground, '--levels', '--workers', '1', '-o', levels);
  await impinge('pack', ground, '-o', plain);
  await impinge('pack', things, '--levels', '--workers', '1', '-o', body);
});

interface Answer {
  readonly error: number;
  readonly objectPairs: {
    readonly a: string;
    readonly b: string;
    readonly patchPairs?: number;
    readonly trianglePairs?: number;
    readonly distance: [number, number];
    readonly pointA: number[];
    readonly contacts?: Region[];
  }[];
}

interface Region {
  readonly depth: [number, number];
  readonly distance: [number, number];
  readonly point: number[];
  readonly normal: number[];
  readonly box: { readonly min: number[]; readonly max: number[] };
  readonly patchPairs?: number;
  readonly trianglePairs?: number;
  /** Of files. */
  readonly curves?: { readonly points: number[][] }[];
}

const asked = async (...args: string[]): Promise<{ code: number; answer: Answer }> => {
  const { code, out, err } = await impinge(...args, '--json');
  expect(err).toBe('');
  return { code, answer: JSON.parse(out) };
};
/** How far `things/NAME` is from the ground. */
const exactly = async (...args: string[]): Promise<number> => {
  const { out } = await impinge('distance', ground, things, '--json', ...args);
  return JSON.parse(out).distance;
};

describe('collide', () => {
  test('with an error: no object is missed, and distances are in their intervals', async () => {
    for (const other of [things, body]) {
      const { code, answer } = await asked('collide', levels, other, '--error', '0.5%');
      expect(code).toBe(1);
      expect(answer.error).toBeCloseTo(0.04, 5);
      expect(answer.objectPairs.map(({ b }) => b)).toEqual(['things/low']);
      const [{ a, distance, patchPairs, pointA }] = answer.objectPairs;
      expect(a).toBe('ground');
      expect(patchPairs).toBeGreaterThan(0);
      expect(distance[0]).toBe(0);
      expect(distance[1]).toBeLessThanOrEqual(answer.error + 1e-9);
      expect(pointA.every((x, k) => x > [1.9, 1.9, -0.5][k] && x < [3.1, 3.1, 0.5][k])).toBe(true);
    }
    const near = await asked('collide', levels, things, '--within', '1m', '--error', '10cm', '--any');
    expect(near.answer.objectPairs.map(({ b }) => b)).toEqual(['things/low', 'things/high']);
    const [lower, upper] = near.answer.objectPairs[1].distance;
    const { answer } = await asked('collide', plain, things, '--within', '1m');
    const [least, most] = answer.objectPairs[1].distance;
    expect(least).toBe(most);
    expect(lower).toBeLessThanOrEqual(least);
    expect(upper).toBeGreaterThanOrEqual(least);
    expect(upper - lower).toBeLessThanOrEqual(0.1 + 1e-9);
  });

  test('exactly where there are no levels: the pairs of the files', async () => {
    const { out } = await impinge('collide', ground, things, '--json');
    for (const sides of [
      [plain, things],
      [levels, things],
      [ground, things, '--error', '1mm'],
    ]) {
      const { answer } = await asked('collide', ...sides);
      expect(answer.error).toBe(0);
      expect(answer.objectPairs[0].trianglePairs).toBe(JSON.parse(out).trianglePairs);
      expect(answer.objectPairs[0].distance).toEqual([0, 0]);
    }
  });

  test('says what it did, so that it can be understood', async () => {
    const { code, out } = await impinge('collide', levels, things, '--error', '0.5%');
    expect(code).toBe(1);
    expect(out.replace(/^([AB] {2})\S+/gm, '$1FILE')).toMatch(
      new RegExp(
        [
          'A  FILE +8,192 triangles  a store with levels',
          'B  FILE +36 triangles  3 objects, a file',
          'Permitted error: 0\\.04\\d* m, 0\\.5% of the larger extent\\.',
          '',
          'collision: \\d+ patch pairs? in 1 object pair',
          '',
          '  in A +in B +patch pairs +apart +at',
          '  ground +things/low +\\d+ .* m +\\(.*\\)',
          '',
          'Nothing that meets is left out; what is listed may be up to 0\\.04\\d* m farther apart\\.',
          'A patch is a few neighbouring triangles\\.',
        ].join('\n'),
      ),
    );
    const none = await impinge('collide', levels, things, '--pose', 't=0,0,5', '--error', '1mm');
    expect(none).toMatchObject({ code: 0, err: '' });
    expect(none.out).toContain('no collision\n');
    const without = await impinge('collide', plain, things, '--error', '1mm');
    expect(without.out).toContain('The answer is exact, since ');
    expect(without.out).toContain('plain.impinge has no levels; "impinge pack --levels" builds them');
  });

  test('--contacts: the regions of the library, and none is missed', async () => {
    const args = ['collide', levels, body, '--contacts', '--error', '0.5%'];
    const { code, answer } = await asked(...args);
    expect(code).toBe(1);
    const [{ a, b, contacts: found = [] }] = answer.objectPairs;
    expect([a, b, answer.objectPairs.length]).toEqual(['ground', 'things/low', 1]);
    const models = [await openStoreFile(levels), await openStoreFile(body)] as const;
    const targets = [new LevelsTarget(models[0]), new LevelsTarget(models[1])] as const;
    const { regions } = await contacts(...targets, { error: answer.error });
    expect(found).toEqual(
      regions.map(({ depth, bounds, point, normal, box, pairs }) => ({
        ...{ depth, distance: bounds, point, normal, box, patchPairs: pairs.length },
      })),
    );
    for (const each of [...targets, ...models]) await each.dispose();
    for (const { depth } of found) expect(depth[1] - depth[0]).toBeLessThanOrEqual(1.01 * answer.error);

    // where the files meet there is a region
    const exact = await asked('collide', ground, things, '--contacts');
    const points = exact.answer.objectPairs.flatMap(({ contacts: own = [] }) =>
      own.flatMap(({ curves = [] }) => curves.flatMap((curve) => curve.points)),
    );
    expect(points.length).toBeGreaterThan(10);
    const isIn =
      (at: number[]) =>
      ({ box: { min, max } }: Region) =>
        at.every((x, k) => x >= min[k] - 1e-6 && x <= max[k] + 1e-6);
    for (const at of points) expect(found.some(isIn(at))).toBe(true);

    const text = await impinge(...args.slice(0, -1), '5%');
    expect(text.out).toMatch(
      new RegExp(
        [
          'collision: \\d+ patch pairs? in 1 object pair',
          '',
          '\\d+ contact regions?',
          '  in A +in B +depth +patch pairs +at +direction to separate B',
          '  ground +things/low +\\S+ … \\S+ m +\\d+ +\\(.*\\) +\\(.*\\)',
        ].join('\n'),
      ),
    );
    const apart = await impinge('collide', levels, body, '--pose', 't=0,0,5', '--contacts', '--error', '1mm');
    expect(apart).toMatchObject({ code: 0, err: '' });
    expect(apart.out).toContain('no collision\n');
  });

  test('--contacts without levels: exact depths of a store, and the regions of files', async () => {
    const { answer } = await asked('collide', plain, things, '--contacts');
    const [{ contacts: found = [] }] = answer.objectPairs;
    expect(found.length).toBeGreaterThan(0);
    for (const { depth, distance, trianglePairs } of found) {
      expect(depth[1] - depth[0]).toBeLessThan(1e-9);
      expect(distance).toEqual([0, 0]);
      expect(trianglePairs).toBeGreaterThan(0);
    }
    const files = await asked('collide', ground, things, '--contacts', '--error', '1mm');
    const exact = await asked('collide', ground, things, '--contacts');
    expect(files.answer.objectPairs[0].contacts).toEqual(exact.answer.objectPairs[0].contacts);
    const text = await impinge('collide', ground, things, '--contacts', '--error', '1mm');
    expect(text.out).toMatch(/contact region.*\n {2}in A +in B +clash +contact +depth/);
  });

  test.each([
    ['pairs of triangles', ['--pairs', 'x.csv'], /--pairs: neither with stores nor with --error/],
    ['a limit', ['--limit', '3'], /--limit: neither with stores/],
    ['no error', ['--error', 'much'], /--error: "much": unknown unit "much"/],
    ['a negative share', ['--error', '-1%'], /--error: "-1%" is negative/],
    ['no share', ['--error', '%'], /--error: "%" is not a share such as 0\.04%/],
    ['bytes', ['--memory', '12'], /--memory: "12" is 12 bytes/],
  ])('refuses %s in one line', async (_, args, message) => {
    const { code, out, err } = await impinge('collide', levels, things, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).toMatch(/^impinge: .*\n$/);
  });

  test('refuses a store against itself, and stores of different units', async () => {
    const same = await impinge('collide', levels, levels, '--error', '1mm');
    expect(same.err).toMatch(/is given twice; give a copy another place with --pose/);
    const small = join(files.folder, 'small.impinge');
    await impinge('pack', things, '--unit', 'mm', '-o', small);
    const units = await impinge('distance', levels, small);
    expect(units.err).toMatch(/ground\.impinge is in units of 1 m, \S+small\.impinge of 0\.001 m; pack both/);
  });
});

test('distance: an interval that holds it, and where', async () => {
  for (const pose of ['t=0,0,3', 't=1,1,-9', 't=0,0,0']) {
    const exact = await exactly('--pose', pose);
    for (const sides of [
      [levels, things],
      [levels, body],
      [ground, body],
      [plain, body],
    ]) {
      const { answer } = await asked('distance', ...sides, '--pose', pose, '--error', '20mm');
      const { bounds, error } = answer as unknown as { bounds: [number, number]; error: number };
      expect(error).toBe(sides[0] === plain ? 0 : 0.02);
      expect(bounds[0]).toBeLessThanOrEqual(exact + 1e-9);
      expect(bounds[1]).toBeGreaterThanOrEqual(exact - 1e-9);
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error + 1e-9);
    }
  }
  const text = await impinge('distance', levels, things, '--pose', 't=0,0,3', '--error', '20mm');
  expect(text.out).toMatch(/\ndistance [\d.]+ … [\d.]+ m\n {2}A {2}ground +at \(.*\)\n {2}B {2}things\/low/);
  const far = await impinge(
    'distance',
    levels,
    things,
    '--pose',
    't=0,0,30',
    '--error',
    '1mm',
    '--at-most',
    '1m',
  );
  expect(far.out).toContain('farther apart than 1 m\n');
});

test('distance with an error: how far to move B out of A, where they may overlap', async () => {
  for (const sides of [
    [levels, things],
    [levels, body],
    [ground, body],
  ]) {
    const { answer } = await asked('distance', ...sides, '--error', '20mm');
    const { overlap } = answer as unknown as { overlap: { depth: [number, number]; direction: number[] } };
    const [atLeast, depth] = overlap.depth;
    expect(atLeast).toBe(0); // the ground is open
    expect(depth).toBeGreaterThan(0.05);
    const low = files.write('low.obj', boxesObj(['low', [2, 3], [2, 3], [-0.5, 0.5]]));
    const by = (share: number) => `t=${overlap.direction.map((x) => share * depth * x).join()}`;
    expect((await impinge('collide', ground, low, '--pose', by(1))).code).toBe(0);
    expect((await impinge('collide', ground, low, '--pose', by(0.5))).code).toBe(1);
    const text = await impinge('distance', ...sides, '--error', '20mm');
    expect(text.out).toMatch(/\n {2}to separate B: 0 … \S+ m along \(.*\)\n/);
  }
  const apart = await impinge('distance', levels, things, '--pose', 't=0,0,3', '--error', '20mm');
  expect(apart.out).not.toContain('to separate B');
});
