/**
 * The corners of a stream on their way to the kernels: copied or gathered to the arena, some thousand triangles at a
 * time.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { piecesKernels } from './kernels.generated.js';
import type { IndexedTriangles, ShapeStream } from './source.js';

const MOST_TRIANGLES = 1 << 13;
/** Kernels read and write four bytes more than they need. */
const PADDING = 16;

/** Some triangles, nine numbers each; the next part overwrites them. */
export interface CornerPart {
  readonly corners: Float32Array | Float64Array;
  /** Where they are in the arena, if they are float32. */
  readonly at: number | undefined;
}

/** `label`: the shape's name in errors. */
export async function* cornerParts(stream: ShapeStream, label: string): AsyncGenerator<CornerPart> {
  const at = arena().alloc(36 * MOST_TRIANGLES + PADDING);
  try {
    if (stream.indexed) {
      yield* gatheredParts(stream.indexed, label, at);
      return;
    }
    for await (const corners of stream.batches()) {
      if (corners.length % 9 !== 0) throw notWhole(corners.length, label);
      if (corners instanceof Float32Array) yield* copiedParts(corners, at);
      else yield { corners, at: undefined };
    }
  } finally {
    arena().free(at);
  }
}

function* copiedParts(corners: Float32Array, at: number): Generator<CornerPart> {
  for (let from = 0; from < corners.length; from += 9 * MOST_TRIANGLES) {
    const part = corners.subarray(from, from + 9 * MOST_TRIANGLES);
    const here = cornersAt(at, part.length / 9);
    here.set(part);
    yield { corners: here, at };
  }
}

async function* gatheredParts(
  source: IndexedTriangles,
  label: string,
  at: number,
): AsyncGenerator<CornerPart> {
  const memory = arena();
  const { vertexCount } = source;
  const vertices = memory.alloc(12 * vertexCount + PADDING);
  const triangles = memory.alloc(12 * MOST_TRIANGLES);
  const { gatherCorners } = piecesKernels.kernels();
  try {
    await readVertices(source, vertices);
    let before = 0;
    for await (const batch of source.indices()) {
      if (batch.length % 3 !== 0) throw notWhole(batch.length, label);
      for (let from = 0; from < batch.length; from += 3 * MOST_TRIANGLES) {
        const part = batch.subarray(from, from + 3 * MOST_TRIANGLES);
        const count = part.length / 3;
        memory.u32().set(part, triangles >>> 2);
        const good = gatherCorners(vertices, vertexCount, triangles, count, at);
        if (good < count) {
          const message = `object "${label}": triangle ${before + good} refers to a vertex that is not among the ${vertexCount}`;
          throw new ImpingeError('index-out-of-range', message, { object: label, triangle: before + good });
        }
        before += count;
        yield { corners: cornersAt(at, count), at };
      }
    }
  } finally {
    memory.free(vertices);
    memory.free(triangles);
  }
}

/** Memory that is not shared moves when it grows. */
async function readVertices(source: IndexedTriangles, at: number): Promise<void> {
  const length = 3 * source.vertexCount;
  const place = () =>
    arena()
      .f32()
      .subarray(at >>> 2, (at >>> 2) + length);
  if (arena().shared) return source.readVertices(place());
  const numbers = new Float32Array(length);
  await source.readVertices(numbers);
  place().set(numbers);
}

function cornersAt(at: number, triangles: number): Float32Array {
  return arena()
    .f32()
    .subarray(at >>> 2, (at >>> 2) + 9 * triangles);
}

function notWhole(numbers: number, label: string): ImpingeError {
  return new ImpingeError('bad-input', `object "${label}": ${numbers} numbers are not whole triangles`);
}
