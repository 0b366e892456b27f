/**
 * Splits a mesh into pieces of bounded size, at the centres of its triangles.
 *
 * Idea: the top of a lazy tree, which the kernels build anyway, is a k-d subdivision of the triangles. Each pending
 * subtree becomes a piece; fragments join their neighbour.
 */
import { arena } from '../base/arena.js';
import { buildTop } from '../hierarchy/build-obb.js';
import { HierarchyHeader } from '../hierarchy/layout.js';
import { Mesh } from '../mesh/mesh.js';
import { hashOfPosition } from '../mesh/position-hash.js';

/** The bits of −0. */
const MINUS_ZERO = -(2 ** 31);

/** Yields one piece after the other. They keep the mesh's origin; the caller disposes of them. */
export function* splitMesh(mesh: Mesh, most: number): Generator<Mesh> {
  const local = new Uint32Array(mesh.vertexCount);
  for (const triangles of groupsOf(mesh, most)) yield extract(mesh, triangles, local);
}

/** The same of a mesh whose triangles share no vertex: corners at equal positions are joined, piece by piece. */
export function* splitSoup(mesh: Mesh, most: number): Generator<Mesh> {
  const groups = groupsOf(mesh, most);
  const welder = new Welder(3 * groups.reduce((largest, group) => Math.max(largest, group.length), 0));
  for (const triangles of groups) yield welder.extract(mesh, triangles);
}

/** Triangles by number, neighbours together. */
function groupsOf(mesh: Mesh, most: number): Uint32Array[] {
  const count = mesh.triangleCount;
  if (count <= most) return [Uint32Array.from({ length: count }, (_, i) => i)];
  const memory = arena();
  const top = buildTop(mesh, 'sah', most);
  const words = memory.u32();
  const header = words.subarray(top >>> 2);
  const orderAt = (top + header[HierarchyHeader.orderByteOffset]) >>> 2;
  const order = words.slice(orderAt, orderAt + count);
  const pendingAt = (top + header[HierarchyHeader.pendingByteOffset]) >>> 2;
  const starts = new Uint32Array(header[HierarchyHeader.pendingCount]);
  for (let i = 0; i < starts.length; i++) starts[i] = words[pendingAt + 2 * i];
  memory.free(top);
  return Array.from(ranges(starts.sort(), count, most), ([from, to]) => order.subarray(from, to));
}

/** Cuts [0, count) where treelets start, but joins what stays below the limit with what came before. */
function* ranges(starts: Uint32Array, count: number, most: number): Generator<[number, number]> {
  let from = 0;
  let to = 0;
  for (let i = 0; i <= starts.length; i++) {
    // what lies between two treelets are single leaves; they go with the treelet before
    const end = i === starts.length ? count : starts[i];
    const small = end - to < most / 4 || to - from < most / 4;
    if (to > from && (!small || end - from > most)) {
      yield [from, to];
      from = to;
    }
    to = end;
  }
  if (to > from) yield [from, to];
}

/** The triangles named, with the vertices they use. `local` is zero everywhere, before and after. */
function extract(mesh: Mesh, triangles: Uint32Array, local: Uint32Array): Mesh {
  const indices = mesh.indices;
  const used = new Uint32Array(3 * triangles.length);
  const corners = new Uint32Array(3 * triangles.length);
  let vertexCount = 0;
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0; k < 3; k++) {
      const v = indices[3 * triangles[i] + k];
      if (local[v] === 0) {
        used[vertexCount++] = v;
        local[v] = vertexCount;
      }
      corners[3 * i + k] = local[v] - 1;
    }
  }
  for (let i = 0; i < vertexCount; i++) local[used[i]] = 0;
  const { origin } = mesh;
  const shape = { vertexCount, triangleCount: triangles.length, origin, name: '' };
  return Mesh.layOut(shape, (positions, out) => {
    const source = mesh.positions;
    for (let i = 0; i < vertexCount; i++) {
      const v = 3 * used[i];
      positions[3 * i] = source[v];
      positions[3 * i + 1] = source[v + 1];
      positions[3 * i + 2] = source[v + 2];
    }
    out.set(corners);
  });
}

/** Makes pieces of a mesh whose triangles share no vertex; equal positions become one vertex, −0 equals 0. */
class Welder {
  /** Open addressing over vertex numbers + 1, at most half full. */
  readonly #table: Int32Array;
  readonly #shift: number;
  /** The vertices found, as bits. */
  readonly #found: Int32Array;
  readonly #corners: Uint32Array;

  constructor(mostCorners: number) {
    const bits = Math.ceil(Math.log2(2 * mostCorners));
    this.#table = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    this.#found = new Int32Array(3 * mostCorners);
    this.#corners = new Uint32Array(mostCorners);
  }

  extract(mesh: Mesh, triangles: Uint32Array): Mesh {
    const vertexCount = this.#weld(mesh, triangles);
    const shape = { vertexCount, triangleCount: triangles.length, origin: mesh.origin, name: '' };
    return Mesh.layOut(shape, (positions, indices) => {
      new Int32Array(positions.buffer, positions.byteOffset, positions.length).set(
        this.#found.subarray(0, 3 * vertexCount),
      );
      indices.set(this.#corners.subarray(0, 3 * triangles.length));
    });
  }

  #weld(mesh: Mesh, triangles: Uint32Array): number {
    const table = this.#table.fill(0);
    const mask = table.length - 1;
    const shift = this.#shift;
    const found = this.#found;
    const corners = this.#corners;
    const words = arena().i32();
    const first = mesh.positions.byteOffset >>> 2;
    let count = 0;
    for (let i = 0; i < triangles.length; i++) {
      let at = first + 9 * triangles[i];
      for (let corner = 3 * i; corner < 3 * i + 3; corner++, at += 3) {
        const x = words[at] === MINUS_ZERO ? 0 : words[at];
        const y = words[at + 1] === MINUS_ZERO ? 0 : words[at + 1];
        const z = words[at + 2] === MINUS_ZERO ? 0 : words[at + 2];
        let slot = hashOfPosition(x, y, z) >>> shift;
        for (; table[slot] !== 0; slot = (slot + 1) & mask) {
          const v = 3 * table[slot] - 3;
          if (found[v] === x && found[v + 1] === y && found[v + 2] === z) break;
        }
        if (table[slot] === 0) {
          found[3 * count] = x;
          found[3 * count + 1] = y;
          found[3 * count + 2] = z;
          table[slot] = ++count;
        }
        corners[corner] = table[slot] - 1;
      }
    }
    return count;
  }
}
