/**
 * Everything planners know of the things they move: states of a few numbers, and which of them, and which motions
 * between them, are free. A rigid body is one such space, an articulated model another.
 */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';

/** The numbers of a state. Nobody writes into one that was handed over. */
export type State = Float64Array;

export interface StateSpace {
  /** Numbers of a state. */
  readonly dimension: number;
  /** What a step of one along each number counts in the metric, the length of the vector of weighted differences. */
  readonly weights: Float64Array;
  /** How long a motion may be for a sampled look at its poses not to miss much, in the metric. */
  readonly resolution: number;
  /** The farthest that two states may be apart. */
  readonly extent: number;
  sample(random: SeededRandom): State;
  /** A random state near one, within bounds or not. */
  sampleNear(state: State, distance: number, random: SeededRandom): State;
  /** The same state in other numbers, nearest to another: the two signs of a quaternion, turns of a joint. */
  images(state: State): readonly State[];
  /** A direction to slide in. */
  heading(state: State, random: SeededRandom): Float64Array;
  /** Directions in which what is near leaves it room, those with the most first. */
  freedom(state: State): readonly Float64Array[];
  /** A motion past what is in the way: where it ends, and the direction it took; undefined where it is stuck. */
  slide(
    state: State,
    heading: Float64Array,
    length: number,
  ): { state: State; heading: Float64Array } | undefined;
  interpolate(from: State, to: State, share: number): State;
  isInBounds(state: State): boolean;
  /** Whether a state is within bounds and free. */
  keepsClear(state: State): boolean;
  /** A proof that all of a motion is free. */
  edgeFree(from: State, to: State): boolean;
}

/** One that knows how much room there is. */
export interface RoomySpace extends StateSpace {
  /** How far the next obstacle is, at most `atMost`. */
  roomAt(state: State, atMost: number): number;
}

/** Of two states as they are numbered. */
function distanceOf(space: StateSpace, a: State, b: State): number {
  const { weights } = space;
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += (weights[k] * (a[k] - b[k])) ** 2;
  return Math.sqrt(sum);
}

/** Of two states, whichever numbers they have. */
export function apart(space: StateSpace, a: State, b: State): number {
  return Math.min(...space.images(b).map((image) => distanceOf(space, a, image)));
}
