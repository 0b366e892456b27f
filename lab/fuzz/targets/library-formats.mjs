/**
 * Mesh files as the library reads them (`impinge/formats`), completely in memory: the result is meshes that `Mesh.from`
 * accepts, or an `ImpingeError` of one line that names the file.
 */
import { readFileSync } from 'node:fs';
import { Mesh } from 'impinge';
import { readMeshes } from 'impinge/formats';
import { corpusOf } from '../seeds/corpus.mjs';
import { Failure, refusal } from './outcome.mjs';

export const LIBRARY_TARGETS = {
  'library-formats': { seeds: () => corpusOf(['stl', 'ply', 'obj', 'gltf', 'glb']), run: readByLibrary },
};

async function readByLibrary({ path }) {
  let meshes;
  try {
    // external buffers exist, but are too short
    meshes = readMeshes(readFileSync(path), { name: path, resource: () => new Uint8Array(64) });
  } catch (error) {
    const message = refusal(error, path);
    if (message.includes('\n')) throw new Failure('several lines', message, error);
    if (!message.startsWith(`${path}: `)) throw new Failure('no file name', message, error);
    return 'refused';
  }
  if (meshes.length === 0) throw new Failure('no meshes', path);
  for (const { positions, indices, poses, materials } of meshes) {
    if (indices.length === 0 || indices.length % 3 !== 0)
      throw new Failure('no triangles', `${indices.length}`);
    const count = indices.length / 3;
    for (const { firstTriangle, triangleCount } of materials) {
      if (!(firstTriangle >= 0 && firstTriangle + triangleCount <= count))
        throw new Failure('material out of range', `${firstTriangle} ${triangleCount}`);
    }
    for (const pose of poses) {
      if (pose.length !== 16 || !pose.every(Number.isFinite)) throw new Failure('no pose', pose.join(' '));
    }
    if (!positions.every(Number.isFinite)) throw new Failure('not finite', 'a coordinate');
    if (indices.some((v) => 3 * v + 2 >= positions.length)) throw new Failure('index out of range', '');
    try {
      Mesh.from({ positions, indices }).dispose();
    } catch (error) {
      // values in files may exceed float32
      if (!(error?.name === 'ImpingeError' && /float32|reach|far/.test(error.message)))
        throw new Failure('no mesh', String(error?.message), error);
    }
  }
  return 'read';
}
