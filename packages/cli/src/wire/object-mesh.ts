/** An object of a stored model as one mesh, to the bit: relative to where its shape's positions count from. */
import { readPieces, type StoredModel } from '@impinge/model';
import { Mesh, type Vec3 } from 'impinge';

/** Add `origin` to its positions to get those of the shape, which the object's pose places. */
export async function objectMesh(
  model: StoredModel,
  object: number,
): Promise<{ readonly mesh: Mesh; readonly origin: Vec3 }> {
  const first = model.firstPiece(object);
  const pieces = await readPieces(
    model,
    Array.from({ length: model.pieceCountOf(object) }, (_, i) => first + i),
  );
  const joined = new JoinedTriangles(Float32Array, pieces);
  for (const { positions, indices } of pieces) joined.add(positions, indices);
  const [x, y, z] = pieces[0].origin;
  return { mesh: Mesh.from(joined, { name: model.text(object, 'path') }), origin: [x, y, z] };
}

/** Triangles of several parts one after the other. */
export class JoinedTriangles<A extends Float32Array | Float64Array> {
  readonly positions: A;
  readonly indices: Uint32Array;
  #numbers = 0;
  #corners = 0;

  constructor(
    kind: new (length: number) => A,
    parts: readonly { readonly positions: ArrayLike<number>; readonly indices: ArrayLike<number> }[],
  ) {
    this.positions = new kind(parts.reduce((sum, { positions }) => sum + positions.length, 0));
    this.indices = new Uint32Array(parts.reduce((sum, { indices }) => sum + indices.length, 0));
  }

  add(positions: ArrayLike<number>, indices: ArrayLike<number>): void {
    const first = this.#numbers / 3;
    this.positions.set(positions, this.#numbers);
    this.#numbers += positions.length;
    for (let i = 0; i < indices.length; i++) this.indices[this.#corners++] = first + indices[i];
  }
}
