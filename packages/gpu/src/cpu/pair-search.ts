/**
 * From pairs of objects to pairs of triangles. Tasks are pairs of nodes; for several threads they are opened until
 * there are enough to distribute. The pairs found do not depend on this division.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { ranges, results, type Work } from 'impinge/internal/kernel/schedule.js';
import { gpuKernels } from '../kernels.generated.js';
import { SEARCH_BYTES, SearchField, TASK_BYTES } from '../layout.generated.js';

/** Pairs that a list has room for at first. */
const FIRST_CAPACITY = 16_384;
/** Tasks per thread, so that none has to wait long for the last. */
const TASKS_PER_PART = 16;
/** As often a task is opened at most: no tree is higher where it matters. */
const MOST_SPLITS = 8;

/** A search, and its two lists. */
interface Room {
  readonly search: ArenaBuffer;
  readonly lists: ArenaBuffer;
  capacity: number;
}

/** A run of tasks for one thread. */
interface Share {
  readonly room: Room;
  from: number;
  readonly to: number;
}

export class PairSearch {
  /** Room for the tasks made by splitting. */
  #split = [new ArenaBuffer(), new ArenaBuffer()] as const;
  readonly #rooms: Room[] = [];
  readonly #meeting = new SlotPairs();
  readonly #doubtful = new SlotPairs();
  #candidates = 0;

  get meeting(): Uint32Array {
    return this.#meeting.take();
  }
  get doubtful(): Uint32Array {
    return this.#doubtful.take();
  }
  get candidates(): number {
    return this.#candidates;
  }

  begin(): void {
    this.#meeting.clear();
    this.#doubtful.clear();
    this.#candidates = 0;
  }

  /** Adds the findings of `count` tasks. `undecided`: all decisions are left to the caller. */
  *run(objects: number, tasks: number, count: number, undecided: boolean, parts: number): Work<void> {
    const some = parts > 1 ? this.#splitTasks(objects, tasks, count, parts) : { tasks, count };
    const shares = ranges(some.count, parts > 1 ? TASKS_PER_PART * parts : 1).map(([from, to], i) =>
      this.#shareOf(i, from, to),
    );
    for (let waiting = shares; waiting.length > 0; ) {
      const ends = yield* results(
        waiting.map((share) => {
          writeSearch(share, objects, some.tasks, undecided);
          return gpuKernels.call('findPairs', share.room.search.at, share.from, share.to);
        }),
      );
      waiting = waiting.filter((share, i) => {
        this.#take(share);
        if (ends[i] === share.from) share.room.capacity *= 4; // not even one task fits
        share.from = ends[i];
        return share.from < share.to;
      });
    }
  }

  /** Opens tasks until there are enough for all threads. */
  #splitTasks(
    objects: number,
    tasks: number,
    count: number,
    parts: number,
  ): { tasks: number; count: number } {
    for (let times = 0; times < MOST_SPLITS && count > 0 && count < TASKS_PER_PART * parts; times++) {
      const out = this.#split[times % 2].reserve(TASK_BYTES * 16 * count);
      const share = this.#shareOf(0, 0, count);
      writeSearch(share, objects, tasks, false);
      count = gpuKernels.kernels().splitTasks(share.room.search.at, 0, count, out);
      tasks = out;
    }
    return { tasks, count };
  }

  #shareOf(i: number, from: number, to: number): Share {
    const room = (this.#rooms[i] ??= {
      search: new ArenaBuffer(),
      lists: new ArenaBuffer(),
      capacity: FIRST_CAPACITY,
    });
    room.search.reserve(SEARCH_BYTES);
    return { room, from, to };
  }

  /** Collects the findings of a search. */
  #take({ room: { search } }: Share): void {
    const words = arena().u32();
    const field = (offset: number) => words[(search.at + offset) >>> 2];
    this.#candidates += field(SearchField.candidates);
    this.#meeting.add(words, field(SearchField.meeting), field(SearchField.meetingCount));
    this.#doubtful.add(words, field(SearchField.doubtful), field(SearchField.doubtfulCount));
  }

  dispose(): void {
    for (const buffer of this.#split) buffer.dispose();
    for (const { search, lists } of this.#rooms) {
      search.dispose();
      lists.dispose();
    }
    this.#rooms.length = 0;
  }
}

function writeSearch({ room }: Share, objects: number, tasks: number, undecided: boolean): void {
  const { search, lists, capacity } = room;
  const meeting = lists.reserve(16 * capacity);
  const words = arena().u32();
  const at = search.at >>> 2;
  words[at + SearchField.objects / 4] = objects;
  words[at + SearchField.tasks / 4] = tasks;
  words[at + SearchField.meeting / 4] = meeting;
  words[at + SearchField.doubtful / 4] = meeting + 8 * capacity;
  words[at + SearchField.capacity / 4] = capacity;
  words[at + SearchField.meetingCount / 4] = 0;
  words[at + SearchField.doubtfulCount / 4] = 0;
  words[at + SearchField.candidates / 4] = 0;
  words[at + SearchField.undecided / 4] = undecided ? 1 : 0;
}

/** A list of pairs of slots that grows. */
class SlotPairs {
  #slots = new Uint32Array(1024);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  add(words: Uint32Array, byteOffset: number, count: number): void {
    const length = this.#length + 2 * count;
    if (length > this.#slots.length) {
      const grown = new Uint32Array(Math.max(length, 2 * this.#slots.length));
      grown.set(this.#slots.subarray(0, this.#length));
      this.#slots = grown;
    }
    this.#slots.set(words.subarray(byteOffset >>> 2, (byteOffset >>> 2) + 2 * count), this.#length);
    this.#length = length;
  }

  /** A copy of the list. */
  take(): Uint32Array {
    return this.#slots.slice(0, this.#length);
  }
}
