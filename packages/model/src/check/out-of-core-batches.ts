/**
 * Out-of-core batches: surfaces too large for memory are compared a few near pieces at a time, and the findings of the
 * batches are merged. Errs: a batch sees the pieces it holds, not their neighbours: where two surfaces pass through
 * each other exactly along the seam between pieces of different batches, that counts as touching.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { ClashMeasure } from './clash.js';
import { CLASH_KIND_TABLE, CLASH_KINDS } from './clash-kinds.js';

/** Cuts `near` (piece of a, piece of b, alternating) where the pieces of a batch would take more than `capacity`. */
export function* batchesOf(
  near: Uint32Array,
  bytesOf: (side: 0 | 1, piece: number) => number,
  capacity: number,
): Generator<Uint32Array> {
  let from = 0;
  let bytes = 0;
  let held: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let i = 0; i < near.length; i += 2) {
    const added = addedBytes(i);
    if (bytes + added > capacity && i > from) {
      yield near.subarray(from, i);
      from = i;
      held = [new Set(), new Set()];
      bytes = addedBytes(i);
    } else bytes += added;
    held[0].add(near[i]);
    held[1].add(near[i + 1]);
  }
  if (near.length > from) yield near.subarray(from);

  function addedBytes(i: number): number {
    let added = 0;
    for (const side of [0, 1] as const) {
      if (!held[side].has(near[i + side])) added += bytesOf(side, near[i + side]);
    }
    return added;
  }
}

/**
 * Merges the findings of two batches about the same pair of objects: contact outweighs nearness, then the graver kind
 * counts.
 */
export function joinedMeasure(
  p: ClashMeasure | undefined,
  q: ClashMeasure | undefined,
): ClashMeasure | undefined {
  if (!p || !q) return p ?? q;
  if (isNear(p) || isNear(q)) {
    if (isNear(p) && isNear(q)) return q.distance < p.distance ? q : p;
    return isNear(p) ? q : p;
  }
  const [first, other] = CLASH_KINDS.indexOf(q.kind) < CLASH_KINDS.indexOf(p.kind) ? [q, p] : [p, q];
  const deeper = other.kind === first.kind && other.depth > first.depth ? other : first;
  return {
    ...first,
    form: first.form === 'piercing' || other.form === 'piercing' ? 'piercing' : first.form,
    depth: deeper.depth,
    depthBound: Math.max(first.depthBound, other.depthBound),
    point: deeper.point,
    box: {
      min: first.box.min.map((x, k) => Math.min(x, other.box.min[k])) as unknown as Vec3,
      max: first.box.max.map((x, k) => Math.max(x, other.box.max[k])) as unknown as Vec3,
    },
    trianglePairs: first.trianglePairs + other.trianglePairs,
  };
}

function isNear({ kind }: ClashMeasure): boolean {
  return CLASH_KIND_TABLE[kind].measure === 'distance';
}
