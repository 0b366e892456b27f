/** Whether an object is closed: `info` of a file, `info` of its store, the check and the library say the same. */
import { join } from 'node:path';
import fc from 'fast-check';
import { countEdges, isClosed, Mesh } from 'impinge';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { Files } from './files.js';
import { impinge, impingeJson } from './run-impinge.js';

const files = new Files();

type Point = readonly [number, number, number];

/** Quads of a box, and a wall across its middle. */
const QUADS = ['1 3 4 2', '5 6 8 7', '1 2 10 9', '9 10 6 5', '3 11 12 4', '11 7 8 12'];
const ENDS = ['1 9 11 3', '9 5 7 11', '2 4 12 10', '10 12 8 6'];
const WALL = '9 10 12 11';

/** Corners of a box of size 2, and of the wall. */
function corners(at: Point, size: Point): Point[] {
  const z = [0, 2, 1];
  return Array.from({ length: 12 }, (_, c): Point => {
    const unit = [c & 1, (c >> 1) & 1, z[c >> 2]];
    return [at[0] + size[0] * unit[0], at[1] + size[1] * unit[1], at[2] + size[2] * unit[2]];
  });
}

function obj(name: string, points: readonly Point[], quads: readonly string[]): string {
  const faces = quads.map(
    (quad) =>
      `f ${quad
        .split(' ')
        .map((v) => Number(v) - points.length - 1)
        .join(' ')}`,
  );
  return [`o ${name}`, ...points.map((p) => `v ${p.join(' ')}`), ...faces, ''].join('\n');
}

test('a box with a partition is open: the check cannot see what is inside, and says so', async () => {
  const crate = obj('crate', corners([0, 0, 0], [1, 1, 1]), [...QUADS, ...ENDS, WALL]);
  const box = obj('box', corners([5, 0, 0], [1, 1, 1]), [...QUADS, ...ENDS]);
  const pebble = (x: number) =>
    obj(`pebble${x}`, corners([x, 0.4, 0.2], [0.1, 0.1, 0.1]), [...QUADS, ...ENDS]);
  const file = files.write('crates.obj', [crate, box, pebble(0.4), pebble(5.4)].join(''));

  const [report] = await impingeJson('info', file);
  expect(report.objects.map(({ closed }: { closed: boolean }) => closed)).toEqual([false, true, true, true]);
  expect(report.objects[0]).toMatchObject({ openEdges: 4, nonManifoldEdges: 4 });
  const line = /note +1 object is open, not a solid: a check finds nothing inside crates\/crate\n/;
  const shown = await impinge('info', file);
  expect(shown.out).toMatch(line);
  expect(shown.out).toContain('no: 1 object open, 4 open edges; 4 edges with more than two triangles');

  const store = join(files.folder, 'crates.impinge');
  await impinge('pack', file, '-o', store);
  expect((await impinge('info', store)).out).toMatch(line);
  const checked = await impinge('check', store, '-o', join(files.folder, 'crates'), '--formats', 'csv');
  expect(checked.out).toMatch(/ 1 object is open, not a solid: a check finds nothing inside crates\/crate\n/);
  const record = await impinge(
    'check',
    store,
    '-o',
    join(files.folder, 'json'),
    '--formats',
    'csv',
    '--json',
  );
  expect(JSON.parse(record.out)).toMatchObject({
    clashes: 1,
    kinds: { inside: 1 },
    openObjects: ['crates/crate'],
  });
});

const place = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((x) => x / 1000);
const side = fc.double({ min: 1e-6, max: 10, noNaN: true });
const object = fc.record({
  at: fc.tuple(place, place, place),
  size: fc.tuple(side, side, side),
  left: fc.subarray([...QUADS, ...ENDS, WALL], { minLength: 1 }),
  again: fc.subarray([...ENDS, WALL]),
});

test('all say the same, whatever is left out or doubled (seed 31)', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 6 }), async (objects) => {
      const whole = { left: [...QUADS, ...ENDS], again: [] };
      const list = objects.map((one, i) => (i % 2 === 0 ? one : { ...one, ...whole }));
      const parts = list.map(({ at, size, left, again }, i) =>
        obj(`o${i}`, corners(at, size), [...left, ...again]),
      );
      const name = `random${number++}`;
      const file = files.write(`${name}.obj`, parts.join(''));
      const store = join(files.folder, `${name}.impinge`);
      await impinge('pack', file, '-o', store);
      const [[ofFile], [ofStore]] = await Promise.all(
        [file, store].map(async (path) => await impingeJson('info', path)),
      );
      const closedIn = (report: { objects: { path: string; closed: boolean }[] }) =>
        report.objects.map(({ path, closed }) => `${path} ${closed}`).sort();
      expect(closedIn(ofFile)).toEqual(closedIn(ofStore));
      const out = join(files.folder, name);
      const checked = await impingeJson('check', store, '-o', out, '--formats', 'csv');
      const open = ofFile.objects.filter(({ closed }: { closed: boolean }) => !closed);
      expect([...checked.openObjects].sort()).toEqual(open.map(({ path }: { path: string }) => path).sort());
    }),
    { numRuns: runs(40), seed: 31 },
  );
});

test('edges are open where the number of their triangles is odd (seed 32)', () => {
  const corner = fc.integer({ min: 0, max: 5 });
  const triangles = fc.array(fc.tuple(corner, corner, corner), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(triangles, (list) => {
      const positions = Array.from({ length: 6 }, (_, i) => [i, i * i, i ** 3]).flat();
      const mesh = Mesh.from({ positions, indices: list.flat() });
      const counts = new Map<string, number>();
      for (const t of list) {
        for (const [p, q] of [
          [t[0], t[1]],
          [t[1], t[2]],
          [t[2], t[0]],
        ]) {
          const key = `${Math.min(p, q)} ${Math.max(p, q)}`;
          if (p !== q) counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
      const open = [...counts.values()].filter((n) => n % 2 === 1).length;
      const nonManifold = [...counts.values()].filter((n) => n > 2).length;
      expect(countEdges(mesh)).toEqual({ open, nonManifold });
      expect(isClosed(mesh)).toBe(open === 0);
    }),
    { numRuns: runs(2000), seed: 32 },
  );
});
