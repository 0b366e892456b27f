/** The pieces that stand for a model at an error, each where its object is. */
import { IDENTITY, type RigidPose, samePoseAt } from 'impinge/internal/math/pose.js';
import { slackOf, writePosedBox } from 'impinge/internal/scene/world-box.js';
import { BoxTree } from '../store/box-tree.js';
import { frontsOf } from '../store/front.js';
import type { StoredModel } from '../store/model.js';

export class PlacedFront {
  /** Of each placed piece: its object, its piece, and how far both may be apart (see Directory). */
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
  readonly tree: BoxTree;
  /** The largest of all. */
  readonly out: number;
  readonly in: number;

  constructor(model: StoredModel, error: number) {
    const { objectShape, objectPose, pieceBox, pieceOut, pieceIn } = model.directory;
    const { first, pieces } = frontsOf(model, error);
    let [out, inner] = [0, 0];
    for (let i = 0; i < pieces.length; i++) {
      if (pieceOut[pieces[i]] > out) out = pieceOut[pieces[i]];
      if (pieceIn[pieces[i]] > inner) inner = pieceIn[pieces[i]];
    }
    this.out = out;
    this.in = inner;
    let count = 0;
    for (let object = 0; object < objectShape.length; object++) {
      count += first[objectShape[object] + 1] - first[objectShape[object]];
    }
    this.objects = new Uint32Array(count);
    this.pieces = new Uint32Array(count);
    const boxes = new Float64Array(6 * count);
    // one for all objects: there may be many, and a view of each one's is not for nothing
    const pose: RigidPose = new Float64Array(12);
    let at = 0;
    for (let object = 0; object < objectShape.length; object++) {
      const end = first[objectShape[object] + 1];
      const isInPlace = samePoseAt(objectPose, 12 * object, IDENTITY as RigidPose, 0);
      for (let k = 0; k < 12; k++) pose[k] = objectPose[12 * object + k];
      const slack = isInPlace ? 0 : slackOf(pose);
      for (let i = first[objectShape[object]]; i < end; i++, at++) {
        this.objects[at] = object;
        this.pieces[at] = pieces[i];
        if (!isInPlace) writePosedBox(pieceBox, 6 * pieces[i], pose, slack, boxes, 6 * at);
        else for (let k = 0; k < 6; k++) boxes[6 * at + k] = pieceBox[6 * pieces[i] + k];
      }
    }
    this.tree = new BoxTree(boxes);
  }
}
