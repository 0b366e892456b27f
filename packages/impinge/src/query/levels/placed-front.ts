/** The pieces that stand for a model at an error, each where its object is. */
import { IDENTITY, type RigidPose, samePose } from '../../math/pose.js';
import { slackOf, writePosedBox } from '../../scene/world-box.js';
import { frontOf } from '../../store/front.js';
import type { StoredModel } from '../../store/model.js';
import { BoxTree } from './box-tree.js';

export class PlacedFront {
  /** Of each placed piece: its object, its piece, and how far both may be apart (see Directory). */
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
  readonly tree: BoxTree;
  /** The largest of all. */
  readonly out: number = 0;
  readonly in: number = 0;

  constructor(model: StoredModel, error: number) {
    const { directory } = model;
    const fronts = Array.from({ length: model.shapeCount }, (_, shape) => frontOf(model, shape, error));
    let count = 0;
    for (const shape of directory.objectShape) count += fronts[shape].length;
    this.objects = new Uint32Array(count);
    this.pieces = new Uint32Array(count);
    const boxes = new Float64Array(6 * count);
    let at = 0;
    for (let object = 0; object < model.objectCount; object++) {
      const front = fronts[directory.objectShape[object]];
      this.objects.fill(object, at, at + front.length);
      this.pieces.set(front, at);
      writeBoxes(directory.pieceBox, front, model.pose(object), boxes.subarray(6 * at));
      at += front.length;
    }
    for (const front of fronts) {
      for (const piece of front) {
        this.out = Math.max(this.out, directory.pieceOut[piece]);
        this.in = Math.max(this.in, directory.pieceIn[piece]);
      }
    }
    this.tree = new BoxTree(boxes);
  }
}

/** Writes the boxes of some pieces, in rising order, where their object is. */
function writeBoxes(pieceBox: Float64Array, pieces: Uint32Array, pose: RigidPose, out: Float64Array): void {
  if (samePose(pose, IDENTITY)) {
    for (let from = 0; from < pieces.length; ) {
      let to = from + 1;
      while (to < pieces.length && pieces[to] === pieces[to - 1] + 1) to++;
      out.set(pieceBox.subarray(6 * pieces[from], 6 * (pieces[to - 1] + 1)), 6 * from);
      from = to;
    }
    return;
  }
  const slack = slackOf(pose);
  for (let i = 0; i < pieces.length; i++) writePosedBox(pieceBox, 6 * pieces[i], pose, slack, out, 6 * i);
}
