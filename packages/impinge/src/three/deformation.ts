/** Vertices moved by bones and morph targets, at the positions that three.js computes. */
import { type BufferGeometry, type SkinnedMesh, type Mesh as ThreeMesh, Vector3 } from 'three';
import { versionOf } from './geometry-state.js';

export function isSkinned(object: ThreeMesh): object is SkinnedMesh {
  return (object as Partial<SkinnedMesh>).isSkinnedMesh === true;
}

/** Whether an object has its vertices elsewhere than its geometry. */
export function isDeformed(object: ThreeMesh): boolean {
  if (isSkinned(object)) return true;
  return object.morphTargetInfluences !== undefined && morphsOf(object.geometry).length > 0;
}

function morphsOf(geometry: BufferGeometry) {
  return geometry.morphAttributes.position ?? [];
}

/** All vertices, in the object's frame. */
export function deformedPositions(object: ThreeMesh): Float32Array {
  const { count } = object.geometry.attributes['position'];
  const positions = new Float32Array(3 * count);
  const place = new Vector3();
  for (let v = 0; v < count; v++) object.getVertexPosition(v, place).toArray(positions, 3 * v);
  return positions;
}

/**
 * The numbers that decide where the vertices are: versions of attributes, weights of morph targets, matrices of bones.
 */
export function deformationOf(object: ThreeMesh): Float64Array {
  const { attributes } = object.geometry;
  const weights = object.morphTargetInfluences ?? [];
  const moving = [
    ...[attributes['position'], attributes['skinIndex'], attributes['skinWeight']],
    ...morphsOf(object.geometry),
  ];
  const matrices = isSkinned(object)
    ? [object.bindMatrix, object.bindMatrixInverse, ...object.skeleton.bones.map((bone) => bone.matrixWorld)]
    : [];
  const numbers = new Float64Array(moving.length + weights.length + 16 * matrices.length);
  numbers.set(moving.map(versionOf));
  numbers.set(weights, moving.length);
  matrices.forEach(({ elements }, i) => {
    numbers.set(elements, moving.length + weights.length + 16 * i);
  });
  return numbers;
}
