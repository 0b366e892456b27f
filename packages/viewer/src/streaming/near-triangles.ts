/** Triangles of objects around a point, as fine as small pictures need. */
import { frontOf, readPieces, type StoredModel } from '@impinge/model';

/** Maximum number of triangles of one object, if it has coarser levels. */
const MOST_TRIANGLES = 60_000;

/** Nine numbers each, relative to `middle`, of the object's pieces within `radius`. */
export async function nearTriangles(
  model: StoredModel,
  object: number,
  middle: readonly number[],
  radius: number,
): Promise<Float64Array> {
  const { directory } = model;
  const pose = model.pose(object);
  const shape = directory.objectShape[object];
  let pieces = new Uint32Array(0);
  for (let error = radius / 200; ; error *= 4) {
    pieces = frontOf(model, shape, error).filter((piece) => isNear(model, object, piece, middle, radius));
    const triangles = pieces.reduce((sum, piece) => sum + directory.pieceTriangles[piece], 0);
    if (triangles <= MOST_TRIANGLES || !model.hasLevels || error > radius) break;
  }
  const arrays = await readPieces(model, pieces);
  const out = new Float64Array(arrays.reduce((sum, { indices }) => sum + 3 * indices.length, 0));
  let at = 0;
  for (const { origin, positions, indices } of arrays) {
    for (let i = 0; i < indices.length; i++) {
      const from = 3 * indices[i];
      const x = origin[0] + positions[from];
      const y = origin[1] + positions[from + 1];
      const z = origin[2] + positions[from + 2];
      for (let k = 0; k < 3; k++) {
        const turned = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
        out[at++] = turned + (pose[9 + k] - middle[k]);
      }
    }
  }
  return out;
}

function isNear(
  model: StoredModel,
  object: number,
  piece: number,
  middle: readonly number[],
  radius: number,
): boolean {
  const { directory, hasLevels } = model;
  let [boxes, box, at] = [directory.pieceBox, piece, middle];
  if (hasLevels) {
    // boxes are in the frame of the shape
    const pose = model.pose(object);
    const way = middle.map((x, k) => x - pose[9 + k]);
    at = [0, 1, 2].map((k) => pose[k] * way[0] + pose[3 + k] * way[1] + pose[6 + k] * way[2]);
  } else {
    boxes = directory.placedBox;
    box = directory.objectFirstPlaced[object] + piece - model.firstPiece(object);
  }
  const away = [0, 1, 2].map((k) => Math.max(0, boxes[6 * box + k] - at[k], at[k] - boxes[6 * box + k + 3]));
  return Math.hypot(...away) <= radius;
}
