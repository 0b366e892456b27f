/** `lab fly` with stores and --error, held against the same flight without it. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Files } from '../../../packages/cli/test/files.js';
import { hills } from '../../../packages/cli/test/hills.js';
import { boxesObj, impinge } from '../../../packages/cli/test/run-impinge.js';
import { lab } from './run-lab.js';

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

describe('fly', () => {
  const path = files.write(
    'down.json',
    JSON.stringify({
      interval: 0.1,
      steps: Array.from({ length: 20 }, (_, i) => [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2 - i / 8]),
    }),
  );
  test.each([
    ['a file', things],
    ['a store', body],
  ])('%s: with an error it names what it hits, where and how near', async (_, avatar) => {
    const exact = JSON.parse((await lab('fly', levels, avatar, '--path', path, '--json')).out);
    const { out, err } = await lab(
      ...['fly', levels, avatar, '--path', path, '--error', '1%', '--distance', '--json'],
    );
    expect(err).toBe('');
    const found = JSON.parse(out);
    expect(found.error).toBeCloseTo(0.08, 5);
    expect(found.cut.pairs).toBeGreaterThan(0);
    expect(found.pagesRead).toBeGreaterThan(0);
    const stepsOf = (hits: { step: number }[]) => new Set(hits.map(({ step }) => step));
    expect(exact.hits.length).toBeGreaterThan(3);
    for (const step of stepsOf(exact.hits)) expect(stepsOf(found.hits)).toContain(step);
    for (const { object, distance, point } of found.hits) {
      expect(object).toBe('ground');
      expect(distance[0]).toBe(0);
      expect(distance[1]).toBeLessThanOrEqual(0.08 + 1e-9);
      expect(point).toHaveLength(3);
    }
    expect(found.nearest.distance[0]).toBe(0);
    const text = await lab('fly', levels, avatar, '--path', path, '--error', '1%');
    expect(text.out).toMatch(/Permitted error: 0\.08\d* m, 1% of the larger extent\.\n/);
    expect(text.out).toMatch(/cut +\d+ pairs?; \d+ split, \d+ merged on the way\n/);
    expect(text.out).toMatch(/\n {2}hit +steps +nearest +at +in step\n {2}ground +\d+ /);
  });

  test('exactly where there are no levels, and it says so', async () => {
    for (const sides of [
      [plain, things],
      [body, plain],
    ]) {
      const { out } = await lab('fly', ...sides, '--path', path, '--error', '1%');
      expect(out).toContain('The answer is exact, since plain.impinge has no levels');
    }
    // the model that stands still may be without
    const { out } = await lab('fly', plain, body, '--path', path, '--error', '1%');
    expect(out).toContain('Permitted error: 0.08');
    expect(out).toMatch(/\n {2}ground +\d+ /);
  });
});
