/**
 * The convex patches of a surface: joins neighbours, starting from single triangles, the smallest first, so that
 * patches grow evenly, and among these at the flattest edges, so that cells become whole before they become strips.
 * Repeats while it helps: flat pieces that are not convex polygons may be part of one that is.
 */
import { PairHeap } from 'impinge/internal/base/heap.js';
import { type ClosedSurface, nextOf } from './closed-surface.js';
import { ConvexPatches } from './convex-patches.js';

export function decompose(surface: ClosedSurface): ConvexPatches {
  const patches = new ConvexPatches(surface);
  const { across, alive } = surface;
  for (let before = Infinity; patches.count < before; ) {
    before = patches.count;
    const edges = new PairHeap();
    for (let h = 0; h < across.length; h++) {
      if (!alive[Math.floor(h / 3)] || across[h] < h) continue;
      if (patches.patchOf[Math.floor(h / 3)] === patches.patchOf[Math.floor(across[h] / 3)]) continue;
      edges.push(bendAt(surface, h) / 4, h, 0);
    }
    joinAt(edges, patches);
  }
  return patches;
}

function joinAt(edges: PairHeap, patches: ConvexPatches): void {
  const { across } = patches.surface;
  while (edges.pop()) {
    const h = edges.a;
    const p = patches.patchOf[Math.floor(h / 3)];
    const q = patches.patchOf[Math.floor(across[h] / 3)];
    if (p === q) continue;
    const size = Math.floor(Math.log2(patches.sizeOf(p) + patches.sizeOf(q))) - 1;
    if (size > edges.b) edges.push(size + (edges.key % 1), h, size);
    else patches.tryUnion(Math.min(p, q), Math.max(p, q));
  }
}

/** 0 for an edge between triangles of one plane, 2 for a folded one. */
function bendAt({ x, corner, across }: ClosedSurface, h: number): number {
  const n = new Float64Array(6);
  for (let side = 0; side < 2; side++) {
    const t = 3 * Math.floor((side === 0 ? h : across[h]) / 3);
    const a = 3 * corner[t];
    const b = 3 * corner[nextOf(t)];
    const c = 3 * corner[t + 2];
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      n[3 * side + k] =
        (x[b + l] - x[a + l]) * (x[c + m] - x[a + m]) - (x[b + m] - x[a + m]) * (x[c + l] - x[a + l]);
    }
  }
  const dot = n[0] * n[3] + n[1] * n[4] + n[2] * n[5];
  const sq = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (n[3] * n[3] + n[4] * n[4] + n[5] * n[5]);
  return sq > 0 ? 1 - dot / Math.sqrt(sq) : 0;
}
