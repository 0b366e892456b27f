/**
 * Is this a tree? Checks every byte that a traversal relies on, so that bytes from outside can be trusted after it.
 *
 * Idea: the header first, against the space there is; then `order`; then one walk from the root in lane order. On
 * it the leaves must come in the order of their positions without a gap, no block may be met twice, and every
 * corner of a leaf's triangles must lie in the volumes of all lanes above it.
 * Errs: volumes may miss a point by rounding (2⁻²⁰ of the numbers involved), not by more.
 * Nothing is read outside the given bytes and the walk ends: each block is entered once.
 */
import { type Arena, arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { readInteger } from '../base/options.js';
import { EMPTY, HierarchyHeader, TREE_HEADER_BYTES } from '../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { VOLUME_KINDS } from '../volumes/kinds.js';
import type { VolumeModule } from '../volumes/volume.js';
import { VOLUMES } from '../volumes/volumes.js';
import {
  BUILDERS,
  blockWords,
  HIERARCHY_MAGIC,
  HIERARCHY_VERSION,
  isLeaf,
  isPending,
  LANES,
  leafCount,
  leafStart,
  MAX_DEPTH,
  MAX_LEAF_SIZE,
  refIndex,
} from './layout.js';
import { TreeView } from './tree-view.js';

/**
 * Throws `bad-buffer`, naming block and lane, unless the `byteLength` bytes at `byteOffset` (a multiple of 4) hold
 * a tree over `mesh`. The checksum word is not looked at.
 */
export function validateHierarchy(owner: Arena, byteOffset: number, byteLength: number, mesh: Mesh): void {
  if (typeof owner?.u32 !== 'function' || !(owner.memory instanceof WebAssembly.Memory))
    throw new ImpingeError('bad-input', 'the memory of a tree is needed');
  assertMesh(mesh);
  if (readInteger('byteOffset', byteOffset, 0) % 4 !== 0)
    fail(`byte offset ${byteOffset} is not a multiple of 4`);
  readInteger('byteLength', byteLength, 0);
  validateHeader(owner, byteOffset, byteLength, mesh);
  const view = new TreeView(owner, byteOffset);
  validateOrder(view);
  new Walk(view, mesh).run();
}

/**
 * A quick look at a tree of oriented boxes in the arena whose bytes are known to be those that were written: after it a
 * walk is safe; whether volumes hold what they should is not looked at. The kernel for it comes with those of stores.
 */
export function assertWalkable(
  byteOffset: number,
  byteLength: number,
  mesh: Mesh,
  inspectTree: (tree: number, depths: number) => number,
): void {
  const memory = arena();
  validateHeader(memory, byteOffset, byteLength, mesh);
  if (VOLUME_KINDS[memory.u32()[(byteOffset >>> 2) + HierarchyHeader.kind]] !== 'obb')
    fail('not of oriented boxes');
  const depths = memory.alloc(memory.u32()[(byteOffset >>> 2) + HierarchyHeader.blockCount]);
  const walkable = inspectTree(byteOffset, depths);
  memory.free(depths);
  if (!walkable) validateHierarchy(memory, byteOffset, byteLength, mesh);
}

function fail(why: string, detail: Record<string, unknown> = {}): never {
  throw new ImpingeError('bad-buffer', `hierarchy: ${why}`, detail);
}

function validateHeader(owner: Arena, byteOffset: number, byteLength: number, mesh: Mesh): void {
  if (byteLength < TREE_HEADER_BYTES || byteOffset + byteLength > owner.memory.buffer.byteLength) {
    fail(`only ${byteLength} bytes, cut off`);
  }
  const words = owner.u32().subarray(byteOffset >>> 2, (byteOffset + TREE_HEADER_BYTES) >>> 2);
  const field = (name: keyof typeof HierarchyHeader) => words[HierarchyHeader[name]];
  if (field('magic') !== HIERARCHY_MAGIC) fail('it does not begin with the signature of a hierarchy');
  if (field('version') !== HIERARCHY_VERSION) {
    fail(`version ${field('version')}, this library reads version ${HIERARCHY_VERSION}`);
  }
  if (field('kind') >= VOLUME_KINDS.length) fail(`volume kind ${field('kind')} is unknown`);
  const { STRIDE } = VOLUMES[VOLUME_KINDS[field('kind')]];
  if (field('stride') !== STRIDE) fail(`stride ${field('stride')} where ${STRIDE} belongs`);
  if (field('builder') >= BUILDERS.length) fail(`builder ${field('builder')} is unknown`);
  if (field('leafSize') < 1 || field('leafSize') > MAX_LEAF_SIZE) {
    fail(`leaf size ${field('leafSize')} is not in 1 … ${MAX_LEAF_SIZE}`);
  }
  const count = field('triangleCount');
  if (count !== mesh.triangleCount) fail(`made for ${count} triangles, the mesh has ${mesh.triangleCount}`);
  if (field('blockCount') < 1 || field('blockCount') > field('blockCapacity')) {
    fail(`${field('blockCount')} blocks in room for ${field('blockCapacity')}`);
  }
  // the parts lie one behind the other; all of it is within the bytes there are
  const order = field('order');
  const pending = field('pending');
  const blocks = field('blocks');
  const end = field('byteLength');
  if (
    (order | pending | blocks | end) % 4 !== 0 ||
    order < TREE_HEADER_BYTES ||
    pending < order + 4 * count ||
    field('pendingCount') > field('pendingCapacity') ||
    blocks < pending + 8 * field('pendingCapacity') ||
    end < blocks + 4 * blockWords(STRIDE) * field('blockCapacity') ||
    end > byteLength
  ) {
    fail('its header contradicts itself');
  }
}

function validateOrder(view: TreeView): void {
  const seen = new Uint8Array(view.triangleCount);
  for (let position = 0; position < view.triangleCount; position++) {
    const triangle = view.triangleAt(position);
    if (triangle >= view.triangleCount || seen[triangle] !== 0) {
      fail(`leaf position ${position} names triangle ${triangle}, which is out of range or named before`, {
        position,
        triangle,
      });
    }
    seen[triangle] = 1;
  }
}

class Walk {
  readonly #view: TreeView;
  readonly #volume: VolumeModule;
  readonly #positions: Float32Array;
  readonly #indices: Uint32Array;
  readonly #empty: Float32Array;
  readonly #entered: Uint8Array;
  readonly #pendingMet: Uint8Array;
  /** Slots from the root's lane down to the current one. */
  readonly #path: number[] = [];
  /** The next leaf position that must come. */
  #cursor = 0;

  constructor(view: TreeView, mesh: Mesh) {
    this.#view = view;
    this.#volume = VOLUMES[view.kind];
    this.#positions = mesh.storedPositions;
    this.#indices = mesh.storedIndices;
    this.#empty = new Float32Array(LANES * view.stride);
    this.#volume.setEmpty(this.#empty, 0);
    this.#entered = new Uint8Array(view.blockCount);
    this.#pendingMet = new Uint8Array(view.header(HierarchyHeader.pendingCount));
  }

  run(): void {
    const view = this.#view;
    if (![...view.centre, view.radius].every(Number.isFinite)) fail('its centre or radius is not finite');
    this.#enter(0, 0);
    if (this.#cursor !== view.triangleCount) {
      fail(`its leaves hold ${this.#cursor} of ${view.triangleCount} triangles`);
    }
    const missed = this.#entered.indexOf(0);
    if (missed >= 0) fail(`block ${missed} is not referred to`, { block: missed });
    for (let i = 0; i < this.#pendingMet.length; i++) {
      if (this.#pendingMet[i] === 0 && view.words[view.pendingWord + 2 * i + 1] !== 0) {
        fail(`pending treelet ${i} is not referred to`, { treelet: i });
      }
    }
  }

  /** Recursion is bounded by MAX_DEPTH, which is checked. */
  #enter(block: number, depth: number): void {
    this.#entered[block] = 1;
    let used = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const slot = LANES * block + lane;
      const ref = this.#view.ref(slot);
      if (ref === EMPTY) {
        this.#requireEmptyVolume(slot);
        continue;
      }
      used++;
      this.#requireFiniteVolume(slot);
      this.#path.push(slot);
      if (isLeaf(ref)) this.#checkRange(slot, leafStart(ref), leafCount(ref), this.#view.leafSize);
      else if (isPending(ref)) this.#checkPending(slot, refIndex(ref));
      else this.#descend(slot, ref, depth);
      this.#path.pop();
    }
    if (used === 0) this.#failAt(LANES * block, 'the block has no children');
  }

  #descend(slot: number, ref: number, depth: number): void {
    if (ref >= this.#entered.length) this.#failAt(slot, `block ${ref} is out of range`);
    if (ref <= slot >>> 2) this.#failAt(slot, `block ${ref} does not come after its parent`);
    if (this.#entered[ref] !== 0) this.#failAt(slot, `block ${ref} is referred to twice`);
    if (depth + 1 >= MAX_DEPTH) this.#failAt(slot, `deeper than ${MAX_DEPTH} blocks`);
    this.#enter(ref, depth + 1);
  }

  #checkPending(slot: number, treelet: number): void {
    if (treelet >= this.#pendingMet.length) this.#failAt(slot, `pending treelet ${treelet} is out of range`);
    if (this.#pendingMet[treelet] !== 0)
      this.#failAt(slot, `pending treelet ${treelet} is referred to twice`);
    this.#pendingMet[treelet] = 1;
    const entry = this.#view.pendingWord + 2 * treelet;
    this.#checkRange(slot, this.#view.words[entry], this.#view.words[entry + 1], this.#view.triangleCount);
  }

  /** A run of leaf positions: the next ones, not too many, and inside every volume on the path. */
  #checkRange(slot: number, start: number, count: number, most: number): void {
    if (start !== this.#cursor)
      this.#failAt(slot, `starts at position ${start} where ${this.#cursor} is next`);
    if (count < 1 || count > most || start + count > this.#view.triangleCount) {
      this.#failAt(slot, `holds ${count} triangles from position ${start}`);
    }
    this.#cursor += count;
    const [cx, cy, cz] = this.#view.centre;
    for (let position = start; position < start + count; position++) {
      const t = 3 * this.#view.triangleAt(position);
      for (let k = t; k < t + 3; k++) {
        const v = 3 * this.#indices[k];
        this.#requireInside(
          this.#positions[v] - cx,
          this.#positions[v + 1] - cy,
          this.#positions[v + 2] - cz,
          t,
        );
      }
    }
  }

  #requireInside(x: number, y: number, z: number, t: number): void {
    const view = this.#view;
    for (const slot of this.#path) {
      if (!this.#volume.containsPoint(view.floats, view.volumeAt(slot), x, y, z)) {
        this.#failAt(slot, `its volume does not contain triangle ${t / 3}`);
      }
    }
    if (!(Math.sqrt(x * x + y * y + z * z) <= view.radius * 1.0001)) {
      fail(`triangle ${t / 3} lies outside its radius`, { triangle: t / 3 });
    }
  }

  #requireFiniteVolume(slot: number): void {
    const at = this.#view.volumeAt(slot);
    for (let c = 0; c < LANES * this.#view.stride; c += LANES) {
      if (!Number.isFinite(this.#view.floats[at + c])) this.#failAt(slot, 'its volume is not finite');
    }
  }

  /** Kernels test all four lanes: one without a child must reach nothing. */
  #requireEmptyVolume(slot: number): void {
    const at = this.#view.volumeAt(slot);
    for (let c = 0; c < LANES * this.#view.stride; c += LANES) {
      if (this.#view.floats[at + c] !== this.#empty[c]) this.#failAt(slot, 'an unused lane has a volume');
    }
  }

  #failAt(slot: number, why: string): never {
    const block = slot >>> 2;
    const lane = slot & 3;
    fail(`block ${block} lane ${lane}: ${why}`, { block, lane });
  }
}
