/**
 * Writes a model into a store, shape by shape: memory holds one shape and the directory.
 *
 * A shape is split into pieces; the mesh of each and the top of its tree go into a page. With levels, coarser pieces
 * follow (shape-levels.ts), whose pages lie together by level (page-shelves.ts). The directory and the foot come at the
 * end, so that an incomplete store can be recognised.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  type OptionNames,
  readChoice,
  readFunction,
  readInteger,
  readKnown,
} from 'impinge/internal/base/options.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { IDENTITY } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import type { LevelsPool } from '../levels/group-task.js';
import { BufferedSink } from './buffered-sink.js';
import { ClusterShelf } from './cluster-shelf.js';
import { DirectoryColumns } from './directory-columns.js';
import { divideShape } from './divided-shape.js';
import { readMeta, readShape } from './input.js';
import {
  Foot,
  PIECE_TRIANGLES,
  SHAPE_CLOSED,
  STORE_FOOT_BYTES,
  STORE_FOOT_MAGIC,
  STORE_HEAD_BYTES,
  STORE_MAGIC,
  STORE_VERSION,
  type StoreMeta,
} from './layout.js';
import { OtherThread } from './other-thread.js';
import { PageChecksum, pageChecksum } from './page-hash.js';
import { PageLine } from './page-line.js';
import { PageShelves, type ShelvedPage } from './page-shelves.js';
import type { PageSink } from './page-source.js';
import { type MadePage, PageTask } from './page-task.js';
import { emptyBox } from './placed-box.js';
import { naming, PlacedObjects } from './placed-objects.js';
import { objectRounding } from './rounding.js';
import { ShapeInWork } from './shape-in-work.js';
import { ShapeLevels } from './shape-levels.js';
import type { SourceObject, SourceShape } from './source.js';
import type { Spill } from './spill.js';

export interface LevelsProgress {
  readonly done: number;
  readonly total: number;
}

/** Such as `modelPool()`. */
export type StorePool = LevelsPool & Partial<Pick<WorkerPool, 'call'>>;

export interface StoreWriterOptions {
  /** Most triangles per piece (default 8 192). */
  readonly pieceTriangles?: number;
  /** Whether to add coarser pieces with certified errors; then pieces have at most 8 192 triangles. */
  readonly levels?: boolean;
  /** Threads to make levels on, or without levels pages; the store is the same without. */
  readonly pool?: StorePool;
  /** Called with the progress of the levels of each shape; `total` is an estimate that improves. */
  readonly onLevels?: (progress: LevelsProgress) => void;
  /** Where a shape that comes as a stream is sorted; without it, such shapes are refused. */
  readonly spill?: Spill;
  /** Called for objects that are too far away to be compared, which are then left out instead of refused. */
  readonly onTooFar?: (object: SourceObject) => void;
}

/** A shape of more than this many pieces is large: making its pages keeps a thread busy. */
const LARGE_PIECES = 4;

const NAMES: OptionNames<StoreWriterOptions> = {
  ...{ pieceTriangles: true, levels: true, pool: true, onLevels: true, spill: true, onTooFar: true },
};

/** A quaternion. */
const NO_TURN = [0, 0, 0, 1];

export class StoreWriter {
  readonly #sink: BufferedSink;
  readonly #pieceTriangles: number;
  readonly #levels: boolean;
  readonly #pool: StorePool | undefined;
  /** That makes pages: with levels, all are busy with these. */
  readonly #thread: OtherThread | undefined;
  readonly #onLevels: StoreWriterOptions['onLevels'];
  readonly #spill: Spill | undefined;
  readonly #onTooFar: StoreWriterOptions['onTooFar'];
  /** Pages of shapes that do not keep a thread busy alone. */
  readonly #small: PageLine;
  #waitingObjects = 0;
  #waitingPieces = 0;
  #state: 'open' | 'busy' | 'finished' = 'open';
  readonly #directory = new DirectoryColumns();
  readonly #shelves = new PageShelves();

  constructor(sink: PageSink, options: StoreWriterOptions = {}) {
    if (typeof sink?.write !== 'function')
      throw new ImpingeError('bad-input', 'a sink to write to is needed');
    const { pieceTriangles = PIECE_TRIANGLES, levels = false } = readKnown('StoreWriter', options, NAMES);
    readChoice('levels', levels, [true, false]);
    const most = readInteger('pieceTriangles', pieceTriangles, 64, levels ? PIECE_TRIANGLES : Infinity);
    const head = new Uint32Array(STORE_HEAD_BYTES / 4);
    head[0] = STORE_MAGIC;
    head[1] = STORE_VERSION;
    this.#sink = new BufferedSink(sink, new Uint8Array(head.buffer));
    this.#pieceTriangles = most;
    this.#levels = levels;
    this.#pool = readPool(options.pool);
    const call = levels ? undefined : this.#pool?.call;
    this.#thread = call && arena().shared ? new OtherThread({ call }) : undefined;
    this.#onLevels = options.onLevels === undefined ? undefined : readFunction('onLevels', options.onLevels);
    this.#spill = options.spill;
    this.#onTooFar = options.onTooFar;
    this.#small = new PageLine(this.#thread);
  }

  get objectCount(): number {
    return this.#directory.objectCount + this.#waitingObjects;
  }
  get pieceCount(): number {
    return this.#directory.pieceCount + this.#waitingPieces;
  }
  /** Bytes of the store so far, without pages waiting to be written. */
  get byteLength(): number {
    return this.#sink.byteLength;
  }

  /**
   * Adds a shape and the objects made of it. Errors name the object; nothing of the shape is then in the store. Where a
   * thread helps, small shapes are written with some delay; when that fails, the store cannot be finished.
   */
  async add(shape: SourceShape): Promise<void> {
    await this.#alone(async () => {
      const source = readShape(shape);
      const { geometry } = source;
      const objects = new PlacedObjects(source.objects);
      if (objects.count === 0) return;
      const triangles = 'indices' in geometry ? geometry.indices.length / 3 : geometry.triangleCount;
      const isLarge = triangles > LARGE_PIECES * this.#pieceTriangles;
      // the caller may dispose of its mesh once it is added, and may change the source of its objects
      const mayWait = !(geometry instanceof Mesh) && Array.isArray(source.objects);
      if (this.#thread && !isLarge && 'indices' in geometry && mayWait)
        return this.#addSmall(source, objects);
      await this.#withSmall((line) => line.empty());
      await this.#addWhole(source, objects, isLarge ? this.#thread : undefined);
    });
  }

  /** Call this if the store will not be finished: frees the data waiting to be written. */
  async abandon(): Promise<void> {
    await this.#alone(async () => {
      this.#state = 'finished';
      await this.#small.drop();
    });
  }

  /** Adds a shape, and returns when it is written. */
  async #addWhole(
    source: SourceShape,
    objects: PlacedObjects,
    thread: OtherThread | undefined,
  ): Promise<void> {
    const takeBack = this.#directory.mark();
    try {
      const shape = await this.#open(source, objects, thread);
      if (shape) await this.#write(shape, thread);
    } catch (error) {
      // pages that were written stay in the file, unreferenced
      takeBack();
      this.#shelves.cut(this.#directory.pieceCount);
      throw error;
    }
  }

  /** Puts a shape in line. */
  async #addSmall(source: SourceShape, objects: PlacedObjects): Promise<void> {
    const shape = await this.#open(source, objects, undefined);
    if (!shape) return;
    const tasks: PageTask[] = [];
    try {
      for await (const piece of shape.divided.pieces()) {
        shape.add(piece);
        tasks.push(new PageTask(piece, true));
      }
    } catch (error) {
      for (const task of tasks) task.dispose();
      throw error;
    }
    await this.#withSmall(async (line) => {
      for (const [i, task] of tasks.entries()) {
        line.put(task, async (page) => {
          shape.addPage(page);
          await this.#writePage(page);
          this.#waitingPieces--;
          if (i < tasks.length - 1) return;
          await this.#close(shape);
          this.#waitingObjects -= shape.objects.count;
        });
      }
      this.#waitingPieces += tasks.length;
      this.#waitingObjects += shape.objects.count;
      for (let i = 0; i < tasks.length; i++) await line.work();
    });
  }

  /** Waiting pages belong to shapes already added: if they fail, the store is incomplete. */
  async #withSmall(act: (line: PageLine) => Promise<void>): Promise<void> {
    try {
      await act(this.#small);
    } catch (error) {
      this.#state = 'finished';
      await this.#small.drop();
      throw error;
    }
  }

  /** Undefined where all its objects are too far away. */
  async #open(
    source: SourceShape,
    objects: PlacedObjects,
    thread: OtherThread | undefined,
  ): Promise<ShapeInWork | undefined> {
    const first = objects.first!;
    const divided = await divideShape(source.geometry, {
      most: this.#pieceTriangles,
      levels: this.#levels,
      spill: this.#spill,
      thread,
      label: first.path,
      named: (make) => naming(first, make),
    });
    objects.leaveOutFar(divided.box, this.#onTooFar);
    return objects.count === 0 ? undefined : new ShapeInWork(source, divided, objects);
  }

  async #write(shape: ShapeInWork, thread: OtherThread | undefined): Promise<void> {
    const line = new PageLine(thread);
    const firstPiece = this.#directory.pieceCount;
    const levels = this.#levels ? this.#newLevels() : undefined;
    try {
      for await (const piece of shape.divided.pieces()) {
        await levels?.add(firstPiece + shape.pieces, piece);
        shape.add(piece);
        line.put(new PageTask(piece, piece !== shape.source.geometry), async (page) => {
          shape.addPage(page);
          await this.#writePage(page);
        });
        await line.work();
      }
      await line.empty();
      await levels?.write();
    } finally {
      await line.drop();
      await levels?.dispose();
    }
    await this.#close(shape);
  }

  /** When all its pages are written: the shape itself, and its objects. */
  async #close(shape: ShapeInWork): Promise<void> {
    const { columns } = this.#directory;
    const number = columns.shapeFlags.length;
    columns.shapeExactPieces.push(shape.pieces);
    columns.shapeFirstPiece.push(this.#directory.pieceCount);
    columns.shapeFlags.push(shape.isClosed ? SHAPE_CLOSED : 0);
    columns.shapeTriangles.push(shape.triangles);
    let i = 0;
    for (const { object, pose } of shape.objects) {
      columns.objectRounding.push(objectRounding(shape.source, shape.divided, shape.origin, object, pose));
      columns.objectCurveError.push(object.curveError ?? 0);
      columns.objectAxes.append(object.axes ?? NO_TURN);
      await this.#addObject(object, number, pose ?? IDENTITY, shape.boxesOf(i++));
    }
  }

  /** Writes the directory and the foot. Nothing can be added afterwards. */
  async finish(meta: StoreMeta): Promise<void> {
    await this.#alone(async () => {
      const known = readMeta(meta);
      await this.#withSmall((line) => line.empty());
      await this.#finish(known);
    });
  }

  /** One thing after the other, and nothing after the end. */
  async #alone(act: () => Promise<void>): Promise<void> {
    if (this.#state === 'finished') throw new ImpingeError('disposed', 'the store is finished');
    if (this.#state === 'busy')
      throw new ImpingeError('busy', 'the store is still being written: await add()');
    this.#state = 'busy';
    try {
      await act();
    } finally {
      if (this.#state === 'busy') this.#state = 'open';
    }
  }

  async #finish(meta: StoreMeta): Promise<void> {
    await this.#place(this.#shelves.empty());
    this.#state = 'finished'; // also on failure: half of it may have been written
    await this.#sink.pad();
    const at = this.byteLength;
    const checksum = new PageChecksum();
    for (const block of this.#directory.toBlocks(meta)) {
      checksum.add(block);
      await this.#sink.append(block);
    }
    const end = this.byteLength;
    const foot = new Uint8Array(STORE_FOOT_BYTES);
    const words = new Uint32Array(foot.buffer);
    words[Foot.magic] = STORE_FOOT_MAGIC;
    words[Foot.version] = STORE_VERSION;
    words[Foot.directoryChecksum] = checksum.value;
    const numbers = new DataView(foot.buffer);
    numbers.setFloat64(4 * Foot.directoryByteOffset, at, true);
    numbers.setFloat64(4 * Foot.directoryByteLength, end - at, true);
    numbers.setFloat64(4 * Foot.byteLength, end + STORE_FOOT_BYTES, true);
    words[Foot.footChecksum] = pageChecksum(foot);
    await this.#sink.append(foot);
    await this.#sink.done();
  }

  #newLevels(): ShapeLevels {
    const work = {
      newShelf: () => new ClusterShelf(this.#spill),
      pool: this.#pool,
      onProgress: (done: number, total: number) => this.#onLevels?.({ done, total }),
    };
    return new ShapeLevels(this.#directory, work, async (mesh, level) => {
      const line = new PageLine(undefined);
      line.put(new PageTask(mesh, false), (page) => this.#writePage(page, level));
      await line.work();
    });
  }

  async #writePage(page: MadePage, level = 0): Promise<void> {
    const { columns } = this.#directory;
    const number = this.#directory.pieceCount;
    columns.pieceByteOffset.push(0); // until it is placed
    columns.pieceVertices.push(page.vertices);
    columns.pieceTriangles.push(page.triangles);
    columns.pieceBlocks.push(page.blocks);
    columns.piecePending.push(page.pending);
    columns.pieceChecksum.push(page.checksum);
    const bytes = arena()
      .u8()
      .subarray(page.at, page.at + page.byteLength);
    if (level === 0) await this.#place([{ piece: number, bytes }]);
    else await this.#place(this.#shelves.add(level, { piece: number, bytes: bytes.slice() }));
  }

  /** Writes pages, and where they are. */
  async #place(pages: readonly ShelvedPage[]): Promise<void> {
    for (const { piece, bytes } of pages) {
      await this.#sink.pad();
      this.#directory.columns.pieceByteOffset.set(piece, this.byteLength);
      await this.#sink.append(bytes);
    }
  }

  async #addObject(
    object: SourceObject,
    shape: number,
    pose: ArrayLike<number>,
    boxes: Float64Array,
  ): Promise<void> {
    const { columns } = this.#directory;
    columns.objectShape.push(shape);
    columns.objectPose.append(pose);
    const around = emptyBox();
    widenBox(around, boxes);
    columns.objectBox.append(around);
    columns.placedBox.append(boxes);
    columns.objectFirstPlaced.push(columns.placedBox.length / 6);
    this.#directory.addTexts(object);
    const properties = object.properties
      ? new TextEncoder().encode(JSON.stringify(object.properties))
      : NOTHING;
    columns.objectPropertiesByteOffset.push(this.byteLength);
    columns.objectPropertiesBytes.push(properties.length);
    columns.objectPropertiesChecksum.push(checksumOf(properties, -1));
    await this.#sink.append(properties);
  }
}

const NOTHING = new Uint8Array(0);

/** A pool of no threads is none. */
function readPool(pool: StorePool | undefined): StorePool | undefined {
  if (pool === undefined) return undefined;
  if (typeof pool?.simplify !== 'function') {
    throw new ImpingeError('bad-option', 'pool must be able to build levels, such as modelPool()');
  }
  return readInteger('the size of a pool', pool.size, 0) > 0 ? pool : undefined;
}
