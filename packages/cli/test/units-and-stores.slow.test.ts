/** Units that are missing, not used or make no sense; stores put together. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Files, gltfParts } from './files.js';
import { extruded, ifcHouse, onMap, rectangle } from './ifc-text.js';
import { boxesObj, clashesIn, impinge } from './run-impinge.js';

const files = new Files();

/** A box of `length` × 1 × 1 at x. */
function obj(name: string, x = 0, length = 1): string {
  return files.write(name, boxesObj([name.replace('.obj', ''), [x, x + length], [0, 1], [0, 1]]));
}

/** One triangle of 1 × 1. */
function glb(name: string): string {
  const positions = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer).toString('base64');
  const json = {
    ...gltfParts().json,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ uri: `data:;base64,${positions}`, byteLength: 36 }],
  };
  return files.write(name, JSON.stringify(json));
}

describe('a unit', () => {
  test('that no file takes is refused, and how to say it is told', async () => {
    const path = glb('flag.gltf');
    const { code, err } = await impinge('info', path, '--unit', 'mm');
    expect([code, err]).toEqual([
      2,
      'impinge: --unit: flag.gltf is in metres, as glTF always is; to read it in another, ' +
        'write --unit "flag.gltf: …" with that unit\n',
    ]);
    const { out } = await impinge('info', path, '--unit', 'flag.gltf: mm', '--json');
    expect(JSON.parse(out)[0]).toMatchObject({ metresPerUnit: 0.001, box: { max: [0.001, 0, 0.001] } });
    const lying = await impinge('info', path, '--up', 'flag.gltf: z', '--json');
    expect(JSON.parse(lying.out)[0]).toMatchObject({ box: { max: [1, 1, 0] } });
  });

  test('may be another one for each file', async () => {
    const [a, b] = [obj('a.obj'), obj('b.obj', 500)];
    const { out } = await impinge('distance', a, b, '--unit', 'm', '--unit', 'b*.obj: cm', '--json');
    expect(JSON.parse(out).distance).toBeCloseTo(4, 9);
    const { err } = await impinge('distance', a, b, '--unit', 'm', '--unit', 'cm');
    expect(err).toBe('impinge: --unit: given twice for all files; write "FILE: UNIT" for single ones\n');
  });

  test('is needed for lengths', async () => {
    const path = obj('a.obj');
    const { code, err } = await impinge('check', path, '--clearance', '50');
    expect([code, err]).toEqual([2, 'impinge: --clearance: "50" has no unit; write 50mm, 50in or 50m\n']);
    const rules = files.write('bare.yaml', 'clearance: 50\nrules: [{ name: all }]\n');
    const bare = await impinge('check', path, '--rules', rules);
    expect(bare.err.replace(rules, 'R')).toBe(
      'impinge: R:1:12: clearance: 50 has no unit; write 50mm, 50in or 50m\n',
    );
  });

  test('is doubted where a wall is kilometres long, or a file a thousand times as large as the rest', async () => {
    const output = join(files.folder, 'large');
    const wall = obj('wall.obj', 0, 5000);
    const { out } = await impinge('check', wall, obj('a.obj'), '-o', output);
    expect(out).toContain('wall.obj is 5000 m long, 5000 times as large as a.obj\n');
    expect(out).toContain('if it is in mm, say so: --unit "wall.obj: mm"\n');
    const alone = await impinge('check', wall, '-o', output);
    expect(alone.out).toContain('wall.obj: "wall" is 5 km long\n');
    const right = await impinge(
      'check',
      wall,
      obj('a.obj'),
      '-o',
      output,
      '--unit',
      'wall.obj: mm',
      '--json',
    );
    expect(JSON.parse(right.out)).toMatchObject({ notes: [] });
  });
});

describe('stores', () => {
  test('are checked together, with the files and places they were made with', async () => {
    const box = extruded(40, 'box', [0, 0, 0], rectangle(1000, 1000));
    const house = (name: string, east: number) =>
      files.write(name, ifcHouse([...box, ...onMap(`${729000000 + east}.,9063000000.,0.,1.,0.,1.`)]));
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(files.folder, `${name}.impinge`));
    await impinge('pack', house('a.ifc', 0), '-o', a);
    await impinge('pack', house('b.ifc', 900), '-o', b);
    await impinge('pack', obj('c.obj', 0.9), '-o', c);
    const apart = await impinge('collide', a, b, '--json');
    expect(JSON.parse(apart.out)).toMatchObject({ colliding: true, b: { notes: [{ file: b }] } });
    const output = join(files.folder, 'together');
    const { code, out } = await impinge('check', a, b, c, '-o', output, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out).notes[0]).toEqual({
      file: 'b.ifc',
      note: 'placed by its map conversion, 0.9 m from a.impinge',
    });
    const clashes = clashesIn(output);
    const between = clashes.find(
      ({ a, b }) => a.file !== b.file && [a, b].every(({ file }) => /ifc/.test(file)),
    );
    expect(between.depth).toBeCloseTo(0.1, 6);
    expect(new Set(clashes.flatMap(({ a, b }) => [a.file, b.file]))).toEqual(
      new Set(['a.ifc', 'b.ifc', 'c.obj']),
    );
  });

  test('of many pieces keep every triangle', async () => {
    const rows: string[] = [];
    const n = 100;
    for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) rows.push(`v ${i / 7} ${j / 7} ${(i * j) % 3}`);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const v = i * (n + 1) + j + 1;
        rows.push(`f ${v} ${v + 1} ${v + n + 2} ${v + n + 1}`);
      }
    }
    const field = files.write('field.obj', `${rows.join('\n')}\n`);
    const [one, two] = [join(files.folder, 'one.impinge'), join(files.folder, 'two.impinge')];
    await impinge('pack', field, '-o', one);
    const { out } = await impinge('pack', one, '-o', two, '--json');
    expect(JSON.parse(out)).toMatchObject({ objects: 1, triangles: 2 * n * n });
    const apart = await impinge('distance', field, two, '--json');
    expect(JSON.parse(apart.out).distance).toBeCloseTo(0, 6);
  });
});
