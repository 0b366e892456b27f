/** What a body of a session meets, and what is nearest to it. */
import { IDENTITY, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import { type ErrorLimit, engineOf, type Hit, type QueryEngine } from 'impinge/internal/query/pair/engine.js';
import { HitList, type OpenHit } from 'impinge/internal/query/pair/hit-list.js';
import type { DistanceResult } from 'impinge/internal/query/pair/results.js';
import type {
  Body,
  SessionDistance,
  SessionHit,
  SessionPart,
  SessionPlace,
  SessionQuestion,
  SessionResult,
} from './session-body.js';
import type { StoredWorld } from './stored-world.js';

/** An engine in the world, which of the worlds it is, and its box. */
export interface EngineWorld {
  readonly engine: QueryEngine;
  readonly number: number;
  readonly box: Float64Array;
}

/** What may be near a body. */
interface Surroundings<Stored> {
  readonly stored: readonly Stored[];
  readonly engines: readonly EngineWorld[];
  readonly bodies: readonly Body[];
}

const STILL = IDENTITY as RigidPose;

/** What a body meets or comes near, of placed pieces, engines and bodies that may be near it. */
export async function hitsOf(
  body: Body,
  question: SessionQuestion,
  around: Surroundings<{ readonly world: StoredWorld; readonly placed: readonly number[] }>,
): Promise<SessionResult> {
  const { distance, mode } = question;
  const { pose, parts: things } = body;
  const box = body.box.slice();
  const inWorld = new HitList();
  const among = new HitList();
  let error = 0;
  const askEngines = async (other: SessionPart, to: RigidPose, hitOf: (object: number) => OpenHit) => {
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) {
      const found = await engineOf(own, other)!.hits({
        ...{ a: own, b: other, ...placed, ...question },
        mover: body,
      });
      error = Math.max(error, found.error);
      for (const hit of found.hits) hitOf(hit.objectB).add(hit);
    }
  };
  const meet = (other: SessionPart, to: RigidPose, hitOf: (object: number) => OpenHit) => {
    if (!(other instanceof Mesh && areMeshes(things))) return askEngines(other, to, hitOf);
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) hitOf(0).addMeshes(own, other, placed, question, inWorld.stats);
    return undefined;
  };
  for (const { world, placed: nearby } of around.stored) {
    const { placed, cache, model, number } = world;
    const wanted = nearby.filter(
      (one) => !world.isHidden(placed.objectOf[one]) && placed.gap(box, one) <= distance,
    );
    wanted.sort((p, q) => p - q);
    const pieces = [...new Set(wanted.map((one) => placed.pieceOf(one)))];
    await cache.acquire(pieces);
    try {
      for (const one of wanted) {
        const object = placed.objectOf[one];
        const mesh = cache.mesh(placed.pieceOf(one));
        const asking = meet(mesh, model.pose(object), () => inWorld.of(number, object));
        if (asking) await asking;
      }
    } finally {
      cache.release(pieces);
    }
  }
  for (const { engine, number, box: boxOfEngine } of around.engines) {
    if (gapOfBoxes(box, 0, boxOfEngine, 0) > distance) continue;
    await meet(engine, STILL, (object) => inWorld.of(number, object));
  }
  for (const [i, other] of around.bodies.entries()) {
    if (gapOfBoxes(box, 0, other.box, 0) > distance) continue;
    for (const thing of other.parts) await meet(thing, other.pose, () => among.of(0, i));
  }
  const hits = [
    ...inWorld
      .result(mode, 0)
      .hits.map((hit) => sessionHit(hit, { world: hit.objectA, object: hit.objectB, body: undefined })),
    ...among
      .result(mode, 0)
      .hits.map((hit) => sessionHit(hit, { ...NOWHERE, body: around.bodies[hit.objectB] })),
  ];
  return { count: hits.length, hits, complete: mode === 'all' || hits.length === 0, error };
}

function sessionHit({ count, bounds, pointA, pointB }: Hit, place: SessionPlace): SessionHit {
  return { ...place, count, bounds, pointBody: pointA, pointOther: pointB };
}

function areMeshes(things: readonly SessionPart[]): things is readonly Mesh[] {
  return things.every((thing) => thing instanceof Mesh);
}

const NOWHERE = { world: undefined, object: undefined, body: undefined };

/** The nearest of everything, no farther than `atMost`. */
export async function nearestTo(
  body: Body,
  atMost: number,
  error: ErrorLimit,
  { stored, engines, bodies }: Surroundings<StoredWorld>,
): Promise<SessionDistance> {
  const { pose, parts: things } = body;
  const box = body.box.slice();
  let best: Omit<SessionDistance, 'bounds' | 'error'> = {
    ...NOWHERE,
    ...{ distance: Infinity, pointBody: undefined, pointOther: undefined },
  };
  // of what was looked at: none is nearer than `lower`, and one no farther than `upper`
  let lower = Infinity;
  let upper = Infinity;
  let most = 0;
  const bound = () => Math.min(atMost, upper);
  const measure = async (other: SessionPart, to: RigidPose, placeOf: (object: number) => SessionPlace) => {
    const placed = { bToA: relativePose(pose, to), aToWorld: pose };
    for (const own of things) {
      const found =
        own instanceof Mesh && other instanceof Mesh
          ? exactly(distancePlaced(own, other, placed, bound()))
          : await engineOf(own, other)!.closest({
              ...{ a: own, b: other, ...placed, atMost: bound(), error },
              mover: body,
            });
      most = Math.max(most, found.error);
      if (!found.pointA) continue;
      lower = Math.min(lower, found.bounds[0]);
      upper = Math.min(upper, found.bounds[1]);
      if (!(found.distance < best.distance)) continue;
      const { distance, pointA: pointBody, pointB: pointOther } = found;
      best = { ...placeOf(found.objectB), distance, pointBody, pointOther };
    }
  };
  for (const other of bodies) {
    if (gapOfBoxes(box, 0, other.box, 0) > bound()) continue;
    for (const thing of other.parts) await measure(thing, other.pose, () => ({ ...NOWHERE, body: other }));
  }
  for (const world of stored) {
    const { placed, cache, model, number } = world;
    for (const { placed: one, gap } of placed.near(box, bound())) {
      if (gap > bound()) break;
      const object = placed.objectOf[one];
      if (world.isHidden(object)) continue;
      const piece = placed.pieceOf(one);
      await cache.acquire([piece]);
      try {
        await measure(cache.mesh(piece), model.pose(object), () => ({ ...NOWHERE, world: number, object }));
      } finally {
        cache.release([piece]);
      }
    }
  }
  for (const { engine, number, box: boxOfEngine } of engines) {
    if (gapOfBoxes(box, 0, boxOfEngine, 0) > bound()) continue;
    await measure(engine, STILL, (object) => ({ ...NOWHERE, world: number, object }));
  }
  const bounds = best.pointBody ? ([lower, upper] as const) : ([atMost, Infinity] as const);
  return { ...best, bounds, error: most };
}

function exactly(found: DistanceResult) {
  return { ...found, bounds: [found.distance, found.distance] as const, objectB: 0 };
}
