/** Random models as files: plants, soups, instances, nested and touching solids. Equal seeds give equal files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { box, icosphere, randomDirection, randomRotation, soup, torus } from '@impinge/scenes';
import { run } from '../../../packages/cli/dist/program.js';
import { below, oneOf } from '../mutate/choose.mjs';

const QUIET = { out: () => {}, error: () => {}, colors: {} };

/** Multiples of 1/64 are exact in float32, so that touching objects touch exactly. */
const onGrid = (x) => Math.round(64 * x) / 64;

/** One model per round: its path, and its objects if brute force can check them. */
export const SCENES = {
  plant: async (folder, random) => {
    const path = join(folder, 'plant.impinge');
    const triangles = String(20_000 + below(random, 130_000));
    const seed = String(1 + below(random, 1e6));
    await run(['generate', '-o', path, '--triangles', triangles, '--seed', seed, '--clashes', '30'], QUIET);
    return { path };
  },
  soup: (folder, random) =>
    written(
      folder,
      Array.from({ length: 2 + below(random, 12) }, () =>
        moved(soup(below(random, 1e6), 1 + below(random, 300), oneOf(random, [0.05, 0.3])), random, 0.5),
      ),
    ),
  nested: (folder, random) =>
    written(
      folder,
      Array.from({ length: 2 + below(random, 8) }, (_, i) =>
        moved(solid(random, 1 / (1 + i)), random, oneOf(random, [0, 0.1, 1 / (1 + i)])),
      ),
    ),
  touching: (folder, random) => {
    const size = oneOf(random, [0.5, 1]);
    const cells = Array.from({ length: 4 + below(random, 20) }, () =>
      [0, 1, 2].map(() => size * below(random, 4)),
    );
    return written(
      folder,
      cells.map((at) => shifted(box(size, size, oneOf(random, [size, size / 2])), at)),
    );
  },
  instances: (folder, random) => ({ path: instanced(folder, random) }),
};

function solid(random, size) {
  return oneOf(random, [
    () => box(size, size * (0.5 + random()), size),
    () => icosphere(1 + below(random, 6), size),
    () => torus(size, 0.3 * size, 12 + below(random, 20), 8),
  ])();
}

function shifted({ positions, indices }, at) {
  return { positions: positions.map((x, i) => onGrid(x + at[i % 3])), indices };
}

const moved = (mesh, random, reach) =>
  shifted(
    mesh,
    randomDirection(random).map((x) => reach * x * random()),
  );

/** An OBJ file with one group per object. */
function written(folder, objects) {
  const lines = [];
  let first = 1;
  objects.forEach(({ positions, indices }, i) => {
    lines.push(`o object ${i}`);
    for (let v = 0; v < positions.length; v += 3)
      lines.push(`v ${[...positions.subarray(v, v + 3)].join(' ')}`);
    for (let t = 0; t < indices.length; t += 3)
      lines.push(`f ${[...indices.subarray(t, t + 3)].map((v) => v + first).join(' ')}`);
    first += positions.length / 3;
  });
  const path = join(folder, 'model.obj');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, objects };
}

/** A glTF file of one solid in many places. */
function instanced(folder, random) {
  const { positions, indices } = solid(random, 0.3);
  const binary = Buffer.concat([positions, indices].map(({ buffer }) => Buffer.from(buffer)));
  const nodes = Array.from({ length: 20 + below(random, 400) }, (_, i) => {
    const r = randomRotation(random);
    const at = randomDirection(random).map((x) => 2 * x * random());
    const column = (k) => [r[k], r[3 + k], r[6 + k], 0];
    return { name: `part ${i}`, mesh: 0, matrix: [...column(0), ...column(1), ...column(2), ...at, 1] };
  });
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: nodes.map((_, i) => i) }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: positions.length / 3 },
      { bufferView: 1, componentType: 5125, type: 'SCALAR', count: indices.length },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: positions.byteLength },
      { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength },
    ],
    buffers: [{ byteLength: binary.length, uri: `data:;base64,${binary.toString('base64')}` }],
  };
  const path = join(folder, 'parts.gltf');
  writeFileSync(path, JSON.stringify(document));
  return path;
}
