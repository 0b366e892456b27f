/**
 * A shape in pieces of bounded size, whatever its input form.
 *
 * With levels, the pieces are the same for arrays and for streams and do not depend on the available memory: everything
 * is read corner by corner, large shapes are sorted into chunks of one size, and vertices are joined by position.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { readInput } from 'impinge/internal/mesh/mesh-input.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { cutChunks } from './cut-chunks.js';
import type { OtherThread } from './other-thread.js';
import { chunksOf } from './out-of-core.js';
import { emptyBox } from './placed-box.js';
import type { ShapeArrays, ShapeStream, SourceShape } from './source.js';
import type { Spill, SpillFile } from './spill.js';
import { splitMesh, splitSoup } from './split.js';
import { survey } from './survey.js';

export interface DividedShape {
  /** Minimum and maximum; undefined where a coordinate is not finite. */
  readonly box: Float64Array | undefined;
  /** Whether pieces have the very numbers that came. */
  readonly isExact: boolean;
  /**
   * The pieces, which have one origin. They are the caller's, but for the shape itself, where it is a mesh and one
   * piece.
   */
  pieces(): AsyncGenerator<Mesh>;
}

export interface DivideOptions {
  /** Most triangles per piece. */
  readonly most: number;
  readonly levels: boolean;
  readonly spill: Spill | undefined;
  /** Works on large shapes as well. */
  readonly thread?: OtherThread | undefined;
  /** The shape's name in errors. */
  readonly label: string;
  /** Adds the shape's name to errors about arrays. */
  readonly named: <T>(make: () => T) => T;
}

/** Triangles of a shape with levels that are in memory at once: few enough for any cap. */
const CHUNK_TRIANGLES = 1 << 17;
const BATCH_TRIANGLES = 4096;

export async function divideShape(
  geometry: SourceShape['geometry'],
  options: DivideOptions,
): Promise<DividedShape> {
  const { most, levels, spill, label, named } = options;
  if (!('indices' in geometry)) {
    if (spill) return sorted(geometry, spill, options);
    throw new ImpingeError('bad-option', `object "${label}" comes as a stream; the writer needs spill`);
  }
  if (levels) {
    const stream =
      geometry instanceof Mesh ? cornersOfMesh(geometry) : named(() => cornersOfArrays(geometry));
    const about = geometry instanceof Mesh ? geometry.origin : undefined;
    return sorted(stream, spill ?? MEMORY_SPILL, options, about);
  }
  const { positions, indices } = geometry;
  return {
    box: boxOf(geometry),
    isExact: geometry instanceof Mesh || isSingle(positions),
    pieces: async function* () {
      const mesh = geometry instanceof Mesh ? geometry : named(() => Mesh.from({ positions, indices }));
      if (mesh.triangleCount <= most) {
        yield mesh;
        return;
      }
      try {
        yield* splitMesh(mesh, most);
      } finally {
        if (mesh !== geometry) mesh.dispose();
      }
    },
  };
}

/**
 * A stream, which is sorted outside memory where it is too large. `about`: an origin that its numbers are relative to.
 */
async function sorted(
  stream: ShapeStream,
  spill: Spill,
  { most, levels, label, thread }: DivideOptions,
  about: Vec3 = [0, 0, 0],
): Promise<DividedShape> {
  const found = await survey(stream, label);
  const chunkTriangles = levels ? CHUNK_TRIANGLES : spill.triangles;
  return {
    box: found.box.map((x, k) => x + about[k % 3]),
    isExact: found.single,
    pieces: async function* () {
      const chunks = chunksOf(stream, found, spill, { label, about, chunkTriangles });
      for await (const { mesh, pieces } of cutChunks(chunks, most, thread)) {
        try {
          yield* splitSoup(mesh, most, pieces);
        } finally {
          mesh.dispose();
        }
      }
    },
  };
}

/** Whether float32 holds them all. */
function isSingle(positions: Float32Array | Float64Array): boolean {
  return positions instanceof Float32Array || positions.every((x) => Math.fround(x) === x);
}

function boxOf(geometry: ShapeArrays | Mesh): Float64Array | undefined {
  if (geometry instanceof Mesh) return Float64Array.of(...geometry.box.min, ...geometry.box.max);
  const { positions } = geometry;
  const box = emptyBox();
  return widenBox(box, positions) && positions.length > 0 ? box : undefined;
}

function cornersOfArrays({ positions, indices }: ShapeArrays): ShapeStream {
  const source = readInput({ positions, indices });
  const places = source.positions as ShapeArrays['positions'];
  return cornerStream(source.triangleCount, places instanceof Float32Array, () => [places, indices]);
}

/** Relative to the mesh's origin. */
function cornersOfMesh(mesh: Mesh): ShapeStream {
  // views of memory that may grow: fetched for every batch
  return cornerStream(mesh.triangleCount, true, () => [mesh.storedPositions, mesh.storedIndices]);
}

function cornerStream(
  triangleCount: number,
  single: boolean,
  arrays: () => [ShapeArrays['positions'], Uint32Array],
): ShapeStream {
  return {
    triangleCount,
    batches: async function* () {
      const room = 9 * Math.min(BATCH_TRIANGLES, triangleCount);
      const batch = single ? new Float32Array(room) : new Float64Array(room);
      for (let from = 0; from < triangleCount; from += BATCH_TRIANGLES) {
        const [positions, indices] = arrays();
        const corners = Math.min(3 * BATCH_TRIANGLES, 3 * (triangleCount - from));
        for (let i = 0; i < corners; i++) {
          const v = 3 * indices[3 * from + i];
          batch[3 * i] = positions[v];
          batch[3 * i + 1] = positions[v + 1];
          batch[3 * i + 2] = positions[v + 2];
        }
        yield batch.subarray(0, 3 * corners);
      }
    },
  };
}

/** For arrays, which are in memory anyway, where nothing else was given. */
const MEMORY_SPILL: Spill = {
  triangles: CHUNK_TRIANGLES,
  open: async (): Promise<SpillFile> => {
    const parts: Uint8Array[] = [];
    const starts: number[] = [];
    let length = 0;
    return {
      write: async (bytes) => {
        starts.push(length);
        parts.push(bytes.slice());
        length += bytes.length;
      },
      read: async (at, into) => {
        for (let done = 0, i = partAt(starts, at); done < into.length; i++) {
          const part = parts[i].subarray(at + done - starts[i]).subarray(0, into.length - done);
          into.set(part, done);
          done += part.length;
        }
      },
      dispose: async () => {
        parts.length = 0;
      },
    };
  },
};

/** The last part that does not start after `at`. */
function partAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= at) low = middle;
    else high = middle;
  }
  return low;
}
