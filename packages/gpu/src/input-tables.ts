/**
 * The backends' view of the objects: the parts and slots of each, and a table of their placements.
 *
 * The layout is remade when objects are added, removed or get a new mesh; the table for every query. Meshes are
 * measured when their revision has changed.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { MeshHeader } from 'impinge/internal/kernel/layout.generated.js';
import { type Mesh, meshChanges } from 'impinge/internal/mesh/mesh.js';
import { type CullingInput, type InputObject, Row, TABLE_STRIDE } from './backend.js';
import {
  chooseFrame,
  EXTENT_STRIDE,
  ExtentRow,
  type Frame,
  keepFrame,
  NO_FRAME,
  type Placed,
  placeObjects,
} from './frame.js';
import type { Poses } from './pose-table.js';

/** Slots are 32-bit numbers. */
const MOST_SLOTS = 2 ** 32;

/**
 * Layout: part p, slots from p << partShift, is of object `partOwner[p]` with id `partIds[p]`, whose slots begin at
 * `partStarts[p]`.
 * Mesh m = meshOf[o] has a row of `extents` (frame.ts), and its positions and indices begin at elements
 * `geometryAt[2 m]` and `geometryAt[2 m + 1]` of the arena.
 */
export interface Lookup {
  readonly partShift: number;
  readonly partOwner: Uint32Array;
  readonly partIds: Uint32Array;
  readonly partStarts: Uint32Array;
  readonly meshOf: Uint32Array;
  readonly extents: Float64Array;
  readonly geometryAt: Uint32Array;
}

export class InputTables {
  readonly partSize: number;
  #objects: readonly InputObject[] = [];
  #layout = 0;
  #triangles = 0;
  #partBase = new Uint32Array(1);
  #partOwner = new Uint32Array(0);
  #partIds = new Uint32Array(0);
  #partStarts = new Uint32Array(0);
  #meshes: Mesh[] = [];
  /** An object of each mesh, for messages. */
  #userOf: InputObject[] = [];
  #meshOf = new Uint32Array(0);
  #revisions = new Float64Array(0);
  /** `meshChanges` when the meshes were last checked; NaN: not yet. */
  #changes = Number.NaN;
  #geometryAt = new Uint32Array(0);
  #extents = new Float64Array(0);
  #frame: Frame = NO_FRAME;
  #table = new Float32Array(0);
  /** Whether the table includes objects tested against themselves. */
  #selfWritten = false;

  constructor(partSize: number) {
    this.partSize = partSize;
  }

  get objects(): readonly InputObject[] {
    return this.#objects;
  }
  get triangles(): number {
    return this.#triangles;
  }

  /** Takes note of other objects, or other meshes. */
  layOut(objects: readonly InputObject[]): void {
    const count = objects.length;
    const partBase = new Uint32Array(count + 1);
    const meshOf = new Uint32Array(count);
    const numbers = new Map<Mesh, number>();
    const meshes: Mesh[] = [];
    const userOf: InputObject[] = [];
    let parts = 0;
    let triangles = 0;
    for (let o = 0; o < count; o++) {
      const { mesh } = objects[o];
      let number = numbers.get(mesh);
      if (number === undefined) {
        number = meshes.length;
        numbers.set(mesh, number);
        meshes.push(mesh);
        userOf.push(objects[o]);
      }
      meshOf[o] = number;
      parts += Math.ceil(mesh.triangleCount / this.partSize);
      triangles += mesh.triangleCount;
      partBase[o + 1] = parts;
    }
    if (parts * this.partSize > MOST_SLOTS) {
      throw new ImpingeError('bad-input', `the objects have ${triangles} triangles together, too many`);
    }
    const partOwner = new Uint32Array(parts);
    const partIds = new Uint32Array(parts);
    const partStarts = new Uint32Array(parts);
    for (let o = 0; o < count; o++) {
      partOwner.fill(o, partBase[o], partBase[o + 1]);
      partIds.fill(objects[o].id, partBase[o], partBase[o + 1]);
      partStarts.fill(this.partSize * partBase[o], partBase[o], partBase[o + 1]);
    }
    this.#objects = objects;
    this.#layout++;
    this.#triangles = triangles;
    this.#partBase = partBase;
    this.#partOwner = partOwner;
    this.#partIds = partIds;
    this.#partStarts = partStarts;
    this.#meshes = meshes;
    this.#userOf = userOf;
    this.#meshOf = meshOf;
    this.#revisions = new Float64Array(meshes.length).fill(-1);
    this.#changes = Number.NaN;
    this.#geometryAt = new Uint32Array(2 * meshes.length);
    this.#extents = new Float64Array(EXTENT_STRIDE * meshes.length);
    this.#table = new Float32Array(TABLE_STRIDE * count);
    this.#selfWritten = false;
  }

  /** The input for a query. The table is overwritten by the next one. */
  take(poses: Poses, distance: number, withSelf: boolean): { input: CullingInput; frame: Frame } {
    this.#measureMeshes();
    const placed: Placed = {
      count: this.#objects.length,
      meshOf: this.#meshOf,
      extents: this.#extents,
      ...poses,
    };
    const frame = this.#place(placed, distance);
    if (withSelf !== this.#selfWritten) this.#writeSelf(withSelf);
    const input: CullingInput = {
      objects: this.#objects,
      partSize: this.partSize,
      partBase: this.#partBase,
      layout: this.#layout,
      table: this.#table,
      half: frame.half,
    };
    return { input, frame };
  }

  /** Parts, objects and meshes, for code that reads triangles. */
  get lookup(): Lookup {
    return {
      partShift: Math.log2(this.partSize),
      partOwner: this.#partOwner,
      partIds: this.#partIds,
      partStarts: this.#partStarts,
      meshOf: this.#meshOf,
      extents: this.#extents,
      geometryAt: this.#geometryAt,
    };
  }

  /** Refuses an answer about meshes that changed while it was worked out. */
  assertUnchanged(): void {
    if (meshChanges() === this.#changes) return;
    for (let m = 0; m < this.#meshes.length; m++) {
      this.#assertLive(m);
      if (this.#meshes[m].revision !== this.#revisions[m]) {
        const { id } = this.#userOf[m];
        throw new ImpingeError('busy', `object ${id}: its mesh changed while a query was under way`, {
          object: id,
        });
      }
    }
  }

  #assertLive(m: number): void {
    try {
      this.#meshes[m].assertLive();
    } catch (error) {
      const { id } = this.#userOf[m];
      throw new ImpingeError('disposed', `object ${id}: ${(error as Error).message}`, { object: id });
    }
  }

  #measureMeshes(): void {
    const changes = meshChanges();
    if (changes === this.#changes) return;
    for (let m = 0; m < this.#meshes.length; m++) {
      this.#assertLive(m);
      const { revision } = this.#meshes[m];
      if (revision === this.#revisions[m]) continue;
      this.#revisions[m] = revision;
      writeExtent(this.#meshes[m], this.#extents, EXTENT_STRIDE * m);
      writeGeometryAt(this.#meshes[m], this.#geometryAt, 2 * m);
    }
    this.#changes = changes;
  }

  /** Writes the table: in one pass where the frame of the query before still fits. */
  #place(placed: Placed, distance: number): Frame {
    const extent = placeObjects(placed, this.#frame, this.#table);
    const kept = distance === 0 && this.#frame.distance === 0 ? keepFrame(extent, this.#frame) : undefined;
    this.#frame = kept ?? chooseFrame(extent, distance);
    if (kept === undefined) placeObjects(placed, this.#frame, this.#table);
    return this.#frame;
  }

  #writeSelf(withSelf: boolean): void {
    this.#selfWritten = withSelf;
    this.#objects.forEach(({ self }, o) => {
      this.#table[TABLE_STRIDE * o + Row.self] = withSelf && self ? 1 : 0;
    });
  }
}

function writeExtent(mesh: Mesh, extents: Float64Array, at: number): void {
  const floats = arena().f32();
  const box = (mesh.block >>> 2) + MeshHeader.box;
  let farSq = 0;
  let largest = 0;
  let originSize = 0;
  for (let k = 0; k < 3; k++) {
    const min = floats[box + k];
    const max = floats[box + 3 + k];
    const farthest = Math.max(Math.abs(min), Math.abs(max));
    extents[at + ExtentRow.centre + k] = 0.5 * (min + max);
    extents[at + ExtentRow.half + k] = 0.5 * (max - min);
    extents[at + ExtentRow.origin + k] = mesh.origin[k];
    originSize += Math.abs(mesh.origin[k]);
    farSq += farthest * farthest;
    largest = Math.max(largest, farthest);
  }
  extents[at + ExtentRow.originSize] = originSize;
  extents[at + ExtentRow.far] = Math.sqrt(farSq) * (1 + 2 ** -50);
  extents[at + ExtentRow.largest] = largest;
}

function writeGeometryAt(mesh: Mesh, geometryAt: Uint32Array, at: number): void {
  const header = mesh.block >>> 2;
  const words = arena().u32();
  geometryAt[at] = (mesh.block + words[header + MeshHeader.positions]) >>> 2;
  geometryAt[at + 1] = (mesh.block + words[header + MeshHeader.indices]) >>> 2;
}
