/**
 * A triangle mesh: one flat block of the arena, whatever it was made from.
 *
 * Layout: 32 header words (mesh-layout.ts), then float32 positions relative to a float64 origin, uint32 indices,
 * and the name in UTF-8. `toBytes()` is that block, `Mesh.fromBytes` takes it back: file, message and memory
 * are the same bytes.
 * Invariant: every coordinate is finite, every index is in range, there is at least one triangle. Degenerate and
 * duplicate triangles are legal.
 * The origin is zero whenever float32 holds the input exactly, or the box lies near zero; else the centre of the
 * box, rounded to a power of two so that differences of origins stay exact.
 * Errs: stored coordinates are off by at most 2⁻²³ of the box's longest side (or 2⁻¹⁵⁰, if that is more).
 */
import { type Arena, arena } from '../base/arena.js';
import { checksumOf } from '../base/checksum.js';
import { DISPOSE } from '../base/dispose.js';
import { ImpingeError } from '../base/errors.js';
import { readKnown, shown } from '../base/options.js';
import type { OwnBytes } from '../base/platform-types.js';
import { kernel, kernelSupported } from '../kernel/kernel.js';
import { MESH_HEADER_BYTES, MeshHeader } from '../kernel/layout.generated.js';
import { type Pose, posePoint, type Vec3, writePose } from '../math/pose.js';
import { label, type NumberArray, steady } from './mesh-arrays.js';
import { MeshBlock } from './mesh-block.js';
import {
  assertFinite,
  assertFits,
  assertInRange,
  assertSound,
  chooseOrigin,
  copyIndices,
  copyPlain,
  copyPositions,
  describeInput,
  isFinite32,
  isPlain,
  type MeshInput,
  type MeshOptions,
} from './mesh-input.js';
import { align16, assertLayout, badBuffer, layOutMesh, writeBox } from './mesh-layout.js';
import { type MeshPart, partAt } from './mesh-parts.js';

let nextUid = 1;
let changes = 0;

/** Counts every `setPositions` and `dispose` of any mesh: while it is unchanged, no mesh needs checking again. */
export function meshChanges(): number {
  return changes;
}

/** Throws unless it is a mesh, and not disposed. */
export function assertMesh(mesh: Mesh): void {
  if (typeof mesh?.assertLive !== 'function') {
    throw new ImpingeError('bad-input', `a mesh is needed, got ${shown(mesh)}`);
  }
  mesh.assertLive();
}

/** The key under which queries keep their caches on a mesh (query/pair/hierarchy-of.ts). */
export const KNOWN: unique symbol = Symbol();

export class Mesh implements Disposable {
  /**
   * @internal Distinguishes meshes within the process; gives pair queries an order of sides that callers cannot swap.
   */
  readonly uid: number = nextUid++;
  readonly name: string;
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** Add this to a stored position to get the input's coordinates. */
  readonly origin: Vec3;
  /** The drawn groups of the source geometry; not serialised by `toBytes`. */
  readonly namedParts: readonly MeshPart[];
  readonly #memory: MeshBlock;
  readonly #arena: Arena;
  readonly #releases: (() => void)[] = [];
  /** @internal */
  [KNOWN]: unknown = undefined;
  #revision = 0;
  #copies: {
    positions?: WeakRef<Float32Array | Uint32Array>;
    indices?: WeakRef<Float32Array | Uint32Array>;
  } = {};
  #disposed = false;
  /** Questions under way that read its memory. */
  #holds = 0;

  private constructor(owner: Arena, block: number, namedParts: readonly MeshPart[] = []) {
    if (typeof owner?.u32 !== 'function') throw new ImpingeError('bad-input', 'meshes are made by Mesh.from');
    this.#arena = owner;
    this.#memory = new MeshBlock(owner, block);
    this.namedParts = namedParts;
    const header = owner.u32();
    const at = block >>> 2;
    this.vertexCount = header[at + MeshHeader.vertexCount];
    this.triangleCount = header[at + MeshHeader.triangleCount];
    const origin = owner.f64();
    const originAt = (block + 4 * MeshHeader.origin) >>> 3;
    this.origin = [origin[originAt], origin[originAt + 1], origin[originAt + 2]];
    const nameStart = block + header[at + MeshHeader.name];
    this.name = decodeUtf8(owner.u8(), nameStart, nameStart + header[at + MeshHeader.nameBytes]);
  }

  /**
   * Makes a mesh from arrays, or from anything like a three.js BufferGeometry: its vertices and the triangles it
   * draws. Copies its input.
   */
  static from(input: MeshInput, options: MeshOptions = {}): Mesh {
    return Mesh.#make(input, options).#handOut();
  }

  static #make(input: MeshInput, options: MeshOptions): Mesh {
    const source = describeInput(input, readKnown('Mesh.from', options, { name: true, partNames: true }));
    const { vertexCount, triangleCount, name, namedParts } = source;
    if (isPlain(source) && kernelSupported()) {
      const mesh = new Mesh(arena(), copyPlain(arena(), source), namedParts);
      // the kernel only detects an error; the code below locates it
      if (kernel().inspectMesh(mesh.block, mesh.block + 4 * MeshHeader.box)) return mesh;
      mesh.dispose();
    }
    assertSound(source);
    const origin = chooseOrigin(source);
    assertFits(source, origin);
    return Mesh.layOut({ vertexCount, triangleCount, origin, name, namedParts }, (positions, indices) => {
      copyIndices(source.indices, indices);
      copyPositions(source, origin, positions);
    });
  }

  /**
   * @internal Lays out a mesh and has `fill` write its positions, relative to the origin, and its indices. The caller
   *   guarantees the invariant for them.
   */
  static layOut(
    shape: {
      vertexCount: number;
      triangleCount: number;
      origin: Vec3;
      name: string;
      namedParts?: readonly MeshPart[];
    },
    fill: (positions: Float32Array, indices: Uint32Array) => void,
  ): Mesh {
    const owner = arena();
    const block = layOutMesh(owner, shape);
    owner.f64().set(shape.origin, (block + 4 * MeshHeader.origin) >>> 3);
    const mesh = new Mesh(owner, block, shape.namedParts);
    fill(mesh.storedPositions, mesh.storedIndices);
    mesh.#measure();
    return mesh;
  }

  /** Reads the result of `toBytes()`; checks the header, the checksum and every index and coordinate. */
  static fromBytes(bytes: Uint8Array): Mesh {
    if (!(bytes instanceof Uint8Array)) throw badBuffer(`${shown(bytes)} is not a Uint8Array`);
    if (bytes.byteLength < MESH_HEADER_BYTES) {
      throw badBuffer(`only ${bytes.byteLength} bytes, cut off`);
    }
    const owner = arena();
    const block = owner.alloc(bytes.byteLength);
    owner.u8().set(bytes, block);
    try {
      assertLayout(owner, block, bytes.byteLength);
      if (owner.u32()[(block >>> 2) + MeshHeader.checksum] !== checksumOf(bytes, MeshHeader.checksum)) {
        throw badBuffer('the checksum does not match, it was altered');
      }
    } catch (error) {
      owner.free(block);
      throw error;
    }
    return Mesh.adopt(block, bytes.byteLength).#handOut();
  }

  /**
   * @internal Makes a mesh of a block of the arena that holds the bytes of one, after checking all
   * but the checksum. The block is the mesh's from now on, and freed if there is an error.
   */
  static adopt(block: number, byteLength: number): Mesh {
    const owner = arena();
    let mesh: Mesh | undefined;
    try {
      assertLayout(owner, block, byteLength);
      owner.u32()[(block >>> 2) + MeshHeader.checksum] = 0;
      mesh = new Mesh(owner, block);
      // the kernels only detect an error; the code below locates it
      if (!kernelSupported() || !kernel().inspectMesh(block, block + 4 * MeshHeader.box)) {
        const { storedPositions: positions, vertexCount, name } = mesh;
        assertFinite({ positions, stride: 3, offset: 0, vertexCount, name });
        assertInRange(mesh.storedIndices, vertexCount, name);
        mesh.#measure();
      }
    } catch (error) {
      if (mesh) mesh.dispose();
      else owner.free(block);
      throw error;
    }
    return mesh;
  }

  #handOut(): this {
    this.#memory.handOut(this.byteLength);
    return this;
  }

  /** @internal Byte offset of the block in the arena; kernels take it. */
  get block(): number {
    return this.#memory.at;
  }

  /** The whole mesh as one transferable buffer. */
  toBytes(): OwnBytes {
    this.assertLive();
    const byteLength = this.byteLength;
    const out = new Uint8Array(byteLength);
    out.set(this.#arena.u8().subarray(this.block, this.block + byteLength));
    new Uint32Array(out.buffer, 0, MESH_HEADER_BYTES / 4)[MeshHeader.checksum] = checksumOf(
      out,
      MeshHeader.checksum,
    );
    return out;
  }

  get byteLength(): number {
    this.assertLive();
    return this.#arena.u32()[(this.block >>> 2) + MeshHeader.byteLength];
  }

  /**
   * float32 x, y, z per vertex, relative to `origin`: a copy, kept until vertices move. `setPositions` changes them.
   */
  get positions(): Float32Array {
    return this.#copyOf('positions', this.storedPositions);
  }

  /** Three vertex indices per triangle: a copy, which changes nothing when it is written to. */
  get indices(): Uint32Array {
    return this.#copyOf('indices', this.storedIndices);
  }

  /** @internal The positions in the arena. A view, stale after the next allocation. */
  get storedPositions(): Float32Array {
    this.assertLive();
    const start = (this.block + MESH_HEADER_BYTES) >>> 2;
    return this.#arena.f32().subarray(start, start + 3 * this.vertexCount);
  }

  /** @internal The indices in the arena. A view, stale after the next allocation. */
  get storedIndices(): Uint32Array {
    this.assertLive();
    const start = (this.block + align16(MESH_HEADER_BYTES + 12 * this.vertexCount)) >>> 2;
    return this.#arena.u32().subarray(start, start + 3 * this.triangleCount);
  }

  /** Cached weakly: copied once, and again after the copy has been collected. */
  #copyOf<Numbers extends Float32Array | Uint32Array>(
    name: 'positions' | 'indices',
    stored: Numbers,
  ): Numbers {
    let copy = this.#copies[name]?.deref() as Numbers | undefined;
    if (copy === undefined) {
      copy = stored.slice() as Numbers;
      this.#copies[name] = new WeakRef<Float32Array | Uint32Array>(copy);
    }
    return copy;
  }

  /** The first part that a triangle belongs to, if any. */
  partOf(triangle: number): MeshPart | undefined {
    return partAt(this.namedParts, triangle);
  }

  /** Axis-aligned box in the input's coordinates, over every vertex (used by a triangle or not). */
  get box(): { readonly min: Vec3; readonly max: Vec3 } {
    this.assertLive();
    const at = (this.block >>> 2) + MeshHeader.box;
    const b = this.#arena.f32();
    const [x, y, z] = this.origin;
    return {
      min: [b[at] + x, b[at + 1] + y, b[at + 2] + z],
      max: [b[at + 3] + x, b[at + 4] + y, b[at + 5] + z],
    };
  }

  /** @internal The same as six numbers, for frequent callers. */
  copyBox(out: Float64Array): void {
    this.assertLive();
    const at = (this.block >>> 2) + MeshHeader.box;
    const b = this.#arena.f32();
    for (let k = 0; k < 6; k++) out[k] = b[at + k] + this.origin[k % 3];
  }

  /** Counts the calls of `setPositions`, so that data derived from the vertices can be recognised as outdated. */
  get revision(): number {
    return this.#revision;
  }

  /** Overwrites the vertices of a deforming mesh, in the input's coordinates. Topology and origin stay. */
  setPositions(given: NumberArray): void {
    this.assertLive();
    const hasKernels = kernelSupported(); // before anything is read: loading them may detach views of the arena
    const positions = steady(given);
    if (positions?.length !== 3 * this.vertexCount) {
      throw new ImpingeError(
        'bad-input',
        `${label(this.name)}: ${positions?.length ?? 'no'} numbers for ${this.vertexCount} vertices, ${3 * this.vertexCount} needed`,
      );
    }
    const { vertexCount, name, origin } = this;
    const source = { positions, stride: 3, offset: 0, vertexCount, name };
    if (positions instanceof Float32Array && isZero(origin) && hasKernels) {
      if (!isFinite32(positions)) assertFinite(source);
      this.storedPositions.set(positions);
      kernel().inspectPositions(this.block, this.block + 4 * MeshHeader.box);
    } else {
      assertFinite(source);
      assertFits(source, origin);
      copyPositions(source, origin, this.storedPositions);
      this.#measure();
    }
    this.#revision++;
    this.#copies = {};
    changes++;
  }

  /** Brings the box up to date with the positions. */
  #measure(): void {
    const at = (this.block >>> 2) + MeshHeader.box;
    writeBox(this.storedPositions, this.#arena.f32().subarray(at, at + 6));
  }

  /** A new mesh with a pose baked in, or any affine matrix: scale, shear, mirroring. */
  transformed(pose: Pose, options: { readonly name?: string } = {}): Mesh {
    const { name = this.name } = readKnown('transformed', options, { name: true });
    const m = new Float64Array(12);
    writePose(pose, m);
    for (let i = 0; i < 12; i++) {
      if (!Number.isFinite(m[i])) throw new ImpingeError('non-finite', `pose: entry ${i} is ${m[i]}`);
    }
    const { storedIndices: indices, namedParts } = this;
    return Mesh.from({ positions: this.mapped(m), indices, namedParts, name });
  }

  /** @internal Vertices where a map takes them: twelve numbers as of a pose. */
  mapped(m: Float64Array): Float64Array {
    const source = this.storedPositions;
    const [ox, oy, oz] = this.origin;
    const positions = new Float64Array(source.length);
    for (let i = 0; i < source.length; i += 3)
      posePoint(m, source[i] + ox, source[i + 1] + oy, source[i + 2] + oz, positions, i);
    return positions;
  }

  /** Frees the memory now instead of when the collector gets to it. Using the mesh afterwards is an error. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    changes++;
    if (this.#holds === 0) this.#free();
  }
  [DISPOSE](): void {
    this.dispose();
  }

  #free(): void {
    for (const release of this.#releases) release();
    this.#memory.free();
  }

  /** @internal For asynchronous queries: defers the freeing of memory by `dispose` until all have released the mesh. */
  hold(): void {
    this.#holds++;
  }
  /** @internal */
  letGo(): void {
    if (--this.#holds === 0 && this.#disposed) this.#free();
  }

  /** @internal For the rest of the library: `bytes` of the arena go with this mesh, such as a tree. */
  weighs(bytes: number): void {
    this.#memory.weighs(bytes);
  }

  /** @internal Runs `release` when the mesh is disposed, to free caches built for it. */
  onDispose(release: () => void): void {
    this.assertLive();
    this.#releases.push(release);
  }

  /**
   * @internal Also brings the mesh into the arena; at this point the caller has no views that its growth would detach.
   */
  assertLive(): void {
    if (this.#disposed) throw new ImpingeError('disposed', `${label(this.name)} was disposed`);
    this.#memory.enter();
  }
}

function isZero([x, y, z]: Vec3): boolean {
  return x === 0 && y === 0 && z === 0;
}

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return start === end ? '' : new TextDecoder().decode(bytes.slice(start, end));
}
