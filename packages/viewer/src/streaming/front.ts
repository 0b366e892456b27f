/** Selects the pieces to draw, with or without levels. */
import type { ErrorNear, StoredModel } from '@impinge/model';
import { Drawing } from '@impinge/model';
import { type PoseParts, poseOf } from '../exact/poses.js';
import { INDEX_BYTES, VERTEX_BYTES } from './places.js';
import type { StreamCamera } from './protocol.js';
import { Sight } from './sight.js';

export interface FrontNow {
  /** Pieces that can be drawn now: piece `pieces[i]` of object `objects[i]`; all are loaded. */
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
  readonly visible: Uint8Array;
  /** Pieces to load, the most urgent first. */
  readonly fetch: Uint32Array;
  readonly pixelError: number;
  /** Number of objects in view that do not fit. */
  readonly leftOut: number;
}

export interface FrontLimits {
  /** Triangles in view. */
  readonly budget: number;
  /** GPU bytes available for everything. */
  readonly room: number;
}

export interface ModelFront {
  /** `near`: with levels, what is in a box is drawn within an error. */
  select(camera: StreamCamera, limits: FrontLimits, near: ErrorNear | null): FrontNow;
  loaded(pieces: ArrayLike<number>): void;
  dropped(pieces: ArrayLike<number>): void;
  /** Loaded pieces that can be dropped. */
  unneeded(): Uint32Array;
  move(object: number, pose: PoseParts): void;
}

/** With levels: coarse where sufficient. */
export class LevelFront extends Drawing implements ModelFront {
  select(
    { pose, projection, width, height, pixelError }: StreamCamera,
    { budget }: FrontLimits,
    near: ErrorNear | null,
  ): FrontNow {
    const camera = { pose: poseOf(pose), projection, width, height };
    const collisionError = near ?? Infinity;
    return { ...this.selectLevels({ camera, pixelError, collisionError, budget }), leftOut: 0 };
  }
}

/** Slabs cannot be filled completely. */
const FILLED = 0.85;

/** `pieceInto` of pieces without a coarser one. */
const NONE = 0xffffffff;

/** The pieces of each shape: the exact ones, or the coarsest. */
function piecesOfShapes({ directory, shapeCount, hasLevels }: StoredModel, coarsest: boolean): number[][] {
  const { shapeFirstPiece, shapeExactPieces, pieceInto } = directory;
  return Array.from({ length: shapeCount }, (_, shape) => {
    const [first, end] = [shapeFirstPiece[shape], shapeFirstPiece[shape + 1]];
    const all = Array.from({ length: end - first }, (_, k) => first + k);
    if (coarsest && hasLevels) return all.filter((piece) => pieceInto[piece] === NONE);
    return all.slice(0, shapeExactPieces[shape]);
  });
}

export interface WholeFrontOptions {
  /** The coarsest pieces instead of the exact ones, for a first picture. Default: false. */
  readonly coarsest?: boolean;
  /** Maximum number of objects, those that look largest. Default: all. */
  readonly most?: number;
}

/** Every object unsimplified: the largest-looking ones if not all fit. */
export class WholeFront implements ModelFront {
  readonly #model: StoredModel;
  readonly #pieces: number[][];
  readonly #most: number;
  readonly #isLoaded: Uint8Array;
  /** Centre and radius of each object. */
  readonly #balls: Float64Array;
  readonly #bytes: Float64Array;
  /** Per object: 1 if it fits. */
  readonly #isIn: Uint8Array;

  constructor(model: StoredModel, { coarsest = false, most = Infinity }: WholeFrontOptions = {}) {
    this.#model = model;
    this.#pieces = piecesOfShapes(model, coarsest);
    this.#most = most;
    const { objectBox, pieceVertices, pieceTriangles } = model.directory;
    this.#isLoaded = new Uint8Array(model.pieceCount);
    this.#balls = new Float64Array(4 * model.objectCount);
    this.#bytes = new Float64Array(model.objectCount);
    this.#isIn = new Uint8Array(model.objectCount);
    for (let object = 0; object < model.objectCount; object++) {
      this.#place(object, objectBox.subarray(6 * object, 6 * object + 6));
      for (const piece of this.#piecesOf(object)) {
        this.#bytes[object] += VERTEX_BYTES * pieceVertices[piece] + 3 * INDEX_BYTES * pieceTriangles[piece];
      }
    }
  }

  select(camera: StreamCamera, { room }: FrontLimits): FrontNow {
    const count = this.#model.objectCount;
    const sight = new Sight(camera);
    const looks = new Float64Array(count);
    const isSeen = new Uint8Array(count);
    for (let object = 0; object < count; object++) {
      const [x, y, z, radius] = this.#balls.subarray(4 * object, 4 * object + 4);
      isSeen[object] = sight.sees(x, y, z, radius) ? 1 : 0;
      looks[object] = sight.size(x, y, z, radius) * (isSeen[object] === 1 ? 1 : 1 / 8);
    }
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => looks[b] - looks[a]);
    const objects: number[] = [];
    const pieces: number[] = [];
    const visible: number[] = [];
    const fetch = new Set<number>();
    let [bytes, leftOut] = [0, 0];
    this.#isIn.fill(0);
    for (const object of order.subarray(0, this.#most)) {
      if (bytes + this.#bytes[object] > FILLED * room) {
        leftOut += isSeen[object];
        continue; // a smaller one may fit
      }
      bytes += this.#bytes[object];
      this.#isIn[object] = 1;
      for (const piece of this.#piecesOf(object)) {
        if (this.#isLoaded[piece] === 0) fetch.add(piece);
        else {
          objects.push(object);
          pieces.push(piece);
          visible.push(isSeen[object]);
        }
      }
    }
    return {
      objects: Uint32Array.from(objects),
      pieces: Uint32Array.from(pieces),
      visible: Uint8Array.from(visible),
      fetch: Uint32Array.from(fetch),
      pixelError: fetch.size + leftOut > 0 ? Infinity : 0,
      leftOut,
    };
  }

  loaded(pieces: ArrayLike<number>): void {
    for (let i = 0; i < pieces.length; i++) this.#isLoaded[pieces[i]] = 1;
  }
  dropped(pieces: ArrayLike<number>): void {
    for (let i = 0; i < pieces.length; i++) this.#isLoaded[pieces[i]] = 0;
  }
  unneeded(): Uint32Array {
    const isNeeded = new Uint8Array(this.#model.pieceCount);
    this.#isIn.forEach((isIn, object) => {
      if (isIn === 1) for (const piece of this.#piecesOf(object)) isNeeded[piece] = 1;
    });
    const unneeded: number[] = [];
    this.#isLoaded.forEach((isLoaded, piece) => {
      if (isLoaded === 1 && isNeeded[piece] === 0) unneeded.push(piece);
    });
    return Uint32Array.from(unneeded);
  }
  move(object: number, { rotation, translation }: PoseParts): void {
    const { directory } = this.#model;
    const old = directory.objectPose.subarray(12 * object, 12 * object + 12);
    const box = directory.objectBox.subarray(6 * object, 6 * object + 6);
    const middle = [0, 1, 2].map((k) => (box[k] + box[k + 3]) / 2 - old[9 + k]);
    // back into the frame of the shape, and then to the new pose
    const local = [0, 1, 2].map((k) => old[k] * middle[0] + old[3 + k] * middle[1] + old[6 + k] * middle[2]);
    for (let k = 0; k < 3; k++) {
      const row = [0, 1, 2].map((j) => rotation[3 * k + j]);
      this.#balls[4 * object + k] = row.reduce((sum, r, j) => sum + r * local[j], translation[k]);
    }
  }

  #place(object: number, box: Float64Array): void {
    for (let k = 0; k < 3; k++) this.#balls[4 * object + k] = (box[k] + box[k + 3]) / 2;
    this.#balls[4 * object + 3] = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2;
  }

  #piecesOf(object: number): readonly number[] {
    return this.#pieces[this.#model.directory.objectShape[object]];
  }
}
