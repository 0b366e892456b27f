/**
 * Between callers' shapes and the kernel: a block of memory for one of them, in the numbers of a mesh.
 *
 * Layout: the fields of kernels/shapes/layout.ts; then what a convex shape consists of, and the lists of triangles.
 * Questions take a block from a pool and give it back; a large one is freed instead.
 */
import { arena } from '../../base/arena.js';
import type { Mesh } from '../../mesh/mesh.js';
import { boxTreeOf } from '../ray/box-tree.js';
import { shapesKernels } from './kernels.generated.js';
import { BOX_GIVEN, Kind, PLANE_BYTES, S, S_HEADER_BYTES } from './layout.generated.js';
import type { ConvexShape, LocalShape } from './local-shape.js';
import { HERE, type MeshPlace } from './mesh-place.js';
import type { BoxWorldShape } from './shape-input.js';

/** Numbers of a plane that the host writes: normal, offset, how far below is inside. */
const PLANE_NUMBERS = 5;
/** Room that blocks of the pool have for triangles, and in bytes for a shape: a box takes less than half of it. */
const ROOM = 1024;
const SHAPE_BYTES = 8192;

/** Sides of a box, two triangles each, whose corners are counted with x fastest, then y. */
// biome-ignore format: a line for each direction
const BOX_FACES = Uint32Array.of(
  0, 2, 1, 1, 2, 3, 4, 5, 6, 6, 5, 7,
  0, 1, 4, 4, 1, 5, 2, 6, 3, 3, 6, 7,
  0, 4, 2, 2, 4, 6, 1, 3, 5, 5, 3, 7,
);

const pool: ShapeBlock[] = [];

export class ShapeBlock {
  readonly block: number;
  /** For how many triangles each list has room. */
  readonly room: number;
  readonly #found: number;
  readonly #shapeBytes: number;

  private constructor(room: number, shapeBytes: number) {
    this.room = room;
    this.#shapeBytes = shapeBytes;
    this.block = arena().alloc(S_HEADER_BYTES + shapeBytes + 8 * room);
    this.#found = this.block + S_HEADER_BYTES + shapeBytes;
    const words = arena().u32();
    const at = this.block >>> 2;
    words[at + S.found / 4] = this.#found;
    words[at + S.doubts / 4] = this.#found + 4 * room;
    words[at + S.foundCapacity / 4] = words[at + S.doubtCapacity / 4] = room;
  }

  /** A block with a shape that is to be asked about a mesh; with its faces where distances matter. */
  static take(mesh: Mesh, shape: LocalShape, faces: boolean, room = ROOM): ShapeBlock {
    const bytes = bytesOf(shape);
    const small = bytes <= SHAPE_BYTES && room === ROOM;
    const tree = boxTreeOf(mesh);
    const block = (small && pool.pop()) || new ShapeBlock(room, Math.max(SHAPE_BYTES, bytes));
    arena().u32()[(block.block + S.tree) >>> 2] = tree;
    block.#write(shape, faces);
    return block;
  }

  /** A block with a box that the kernel places, or undefined where it is too thin or uneven for that. */
  static takeBox(mesh: Mesh, box: BoxWorldShape, place: MeshPlace, room = ROOM): ShapeBlock | undefined {
    const tree = boxTreeOf(mesh);
    const block = (room === ROOM && pool.pop()) || new ShapeBlock(room, SHAPE_BYTES);
    const words = arena().u32();
    words[(block.block + S.tree) >>> 2] = tree;
    const doubles = arena().f64();
    let at = (block.block + BOX_GIVEN) >>> 3;
    for (let k = 0; k < 6; k++) doubles[at++] = box.ends[k];
    for (let k = 0; k < 3; k++) doubles[at++] = mesh.origin[k];
    let count = 0;
    if (box.pose) {
      for (let k = 0; k < 12; k++) doubles[at++] = box.pose[k];
      count++;
    }
    if (place !== HERE) {
      for (let k = 0; k < 12; k++) doubles[at++] = place.back[k];
      count++;
    }
    words[(block.block + S.count) >>> 2] = count;
    if (shapesKernels.kernels().placeBox(block.block)) return block;
    block.release();
    return undefined;
  }

  release(): void {
    if (this.room === ROOM && this.#shapeBytes === SHAPE_BYTES) pool.push(this);
    else arena().free(this.block);
  }

  word(field: number): number {
    return arena().u32()[(this.block + field) >>> 2];
  }
  setWord(field: number, value: number): void {
    arena().u32()[(this.block + field) >>> 2] = value;
  }
  double(field: number): number {
    return arena().f64()[(this.block + field) >>> 3];
  }
  setDouble(field: number, value: number): void {
    arena().f64()[(this.block + field) >>> 3] = value;
  }

  /** Triangles that are met, or in doubt. */
  list(field: typeof S.found | typeof S.doubts): Uint32Array {
    const at = this.word(field) >>> 2;
    return arena()
      .u32()
      .subarray(at, at + this.word(field + 8));
  }

  /** What the kernel made of a box. */
  box(): ConvexShape {
    const doubles = arena().f64();
    const at = this.block >>> 3;
    const planes = new Float64Array(30);
    for (let i = 0; i < 30; i++) {
      const plane = Math.floor(i / PLANE_NUMBERS);
      planes[i] = doubles[(this.word(S.planes) + PLANE_BYTES * plane) / 8 + (i % PLANE_NUMBERS)];
    }
    const [corners, edges] = [this.word(S.corners) >>> 3, this.word(S.edges) >>> 2];
    return {
      kind: Kind.convex,
      points: doubles.slice(corners, corners + 24),
      planes,
      edges: arena()
        .u32()
        .slice(edges, edges + 24),
      faces: BOX_FACES,
      box: doubles.slice(at + S.box / 8, at + S.box / 8 + 6),
      blur: doubles[at + S.blur / 8],
    };
  }

  #write(shape: LocalShape, withFaces: boolean): void {
    const doubles = arena().f64();
    const words = arena().u32();
    const at = this.block >>> 3;
    words[2 * at + S.kind / 4] = shape.kind;
    doubles[at + S.blur / 8] = shape.blur;
    for (let k = 0; k < 6; k++) doubles[at + S.box / 8 + k] = shape.box[k];
    doubles[at + S.radius / 8] = 0;
    if (shape.kind !== Kind.convex) {
      doubles[at + S.radius / 8] = shape.radius;
      doubles[at + S.reach / 8] = shape.reach;
      for (let k = 0; k < 6; k++) doubles[at + S.from / 8 + k] = shape.axis[k];
      return;
    }
    const { planes, points, edges, faces } = shape;
    const planeCount = planes.length / PLANE_NUMBERS;
    let next = this.block + S_HEADER_BYTES;
    const section = (field: number, count: number, bytes: number): number => {
      words[2 * at + field / 4] = next;
      words[2 * at + field / 4 + 1] = count;
      next += 8 * Math.ceil(bytes / 8);
      return words[2 * at + field / 4];
    };
    const planesAt = section(S.planes, planeCount, PLANE_BYTES * planeCount) >>> 3;
    for (let i = 0; i < planeCount; i++) {
      for (let k = 0; k < PLANE_NUMBERS; k++)
        doubles[planesAt + (PLANE_BYTES / 8) * i + k] = planes[PLANE_NUMBERS * i + k];
    }
    doubles.set(points, section(S.corners, points.length / 3, 8 * points.length) >>> 3);
    words.set(edges, section(S.edges, edges.length / 2, 4 * edges.length) >>> 2);
    const facesAt = section(S.faces, faces.length / 3, 24 * faces.length) >>> 3;
    for (let i = 0; withFaces && i < faces.length; i++) {
      for (let k = 0; k < 3; k++) doubles[facesAt + 3 * i + k] = points[3 * faces[i] + k];
    }
    words[2 * at + S.table / 4] = next;
  }
}

/** Bytes that a shape takes after the header, the kernel's table included. */
function bytesOf(shape: LocalShape): number {
  if (shape.kind !== Kind.convex) return 0;
  const { planes, points, edges, faces } = shape;
  const count = planes.length / PLANE_NUMBERS;
  const table = 8 * (3 * count + 6 * (count + 3));
  return PLANE_BYTES * count + 8 * points.length + 4 * edges.length + 8 + 24 * faces.length + table;
}
