/** All volumes × builders × orders × questions, by the portable traversals, against brute force. */
import { describe, expect, test } from 'vitest';
import { arena } from '../../../src/base/arena.js';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { BUILDERS, VOLUME_KINDS } from '../../../src/hierarchy/layout.js';
import { traversePair } from '../../../src/hierarchy/traverse.js';
import type { TreeView } from '../../../src/hierarchy/tree-view.js';
import { type PairVisitor, TRAVERSAL_ORDERS, type TraversalOptions } from '../../../src/hierarchy/visitor.js';
import type { RigidPose } from '../../../src/math/pose.js';
import { build, expanderFor, poseBetweenTrees } from '../../hierarchy/fixtures.js';
import { Truth } from '../support/brute-force.js';
import { SCENES } from '../support/scenes.js';

const matrix = VOLUME_KINDS.flatMap((kind) =>
  BUILDERS.flatMap((builder) => [false, true].map((lazy) => ({ kind, builder, lazy }))),
);

/** A question asked by traversal: each pair of triangles in a pair of leaves goes to `look`. */
class Question implements PairVisitor {
  bound: number;
  readonly #a: TreeView;
  readonly #b: TreeView;
  readonly #look: (question: Question, i: number, j: number) => void;

  constructor(
    a: TreeView,
    b: TreeView,
    bound: number,
    look: (question: Question, i: number, j: number) => void,
  ) {
    this.#a = a;
    this.#b = b;
    this.bound = bound;
    this.#look = look;
  }

  leafPair(startA: number, countA: number, startB: number, countB: number): boolean {
    for (let i = startA; i < startA + countA; i++) {
      for (let j = startB; j < startB + countB; j++)
        this.#look(this, this.#a.triangleAt(i), this.#b.triangleAt(j));
    }
    return false;
  }
}

function expectAnswers(
  a: TreeView,
  b: TreeView,
  pose: RigidPose,
  truth: Truth,
  options: TraversalOptions,
): void {
  const { cornersA: p, cornersB: q } = truth;
  // posing rounds positions far from zero; volumes do not know
  const slack = truth.doubt;
  const pairs: [number, number][] = [];
  const meeting = new Question(a, b, 0, (_, i, j) => {
    if (intersectsTriangleTriangle(p, 9 * i, q, 9 * j)) pairs.push([i, j]);
  });
  traversePair(a, b, pose, meeting, options);
  expect(pairs.sort((s, t) => s[0] - t[0] || s[1] - t[1]).flat()).toEqual(truth.pairs);

  let nearest = Infinity;
  const shrinking = new Question(a, b, Infinity, (question, i, j) => {
    nearest = Math.min(nearest, Math.sqrt(distanceSqTriangleTriangle(p, 9 * i, q, 9 * j)));
    question.bound = nearest + slack;
  });
  traversePair(a, b, pose, shrinking, options);
  expect(Math.abs(nearest - truth.nearest)).toBeLessThanOrEqual(slack);

  for (const reach of truth.reaches()) {
    const found: number[] = [];
    const within = new Question(a, b, reach + slack, (_, i, j) => {
      if (truth.must(truth.distanceOf(i, j), reach)) found.push(i, j);
    });
    traversePair(a, b, pose, within, options);
    truth.expectWithin(reach, found);
  }
}

describe.each(Object.entries(SCENES))('%s', (_, { a: makeA, b: makeB, poses }) => {
  const a = makeA();
  const b = makeB();
  const truths = poses.map((options) => new Truth(a, b, options));

  test.each(matrix)('$kind, $builder, lazy: $lazy', (options) => {
    if (options.lazy && Math.max(a.triangleCount, b.triangleCount) <= 512) return; // the same tree
    for (const order of TRAVERSAL_ORDERS) {
      // orders take turns with poses; each pose is asked in one order at least
      for (const [n, truth] of truths.entries()) {
        if (poses.length > 1 && n % TRAVERSAL_ORDERS.length !== TRAVERSAL_ORDERS.indexOf(order)) continue;
        const treeA = build(a, options);
        const treeB = build(b, options);
        const expand = expanderFor([treeA, a], [treeB, b]);
        expectAnswers(treeA, treeB, poseBetweenTrees(treeA, treeB, truth.pose), truth, { order, expand });
        arena().free(treeA.byteOffset);
        arena().free(treeB.byteOffset);
      }
    }
  });
});
