/**
 * Exact queries on a stored model, in any thread; one at a time. Objects are numbers, as in the store; coordinates and
 * lengths are in the store's unit.
 */
import type { StoredModel } from '@impinge/model';
import { ObjectCheck, Session } from '@impinge/model';
import { distance, hits, Mesh, type Vec3 } from 'impinge';
import type { AskedCheck } from '../../../cli/src/wire/report.js';
import { normalOf } from './angle.js';
import { CurveList, placedTriangle } from './contact-curve.js';
import { DraggedObject } from './dragged-object.js';
import { HeldLevels } from './held-levels.js';
import { LiveObject } from './live-object.js';
import { gapTo, poseOf } from './poses.js';
import type {
  Curve,
  DragAnswer,
  FreePlace,
  LiveAnswer,
  Nearest,
  SurfacePoint,
  WalkAnswer,
  WalkOptions,
  WayAnswer,
  WayQuestion,
} from './types.js';
import { Walker } from './walker.js';

export interface ExactModelOptions {
  /** Memory for geometry, in bytes. */
  readonly memory?: number;
}

const MEMORY = 160 * 2 ** 20;
/** Steps ahead for which geometry is prefetched. Pointers jump: more would fetch half the model. */
const HORIZON = 4;
/** How far the nearest object is looked for that is not too near, in errors. */
const NEXT = 20;
const MOST_SEGMENTS = 20_000;
/** A body closer to the ground than this share of its height stands on it. */
const GROUND = 1e-6;

export class ExactModel {
  readonly model: StoredModel;
  readonly #stored: HeldLevels;
  readonly #memory: number;
  /** Minimum z of the model. */
  readonly #lowest: number;
  #session: Session | undefined;
  /** The clash criteria; opened with the first moved object. */
  #check: ObjectCheck | undefined;
  #taken: DraggedObject | undefined;
  /** The same object, asked while it moves. */
  #live: LiveObject | undefined;
  /** No rule asks for a larger clearance. */
  #clearance = 0;
  #walker: Walker | undefined;

  constructor(model: StoredModel, { memory = MEMORY }: ExactModelOptions = {}) {
    this.model = model;
    this.#memory = memory;
    this.#stored = new HeldLevels(model, { memory });
    this.#lowest = this.#stored.box.min[2];
  }

  /** Peak memory so far. */
  get peakBytes(): number {
    return Math.max(this.#stored.stats.peakBytes, this.#session?.stats.peakBytes ?? 0);
  }

  /** The exact distance of two objects, and the closest points. */
  async distance(a: number, b: number): Promise<Nearest> {
    if (a === b) throw new Error('a distance needs two different objects');
    const found = await distance(this.#stored.select([a]), this.#stored.select([b]));
    if (!found.pointA || !found.pointB) throw new Error('one of the objects has no surface');
    return { object: b, distance: found.distance, pointA: found.pointA, pointB: found.pointB };
  }

  /** All objects within `clearance` of an object, the nearest first. */
  async around(object: number, clearance: number): Promise<readonly Nearest[]> {
    const others = this.#stored.select((other) => other !== object);
    const found = await hits(this.#stored.select([object]), others, { distance: clearance, mode: 'any' });
    return found.hits
      .map(({ objectB, bounds, pointA, pointB }) => ({
        object: objectB,
        distance: bounds[0],
        pointA,
        pointB,
      }))
      .sort((p, q) => p.distance - q.distance || p.object - q.object);
  }

  /** The curve in which two objects intersect, in at most `limit` segments. */
  async contactCurve(a: number, b: number, limit = MOST_SEGMENTS): Promise<Curve> {
    const [one, other] = [this.#stored.select([a]), this.#stored.select([b])];
    const list = new CurveList(limit);
    const near = gapTo(Float64Array.of(...other.box.min, ...other.box.max));
    await one.eachPart(near, 0, async (own) => {
      await other.eachPart(near, 0, (part) => {
        list.add(own.mesh, own.pose, part.mesh, part.pose);
        return 0;
      });
      return 0;
    });
    return list.curve();
  }

  /** The point on an object nearest to a point, such as one picked in a simplified picture. */
  async surface(object: number, near: Vec3): Promise<SurfacePoint> {
    const spot = Mesh.from({ positions: [...near, ...near, ...near], name: 'point' });
    const gap = gapTo(Float64Array.of(...near, ...near));
    let found: SurfacePoint | undefined;
    try {
      await this.#stored.select([object]).eachPart(gap, Infinity, ({ mesh, pose }, best) => {
        const met = distance(spot, mesh, { poseB: poseOf(pose), atMost: best });
        if (!met.pointB || (found && met.distance >= best)) return best;
        const triangle = placedTriangle(mesh, met.triangleB, pose);
        found = { object, point: met.pointB, normal: normalOf(triangle), triangle };
        return met.distance;
      });
    } finally {
      spot.dispose();
    }
    if (!found) throw new Error(`object ${object} has no surface`);
    return found;
  }

  /**
   * Starts moving an object and returns its pose: a rotation row by row and a translation. Another moved object is put
   * back first. `clearance` is the expected clearance of later moves. `asked` has the clash criteria and applies from
   * the first object on; by default, those of a check without options.
   */
  async take(object: number, clearance = 0, asked?: AskedCheck): Promise<Float64Array> {
    await this.putBack();
    this.#taken = await DraggedObject.take(
      this.#stored,
      this.model,
      await this.#criteria(asked),
      this.#moving(),
      object,
      clearance,
    );
    return this.model.pose(object).slice();
  }

  /** The edges of the zone of object a, by the rule with this name, around b. */
  async zone(a: number, b: number, rule: string, asked: AskedCheck): Promise<Curve> {
    const check = await this.#criteria(asked);
    return { segments: await check.zoneEdges(a, rule, b), complete: true };
  }

  /** Those of the first question hold. */
  async #criteria(asked: AskedCheck | undefined): Promise<ObjectCheck> {
    if (!this.#check) {
      this.#check = await ObjectCheck.open(this.model, { ...asked, memory: this.#memory });
      const rules = asked?.rules ?? [];
      this.#clearance = Math.max(asked?.clearance ?? 0, ...rules.map(({ clearance = 0 }) => clearance));
    }
    return this.#check;
  }

  /** Moves the object; distances below `clearance` count as violations. */
  async drag(pose: Float64Array, clearance: number): Promise<DragAnswer> {
    return { violations: await this.#dragged().moveTo(pose, clearance) };
  }

  /**
   * Moves the object and tells from levels what it is too near to, within an error. The exact place is that of the last
   * `drag`. The model must have levels.
   */
  async live(pose: Float64Array, clearance: number, error: number): Promise<LiveAnswer> {
    const { object } = this.#dragged();
    this.#live ??= new LiveObject(this.#stored, this.model, object, this.#memory);
    this.#dragged().pose = pose;
    const reach = Math.max(clearance, this.#clearance, NEXT * error);
    const near = (await this.#live.near(pose, reach, error)).map((one) => {
      const asked = this.#check!.clearanceOf(object, one.object);
      return { one, over: asked === undefined ? Infinity : one.bounds[0] - Math.max(asked, clearance) };
    });
    return {
      error,
      tooNear: near.filter(({ over }) => over <= 0).map(({ one }) => one),
      next: near.find(({ over }) => over > 0 && over < Infinity)?.one,
    };
  }

  /** Searches from the current place. Null: none found. Undefined: stopped by `stop`. */
  nearestFree(
    clearance: number,
    stop: () => Promise<boolean> = async () => false,
  ): Promise<FreePlace | null | undefined> {
    return this.#dragged().nearestFree(clearance, stop);
  }

  /** A way of the object that is moved, among everything else. Undefined: stopped by `stop`. */
  async way(
    question: WayQuestion,
    stop: () => Promise<boolean> = async () => false,
  ): Promise<WayAnswer | undefined> {
    const { object } = this.#dragged();
    // most models are shown without ever looking for a way
    const { findWay } = await import('./find-way.js');
    return findWay(this.#moving(), this.model, object, question, stop);
  }

  async putBack(): Promise<void> {
    this.#taken?.putBack(this.#moving());
    this.#taken = undefined;
    const live = this.#live;
    this.#live = undefined;
    await live?.dispose();
  }

  /**
   * Moves a body with its feet at one point towards another; it collides and slides. If it starts inside something, it
   * is moved to a free place nearby.
   */
  async walk(from: Vec3, towards: Vec3, options: WalkOptions): Promise<WalkAnswer> {
    const { radius, height } = options;
    if (this.#walker?.radius !== radius || this.#walker.height !== height) {
      this.#walker?.dispose();
      this.#walker = undefined;
      this.#walker = new Walker(this.#moving(), this.#stored, radius, height, from);
    }
    const taken = this.#taken?.placed;
    const also = taken?.meshes.map((mesh) => ({ ...taken, mesh, out: 0 })) ?? [];
    // a model without a ground ends at its lowest point
    const fall = Math.max(0, Math.min(options.fall ?? 0, from[2] - this.#lowest));
    const answer = await this.#walker.step(from, towards, { ...options, fall }, also);
    const onGround = fall < (options.fall ?? 0) && answer.at[2] - this.#lowest < GROUND * height;
    return { ...answer, standing: answer.standing || onGround };
  }

  async dispose(): Promise<void> {
    await this.putBack();
    this.#walker?.dispose();
    this.#walker = undefined;
    await this.#check?.dispose();
    await this.#session?.dispose();
    this.#session = undefined;
    await this.#stored.dispose();
  }

  /** The session for moving bodies, opened on first use. */
  #moving(): Session {
    // with levels, exact questions are about places where something rests
    const horizon = this.model.hasLevels ? 0 : HORIZON;
    this.#session ??= new Session(this.model, { memory: this.#memory, horizon });
    return this.#session;
  }

  #dragged(): DraggedObject {
    if (!this.#taken) throw new Error('no object is being moved');
    return this.#taken;
  }
}
