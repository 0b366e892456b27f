/**
 * Whether two moving elements come into contact: certified floating point, and exact arithmetic where that is
 * inconclusive.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { exactEdgeEdge } from 'impinge/internal/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from 'impinge/internal/geometry/ccd/exact-vertex-face.js';
import { fastEdgeEdge, fastVertexFace } from 'impinge/internal/geometry/ccd/fast-contact.js';
import { DOUBT, HIT, type Verdict } from 'impinge/internal/geometry/ccd/verdict.js';
import { Ctx, EDGE_EDGE } from './layout.generated.js';
import type { SurfaceTable } from './surface-table.js';

/**
 * Tests the pair of elements of `kind` whose four points at T0, then at T1, are in `points`. On contact `out` receives
 * time, weights and normal. Exact at distance 0. Counts the pairs that floating point could not decide.
 */
export function testElements(
  kind: number,
  points: Float64Array,
  distance: number,
  out: Float64Array,
  counts: { exactPairs: number },
): boolean {
  const edges = kind === EDGE_EDGE;
  const verdict: Verdict = edges
    ? fastEdgeEdge(points, distance, out)
    : fastVertexFace(points, distance, out);
  if (verdict !== DOUBT) return verdict === HIT;
  counts.exactPairs++;
  return decideExactly(kind, points, out);
}

export function decideExactly(kind: number, points: Float64Array, out: Float64Array): boolean {
  return kind === EDGE_EDGE ? exactEdgeEdge(points, out) : exactVertexFace(points, out);
}

/** Writes the places of four vertices at T0 and at T1. */
export function gatherPoints(table: SurfaceTable, quad: Uint32Array, points: Float64Array): void {
  const numbers = arena().f64();
  const start = table.word(Ctx.start) >>> 3;
  const end = table.word(Ctx.end) >>> 3;
  for (let i = 0; i < 4; i++) {
    const v = 3 * quad[i];
    for (let c = 0; c < 3; c++) {
      points[3 * i + c] = numbers[start + v + c];
      points[12 + 3 * i + c] = numbers[end + v + c];
    }
  }
}
