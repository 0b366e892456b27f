/**
 * Streams to the GPU what a camera needs of a store: selects pieces, reads them, allocates places, and sends draw
 * lists. It runs in a worker, but does not depend on one.
 *
 * Every piece is written placed, once for each object that draws it. So adjacent pieces on the GPU are drawn as one
 * range whatever their objects, and styles need no lists. Pieces stay on the GPU until their space is needed. Arrays of
 * shapes that several objects share are kept here, too, for further copies.
 * Invariant: slabs, arrays and pending uploads never exceed the memory limit; see `#mayAddSlab`.
 */
import type { ErrorNear, PieceArrays, StoredModel } from '@impinge/model';
import { poseOf } from '../exact/poses.js';
import { type CardItem, CardUploads } from './card-uploads.js';
import { DrawnPlaces } from './drawn-places.js';
import { type FrontNow, LevelFront, type ModelFront, WholeFront } from './front.js';
import { type ObjectOrigins, objectOrigins } from './object-origins.js';
import { PieceReader } from './piece-reader.js';
import { bytesOf, type Place, Places, SLAB_BYTES } from './places.js';
import type { DrawList, StreamCamera, StreamStats, Upload } from './protocol.js';
import { SharedPieces } from './shared-pieces.js';
import { Sight } from './sight.js';

/** Limit of pending uploads. */
const WAITING_BYTES = 24e6;
/** Share of the worker's time for selection while pieces arrive. */
const CHOOSING_SHARE = 1 / 5;
/** Share of memory for arrays of shared shapes. */
const SHARED_SHARE = 0.15;
/** Number of objects in the first picture. */
const FIRST_OBJECTS = 1500;
/** Without levels, the largest pieces are read first, separately. */
const FIRST_PIECES = 512;
/** Approximate memory of the selection besides the directory. */
const OBJECT_BYTES = 800;
const PIECE_BYTES = 120;

export interface StreamerOptions {
  readonly memory: number;
  readonly budget: number;
  readonly send: (message: Upload | DrawList, transfer: ArrayBuffer[]) => void;
  readonly fail: (error: unknown) => void;
  readonly bytesRead: () => number;
  /** Bytes of the store in memory, which are not part of `memory`. */
  readonly keptBytes: () => number;
  /** Gaps of up to this many bytes are read to save a request. */
  readonly gapBytes: number;
  readonly now: () => number;
}

export class Streamer {
  readonly origins: ObjectOrigins;
  /** Bytes held by the page. */
  reservedBytes = 0;
  /** Objects in focus: they are never omitted. */
  watched: readonly number[] = [];
  readonly #model: StoredModel;
  readonly #options: StreamerOptions;
  readonly #reader: PieceReader;
  readonly #uploads: CardUploads;
  #front: ModelFront;
  /** Whether only the largest objects are drawn, coarsely, until they are all loaded. */
  #isFirst: boolean;
  #places = new Places();
  /** Pieces of shapes with one object. */
  readonly #single: (Place | undefined)[];
  readonly #shared = new SharedPieces();
  readonly #isShared: Uint8Array;
  readonly #isAnyShared: boolean;
  readonly #objectOf: Uint32Array;
  #waitingBytes = 0;
  #camera: StreamCamera | undefined;
  #hidden: Uint8Array | null = null;
  readonly #moved = new Map<number, Float64Array>();
  #near: ErrorNear | null = null;
  #selections = 0;
  /** The last selection whose list was sent. */
  #sent = 0;
  #nextSelection: ReturnType<typeof setTimeout> | undefined;
  #lastSelection = { at: -Infinity, ms: 0 };
  /** Factor on errors if memory is too small for the requested detail. */
  #laxness = 1;
  /** Share of memory used without levels: reduced if pieces did not fit. */
  #roomShare = 1;
  #isShort = false;
  #isOtherQuestion = true;

  constructor(model: StoredModel, options: StreamerOptions) {
    this.#model = model;
    this.#options = options;
    this.#reader = new PieceReader(model, {
      gapBytes: options.gapBytes,
      mayRead: () => this.#waitingBytes < WAITING_BYTES,
      arrived: (arrays) => {
        this.#arrived(arrays);
        this.#selectSoon();
      },
      fail: options.fail,
    });
    this.origins = objectOrigins(model.directory.objectBox);
    this.#uploads = new CardUploads(
      this.origins,
      (object) => model.pose(object),
      (upload) => {
        const { runs, positions, objects, indices } = upload;
        options.send(upload, [runs.buffer, positions.buffer, objects.buffer, indices.buffer]);
      },
    );
    // the selection of levels takes a while to set up, so it follows the first picture
    this.#isFirst = model.hasLevels;
    this.#front = new WholeFront(model, this.#isFirst ? { coarsest: true, most: FIRST_OBJECTS } : {});
    this.#single = new Array(model.pieceCount);
    this.#isShared = new Uint8Array(model.pieceCount);
    this.#objectOf = new Uint32Array(model.pieceCount);
    const { shapeFirstPiece, objectShape } = model.directory;
    const users = new Uint32Array(model.shapeCount);
    for (const shape of objectShape) users[shape]++;
    this.#isAnyShared = users.some((count) => count > 1);
    objectShape.forEach((shape, object) => {
      for (let piece = shapeFirstPiece[shape]; piece < shapeFirstPiece[shape + 1]; piece++) {
        this.#isShared[piece] = users[shape] > 1 ? 1 : 0;
        this.#objectOf[piece] = object;
      }
    });
  }

  look(camera: StreamCamera): void {
    this.#camera = camera;
    this.#isOtherQuestion = true;
    if (this.#laxness > 1) this.#freeCopies();
    if (this.#places.usedBytes < 0.6 * this.#places.slabCount * SLAB_BYTES) this.#laxness = 1;
    this.#selectSoon();
  }

  hide(hidden: Uint8Array | null): void {
    this.#isOtherQuestion ||= hidden !== this.#hidden;
    this.#hidden = hidden;
    if (this.#isOtherQuestion) this.#selectSoon();
  }

  /** Selects levels for the object's new place; the page draws it there. */
  move(object: number, pose: Float64Array | null): void {
    if (pose) this.#moved.set(object, pose);
    else this.#moved.delete(object);
    this.#front.move(object, poseOf(pose ?? this.#model.pose(object)));
    this.#selectSoon();
  }

  /** Draws what is in a box within an error from now on, in view or not; null: nowhere. */
  refine(near: ErrorNear | null): void {
    this.#near = near;
    this.#selectSoon();
  }

  uploaded(bytes: number): void {
    this.#waitingBytes = Math.max(0, this.#waitingBytes - bytes);
    this.#reader.pump();
  }

  /** Reloads everything after a lost context. */
  lost(): void {
    this.#reader.forget();
    this.#uploads.forget();
    this.#places = new Places();
    const dropped = this.#singles();
    this.#single.fill(undefined);
    this.#shared.forgetCopies();
    this.#front.dropped(dropped);
    this.#waitingBytes = 0;
    this.#isOtherQuestion = true;
    this.#selectSoon();
  }

  get #gpuBytes(): number {
    return this.#places.slabCount * SLAB_BYTES;
  }

  get #memoryBytes(): number {
    const { directoryBytes, objectCount, pieceCount } = this.#model;
    const choosing = OBJECT_BYTES * objectCount + PIECE_BYTES * pieceCount;
    return directoryBytes.length + choosing + this.#shared.bytes;
  }

  /** Bytes for slabs and shared arrays. Pending uploads and active reads are reserved in full. */
  get #rest(): number {
    const fixed = this.#memoryBytes - this.#shared.bytes;
    return Math.max(0, this.#options.memory - this.reservedBytes - fixed - 2 * WAITING_BYTES);
  }

  /** GPU bytes available for slabs. */
  get #room(): number {
    const most = this.#isAnyShared ? (1 - SHARED_SHARE) * this.#rest : this.#rest;
    const there = Math.min(most, this.#rest - this.#shared.bytes);
    return SLAB_BYTES * Math.max(0, Math.floor(there / SLAB_BYTES));
  }

  #mayAddSlab(): boolean {
    return this.#gpuBytes + SLAB_BYTES <= this.#room;
  }

  #selectSoon(): void {
    if (this.#nextSelection !== undefined || !this.#camera) return;
    const { at, ms } = this.#lastSelection;
    const wait = Math.max(0, at + ms / CHOOSING_SHARE - this.#options.now());
    this.#nextSelection = setTimeout(() => {
      this.#nextSelection = undefined;
      try {
        this.#select(this.#camera!);
      } catch (error) {
        this.#options.fail(error);
      }
    }, wait);
  }

  #select(camera: StreamCamera): void {
    const started = this.#options.now();
    this.#selections++;
    this.#isShort = false;
    const asked = { ...camera, pixelError: camera.pixelError * this.#laxness };
    const near = this.#near && { ...this.#near, error: this.#near.error * this.#laxness };
    const limits = { budget: this.#options.budget, room: this.#roomShare * this.#room };
    const front = this.#front.select(asked, limits, near);
    const drawn = this.#placed(front);
    const wanted = front.fetch.filter((piece) => this.#isWanted(piece));
    const isFirst = this.#isFirst;
    const ended = this.#options.now();
    this.#lastSelection = { at: ended, ms: ended - started };
    this.#send(drawn, camera, {
      cameraId: camera.id,
      pixelError: isFirst ? Infinity : front.pixelError,
      complete: !isFirst && wanted.length === 0 && front.leftOut === 0 && this.#laxness === 1,
      leftOut: front.leftOut,
      gpuBytes: this.#gpuBytes,
      memoryBytes: this.#memoryBytes + this.#options.keptBytes(),
      bytesRead: this.#options.bytesRead(),
      selectMs: ended - started,
    });
    const before = this.#places.usedBytes;
    // a plan is completed while the question is the same: a new one would read gaps again
    if (this.#isOtherQuestion || this.#reader.isAsked) {
      this.#isOtherQuestion = false;
      this.#reader.plan(wanted, this.#front instanceof LevelFront ? 0 : FIRST_PIECES);
    }
    if (this.#isShort) {
      // pieces that this selection does not need may free enough space
      this.#drop();
      if (this.#places.usedBytes < before) this.#selectSoon();
      else this.#makeDo();
    }
    if (isFirst && wanted.length === 0) this.#chooseLevels();
    this.#reader.pump();
  }

  /** Call when the first picture is complete. */
  #chooseLevels(): void {
    this.#isFirst = false;
    this.#isOtherQuestion = true;
    this.#front = new LevelFront(this.#model);
    this.#moved.forEach((pose, object) => void this.#front.move(object, poseOf(pose)));
    this.#front.loaded([...this.#shared.keys(), ...this.#singles()]);
    this.#selectSoon();
  }

  #singles(): number[] {
    const pieces: number[] = [];
    this.#single.forEach((place, piece) => {
      if (place) pieces.push(piece);
    });
    return pieces;
  }

  /** Pieces of hidden objects only are not read. */
  #isWanted(piece: number): boolean {
    return !this.#hidden || this.#isShared[piece] === 1 || this.#hidden[this.#objectOf[piece]] === 0;
  }

  /** The places of visible pieces; missing copies are made. */
  #placed({ objects, pieces, visible }: FrontNow): DrawnPlaces {
    const drawn = new DrawnPlaces();
    const copies: [number, number][] = [];
    for (let i = 0; i < pieces.length; i++) {
      const [object, piece] = [objects[i], pieces[i]];
      const isDrawn = visible[i] === 1 && this.#hidden?.[object] !== 1;
      let place = this.#single[piece];
      if (this.#isShared[piece] === 1) {
        if (!isDrawn) continue;
        place = this.#shared.see(piece, object, this.#selections);
        if (!place) copies.push([object, piece]);
      }
      if (isDrawn && place) drawn.add(object, place);
    }
    if (copies.length > 0) {
      const items = copies.map(([object, piece]) => ({ object, arrays: this.#shared.arrays(piece) }));
      this.#write(items, false).forEach((place, i) => {
        if (!place) return;
        const [object, piece] = copies[i];
        this.#shared.setCopy(piece, object, place, this.#selections);
        drawn.add(object, place);
      });
    }
    return drawn;
  }

  /** Frees copies that neither the last list nor the next one draws; returns whether there were any. */
  #freeCopies(): boolean {
    return this.#shared.free(this.#places, this.#sent);
  }

  #send(
    drawn: DrawnPlaces,
    camera: StreamCamera,
    rest: Omit<StreamStats, 'triangles' | 'fewTriangles'>,
  ): void {
    const { slabCount } = this.#places;
    const { slabs, triangles } = drawn.all(slabCount);
    const sight = new Sight(camera);
    const few = drawn.few(slabCount, camera.few, (object) => this.#sizeOf(object, sight));
    const stats = { ...rest, triangles, fewTriangles: few?.triangles ?? triangles };
    this.#uploads.flush();
    const buffers = [...slabs, ...(few?.slabs ?? [])].flatMap(({ starts, counts }) => [
      starts.buffer,
      counts.buffer,
    ]);
    this.#options.send({ kind: 'draw', slabs, few: few?.slabs ?? null, stats }, buffers);
    this.#sent = this.#selections;
  }

  /** The apparent size of an object; moved ones are in focus, too. */
  #sizeOf(object: number, sight: Sight): number {
    const isWatched = this.#moved.has(object) || this.watched.includes(object);
    return isWatched ? Infinity : sight.sizeOfBox(this.#model.box(object));
  }

  #arrived(all: readonly PieceArrays[]): void {
    const loaded: number[] = [];
    const single = all.filter(({ piece }) => this.#isShared[piece] === 0 && !this.#single[piece]);
    const items = single.map((arrays) => ({ object: this.#objectOf[arrays.piece], arrays }));
    this.#write(items, true).forEach((place, i) => {
      if (!place) return;
      this.#single[single[i].piece] = place;
      loaded.push(single[i].piece);
    });
    for (const arrays of all) {
      if (this.#isShared[arrays.piece] === 0 || this.#shared.has(arrays.piece)) continue;
      const bytes = SharedPieces.bytesOf(arrays);
      const fits = () => this.#gpuBytes + this.#shared.bytes + bytes <= this.#rest;
      if (!fits()) this.#drop();
      if (!fits()) {
        this.#isShort = true;
        continue;
      }
      this.#shared.add(arrays);
      loaded.push(arrays.piece);
    }
    this.#front.loaded(loaded);
    if (this.#isShort) this.#makeDo();
  }

  /** Uploads pieces before the next list. The result is undefined for pieces without a place. */
  #write(items: readonly CardItem[], mayDrop: boolean): (Place | undefined)[] {
    const places = items.map(({ arrays }) =>
      this.#place(arrays.positions.length / 3, arrays.indices.length, mayDrop),
    );
    places.forEach((place, i) => {
      if (!place) return;
      this.#waitingBytes += bytesOf(place);
      this.#uploads.add(items[i], place);
    });
    return places;
  }

  /** Pieces are dropped only after a list without them was sent. */
  #place(vertices: number, indices: number, mayDrop: boolean): Place | undefined {
    let place = this.#places.find(vertices, indices);
    if (!place && this.#mayAddSlab()) {
      this.#places.addSlab();
      place = this.#places.find(vertices, indices);
    }
    if (!place && this.#freeCopies()) place = this.#places.find(vertices, indices);
    if (!place && mayDrop && this.#drop()) place = this.#places.find(vertices, indices);
    if (!place) this.#isShort = true;
    return place;
  }

  /** Drops up to a fifth of the pieces on the GPU that are not needed; the last list does not draw them. */
  #drop(): boolean {
    this.#freeCopies();
    const goal = 0.8 * this.#places.usedBytes;
    const dropped: number[] = [];
    for (const piece of this.#front.unneeded()) {
      if (this.#places.usedBytes < goal) break;
      const place = this.#single[piece];
      if (place) this.#places.free(place);
      else if (!this.#shared.drop(piece)) continue;
      this.#single[piece] = undefined;
      dropped.push(piece);
    }
    this.#front.dropped(dropped);
    return dropped.length > 0;
  }

  /** Reduces the detail, or the number of objects, if memory is too small. */
  #makeDo(): void {
    this.#isShort = false;
    if (this.#laxness > 1e3) return;
    if (this.#front instanceof LevelFront) this.#laxness *= 1.5;
    else this.#roomShare *= 0.9;
    this.#isOtherQuestion = true;
    this.#selectSoon();
  }
}
