/** Shapes in another unit. */
import type { ShapeArrays, ShapeStream, SourceObject, SourceShape } from '@impinge/model';
import type { LoadedShape } from './read-model.js';
import { changedObjects, placeOf } from './source-object.js';

/** `shape` with every coordinate times `factor` (finite, > 0), in float64; unchanged when the factor is 1. */
export function scaledShape(shape: LoadedShape, factor: number): LoadedShape;
export function scaledShape(shape: SourceShape, factor: number): SourceShape;
export function scaledShape(shape: SourceShape, factor: number): SourceShape {
  if (factor === 1) return shape;
  const { geometry } = shape;
  return {
    ...shape,
    geometry: 'batches' in geometry ? scaledStream(geometry, factor) : scaledArrays(geometry, factor),
    objects: changedObjects(shape.objects, (object) => scaledObject(object, factor)),
  };
}

function scaledArrays(geometry: ShapeArrays, factor: number): ShapeArrays {
  return { positions: scaled(geometry.positions, factor), indices: geometry.indices };
}

function scaledStream(geometry: ShapeStream, factor: number): ShapeStream {
  return {
    triangleCount: geometry.triangleCount,
    async *batches() {
      for await (const batch of geometry.batches()) yield scaled(batch, factor);
    },
  };
}

function scaledObject(object: SourceObject, factor: number): SourceObject {
  const { rounding = 0, curveError = 0 } = object;
  const pose = placeOf(object)?.slice();
  for (let i = 9; pose && i < 12; i++) pose[i] *= factor;
  return { ...object, pose, rounding: factor * rounding, curveError: factor * curveError };
}

function scaled(values: Float32Array | Float64Array, factor: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i] * factor;
  return out;
}
