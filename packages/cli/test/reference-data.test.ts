/** The counts of the reference models, where they are at hand; they are not part of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { collide } from 'impinge';
import { describe, expect, test } from 'vitest';
import { posesOf } from '../src/commands/pair-options.js';
import { readModel } from '../src/formats/read.js';
import { PlacedModel } from '../src/placed-model.js';

const folder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

const MODELS: [file: string, objects: number, geometries: number, triangles: number, vertices?: number][] = [
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

describe.skipIf(!existsSync(folder))('reference models', () => {
  test.each(MODELS)('%s', async (file, objects, geometries, triangles, vertices) => {
    const { model } = await readModel(folder + file);
    expect(model.objects).toHaveLength(objects);
    expect(model.geometries).toHaveLength(geometries);
    const counts = model.geometries.map(({ indices }) => indices.length / 3);
    expect(model.objects.reduce((sum, { geometry }) => sum + counts[geometry], 0)).toBe(triangles);
    if (vertices !== undefined) expect(model.geometries[0].positions.length / 3).toBe(vertices);
  });

  test.each([
    ['cad/gearbox', 82],
    ['cad/atst', 466],
    ['plants/duplex', 862],
  ])('every clear crossing of %s is found', async (name, clear) => {
    const { objects } = await PlacedModel.read(`${folder}${name}.glb`, undefined);
    const byName = new Map(objects.map((object) => [object.name, object]));
    const lines = gunzipSync(readFileSync(`${folder}${name}.crossings.tsv.gz`))
      .toString()
      .trim()
      .split('\n');
    const pairs = lines.map((line) => line.split('\t')).filter((words) => words[2] === '1');
    expect(pairs).toHaveLength(clear);
    const missed = pairs.filter(([nameA, nameB]) => {
      const a = byName.get(nameA)!;
      const b = byName.get(nameB)!;
      return !collide(a.mesh, b.mesh, { ...posesOf(a, b), mode: 'any' }).colliding;
    });
    expect(missed).toEqual([]);
  });

  test('the world box of a model with a node hierarchy', async () => {
    const { model } = await readModel(`${folder}cad/engine.glb`);
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (const { geometry, matrix: m } of model.objects) {
      const { positions, indices } = model.geometries[geometry];
      for (const v of indices) {
        for (let row = 0; row < 3; row++) {
          let x = positions[3 * v + row];
          if (m)
            x = m[12 + row] + [0, 1, 2].reduce((sum, k) => sum + m[4 * k + row] * positions[3 * v + k], 0);
          min[row] = Math.min(min[row], x);
          max[row] = Math.max(max[row], x);
        }
      }
    }
    const expected = [-371.692, -180.972, -140, 371.692, 92.042, 128];
    for (const [i, x] of [...min, ...max].entries()) expect(x).toBeCloseTo(expected[i], 3);
  });
});
