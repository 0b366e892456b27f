/**
 * Brings to the card what a camera needs of a store: chooses pieces, reads them, finds places for them, and says what
 * to draw. Runs in a worker, and knows nothing of one.
 *
 * Idea: every piece is written as it stands in the model, once for each object that it is drawn for. So neighbours on
 * the card are drawn as one range whatever objects they belong to, and styles need no list. What is on the card stays
 * there until its room is needed. Of shapes that several objects share, the arrays stay here, too, for further copies.
 * Invariant: slabs, arrays and what waits for the card never exceed the memory that was given; see `#mayAddSlab`.
 */
import type { PieceArrays, StoredModel } from '@impinge/model';
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

/** What may wait for the card. */
const WAITING_BYTES = 24e6;
/** Share of the worker's time for selection while pieces arrive. */
const CHOOSING_SHARE = 1 / 5;
/** Of the room, for arrays of shapes that several objects share. */
const SHARED_SHARE = 0.15;
/** Objects of the first picture. */
const FIRST_OBJECTS = 1500;
/** Without levels, what is largest is read by itself first. */
const FIRST_PIECES = 512;
/** About what choosing keeps in memory besides the directory. */
const OBJECT_BYTES = 800;
const PIECE_BYTES = 120;

export interface StreamerOptions {
  readonly memory: number;
  readonly budget: number;
  readonly send: (message: Upload | DrawList, transfer: ArrayBuffer[]) => void;
  readonly fail: (error: unknown) => void;
  readonly bytesRead: () => number;
  /** So many bytes between two pieces are read rather than to ask twice. */
  readonly gapBytes: number;
  readonly now: () => number;
}

export class Streamer {
  readonly origins: ObjectOrigins;
  /** What the page holds by itself. */
  reservedBytes = 0;
  /** Objects that are looked at: they are drawn whatever is left out. */
  watched: readonly number[] = [];
  readonly #model: StoredModel;
  readonly #options: StreamerOptions;
  readonly #reader: PieceReader;
  readonly #uploads: CardUploads;
  #front: ModelFront;
  /** Only the largest objects are drawn, coarsely, until these are all there. */
  #isFirst: boolean;
  #places = new Places();
  /** Pieces of shapes that one object has. */
  readonly #single: (Place | undefined)[];
  readonly #shared = new SharedPieces();
  readonly #isShared: Uint8Array;
  readonly #isAnyShared: boolean;
  readonly #objectOf: Uint32Array;
  #waitingBytes = 0;
  #camera: StreamCamera | undefined;
  #hidden: Uint8Array | null = null;
  readonly #moved = new Map<number, Float64Array>();
  #selections = 0;
  /** The selection whose list was sent last. */
  #sent = 0;
  #nextSelection: ReturnType<typeof setTimeout> | undefined;
  #lastSelection = { at: -Infinity, ms: 0 };
  /** Errors grow by this where memory does not allow what was asked. */
  #laxness = 1;
  /** Of the room, without levels: less where pieces did not fit after all. */
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
    // what chooses levels takes a while to set up: not before the first picture
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

  /** Chooses levels for where the object is now; the page draws it there. */
  move(object: number, pose: Float64Array | null): void {
    if (pose) this.#moved.set(object, pose);
    else this.#moved.delete(object);
    this.#front.move(object, poseOf(pose ?? this.#model.pose(object)));
    this.#selectSoon();
  }

  uploaded(bytes: number): void {
    this.#waitingBytes = Math.max(0, this.#waitingBytes - bytes);
    this.#reader.pump();
  }

  /** The card has lost everything: all of it is loaded again. */
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

  /** Bytes for slabs and for arrays of shared shapes. What waits, and is being read, is allowed for in full. */
  get #rest(): number {
    const fixed = this.#memoryBytes - this.#shared.bytes;
    return Math.max(0, this.#options.memory - this.reservedBytes - fixed - 2 * WAITING_BYTES);
  }

  /** Bytes of the card that slabs may have. */
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
    const front = this.#front.select(asked, this.#options.budget, this.#roomShare * this.#room);
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
      memoryBytes: this.#memoryBytes,
      bytesRead: this.#options.bytesRead(),
      selectMs: ended - started,
    });
    const before = this.#places.usedBytes;
    // a plan is carried out to its end while the question is the same: a new one would read gaps again
    if (this.#isOtherQuestion || this.#reader.isAsked) {
      this.#isOtherQuestion = false;
      this.#reader.plan(wanted, this.#front instanceof LevelFront ? 0 : FIRST_PIECES);
    }
    if (this.#isShort) {
      // what this selection does without has room for what it lacks, perhaps
      this.#drop();
      if (this.#places.usedBytes < before) this.#selectSoon();
      else this.#makeDo();
    }
    if (isFirst && wanted.length === 0) this.#chooseLevels();
    this.#reader.pump();
  }

  /** The first picture is there. */
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

  /** Pieces that only hidden objects have are not read. */
  #isWanted(piece: number): boolean {
    return !this.#hidden || this.#isShared[piece] === 1 || this.#hidden[this.#objectOf[piece]] === 0;
  }

  /** Where what is in view lies; copies are made where they are missing. */
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

  /** Frees copies that neither the list sent last draws nor the next one. True: there was one. */
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

  /** How large an object looks; one that was moved is looked at, too. */
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

  /**
   * Writes pieces to the card, before the next list at the latest. Where there is no place for one, undefined stands
   * for it.
   */
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

  /** Nothing is dropped before the list is sent that does without it. */
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

  /** Drops a fifth of what is on the card, if it can be done without. What was sent last does not draw it. */
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

  /** Memory is too short for what was asked: a larger error, or fewer objects, have to do. */
  #makeDo(): void {
    this.#isShort = false;
    if (this.#laxness > 1e3) return;
    if (this.#front instanceof LevelFront) this.#laxness *= 1.5;
    else this.#roomShare *= 0.9;
    this.#isOtherQuestion = true;
    this.#selectSoon();
  }
}
