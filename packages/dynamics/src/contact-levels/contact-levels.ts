/**
 * Contact levels of one model: a tree of convex hulls, or of boxes, that is also a series of coarser and coarser
 * surfaces. A block of the arena in the layout of layout.ts, which kernels can walk.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { OwnBytes } from 'impinge/internal/base/platform-types.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { assertMesh, type Mesh } from 'impinge/internal/mesh/mesh.js';
import {
  ARRAYS,
  type ArrayName,
  type ArrayOf,
  badLevels,
  type Counts,
  countsOf,
  HEADER_WORDS,
  Header,
  KINDS,
  type Places,
  placesOf,
} from './layout.js';
import { assertHeader, assertSound } from './validate.js';

const reclaim = new FinalizationRegistry<number>((block) => arena().free(block));

export class ContactLevels implements Disposable {
  /** Byte offset in the arena. */
  readonly block: number;
  /** Convex hulls of a closed surface, or oriented boxes over anything. */
  readonly kind: (typeof KINDS)[number];
  /** Add this to a coordinate to get those of the model. */
  readonly origin: Vec3;
  readonly #counts: Counts;
  readonly #places: Places;
  #disposed = false;

  /** @internal Takes over a block that is laid out and sound. */
  constructor(block: number) {
    this.block = block;
    const header = arena()
      .u32()
      .slice(block >>> 2, (block >>> 2) + HEADER_WORDS);
    this.kind = KINDS[header[Header.kind]];
    this.#counts = countsOf(header);
    this.#places = placesOf(this.#counts);
    const origin = new Float64Array(header.buffer, 4 * Header.origin, 3);
    this.origin = [origin[0], origin[1], origin[2]];
    reclaim.register(this, block, this);
  }

  /** Reads the result of `toBytes`. Everything that a query relies on is checked. */
  static fromBytes(bytes: Uint8Array): ContactLevels {
    if (!(bytes instanceof Uint8Array)) throw badLevels(`${shown(bytes)} is not a Uint8Array`);
    assertHeader(bytes);
    const memory = arena();
    const block = memory.alloc(bytes.byteLength);
    memory.u8().set(bytes, block);
    memory.u32()[(block >>> 2) + Header.checksum] = 0;
    const levels = new ContactLevels(block);
    try {
      assertSound(levels);
    } catch (error) {
      levels.dispose();
      throw error;
    }
    return levels;
  }

  /** All of it as one transferable buffer; equal models give equal bytes. */
  toBytes(): OwnBytes {
    this.assertLive();
    const bytes = new Uint8Array(this.byteLength);
    bytes.set(
      arena()
        .u8()
        .subarray(this.block, this.block + bytes.length),
    );
    new Uint32Array(bytes.buffer, 0, HEADER_WORDS)[Header.checksum] = checksumOf(bytes, Header.checksum);
    return bytes;
  }

  /** Whether they belong to this mesh, by checksums of its numbers: the levels of another are useless. */
  isOf(mesh: Mesh): boolean {
    this.assertLive();
    assertMesh(mesh);
    const at = (this.block >>> 2) + Header.positionsChecksum;
    const [positions, indices] = checksumsOf(mesh);
    const words = arena().u32();
    return (
      words[at] === positions &&
      words[at + 1] === indices &&
      this.#counts.originalCount === mesh.triangleCount &&
      this.origin.every((x, k) => x === mesh.origin[k])
    );
  }

  get byteLength(): number {
    return this.#places.byteLength;
  }
  /** From the finest, level 0, to the root. */
  get levelCount(): number {
    return this.#counts.levelCount;
  }
  /** Number of levels, from 0 on, that approximate the surface; hulls above them only enclose it. */
  get usableLevels(): number {
    return this.#counts.usableLevels;
  }
  get nodeCount(): number {
    return this.#counts.nodeCount;
  }

  /** The first node of a level and the one after its last. */
  nodesOf(level: number): { readonly start: number; readonly end: number } {
    if (!(Number.isInteger(level) && level >= 0 && level < this.levelCount)) {
      throw new ImpingeError(
        'bad-input',
        `there are levels 0 to ${this.levelCount - 1}, not ${shown(level)}`,
      );
    }
    const starts = this.array('levelStart');
    return { start: starts[level], end: starts[level + 1] };
  }

  /** An array of the layout. A view: get it again after anything has been created. */
  array<Name extends ArrayName>(name: Name): ArrayOf<Name> {
    this.assertLive();
    const entry = typeof name === 'string' && Object.hasOwn(ARRAYS, name) ? ARRAYS[name] : undefined;
    if (!entry) throw new ImpingeError('bad-input', `contact levels have no array ${shown(name)}`);
    const at = (this.block + this.#places.byteOffsets[name]) >>> 2;
    const length = entry[1](this.#counts);
    const memory = entry[0] === 'f32' ? arena().f32() : arena().u32();
    return memory.subarray(at, at + length) as ArrayOf<Name>;
  }

  assertLive(): void {
    if (this.#disposed) throw new ImpingeError('disposed', 'the contact levels were disposed');
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    reclaim.unregister(this);
    arena().free(this.block);
  }
  [DISPOSE](): void {
    this.dispose();
  }
}

/** Of the positions and of the indices of a mesh. */
export function checksumsOf({ storedPositions: positions, storedIndices: indices }: Mesh): [number, number] {
  const of = ({ buffer, byteOffset, byteLength }: ArrayBufferView): number =>
    checksumOf(new Uint8Array(buffer, byteOffset, byteLength), -1);
  return [of(positions), of(indices)];
}
