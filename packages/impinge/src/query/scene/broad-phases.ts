/**
 * Every broad phase by its name: one test compares them all with brute force. Scenes take any of them, or another
 * object of that shape.
 *
 * Not among them: what brings the triangles of deforming surfaces together (packages/dynamics/src/deform/grid.ts). It
 * culls by 26-DOPs and by neighbourhood in the same pass as by boxes, so boxes alone never come out of it; its seam is
 * `PairSource` (primitive-culling.ts), with a brute force of its own.
 */
import { boxPairs } from '../../scene/box-pairs.js';
import { boxSweep } from '../../scene/box-sweep.js';
import { type BroadPhase, bruteForce } from '../../volumes/broad-phase.js';

export const BROAD_PHASES = {
  'brute-force': bruteForce,
  'box-pairs': boxPairs,
  'box-sweep': boxSweep,
} as const satisfies Readonly<Record<string, BroadPhase>>;
