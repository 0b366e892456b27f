/** Which elements are neighbours: a vertex of one is joined by an edge of the mesh to a vertex of the other. */
import { arena } from '../base/arena.js';
import { Ctx } from './layout.js';
import type { World } from './world.js';

/**
 * Whether an element of the first `own` vertices of the quad at quads[at ..] and one of the rest are neighbours.
 * Elements with a common vertex are not asked for.
 */
export function areNeighbours(world: World, quads: Uint32Array, at: number, own: 1 | 2): boolean {
  const { surfaceOfVertex } = world;
  if (surfaceOfVertex[quads[at]] !== surfaceOfVertex[quads[at + 3]]) return false;
  const words = arena().u32();
  const ringStart = world.word(Ctx.ringStart) >>> 2;
  const rings = world.word(Ctx.rings) >>> 2;
  const corners = world.word(Ctx.corners) >>> 2;
  for (let i = at; i < at + own; i++) {
    const v = quads[i];
    for (let k = words[ringStart + v]; k < words[ringStart + v + 1]; k++) {
      const t = corners + 3 * words[rings + k];
      for (let c = 0; c < 3; c++) {
        const w = words[t + c];
        for (let j = at + own; j < at + 4; j++) if (w === quads[j]) return true;
      }
    }
  }
  return false;
}
