/**
 * Stores as model files: packed models, combined with other stores and files. Objects are unchanged, with the files
 * they came from; a shape of several pieces is streamed, piece by piece.
 */
import type { ShapeArrays, ShapeStream, SourceObject, SourceShape, StoredModel } from '@impinge/model';
import { type PieceArrays, readPieces } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { asFormatError, FormatError } from '../format-error.js';
import { NO_LANDMARKS } from '../landmarks.js';
import type { ModelSource, SourceOptions } from '../model-source.js';

export async function storeSource(path: string, options: SourceOptions): Promise<ModelSource> {
  options.signal?.throwIfAborted();
  let model: StoredModel;
  try {
    model = await openStoreFile(path);
  } catch (error) {
    throw asFormatError(error, path);
  }
  const { meta } = model;
  if (options.unit !== undefined || options.up !== undefined) {
    await model.dispose();
    throw new FormatError(path, 'is a store, in the unit and the position in which it was packed');
  }
  return {
    format: 'impinge store',
    metresPerUnit: meta.metresPerUnit,
    statesUnit: true,
    ...framedStore(model),
    byteLength: model.source.byteLength,
    filesBeside: [],
    files: meta.files,
    shapes: () => shapesOf(model, path, options),
    projectId: '', // its files have them, and landmarks
    landmarks: async () => NO_LANDMARKS,
    leftOut: [],
    close: () => model.dispose(),
  };
}

/** The location stated in a store. */
export function framedStore({
  meta: { georeference },
}: StoredModel): Pick<ModelSource, 'georeference' | 'mayBeGeoreferenced' | 'isTurnedUp'> {
  return {
    georeference: georeference && { ...georeference, pose: Float64Array.from(georeference.pose), notes: [] },
    mayBeGeoreferenced: true,
    isTurnedUp: false,
  };
}

async function* shapesOf(
  model: StoredModel,
  path: string,
  options: SourceOptions,
): AsyncGenerator<SourceShape> {
  const users = new Map<number, number[]>();
  model.directory.objectShape.forEach((shape, object) => {
    const list = users.get(shape);
    if (list === undefined) users.set(shape, [object]);
    else list.push(object);
  });
  let done = 0;
  for (const [, objects] of [...users].sort(([a], [b]) => a - b)) {
    options.signal?.throwIfAborted();
    try {
      const geometry = await geometryOf(model, objects[0]);
      yield { geometry, objects: await Promise.all(objects.map((object) => sourceObject(model, object))) };
    } catch (error) {
      throw asFormatError(error, path);
    }
    const total = model.source.byteLength;
    options.onProgress?.({ done: Math.floor((total * ++done) / users.size), total });
  }
}

async function geometryOf(model: StoredModel, object: number): Promise<ShapeArrays | ShapeStream> {
  const first = model.firstPiece(object);
  const count = model.pieceCountOf(object);
  if (count === 1) {
    const [piece] = await readPieces(model, [first]);
    return { positions: placed(piece, piece.positions), indices: Uint32Array.from(piece.indices) };
  }
  return {
    triangleCount: model.trianglesOf(object),
    async *batches() {
      for (let k = 0; k < count; k++) {
        const [piece] = await readPieces(model, [first + k]);
        yield placed(piece, cornersOf(piece));
      }
    },
  };
}

function cornersOf({ positions, indices }: PieceArrays): Float32Array {
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) corners[3 * i + k] = positions[3 * indices[i] + k];
  }
  return corners;
}

/** With the origin added, which float64 holds. */
function placed({ origin }: PieceArrays, points: Float32Array): Float32Array | Float64Array {
  if (origin.every((x) => x === 0)) return points;
  return Float64Array.from(points, (x, i) => x + origin[i % 3]);
}

async function sourceObject(model: StoredModel, object: number): Promise<SourceObject> {
  const properties = await model.properties(object);
  const relations = model.relations(object);
  return {
    ...model.object(object),
    pose: model.pose(object).slice(),
    axes: [...model.directory.objectAxes.subarray(4 * object, 4 * object + 4)],
    ...(properties && { properties }),
    ...(relations && { relations }),
  };
}
