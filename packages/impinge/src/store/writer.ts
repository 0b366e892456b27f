/**
 * Writes a model into a store, shape by shape: memory holds one shape and the directory.
 *
 * A shape is split into pieces; the mesh of each and the top of its tree go into a page. With levels, coarser pieces follow
 * (shape-levels.ts), whose pages lie together with others of their level (page-shelves.ts). The directory and the foot come at the end, so that an incomplete store can be recognised.
 */
import { arena } from '../base/arena.js';
import { checksumOf } from '../base/checksum.js';
import { ImpingeError } from '../base/errors.js';
import { readBag, readChoice, readFunction, readInteger } from '../base/options.js';
import type { WorkerPool } from '../kernel/worker-pool.js';
import type { LevelsPool } from '../levels/group-task.js';
import { carvePose, IDENTITY, orthonormalised, toRigidPose } from '../math/pose.js';
import { FARTHEST, reachOf } from '../mesh/reach.js';
import { ClusterShelf } from './cluster-shelf.js';
import { f64Column } from './column.js';
import { DirectoryColumns } from './directory-columns.js';
import { divideShape } from './divided-shape.js';
import { readMeta, readShape } from './input.js';
import {
  Foot,
  PIECE_TRIANGLES,
  padded,
  SHAPE_CLOSED,
  STORE_FOOT_BYTES,
  STORE_FOOT_MAGIC,
  STORE_HEAD_BYTES,
  STORE_MAGIC,
  STORE_VERSION,
  type StoreMeta,
} from './layout.js';
import { OtherThread } from './other-thread.js';
import { pageChecksum } from './page-hash.js';
import { PageLine } from './page-line.js';
import { PageShelves, type ShelvedPage } from './page-shelves.js';
import type { PageSink } from './page-source.js';
import type { MadePage } from './page-task.js';
import { writePlacedBox } from './placed-box.js';
import { objectRounding } from './rounding.js';
import { ShapeLevels } from './shape-levels.js';
import { ShapeSums } from './shape-sums.js';
import type { SourceObject, SourceShape } from './source.js';
import type { Spill } from './spill.js';
import { WriteBehind } from './write-behind.js';

export interface LevelsProgress {
  readonly done: number;
  readonly total: number;
}

/** Such as `nodePool()`. */
export type StorePool = LevelsPool & Partial<Pick<WorkerPool, 'call'>>;

export interface StoreWriterOptions {
  /** Most triangles per piece (default 8 192). */
  readonly pieceTriangles?: number;
  /** Whether to add coarser pieces with certified errors; then pieces have at most 8 192 triangles. */
  readonly levels?: boolean;
  /** Threads to make levels on, or without levels the pages of large shapes; the store is the same without. */
  readonly pool?: StorePool;
  /** Told, for one shape after the other, how far its levels are; `total` is a guess that gets better. */
  readonly onLevels?: (progress: LevelsProgress) => void;
  /** Where a shape that comes as a stream is sorted; without it, such shapes are refused. */
  readonly spill?: Spill;
  /** Told of objects that reach too far to be compared with others, which are then left out instead of refused. */
  readonly onTooFar?: (object: SourceObject) => void;
}

const BUFFER_BYTES = 1 << 20;
/** Pieces of a shape whose pages keep a thread busy. */
const LARGE_PIECES = 4;

export class StoreWriter {
  readonly #sink: WriteBehind;
  readonly #pieceTriangles: number;
  readonly #levels: boolean;
  readonly #pool: StorePool | undefined;
  /** That makes pages: with levels, all are busy with these. */
  readonly #thread: OtherThread | undefined;
  readonly #onLevels: StoreWriterOptions['onLevels'];
  readonly #spill: Spill | undefined;
  readonly #onTooFar: StoreWriterOptions['onTooFar'];
  #buffer = new Uint8Array(BUFFER_BYTES);
  /** Its contents may still be waiting to be written. */
  #otherBuffer = new Uint8Array(BUFFER_BYTES);
  #buffered = 0;
  #written = 0;
  #state: 'open' | 'busy' | 'finished' = 'open';
  readonly #directory = new DirectoryColumns();
  readonly #shelves = new PageShelves();

  constructor(sink: PageSink, options: StoreWriterOptions = {}) {
    if (typeof sink?.write !== 'function')
      throw new ImpingeError('bad-input', 'a sink to write to is needed');
    const { pieceTriangles = PIECE_TRIANGLES, levels = false } = readBag(options);
    readChoice('levels', levels, [true, false]);
    const most = readInteger('pieceTriangles', pieceTriangles, 64, levels ? PIECE_TRIANGLES : Infinity);
    this.#sink = new WriteBehind(sink);
    this.#pieceTriangles = most;
    this.#levels = levels;
    this.#pool = readPool(options.pool);
    const call = levels ? undefined : this.#pool?.call;
    this.#thread = call && arena().shared ? new OtherThread({ call }) : undefined;
    this.#onLevels = options.onLevels === undefined ? undefined : readFunction('onLevels', options.onLevels);
    this.#spill = options.spill;
    this.#onTooFar = options.onTooFar;
    const head = new Uint32Array(this.#buffer.buffer, 0, STORE_HEAD_BYTES / 4);
    head[0] = STORE_MAGIC;
    head[1] = STORE_VERSION;
    this.#buffered = STORE_HEAD_BYTES;
  }

  get objectCount(): number {
    return this.#directory.objectCount;
  }
  get pieceCount(): number {
    return this.#directory.pieceCount;
  }
  /** Bytes of the store so far. */
  get byteLength(): number {
    return this.#written + this.#buffered;
  }

  /** Adds a shape and the objects made of it. Errors name the object; nothing of the shape is then in the store. */
  async add(shape: SourceShape): Promise<void> {
    await this.#alone(async () => {
      const takeBack = this.#directory.mark();
      try {
        await this.#add(readShape(shape));
      } catch (error) {
        // pages that were written stay in the file, and are nobody's
        takeBack();
        this.#shelves.cut(this.pieceCount);
        throw error;
      }
    });
  }

  async #add(source: SourceShape): Promise<void> {
    const { geometry, objects: given } = source;
    if (given.length === 0) return;
    const triangles = 'indices' in geometry ? geometry.indices.length / 3 : geometry.triangleCount;
    const isLarge = triangles > LARGE_PIECES * this.#pieceTriangles;
    const thread = isLarge ? this.#thread : undefined;
    const divided = await divideShape(geometry, {
      most: this.#pieceTriangles,
      levels: this.#levels,
      spill: this.#spill,
      thread,
      label: given[0].path,
      named: (make) => naming(given[0], make),
    });
    const allPoses = given.map((object) => poseOf(object));
    const near = this.#near(given, allPoses, divided.box);
    if (near.length === 0) return;
    const objects = near.map((i) => given[i]);
    const poses = near.map((i) => allPoses[i]);
    // of each object, the boxes of its pieces, one after the other; most have one
    const boxes = objects.map(() => f64Column(6));
    const firstPiece = this.pieceCount;
    const shape = new ShapeSums();
    const line = new PageLine(thread, async (page) => {
      shape.add(page);
      await this.#writePage(page);
    });
    let pieces = 0;
    let origin: ArrayLike<number> = [0, 0, 0];
    const levels = this.#levels ? this.#newLevels() : undefined;
    const { u32, f64 } = this.#directory;
    const number = u32.shapeFlags.length;
    try {
      for await (const piece of divided.pieces()) {
        origin = piece.origin;
        await levels?.add(firstPiece + pieces++, piece);
        const box = new Float64Array(6);
        poses.forEach((pose, i) => {
          writePlacedBox(piece, pose, box, 0);
          boxes[i].append(box);
        });
        await line.add(piece, piece !== geometry);
      }
      await line.empty();
      u32.shapeExactPieces.push(this.pieceCount - firstPiece);
      await levels?.write();
    } finally {
      await line.drop();
      await levels?.dispose();
    }
    u32.shapeFirstPiece.push(this.pieceCount);
    u32.shapeFlags.push(shape.closed ? SHAPE_CLOSED : 0);
    f64.shapeTriangles.push(shape.triangles);
    for (let i = 0; i < objects.length; i++) {
      f64.objectRounding.push(objectRounding(source, divided, origin, objects[i], poses[i]));
      f64.objectCurveError.push(objects[i].curveError ?? 0);
      await this.#addObject(objects[i], number, poses[i] ?? IDENTITY, boxes[i].values());
    }
  }

  /** Writes the directory and the foot. Nothing can be added afterwards. */
  async finish(meta: StoreMeta): Promise<void> {
    await this.#alone(() => this.#finish(readMeta(meta)));
  }

  /** One thing after the other, and nothing after the end. */
  async #alone(act: () => Promise<void>): Promise<void> {
    if (this.#state === 'finished') throw new ImpingeError('disposed', 'the store is finished');
    if (this.#state === 'busy')
      throw new ImpingeError('busy', 'the store is still being written to: await add');
    this.#state = 'busy';
    try {
      await act();
    } finally {
      if (this.#state === 'busy') this.#state = 'open';
    }
  }

  async #finish(meta: StoreMeta): Promise<void> {
    await this.#place(this.#shelves.empty());
    const directory = this.#directory.toBytes(meta);
    this.#state = 'finished'; // also when it fails: what is written may hold half of it
    await this.#pad();
    const at = this.byteLength;
    await this.#append(directory);
    const foot = new Uint8Array(STORE_FOOT_BYTES);
    const words = new Uint32Array(foot.buffer);
    words[Foot.magic] = STORE_FOOT_MAGIC;
    words[Foot.version] = STORE_VERSION;
    words[Foot.directoryChecksum] = pageChecksum(directory);
    const numbers = new DataView(foot.buffer);
    numbers.setFloat64(4 * Foot.directoryByteOffset, at, true);
    numbers.setFloat64(4 * Foot.directoryByteLength, directory.length, true);
    numbers.setFloat64(4 * Foot.byteLength, at + directory.length + STORE_FOOT_BYTES, true);
    words[Foot.footChecksum] = pageChecksum(foot);
    await this.#append(foot);
    await this.#flush();
    await this.#sink.done();
  }

  /** Which of these objects can be compared with any other; the rest is told, or refused. */
  #near(
    objects: readonly SourceObject[],
    poses: readonly (Float64Array | undefined)[],
    box: Float64Array | undefined,
  ): number[] {
    const all = [...objects.keys()];
    // what is not finite is refused with its vertex
    if (box === undefined) return all;
    return all.filter((i) => {
      if (reachOf(box, poses[i]) < FARTHEST) return true;
      if (this.#onTooFar) this.#onTooFar(objects[i]);
      else naming(objects[i], refuseTooFar);
      return false;
    });
  }

  #newLevels(): ShapeLevels {
    const work = {
      newShelf: () => new ClusterShelf(this.#spill),
      pool: this.#pool,
      onProgress: (done: number, total: number) => this.#onLevels?.({ done, total }),
    };
    return new ShapeLevels(this.#directory, work, async (mesh, level) => {
      const line = new PageLine(undefined, (page) => this.#writePage(page, level));
      await line.add(mesh, false);
    });
  }

  async #writePage(page: MadePage, level = 0): Promise<void> {
    const { u32, f64 } = this.#directory;
    const number = this.pieceCount;
    f64.pieceByteOffset.push(0); // until it is placed
    u32.pieceVertices.push(page.vertices);
    u32.pieceTriangles.push(page.triangles);
    u32.pieceBlocks.push(page.blocks);
    u32.piecePending.push(page.pending);
    u32.pieceChecksum.push(page.checksum);
    const bytes = arena()
      .u8()
      .subarray(page.at, page.at + page.byteLength);
    if (level === 0) await this.#place([{ piece: number, bytes }]);
    else await this.#place(this.#shelves.add(level, { piece: number, bytes: bytes.slice() }));
  }

  /** Writes pages, and where they are. */
  async #place(pages: readonly ShelvedPage[]): Promise<void> {
    for (const { piece, bytes } of pages) {
      await this.#pad();
      this.#directory.f64.pieceByteOffset.values()[piece] = this.byteLength;
      await this.#append(bytes);
    }
  }

  async #addObject(
    object: SourceObject,
    shape: number,
    pose: ArrayLike<number>,
    boxes: Float64Array,
  ): Promise<void> {
    const { u32, f64 } = this.#directory;
    u32.objectShape.push(shape);
    f64.objectPose.append(pose);
    const around = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let i = 0; i < boxes.length; i++) {
      const k = i % 6;
      around[k] = k < 3 ? Math.min(around[k], boxes[i]) : Math.max(around[k], boxes[i]);
    }
    f64.objectBox.append(around);
    f64.placedBox.append(boxes);
    u32.objectFirstPlaced.push(f64.placedBox.length / 6);
    this.#directory.addTexts(object);
    const properties = object.properties
      ? new TextEncoder().encode(JSON.stringify(object.properties))
      : NOTHING;
    f64.objectPropertiesByteOffset.push(this.byteLength);
    u32.objectPropertiesBytes.push(properties.length);
    u32.objectPropertiesChecksum.push(checksumOf(properties, -1));
    await this.#append(properties);
  }

  async #pad(): Promise<void> {
    const missing = padded(this.byteLength) - this.byteLength;
    if (missing > 0) await this.#append(NOTHING_BUT_ZEROS.subarray(0, missing));
  }

  async #append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(bytes.subarray(at, at + count), this.#buffered);
      this.#buffered += count;
      at += count;
      if (this.#buffered === BUFFER_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    if (this.#buffered === 0) return;
    await this.#sink.write(this.#buffer.subarray(0, this.#buffered));
    [this.#buffer, this.#otherBuffer] = [this.#otherBuffer, this.#buffer];
    this.#written += this.#buffered;
    this.#buffered = 0;
  }
}

const NOTHING = new Uint8Array(0);
const NOTHING_BUT_ZEROS = new Uint8Array(64);

/** A pool of no threads is none. */
function readPool(pool: StorePool | undefined): StorePool | undefined {
  if (pool === undefined) return undefined;
  if (typeof pool?.simplify !== 'function') {
    throw new ImpingeError('bad-option', 'pool must be one that can make levels, such as nodePool()');
  }
  return readInteger('the size of a pool', pool.size, 0) > 0 ? pool : undefined;
}

function poseOf(object: SourceObject): Float64Array | undefined {
  if (object.pose === undefined) return undefined;
  const { pose } = object;
  if (pose.length !== 12) {
    throw new ImpingeError('bad-pose', `object "${object.path}": a pose has 12 numbers, not ${pose.length}`);
  }
  const parts = { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
  return naming(object, () => orthonormalised(toRigidPose(parts, carvePose), carvePose));
}

function refuseTooFar(): never {
  throw new ImpingeError('bad-input', `it reaches farther than ${FARTHEST.toExponential()} from zero`);
}

/** Says which object an error is about. */
function naming<T>(object: SourceObject, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ImpingeError)) throw error;
    throw new ImpingeError(error.code, `object "${object.path}" of ${object.file}: ${error.message}`, {
      ...error.detail,
      object: object.path,
      file: object.file,
    });
  }
}
