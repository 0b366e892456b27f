/**
 * Exact answers about a stored model, in whatever thread it is; one question at a time. Objects are numbers, as in the
 * store; coordinates and lengths are the store's, in its unit.
 */
import type { StoredModel } from '@impinge/model';
import { ObjectCheck, Session, StoredTarget } from '@impinge/model';
import { distance, hits, Mesh, type Vec3 } from 'impinge';
import type { AskedCheck } from '../../../cli/src/wire/report.js';
import { normalOf } from './angle.js';
import { CurveList, placedTriangle } from './contact-curve.js';
import { DraggedObject } from './dragged-object.js';
import { gapTo, poseOf } from './poses.js';
import type {
  Curve,
  DragAnswer,
  FreePlace,
  Nearest,
  SurfacePoint,
  WalkAnswer,
  WalkOptions,
} from './types.js';
import { Walker } from './walker.js';

export interface ExactModelOptions {
  /** Bytes for the geometry in memory. */
  readonly memory?: number;
}

const MEMORY = 160 * 2 ** 20;
/** Steps ahead for which geometry is fetched. Pointers jump: more would fetch half the model. */
const HORIZON = 4;
const MOST_SEGMENTS = 20_000;
/** What is this share of the body's height above the ground is on it. */
const GROUND = 1e-6;

export class ExactModel {
  readonly model: StoredModel;
  readonly #stored: StoredTarget;
  readonly #memory: number;
  /** Of all objects. */
  readonly #lowest: number;
  #session: Session | undefined;
  /** What is a clash; known when something is first moved. */
  #check: ObjectCheck | undefined;
  #taken: DraggedObject | undefined;
  #walker: Walker | undefined;

  constructor(model: StoredModel, { memory = MEMORY }: ExactModelOptions = {}) {
    this.model = model;
    this.#memory = memory;
    this.#stored = new StoredTarget(model, { memory });
    this.#lowest = this.#stored.box.min[2];
  }

  /** The largest extent of the memory so far. */
  get peakBytes(): number {
    return Math.max(this.#stored.stats.peakBytes, this.#session?.stats.peakBytes ?? 0);
  }

  /** The exact distance of two objects, and where. */
  async distance(a: number, b: number): Promise<Nearest> {
    if (a === b) throw new Error('a distance needs two different objects');
    const found = await distance(this.#stored.select([a]), this.#stored.select([b]));
    if (!found.pointA || !found.pointB) throw new Error('one of the objects has no surface');
    return { object: b, distance: found.distance, pointA: found.pointA, pointB: found.pointB };
  }

  /** Everything within `clearance` of an object, the nearest first. */
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

  /** The curve in which two objects meet, in at most `limit` segments. */
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

  /** The place on an object nearest to a point, such as one that was picked in a simplified picture. */
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
   * Begins to move an object, and says where it is: a rotation row by row and a translation. One at a time: what was
   * taken before is put back. `clearance` is the one that moves will probably be asked about. `asked` says what a clash
   * is, and holds from the first object on; without it, what a check without options finds.
   */
  async take(object: number, clearance = 0, asked?: AskedCheck): Promise<Float64Array> {
    this.putBack();
    this.#check ??= await ObjectCheck.open(this.model, { ...asked, memory: this.#memory });
    this.#taken = await DraggedObject.take(
      this.#stored,
      this.model,
      this.#check,
      this.#moving(),
      object,
      clearance,
    );
    return this.model.pose(object).slice();
  }

  /** It is there now; what is closer than `clearance` counts, too. */
  async drag(pose: Float64Array, clearance: number): Promise<DragAnswer> {
    return { violations: await this.#dragged().moveTo(pose, clearance) };
  }

  /** From where it is now. Null: none was found. Undefined: `stop` said so. */
  nearestFree(
    clearance: number,
    stop: () => Promise<boolean> = async () => false,
  ): Promise<FreePlace | null | undefined> {
    return this.#dragged().nearestFree(clearance, stop);
  }

  putBack(): void {
    this.#taken?.putBack(this.#moving());
    this.#taken = undefined;
  }

  /**
   * A body with its feet at one point goes towards another, cannot pass through things, and slides along them. Where it
   * begins in something it is put to a free place near.
   */
  async walk(from: Vec3, towards: Vec3, options: WalkOptions): Promise<WalkAnswer> {
    const { radius, height } = options;
    if (this.#walker?.radius !== radius || this.#walker.height !== height) {
      this.#walker?.dispose();
      this.#walker = undefined;
      this.#walker = new Walker(this.#moving(), radius, height, from);
    }
    const taken = this.#taken?.placed;
    const also = taken?.meshes.map((mesh) => ({ object: taken.object, mesh, pose: taken.pose })) ?? [];
    // the ground of a model that has none is where it ends
    const fall = Math.max(0, Math.min(options.fall ?? 0, from[2] - this.#lowest));
    const answer = await this.#walker.step(from, towards, { ...options, fall }, also);
    const onGround = fall < (options.fall ?? 0) && answer.at[2] - this.#lowest < GROUND * height;
    return { ...answer, standing: answer.standing || onGround };
  }

  async dispose(): Promise<void> {
    this.putBack();
    this.#walker?.dispose();
    this.#walker = undefined;
    await this.#check?.dispose();
    await this.#session?.dispose();
    this.#session = undefined;
    await this.#stored.dispose();
  }

  /** The session in which things move: made when something first does. */
  #moving(): Session {
    this.#session ??= new Session(this.model, { memory: this.#memory, horizon: HORIZON });
    return this.#session;
  }

  #dragged(): DraggedObject {
    if (!this.#taken) throw new Error('no object is being moved');
    return this.#taken;
  }
}
