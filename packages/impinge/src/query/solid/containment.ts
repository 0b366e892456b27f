/**
 * How two closed meshes lie as solids, and where a point lies. Inside is what an odd number of surfaces encloses.
 *
 * The façade of solid-relation.ts and locate.ts, which a check asks, too: both say the same of the same pair.
 */
import { readKnown } from '../../base/options.js';
import { assertClosed } from '../../mesh/closed.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { collidePlaced } from '../pair/collide.js';
import {
  type Placement,
  POSE_NAMES,
  type PoseOptions,
  type QueryStats,
  readPlacement,
} from '../pair/context.js';
import type { CollideResult } from '../pair/results.js';
import { rigidSides } from '../pair/rigid-sides.js';
import { requireKernel } from './depth.js';
import { Meeting } from './layout.generated.js';
import { PlacedPair } from './placed-pair.js';
import { LISTED_PAIRS } from './shared-planes.js';
import { SolidRelation as Relation } from './solid-relation.js';
import { Space } from './space.js';
import { findMeetingTriangles, meetingOfParts } from './surface-contact.js';
import { describeExactly } from './triangle-meeting.js';

/**
 * `crossing`: partly inside each other (or some parts of one inside the other and some not). `touching`: the surfaces
 * meet and the interiors do not. `equal`: the same solid.
 */
export type SolidRelation = 'disjoint' | 'touching' | 'crossing' | 'a-inside-b' | 'b-inside-a' | 'equal';

export interface ContainmentResult {
  readonly relation: SolidRelation;
  /** Whether the surfaces meet; a solid inside another may touch it from within. */
  readonly touching: boolean;
  readonly stats: QueryStats & { readonly pointTests: number };
}

/**
 * Finds out how the solids bounded by a and b lie to each other. Both must be closed, else 'bad-input'. Exact where
 * nothing has to be posed; where b is, what is within 1e-12 of the coordinates counts as touching (see
 * solid-relation.ts).
 */
export function contains(a: Mesh, b: Mesh, options: PoseOptions = {}): ContainmentResult {
  requireKernel('contains');
  assertClosed(a);
  assertClosed(b);
  const sides = rigidSides(a, b, readKnown('contains', options, POSE_NAMES));
  return containsPlaced(sides.a, sides.b, readPlacement(sides.poses));
}

function containsPlaced(a: Mesh, b: Mesh, { bToA }: Placement): ContainmentResult {
  const pair = PlacedPair.ofMeshes(a, b, bToA);
  const first = collidePlaced(a, b, bToA, 1);
  if (first.colliding && crosses(a, b, pair, first.pairs)) return answer('crossing', first, 0);
  const hits = first.colliding ? collidePlaced(a, b, bToA, LISTED_PAIRS) : first;
  const triangles =
    hits.complete || !first.colliding ? meetingOfParts(hits.pairs) : findMeetingTriangles(pair);
  try {
    const relation = new Relation(pair, triangles);
    return answer(relationOf(relation), hits, relation.pointTests);
  } finally {
    triangles.planes?.dispose();
  }
}

/**
 * Whether the triangles of the first pair pass through each other, by more than rounding: then nothing else matters.
 */
function crosses(a: Mesh, b: Mesh, { pose, slack }: PlacedPair, pairs: Uint32Array): boolean {
  const corners = new PairReader(a, b, pose).read(pairs[0], pairs[1]);
  return describeExactly(corners, slack, new Float64Array(18)) === Meeting.crossing;
}

function relationOf(relation: Relation): SolidRelation {
  const space = relation.space();
  if (!(space & Space.shared)) return relation.contact.total > 0 ? 'touching' : 'disjoint';
  if (space & Space.onlyA) return space & Space.onlyB ? 'crossing' : 'b-inside-a';
  return space & Space.onlyB ? 'a-inside-b' : 'equal';
}

function answer(relation: SolidRelation, hits: CollideResult, pointTests: number): ContainmentResult {
  return { relation, touching: hits.colliding, stats: { ...hits.stats, pointTests } };
}
