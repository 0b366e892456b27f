/**
 * The origins of objects' vertices, so that float32 suffices however far the model is from the origin.
 *
 * Origins of objects are integer multiples of a step, and so is a point near the eye. In units of the step they are
 * integers below 2²², so they and their differences are exact in float32, on the GPU, too: only the offset of a vertex
 * from its object's origin is rounded, and the result, which is as long as the distance to the eye.
 */
import type { Box } from '../picture/types.js';

const STEPS = 2 ** 22;

export interface ObjectOrigins {
  /** The centre of the model. */
  readonly origin: Float64Array;
  readonly step: number;
  /** Four per object, relative to `origin`; the last is 0. */
  readonly origins: Float32Array<ArrayBuffer>;
  /** Bounds of all objects. */
  readonly box: Box;
}

/** `boxes` has six numbers per object. */
export function objectOrigins(boxes: ArrayLike<number>): ObjectOrigins {
  const count = boxes.length / 6;
  const [min, max]: [number[], number[]] =
    count > 0
      ? [[], []]
      : [
          [-1, -1, -1],
          [1, 1, 1],
        ];
  for (let k = 0; k < 3 && count > 0; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      low = Math.min(low, boxes[6 * i + k]);
      high = Math.max(high, boxes[6 * i + k + 3]);
    }
    [min[k], max[k]] = [low, high];
  }
  const half = max.map((high, k) => (high - min[k]) / 2);
  const origin = Float64Array.from(half, (size, k) => min[k] + size);
  const reach = Math.max(...half);
  const step = 2 ** Math.ceil(Math.log2(Math.max(reach, 1e-30))) / STEPS;
  const origins = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const middle = (boxes[6 * i + k] + boxes[6 * i + k + 3]) / 2;
      origins[4 * i + k] = step * Math.round((middle - origin[k]) / step);
    }
  }
  return { origin, step, origins, box: { min, max } as unknown as Box };
}
