/**
 * An object that is moved within its model, and its violations there: the clashes that a check would find. Contact
 * curves, to be drawn, and directions off the contacts, to be tried, are computed besides.
 */
import type { StoredModel } from '@impinge/model';
import {
  CLASH_KIND_TABLE,
  type ObjectCheck,
  type ObjectClash,
  type Session,
  type SessionBody,
  type SessionSurroundings,
  type StoredTarget,
} from '@impinge/model';
import { distance, type Mesh, type TargetPart, type Vec3 } from 'impinge';
import { normalized, subtract } from '../picture/vectors.js';
import { normalOf } from './angle.js';
import { CurveList, NO_CURVE, placedTriangle } from './contact-curve.js';
import { type Direction, findFree, nearerFree } from './free-place.js';
import { boxOf, gapTo, poseOf, shifted } from './poses.js';
import type { FreePlace, Violation } from './types.js';

/** Maximum number of curve segments, of one violation and of all. */
const SEGMENTS_EACH = 128;
const SEGMENTS_IN_ALL = 768;
/** Free places are searched up to this many diagonals of the object, plus the clearance. */
const REACH = 1.5;
/** Maximum number of contact normals that are tried. */
const MOST_NORMALS = 12;
/** A margin for rounding. */
const BEYOND = 1 + 1e-9;

export class DraggedObject {
  readonly object: number;
  /** Where it is; clashes are those of the last `moveTo`. */
  pose: Float64Array;
  readonly #stored: StoredTarget;
  readonly #model: StoredModel;
  readonly #check: ObjectCheck;
  readonly #body: SessionBody;
  #clearance = Number.NaN;
  #before: ReadonlySet<number> = new Set();
  /** The last contacts, as directions off them. */
  #normals: Direction[] = [];
  /** The depth of the deepest contact: no shorter move resolves it. */
  #deepest = 0;

  private constructor(
    stored: StoredTarget,
    model: StoredModel,
    check: ObjectCheck,
    object: number,
    body: SessionBody,
  ) {
    this.object = object;
    this.pose = body.pose;
    this.#stored = stored;
    this.#model = model;
    this.#check = check;
    this.#body = body;
  }

  static async take(
    stored: StoredTarget,
    model: StoredModel,
    check: ObjectCheck,
    session: Session,
    object: number,
    clearance: number,
  ): Promise<DraggedObject> {
    const taken = new DraggedObject(stored, model, check, object, await session.take(object));
    try {
      // the first query at the stored place loads and compiles what moves will need
      await taken.moveTo(model.pose(object).slice(), clearance);
    } catch (error) {
      taken.putBack(session);
      throw error;
    }
    return taken;
  }

  /** Its meshes and pose. */
  get placed() {
    const meshes = this.#body.parts as readonly Mesh[]; // an object of a stored model consists of meshes
    return { object: this.object, meshes, pose: this.pose };
  }

  putBack(session: Session): void {
    this.#body.remove();
    session.show(this.object);
  }

  /** All clashes at a pose; distances below `clearance` count, too. */
  async moveTo(pose: Float64Array, clearance: number): Promise<readonly Violation[]> {
    this.#body.move(poseOf(pose));
    this.pose = this.#body.pose;
    if (clearance !== this.#clearance) await this.#lookBack(clearance);
    const clashes = await this.#check.clashesOf(this.object, { pose: poseOf(pose), clearance });
    this.#deepest = clashes.reduce((most, { depth }) => Math.max(most, depth), 0);
    const curves = await this.#curvesOf(clashes);
    const ends = await this.#endsOf(clashes, clearance);
    return clashes.sort(compareGravity).map(({ other, kind, distance, depth, point }): Violation => {
      const [own, others] = ends.get(other) ?? [point, point];
      return {
        ...{ object: other, kind, distance, depth, point: own, pointOther: others },
        ...{ curve: curves.get(other)?.curve() ?? NO_CURVE, before: this.#before.has(other) },
      };
    });
  }

  /** A short move that resolves all clashes; `stop` is called now and then. */
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
        { way: [x, y, z], start: this.#deepest },
        { way: [-x, -y, -z], start: this.#deepest },
      ]),
    ];
    const isFree = async (move: Vec3): Promise<boolean> => {
      const question = { pose: poseOf(shifted(pose, move)), clearance };
      return (await this.#check.clashesOf(this.object, question)).length === 0;
    };
    const isClear = this.#clearOf(clearance, reach);
    const isBoth = async (move: Vec3) => (await isClear(move)) && isFree(move);
    const found = await findFree(isBoth, directions, reach, stop);
    return found && nearerFree(isFree, found, stop);
  }

  /**
   * Whether a move keeps all required clearances between surfaces: a quick test, before which nothing else is tried.
   */
  #clearOf(clearance: number, reach: number): (move: Vec3) => Promise<boolean> {
    const { meshes, pose } = this.placed;
    const apart = new Map<number, number>();
    for (const other of this.#objectsNear(boxOf(meshes, pose), reach + clearance)) {
      const asked = other === this.object ? undefined : this.#check.clearanceOf(this.object, other);
      if (asked !== undefined) apart.set(other, Math.max(asked, clearance));
    }
    const most = Math.max(clearance, ...apart.values());
    const others = this.#stored.select([...apart.keys()]);
    return async (move) => {
      const poseA = shifted(pose, move);
      const isMet = ({ place: { object }, mesh: other, pose: poseB }: TargetPart) => {
        const poses = { poseA: poseOf(poseA), poseB: poseOf(poseB), atMost: apart.get(Number(object))! };
        return meshes.some((mesh) => distance(mesh, other, poses).pointA);
      };
      let isClear = true;
      await others.eachPart(gapTo(boxOf(meshes, poseA)), most, (part) => {
        isClear = !isMet(part);
        return isClear ? most : -1;
      });
      return isClear;
    };
  }

  /** Objects whose boxes come within `apart` of a box on every axis. */
  #objectsNear(box: Float64Array, apart: number): number[] {
    const { objectBox } = this.#model.directory;
    return Array.from({ length: this.#model.objectCount }, (_, object) => object).filter((object) =>
      [0, 1, 2].every(
        (k) =>
          objectBox[6 * object + k] <= box[k + 3] + apart && objectBox[6 * object + k + 3] >= box[k] - apart,
      ),
    );
  }

  /** Records the clashes at the stored place. */
  async #lookBack(clearance: number): Promise<void> {
    const clashes = await this.#check.clashesOf(this.object, { clearance });
    this.#before = new Set(clashes.map(({ other }) => other));
    this.#clearance = clearance;
  }

  /** Contact curves by the other object. */
  async #curvesOf(clashes: readonly ObjectClash[]): Promise<Map<number, CurveList>> {
    this.#normals = [];
    const met = clashes.filter(({ trianglePairs }) => trianglePairs > 0);
    if (met.length === 0) return new Map();
    const each = Math.max(1, Math.min(SEGMENTS_EACH, Math.floor(SEGMENTS_IN_ALL / met.length)));
    const curves = new Map(met.map(({ other }) => [other, new CurveList(each)]));
    const around = await this.#body.around();
    try {
      for (const piece of around.pieces) this.#addCurve(curves, piece);
    } finally {
      around.dispose();
    }
    return curves;
  }

  #addCurve(curves: Map<number, CurveList>, piece: SessionSurroundings['pieces'][number]): void {
    const { meshes, pose } = this.placed;
    for (const mesh of meshes) {
      const pair = curves.get(piece.object)?.add(mesh, pose, piece.mesh, piece.pose);
      if (!pair) continue;
      const [x, y, z] = normalOf(placedTriangle(piece.mesh, pair[1], piece.pose));
      this.#addNormal([x, y, z], 0);
      this.#addNormal([-x, -y, -z], 0);
    }
  }

  /** For clearance violations: the closest points on this object and on the other. */
  async #endsOf(
    clashes: readonly ObjectClash[],
    clearance: number,
  ): Promise<Map<number, readonly [Vec3, Vec3]>> {
    const near = new Set(clashes.filter(isDistant).map(({ other }) => other));
    const ends = new Map<number, readonly [Vec3, Vec3]>();
    if (near.size === 0) return ends;
    const distance = BEYOND * Math.max(...clashes.filter(isDistant).map((clash) => clash.distance));
    const { hits } = await this.#body.hits({ distance, mode: 'any' });
    for (const { object, bounds, pointA, pointB } of hits) {
      if (object === undefined || !near.has(object)) continue;
      ends.set(object, [pointA, pointB]);
      this.#addNormal(subtract(pointA, pointB), Math.max(0, clearance - bounds[0]));
    }
    return ends;
  }

  #addNormal(normal: Vec3, start: number): void {
    const way = normalized(normal);
    if (this.#normals.length >= MOST_NORMALS || !(Math.hypot(...way) > 0)) return;
    this.#normals.push({ way, start: Math.max(start, this.#deepest) });
  }
}

function isDistant({ kind }: ObjectClash): boolean {
  return CLASH_KIND_TABLE[kind].measure === 'distance';
}

/** The deepest first, then the nearest, then by number. */
function compareGravity(p: ObjectClash, q: ObjectClash): number {
  return (
    Number(isDistant(p)) - Number(isDistant(q)) ||
    q.depth - p.depth ||
    p.distance - q.distance ||
    p.other - q.other
  );
}
