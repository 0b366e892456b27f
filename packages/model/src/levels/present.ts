/** The mesh of a group after the collapses so far. */
import type { GroupBlock } from './group-block.js';
import { ALIVE, G } from './layout.generated.js';

/** The current triangles, in order, as vertices of the group. */
export function presentTriangles(
  block: GroupBlock,
  count: number,
): { kept: Uint32Array; indices: Uint32Array } {
  const corners = block.words(G.coarse, 3 * block.triangleCount);
  const death = block.words(G.death, block.triangleCount);
  const kept = new Uint32Array(count);
  const indices = new Uint32Array(3 * count);
  for (let t = 0, n = 0; n < count; t++) {
    if (death[t] !== ALIVE) continue;
    for (let k = 0; k < 3; k++) indices[3 * n + k] = corners[3 * t + k];
    kept[n++] = t;
  }
  return { kept, indices };
}

/** The same, over the vertices that are used: `indices` are renumbered. */
export function presentMesh(
  block: GroupBlock,
  { indices }: { readonly indices: Uint32Array },
): { positions: Float32Array; indices: Uint32Array } {
  const vertices = block.word(G.vertices);
  const places = block.floats(G.positions, 3 * vertices);
  const local = new Int32Array(vertices).fill(-1);
  const positions = new Float32Array(3 * vertices);
  let used = 0;
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (local[v] < 0) {
      for (let k = 0; k < 3; k++) positions[3 * used + k] = places[3 * v + k];
      local[v] = used++;
    }
    indices[i] = local[v];
  }
  return { positions: positions.slice(0, 3 * used), indices };
}

/** The values of some triangles. */
export function valuesAt(slots: Uint32Array, values: Float32Array): Float32Array {
  const own = new Float32Array(slots.length);
  for (let i = 0; i < slots.length; i++) own[i] = values[slots[i]];
  return own;
}
