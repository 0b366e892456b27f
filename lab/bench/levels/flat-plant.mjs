/** The generated plant as one mesh in memory, with every object in place. */
import { plant } from '@impinge/scenes/plant';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export function flatPlant(triangles) {
  const design = plant({ triangles });
  let [vertexCount, indexCount] = [0, 0];
  for (const { geometry, objects } of design.shapes()) {
    vertexCount += objects.length * geometry.positions.length;
    indexCount += objects.length * geometry.indices.length;
  }
  const positions = new Float64Array(vertexCount);
  const indices = new Uint32Array(indexCount);
  let [at, used] = [0, 0];
  for (const { geometry, objects } of design.shapes()) {
    for (const { pose = IDENTITY } of objects) {
      const first = at / 3;
      for (let v = 0; v < geometry.positions.length; v += 3, at += 3) {
        const [x, y, z] = [geometry.positions[v], geometry.positions[v + 1], geometry.positions[v + 2]];
        for (let k = 0; k < 3; k++)
          positions[at + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
      }
      for (let i = 0; i < geometry.indices.length; i++, used++) indices[used] = first + geometry.indices[i];
    }
  }
  return { positions, indices };
}
