/**
 * Which objects use which mesh, and where. There may be hundreds of thousands, so they are rows of numbers, and an
 * object's JSON is read again when its mesh is processed.
 */
import { basename } from 'node:path';
import type { SourceObject } from '@impinge/model';
import { isRigid, type Matrix } from '../../matrix.js';
import type { SourceFile } from '../source-file.js';
import { madeEachTime, numberedId, ObjectIds, poseFromYUp } from '../source-object.js';
import { metricKey, motionBetween } from './baked-geometry.js';
import { Rows } from './rows.js';
import type { GltfScene } from './scene.js';

/** The columns of an object: of its placement, the number of its id, and the next of its shape. */
const [NODE, INSTANCE, ABOVE, ID, NEXT] = [0, 1, 2, 3, 4];
/**
 * Fields of a shape: its mesh, the first and the last of its objects, the next shape of its mesh; in the first shape of
 * a mesh, the last one.
 */
const [MESH, FIRST, LAST, NEXT_SHAPE, LAST_SHAPE] = [0, 1, 2, 3, 4];
const NONE = 0xffffffff;
/** Above this many objects of one shape, they are not in memory together: each one's JSON is then read twice. */
const MANY_OBJECTS = 1000;
/** A pose, and a bound on how much its matrix enlarges an error on each axis. */
const [POSE, STRETCH] = [12, 12];

/** Objects that show the same triangles. */
export interface MeshShape {
  /** Its linear part is baked into the triangles; undefined: they are as the file has them. */
  readonly matrix: Matrix | undefined;
  paths(): Generator<string>;
  /** `step`: between neighbouring values of a position. Of many, the file is read each time they are gone through. */
  objects(step: number): Iterable<SourceObject>;
}

export class MeshUses {
  readonly #file: SourceFile;
  readonly #scene: GltfScene;
  readonly #objects = new Rows(5, (length) => new Uint32Array(length));
  readonly #places = new Rows(POSE + 1, (length) => new Float64Array(length));
  readonly #shapes = new Rows(5, (length) => new Uint32Array(length));
  /** The matrices baked into shapes. */
  readonly #baked = new Map<number, Matrix>();
  /** The first shape of each mesh, and its untransformed one. */
  readonly #firstShape: Uint32Array;
  readonly #plainShape: Uint32Array;

  constructor(file: SourceFile, scene: GltfScene, meshCount: number) {
    this.#file = file;
    this.#scene = scene;
    this.#firstShape = new Uint32Array(meshCount).fill(NONE);
    this.#plainShape = new Uint32Array(meshCount).fill(NONE);
    const ids = new ObjectIds();
    // those of a mesh that a rigid motion takes to each other are one shape
    const known = new Map<string, number>();
    for (const { node, instance, above, name, mesh, matrix } of scene.placements()) {
      const object = this.#objects.push([node, instance, above, ids.takeNumber(name), NONE]);
      const [shape, pose] = this.#shapeOf(mesh, matrix, known);
      this.#places.push([...poseFromYUp(pose), matrix === undefined ? 1 : stretchOf(matrix)]);
      const row = this.#shapes.at(shape);
      if (row[FIRST] === NONE) row[FIRST] = object;
      else this.#objects.at(row[LAST])[NEXT] = object;
      row[LAST] = object;
    }
  }

  /** In order of first use. */
  *meshes(): Generator<number> {
    for (let shape = 0; shape < this.#shapes.length; shape++) {
      const mesh = this.#shapes.at(shape)[MESH];
      if (this.#firstShape[mesh] === shape) yield mesh;
    }
  }

  /** The untransformed shape first. */
  *shapesOf(mesh: number): Generator<MeshShape> {
    const plain = this.#plainShape[mesh];
    if (plain !== NONE) yield this.#shape(plain);
    for (let shape = this.#firstShape[mesh]; shape !== NONE; shape = this.#shapes.at(shape)[NEXT_SHAPE])
      if (shape !== plain) yield this.#shape(shape);
  }

  #shape(shape: number): MeshShape {
    const matrix = this.#baked.get(shape);
    const made = (step: number) => this.#objectsOf(shape, step);
    return {
      matrix,
      *paths() {
        for (const { path } of made(0)) yield path;
      },
      objects: (given) => {
        // unscaled whole metres were written deliberately
        const step = matrix === undefined && given === 1 ? 0 : given;
        return this.#isMany(shape) ? madeEachTime(() => made(step)) : [...made(step)];
      },
    };
  }

  *#numbersOf(shape: number): Generator<number> {
    for (let i = this.#shapes.at(shape)[FIRST]; i !== NONE; i = this.#objects.at(i)[NEXT]) yield i;
  }

  *#objectsOf(shape: number, step: number): Generator<SourceObject> {
    for (const i of this.#numbersOf(shape)) yield this.#object(i, step);
  }

  #isMany(shape: number): boolean {
    let count = 0;
    for (const _ of this.#numbersOf(shape)) if (++count > MANY_OBJECTS) return true;
    return false;
  }

  /** The shape of a mesh under a matrix, and the motion that places it. */
  #shapeOf(
    mesh: number,
    matrix: Matrix | undefined,
    known: Map<string, number>,
  ): [shape: number, motion: Matrix | undefined] {
    if (matrix === undefined || isRigid(matrix)) {
      if (this.#plainShape[mesh] === NONE) this.#plainShape[mesh] = this.#addShape(mesh);
      return [this.#plainShape[mesh], matrix];
    }
    const key = `${mesh} ${metricKey(matrix)}`;
    const like = known.get(key);
    const motion = like === undefined ? undefined : motionBetween(this.#baked.get(like)!, matrix);
    if (like !== undefined && motion) return [like, motion];
    const shape = this.#addShape(mesh);
    this.#baked.set(shape, matrix);
    if (like === undefined) known.set(key, shape);
    return [shape, motionBetween(matrix, matrix)];
  }

  #addShape(mesh: number): number {
    const shape = this.#shapes.push([mesh, NONE, NONE, NONE, NONE]);
    if (this.#firstShape[mesh] === NONE) this.#firstShape[mesh] = shape;
    const first = this.#shapes.at(this.#firstShape[mesh]);
    if (first[LAST_SHAPE] !== NONE) this.#shapes.at(first[LAST_SHAPE])[NEXT_SHAPE] = shape;
    first[LAST_SHAPE] = shape;
    return shape;
  }

  #object(index: number, step: number): SourceObject {
    const row = this.#objects.at(index);
    const placed = { node: row[NODE], instance: row[INSTANCE], above: row[ABOVE] };
    const { name, path, root, properties } = this.#scene.named(placed);
    const place = this.#places.at(index);
    const text = (key: string) => String(properties[key] ?? '');
    return {
      id: numberedId(name, row[ID]),
      name,
      path: `${this.#file.stem}/${path}`,
      type: text('type') || text('ifcType'),
      discipline: root || this.#file.stem,
      file: basename(this.#file.path),
      storey: text('storey'),
      pose: place.subarray(0, POSE),
      properties,
      rounding: (place[STRETCH] * step) / 2,
    };
  }
}

/**
 * The largest sum of a row: an error of 1 on each axis becomes no more. Turning Z up changes the order of rows only.
 */
function stretchOf(m: Matrix): number {
  return Math.max(...[0, 1, 2].map((row) => Math.abs(m[row]) + Math.abs(m[4 + row]) + Math.abs(m[8 + row])));
}
