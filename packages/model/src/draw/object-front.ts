/**
 * The front of one object: which steps are not taken. A step that is not taken is split: its inputs, or finer pieces,
 * take the place of its outputs.
 *
 * Two fronts are stored as bits of one mark per step: the wanted one, which the errors require, and the drawn one, made
 * of loaded pieces. The drawn one is the finest that is no finer than the wanted one and has nothing missing but
 * coarsest pieces, which have no replacement: a missing piece's taker is joined, with every split step below it.
 *
 * Invariant: the steps that are not split are a closed set (see steps.ts), in either front.
 */
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { BoxedSteps } from '../store/steps.js';
import { ObjectView, Side, type View } from './camera.js';
import { SCALE } from './kept-fronts.js';
import type { ErrorNear } from './types.js';

const WANTED = 1;
const DRAWN = 2;
const SHOWN = 4;
export type Which = typeof WANTED | typeof DRAWN;
export const Which = { wanted: WANTED, drawn: DRAWN } as const;

/** A kept front holds until the camera has moved as far as its tests allow, less this share for rounding. */
const ROUNDING = 1e-9;
/** The requirements of a front, besides the view. */
export interface Demand {
  /** The largest ratio of error to distance. */
  readonly ratio: number;
  /** The largest error in a box of the world. */
  readonly error: number | ((box: Float64Array) => number);
  /** Set where `error` is limited in one box only, and stays so while this is the same. */
  readonly near: ErrorNear | undefined;
}

/** The view, common to all objects. */
export interface Eye {
  view: View;
}

/** Work space of a walk, allocated once: per step, the number of steps above it not yet found split. */
export interface WalkRoom {
  readonly waiting: Uint32Array;
  readonly walk: Uint32Array;
  walks: number;
}

/** The totals of one front. */
export interface FrontSum {
  readonly pieces: readonly number[];
  /** Per piece, 1 where it is in view. */
  readonly visible: readonly number[];
  /** Triangles in view. */
  readonly triangles: number;
  /** The largest error in it. */
  readonly error: number;
  /** Something in view is missing, and was left out. */
  readonly isHole: boolean;
}

export class ObjectFront {
  readonly shape: number;
  /** Pieces that nothing takes away. */
  readonly coarsest: readonly number[];
  /** Steps that the walk found split; some may have been joined since. */
  #split: number[] = [];
  #shown: number[] = [];
  readonly #marks: Uint8Array;
  readonly #steps: BoxedSteps;
  readonly #triangles: ArrayLike<number>;
  readonly #pieceBox: ArrayLike<number>;
  readonly #firstStep: number;
  #pose: RigidPose;
  /** The view of all objects, and this object's own, computed when needed. */
  readonly #eye: Eye;
  readonly #sight = new ObjectView();
  #seen: View | undefined;
  #side: Side = Side.across;

  constructor(
    shape: number,
    pose: RigidPose,
    steps: BoxedSteps,
    coarsest: readonly number[],
    eye: Eye,
    { pieceTriangles, pieceBox }: { pieceTriangles: ArrayLike<number>; pieceBox: ArrayLike<number> },
  ) {
    this.shape = shape;
    this.#steps = steps;
    this.coarsest = coarsest;
    this.#triangles = pieceTriangles;
    this.#pieceBox = pieceBox;
    this.#firstStep = steps.shapeFirstStep[shape];
    this.#marks = new Uint8Array(steps.shapeFirstStep[shape + 1] - this.#firstStep);
    this.#eye = eye;
    this.#pose = pose;
  }

  get pose(): RigidPose {
    return this.#pose;
  }

  set pose(pose: RigidPose) {
    this.#pose = pose;
    this.#seen = undefined;
  }

  /** A ball in the world that holds everything of the object. */
  ball(): [number, number, number, number] {
    const box = this.#steps.shapeBox;
    const at = 6 * this.shape;
    const x = (box[at] + box[at + 3]) / 2;
    const y = (box[at + 1] + box[at + 4]) / 2;
    const z = (box[at + 2] + box[at + 5]) / 2;
    const out = [0, 0, 0];
    posePoint(this.#pose, x, y, z, out, 0);
    const radius = Math.hypot(box[at + 3] - x, box[at + 4] - y, box[at + 5] - z);
    return [out[0], out[1], out[2], SCALE * radius + ROUNDING * this.#far()];
  }

  /** No coordinate that the object's place is computed from is larger. */
  #far(): number {
    const box = this.#steps.shapeBox;
    const at = 6 * this.shape;
    let far = 0;
    for (let k = 0; k < 3; k++) {
      far = Math.max(far, Math.abs(this.#pose[9 + k]), Math.abs(box[at + k]), Math.abs(box[at + k + 3]));
    }
    return 4 * far; // a turned and moved corner, too
  }

  /** The view in the object's frame. */
  get #view(): ObjectView {
    if (this.#seen !== this.#eye.view) this.#sight.look(this.#eye.view, this.#pose);
    this.#seen = this.#eye.view;
    return this.#sight;
  }

  /** The side of the view on which the object lies. */
  sideNow(): Side {
    return this.#view.side(this.#steps.shapeBox, this.shape);
  }

  /**
   * Finds the wanted front, from the coarsest pieces down, of an object that lies on a side. Returns the number of
   * steps visited, and the distance the camera may move before any of the tests changes.
   */
  walk(side: Side, demand: Demand, room: WalkRoom): { looked: number; slack: number } {
    this.#side = side;
    const { maker, takenOutputs, inputs, firstInput, deviation, box } = this.#steps;
    const view = this.#view;
    for (const step of this.#split) this.#marks[step - this.#firstStep] &= SHOWN;
    const walk = ++room.walks;
    const open: number[] = [];
    // a step is visited once every step that takes its outputs away is split
    const reach = (step: number, by: number) => {
      if (room.walk[step] !== walk) {
        room.walk[step] = walk;
        room.waiting[step] = takenOutputs[step];
      }
      room.waiting[step] -= by;
      if (room.waiting[step] === 0) open.push(step);
    };
    const split: number[] = [];
    let slack = Infinity;
    let looked = 0;
    for (const piece of this.coarsest) {
      if (maker[piece] >= 0 && room.walk[maker[piece]] !== walk) reach(maker[piece], 0);
    }
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      looked++;
      if (this.mayTake(demand, step)) {
        const distance = view.distance(box, step);
        const weighted = deviation[step] * view.weight(box, step);
        const isSplit = weighted / distance > demand.ratio;
        const limit = weighted / demand.ratio;
        if (view.isPerspective && weighted > 0 && limit < Infinity) {
          slack = Math.min(slack, Math.abs(distance - limit) - ROUNDING * (distance + limit));
        }
        if (!isSplit) continue;
      }
      split.push(step);
      this.#marks[step - this.#firstStep] |= WANTED;
      for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
        if (maker[inputs[i]] >= 0) reach(maker[inputs[i]], 1);
      }
    }
    this.#split = split;
    // the callback may return a different value next time
    if (typeof demand.error !== 'number' && !demand.near) return { looked, slack: -1 };
    // places of the camera and of boxes are rounded, by shares of how large they are
    const { pose } = this.#eye.view;
    const far = Math.max(this.#far(), Math.abs(pose[9]), Math.abs(pose[10]), Math.abs(pose[11]));
    return { looked, slack: slack - ROUNDING * far };
  }

  /** Whether a step's error is small enough wherever its box is, in view or not. */
  mayTake(demand: Demand, step: number): boolean {
    const { error, box } = this.#steps;
    return (
      error[step] <=
      (typeof demand.error === 'number' ? demand.error : demand.error(placedBox(this.#pose, box, step)))
    );
  }

  isSplit(which: Which, step: number): boolean {
    return (this.#marks[step - this.#firstStep] & which) !== 0;
  }

  /** Whether anything was split by the walk. */
  get hasSplits(): boolean {
    return this.#split.length > 0;
  }

  /** The split steps of a front, none before those above it. */
  splitSteps(which: Which): number[] {
    return this.#split.filter((step) => this.isSplit(which, step));
  }

  /** Takes a step, and every split one below it. Passes on each piece that enters the front. */
  join(which: Which, top: number, appear?: (piece: number) => void): void {
    const { maker, inputs, firstInput, outputs, firstOutput } = this.#steps;
    const open = [top];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (!this.isSplit(which, step)) continue;
      this.#marks[step - this.#firstStep] &= ~which;
      for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
        if (maker[inputs[i]] >= 0) open.push(maker[inputs[i]]);
      }
      for (let i = firstOutput[step]; appear && i < firstOutput[step + 1]; i++) appear(outputs[i]);
    }
  }

  /** True where everything below a split step is taken: it could be next. */
  isLowest(which: Which, step: number): boolean {
    const { maker, inputs, firstInput } = this.#steps;
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
      if (maker[inputs[i]] >= 0 && this.isSplit(which, maker[inputs[i]])) return false;
    }
    return true;
  }

  /** The number of triangles in view saved by taking a lowest step. */
  saving(step: number): number {
    const { inputs, firstInput, outputs, firstOutput } = this.#steps;
    let saving = 0;
    const shown = (piece: number) => (this.#isVisible(piece) ? this.#triangles[piece] : 0);
    for (let i = firstInput[step]; i < firstInput[step + 1]; i++) saving += shown(inputs[i]);
    for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) saving -= shown(outputs[i]);
    return saving;
  }

  /**
   * Makes the drawn front from the wanted one, or from itself: no piece is missing in it that a coarser one can
   * replace. Returns whether the source front lacks any piece.
   */
  close(isLoaded: ArrayLike<number>, from: Which): boolean {
    for (const step of this.#split) {
      if (this.isSplit(from, step)) this.#marks[step - this.#firstStep] |= DRAWN;
      else this.#marks[step - this.#firstStep] &= ~DRAWN;
    }
    const missing: number[] = [];
    const note = (piece: number) => {
      if (isLoaded[piece] === 0) missing.push(piece);
    };
    this.#forEachPiece(DRAWN, note);
    const isComplete = missing.length === 0;
    for (let piece = missing.pop(); piece !== undefined; piece = missing.pop()) {
      const taker = this.#steps.taker[piece];
      if (taker >= 0 && this.isSplit(DRAWN, taker)) this.join(DRAWN, taker, note);
    }
    return !isComplete;
  }

  sum(which: Which, isLoaded?: ArrayLike<number>): FrontSum {
    const { maker, error } = this.#steps;
    const pieces: number[] = [];
    const visible: number[] = [];
    let triangles = 0;
    let most = 0;
    let isHole = false;
    this.#forEachPiece(which, (piece) => {
      const isVisible = this.#isVisible(piece);
      if (isLoaded?.[piece] === 0) {
        isHole ||= isVisible;
        return;
      }
      pieces.push(piece);
      visible.push(isVisible ? 1 : 0);
      if (isVisible) triangles += this.#triangles[piece];
      if (maker[piece] >= 0) most = Math.max(most, error[maker[piece]]);
    });
    return { pieces, visible, triangles, error: most, isHole };
  }

  #isVisible(piece: number): boolean {
    if (this.#side !== Side.across) return this.#side === Side.inside;
    return !this.#view.isOutside(this.#pieceBox, piece);
  }

  /** Whether anything of a step may be in view. */
  shows(step: number): boolean {
    return !this.#view.isOutside(this.#steps.box, step);
  }

  /** How large a step's error looks, as a ratio. */
  ratio(step: number): number {
    const { box, deviation } = this.#steps;
    return (deviation[step] * this.#view.weight(box, step)) / this.#view.distance(box, step);
  }

  /** How large the object itself looks, likewise. */
  size(): number {
    const { shapeBox } = this.#steps;
    const at = 6 * this.shape;
    const diagonal = Math.hypot(
      ...[0, 1, 2].map((k) => Math.max(0, shapeBox[at + 3 + k] - shapeBox[at + k])),
    );
    return (diagonal * this.#view.weight(shapeBox, this.shape)) / this.#view.distance(shapeBox, this.shape);
  }

  /** The numbers of splits and merges in the drawn front since the last call. */
  changes(): { splits: number; merges: number } {
    let [splits, merges] = [0, 0];
    for (const step of this.#shown) {
      if (!this.isSplit(DRAWN, step)) merges++;
    }
    const drawn = this.splitSteps(DRAWN);
    for (const step of drawn) if ((this.#marks[step - this.#firstStep] & SHOWN) === 0) splits++;
    for (const step of this.#shown) this.#marks[step - this.#firstStep] &= ~SHOWN;
    for (const step of drawn) this.#marks[step - this.#firstStep] |= SHOWN;
    this.#shown = drawn;
    return { splits, merges };
  }

  /** The pieces of a front: of the coarsest ones and of the inputs of split steps, the ones that no step takes away. */
  #forEachPiece(which: Which, take: (piece: number) => void): void {
    const { maker, inputs, firstInput } = this.#steps;
    const offer = (piece: number) => {
      if (maker[piece] < 0 || !this.isSplit(which, maker[piece])) take(piece);
    };
    for (const piece of this.coarsest) offer(piece);
    for (const step of this.#split) {
      if (!this.isSplit(which, step)) continue;
      for (let i = firstInput[step]; i < firstInput[step + 1]; i++) offer(inputs[i]);
    }
  }
}

/** The box of a placed box. Monotone: a box inside another maps to a box inside its image. */
function placedBox(pose: RigidPose, boxes: Float64Array, box: number): Float64Array {
  const out = new Float64Array(6);
  for (let row = 0; row < 3; row++) {
    for (const end of [0, 3]) {
      let sum = pose[9 + row];
      for (let k = 0; k < 3; k++) {
        const r = pose[3 * row + k];
        sum += r * boxes[6 * box + k + (r > 0 ? end : 3 - end)];
      }
      out[row + end] = sum;
    }
  }
  return out;
}
