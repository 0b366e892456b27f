/** The counts of the reference models, where they are at hand; they are not part of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { emptyBox, growBox, usedVertices, worldBox } from '../src/box.js';
import { readModel } from '../src/formats/read-model.js';
import { placeOf } from '../src/formats/source-object.js';
import { matrixOfPose } from '../src/matrix.js';
import { Files } from './files.js';
import { expectClose, readSource } from './source-triangles.js';

const files = new Files();

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

const MODELS: [file: string, objects: number, shapes: number, triangles: number, vertices?: number][] = [
  ['scans/dragon.ply.gz', 1, 1, 871_414, 437_645],
  ['scans/dragon-res2.ply.gz', 1, 1, 202_520, 100_250],
  ['scans/dragon-res3.ply.gz', 1, 1, 47_794, 22_998],
  ['scans/bunny.ply', 1, 1, 69_451, 35_947],
  ['scans/bunny-hr.ply', 1, 1, 59_664, 29_834],
  ['scans/armadillo.ply', 1, 1, 86_482, 43_243],
  ['scans/lucy-100k.ply', 1, 1, 100_000, 50_002],
  ['scans/igea.ply', 1, 1, 268_686, 134_345],
  ['deform/cloth_ball92.ply', 1, 1, 92_230, 46_598],
  ['deform/cloth_ball93.ply', 1, 1, 92_230, 46_598],
  ['fcl/env.obj', 1, 1, 2_180, 6_540],
  ['fcl/rob.obj', 1, 1, 216, 648],
  ['plants/duplex.glb', 1_141, 1_141, 360_979],
  ['plants/hospital.glb', 29_103, 13_628, 7_380_395],
  ['cad/gearbox.glb', 95, 42, 646_064],
  ['cad/gearbox-draco.glb', 95, 42, 646_064],
  ['cad/engine.glb', 67, 29, 121_496],
  ['cad/atst.glb', 1_216, 171, 1_030_054],
];

/** Of a table beside the models. */
function rowsOf(name: string): string[][] {
  const lines = gunzipSync(readFileSync(`${folder}${name}.tsv.gz`))
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => line.split('\t'));
}

describe.skipIf(!existsSync(folder))('reference models', () => {
  test.each(MODELS)('%s', async (file, objects, shapes, triangles, vertices) => {
    const found = await readModel(folder + file);
    expect(found.shapes).toHaveLength(shapes);
    const sum = (of: (shape: (typeof found.shapes)[0]) => number) =>
      found.shapes.reduce((total, shape) => total + of(shape), 0);
    expect(sum(({ objects: own }) => own.length)).toBe(objects);
    expect(sum(({ objects: own, geometry }) => (own.length * geometry.indices.length) / 3)).toBe(triangles);
    const ids = found.shapes.flatMap((shape) => shape.objects.map(({ id }) => id));
    expect(new Set(ids).size).toBe(objects);
    if (vertices !== undefined) expect(sum(({ geometry }) => geometry.positions.length / 3)).toBe(vertices);
  });

  test('a scan as a stream', async () => {
    const path = `${folder}scans/dragon-res3.ply.gz`;
    const [found] = await readSource(files, path, { memoryBytes: 1 << 20 });
    const [inMemory] = await readSource(files, path);
    expect([found.isStream, inMemory.isStream]).toEqual([true, false]);
    expectClose(found.corners, inMemory.corners, 0);
  });

  test('ids and disciplines of a building', async () => {
    const { shapes } = await readModel(`${folder}plants/duplex.glb`);
    const disciplines = new Map(
      shapes.flatMap(({ objects }) => objects.map(({ id, discipline }) => [id, discipline])),
    );
    const known = rowsOf('plants/duplex.objects').filter(([id]) => disciplines.has(id));
    expect(known).toHaveLength(1_141);
    for (const [id, group] of known) expect(disciplines.get(id)).toBe(group);
  });

  test('the world box of a model with a node hierarchy', async () => {
    const { shapes } = await readModel(`${folder}cad/engine.glb`);
    const box = emptyBox();
    for (const { geometry, objects } of shapes) {
      for (const object of objects)
        growBox(box, worldBox(geometry, usedVertices(geometry), matrixOfPose(placeOf(object)!)));
    }
    // Z up; the file is Y up
    const expected = [-371.692, -128, -180.972, 371.692, 140, 92.042];
    for (const [i, x] of box.entries()) expect(x).toBeCloseTo(expected[i], 3);
  });
});
