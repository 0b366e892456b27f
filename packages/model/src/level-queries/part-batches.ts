/** Pairs of near parts, as many together as can be asked about in one call and held in memory at once. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Side } from './side.js';

/** Parts of both sides. */
export interface HeldParts {
  readonly partsA: readonly number[];
  readonly partsB: readonly number[];
}

/** Pairs, and the parts that they are made of, each once. */
export interface PartBatch extends HeldParts {
  /** Two numbers per pair: its places in `partsA` and `partsB`. */
  readonly pairs: Uint32Array;
  /** Where each pair is in the list of keys that the batch was made of. */
  readonly places: readonly number[];
  /** Where the parts of a side are in it. */
  readonly poseA: RigidPose;
  readonly poseB: RigidPose;
}

/** Most parts of both sides, so that they fit small caps: some 64 KB each, more while their trees are built. */
const PARTS = 64;

/** One after the other, of those pairs that are to be asked about. `keys`: part of a · parts of b + part of b. */
export function* eachBatch(
  keys: Float64Array,
  a: Side,
  b: Side,
  isAsked: (a: number, b: number, place: number) => boolean = () => true,
): Generator<PartBatch> {
  const partsB = b.tree.parts;
  let pairs: number[] = [];
  let places: number[] = [];
  // parts, and their places in the lists
  const [placesA, placesB] = [new Map<number, number>(), new Map<number, number>()];
  let [poseA, poseB] = [IDENTITY as RigidPose, IDENTITY as RigidPose];
  const take = (): PartBatch => {
    const parts = { partsA: [...placesA.keys()], partsB: [...placesB.keys()] };
    const batch = { ...parts, pairs: Uint32Array.from(pairs), places, poseA, poseB };
    pairs = [];
    places = [];
    placesA.clear();
    placesB.clear();
    return batch;
  };
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place];
    const partB = key % partsB;
    const partA = (key - partB) / partsB;
    if (!isAsked(partA, partB, place)) continue;
    const isFull = placesA.size + placesB.size >= PARTS && !(placesA.has(partA) && placesB.has(partB));
    if (isFull || a.poseOf(partA) !== poseA || b.poseOf(partB) !== poseB) {
      if (pairs.length > 0) yield take();
      poseA = a.poseOf(partA);
      poseB = b.poseOf(partB);
    }
    places.push(place);
    pairs.push(placeOf(placesA, partA), placeOf(placesB, partB));
  }
  if (pairs.length > 0) yield take();
}

function placeOf(places: Map<number, number>, part: number): number {
  let place = places.get(part);
  if (place === undefined) places.set(part, (place = places.size));
  return place;
}
