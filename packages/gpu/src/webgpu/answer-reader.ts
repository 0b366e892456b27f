/**
 * From the device to the host: one buffer with the counts, the objects, the times and as many results as the last
 * request of this kind had, and some more. If there are more, they are fetched by a second copy.
 *
 * The buffer stays mapped, and head, columns and times stay good, until the next copy.
 */
import type { Columns } from '../backend.js';
import type { BufferStore } from './device-buffer.js';
import { Head, MAP_READ, MET_WORD, Usage } from './layout.js';
import type { Lists } from './lists.js';
import type { SentRequest } from './sent-request.js';

const TIME_BYTES = 16;
const SLOTS_BYTES = 8;
const COLUMNS_BYTES = 16;

/** Pairs that are fetched with the answer. */
interface Guess {
  meeting: number;
  doubtful: number;
}

export interface Answer {
  /** Words of `state` up to those of the objects' flags. */
  readonly head: Uint32Array;
  /** Meeting pairs; undefined if they could not be sorted. */
  readonly columns: Columns | undefined;
  /** Meeting pairs that could not be sorted. */
  readonly meeting: Uint32Array;
  readonly doubtful: Uint32Array;
  /** Nanoseconds at the beginning and the end, if requested. */
  readonly times: BigUint64Array;
  /** Whether meeting and doubtful pairs are all there. */
  readonly complete: boolean;
}

const NO_GUESS: Guess = { meeting: 0, doubtful: 0 };
const NO_PAIRS = new Uint32Array(0);

export class AnswerReader {
  readonly #store: BufferStore;
  readonly #lists: Lists;
  readonly #target;
  #mapped = false;
  /** For meeting pairs, and for those within a distance. */
  readonly #guesses = [newGuess(), newGuess()] as const;

  constructor(store: BufferStore, lists: Lists) {
    this.#store = store;
    this.#lists = lists;
    this.#target = store.make('answers', Usage.mapRead | Usage.copyTarget);
  }

  /** Encodes the copies, after everything else: meeting pairs in columns if they are `sorted`. */
  copy(encoder: GPUCommandEncoder, sent: SentRequest, sorted: boolean, times: GPUBuffer | undefined): void {
    if (this.#mapped) this.#target.buffer.unmap();
    this.#mapped = false;
    const { capacity, columns, results } = this.#lists;
    const { headBytes, meetingAt, doubtfulAt, size, meeting, doubtful } = this.#layout(sent);
    this.#target.reserve(size);
    const target = this.#target.buffer;
    if (times) encoder.copyBufferToBuffer(times, 0, target, 0, TIME_BYTES);
    encoder.copyBufferToBuffer(sent.state, 0, target, TIME_BYTES, headBytes);
    if (meeting > 0) {
      const [source, bytes] = sorted ? [columns, COLUMNS_BYTES] : [results, SLOTS_BYTES];
      encoder.copyBufferToBuffer(source.buffer, 0, target, meetingAt, bytes * meeting);
    }
    if (doubtful > 0) {
      const from = SLOTS_BYTES * capacity.meeting;
      encoder.copyBufferToBuffer(results.buffer, from, target, doubtfulAt, SLOTS_BYTES * doubtful);
    }
  }

  /** Waits for the copies, and reads them. */
  async read(sent: SentRequest, sorted: boolean): Promise<Answer> {
    const { headBytes, meetingAt, doubtfulAt, size, meeting, doubtful } = this.#layout(sent);
    const target = this.#target.buffer;
    await target.mapAsync(MAP_READ, 0, size);
    this.#mapped = true;
    const bytes = target.getMappedRange(0, size);
    const head = new Uint32Array(bytes, TIME_BYTES, headBytes / 4);
    const count = head[Head.meeting];
    const doubts = head[Head.doubtful];
    const complete = count <= meeting && doubts <= doubtful && !(sorted && head[Head.mostPartners] !== 0);
    if (sent.request.kind === 'pairs') widen(this.#guessFor(sent), count, doubts);
    const columns = complete && sorted ? columnsAt(bytes, meetingAt, count) : undefined;
    return {
      head,
      columns,
      meeting: complete && !sorted ? new Uint32Array(bytes, meetingAt, 2 * count).slice() : NO_PAIRS,
      doubtful: new Uint32Array(bytes, doubtfulAt, 2 * Math.min(doubts, doubtful)).slice(),
      times: new BigUint64Array(bytes, 0, 2),
      complete,
    };
  }

  /** Reads again after an answer that was not complete: the guesses are large enough now. */
  async readAll(sent: SentRequest, sorted: boolean): Promise<Answer> {
    const { device } = this.#store;
    const encoder = device.createCommandEncoder();
    this.copy(encoder, sent, sorted, undefined);
    if (this.#store.pending) await this.#store.settle();
    device.queue.submit([encoder.finish()]);
    return this.read(sent, sorted);
  }

  #guessFor({ request: { distance } }: SentRequest): Guess {
    return this.#guesses[distance === 0 ? 0 : 1];
  }

  #layout(sent: SentRequest) {
    const { objectCount, request } = sent;
    const { capacity } = this.#lists;
    const guess = request.kind === 'pairs' ? this.#guessFor(sent) : NO_GUESS;
    const meeting = request.distance === 0 ? Math.min(capacity.meeting, guess.meeting) : 0;
    const doubtful = Math.min(capacity.doubtful, guess.doubtful);
    // all parts begin at multiples of 8
    const headBytes = 4 * (MET_WORD + objectCount + (objectCount % 2));
    const meetingAt = TIME_BYTES + headBytes;
    const doubtfulAt = meetingAt + COLUMNS_BYTES * meeting;
    const size = doubtfulAt + SLOTS_BYTES * doubtful;
    return { headBytes, meetingAt, doubtfulAt, size, meeting, doubtful };
  }
}

function newGuess(): Guess {
  return { meeting: 2048, doubtful: 256 };
}

/** Adapts a guess to these counts; one that is far too large shrinks. */
function widen(guess: Guess, meeting: number, doubtful: number): void {
  guess.meeting = guessFrom(guess.meeting, meeting);
  guess.doubtful = guessFrom(guess.doubtful, doubtful);
}

function guessFrom(guess: number, count: number): number {
  const needed = Math.ceil(1.25 * count) + 256;
  return needed > guess || 2 * needed < guess ? needed : guess;
}

function columnsAt(bytes: ArrayBuffer, at: number, count: number): Columns {
  return {
    count,
    objects: new Uint32Array(bytes, at, 2 * count),
    triangles: new Uint32Array(bytes, at + 8 * count, 2 * count),
  };
}
