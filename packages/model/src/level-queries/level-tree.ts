/**
 * A model with levels as a tree to walk from coarse to fine: what is at the top of its objects, below that steps, below
 * those the pieces that they take from, every piece of every level once.
 *
 * A step is opened where it is split, which a caller decides: its error is larger than permitted there. Then its inputs
 * stand for its outputs, those of them whose own makers are not split, and below the makers that are split it goes on.
 *
 * A step may be reached from several, since its outputs may be inputs of different ones. Here it hangs below only one,
 * the taker whose box grows least by that. Nothing is lost: where a step is split, so are all that take from it,
 * their errors being no smaller and their boxes no smaller (see steps.ts), so the one it hangs below is opened, too.
 * And nothing comes twice: a piece is an input of one step only, and so is found there or nowhere. So a walk finds the
 * pieces of a front, each once, as deep as it goes; and as the box of a step holds those of everything below it, a
 * branch that is too far away is left out by its box.
 *
 * The pieces that nothing takes and the steps that hang below none are the leaves of a tree of boxes.
 */
import { IDENTITY, type RigidPose, samePoseAt } from 'impinge/internal/math/pose.js';
import { slackOf, writePosedBox } from 'impinge/internal/scene/world-box.js';
import { BoxTree, nodesOver } from '../store/box-tree.js';
import type { StoredModel } from '../store/model.js';
import {
  boxesOf,
  byStep,
  emptyBoxes,
  extend,
  type SteppedPieces,
  type Steps,
  stepsOf,
} from '../store/steps.js';
import { posedBox } from './error-field.js';

/** What a walk goes down: nodes, and parts, which are numbered after them. */
export interface PlacedTree {
  readonly root: number;
  /** Inner nodes; the part with the number p is the node `nodes` + p. */
  readonly nodes: number;
  readonly parts: number;
  /** Six numbers per node, minimum and maximum. */
  readonly boxes: Float64Array;
  /** Sees to it that a node's box is among them; returns where. */
  boxAt(node: number): number;
  /** No part below a node has a larger error, out and in added up. */
  errorOf(node: number): number;
  /** Appends the children of a node to a list. */
  open(node: number, isSplit: IsSplit, list: number[]): void;
  /** Parts with errors up to that, of which a part is made together with others; none of an exact one. */
  madeOf(part: number, error: number): number[];
}

/** Of several parts: of one way, of the other, and of both together. */
export interface LargestErrors {
  readonly out: number;
  readonly in: number;
  readonly error: number;
}

/** Whether a step with an error is split; `node` is its own. Where it is, those are that take from it. */
export type IsSplit = (node: number, error: number) => boolean;

/** A tree of one part. */
export class OnePart implements PlacedTree {
  readonly root = 0;
  readonly nodes = 0;
  readonly parts = 1;
  readonly boxes: Float64Array;

  constructor(box: Float64Array) {
    this.boxes = box;
  }
  boxAt(): number {
    return 0;
  }
  errorOf(): number {
    return 0;
  }
  open(): void {}
  madeOf(): number[] {
    return [];
  }
}

export class LevelTree implements PlacedTree {
  readonly root: number;
  readonly nodes: number;
  readonly parts: number;
  readonly boxes: Float64Array;
  /** The object of each part. */
  readonly objects: Uint32Array;
  readonly #model: StoredModel;
  readonly #steps: Steps;
  readonly #hanging: Hanging;
  /** Six numbers per step; see standsFor. */
  #standsFor: Float64Array | undefined;
  /** Of each object: the node of the first step of its shape, and the part of the first piece. */
  readonly #firstNode: Uint32Array;
  readonly #firstPart: Uint32Array;
  /** The object of each step's node. Nodes of steps come first, then those of the tree of tops. */
  readonly #stepObjects: Uint32Array;
  /** Nodes of steps and of parts, and a tree over their boxes. */
  readonly #tops: Uint32Array;
  readonly #topTree: BoxTree;
  /** The largest error below each node of it, −1 where nobody asked. */
  readonly #topErrors: Float64Array;
  readonly #isPlaced: Uint8Array;
  readonly #poses = new Map<number, RigidPose>();

  constructor(model: StoredModel) {
    const { objectShape, shapeFirstPiece } = model.directory;
    const steps = stepsOf(model.directory);
    const { shapeFirstStep } = steps;
    this.#model = model;
    this.#steps = steps;
    this.#hanging = hangingOf(steps, model.directory);
    const { firstTop } = this.#hanging;
    const objects = objectShape.length;
    this.#firstNode = startsOf(objects, (object) => lengthAt(shapeFirstStep, objectShape[object]));
    this.#firstPart = startsOf(objects, (object) => lengthAt(shapeFirstPiece, objectShape[object]));
    const firstPlacedTop = startsOf(objects, (object) => lengthAt(firstTop, objectShape[object]));
    this.#stepObjects = namedBy(this.#firstNode);
    this.objects = namedBy(this.#firstPart);
    this.parts = this.objects.length;
    this.root = this.#stepObjects.length;
    this.#tops = new Uint32Array(firstPlacedTop[objects]);
    const treeNodes = nodesOver(this.#tops.length);
    this.nodes = this.root + treeNodes;
    this.boxes = new Float64Array(6 * (this.nodes + this.parts));
    this.#isPlaced = new Uint8Array(this.nodes + this.parts);
    const topBoxes = new Float64Array(6 * this.#tops.length);
    for (let object = 0; object < objects; object++) {
      const shape = objectShape[object];
      for (let i = firstTop[shape], at = firstPlacedTop[object]; i < firstTop[shape + 1]; i++, at++) {
        const top = this.#hanging.tops[i];
        const node = top < 0 ? this.#stepNode(object, shape, ~top) : this.#partNode(object, shape, top);
        this.#tops[at] = node;
        topBoxes.set(this.boxes.subarray(this.boxAt(node), 6 * node + 6), 6 * at);
      }
    }
    this.#topTree = new BoxTree(topBoxes);
    this.#topErrors = new Float64Array(treeNodes).fill(-1);
  }

  boxAt(node: number): number {
    if (this.#isPlaced[node] === 0) this.#place(node);
    return 6 * node;
  }

  errorOf(node: number): number {
    if (node < this.root) {
      const object = this.#stepObjects[node];
      return this.#steps.error[this.#stepOf(object, this.#shapeOf(object), node)];
    }
    if (node < this.nodes) {
      const tops = this.#topErrors;
      if (tops[node - this.root] < 0) tops[node - this.root] = this.#largestError(node - this.root);
      return tops[node - this.root];
    }
    const piece = this.pieceOf(node - this.nodes);
    return this.#model.directory.pieceOut[piece] + this.#model.directory.pieceIn[piece];
  }

  /** The largest errors of all parts, where steps with larger ones than `limit` are split. */
  largestErrors(limit: number): LargestErrors {
    const { count, error, out, in: inner } = this.#steps;
    const { next } = this.#hanging;
    const largest = { out: 0, in: 0, error: 0 };
    for (let step = 0; step < count; step++) {
      if (error[step] > limit || (next[step] <= limit && next[step] < Infinity)) continue;
      if (out[step] > largest.out) largest.out = out[step];
      if (inner[step] > largest.in) largest.in = inner[step];
      if (error[step] > largest.error) largest.error = error[step];
    }
    return largest;
  }

  /** A box around all originals that a step's outputs stand for; it holds those of the steps that they are made by. */
  standsFor(node: number): Float64Array {
    const object = this.#stepObjects[node];
    const step = this.#stepOf(object, this.#shapeOf(object), node);
    this.#standsFor ??= boxesOf(this.#steps, this.#model.directory);
    return posedBox(this.#standsFor, 6 * step, this.poseOf(object));
  }

  /** The number in the store of the piece that a part is. */
  pieceOf(part: number): number {
    const object = this.objects[part];
    return this.#model.directory.shapeFirstPiece[this.#shapeOf(object)] + part - this.#firstPart[object];
  }

  /** Of an object; the same one each time, and one for all that are where their shape is. */
  poseOf(object: number): RigidPose {
    let pose = this.#poses.get(object);
    if (!pose) {
      const { objectPose } = this.#model.directory;
      const isInPlace = samePoseAt(objectPose, 12 * object, IDENTITY as RigidPose, 0);
      pose = isInPlace ? (IDENTITY as RigidPose) : this.#model.pose(object);
      this.#poses.set(object, pose);
    }
    return pose;
  }

  open(node: number, isSplit: IsSplit, list: number[]): void {
    if (node < this.root) this.#openStep(node, isSplit, list);
    else this.#openTop(node - this.root, isSplit, list);
  }

  madeOf(part: number, error: number): number[] {
    const object = this.objects[part];
    const shape = this.#shapeOf(object);
    const { maker, inputs, firstInput } = this.#steps;
    const { pieceOut, pieceIn } = this.#model.directory;
    const parts = new Set<number>();
    const goDown = (step: number): void => {
      for (let i = firstInput[step]; step >= 0 && i < firstInput[step + 1]; i++) {
        const piece = inputs[i];
        if (pieceOut[piece] + pieceIn[piece] > error) goDown(maker[piece]);
        else parts.add(this.#partNode(object, shape, piece) - this.nodes);
      }
    };
    goDown(maker[this.pieceOf(part)]);
    return [...parts];
  }

  #largestError(treeNode: number): number {
    const { first, counts, order } = this.#topTree;
    let most = 0;
    for (let i = first[treeNode]; i < first[treeNode] + counts[treeNode]; i++) {
      most = Math.max(most, this.errorOf(this.#tops[order[i]]));
    }
    return most;
  }

  #openStep(node: number, isSplit: IsSplit, list: number[]): void {
    const object = this.#stepObjects[node];
    const shape = this.#shapeOf(object);
    const step = this.#stepOf(object, shape, node);
    const { inputs, firstInput } = this.#steps;
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
      if (!this.#isMakerSplit(object, shape, inputs[i], isSplit)) {
        list.push(this.#partNode(object, shape, inputs[i]));
      }
    }
    const { steps, firstStep } = this.#hanging;
    for (let i = firstStep[step]; i < firstStep[step + 1]; i++) {
      this.#offerStep(object, shape, steps[i], isSplit, list);
    }
  }

  #openTop(treeNode: number, isSplit: IsSplit, list: number[]): void {
    const { right, first, counts, order } = this.#topTree;
    if (right[treeNode] !== 0) {
      this.#topTree.open(treeNode);
      list.push(this.root + treeNode + 1, this.root + right[treeNode]);
      return;
    }
    for (let i = first[treeNode]; i < first[treeNode] + counts[treeNode]; i++) {
      const node = this.#tops[order[i]];
      const part = node - this.nodes;
      const object = part < 0 ? this.#stepObjects[node] : this.objects[part];
      const shape = this.#shapeOf(object);
      if (part < 0) this.#offerStep(object, shape, this.#stepOf(object, shape, node), isSplit, list);
      else if (!this.#isMakerSplit(object, shape, this.pieceOf(part), isSplit)) list.push(node);
    }
  }

  /** Appends a step, if it is split; in place of one that takes from a single piece what is below. */
  #offerStep(object: number, shape: number, step: number, isSplit: IsSplit, list: number[]): void {
    const { inputs, firstInput, maker, error } = this.#steps;
    for (let below = step; isSplit(this.#stepNode(object, shape, below), error[below]); ) {
      const first = firstInput[below];
      if (firstInput[below + 1] - first > 1) {
        list.push(this.#stepNode(object, shape, below));
        return;
      }
      const piece = inputs[first];
      if (!this.#isMakerSplit(object, shape, piece, isSplit)) {
        list.push(this.#partNode(object, shape, piece));
        return;
      }
      if (this.#hanging.above[maker[piece]] !== below) return; // it hangs below another
      below = maker[piece];
    }
  }

  #isMakerSplit(object: number, shape: number, piece: number, isSplit: IsSplit): boolean {
    const maker = this.#steps.maker[piece];
    return maker >= 0 && isSplit(this.#stepNode(object, shape, maker), this.#steps.error[maker]);
  }

  #shapeOf(object: number): number {
    return this.#model.directory.objectShape[object];
  }
  #stepNode(object: number, shape: number, step: number): number {
    return this.#firstNode[object] + step - this.#steps.shapeFirstStep[shape];
  }
  #stepOf(object: number, shape: number, node: number): number {
    return node - this.#firstNode[object] + this.#steps.shapeFirstStep[shape];
  }
  #partNode(object: number, shape: number, piece: number): number {
    return this.nodes + this.#firstPart[object] + piece - this.#model.directory.shapeFirstPiece[shape];
  }

  #place(node: number): void {
    if (node >= this.root && node < this.nodes) {
      const { nodeBoxes } = this.#topTree;
      for (let k = 0; k < 6; k++) this.boxes[6 * node + k] = nodeBoxes[6 * (node - this.root) + k];
    } else if (node < this.root) {
      const object = this.#stepObjects[node];
      this.#placeBox(object, this.#hanging.box, this.#stepOf(object, this.#shapeOf(object), node), node);
    } else {
      const part = node - this.nodes;
      this.#placeBox(this.objects[part], this.#model.directory.pieceBox, this.pieceOf(part), node);
    }
    this.#isPlaced[node] = 1;
  }

  #placeBox(object: number, boxes: Float64Array, at: number, node: number): void {
    const pose = this.poseOf(object);
    if (pose === IDENTITY) for (let k = 0; k < 6; k++) this.boxes[6 * node + k] = boxes[6 * at + k];
    else writePosedBox(boxes, 6 * at, pose, slackOf(pose), this.boxes, 6 * node);
  }
}

/** What hangs below what. */
interface Hanging {
  /** The one that each step hangs below, −1: none; and steps by that. */
  readonly above: Int32Array;
  /** The largest error of the steps that take from each; Infinity where one of its outputs is taken by none. */
  readonly next: Float64Array;
  /** Six numbers per step, around everything below it. */
  readonly box: Float64Array;
  readonly steps: Uint32Array;
  readonly firstStep: Uint32Array;
  /** Of each shape what is at its top: pieces p as p, steps s as ~s. */
  readonly tops: Int32Array;
  readonly firstTop: Uint32Array;
}

function hangingOf(steps: Steps, { shapeFirstPiece, pieceBox }: SteppedPieces): Hanging {
  const { count, inputs, firstInput, outputs, firstOutput, taker, shapeFirstStep } = steps;
  const above = new Int32Array(count).fill(-1);
  const next = new Float64Array(count);
  const box = emptyBoxes(count);
  for (let step = 0; step < count; step++) {
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) extend(box, step, pieceBox, inputs[i]);
  }
  // in rising order, the box of each step is complete when its turn comes
  for (let step = 0; step < count; step++) {
    let least = Infinity;
    for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) {
      const other = taker[outputs[i]];
      next[step] = Math.max(next[step], other < 0 ? Infinity : steps.error[other]);
      if (other < 0 || other === above[step]) continue;
      const growth = growthBy(box, other, step);
      if (growth >= least) continue;
      least = growth;
      above[step] = other;
    }
    if (above[step] >= 0) extend(box, above[step], box, step);
  }
  const [below, firstStep] = byStep(above, count);
  const tops: number[] = [];
  const shapes = shapeFirstPiece.length - 1;
  const firstTop = new Uint32Array(shapes + 1);
  for (let shape = 0; shape < shapes; shape++) {
    for (let piece = shapeFirstPiece[shape]; piece < shapeFirstPiece[shape + 1]; piece++) {
      if (taker[piece] < 0) tops.push(piece);
    }
    for (let step = shapeFirstStep[shape]; step < shapeFirstStep[shape + 1]; step++) {
      if (above[step] < 0) tops.push(~step);
    }
    firstTop[shape + 1] = tops.length;
  }
  return { above, next, box, steps: below, firstStep, tops: Int32Array.from(tops), firstTop };
}

/** By how much the extents of a box grow when it is to hold another. */
function growthBy(boxes: Float64Array, box: number, other: number): number {
  let growth = 0;
  for (let i = 6 * box, j = 6 * other, end = i + 3; i < end; i++, j++) {
    growth += Math.max(0, boxes[i] - boxes[j]) + Math.max(0, boxes[j + 3] - boxes[i + 3]);
  }
  return growth;
}

/** Where each of several runs begins, and where the last one ends. */
function startsOf(count: number, lengthOf: (i: number) => number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = starts[i] + lengthOf(i);
  return starts;
}

function lengthAt(starts: ArrayLike<number>, i: number): number {
  return starts[i + 1] - starts[i];
}

/** Which run each place is in. */
function namedBy(starts: Uint32Array): Uint32Array {
  const names = new Uint32Array(starts[starts.length - 1]);
  for (let i = 0; i + 1 < starts.length; i++) names.fill(i, starts[i], starts[i + 1]);
  return names;
}
