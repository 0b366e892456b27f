/** A side of a question as solids: how far it reaches, which of its points is farthest, how deep a point lies in it. */
import { posePoint, type RigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { gapSqOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { componentEndsOf } from 'impinge/internal/query/solid/component-seeds.js';
import { distanceTo, locatePoint } from 'impinge/internal/query/solid/locate.js';
import { deepestOf, isInside, type Pieces } from '../check/streamed-inside.js';
import type { StoredModel } from '../store/model.js';

/** Numbers per component of `componentEndsOf`. */
const ENDS = 18;

/** All in the side's own frame. */
export interface Solid {
  /** Whether all objects bound solids. */
  readonly isClosed: boolean;
  /** At least as far as any point along a vector: the largest scalar product with it. */
  reach(along: Vec3): number;
  /** A corner of an original that is farthest along a vector. */
  farthest(along: Vec3): Promise<Vec3>;
  /**
   * How far a point is from the surface of an object that it is inside of, the largest of these, up to rounding; else
   * 0.
   */
  depthOf(point: Vec3): Promise<number>;
  /** Points of all parts that hang together and may lie in a box as wholes: of each at least one. */
  pointsWithin(box: Float64Array): Promise<Vec3[]>;
}

export class MeshSolid implements Solid {
  readonly #mesh: Mesh;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }
  get isClosed(): boolean {
    return isClosed(this.#mesh);
  }
  reach(along: Vec3): number {
    const { min, max } = this.#mesh.box;
    return reachOfBox(Float64Array.of(...min, ...max), 0, along);
  }
  async farthest(along: Vec3): Promise<Vec3> {
    return farthestOf(this.#mesh, undefined, along).point;
  }
  async depthOf(point: Vec3): Promise<number> {
    const parts = { meshes: [this.#mesh], closed: true };
    const stored = Float64Array.from(point, (x, k) => x - this.#mesh.origin[k]);
    return locatePoint(parts, stored) === 'inside' ? distanceTo(parts, stored) : 0;
  }
  async pointsWithin(box: Float64Array): Promise<Vec3[]> {
    return pointsOf(this.#mesh, undefined).filter((point) => isIn(point, box));
  }
}

/** Some objects of a stored model. */
export class StoredSolid implements Solid {
  readonly #model: StoredModel;
  readonly #pieces: Pieces;
  readonly #objects: readonly number[];

  constructor(model: StoredModel, pieces: Pieces, objects: readonly number[]) {
    this.#model = model;
    this.#pieces = pieces;
    this.#objects = objects;
  }
  get isClosed(): boolean {
    return this.#objects.every((object) => this.#model.isClosed(object));
  }
  reach(along: Vec3): number {
    const { objectBox } = this.#model.directory;
    let most = -Infinity;
    for (const object of this.#objects) most = Math.max(most, reachOfBox(objectBox, 6 * object, along));
    return most;
  }

  /** Pieces are read in the order of how far they may reach, until none can reach farther than what was found. */
  async farthest(along: Vec3): Promise<Vec3> {
    const model = this.#model;
    const { objectFirstPlaced, placedBox } = model.directory;
    const pieces: { object: number; piece: number; reach: number }[] = [];
    for (const object of this.#objects) {
      for (let i = 0; i < model.pieceCountOf(object); i++) {
        const reach = reachOfBox(placedBox, 6 * (objectFirstPlaced[object] + i), along);
        pieces.push({ object, piece: model.firstPiece(object) + i, reach });
      }
    }
    pieces.sort((p, q) => q.reach - p.reach);
    let best = { reach: -Infinity, point: [0, 0, 0] as Vec3 };
    for (const { object, piece, reach } of pieces) {
      if (reach <= best.reach) break;
      const pose = model.pose(object);
      const found = await this.#pieces.withPiece(piece, (mesh) => farthestOf(mesh, pose, along));
      if (found.reach > best.reach) best = found;
    }
    return best.point;
  }

  async depthOf(point: Vec3): Promise<number> {
    const model = this.#model;
    const at = Float64Array.from(point);
    let most = 0;
    for (const object of this.#objects) {
      if (!isIn(point, model.box(object))) continue;
      if (!(model.isClosed(object) && (await isInside(model, object, at, this.#pieces)))) continue;
      most = Math.max(most, (await deepestOf(model, object, at, this.#pieces)).depth);
    }
    return most;
  }

  async pointsWithin(box: Float64Array): Promise<Vec3[]> {
    const model = this.#model;
    const { objectFirstPlaced, placedBox } = model.directory;
    const points: Vec3[] = [];
    for (const object of this.#objects) {
      for (let i = 0; i < model.pieceCountOf(object); i++) {
        if (gapSqOfBoxes(placedBox, 6 * (objectFirstPlaced[object] + i), box, 0) > 0) continue;
        const read = (mesh: Mesh) => pointsOf(mesh, model.pose(object));
        points.push(...(await this.#pieces.withPiece(model.firstPiece(object) + i, read)));
      }
    }
    return points.filter((point) => isIn(point, box));
  }
}

/** A point of each component. */
function pointsOf(mesh: Mesh, pose: RigidPose | undefined): Vec3[] {
  const ends = componentEndsOf(mesh);
  const points: Vec3[] = [];
  for (let i = 0; i < ends.length; i += ENDS) {
    const at: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) at[k] = ends[i + k] + mesh.origin[k];
    if (pose) posePoint(pose, at[0], at[1], at[2], at, 0);
    points.push(at);
  }
  return points;
}

function isIn(point: Vec3, box: ArrayLike<number>): boolean {
  return point.every((x, k) => x >= box[k] && x <= box[3 + k]);
}

function reachOfBox(boxes: Float64Array, at: number, along: Vec3): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += Math.max(along[k] * boxes[at + k], along[k] * boxes[at + 3 + k]);
  return sum;
}

function farthestOf(
  { storedPositions: positions, storedIndices: indices, origin }: Mesh,
  pose: RigidPose | undefined,
  along: Vec3,
): { reach: number; point: Vec3 } {
  let reach = -Infinity;
  let point: Vec3 = [0, 0, 0];
  const at: [number, number, number] = [0, 0, 0];
  for (const v of indices) {
    for (let k = 0; k < 3; k++) at[k] = positions[3 * v + k] + origin[k];
    if (pose) posePoint(pose, at[0], at[1], at[2], at, 0);
    const own = at[0] * along[0] + at[1] * along[1] + at[2] * along[2];
    if (own <= reach) continue;
    reach = own;
    point = [at[0], at[1], at[2]];
  }
  return { reach, point };
}
