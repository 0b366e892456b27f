/** A stored model as triangles for drawing: the finest front that is not too large, with its pieces joined. */
import { frontOf, readPieces, type StoredModel } from '@impinge/model';

export interface DrawnSurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

const MOST_TRIANGLES = 150_000;
/** Ratio of successive errors. */
const COARSER = 1.3;

/** In the coordinates of the model, whose size is about `size`. */
export async function storedSurface(model: StoredModel, size: number): Promise<DrawnSurface> {
  const error = errorOf(model, size);
  const { objectShape, objectPose } = model.directory;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let object = 0; object < model.objectCount; object++) {
    const pose = objectPose.subarray(12 * object, 12 * object + 12);
    const known = new Map<string, number>();
    for (const piece of await readPieces(model, frontOf(model, objectShape[object], error))) {
      const { origin, positions: x } = piece;
      const vertices = new Uint32Array(x.length / 3);
      for (let v = 0; v < vertices.length; v++) {
        // both sides of a seam have identical coordinates
        const key = `${x[3 * v]} ${x[3 * v + 1]} ${x[3 * v + 2]}`;
        let vertex = known.get(key);
        if (vertex === undefined) {
          vertex = positions.length / 3;
          known.set(key, vertex);
          const [px, py, pz] = [0, 1, 2].map((k) => x[3 * v + k] + origin[k]);
          for (let k = 0; k < 3; k++) {
            positions.push(pose[3 * k] * px + pose[3 * k + 1] * py + pose[3 * k + 2] * pz + pose[9 + k]);
          }
        }
        vertices[v] = vertex;
      }
      for (const v of piece.indices) indices.push(vertices[v]);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The smallest error with few enough triangles. */
function errorOf(model: StoredModel, size: number): number {
  const { objectShape, pieceTriangles } = model.directory;
  for (let error = 1e-4 * size; error < size; error *= COARSER) {
    let triangles = 0;
    for (const shape of objectShape) {
      for (const piece of frontOf(model, shape, error)) triangles += pieceTriangles[piece];
    }
    if (triangles <= MOST_TRIANGLES) return error;
  }
  return size;
}
