/** Pairs of near parts, as many together as can be asked about in one call and held in memory at once. */
import type { RigidPose } from '../../math/pose.js';
import type { Side } from './side.js';

/** Parts of both sides. */
export interface HeldParts {
  readonly partsA: readonly number[];
  readonly partsB: readonly number[];
}

/** Pairs, and the parts they are made of, each once. */
export interface PartBatch extends HeldParts {
  /** Two numbers per pair: its places in `partsA` and `partsB`. */
  readonly pairs: Uint32Array;
  /** Where the parts of a side are in it. */
  readonly poseA: RigidPose;
  readonly poseB: RigidPose;
}

/** Most parts of both sides, so that they fit small caps: some 64 KB each, more while their trees are built. */
const PARTS = 64;

/** `keys`: part of a · parts of b + part of b. */
export function batchesOf(keys: Float64Array, a: Side, b: Side): PartBatch[] {
  const batches: PartBatch[] = [];
  const partsB = b.boxes.order.length;
  let pairs: number[] = [];
  // parts, and their places in the lists
  const [placesA, placesB] = [new Map<number, number>(), new Map<number, number>()];
  if (keys.length === 0) return batches;
  let [poseA, poseB] = [a, b].map((side) => side.poseOf(0));
  const finish = () => {
    if (pairs.length === 0) return;
    const parts = { partsA: [...placesA.keys()], partsB: [...placesB.keys()] };
    batches.push({ ...parts, pairs: Uint32Array.from(pairs), poseA, poseB });
    pairs = [];
    placesA.clear();
    placesB.clear();
  };
  for (const key of keys) {
    const partB = key % partsB;
    const partA = (key - partB) / partsB;
    const isFull = placesA.size + placesB.size >= PARTS && !(placesA.has(partA) && placesB.has(partB));
    if (isFull || a.poseOf(partA) !== poseA || b.poseOf(partB) !== poseB) {
      finish();
      poseA = a.poseOf(partA);
      poseB = b.poseOf(partB);
    }
    pairs.push(placeOf(placesA, partA), placeOf(placesB, partB));
  }
  finish();
  return batches;
}

function placeOf(places: Map<number, number>, part: number): number {
  let place = places.get(part);
  if (place === undefined) places.set(part, (place = places.size));
  return place;
}
