/** The original triangles near some triangles of a coarser piece. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import type { StoredModel } from '../store/model.js';

/** Has a piece of an object in memory while something is done with it. */
export type WithPiece = <T>(piece: number, work: (mesh: Mesh) => T) => Promise<T>;

/** Triangles of exact pieces. */
export interface Originals {
  /** Of each triangle the piece, counted from the object's first. */
  readonly pieces: Uint32Array;
  readonly triangles: Uint32Array;
}

/** The originals of an object within `reach` of triangles of its piece, in the order of their pieces and numbers. */
export async function originalsNear(
  model: StoredModel,
  object: number,
  { piece, triangles }: { readonly piece: number; readonly triangles: Uint32Array },
  reach: number,
  withPiece: WithPiece,
): Promise<Originals> {
  const patch = await withPiece(piece, (mesh) => meshOf(mesh, triangles));
  try {
    const box = Float64Array.of(...patch.box.min, ...patch.box.max);
    const first = model.firstPiece(object);
    const pieces: number[] = [];
    const found: number[] = [];
    for (let i = 0; i < model.pieceCountOf(object); i++) {
      if (gapOfBoxes(box, 0, model.directory.pieceBox, 6 * (first + i)) > reach) continue;
      const { pairs } = await withPiece(i, (mesh) =>
        withinPlaced(mesh, patch, IDENTITY as RigidPose, UNLIMITED, reach),
      );
      for (const triangle of new Set(pairs.filter((_, k) => k % 2 === 0))) {
        pieces.push(i);
        found.push(triangle);
      }
    }
    return { pieces: Uint32Array.from(pieces), triangles: Uint32Array.from(found) };
  } finally {
    patch.dispose();
  }
}

/** Some triangles of a mesh as one of their own, every triangle with corners of its own. */
function meshOf(mesh: Mesh, triangles: Uint32Array): Mesh {
  const { origin, name } = mesh;
  const { storedPositions: from, storedIndices: of } = mesh;
  const corners = new Float32Array(9 * triangles.length);
  triangles.forEach((triangle, i) => {
    for (let k = 0; k < 9; k++) corners[9 * i + k] = from[3 * of[3 * triangle + Math.floor(k / 3)] + (k % 3)];
  });
  const counts = { vertexCount: 3 * triangles.length, triangleCount: triangles.length };
  return Mesh.layOut({ ...counts, origin, name }, (positions, indices) => {
    positions.set(corners);
    for (let i = 0; i < indices.length; i++) indices[i] = i;
  });
}
