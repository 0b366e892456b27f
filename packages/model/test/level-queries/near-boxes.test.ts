/** Pairs of near boxes, against closest points of every two boxes found by projecting to and fro. */
import { Random } from '@impinge/scenes/random';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect } from 'vitest';
import { full } from '../../../../test/budget.js';
import type { PlacedTree } from '../../src/level-queries/level-tree.js';
import { NearBoxes } from '../../src/level-queries/near-boxes.js';
import { MeshSide, type Side } from '../../src/level-queries/side.js';
import { BoxTree } from '../../src/store/box-tree.js';
import { poseOf } from './originals.js';

const A = 16;
const B = 13;
/** What poses may stretch by, and two of them together: RᵀR is off by 1e-5 for each. */
const STRETCHES = [1, 1 - 1e-5, 1 + 1e-5];

function randomBoxes(random: Random, count: number, centre: readonly number[]): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const middle = centre[k] + 2 * random.next() - 1;
      const half = 0.3 * random.next() ** 4;
      boxes[6 * i + k] = middle - half;
      boxes[6 * i + 3 + k] = middle + half;
    }
  }
  return boxes;
}

/** Parts that are nothing but their boxes. */
class BoxesTree implements PlacedTree {
  readonly root = 0;
  readonly nodes: number;
  readonly parts: number;
  readonly boxes: Float64Array;
  readonly #tree: BoxTree;

  constructor(boxes: Float64Array) {
    this.#tree = new BoxTree(boxes);
    this.nodes = this.#tree.right.length;
    this.parts = boxes.length / 6;
    this.boxes = new Float64Array(6 * (this.nodes + this.parts));
    this.boxes.set(boxes, 6 * this.nodes);
  }
  boxAt(node: number): number {
    if (node < this.nodes) this.boxes.set(this.#tree.nodeBoxes.subarray(6 * node, 6 * node + 6), 6 * node);
    return 6 * node;
  }
  errorOf(): number {
    return 0;
  }
  madeOf(): number[] {
    return [];
  }
  open(node: number, _: unknown, list: number[]): void {
    const { right, first, counts, order } = this.#tree;
    if (right[node] !== 0) {
      this.#tree.open(node);
      list.push(node + 1, right[node]);
    } else for (let i = first[node]; i < first[node] + counts[node]; i++) list.push(this.nodes + order[i]);
  }
}

function sideOf(boxes: Float64Array): Side {
  const tree = new BoxesTree(boxes);
  const open = (node: number) => {
    const list: number[] = [];
    tree.open(node, undefined, list);
    return list;
  };
  return Object.assign(Object.create(MeshSide.prototype), { tree, open }) as MeshSide;
}

/** No less than how far two boxes are apart, and nearly that. */
function apart(a: Float64Array, i: number, b: Float64Array, j: number, pose: RigidPose): number {
  const q = [0, 1, 2].map((k) => 0.5 * (b[6 * j + k] + b[6 * j + 3 + k]));
  let best = Infinity;
  for (let round = 0; round < 30; round++) {
    const posed = [0, 1, 2].map(
      (k) => pose[3 * k] * q[0] + pose[3 * k + 1] * q[1] + pose[3 * k + 2] * q[2] + pose[9 + k],
    );
    const p = posed.map((x, k) => Math.min(Math.max(x, a[6 * i + k]), a[6 * i + 3 + k]));
    best = Math.min(best, Math.hypot(p[0] - posed[0], p[1] - posed[1], p[2] - posed[2]));
    const by = p.map((x, k) => x - posed[k]);
    for (let k = 0; k < 3; k++) {
      const back = pose[k] * by[0] + pose[3 + k] * by[1] + pose[6 + k] * by[2];
      q[k] = Math.min(Math.max(q[k] + back, b[6 * j + k]), b[6 * j + 3 + k]);
    }
  }
  return best;
}

describe.each(STRETCHES)('poses that stretch by %f', (stretch) => {
  full.each([
    ['mixed', 0, [0, 0, 0]],
    ['turned about a far centre', 0, [300, -200, 100]],
    ['far apart', 1000, [0, 0, 0]],
    ['far apart, by the boxes', 0, [0, 0, 1000]],
  ])('%s', (_, away, centre) => {
    const random = new Random(7);
    let [near, taken] = [0, 0];
    for (let round = 0; round < 3; round++) {
      const pose = poseOf(random, 0.5);
      for (let k = 0; k < 9; k++) pose[k] *= stretch;
      if (round === 0) pose.set([stretch, 0, 0, 0, stretch, 0, 0, 0, stretch]);
      if (away === 0 && centre[2] === 100) {
        // back to where the boxes of a are
        for (let k = 0; k < 3; k++) {
          pose[9 + k] -= pose[3 * k] * centre[0] + pose[3 * k + 1] * centre[1] + pose[3 * k + 2] * centre[2];
        }
      }
      pose[9] += away;
      const [a, b] = [randomBoxes(random, A, [0, 0, 0]), randomBoxes(random, B, centre)];
      const boxes = new NearBoxes(sideOf(a), sideOf(b));
      const apartOf = Float64Array.from({ length: A * B }, (_, key) =>
        apart(a, Math.floor(key / B), b, key % B, pose),
      );
      const distance = apartOf.slice().sort()[Math.floor(apartOf.length / 3)];
      const found = new Map<number, number>();
      const check = () => {
        const missed = [...apartOf.keys()].filter((key) => apartOf[key] <= distance && !found.has(key));
        expect(missed).toEqual([]);
        // to the last digits, which square and root may round away
        const tooFar = [...found].filter(([key, gapSq]) => Math.sqrt(gapSq) > apartOf[key] * (1 + 1e-12));
        expect(tooFar).toEqual([]);
      };
      // a few of the nearest, and then the others
      const walk = boxes.walk(pose);
      for (const pair of [...walk.nearest(round * 4, distance), ...walk.nearest(Infinity, distance)]) {
        expect(found.has(pair.a * B + pair.b)).toBe(false);
        found.set(pair.a * B + pair.b, pair.gapSq);
      }
      walk.release();
      check();
      near += apartOf.filter((x) => x <= distance).length;
      taken += found.size;
      found.clear();
      let last = 0;
      for (const pair of boxes.nearestFirst(pose, () => distance)) {
        // boxes are enlarged by different shares of their coordinates
        expect(pair.gapSq).toBeGreaterThanOrEqual(0.999 * last);
        last = pair.gapSq;
        found.set(pair.a * B + pair.b, pair.gapSq);
      }
      check();
    }
    // boxes along two frames are not far from the boxes themselves
    if (stretch === 1) expect(taken).toBeLessThan(1.1 * near);
  });
});
