/**
 * Rays against what has parts: these are asked in the order in which a ray enters their boxes, until what was met lies
 * before the next.
 */
import { arena } from '../../base/arena.js';
import { RIGID } from '../../math/linear-map.js';
import { invertPose, type RigidPose } from '../../math/pose.js';
import {
  inTurn,
  placeColumns,
  type Target,
  type TargetPart,
  type TargetParts,
  thenOf,
  whenVisited,
} from '../target.js';
import type { RayAsk } from './asked.js';
import { castAll, castFirst, compareHits, type Hit, readHit } from './cast.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { castStretched } from './cast-stretched.js';
import { type BriefHit, hitColumns, type RayHits } from './hit-columns.js';
import { Mode } from './layout.generated.js';
import { NO_TRIANGLE, RayBlock } from './ray-block.js';
import { entersBox } from './ray-box.js';
import { type Ray, type RayMode, type Rays, readRays, WORLD, writeIn, writeOne } from './ray-input.js';

/** All hits, or the first or any if there is one; at the same distance, parts are in their order. */
export function castParts(
  target: Pick<TargetParts, 'eachPart'>,
  ray: Ray,
  ask: RayAsk,
): RayHit<Target>[] | Promise<RayHit<Target>[]> {
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD.local, WORLD.origin, numbers, 0);
  const line = { origin: numbers.subarray(0, 3), direction: numbers.subarray(3, 6) };
  const met = hitsAlong(target, numbers, ask, (part, atMost) => {
    const own = { ...ask, atMost };
    return castOdd(part, numbers, own) ?? castMesh(part.mesh, line, own, part.pose);
  });
  return thenOf(met, (hits) => hits.map(({ place, hit }) => ({ ...hit, ...place }) as RayHit<Target>));
}

/** The same for many rays. */
export function castPartsMany(
  target: Pick<TargetParts, 'eachPart'>,
  rays: Rays,
  ask: RayAsk,
): RayHits<Target, RayMode> | Promise<RayHits<Target, RayMode>> {
  const { count, write } = readRays(rays, ask);
  // checked and copied before anything is waited for
  const numbers = new Float64Array(8 * count);
  for (let i = 0; i < count; i++) write(i, WORLD, numbers, 8 * i);
  const caster = new PartCaster(ask);
  const starts = new Uint32Array(count + 1);
  const found: (Met<BriefHit> | undefined)[] = [];
  const asked = inTurn(count, (i) => {
    const ray = numbers.subarray(8 * i, 8 * i + 8);
    return thenOf(hitsAlong(target, ray, ask, caster.along(ray)), (hits) => {
      if (ask.mode === Mode.all) for (const hit of hits) found.push(hit);
      else found.push(hits[0]);
      starts[i + 1] = found.length;
    });
  });
  return thenOf(asked, () => {
    const places = placeColumns(
      target,
      found.map((one) => one?.place),
    );
    const out = { ...hitColumns(found.map((one) => one?.hit)), ...places };
    return (ask.mode === Mode.all ? { ...out, starts } : out) as RayHits<Target, RayMode>;
  });
}

/** A part, and how it was met. */
interface Met<One> extends Pick<TargetPart, 'slot' | 'place'> {
  readonly hit: One;
}

/** What a ray (eight numbers) meets, in order; `castOne` says what it meets of a part up to a distance. */
function hitsAlong<One extends { readonly distance: number; readonly triangle: number }>(
  target: Pick<TargetParts, 'eachPart'>,
  ray: Float64Array,
  { mode, atMost }: RayAsk,
  castOne: (part: TargetPart, atMost: number) => readonly One[],
): Met<One>[] | Promise<Met<One>[]> {
  const met: Met<One>[] = [];
  const enters = (boxes: Float64Array, at: number) => entersBox(ray, boxes, at);
  const visited = target.eachPart(enters, Math.min(atMost, ray[7]), (part, limit) => {
    let most = limit;
    for (const hit of castOne(part, limit)) {
      met.push({ slot: part.slot, place: part.place, hit });
      if (mode === Mode.any) return -1;
      if (mode === Mode.first) most = Math.min(most, hit.distance);
    }
    return most;
  });
  return whenVisited(visited, () => met.sort((p, q) => compareHits(p.hit, q.hit, p.slot - q.slot)));
}

/** What a ray in the world meets of a primitive or a stretched mesh; undefined: the part is neither. */
function castOdd(part: TargetPart, ray: Float64Array, ask: RayAsk): RayHit[] | undefined {
  const { primitive, pose, stretch = RIGID } = part;
  if (!primitive) return stretch.rigid ? undefined : castStretched(part.mesh, ray, ask, pose);
  const { faces, atLeast, atMost } = ask;
  const met = primitive.crossings(pose, ray).filter(({ distance, back }) => {
    return distance >= atLeast && distance <= atMost && (faces === 0 || (faces === 2) === back);
  });
  // its one triangle is 0, with the weight on its first corner
  const hits = met.map((hit) => ({ ...hit, triangle: 0, barycentrics: [1, 0, 0] as const }));
  return ask.mode === Mode.all ? hits : hits.slice(0, 1);
}

/** Many rays against one part after the other, without more than the numbers of each hit. */
class PartCaster {
  readonly #ask: RayAsk;
  /** From the world to the frames of parts, by slot. */
  readonly #local = new Map<number, RigidPose>();

  constructor(ask: RayAsk) {
    this.#ask = ask;
  }

  along(ray: Float64Array): (part: TargetPart, atMost: number) => BriefHit[] {
    return (part, atMost) =>
      castOdd(part, ray, { ...this.#ask, atMost })?.map(({ distance, triangle, barycentrics: [, u, v] }) => ({
        distance,
        triangle,
        u,
        v,
      })) ?? this.#cast(part, ray, atMost);
  }

  #cast({ mesh, pose, slot }: TargetPart, ray: Float64Array, atMost: number): BriefHit[] {
    const { mode, faces } = this.#ask;
    let local = this.#local.get(slot);
    if (!local) this.#local.set(slot, (local = invertPose(pose)));
    const block = RayBlock.take();
    try {
      const at = block.rays >>> 3;
      const doubles = arena().f64();
      writeIn(ray, local, mesh.origin, doubles, at);
      doubles[at + 7] = Math.min(ray[7], atMost);
      if (mode === Mode.all) {
        const hits: Hit[] = [];
        castAll(mesh, block, faces, hits);
        return hits;
      }
      castFirst(mesh, block, 1, mode, faces);
      const hit = readHit(block, 0);
      return hit.triangle === NO_TRIANGLE ? [] : [hit];
    } finally {
      block.release();
    }
  }
}
