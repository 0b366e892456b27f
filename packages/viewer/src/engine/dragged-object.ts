/**
 * An object that is moved about in its model, and what it violates where it is. Surfaces are compared exactly; closed
 * objects also as solids, so that one inside another is no free place.
 */
import {
  distance,
  type Mesh,
  type Session,
  type SessionBody,
  type SessionSurroundings,
  type StoredEngine,
  type Vec3,
} from 'impinge';
import type { StoredModel } from 'impinge/store';
import { normalOf, unit } from './angle.js';
import { CurveList, NO_CURVE, placedTriangle } from './contact-curve.js';
import { type Direction, findFree } from './free-place.js';
import { heldBy, holdersOf, type Inside, type MovedObject, objectsNear } from './insides.js';
import { within } from './measure.js';
import { boxOf, poseOf, shifted } from './poses.js';
import type { FreePlace, Violation } from './types.js';

/** Segments of curves: of one violation, and of all that are shown at a time. */
const SEGMENTS_EACH = 128;
const SEGMENTS_IN_ALL = 768;
/** Free places are looked for this many diagonals of the object away, and the clearance. */
const REACH = 1.5;
/** Directions off the contacts that are tried. */
const MOST_NORMALS = 12;

export class DraggedObject {
  readonly object: number;
  readonly #engine: StoredEngine;
  readonly #model: StoredModel;
  readonly #body: SessionBody;
  #clearance = Number.NaN;
  #before: ReadonlySet<number> = new Set();
  /** Where things were violated last, and which way leads off them. */
  #normals: Direction[] = [];

  private constructor(engine: StoredEngine, model: StoredModel, object: number, body: SessionBody) {
    this.object = object;
    this.#engine = engine;
    this.#model = model;
    this.#body = body;
  }

  static async take(
    engine: StoredEngine,
    model: StoredModel,
    session: Session,
    object: number,
    clearance: number,
  ): Promise<DraggedObject> {
    const taken = new DraggedObject(engine, model, object, await session.take(object));
    try {
      // what is asked first where it is stored is at hand, and compiled, when it is moved
      await taken.moveTo(model.pose(object).slice(), clearance);
    } catch (error) {
      taken.putBack(session);
      throw error;
    }
    return taken;
  }

  /** Its parts and where they are. */
  get placed(): MovedObject {
    const meshes = this.#body.parts as readonly Mesh[]; // an object of a stored model is made of meshes
    return { object: this.object, meshes, pose: this.#body.pose };
  }

  putBack(session: Session): void {
    this.#body.remove();
    session.show(this.object);
  }

  /** Everything that it meets there, lies in, holds, or comes within the clearance of. */
  async moveTo(pose: Float64Array, clearance: number): Promise<readonly Violation[]> {
    this.#body.move(poseOf(pose));
    if (clearance !== this.#clearance) await this.#lookBack(clearance);
    const { hits } = await this.#body.within({ distance: clearance, mode: 'any' });
    const near = hits.filter((hit) => hit.object !== undefined);
    const met = new Set(near.filter(({ bounds }) => bounds[0] === 0).map((hit) => hit.object!));
    this.#normals = [];
    const around = await this.#body.around();
    try {
      const curves = this.#curvesOf(around.pieces, met);
      const inside = await this.#insides(around.pieces, met);
      const held = new Set(inside.map(({ object }) => object));
      const violations = [
        ...near
          .filter((hit) => !held.has(hit.object!))
          .map((hit): Violation => {
            const object = hit.object!;
            const meets = met.has(object);
            if (!meets) {
              this.#addNormal(difference(hit.pointBody, hit.pointOther), clearance - hit.bounds[0]);
            }
            return {
              ...{ object, kind: meets ? 'meets' : 'too near', distance: hit.bounds[0] },
              ...{ point: hit.pointBody, pointOther: hit.pointOther, before: this.#before.has(object) },
              curve: curves.get(object)?.curve() ?? NO_CURVE,
            };
          }),
        ...inside.map(({ object, point }): Violation => {
          const where = { point, pointOther: point, before: this.#before.has(object) };
          return { object, kind: 'inside', distance: 0, ...where, curve: NO_CURVE };
        }),
      ];
      return violations.sort((p, q) => p.distance - q.distance || p.object - q.object);
    } finally {
      around.dispose();
    }
  }

  /** A short move that frees it of everything; `stop` is asked now and then whether to go on. */
  async nearestFree(clearance: number, stop: () => Promise<boolean>): Promise<FreePlace | null | undefined> {
    const { meshes, pose } = this.placed;
    const box = boxOf(meshes, pose);
    const reach = clearance + REACH * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    const axes = [0, 1, 2].flatMap((k): Vec3[] => {
      const world: [number, number, number] = [0, 0, 0];
      world[k] = 1;
      return [world, [pose[k], pose[3 + k], pose[6 + k]]];
    });
    const directions = [
      ...this.#normals,
      ...axes.flatMap(([x, y, z]): Direction[] => [
        { way: [x, y, z], start: 0 },
        { way: [-x, -y, -z], start: 0 },
      ]),
    ];
    const nearby = objectsNear(this.#model, box, reach + clearance);
    const others = this.#engine.select(nearby.filter((other) => other !== this.object));
    const isFree = async (move: Vec3): Promise<boolean> => {
      const there = { object: this.object, meshes, pose: shifted(pose, move) };
      const at = boxOf(meshes, there.pose);
      for await (const part of others.parts(at, () => clearance)) {
        const poses = { poseA: poseOf(there.pose), poseB: poseOf(part.pose) };
        for (const mesh of meshes) {
          if (distance(mesh, part.mesh, { ...poses, atMost: clearance }).pointA) return false;
        }
        if (!this.#model.isClosed(this.object)) continue;
        if ((await heldBy(this.#engine, this.#model, there, [part], new Set())).length > 0) return false;
      }
      return (await holdersOf(this.#engine, this.#model, there, new Set())).length === 0;
    };
    return findFree(isFree, directions, reach, stop);
  }

  /** What was violated where it is stored. */
  async #lookBack(clearance: number): Promise<void> {
    const near = await within(this.#engine, this.object, clearance);
    const before = new Set(near.map(({ object }) => object));
    const pose = this.#model.pose(this.object);
    const stored = { ...this.placed, pose };
    const holders = await holdersOf(this.#engine, this.#model, stored, before);
    for (const { object } of holders) before.add(object);
    this.#before = before;
    this.#clearance = clearance;
  }

  #curvesOf(pieces: SessionSurroundings['pieces'], met: ReadonlySet<number>): Map<number, CurveList> {
    const { meshes, pose } = this.placed;
    const each = Math.max(1, Math.min(SEGMENTS_EACH, Math.floor(SEGMENTS_IN_ALL / Math.max(1, met.size))));
    const curves = new Map([...met].map((object) => [object, new CurveList(each)]));
    for (const piece of pieces) {
      for (const mesh of meshes) {
        const pair = curves.get(piece.object)?.add(mesh, pose, piece.mesh, piece.pose);
        if (!pair) continue;
        const [x, y, z] = normalOf(placedTriangle(piece.mesh, pair[1], piece.pose));
        this.#addNormal([x, y, z], 0);
        this.#addNormal([-x, -y, -z], 0);
      }
    }
    return curves;
  }

  async #insides(pieces: SessionSurroundings['pieces'], met: ReadonlySet<number>): Promise<Inside[]> {
    const { placed } = this;
    const holders = await holdersOf(this.#engine, this.#model, placed, met);
    if (!this.#model.isClosed(this.object)) return holders;
    const known = new Set([...met, ...holders.map(({ object }) => object)]);
    return [...holders, ...(await heldBy(this.#engine, this.#model, placed, pieces, known))];
  }

  #addNormal(normal: Vec3, start: number): void {
    const way = unit(normal);
    if (this.#normals.length >= MOST_NORMALS || !(Math.hypot(...way) > 0)) return;
    this.#normals.push({ way, start });
  }
}

function difference(p: Vec3, q: Vec3): Vec3 {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
}
