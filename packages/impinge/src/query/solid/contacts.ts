/**
 * Where two meshes meet, as regions one can work with: the curves along which the surfaces cross, where, which way
 * to push, how deep. Stored models answer for themselves: see target-contacts.ts.
 */
import { ImpingeError } from '../../base/errors.js';
import { readAtMost, readChoice, readKnown, readLength } from '../../base/options.js';
import { posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { orientationOf } from '../../mesh/closed.js';
import type { Mesh } from '../../mesh/mesh.js';
import { collidePlaced } from '../pair/collide.js';
import { POSE_NAMES, type PoseOptions, type QueryStats, readPlacement } from '../pair/context.js';
import { areParted, askPair } from '../pair/near-pairs.js';
import {
  type ContactsRequest,
  ERROR_NAMES,
  type ErrorOptions,
  readErrorLimit,
} from '../pair/pair-request.js';
import { rigidSides } from '../pair/rigid-sides.js';
import type { PartsTarget } from '../target.js';
import { CurveGraph } from './contact-curves.js';
import { measureDepths, membersOf } from './contact-depth.js';
import { type ContactPieces, findPieces } from './contact-pieces.js';
import { boxOf, lengthOf, middleOfArea, middleOfCurves, pushDirection } from './contact-shape.js';
import { type Depth, NO_DEPTH, requireKernel } from './depth.js';
import { PlacedPair } from './placed-pair.js';
import { SolidRelation } from './solid-relation.js';
import { meetingOfParts } from './surface-contact.js';
import {
  refuseTargets,
  type SolidTarget,
  type TargetContactsOptions,
  type TargetContactsResult,
} from './target-contacts.js';

export interface ContactsOptions extends PoseOptions, ErrorOptions {
  /** Regions no deeper than this are called touching, not crossing (default 0). */
  readonly tolerance?: number;
  /** Whether to measure how deep regions are, which takes most of the time (default true). */
  readonly depth?: boolean;
}

const TARGET_NAMES = { ...POSE_NAMES, ...ERROR_NAMES, distance: true } as const;
const NAMES = { ...POSE_NAMES, ...ERROR_NAMES, tolerance: true, depth: true } as const;

/** `crossing`: one reaches into the other. `coplanar`: they share area only. `touching`: neither. */
export type ContactKind = 'crossing' | 'touching' | 'coplanar';

export interface ContactCurve {
  /** x, y, z after each other. A closed curve does not repeat its first point. */
  readonly points: Float64Array;
  readonly closed: boolean;
}

/** Part of a contact that hangs together. Coordinates are in the world (in a's frame when only `pose` is given). */
export interface ContactRegion {
  readonly kind: ContactKind;
  /** Triangle of a, triangle of b, alternating; sorted. */
  readonly pairs: Uint32Array;
  readonly count: number;
  /** Where the surfaces cross or touch; around shared area, its outline. None when they touch in a point. */
  readonly curves: readonly ContactCurve[];
  /** Whether the curves have no loose ends: they are loops, or parts of loops that meet. */
  readonly closed: boolean;
  /** Of all curves together. */
  readonly length: number;
  /** A point of the contact: the middle of the longest curve, or the centre of the largest shared area. */
  readonly point: Vec3;
  /** Unit vector: the way to push b out of a. Zero when the surfaces give none. */
  readonly normal: Vec3;
  /**
   * How far the innermost point of one lies under the surface of the other; see contact-depth.ts. NaN if not asked for.
   */
  readonly depth: number;
  /**
   * Nothing in this region is deeper (Infinity if not asked for); 0.1 % above `depth` or less, unless the search was
   * cut short.
   */
  readonly depthBound: number;
  /** The innermost point; undefined when the depth is 0. */
  readonly deepest: Vec3 | undefined;
  /** Around the meeting points. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
}

export interface ContactsResult {
  /** Whether both meshes are closed. Only then is depth a property of solids; what an open one holds, see depth.ts. */
  readonly solids: boolean;
  /** In the order of their first pairs. */
  readonly regions: readonly ContactRegion[];
  readonly stats: QueryStats & { readonly pointTests: number; readonly depthEvaluations: number };
}

const NOT_MEASURED = { regions: [], evaluations: 0, pointTests: 0 } as const;
const UNKNOWN_DEPTH: Depth = { ...NO_DEPTH, depth: Number.NaN, bound: Infinity };

/** With more pairs than these, regions would take more memory than anyone expects. */
const MOST_PAIRS = 2 ** 19;

/**
 * Finds the regions where a and b meet. Depths of meshes are exact where both are closed, to the stated bound; for open
 * ones see depth.ts. Swapping the sides turns the normals round; depths then agree within their bounds. Meshes that
 * meet in more than half a million pairs of triangles are refused: 'out-of-memory'.
 *
 * Where a side is a stored model: at an error, if it has levels; depths are intervals. More than 131 072 pairs are
 * refused; a larger error makes them fewer.
 */
export function contacts(a: Mesh, b: Mesh, options?: ContactsOptions): ContactsResult;
export function contacts(
  a: SolidTarget,
  b: PartsTarget,
  options?: TargetContactsOptions,
): Promise<TargetContactsResult>;
export function contacts(
  a: PartsTarget,
  b: SolidTarget,
  options?: TargetContactsOptions,
): Promise<TargetContactsResult>;
export function contacts(
  a: SolidTarget,
  b: SolidTarget,
  options: ContactsOptions & TargetContactsOptions = {},
): unknown {
  if (areParted(a, b)) {
    const { distance = 0 } = readKnown<TargetContactsOptions>('contacts', options, TARGET_NAMES);
    const request: ContactsRequest = {
      ...{ a, b, ...readPlacement(options) },
      ...{ distance: readLength('distance', distance), error: readErrorLimit(options) },
    };
    return askPair('contacts', request, () => refuseTargets('contacts'));
  }
  readErrorLimit(readKnown<ContactsOptions>('contacts', options, NAMES));
  const found = findContacts(a as Mesh, b as Mesh, options, MOST_PAIRS);
  if (found) return found;
  throw new ImpingeError(
    'out-of-memory',
    `contacts: the meshes meet in more than ${MOST_PAIRS} pairs of triangles`,
  );
}

/** The same for up to `most` pairs of triangles; undefined where there are more. */
export function findContacts(
  ofA: Mesh,
  ofB: Mesh,
  options: ContactsOptions,
  most: number,
): ContactsResult | undefined {
  const tolerance = readAtMost('tolerance', options.tolerance ?? 0);
  const measured = readChoice('depth', options.depth ?? true, [true, false]);
  if (tolerance > 0 && !measured) {
    throw new ImpingeError('bad-option', 'contacts: a tolerance needs depths, so depth: false excludes it');
  }
  requireKernel('contacts');
  const { a, b, poses } = rigidSides(ofA, ofB, options);
  const { bToA, aToWorld } = readPlacement(poses);
  const { pairs, stats, complete } = collidePlaced(a, b, bToA, most);
  if (!complete) return undefined;
  const pair = PlacedPair.ofMeshes(a, b, bToA);
  const solids = pair.a.parts.closed && pair.b.parts.closed;
  if (pairs.length === 0) {
    return { solids, regions: [], stats: { ...stats, pointTests: 0, depthEvaluations: 0 } };
  }
  const pieces = findPieces(pair, new SolidRelation(pair, meetingOfParts(pairs)), pairs);
  const depths = measured ? measureDepths(pair, pairs, pieces) : NOT_MEASURED;
  const facing = [orientationOf(a) || 1, orientationOf(b) || 1] as const;
  const toWorld = (x: number, y: number, z: number): Vec3 => {
    const out = [0, 0, 0] as [number, number, number];
    posePoint(aToWorld, x + a.origin[0], y + a.origin[1], z + a.origin[2], out, 0);
    return out;
  };
  const limits = { slack: pair.slack, tolerance };
  const regions = membersOf(pieces).map((own, region) =>
    describe(own, pairs, pieces, depths.regions[region] ?? UNKNOWN_DEPTH, facing, limits, toWorld, aToWorld),
  );
  const { evaluations: depthEvaluations, pointTests } = depths;
  return { solids, regions, stats: { ...stats, pointTests, depthEvaluations } };
}

function describe(
  own: readonly number[],
  pairs: Uint32Array,
  pieces: ContactPieces,
  deepest: Depth,
  facing: readonly [number, number],
  { slack, tolerance }: { readonly slack: number; readonly tolerance: number },
  toWorld: (x: number, y: number, z: number) => Vec3,
  aToWorld: RigidPose,
): ContactRegion {
  const { points } = pieces;
  const graph = new CurveGraph();
  let polygons = false;
  for (const pair of own) {
    const nodes = Array.from(pieces.nodes.subarray(pieces.first[pair], pieces.first[pair + 1]));
    if (nodes.length === 2) graph.addSegment(nodes[0], nodes[1]);
    else if (nodes.length > 2) {
      graph.addPolygon(nodes);
      polygons = true;
    }
  }
  const { curves, closed } = graph.curves();
  const lengths = curves.map((curve) => lengthOf(curve, points));
  const crosses = own.some((pair) => pieces.crossing[pair]) || deepest.depth > slack;
  const kind =
    crosses && !(tolerance > 0 && deepest.bound <= tolerance)
      ? 'crossing'
      : polygons
        ? 'coplanar'
        : 'touching';
  const [px, py, pz] =
    polygons && kind !== 'crossing'
      ? middleOfArea(own, pieces)
      : middleOfCurves(own, curves, lengths, pieces);
  const [nx, ny, nz] = pushDirection(own, pieces, facing, closed && kind === 'crossing');
  const normal: [number, number, number] = [0, 0, 0];
  const turn = aToWorld.slice();
  turn.fill(0, 9);
  posePoint(turn, nx, ny, nz, normal, 0);
  const innermost: [number, number, number] = [0, 0, 0];
  posePoint(aToWorld, ...deepest.point, innermost, 0);
  return {
    kind,
    pairs: Uint32Array.from(own.flatMap((pair) => [pairs[2 * pair], pairs[2 * pair + 1]])),
    count: own.length,
    curves: curves.map(({ nodes, closed: loop }) => ({
      points: Float64Array.from(
        nodes.flatMap((n) => [...toWorld(points[3 * n], points[3 * n + 1], points[3 * n + 2])]),
      ),
      closed: loop,
    })),
    closed,
    length: lengths.reduce((sum, length) => sum + length, 0),
    point: toWorld(px, py, pz),
    normal,
    depth: deepest.depth,
    depthBound: deepest.bound,
    deepest: deepest.depth > 0 ? innermost : undefined,
    box: boxOf(own, pieces, toWorld),
  };
}
