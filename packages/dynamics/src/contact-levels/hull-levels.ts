/**
 * The dual hierarchy of convex hulls: the patches of a surface, then coarser and coarser surfaces with half the patches
 * (or a quarter of the triangles) each, then hulls that only enclose. Hulls become wider in the end: those of
 * the patches decide which is the parent of which, and what encloses them.
 */
import { MeshDeviation } from '@impinge/model/internal/levels/mesh-deviation.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { roundUp } from 'impinge/internal/volumes/round.js';
import { boxAround } from './box-around.js';
import { type ClosedSurface, closedSurfaceOf } from './closed-surface.js';
import type { ConvexPatch } from './convex-patches.js';
import { decompose } from './decompose.js';
import type { Draft, DraftLevel, DraftNode } from './draft.js';
import { levelOf } from './draft.js';
import { encloseAll } from './enclose.js';
import { measureHausdorff } from './hausdorff.js';
import { chooseParents } from './parents.js';
import { resolutionOf, supportAreas } from './resolution.js';
import { Simplifier } from './simplify.js';
import { type Widened, widen } from './widen.js';

/**
 * A level whose patches may deviate by more than this share of the model's radius on average does not represent the
 * surface.
 */
const MOST_DEVIATION = 0.06;
/** The last level may miss its target if it has fewer patches or triangles than this share of the one before. */
const WORTH = 0.75;

export function hullLevels(mesh: Mesh): Draft {
  const surface = closedSurfaceOf(mesh);
  const deviation = deviationFrom(surface);
  try {
    return levelsOf(surface, deviation);
  } finally {
    deviation.dispose();
  }
}

function levelsOf(surface: ClosedSurface, deviation: MeshDeviation): Draft {
  const limit = MOST_DEVIATION * radiusOf(surface.x);
  const patches = decompose(surface);
  const first = levelOf(patches, surface.attached);
  const levels = [first.level];
  measureSurface(first.level);
  const simplifier = new Simplifier(patches);
  const wider = new Map<DraftNode, Widened>();
  /** The vertices of every node of the last level and of those below it. */
  let below = first.level.nodes.map(({ points }) => points);
  for (let ids = first.ids; ids.length > 1; ) {
    patches.refresh();
    const before = surface.triangleCount;
    const reached = simplifier.runTo(ids.length >> 1, before >> 2);
    if (!reached && patches.count > WORTH * ids.length && surface.triangleCount > WORTH * before) break;
    const { level, ids: nextIds } = levelOf(patches);
    measureSurface(level);
    if (!(measureDeviation(level, deviation) <= limit)) break;
    const placeOf = new Map(nextIds.map((id, n) => [id, n]));
    const heirs = ids.map((id) => {
      while (patches.mergedInto[id] >= 0) id = patches.mergedInto[id];
      return placeOf.get(id) as number;
    });
    chooseParents(levels[levels.length - 1], level, heirs);
    const parts = level.nodes.map((): Float64Array[] => []);
    levels[levels.length - 1].nodes.forEach(({ parent }, n) => {
      parts[parent].push(below[n]);
    });
    below = level.nodes.map((node, n) => {
      const points = concatenated(parts[n]);
      const shape = widen(node, patches.patches[nextIds[n]] as ConvexPatch, patches, points);
      if (shape) wider.set(node, shape);
      return concatenated([points, (shape ?? node).points]);
    });
    levels.push(level);
    ids = nextIds;
    if (!reached) break;
  }
  const usable = levels.length;
  const coarsest = levels[usable - 1];
  const support = supportOf(coarsest);
  for (const level of encloseAll(coarsest)) {
    for (const node of level.nodes) node.support = Float64Array.from(node.vertices, (v) => support[v]);
    levels.push(level);
  }
  for (const [node, shape] of wider) Object.assign(node, shape);
  measureHausdorff(levels);
  for (const { nodes } of levels) for (const node of nodes) node.s = roundUp(node.s);
  return { kind: 'hulls', levels, usable };
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Half the diagonal of the box. */
function radiusOf(x: Float64Array): number {
  const box = boxAround(x);
  return Math.sqrt([0, 1, 2].reduce((sum, k) => sum + (box[3 + k] - box[k]) ** 2, 0)) / 2;
}

function supportOf({ nodes, positions }: DraftLevel): Float64Array {
  return supportAreas(
    positions,
    nodes.map(({ triangles }) => triangles),
  );
}

function measureSurface(level: DraftLevel): void {
  const support = supportOf(level);
  for (const node of level.nodes) {
    node.r = resolutionOf(level.positions, node.triangles);
    node.support = Float64Array.from(node.vertices, (v) => support[v]);
  }
}

/** Sets the bound on each patch's distance from the first surface; returns the mean. */
function measureDeviation({ nodes, positions }: DraftLevel, deviation: MeshDeviation): number {
  deviation.place(positions);
  let sum = 0;
  for (const node of nodes) {
    node.s = deviation.of(node.triangles, node.near);
    sum += node.s;
  }
  return sum / nodes.length;
}

/** From the surface as it is, which later collapses do not change. */
function deviationFrom({ x, corner, alive }: ClosedSurface): MeshDeviation {
  const indices = Uint32Array.from(corner, (v, h) => (alive[Math.floor(h / 3)] ? v : 0));
  return new MeshDeviation(Float32Array.from(x), indices, x.length / 3);
}
