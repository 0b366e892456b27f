/** What a body of a session meets, and what is nearest to it. */
import { IDENTITY, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { closestWithin, distancePlaced } from 'impinge/internal/query/pair/distance.js';
import { HitList, type OpenHit } from 'impinge/internal/query/pair/hit-list.js';
import { hitsOfParts } from 'impinge/internal/query/pair/hits.js';
import { askPair } from 'impinge/internal/query/pair/near-pairs.js';
import type { ErrorLimit } from 'impinge/internal/query/pair/pair-request.js';
import type { Hit } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import type {
  Body,
  SessionDistance,
  SessionHit,
  SessionHits,
  SessionPart,
  SessionPlace,
  SessionQuestion,
} from './session-body.js';
import type { SessionModel } from './session-model.js';

/** A target of the session that is no stored model: which it is, and its box. */
export interface OtherTarget {
  readonly thing: PartsTarget;
  readonly number: number;
  readonly box: Float64Array;
}

/** What may be near a body. */
interface Surroundings<Stored> {
  readonly stored: readonly Stored[];
  readonly others: readonly OtherTarget[];
  readonly bodies: readonly Body[];
}

const STILL = IDENTITY as RigidPose;

/** What a body meets or comes near, of placed pieces, other targets and bodies that may be near it. */
export async function hitsOf(
  body: Body,
  question: SessionQuestion,
  around: Surroundings<{ readonly stored: SessionModel; readonly placed: readonly number[] }>,
): Promise<SessionHits> {
  const { distance, mode } = question;
  const { pose, parts: things } = body;
  const box = body.box.slice();
  const inTargets = new HitList();
  const among = new HitList();
  let error = 0;
  const askTargets = async (other: SessionPart, to: RigidPose, hitOf: (object: number) => OpenHit) => {
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) {
      const request = { a: own, b: other, ...placed, ...question, mover: body };
      const found = await askPair('hits', request, hitsOfParts);
      error = Math.max(error, found.error);
      for (const hit of found.hits) hitOf(hit.objectB).add(hit);
    }
  };
  const meet = (other: SessionPart, to: RigidPose, hitOf: (object: number) => OpenHit) => {
    if (!(other instanceof Mesh && areMeshes(things))) return askTargets(other, to, hitOf);
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) hitOf(0).addMeshes(own, other, placed, question, inTargets.stats);
    return undefined;
  };
  for (const { stored, placed: nearby } of around.stored) {
    const { placed, cache, model, number } = stored;
    const wanted = stored.shownWithin(box, distance, nearby);
    const pieces = [...new Set(wanted.map((one) => placed.pieceOf(one)))];
    await cache.acquire(pieces);
    try {
      for (const one of wanted) {
        const object = placed.objectOf[one];
        const mesh = cache.mesh(placed.pieceOf(one));
        const asking = meet(mesh, model.pose(object), () => inTargets.of(number, object));
        if (asking) await asking;
      }
    } finally {
      cache.release(pieces);
    }
  }
  for (const { thing, number, box: itsBox } of around.others) {
    if (gapOfBoxes(box, 0, itsBox, 0) > distance) continue;
    await meet(thing, STILL, (object) => inTargets.of(number, object));
  }
  for (const [i, other] of around.bodies.entries()) {
    if (gapOfBoxes(box, 0, other.box, 0) > distance) continue;
    for (const thing of other.parts) await meet(thing, other.pose, () => among.of(0, i));
  }
  const hits = [
    ...inTargets
      .result(mode, 0)
      .hits.map((hit) => sessionHit(hit, { target: hit.objectA, object: hit.objectB, body: undefined })),
    ...among
      .result(mode, 0)
      .hits.map((hit) => sessionHit(hit, { ...NOWHERE, body: around.bodies[hit.objectB] })),
  ];
  return { count: hits.length, hits, complete: mode === 'all' || hits.length === 0, error };
}

function sessionHit({ count, bounds, pointA, pointB }: Hit, place: SessionPlace): SessionHit {
  return { ...place, count, bounds, pointA, pointB };
}

function areMeshes(things: readonly SessionPart[]): things is readonly Mesh[] {
  return things.every((thing) => thing instanceof Mesh);
}

const NOWHERE = { target: undefined, object: undefined, body: undefined };

/** The nearest of everything, no farther than `atMost`. */
export async function nearestTo(
  body: Body,
  atMost: number,
  error: ErrorLimit,
  { stored, others, bodies }: Surroundings<SessionModel>,
): Promise<SessionDistance> {
  const { pose, parts: things } = body;
  const box = body.box.slice();
  let best: Omit<SessionDistance, 'bounds' | 'error'> = {
    ...NOWHERE,
    ...{ distance: Infinity, pointA: undefined, pointB: undefined },
  };
  // of what was looked at: none is nearer than `lower`, and one no farther than `upper`
  let lower = Infinity;
  let upper = Infinity;
  let most = 0;
  const bound = () => Math.min(atMost, upper);
  const measure = async (other: SessionPart, to: RigidPose, placeOf: (object: number) => SessionPlace) => {
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) {
      const request = { a: own, b: other, ...placed, atMost: bound(), error, mover: body };
      const found =
        own instanceof Mesh && other instanceof Mesh
          ? distancePlaced(own, other, placed, bound())
          : await askPair('closest', request, closestWithin);
      most = Math.max(most, found.error);
      if (!found.pointA) continue;
      lower = Math.min(lower, found.bounds[0]);
      upper = Math.min(upper, found.bounds[1]);
      if (!(found.distance < best.distance)) continue;
      const { distance, pointA, pointB, objectB = 0 } = found;
      best = { ...placeOf(objectB), distance, pointA, pointB };
    }
  };
  for (const other of bodies) {
    if (gapOfBoxes(box, 0, other.box, 0) > bound()) continue;
    for (const thing of other.parts) await measure(thing, other.pose, () => ({ ...NOWHERE, body: other }));
  }
  for (const one of stored) {
    const { placed, cache, model, number } = one;
    for (const { placed: near, gap } of placed.near(box, bound())) {
      if (gap > bound()) break;
      const object = placed.objectOf[near];
      if (one.isHidden(object)) continue;
      const piece = placed.pieceOf(near);
      await cache.acquire([piece]);
      try {
        await measure(cache.mesh(piece), model.pose(object), () => ({ ...NOWHERE, target: number, object }));
      } finally {
        cache.release([piece]);
      }
    }
  }
  for (const { thing, number, box: itsBox } of others) {
    if (gapOfBoxes(box, 0, itsBox, 0) > bound()) continue;
    await measure(thing, STILL, (object) => ({ ...NOWHERE, target: number, object }));
  }
  const bounds = best.pointA ? ([lower, upper] as const) : ([atMost, Infinity] as const);
  return { ...best, bounds, error: most };
}
