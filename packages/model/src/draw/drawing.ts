/**
 * Selects the pieces of a model with levels to draw and to load: one front for each object, within an error in the
 * picture and one in space, free of cracks.
 *
 * Idea: three fronts, each made of the one before. The first satisfies the errors. If it has too many triangles in
 * view, its steps are taken in the order of their visible errors until it fits: the second is the wanted front. The
 * third is the drawn one: see object-front.ts. All of them are closed sets of steps, so none has cracks. Invariant: a
 * selection depends on the request and on the loaded pieces, not on earlier selections. Earlier results are reused only
 * where a new search would certainly find the same.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readKnown, shown } from 'impinge/internal/base/options.js';
import { type Pose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { readPieceList } from '../store/piece-list.js';
import { type BoxedSteps, boxedStepsOf } from '../store/steps.js';
import { View } from './camera.js';
import { coarsen } from './coarsen.js';
import { isSameNear, readCollisionError } from './collision-error.js';
import { FrontList } from './front-list.js';
import { KeptFronts } from './kept-fronts.js';
import { MissingPieces } from './missing-pieces.js';
import { type Demand, type Eye, type FrontSum, ObjectFront, type WalkRoom, Which } from './object-front.js';
import {
  type DrawingOptions,
  type DrawnPieces,
  LEVEL_SECTIONS,
  type LevelModel,
  type LevelSelection,
  type SelectionStats,
  type SelectLevelsOptions,
} from './types.js';

const NOTHING: FrontSum = { pieces: [], visible: [], triangles: 0, error: 0, isHole: false };

export class Drawing {
  readonly #steps: BoxedSteps;
  readonly #fronts: ObjectFront[] = [];
  readonly #objectsOfShape: number[][];
  readonly #shapeOf: Uint32Array;
  readonly #isLoaded: Uint8Array;
  /** Per piece, the selection before which it was loaded, or in which it was no longer drawn. */
  readonly #lastUse: Uint32Array;
  readonly #room: WalkRoom;
  readonly #eye = {} as Eye;
  readonly #kept: KeptFronts;
  /** The sums of each object's fronts, and the triangles in view of all. */
  readonly #wanted: FrontSum[] = [];
  readonly #drawn: FrontSum[] = [];
  #wantedTriangles = 0;
  #drawnTriangles = 0;
  /** Objects whose drawn front may change though the wanted one is the same. */
  readonly #open = new Set<number>();
  /** Objects with unloaded pieces in their wanted front. */
  readonly #missing = new Set<number>();
  /** The last selection, and the objects for which it is out of date. */
  readonly #list: FrontList;
  readonly #shown: (readonly number[])[] = [];
  readonly #changed = new Set<number>();
  #largestError = 0;
  #selections = 0;
  #last: { view: View; demand: Demand } | undefined;

  constructor(model: LevelModel, options: DrawingOptions = {}) {
    const directory = readDirectory(model);
    const { allLoaded = false } = readKnown('Drawing', options, { allLoaded: true });
    if (typeof allLoaded !== 'boolean') {
      throw new ImpingeError('bad-option', `allLoaded must be true or false, got ${shown(allLoaded)}`);
    }
    this.#steps = boxedStepsOf(directory);
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
    this.#kept = new KeptFronts(objectShape.length);
    this.#list = new FrontList(objectShape.length);
    for (let object = 0; object < objectShape.length; object++) {
      const shape = objectShape[object];
      const pose = new Float64Array(12);
      for (let k = 0; k < 12; k++) pose[k] = objectPose[12 * object + k];
      const front = new ObjectFront(shape, pose, this.#steps, coarsest[shape], this.#eye, directory);
      this.#fronts.push(front);
      this.#kept.place(object, front.ball());
      this.#objectsOfShape[shape].push(object);
      this.#wanted.push(NOTHING);
      this.#drawn.push(NOTHING);
      this.#shown.push(NOTHING.pieces);
    }
  }

  /** Where an object is. */
  pose(object: number): RigidPose {
    return this.#front(object).pose.slice();
  }

  /** Moves an object to a new pose. */
  move(object: number, pose: Pose): void {
    const front = this.#front(object);
    front.pose = toRigidPose(pose);
    this.#kept.place(object, front.ball());
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
   * Loaded pieces to evict, the longest unused first: neither drawn nor wanted, and not a fallback for any piece that
   * is.
   */
  unneeded(): Uint32Array {
    const { outputs, firstOutput } = this.#steps;
    const isKept = new Uint8Array(this.#isLoaded.length);
    this.#fronts.forEach((front, object) => {
      for (const piece of this.#drawn[object].pieces) isKept[piece] = 1;
      for (const piece of this.#wanted[object].pieces) isKept[piece] = 1;
      for (const step of front.splitSteps(Which.wanted)) {
        for (let i = firstOutput[step]; i < firstOutput[step + 1]; i++) isKept[outputs[i]] = 1;
      }
    });
    const unneeded: number[] = [];
    this.#isLoaded.forEach((isLoaded, piece) => {
      if (isLoaded === 1 && isKept[piece] === 0) unneeded.push(piece);
    });
    return Uint32Array.from(unneeded.sort((a, b) => this.#lastUse[a] - this.#lastUse[b] || a - b));
  }

  /** The front to draw now. */
  selectLevels(options: SelectLevelsOptions): LevelSelection {
    const names = { camera: true, pixelError: true, collisionError: true, budget: true } as const;
    const {
      camera,
      pixelError = 1,
      collisionError = Infinity,
      budget = Infinity,
    } = readKnown('selectLevels', options, names);
    const view = new View(camera);
    const demand: Demand = {
      ratio: view.ratioOf(readAtMost('pixelError', pixelError)),
      ...readCollisionError(collisionError),
    };
    readAtMost('budget', budget);
    this.#selections++;
    const walked = this.#want(view, demand);
    const budgetRatio = Math.max(this.#saveWanted(demand, budget), this.#draw(demand, budget));
    const { fetch, ratio } = this.#fetch();
    const changes = this.#changes(walked);
    return {
      count: this.#list.pieces.length,
      objects: this.#list.objects.slice(),
      pieces: this.#list.pieces.slice(),
      visible: this.#list.visible.slice(),
      triangles: this.#drawnTriangles,
      pixelError: Math.max(pixelError, view.pixelsOf(Math.max(budgetRatio, ratio))),
      collisionError: this.#largestError,
      complete: fetch.length === 0,
      fetch,
      ...changes,
    };
  }

  #front(object: number): ObjectFront {
    const front = Number.isInteger(object) ? this.#fronts[object] : undefined;
    if (front) return front;
    throw new ImpingeError('bad-input', `there is no object ${shown(object)}, but ${this.#fronts.length}`, {
      object,
    });
  }

  #setLoaded(pieces: ArrayLike<number>, isLoaded: 0 | 1): void {
    for (const piece of readPieceList(pieces, this.#isLoaded.length)) {
      this.#isLoaded[piece] = isLoaded;
      this.#lastUse[piece] = this.#selections;
      for (const object of this.#objectsOfShape[this.#shapeOf[piece]]) this.#open.add(object);
    }
  }

  /** The fronts that satisfy the errors. */
  #want(view: View, demand: Demand): Pick<SelectionStats, 'objects' | 'steps'> {
    const last = this.#last;
    const isSame =
      last?.view.sameLens(view) &&
      last.demand.ratio === demand.ratio &&
      errorElsewhere(last.demand) === errorElsewhere(demand);
    if (!isSame) this.#kept.forgetAll();
    else if (last && !isSameNear(last.demand.near, demand.near)) {
      for (const { near } of [last.demand, demand]) if (near) this.#kept.forgetNear(near.box);
    }
    this.#last = { view, demand };
    this.#eye.view = view;
    let [objects, steps] = [0, 0];
    this.#kept.look(
      view,
      (object) => this.#fronts[object].sideNow(),
      (object, side) => {
        const { looked, slack } = this.#fronts[object].walk(side, demand, this.#room);
        this.#kept.keep(object, side, slack, view);
        this.#setWanted(object);
        objects++;
        steps += looked;
      },
    );
    return { objects, steps };
  }

  #setWanted(object: number): void {
    this.#wantedTriangles -= this.#wanted[object].triangles;
    this.#wanted[object] = this.#fronts[object].sum(Which.wanted);
    this.#wantedTriangles += this.#wanted[object].triangles;
    this.#open.add(object);
  }

  #setDrawn(object: number, sum: FrontSum): void {
    this.#drawnTriangles += sum.triangles - this.#drawn[object].triangles;
    this.#drawn[object] = sum;
    this.#changed.add(object);
  }

  /** Keeps the wanted fronts to the budget. Returns the largest ratio in view for that. */
  #saveWanted(demand: Demand, budget: number): number {
    const counts = { triangles: this.#wantedTriangles, budget };
    const { touched, ratio } = coarsen(Which.wanted, this.#fronts, this.#steps, demand, counts);
    for (const object of touched) {
      this.#setWanted(object);
      this.#kept.forget(object); // the next budget may differ
    }
    return ratio;
  }

  /** Makes the drawn fronts. They may have more in view than the wanted ones, because coarser pieces reach farther. */
  #draw(demand: Demand, budget: number): number {
    for (const object of this.#open) {
      const front = this.#fronts[object];
      const isMissing = front.close(this.#isLoaded, Which.wanted);
      if (isMissing) this.#missing.add(object);
      else this.#missing.delete(object);
      this.#setDrawn(object, isMissing ? front.sum(Which.drawn, this.#isLoaded) : this.#wanted[object]);
    }
    this.#open.clear();
    for (let most = 0; ; ) {
      const counts = { triangles: this.#drawnTriangles, budget };
      const { touched, ratio } = coarsen(Which.drawn, this.#fronts, this.#steps, demand, counts);
      if (touched.size === 0) return most;
      most = Math.max(most, ratio);
      for (const object of touched) {
        this.#fronts[object].close(this.#isLoaded, Which.drawn);
        this.#setDrawn(object, this.#fronts[object].sum(Which.drawn, this.#isLoaded));
        this.#open.add(object); // the next budget may differ
      }
    }
  }

  /** Pieces to load, the most urgent first, and the visible error of their stand-ins, as a ratio. */
  #fetch(): { fetch: Uint32Array; ratio: number } {
    const { maker, inputs, firstInput, isHalf } = this.#steps;
    const missing = new MissingPieces(this.#isLoaded);
    let most = 0;
    for (const object of this.#missing) {
      const front = this.#fronts[object];
      if (this.#drawn[object].isHole) most = Infinity;
      for (const piece of front.coarsest) {
        if (this.#isLoaded[piece] === 0) missing.add(piece, true, front.size());
      }
      for (const step of front.splitSteps(Which.wanted)) {
        if (front.isSplit(Which.drawn, step)) continue;
        const ratio = front.ratio(step);
        if (front.shows(step)) most = Math.max(most, ratio);
        for (let i = firstInput[step]; i < firstInput[step + 1]; i++) {
          const piece = inputs[i];
          // skip halves that are not wanted themselves: a coarser piece suffices as a fallback
          const isPassed = isHalf[piece] === 1 && front.isSplit(Which.wanted, maker[piece]);
          if (this.#isLoaded[piece] === 0 && !isPassed) missing.add(piece, false, ratio);
        }
      }
    }
    return { fetch: missing.sorted(), ratio: most };
  }

  /** Pieces that enter and leave the drawn selection; updates the list. */
  #changes(
    walked: Pick<SelectionStats, 'objects' | 'steps'>,
  ): Pick<LevelSelection, 'appeared' | 'vanished' | 'stats'> {
    const appeared: [number, number][] = [];
    const vanished: [number, number][] = [];
    let [splits, merges] = [0, 0];
    const changed = [...this.#changed].sort((a, b) => a - b);
    this.#changed.clear();
    for (const object of changed) {
      const { pieces } = this.#drawn[object];
      if (pieces === this.#shown[object]) continue;
      const [now, before] = [new Set(pieces), new Set(this.#shown[object])];
      for (const piece of now) if (!before.has(piece)) appeared.push([object, piece]);
      for (const piece of before) {
        if (now.has(piece)) continue;
        vanished.push([object, piece]);
        this.#lastUse[piece] = this.#selections;
      }
      this.#shown[object] = pieces;
      const changes = this.#fronts[object].changes();
      splits += changes.splits;
      merges += changes.merges;
    }
    this.#list.update(changed, this.#drawn);
    if (changed.length > 0) {
      this.#largestError = this.#drawn.reduce((most, { error }) => Math.max(most, error), 0);
    }
    return {
      appeared: columns(appeared),
      vanished: columns(vanished),
      stats: { splits, merges, ...walked },
    };
  }
}

/** The error away from a box in which it is limited. */
function errorElsewhere({ error, near }: Demand): Demand['error'] {
  return near ? Infinity : error;
}

function columns(rows: readonly (readonly [number, number])[]): DrawnPieces {
  return {
    objects: Uint32Array.from(rows, ([object]) => object),
    pieces: Uint32Array.from(rows, ([, piece]) => piece),
  };
}

function readDirectory(model: LevelModel): LevelModel['directory'] {
  const directory = model?.directory;
  if (!LEVEL_SECTIONS.every((name) => ArrayBuffer.isView(directory?.[name]))) {
    throw new ImpingeError('bad-input', 'a stored model is needed');
  }
  if (directory.pieceLevel.length === directory.pieceTriangles.length) return directory;
  throw new ImpingeError('bad-input', 'the store has no levels; pack it with levels');
}
