/**
 * Which objects' fronts are certainly unchanged: those of objects wholly in view or wholly out of it, as before, while
 * the camera has not moved beyond the margin of their tests (their slack).
 *
 * Idea: consecutive objects tend to be near each other, so blocks of them are tested first. A block is unchanged where
 * it lies wholly on one side, as all its objects then do, and the camera has moved no farther than the least slack of
 * any of them when the block was last tested.
 */
import { Side, type View } from './camera.js';

/** More than poses may scale distances by; see RIGID_TOLERANCE of math/pose.ts. */
export const SCALE = 1 + 1e-4;

const BLOCK = 32;
/** The share that sums of slacks and ways may lose by rounding, with room to spare. */
const ROUNDING = 1e-9;

export class KeptFronts {
  readonly #count: number;
  /** Middle and radius in the world, of objects and of blocks. */
  readonly #balls: Float64Array;
  readonly #blockBalls: Float64Array;
  readonly #isBallOld: Uint8Array;
  /** The camera's position, the distance it may move from there, and the side of each object. */
  readonly #from: Float64Array;
  readonly #slack: Float64Array;
  readonly #side: Uint8Array;
  readonly #blockFrom: Float64Array;
  readonly #blockSlack: Float64Array;
  readonly #blockSide: Uint8Array;

  constructor(count: number) {
    const blocks = Math.ceil(count / BLOCK);
    this.#count = count;
    this.#balls = new Float64Array(4 * count);
    this.#blockBalls = new Float64Array(4 * blocks);
    this.#isBallOld = new Uint8Array(blocks).fill(1);
    this.#from = new Float64Array(3 * count);
    this.#slack = new Float64Array(count).fill(-1);
    this.#side = new Uint8Array(count);
    this.#blockFrom = new Float64Array(3 * blocks);
    this.#blockSlack = new Float64Array(blocks).fill(-1);
    this.#blockSide = new Uint8Array(blocks);
  }

  /** Says where an object is: everything of it is in the ball. */
  place(object: number, ball: ArrayLike<number>): void {
    this.#balls.set(ball, 4 * object);
    this.#isBallOld[Math.floor(object / BLOCK)] = 1;
    this.forget(object);
  }

  /** Forces a search for an object's front next time, whatever the camera does. */
  forget(object: number): void {
    this.#slack[object] = -1;
    this.#blockSlack[Math.floor(object / BLOCK)] = -1;
  }

  /** The same of every object that may come near a box of the world. */
  forgetNear(box: ArrayLike<number>): void {
    const balls = this.#balls;
    for (let object = 0; object < this.#count; object++) {
      const at = 4 * object;
      const radius = balls[at + 3];
      let isNear = true;
      for (let k = 0; k < 3 && isNear; k++) {
        isNear = balls[at + k] + radius >= box[k] && balls[at + k] - radius <= box[k + 3];
      }
      if (isNear) this.forget(object);
    }
  }

  forgetAll(): void {
    this.#slack.fill(-1);
    this.#blockSlack.fill(-1);
  }

  /** Says that an object's front was found. */
  keep(object: number, side: Side, slack: number, view: View): void {
    this.#side[object] = side;
    this.#slack[object] = side === Side.across ? -1 : slack;
    for (let k = 0; k < 3; k++) this.#from[3 * object + k] = view.pose[9 + k];
  }

  /**
   * Passes on every object whose front must be searched again. `sideOf` returns the side of an object whose ball is not
   * decisive.
   */
  look(view: View, sideOf: (object: number) => Side, take: (object: number, side: Side) => void): void {
    for (let block = 0; BLOCK * block < this.#count; block++) {
      if (this.#isBallOld[block] === 1) this.#placeBlock(block);
      const blockSide = ballSide(view, this.#blockBalls, block);
      const isOneSide = blockSide !== Side.across;
      const left = this.#blockSlack[block] - wayTo(view, this.#blockFrom, block);
      if (isOneSide && blockSide === this.#blockSide[block] && left >= 0) continue;
      let least = Infinity;
      const end = Math.min(this.#count, BLOCK * (block + 1));
      for (let object = BLOCK * block; object < end; object++) {
        let side = isOneSide ? blockSide : ballSide(view, this.#balls, object);
        if (side === Side.across) side = sideOf(object);
        const way = wayTo(view, this.#from, object);
        const isKept = side === this.#side[object] && side !== Side.across && way <= this.#slack[object];
        if (isKept) least = Math.min(least, this.#slack[object] - way - ROUNDING * this.#slack[object]);
        else {
          take(object, side);
          least = Math.min(least, this.#slack[object]);
        }
      }
      this.#blockSide[block] = blockSide;
      this.#blockSlack[block] = least;
      for (let k = 0; k < 3; k++) this.#blockFrom[3 * block + k] = view.pose[9 + k];
    }
  }

  /** A ball around the balls of a block. */
  #placeBlock(block: number): void {
    const balls = this.#balls;
    const [from, to] = [BLOCK * block, Math.min(this.#count, BLOCK * (block + 1))];
    const middle = [0, 0, 0];
    for (let object = from; object < to; object++) {
      for (let k = 0; k < 3; k++) middle[k] += balls[4 * object + k] / (to - from);
    }
    let radius = 0;
    for (let object = from; object < to; object++) {
      const away = Math.hypot(...middle.map((x, k) => balls[4 * object + k] - x));
      radius = Math.max(radius, (1 + ROUNDING) * (away + balls[4 * object + 3]));
    }
    this.#blockBalls.set([...middle, radius], 4 * block);
    this.#isBallOld[block] = 0;
  }
}

function ballSide(view: View, balls: Float64Array, at: number): Side {
  return view.sideOfBall(balls[4 * at], balls[4 * at + 1], balls[4 * at + 2], balls[4 * at + 3]);
}

/** The camera's distance from its earlier position, in the units of any object. */
function wayTo(view: View, from: Float64Array, at: number): number {
  const x = view.pose[9] - from[3 * at];
  const y = view.pose[10] - from[3 * at + 1];
  const z = view.pose[11] - from[3 * at + 2];
  return SCALE * Math.sqrt(x * x + y * y + z * z);
}
