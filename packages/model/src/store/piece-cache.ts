/**
 * Pieces in memory, under a hard cap.
 *
 * Idea: the extent of the arena counts against the cap, so neither fragments nor growing trees escape it. Before a
 * read, unheld pieces are dropped, first the ones whose next use is furthest away (a check knows the order of use
 * beforehand), else the least recently used. All caches of a thread share the arena, so that unheld pieces of one make
 * room for the rest. Invariant: a held piece stays. `arena().extentBytes` stays below `limit`, unless the pieces held
 * at once do not fit by themselves: then, and only then, it goes beyond, and `stats.overflows` counts it.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { StoredModel } from './model.js';
import { layOutPage, memoryBytes, meshMemoryBytes } from './page-layout.js';
import { type ArrivingPiece, adoptPage, freePage, PageReader } from './page-reader.js';

export interface PieceCacheStats {
  /** Pages read, their bytes and triangles. */
  loads: number;
  bytesRead: number;
  trianglesRead: number;
  /** Requests for a piece that was in memory, and for one that was not: the caller waited for the disk. */
  hits: number;
  waits: number;
  /** Milliseconds in which callers started reads and waited for them. */
  readMs: number;
  evictions: number;
  /** Number of times the cap was exceeded. */
  overflows: number;
  /** Largest extent of the memory. */
  peakBytes: number;
}

const NO_STATS: Readonly<PieceCacheStats> = {
  ...{ loads: 0, bytesRead: 0, trianglesRead: 0, hits: 0 },
  ...{ waits: 0, readMs: 0, evictions: 0, overflows: 0, peakBytes: 0 },
};

/** The work of several caches, added up; the peak is that of the first. */
export function sumOfStats(all: readonly PieceCacheStats[]): PieceCacheStats {
  const sum = { ...NO_STATS };
  for (const stats of all) {
    for (const name of Object.keys(NO_STATS) as (keyof PieceCacheStats)[]) sum[name] += stats[name];
  }
  return { ...sum, peakBytes: all[0]?.peakBytes ?? 0 };
}

export interface PieceCacheOptions {
  /** Most bytes the arena may reach. */
  readonly limit: number;
  /**
   * Prefetching fills memory up to this (default: the limit). Later acquisitions then make room, many pieces at once.
   */
  readonly prefetched?: number;
  /** Called with every piece that was read. */
  readonly onLoad: (mesh: Mesh, tree: Hierarchy) => void;
  /** When a piece is needed next, in any unit; Infinity: never. Without it, the least recently used goes first. */
  readonly nextUse?: (piece: number) => number;
}

interface Entry {
  mesh: Mesh | undefined;
  tree: Hierarchy | undefined;
  holds: number;
  lastUse: number;
  /** Never rejects: an error is stored with the piece. */
  loading: Promise<void> | undefined;
  error: unknown;
}

/** A piece that may be dropped. */
interface Unheld {
  readonly cache: PieceCache;
  readonly piece: number;
  /** Those with the largest go first. */
  readonly key: number;
}

/** The caches of this thread that have pieces, referenced weakly so that undisposed ones can be collected. */
const caches = /* @__PURE__ */ new Set<WeakRef<PieceCache>>();
/** Counts uses, for all caches. */
let clock = 0;

/** Room for the allocations of queries until the next opportunity to make room. */
const HEADROOM_BYTES = 1 << 20;
/** Bytes of a complete tree, including the fragments left while it grows. */
const TREE_BYTES_PER_TRIANGLE = 48;
/** More than two trees grow by at a time. */
const GROWTH_IN_ONE_PLACE = 1 << 20;

export class PieceCache {
  readonly stats: PieceCacheStats = { ...NO_STATS };
  readonly #model: StoredModel;
  readonly #options: PieceCacheOptions;
  readonly #reader: PageReader;
  readonly #headroom: number;
  readonly #entries = new Map<number, Entry>();
  readonly #self = new WeakRef(this);
  #holds = 0;
  /** Bytes by which the trees of the pieces acquired last may still grow, while they are held. */
  #growth = 0;
  /** When pieces were last prefetched. */
  #prefetched = 0;

  constructor(model: StoredModel, options: PieceCacheOptions) {
    this.#model = model;
    this.#options = options;
    this.#reader = new PageReader(model);
    this.#headroom = Math.min(HEADROOM_BYTES, options.limit / 16);
  }

  /** Bytes that a piece takes at first; its tree may grow. */
  bytesOf(piece: number): number {
    return memoryBytes(this.#model.directory, piece);
  }

  /**
   * Holds the pieces. Returns undefined when all are in memory, else a promise. Each call needs its `release`, unless
   * it fails: then nothing is held.
   */
  acquire(pieces: ArrayLike<number>): Promise<void> | undefined {
    const missing: number[] = [];
    const held: Entry[] = [];
    const reads: Promise<void>[] = [];
    this.#growth = 0;
    for (let i = 0; i < pieces.length; i++) {
      const entry = this.#hold(pieces[i]);
      const now = entry.tree ? entry.mesh!.byteLength + entry.tree.byteLength : this.bytesOf(pieces[i]);
      this.#growth += Math.max(0, grownBytes(this.#model, pieces[i]) - now);
      held.push(entry);
      if (entry.mesh) this.stats.hits++;
      else {
        this.stats.waits++;
        if (entry.loading) reads.push(entry.loading);
        else missing.push(pieces[i]);
      }
    }
    if (missing.length === 0 && reads.length === 0) {
      this.#makeRoom(0);
      return undefined;
    }
    const start = performance.now();
    const letGo = (error: unknown): never => {
      this.#letGo(held.length);
      held.forEach((entry, i) => {
        entry.holds--;
        const unread = !entry.mesh && !entry.loading && this.#entries.get(pieces[i]) === entry;
        if (unread) this.#entries.delete(pieces[i]);
      });
      throw error;
    };
    const finish = (): void => {
      this.stats.readMs += performance.now() - start;
      const failed = held.find(({ mesh }) => !mesh);
      if (failed) letGo(failed.error);
    };
    try {
      const arriving: ArrivingPiece[] = [];
      for (const piece of missing) this.#allocate(piece, arriving);
      reads.push(...this.#read(arriving, true));
    } catch (error) {
      return letGo(error);
    }
    return reads.length === 0 ? void finish() : Promise.all(reads).then(finish);
  }

  release(pieces: ArrayLike<number>): void {
    for (let i = 0; i < pieces.length; i++) {
      const entry = this.#entries.get(pieces[i]);
      if (!entry || entry.holds === 0) throw new ImpingeError('bad-input', 'a piece was released twice');
      entry.holds--;
      this.#letGo(1);
    }
    // trees grow while they are used
    this.#notePeak();
  }

  /**
   * Starts reading pieces that will be needed, in this order, as far as there is room. Other unheld pieces make room:
   * the ones never needed again where that is known, else the longest unused; of other caches, the ones not used since
   * this one last came here. Errors are thrown when a piece is acquired.
   */
  prefetch(pieces: ArrayLike<number>): void {
    const start = performance.now();
    const { nextUse, limit, prefetched = limit } = this.#options;
    const before = clock;
    const longUnused = this.#prefetched;
    this.#prefetched = before;
    const missing: number[] = [];
    for (let i = pieces.length - 1; i >= 0; i--) {
      const entry = this.#entries.get(pieces[i]);
      if (entry) entry.lastUse = clock++;
      else missing.push(pieces[i]);
    }
    const memory = arena();
    this.#growth = 0;
    let unused: Unheld[] | undefined;
    const hasRoomFor = (piece: number): boolean => {
      while (!memory.fits(this.bytesOf(piece) + this.#headroom, prefetched)) {
        unused ??= this.#candidates()
          .filter(({ cache, key }) => {
            if (cache !== this) return -key < longUnused;
            return nextUse ? key === Infinity : -key < before;
          })
          .reverse();
        const oldest = unused.pop();
        if (oldest === undefined) return false;
        oldest.cache.#evict(oldest.piece);
      }
      return true;
    };
    const arriving: ArrivingPiece[] = [];
    for (const piece of missing.reverse()) {
      if (this.#entries.has(piece)) continue; // named twice
      if (!hasRoomFor(piece)) break;
      this.#entries.set(piece, this.#newEntry());
      this.#allocate(piece, arriving);
    }
    this.#read(arriving, false);
    this.stats.readMs += performance.now() - start;
  }

  /** The mesh of a piece that is held. */
  mesh(piece: number): Mesh {
    const mesh = this.#entries.get(piece)?.mesh;
    if (!mesh) throw new ImpingeError('bad-input', `piece ${piece} is not held`);
    return mesh;
  }

  /** The tree of a piece, if that is in memory. */
  treeNow(piece: number): Hierarchy | undefined {
    return this.#entries.get(piece)?.tree;
  }

  /** Has a piece in memory while something is done with it. */
  async withPiece<T>(piece: number, work: (mesh: Mesh) => T): Promise<T> {
    const wait = this.acquire([piece]);
    if (wait) await wait;
    try {
      return work(this.mesh(piece));
    } finally {
      this.release([piece]);
    }
  }

  has(piece: number): boolean {
    return this.treeNow(piece) !== undefined;
  }

  /** Frees everything; nothing may be held. */
  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#entries.values()].map((entry) => entry.loading));
    for (const piece of [...this.#entries.keys()]) this.#drop(piece);
    caches.delete(this.#self);
  }

  #newEntry(): Entry {
    caches.add(this.#self);
    return {
      mesh: undefined,
      tree: undefined,
      holds: 0,
      lastUse: clock++,
      loading: undefined,
      error: undefined,
    };
  }

  #hold(piece: number): Entry {
    let entry = this.#entries.get(piece);
    if (!entry) this.#entries.set(piece, (entry = this.#newEntry()));
    entry.holds++;
    entry.lastUse = clock++;
    this.#holds++;
    return entry;
  }

  #letGo(holds: number): void {
    this.#holds -= holds;
    if (this.#holds === 0) this.#growth = 0;
  }

  /** Reads pages, synchronously where the source can and `now` is set. Returns the reads still pending. */
  #read(arriving: readonly ArrivingPiece[], now: boolean): Promise<void>[] {
    const reads: Promise<void>[] = [];
    for (const run of this.#reader.runsOf(arriving)) {
      const fail = (error: unknown) => this.#abandon(run, error);
      try {
        if (now && this.#reader.readNow(run)) {
          this.#adopt(run);
          continue;
        }
      } catch (error) {
        fail(error);
        continue;
      }
      const read = this.#reader.read(run).then(() => this.#adopt(run), fail);
      for (const { piece } of run) this.#entries.get(piece)!.loading = read;
      reads.push(read);
    }
    return reads;
  }

  /** Allocates one more page; if there is no room, there is none for later ones either. */
  #allocate(piece: number, arriving: ArrivingPiece[]): void {
    try {
      this.#makeRoom(this.bytesOf(piece));
      arriving.push({ piece, page: layOutPage(this.#model.directory, piece) });
    } catch (error) {
      this.#abandon(arriving, error);
      this.#entries.delete(piece);
      throw error;
    }
    this.#notePeak();
  }

  #notePeak(): void {
    this.stats.peakBytes = Math.max(this.stats.peakBytes, arena().extentBytes);
  }

  #abandon(run: readonly ArrivingPiece[], error: unknown): void {
    for (const { piece, page } of run) {
      freePage(page);
      this.#fail(piece, error);
    }
  }

  #fail(piece: number, error: unknown): void {
    const entry = this.#entries.get(piece)!;
    entry.error = error;
    this.#entries.delete(piece);
  }

  #adopt(run: readonly ArrivingPiece[]): void {
    for (const one of run) {
      try {
        const { mesh, tree } = adoptPage(this.#model, one);
        const entry = this.#entries.get(one.piece)!;
        entry.mesh = mesh;
        entry.tree = tree;
        entry.loading = undefined;
        this.stats.loads++;
        this.stats.bytesRead += one.page.meshPartBytes + one.page.treePartBytes;
        this.stats.trianglesRead += mesh.triangleCount;
        this.#options.onLoad(mesh, tree);
      } catch (error) {
        this.#fail(one.piece, error);
      }
    }
  }

  /** Drops the pieces needed latest until there is room for `bytes`, for growing trees, and for the headroom. */
  #makeRoom(bytes: number): void {
    if (this.#hasRoom(bytes)) return;
    // many at once: putting the candidates in order costs more than dropping them
    const free = this.#candidates();
    let dropped = 0;
    let next = 0;
    while (next < free.length && (dropped < this.#options.limit / 8 || !this.#hasRoom(bytes))) {
      const { cache, piece } = free[next++];
      dropped += cache.#evict(piece);
    }
    if (!this.#hasRoom(bytes)) this.stats.overflows++;
  }

  /** Whether `bytes` fit contiguously; the growth of trees comes in small blocks, which fit anywhere. */
  #hasRoom(bytes: number): boolean {
    const memory = arena();
    const { limit } = this.#options;
    let growth = 0;
    for (const cache of livingCaches()) growth += cache.#growth;
    const soon = Math.min(growth, Math.max(limit / 32, GROWTH_IN_ONE_PLACE));
    const now = bytes + this.#headroom;
    return memory.fits(now + soon, limit) && memory.usedBytes + now + growth <= limit;
  }

  /** Unused pieces of all caches, the first to evict in front. */
  #candidates(): Unheld[] {
    const { nextUse } = this.#options;
    const own = this.#unheld(nextUse);
    const others = [...livingCaches()].flatMap((cache) => (cache === this ? [] : cache.#unheld()));
    // a known order of use is by far the better guide
    return nextUse ? [...own.sort(order), ...others.sort(order)] : [...own, ...others].sort(order);
  }

  #unheld(nextUse?: (piece: number) => number): Unheld[] {
    const out: Unheld[] = [];
    for (const [piece, entry] of this.#entries) {
      if (entry.holds > 0 || !entry.mesh) continue;
      out.push({ cache: this, piece, key: nextUse ? nextUse(piece) : -entry.lastUse });
    }
    return out;
  }

  /** Drops a piece to make room; returns the bytes it took. */
  #evict(piece: number): number {
    const { mesh, tree } = this.#entries.get(piece)!;
    const bytes = mesh!.byteLength + tree!.byteLength;
    this.#drop(piece);
    this.stats.evictions++;
    return bytes;
  }

  #drop(piece: number): void {
    const entry = this.#entries.get(piece)!;
    this.#entries.delete(piece);
    entry.tree?.dispose();
    entry.mesh?.dispose();
  }
}

function* livingCaches(): Generator<PieceCache> {
  for (const ref of caches) {
    const cache = ref.deref();
    if (cache) yield cache;
    else caches.delete(ref);
  }
}

function order(p: Unheld, q: Unheld): number {
  return p.key === q.key ? p.piece - q.piece : p.key > q.key ? -1 : 1;
}

/** Bytes that a piece may come to take when its tree is complete. */
export function grownBytes({ directory }: StoredModel, piece: number): number {
  return meshMemoryBytes(directory, piece) + TREE_BYTES_PER_TRIANGLE * directory.pieceTriangles[piece];
}

/** The same of several pieces, each counted once. */
export function grownBytesOf(model: StoredModel, pieces: Iterable<number>): number {
  let bytes = 0;
  for (const piece of new Set(pieces)) bytes += grownBytes(model, piece);
  return bytes;
}
