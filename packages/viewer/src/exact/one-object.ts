/** An object as a model of its own, to be moved through the one that it belongs to. */
import { StoredModel } from '@impinge/model';

/**
 * Its pieces with all their levels, in the frame of its shape: the pose of the object places it. It has no texts and no
 * properties. The model must have levels.
 */
export function oneObject(
  { source, meta, directory, directoryBytes }: StoredModel,
  object: number,
): StoredModel {
  const shape = directory.objectShape[object];
  const first = directory.shapeFirstPiece[shape];
  const count = directory.shapeExactPieces[shape];
  const boxes = directory.pieceBox.slice(6 * first, 6 * (first + count));
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  boxes.forEach((x, i) => {
    const k = i % 6;
    box[k] = k < 3 ? Math.min(box[k], x) : Math.max(box[k], x);
  });
  const own = {
    objectShape: Uint32Array.of(shape),
    objectPose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    objectBox: box,
    objectFirstPlaced: Uint32Array.of(0, count),
    placedBox: boxes,
  };
  return new StoredModel(source, meta, { ...directory, ...own }, directoryBytes);
}
