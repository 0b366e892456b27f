/** The pieces that stand for a model at an error, each where its object is. */

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
      const pose = model.pose(object);
      const slack = slackOf(pose);
      for (const piece of fronts[directory.objectShape[object]]) {
        this.objects[at] = object;
        this.pieces[at] = piece;
        writePosedBox(directory.pieceBox, 6 * piece, pose, slack, boxes, 6 * at++);
        this.out = Math.max(this.out, directory.pieceOut[piece]);
        this.in = Math.max(this.in, directory.pieceIn[piece]);
      }
    }
    this.tree = new BoxTree(boxes);
  }
}
