/** Everything the engine answers, over a stored model, in whatever thread it is. One question at a time. */
import type { StoredModel } from '@impinge/model';
import { ObjectCheck, Session, StoredTarget } from '@impinge/model';
import type { Vec3 } from 'impinge';
import type { AskedCheck } from '../../../cli/src/wire/report.js';
import { DraggedObject } from './dragged-object.js';
import { curveOf, distanceOf, surfaceNear, within } from './measure.js';
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

export interface ModelEngineOptions {
  /** Bytes for the geometry in memory. */
  readonly memory?: number;
}

const MEMORY = 160 * 2 ** 20;
/** Steps ahead for which geometry is fetched. Pointers jump: more would fetch half the model. */
const HORIZON = 4;
const MOST_SEGMENTS = 20_000;
/** What is this share of the body's height above the ground is on it. */
const GROUND = 1e-6;

export class ModelEngine {
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

  constructor(model: StoredModel, { memory = MEMORY }: ModelEngineOptions = {}) {
    this.model = model;
    this.#memory = memory;
    this.#stored = new StoredTarget(model, { memory });
    this.#lowest = this.#stored.box.min[2];
  }

  /** The largest extent of the memory so far. */
  get peakBytes(): number {
    return Math.max(this.#stored.stats.peakBytes, this.#session?.stats.peakBytes ?? 0);
  }

  distance(a: number, b: number): Promise<Nearest> {
    return distanceOf(this.#stored, a, b);
  }

  around(object: number, clearance: number): Promise<readonly Nearest[]> {
    return within(this.#stored, object, clearance);
  }

  contactCurve(a: number, b: number, limit = MOST_SEGMENTS): Promise<Curve> {
    return curveOf(this.#stored, a, b, limit);
  }

  surface(object: number, near: Vec3): Promise<SurfacePoint> {
    return surfaceNear(this.#stored, object, near);
  }

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

  async drag(pose: Float64Array, clearance: number): Promise<DragAnswer> {
    const start = performance.now();
    const violations = await this.#dragged().moveTo(pose, clearance);
    return { violations, milliseconds: performance.now() - start };
  }

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

  async walk(from: Vec3, towards: Vec3, options: WalkOptions): Promise<WalkAnswer> {
    const start = performance.now();
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
    const standing = answer.standing || onGround;
    return { ...answer, standing, milliseconds: performance.now() - start };
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
