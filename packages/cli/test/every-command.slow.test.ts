/** Every command reads every format, and they agree on units, axes and names; what is too large is refused. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FormatError } from '../src/formats/format-error.js';
import { FORMATS } from '../src/formats/formats.js';
import { readModel, readModels } from '../src/formats/read-model.js';
import { alteredGlb, binaryStl, Files, obj } from './files.js';
import { glbFile, ifcWall, MODEL_FILES, threeMf } from './model-files.js';
import { boxesObj, impinge, impingeJson } from './run-impinge.js';

const files = new Files();

test('there is a file of every format', () => {
  const extensions = MODEL_FILES.map(([name]) => name.replace(/\.gz$/, '').split('.').at(-1)!);
  const there = FORMATS.filter((format) => format.extensions.some((name) => extensions.includes(name)));
  expect(new Set(there.map(({ name }) => name))).toEqual(
    new Set(
      FORMATS.filter(({ extensions, needs }) => extensions.length > 0 && !needs).map(({ name }) => name),
    ),
  );
});

test.each(MODEL_FILES)('%s: info, collide, distance', async (name, bytes) => {
  const path = files.write(name, bytes);
  const isWall = name.endsWith('.ifc');
  const [report] = await impingeJson('info', path);
  expect(report).toMatchObject({ file: path, triangles: isWall ? 12 : 4 });
  expect(report.objects).toHaveLength(1);
  expect(report.objects[0].closed).toBe(true);
  const stem = name.split('.')[0];
  expect(report.objects[0].path.split('/')[0]).toBe(stem);
  const size = [0, 1, 2].map((k) => report.box.max[k] - report.box.min[k]);
  const expected = isWall ? [2, 0.1, 3] : /gl(b|tf)$/.test(name) ? [1.5, 3, 2.75] : [1.5, 2.75, 3];
  for (const [k, x] of size.entries()) expect(x).toBeCloseTo(expected[k], 12);
  // a copy that is moved along x by its own size and 1 m
  const pose = `t=${expected[0] + 1},0,0`;
  const { distance } = await impingeJson('distance', path, path, '--pose', pose);
  expect(distance).toBeCloseTo(1, 12);
  expect((await impinge('collide', path, path, '--pose', pose)).code).toBe(0);
  expect((await impinge('collide', path, path, '--pose', pose, '--within', '1001mm')).code).toBe(1);
  expect((await impinge('collide', path, path, '--pose', 't=0.1,0,0')).code).toBe(1);
});

test('files of different units are compared in metres', async () => {
  const wall = files.write('wall.ifc', ifcWall());
  // beside the wall of 2 × 0.1 × 3 m, which is in millimetres
  const box = boxesObj(['box', [1250, 1350], [-50, 50], [0, 100]]);
  const cube = files.write('cube.obj', box);
  const near = await impinge('distance', wall, cube, '--unit', 'mm');
  expect(near.out).toMatch(/\ndistance 0\.25 m\n[^\n]*\(1, [^\n]*\n[^\n]*\(1\.25, /);
  const far = await impingeJson('distance', wall, cube, '--unit', 'm');
  expect(far.distance).toBeCloseTo(1249, 9);
  const within = await impinge('collide', wall, cube, '--unit', 'mm', '--within', '25cm', '--json');
  expect(JSON.parse(within.out)).toMatchObject({ colliding: true, within: 0.25 });
  expect((await impinge('collide', wall, cube, '--unit', 'mm', '--within', '249mm')).code).toBe(0);
});

test('one unit for all: its bits are kept, lengths are in metres', async () => {
  // 100 + 200 is 300, but 0.1 + 0.2 is not 0.3: in metres the boxes would not touch
  const left = files.write('left.obj', boxesObj(['left', [100, 300], [0, 100], [0, 100]]));
  const right = files.write('right.obj', boxesObj(['right', [100, 300], [0, 100], [0, 100]]));
  const touching = ['--unit', 'mm', '--pose', 't=0.2,0,0'];
  const met = await impinge('collide', left, right, ...touching, '--contacts', '--json');
  expect(met.code).toBe(1);
  const [region] = JSON.parse(met.out).objectPairs[0].contacts;
  expect(region.point[0]).toBeCloseTo(0.3, 12);
  expect(region.box.max[1]).toBeCloseTo(0.1, 12);
  const apart = await impinge('distance', left, right, '--unit', 'mm', '--pose', 't=0.25,0,0', '--json');
  const { distance, closest } = JSON.parse(apart.out);
  expect(distance).toBeCloseTo(0.05, 12);
  expect(closest.b.point[0]).toBeCloseTo(0.35, 12);
});

test('--up turns files that do not say', async () => {
  const path = files.write('tetra.stl', binaryStl());
  const [flat] = await impingeJson('info', path, '--up', 'y');
  expect(flat.box).toEqual({ min: [0, -3, -0.5], max: [1.5, 0, 2.25] });
});

test('folders and globs', async () => {
  const folder = join(files.folder, 'parts');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.glb'), glbFile());
  writeFileSync(join(folder, 'b.3mf'), threeMf());
  writeFileSync(join(folder, 'c.obj'), obj());
  const info = (await impingeJson('info', folder)) as { file: string }[];
  expect(info.map(({ file }) => file)).toEqual(['a.glb', 'b.3mf', 'c.obj'].map((name) => join(folder, name)));
  const both = await impingeJson('collide', folder, join(folder, '*.obj'));
  expect(both).toMatchObject({ a: { objects: 3, triangles: 12 }, b: { objects: 1, triangles: 4 } });
  expect(both.objectPairs).toContainEqual(expect.objectContaining({ a: 'b/tetra', b: 'c/tetra' }));
  const own = await impingeJson('collide', folder, folder);
  expect(own.sameFile).toBe(true);
});

test('what is left out of a file is said', async () => {
  const text = ifcWall().replace(
    '#40=',
    "#41=IFCOPENINGELEMENT('guid-41',$,'A hole',$,$,#10,#36,$,$);\n#40=",
  );
  const path = files.write('room.ifc', text);
  const note = 'left out, because not solid: 1 IfcOpeningElement';
  expect((await impinge('info', path)).out).toContain(`  note       ${note}\n`);
  expect((await impinge('distance', path, path)).out).toContain(`  ${path}: ${note}\n`);
});

test.each(MODEL_FILES)('%s: refused when it does not fit into memory', async (name, bytes) => {
  const path = files.write(name, bytes);
  const { shapes } = await readModel(path);
  const used = shapes.reduce(
    (sum, { geometry: g }) => sum + g.positions.byteLength + g.indices.byteLength,
    0,
  );
  const refused = readModel(path, { memoryBytes: used - 1 });
  await expect(refused).rejects.toThrow(FormatError);
  await expect(refused).rejects.toThrow(/do not fit into .* "impinge check" .* "impinge pack"/);
});

test('several files share the memory', async () => {
  const path = files.write('one.glb', glbFile());
  const [{ geometry }] = (await readModel(path)).shapes;
  const bytes = geometry.positions.byteLength + geometry.indices.byteLength;
  expect(await readModels([path, path], { memoryBytes: 2 * bytes })).toHaveLength(2);
  await expect(readModels([path, path], { memoryBytes: 2 * bytes - 1 })).rejects.toThrow(/do not fit/);
});

test('survey coordinates keep their digits', async () => {
  const x = 5_000_000;
  const left = files.write('left-far.obj', boxesObj(['left', [x, x + 1], [0, 1], [0, 1]]));
  const right = files.write('right-far.obj', boxesObj(['right', [x + 1 + 2 ** -10, x + 2], [0, 1], [0, 1]]));
  const far = await impingeJson('distance', left, right);
  expect(far.distance).toBe(2 ** -10);
  // the tetrahedron is 1.5 wide
  const placed = alteredGlb(({ json }) => {
    json.nodes[0]['translation'] = [x - 1.5 - 2 ** -10, 0.25, -0.5];
  });
  const glb = files.write('far.glb', placed);
  const near = await impingeJson('distance', glb, left);
  expect(near.distance).toBeCloseTo(2 ** -10, 9);
  const [{ box }] = await impingeJson('info', glb);
  expect(box.max[0]).toBe(x - 2 ** -10);
});
