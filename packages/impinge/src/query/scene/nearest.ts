/**
 * The nearest objects of a scene: of one of them, or the nearest two.
 *
 * Idea: nodes of the tree over the objects' boxes wait in a heap by the least that their objects may be apart; meshes
 * are asked how far they are only until that is more than what was found. Errs: a distance as `distance` does. Of
 * objects equally far those in earlier slots come first, however the tree is.
 */
import { PairHeap } from '../../base/heap.js';
import { readAtMost, readFunction, readInteger, readKnown } from '../../base/options.js';
import { assertScene, type Scene, type SceneObject, type SlotObject } from '../../scene/scene.js';
import { gapSqOfBoxes } from '../pair/box-gap.js';
import { relativePose } from '../pair/context.js';
import { distancePlaced } from '../pair/distance.js';
import { stretchedPlacement } from '../pair/placement.js';
import type { DistanceResult } from '../pair/results.js';
import { distanceStretched } from '../pair/stretched.js';

export interface NearestPairOptions {
  /** Do not look beyond this distance (default Infinity). */
  readonly atMost?: number;
  /** Leave out pairs of objects for which this is false. */
  readonly filter?: (a: SceneObject, b: SceneObject) => boolean;
}

const NAMES = { atMost: true, filter: true } as const;

export interface NearestOptions extends NearestPairOptions {
  /** How many objects are wanted at most (default 1). */
  readonly count?: number;
}

/** Two objects, how far apart they are, and where. */
export interface NearPair extends DistanceResult {
  readonly a: SceneObject;
  readonly b: SceneObject;
}

/**
 * Finds the `count` objects of a scene that are nearest to one of them, the nearest first: in each pair, the object is
 * `a`. Fewer where there are not so many within `atMost`.
 */
export function nearest(scene: Scene, object: SceneObject, options: NearestOptions = {}): NearPair[] {
  readKnown('nearest', options, { ...NAMES, count: true });
  const { atMost, filter } = readAsked(options);
  const count = readInteger('count', options.count ?? 1, 1);
  assertScene(scene);
  const own = scene.slotOf(object);
  const { tree, boxes } = scene;
  tree.flush();
  const found: NearPair[] = [];
  const limit = () => (found.length < count ? atMost : found[count - 1].distance);
  const heap = new PairHeap();
  const push = (node: number) => {
    const leaf = (node & 1) === 0;
    if (node === 2 * own) return;
    heap.push(gapSqOfBoxes(boxes, 6 * own, leaf ? boxes : tree.boxes, leaf ? 3 * node : 6 * node), node, 0);
  };
  push(tree.root);
  while (heap.pop() && heap.key <= squareAbove(limit())) {
    const node = heap.a;
    if ((node & 1) === 1) {
      push(tree.left[node]);
      push(tree.right[node]);
      continue;
    }
    const other = scene.objectAt(node >>> 1)!;
    if (filter && !filter(object, other)) continue;
    const measured = measure(object as SlotObject, other, limit());
    if (measured) insert(found, measured, count);
  }
  return found;
}

/** Finds the two objects of a scene that are nearest to each other; undefined where no two are within `atMost`. */
export function nearestPair(scene: Scene, options: NearestPairOptions = {}): NearPair | undefined {
  readKnown('nearestPair', options, NAMES);
  const { atMost, filter } = readAsked(options);
  assertScene(scene);
  const { tree, boxes } = scene;
  tree.flush();
  let best: NearPair | undefined;
  const heap = new PairHeap();
  const push = (n: number, m: number) => {
    const leaves = ((n | m) & 1) === 0;
    const gap = leaves
      ? gapSqOfBoxes(boxes, 3 * n, boxes, 3 * m)
      : gapSqOfBoxes(tree.boxes, 6 * n, tree.boxes, 6 * m);
    if (n !== m || (n & 1) === 1) heap.push(gap, n, m);
  };
  if (scene.size > 1) push(tree.root, tree.root);
  while (heap.pop() && heap.key <= squareAbove(best?.distance ?? atMost)) {
    const { a: n, b: m } = heap;
    if (n === m) {
      push(tree.left[n], tree.left[n]);
      push(tree.right[n], tree.right[n]);
      push(tree.left[n], tree.right[n]);
    } else if ((n & 1) === 1 && ((m & 1) === 0 || sizeOf(tree.boxes, 6 * n) >= sizeOf(tree.boxes, 6 * m))) {
      push(tree.left[n], m);
      push(tree.right[n], m);
    } else if ((m & 1) === 1) {
      push(n, tree.left[m]);
      push(n, tree.right[m]);
    } else {
      const [a, b] = [scene.objectAt(Math.min(n, m) >>> 1)!, scene.objectAt(Math.max(n, m) >>> 1)!];
      // of pairs that meet it is the earliest that counts, not how the tree happens to be
      if (best?.distance === 0 && isLater({ a, b }, best)) continue;
      if (filter && !filter(a, b)) continue;
      const measured = measure(a, b, best?.distance ?? atMost);
      if (measured && (!best || isLater(best, measured))) best = measured;
    }
  }
  return best;
}

function readAsked(options: NearestPairOptions) {
  const { atMost = Infinity, filter } = options;
  if (filter !== undefined) readFunction('filter', filter);
  return { atMost: readAtMost('atMost', atMost), filter };
}

/** Above the square of a distance by more than rounding, so that equal distances are all looked at. */
function squareAbove(distance: number): number {
  return distance * distance * (1 + 1e-12);
}

/**
 * How far apart two objects are, the one in the earlier slot taken for the first; undefined where it is more than that.
 */
function measure(a: SlotObject, b: SlotObject, atMost: number): NearPair | undefined {
  const [first, second] = a.slot < b.slot ? [a, b] : [b, a];
  const found = distanceOf(first, second, atMost * (1 + 1e-12));
  if (!(found.distance <= atMost)) return undefined;
  if (first === a) return { a, b, ...found };
  const { pointA, triangleA, featureA } = found;
  return {
    a,
    b,
    ...found,
    pointA: found.pointB,
    pointB: pointA,
    triangleA: found.triangleB,
    triangleB: triangleA,
    featureA: found.featureB,
    featureB: featureA,
  };
}

function distanceOf(a: SlotObject, b: SlotObject, atMost: number): DistanceResult {
  const primitive = a.primitive ?? b.primitive;
  if (primitive) return primitive.distance(a, b, atMost) as DistanceResult;
  const stretched = stretchedPlacement(a, b);
  if (stretched) return distanceStretched(a.mesh, b.mesh, stretched, atMost);
  const placed = { bToA: relativePose(a.pose, b.pose), aToWorld: a.pose };
  return distancePlaced(a.mesh, b.mesh, placed, atMost);
}

/** Puts a pair where it belongs among the nearest so far. */
function insert(found: NearPair[], pair: NearPair, count: number): void {
  let at = found.length;
  while (at > 0 && isLater(found[at - 1], pair)) at--;
  found.splice(at, 0, pair);
  if (found.length > count) found.pop();
}

type Ranked = Pick<NearPair, 'a' | 'b'> & { readonly distance?: number };

/** Whether p comes after q: by distance where both have one, then by slots. */
function isLater(p: Ranked, q: Ranked): boolean {
  if (p.distance !== undefined && q.distance !== undefined && p.distance !== q.distance)
    return p.distance > q.distance;
  const [pa, pb, qa, qb] = [p.a, p.b, q.a, q.b].map((object) => (object as SlotObject).slot);
  return pa > qa || (pa === qa && pb > qb);
}

function sizeOf(boxes: Float64Array, at: number): number {
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
}
