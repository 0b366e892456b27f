/**
 * Splits a mesh into pieces of bounded size, at the centres of its triangles.
 *
 * Idea: the top of a tree is a k-d subdivision of the triangles that the kernels make anyway. Where they would leave a
 * subtree for later, a piece ends; fragments join their neighbour.
 */
import { arena } from '../base/arena.js';
import { buildTop } from '../hierarchy/build.js';
import { HierarchyHeader } from '../hierarchy/layout.js';
import { Mesh } from '../mesh/mesh.js';

/** Yields one piece after the other. They keep the mesh's origin; the caller disposes of them. */
export function* splitMesh(mesh: Mesh, most: number): Generator<Mesh> {
  const memory = arena();
  const top = buildTop(mesh, 'sah', most);
  const words = memory.u32();
  const header = words.subarray(top >>> 2);
  const orderAt = (top + header[HierarchyHeader.orderByteOffset]) >>> 2;
  const order = words.slice(orderAt, orderAt + mesh.triangleCount);
  const pendingAt = (top + header[HierarchyHeader.pendingByteOffset]) >>> 2;
  const starts = new Uint32Array(header[HierarchyHeader.pendingCount]);
  for (let i = 0; i < starts.length; i++) starts[i] = words[pendingAt + 2 * i];
  memory.free(top);
  const local = new Uint32Array(mesh.vertexCount);
  for (const [from, to] of ranges(starts.sort(), mesh.triangleCount, most)) {
    yield extract(mesh, order.subarray(from, to), local);
  }
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
