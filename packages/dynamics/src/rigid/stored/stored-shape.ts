/**
 * The contact shape of a stored model with levels: its fronts, whose pieces are loaded where something is near. Reads
 * are synchronous, because steps of a simulation are; the constructor's caller checks that the store supports that.
 */
import { LevelTree } from '@impinge/model/internal/level-queries/level-tree.js';
import { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import { LevelSide, MeshSide, PlacedModel } from '@impinge/model/internal/level-queries/side.js';
import type { StoredModel } from '@impinge/model/internal/store/model.js';
import { PieceCache } from '@impinge/model/internal/store/piece-cache.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { Meeting } from '../../bodies/body-surfaces.js';
import type { BodyShape, ContactEngine, ContactSettings } from '../contact-engine.js';
import { ContactShape } from '../contact-shape.js';
import { restPose } from '../placing.js';
import { CutContacts } from './cut-contacts.js';
import { meetingOfFronts } from './front-meeting.js';
import type { FrontShape } from './front-shape.js';

export class StoredShape implements FrontShape {
  readonly name: string;
  readonly centre: Vec3;
  readonly radius: number;
  readonly arm: number;
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  readonly closed: boolean;
  readonly #cache: PieceCache;
  readonly #placed: PlacedModel;
  readonly #fronts = new Map<number, LevelSide>();

  /** `memory`: most bytes for geometry and trees, of all models together. */
  constructor(name: string, model: StoredModel, centre: Vec3 | undefined, memory: number) {
    this.name = name;
    this.#cache = storedCache(model, memory);
    this.#placed = new PlacedModel(model, this.#cache, new LevelTree(model));
    this.closed = true;
    for (let object = 0; object < model.objectCount; object++) this.closed &&= model.isClosed(object);
    const { placedBox } = model.directory;
    const min = [Infinity, Infinity, Infinity] as [number, number, number];
    const max = [-Infinity, -Infinity, -Infinity] as [number, number, number];
    for (let i = 0; i < placedBox.length; i += 6) {
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], placedBox[i + k]);
        max[k] = Math.max(max[k], placedBox[i + 3 + k]);
      }
    }
    this.box = { min, max };
    const middle = centre ?? [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
    this.centre = middle;
    let radiusSq = 0;
    for (let i = 0; i < placedBox.length; i += 6) {
      let sum = 0;
      for (let k = 0; k < 3; k++)
        sum += Math.max(middle[k] - placedBox[i + k], placedBox[i + 3 + k] - middle[k]) ** 2;
      radiusSq = Math.max(radiusSq, sum);
    }
    this.arm = this.radius = Math.sqrt(radiusSq) * (1 + 1e-12);
  }

  /** The model with a surface error of at most `error`. */
  at(error: number): LevelSide {
    let front = this.#fronts.get(error);
    if (!front) this.#fronts.set(error, (front = new HeldFront(this.#placed, error)));
    return front;
  }

  engineWith(other: BodyShape, settings: ContactSettings): ContactEngine | undefined {
    if (!isTriangles(other)) return undefined;
    return new CutContacts(settings);
  }

  meetingWith(other: BodyShape, pose: Float64Array): Meeting | undefined {
    if (!isTriangles(other)) return undefined;
    const side = other instanceof ContactShape ? new MeshSide(other.mesh) : other.at(0);
    const { count, first } = meetingOfFronts(new NearParts(this.at(0), side), restPose(this, other, pose));
    const names = [
      this.#nameOf(first?.parts[0]),
      other instanceof ContactShape ? other.name : other.#nameOf(first?.parts[1]),
    ];
    return { count, first: first?.triangles.map((triangle, i) => ({ object: names[i], triangle })) };
  }

  #nameOf(part = 0): string {
    return `${this.name}, object ${this.at(0).objectOf(part)}, piece ${this.at(0).pieceOf(part)}`;
  }

  dispose(): void {
    void this.#cache.dispose();
  }
}

/** Surfaces at a distance around triangles are not. */
function isTriangles(shape: BodyShape): shape is StoredShape | ContactShape {
  return shape instanceof StoredShape || (shape instanceof ContactShape && !shape.curved);
}

/** Pieces are loaded on demand, and never ahead: a read under way would have to be awaited. */
class HeldFront extends LevelSide {
  override prefetch(): void {}
}

/** Pieces of a model in memory, with the trees that were stored with them. */
export function storedCache(model: StoredModel, memory: number): PieceCache {
  return new PieceCache(model, { limit: memory, onLoad: (_, tree) => useHierarchy(tree) });
}
