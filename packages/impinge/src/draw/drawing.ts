/**
 * What to draw of a model with levels: one front for each object, within an error in the picture and one in space, free of
 * cracks, and what to load for it.
 *
 * Idea: three fronts, each made of the one before. The first satisfies the errors. If it has too many triangles in view,
 * its steps are taken in the order of how large their errors would look, until it has not: the second is what is wanted.
 * The third is what is drawn of that: see object-front.ts. All of them are closed sets of steps, so none has cracks.
 * Invariant: a selection depends on what was asked and what is loaded, not on earlier ones. What is kept of these is used
 * where it is certain that it would be found again.
 */
import { ImpingeError } from '../base/errors.js';
import { readAtMost, readBag, shown } from '../base/options.js';
import { type Pose, type RigidPose, toRigidPose } from '../math/pose.js';
import { View } from './camera.js';
import { coarsen } from './coarsen.js';
import { type Demand, type FrontSum, ObjectFront, type WalkRoom, Which } from './object-front.js';
import { readPieceList } from './piece-list.js';
import { type Steps, stepsOf } from './steps.js';
import type {
  DrawingOptions,
  DrawnPieces,
  LevelModel,
  LevelSelection,
  SelectionStats,
  SelectLevelsOptions,
} from './types.js';

const NOTHING: FrontSum = { pieces: [], visible: [], triangles: 0, error: 0, isHole: false };

/** What is kept of an object between selections. */
interface Kept {
  readonly front: ObjectFront;
  wanted: FrontSum;
  drawn: FrontSum;
  /** Pieces that the last selection named. */
  shown: readonly number[];
  /** Something of the wanted front is not loaded. */
  isMissing: boolean;
  /** The drawn front may be another though the wanted one is the same. */
  isOpen: boolean;
}

export class Drawing {
  readonly #steps: Steps;
  readonly #objects: Kept[] = [];
  readonly #fronts: readonly ObjectFront[];
  readonly #objectsOfShape: Kept[][];
  readonly #shapeOf: Uint32Array;
  readonly #isLoaded: Uint8Array;
  /** Per piece, the selection before which it was loaded, or in which it was no longer drawn. */
  readonly #lastUse: Uint32Array;
  readonly #room: WalkRoom;
  #selections = 0;
  #last: { view: View; demand: Demand } | undefined;

  constructor(model: LevelModel, options: DrawingOptions = {}) {
    const directory = readDirectory(model);
    const { allLoaded = false } = readBag(options);
    if (typeof allLoaded !== 'boolean') {
      throw new ImpingeError('bad-option', `allLoaded must be true or false, got ${shown(allLoaded)}`);
    }
    this.#steps = stepsOf(directory);
    const { pieceTriangles, shapeFirstPiece, objectShape, objectPose } = directory;
    this.#isLoaded = new Uint8Array(pieceTriangles.length).fill(allLoaded ? 1 : 0);
    this.#lastUse = new Uint32Array(pieceTriangles.length);
    this.#shapeOf = new Uint32Array(pieceTriangles.length);
    const { count, taker } = this.#steps;
    this.#room = { waiting: new Uint32Array(count), walk: new Uint32Array(count), walks: 0 };
    const coarsest: number[][] = [];
    for (let shape = 0; shape + 1 < shapeFirstPiece.length; shape++) {
      coarsest.push([]);
      for (let piece = shapeFirstPiece[shape]; piece < shapeFirstPiece[shape + 1]; piece++) {
        this.#shapeOf[piece] = shape;
        if (taker[piece] < 0) coarsest[shape].push(piece);
      }
    }
    this.#objectsOfShape = coarsest.map(() => []);
    for (let object = 0; object < objectShape.length; object++) {
      const shape = objectShape[object];
      const pose = Float64Array.from({ length: 12 }, (_, k) => objectPose[12 * object + k]);
      const front = new ObjectFront(shape, pose, this.#steps, coarsest[shape], directory);
      const kept = { front, wanted: NOTHING, drawn: NOTHING, shown: [], isMissing: false, isOpen: true };
      this.#objects.push(kept);
      this.#objectsOfShape[shape].push(kept);
    }
    this.#fronts = this.#objects.map(({ front }) => front);
  }

  /** Where an object is. */
  pose(object: number): RigidPose {
    return this.#object(object).front.pose.slice();
  }

  /** Puts an object elsewhere. */
  move(object: number, pose: Pose): void {
    const { front } = this.#object(object);
    front.place(toRigidPose(pose));
  }

  /** Says that pieces can be drawn from now on. */
  loaded(pieces: ArrayLike<number>): void {
    this.#setLoaded(pieces, 1);
  }

  /** Says that pieces can no longer be drawn. */
  dropped(pieces: ArrayLike<number>): void {
    this.#setLoaded(pieces, 0);
  }

  /**
   * Loaded pieces to do without, the longest unused first: those that are neither drawn nor wanted, and that nothing drawn
   * or wanted would fall back on.
   */
  unneeded(): Uint32Array {
    const { outputs, firstOutput } = this.#steps;
    const isKept = new Uint8Array(this.#isLoaded.length);
    for (const { front, drawn, wanted } of this.#objects) {
      for (const { pieces } of [drawn, wanted]) for (const piece of pieces) isKept[piece] = 1;
      for (const step of front.splitSteps(Which.wanted)) {
        for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) isKept[outputs[i]] = 1;
      }
    }
    const unneeded: number[] = [];
    this.#isLoaded.forEach((isLoaded, piece) => {
      if (isLoaded === 1 && isKept[piece] === 0) unneeded.push(piece);
    });
    return Uint32Array.from(unneeded.sort((a, b) => this.#lastUse[a] - this.#lastUse[b] || a - b));
  }

  /** The front to draw now. */
  selectLevels(options: SelectLevelsOptions): LevelSelection {
    const { camera, pixelError = 1, collisionError = Infinity, budget = Infinity } = readBag(options);
    const view = new View(camera);
    const demand: Demand = {
      ratio: view.ratioOf(readAtMost('pixelError', pixelError)),
      error:
        typeof collisionError === 'function'
          ? (box) => readAtMost('collisionError', collisionError(box))
          : readAtMost('collisionError', collisionError),
    };
    readAtMost('budget', budget);
    this.#selections++;
    const walked = this.#want(view, demand);
    const budgetRatio = Math.max(this.#saveWanted(demand, budget), this.#draw(demand, budget));
    const { fetch, ratio } = this.#missing();
    return {
      ...this.#front(),
      pixelError: Math.max(pixelError, view.pixelsOf(Math.max(budgetRatio, ratio))),
      complete: fetch.length === 0,
      fetch,
      ...this.#changes(walked),
    };
  }

  #object(object: number): Kept {
    const kept = Number.isInteger(object) ? this.#objects[object] : undefined;
    if (kept) return kept;
    throw new ImpingeError('bad-input', `there is no object ${shown(object)}, but ${this.#objects.length}`, {
      object,
    });
  }

  #setLoaded(pieces: ArrayLike<number>, isLoaded: 0 | 1): void {
    for (const piece of readPieceList(pieces, this.#isLoaded.length)) {
      this.#isLoaded[piece] = isLoaded;
      this.#lastUse[piece] = this.#selections;
      for (const kept of this.#objectsOfShape[this.#shapeOf[piece]]) kept.isOpen = true;
    }
  }

  /** The fronts that satisfy the errors. */
  #want(view: View, demand: Demand): Pick<SelectionStats, 'objects' | 'steps'> {
    const last = this.#last;
    const isSame =
      last?.view.sameLens(view) && last.demand.ratio === demand.ratio && last.demand.error === demand.error;
    this.#last = { view, demand };
    let [objects, steps] = [0, 0];
    for (const kept of this.#objects) {
      if (kept.front.look(view) && isSame) continue;
      objects++;
      steps += kept.front.walk(demand, this.#room);
      kept.wanted = kept.front.sum(Which.wanted);
      kept.isOpen = true;
    }
    return { objects, steps };
  }

  /** Keeps the wanted fronts to the budget. Returns the largest ratio in view for that. */
  #saveWanted(demand: Demand, budget: number): number {
    const triangles = this.#objects.reduce((sum, { wanted }) => sum + wanted.triangles, 0);
    const { touched, ratio } = coarsen(Which.wanted, this.#fronts, this.#steps, demand, {
      triangles,
      budget,
    });
    for (const object of touched) {
      const kept = this.#objects[object];
      kept.wanted = kept.front.sum(Which.wanted);
      kept.isOpen = true;
      kept.front.isStale = true; // the next budget may be another
    }
    return ratio;
  }

  /** Makes the drawn fronts. They may have more in view than the wanted ones, because coarser pieces reach farther. */
  #draw(demand: Demand, budget: number): number {
    for (const kept of this.#objects) {
      if (!kept.isOpen) continue;
      kept.isMissing = kept.front.close(this.#isLoaded, Which.wanted);
      kept.drawn = kept.isMissing ? kept.front.sum(Which.drawn, this.#isLoaded) : kept.wanted;
      kept.isOpen = false;
    }
    for (let most = 0; ; ) {
      const triangles = this.#objects.reduce((sum, { drawn }) => sum + drawn.triangles, 0);
      const { touched, ratio } = coarsen(Which.drawn, this.#fronts, this.#steps, demand, {
        triangles,
        budget,
      });
      if (touched.size === 0) return most;
      most = Math.max(most, ratio);
      for (const object of touched) {
        const kept = this.#objects[object];
        kept.front.close(this.#isLoaded, Which.drawn);
        kept.drawn = kept.front.sum(Which.drawn, this.#isLoaded);
        kept.isOpen = true;
      }
    }
  }

  /** What is not loaded, the most urgent first, and how wrong what stands for it may look, as a ratio. */
  #missing(): { fetch: Uint32Array; ratio: number } {
    const { maker, inputs, firstInput, isHalf } = this.#steps;
    const missing: { piece: number; isCoarsest: boolean; ratio: number }[] = [];
    let most = 0;
    for (const { front, drawn, isMissing } of this.#objects) {
      if (!isMissing) continue;
      if (drawn.isHole) most = Infinity;
      for (const piece of front.coarsest) {
        if (this.#isLoaded[piece] === 0) missing.push({ piece, isCoarsest: true, ratio: front.size() });
      }
      for (const step of front.splitSteps(Which.wanted)) {
        if (front.isSplit(Which.drawn, step)) continue;
        const ratio = front.ratio(step);
        if (front.shows(step)) most = Math.max(most, ratio);
        for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
          const piece = inputs[i];
          // halves that are not wanted themselves are passed by: what is coarser is enough to fall back on
          const isPassed = isHalf[piece] === 1 && front.isSplit(Which.wanted, maker[piece]);
          if (this.#isLoaded[piece] === 0 && !isPassed) missing.push({ piece, isCoarsest: false, ratio });
        }
      }
    }
    missing.sort(
      (a, b) => Number(b.isCoarsest) - Number(a.isCoarsest) || b.ratio - a.ratio || a.piece - b.piece,
    );
    return { fetch: Uint32Array.from(new Set(missing.map(({ piece }) => piece))), ratio: most };
  }

  /** The drawn fronts of all objects in one. */
  #front(): Pick<
    LevelSelection,
    'count' | 'objects' | 'pieces' | 'visible' | 'triangles' | 'collisionError'
  > {
    const count = this.#objects.reduce((sum, { drawn }) => sum + drawn.pieces.length, 0);
    const objects = new Uint32Array(count);
    const pieces = new Uint32Array(count);
    const visible = new Uint8Array(count);
    let [triangles, collisionError, at] = [0, 0, 0];
    this.#objects.forEach(({ drawn }, object) => {
      // most objects have few pieces: no call is worth it
      for (let i = 0; i < drawn.pieces.length; i++) {
        objects[at] = object;
        pieces[at] = drawn.pieces[i];
        visible[at++] = drawn.visible[i];
      }
      triangles += drawn.triangles;
      collisionError = Math.max(collisionError, drawn.error);
    });
    return { count, objects, pieces, visible, triangles, collisionError };
  }

  /** What is drawn now and was not before, and the other way round. */
  #changes(
    walked: Pick<SelectionStats, 'objects' | 'steps'>,
  ): Pick<LevelSelection, 'appeared' | 'vanished' | 'stats'> {
    const appeared: [number, number][] = [];
    const vanished: [number, number][] = [];
    let [splits, merges] = [0, 0];
    this.#objects.forEach((kept, object) => {
      const { front, drawn, shown } = kept;
      if (drawn.pieces === shown) return;
      const [now, before] = [new Set(drawn.pieces), new Set(shown)];
      for (const piece of drawn.pieces) if (!before.has(piece)) appeared.push([object, piece]);
      for (const piece of shown) {
        if (now.has(piece)) continue;
        vanished.push([object, piece]);
        this.#lastUse[piece] = this.#selections;
      }
      kept.shown = drawn.pieces;
      const changes = front.changes();
      splits += changes.splits;
      merges += changes.merges;
    });
    return {
      appeared: columns(appeared),
      vanished: columns(vanished),
      stats: { splits, merges, ...walked },
    };
  }
}

function columns(rows: readonly (readonly [number, number])[]): DrawnPieces {
  return {
    objects: Uint32Array.from(rows, ([object]) => object),
    pieces: Uint32Array.from(rows, ([, piece]) => piece),
  };
}

const SECTIONS = [
  'shapeFirstPiece',
  'pieceTriangles',
  'pieceOut',
  'pieceIn',
  'pieceBox',
  'pieceLevel',
  'pieceGroup',
  'pieceInto',
  'objectShape',
  'objectPose',
] as const;

function readDirectory(model: LevelModel): LevelModel['directory'] {
  const directory = model?.directory;
  if (!SECTIONS.every((name) => ArrayBuffer.isView(directory?.[name]))) {
    throw new ImpingeError('bad-input', 'a stored model is needed');
  }
  if (directory.pieceLevel.length === directory.pieceTriangles.length) return directory;
  throw new ImpingeError('bad-input', 'the store has no levels; pack it with levels');
}
