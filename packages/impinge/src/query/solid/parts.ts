/** An object as the queries of a check see it: the pieces it was split into, in one frame. */
import type { Mesh } from '../../mesh/mesh.js';

export interface Parts {
  /** Pieces that together are the surface, or the part of it that matters; all have the same origin. */
  readonly meshes: readonly Mesh[];
  /** Whether the whole surface is closed: every edge is shared by an even number of triangles. */
  readonly closed: boolean;
}
