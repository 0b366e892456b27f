/** Many copies of a model's directory side by side: the input of planning for a model of that size. It has no pages. */
import { CHECK_DEFAULTS, EXCLUSIONS } from '@impinge/model';
import { planModel } from '../../../packages/model/dist/check/planning.js';
import { taskSize } from '../../../packages/model/dist/node/pair-tasks.js';
import { StoredModel } from '../../../packages/model/dist/store/model.js';

/** Numbers of the directory that are the same for every copy. */
const SAME = [
  ...['pieceByteOffset', 'pieceVertices', 'pieceTriangles', 'pieceBlocks', 'piecePending', 'pieceChecksum'],
  ...['shapeExactPieces', 'shapeTriangles', 'shapeFlags', 'objectRounding', 'objectCurveError', 'objectText'],
  'objectNote',
];
/** More than any clearance, as a share of the model's size. */
const APART = 1.02;

/** Seconds to plan a model of this many copies for a queue, its number of objects, and the growth of tasks. */
export async function planLarger(model, copies, clearance) {
  const larger = largerModel(model, copies);
  const { triangles } = taskSize(larger.triangleCount);
  const tasks = Math.ceil(larger.triangleCount / triangles);
  const question = {
    ...{ rules: undefined, sets: undefined, exclusions: EXCLUSIONS, allowEmptyRules: false },
    defaults: { ...CHECK_DEFAULTS, clearance },
    ...{ memory: tasks * 256e6, workers: tasks },
  };
  const began = performance.now();
  await planModel(larger, question, () => undefined);
  const times = triangles / taskSize(model.triangleCount).triangles;
  return { planning: (performance.now() - began) / 1000, objects: larger.objectCount, times };
}

function largerModel(model, copies) {
  const { directory } = model;
  const repeated = (name, numberOf) => {
    const values = directory[name];
    const all = new values.constructor(copies * values.length);
    for (let copy = 0; copy < copies; copy++)
      for (let i = 0; i < values.length; i++)
        all[copy * values.length + i] = numberOf ? numberOf(values[i], copy, i) : values[i];
    return all;
  };
  /** Ascending positions; the last is the length of the target. */
  const rising = (name) => {
    const values = directory[name];
    const count = values.length - 1;
    const all = new values.constructor(copies * count + 1);
    for (let i = 0; i < all.length; i++) all[i] = Math.floor(i / count) * values[count] + values[i % count];
    return all;
  };
  const offsetOf = sideBySide(directory.objectBox, copies);
  const placed = (x, copy, i) => x + offsetOf(copy, i % 3);
  return new StoredModel(
    model.source,
    model.meta,
    {
      ...directory,
      ...Object.fromEntries(SAME.map((name) => [name, repeated(name)])),
      objectShape: repeated('objectShape', (shape, copy) => shape + copy * model.shapeCount),
      objectBox: repeated('objectBox', placed),
      placedBox: repeated('placedBox', placed),
      ...Object.fromEntries(
        ['shapeFirstPiece', 'objectFirstPlaced', 'objectFirstNote'].map((name) => [name, rising(name)]),
      ),
    },
    model.directoryBytes,
  );
}

/** The offset of a copy along an axis: they fill a block. */
function sideBySide(boxes, copies) {
  const side = Math.ceil(Math.cbrt(copies));
  const [low, high] = [new Array(3).fill(Infinity), new Array(3).fill(-Infinity)];
  for (let i = 0; i < boxes.length; i++) {
    low[i % 3] = Math.min(low[i % 3], boxes[i]);
    high[i % 3] = Math.max(high[i % 3], boxes[i]);
  }
  return (copy, axis) => (Math.floor(copy / side ** axis) % side) * APART * (high[axis] - low[axis]);
}
