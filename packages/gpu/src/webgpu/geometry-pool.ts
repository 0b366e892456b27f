/**
 * Meshes on the device: vertices and corners in two buffers that all meshes share. A mesh is sent once, its vertices
 * again when they move; unused meshes make room for new ones.
 *
 * Layout: three float32 per vertex; four uint32 per triangle, numbers of vertices in the pool and the triangle's own
 * number in its mesh. Triangles of larger meshes are in another order there (triangle-order.ts). A copy of both is kept
 * here, so that adjacent changes are sent together, and everything again when a buffer grows.
 */
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { CullingInput } from '../backend.js';
import type { BufferStore, DeviceBuffer } from './device-buffer.js';
import { orderTriangles } from './triangle-order.js';

/** Two changed runs of bytes closer than this are sent as one. */
const GAP_WORDS = 4096;

interface Entry {
  readonly mesh: Mesh;
  readonly vertexAt: number;
  readonly triangleAt: number;
  revision: number;
  /** The last exchange that saw it used. */
  usedAt: number;
}

/** Runs of numbers taken and given back; the first that is large enough is used. */
class Runs {
  /** Free runs, rising: start, end. */
  readonly #free: [number, number][] = [];
  #end = 0;

  get end(): number {
    return this.#end;
  }

  take(length: number): number {
    const i = this.#free.findIndex(([start, end]) => end - start >= length);
    if (i < 0) {
      this.#end += length;
      return this.#end - length;
    }
    const run = this.#free[i];
    const at = run[0];
    run[0] += length;
    if (run[0] === run[1]) this.#free.splice(i, 1);
    return at;
  }

  give(start: number, length: number): void {
    let i = this.#free.findIndex((run) => run[0] > start);
    if (i < 0) i = this.#free.length;
    this.#free.splice(i, 0, [start, start + length]);
    this.#join(i);
    if (i > 0) this.#join(i - 1);
    const last = this.#free.at(-1);
    if (last?.[1] === this.#end) {
      this.#end = last[0];
      this.#free.pop();
    }
  }

  #join(i: number): void {
    const [run, next] = [this.#free[i], this.#free[i + 1]];
    if (!run || !next || run[1] !== next[0]) return;
    run[1] = next[1];
    this.#free.splice(i + 1, 1);
  }
}

/** A buffer and its copy; sends changes. */
class Mirror<T extends Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
  readonly #target: DeviceBuffer;
  readonly #make: (length: number) => T;
  words: T;
  /** Changed runs, as they were written. */
  #dirty: [number, number][] = [];

  constructor(target: DeviceBuffer, make: (length: number) => T) {
    this.#target = target;
    this.#make = make;
    this.words = make(1024);
  }

  reserve(length: number): void {
    if (length <= this.words.length) return;
    const larger = this.#make(Math.ceil(1.5 * length));
    larger.set(this.words);
    this.words = larger;
  }

  touch(start: number, end: number): void {
    const last = this.#dirty.at(-1);
    if (last && start >= last[0] && start <= last[1] + GAP_WORDS) last[1] = Math.max(last[1], end);
    else this.#dirty.push([start, end]);
  }

  send(queue: GPUQueue, used: number): void {
    if (this.#target.reserve(this.words.byteLength, 1)) this.#dirty = [[0, used]];
    if (this.#dirty.length === 0) return;
    const runs = this.#dirty.sort((a, b) => a[0] - b[0]);
    this.#dirty = [];
    for (const [start, end] of runs) this.touch(start, end);
    const { words } = this;
    for (const [start, end] of this.#dirty) {
      queue.writeBuffer(this.#target.buffer, 4 * start, words, start, end - start);
    }
    this.#dirty = [];
  }
}

export class GeometryPool {
  readonly positions: DeviceBuffer;
  readonly corners: DeviceBuffer;
  readonly #vertices: Mirror<Float32Array<ArrayBuffer>>;
  readonly #triangles: Mirror<Uint32Array<ArrayBuffer>>;
  readonly #vertexRuns = new Runs();
  readonly #triangleRuns = new Runs();
  readonly #entries = new Map<number, Entry>();
  /** The same entries as a list, for the pass of every request. */
  #listed: Entry[] = [];
  #exchanges = 0;

  constructor(store: BufferStore) {
    this.positions = store.make('positions');
    this.corners = store.make('corners');
    this.#vertices = new Mirror(this.positions, (length) => new Float32Array(length));
    this.#triangles = new Mirror(this.corners, (length) => new Uint32Array(length));
  }

  /** Where the triangles of a mesh of the input begin. */
  firstTriangle(mesh: Mesh): number {
    return this.#entries.get(mesh.uid)!.triangleAt;
  }

  /** Brings the device up to date with the meshes of the input, which may be new ones after a new layout. */
  update(input: CullingInput, laidOutAnew: boolean, queue: GPUQueue): void {
    if (laidOutAnew) this.#exchange(input);
    for (const entry of this.#listed) {
      if (entry.mesh.revision !== entry.revision) this.#writeVertices(entry);
    }
    this.#vertices.send(queue, 3 * this.#vertexRuns.end);
    this.#triangles.send(queue, 4 * this.#triangleRuns.end);
  }

  /** Lets go of meshes that are no longer there, then takes in the new ones. */
  #exchange(input: CullingInput): void {
    const usedAt = ++this.#exchanges;
    const added: Mesh[] = [];
    for (const { mesh } of input.objects) {
      const entry = this.#entries.get(mesh.uid);
      if (entry) entry.usedAt = usedAt;
      else added.push(mesh);
    }
    for (const [uid, { mesh, vertexAt, triangleAt, ...entry }] of this.#entries) {
      if (entry.usedAt === usedAt) continue;
      this.#vertexRuns.give(vertexAt, mesh.vertexCount);
      this.#triangleRuns.give(triangleAt, mesh.triangleCount);
      this.#entries.delete(uid);
    }
    for (const mesh of added) if (!this.#entries.has(mesh.uid)) this.#add(mesh, input.partSize, usedAt);
    this.#listed = [...this.#entries.values()];
  }

  #add(mesh: Mesh, partSize: number, usedAt: number): void {
    const vertexAt = this.#vertexRuns.take(mesh.vertexCount);
    const triangleAt = this.#triangleRuns.take(mesh.triangleCount);
    const entry = { mesh, vertexAt, triangleAt, revision: mesh.revision, usedAt };
    this.#entries.set(mesh.uid, entry);
    this.#vertices.reserve(3 * this.#vertexRuns.end);
    this.#triangles.reserve(4 * this.#triangleRuns.end);
    this.#writeVertices(entry);
    const { storedIndices: indices, storedPositions: positions, triangleCount } = mesh;
    const order = triangleCount > partSize ? orderTriangles(positions, indices) : undefined;
    const { words } = this.#triangles;
    const start = 4 * triangleAt;
    for (let i = 0, at = start; i < triangleCount; i++, at += 4) {
      const triangle = order ? order[i] : i;
      words[at] = indices[3 * triangle] + vertexAt;
      words[at + 1] = indices[3 * triangle + 1] + vertexAt;
      words[at + 2] = indices[3 * triangle + 2] + vertexAt;
      words[at + 3] = triangle;
    }
    this.#triangles.touch(start, start + 4 * triangleCount);
  }

  #writeVertices(entry: Entry): void {
    const at = 3 * entry.vertexAt;
    const { storedPositions: positions } = entry.mesh;
    this.#vertices.words.set(positions, at);
    this.#vertices.touch(at, at + positions.length);
    entry.revision = entry.mesh.revision;
  }
}
