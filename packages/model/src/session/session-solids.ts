/** Where a body of a session meets what is around it, which way out, and how far. */
import { composePoses, type RigidPose, relativePose, type Vec3 } from 'impinge/internal/math/pose.js';
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { askPair } from 'impinge/internal/query/pair/near-pairs.js';
import type { ErrorLimit } from 'impinge/internal/query/pair/pair-request.js';
import type { PenetrationResult } from 'impinge/internal/query/solid/penetration.js';
import type { TargetContactsResult } from 'impinge/internal/query/solid/target-contacts.js';
import { isPieceTarget, pieceSide } from '../solid/piece-target.js';
import { targetContacts } from '../solid/target-contacts.js';
import { targetPenetration } from '../solid/target-penetration.js';
import type {
  Body,
  SessionContact,
  SessionContacts,
  SessionPart,
  SessionPenetration,
  SessionPenetrations,
  SessionPlace,
} from './session-body.js';

/** A target of the session, or another body. */
export interface Neighbour {
  readonly thing: SessionPart;
  /** To the world. */
  readonly pose: RigidPose;
  /** In the world. */
  readonly box: Float64Array;
  /** Of a target, which. */
  readonly number?: number;
  readonly body?: Body;
}

export function neighbourBody(body: Body): Neighbour {
  return { ...wholeOf(body), box: body.box, body };
}

function placeIn({ number, body }: Neighbour, object: number): SessionPlace {
  return { target: number, object: body ? undefined : object, body };
}

/** A body as one thing, and where that is in the world. */
function wholeOf({ whole: { thing, toBody }, pose }: Body): { thing: SessionPart; pose: RigidPose } {
  return { thing, pose: composePoses(pose, toBody) };
}

/** Who asks whom: the body is a, as in all its questions, so that targets remember one pair of them. */
function requestOf(body: Body, other: Pick<Neighbour, 'thing' | 'pose'>, error: ErrorLimit) {
  const { thing, pose } = wholeOf(body);
  const placed = { bToA: relativePose(pose, other.pose), aToWorld: pose };
  return { a: thing, b: other.thing, ...placed, error, mover: body };
}

export async function contactsOf(
  body: Body,
  { distance, error }: { readonly distance: number; readonly error: ErrorLimit },
  around: readonly Neighbour[],
): Promise<SessionContacts> {
  const box = body.box.slice();
  const regions: SessionContact[] = [];
  let most = 0;
  for (const other of around) {
    if (gapOfBoxes(box, 0, other.box, 0) > distance) continue;
    const request = { ...requestOf(body, other, error), distance };
    const found: TargetContactsResult = await askPair('contacts', request, targetContacts);
    most = Math.max(most, found.error);
    for (const { objectB, pairs, normal, bounds, box: own, point, depth } of found.regions) {
      const region = { count: pairs.length, bounds, box: own, point, normal: opposite(normal), depth };
      regions.push({ ...placeIn(other, objectB), ...region });
    }
  }
  return { regions, error: most };
}

/** Of the objects of each neighbour those that the body meets, `met`, and those that may hold it, or be held by it. */
export async function penetrationsOf(
  body: Body,
  error: ErrorLimit,
  around: readonly (Neighbour & { readonly met: readonly number[] })[],
): Promise<SessionPenetrations> {
  const box = body.box.slice();
  const overlaps: SessionPenetration[] = [];
  let most = 0;
  for (const other of around) {
    if (gapOfBoxes(box, 0, other.box, 0) > 0) continue;
    for (const { object, thing } of objectsAt(other, box)) {
      const request = requestOf(body, { thing, pose: other.pose }, error);
      const found: PenetrationResult = await askPair('penetration', request, targetPenetration);
      most = Math.max(most, found.error);
      if (!found.overlapping) continue;
      const { stats: _, ...rest } = found;
      overlaps.push({ ...placeIn(other, object), ...rest, direction: opposite(found.direction) });
    }
  }
  return { overlaps, error: most };
}

/** Each object of a target by itself: a body is not to be moved out of a whole plant. Another body is one thing. */
function objectsAt(
  { thing, body, met }: Neighbour & { readonly met: readonly number[] },
  box: Float64Array,
): { readonly object: number; readonly thing: SessionPart }[] {
  const side = pieceSide('penetration', thing);
  if (body || !isPieceTarget(side)) return [{ object: 0, thing }];
  const objects = [...new Set([...met, ...side.nestedWith(box)])].sort((p, q) => p - q);
  return objects.map((object) => ({ object, thing: side.objectTarget(object) }));
}

/** What gets the other out of the body, turned round, gets the body out of the other. */
function opposite([x, y, z]: Vec3): Vec3 {
  return [0 - x, 0 - y, 0 - z];
}
