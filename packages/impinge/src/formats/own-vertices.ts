/** Geometries of lists of indices into one array of vertices: each gets those that it uses, in order of first use. */
export function withOwnVertices(
  positions: Float64Array,
  lists: readonly Uint32Array[],
): { readonly positions: Float64Array; readonly indices: Uint32Array }[] {
  const vertexCount = positions.length / 3;
  const renumbered = new Uint32Array(vertexCount);
  const owner = new Uint32Array(vertexCount);
  return lists.map((indices, g) => {
    const own = new Uint32Array(indices.length);
    let count = 0;
    const used = new Uint32Array(Math.min(indices.length, vertexCount));
    for (let i = 0; i < indices.length; i++) {
      const vertex = indices[i];
      if (owner[vertex] !== g + 1) {
        owner[vertex] = g + 1;
        renumbered[vertex] = count;
        used[count++] = vertex;
      }
      own[i] = renumbered[vertex];
    }
    const ownPositions = new Float64Array(3 * count);
    for (let v = 0; v < count; v++) {
      for (let axis = 0; axis < 3; axis++) ownPositions[3 * v + axis] = positions[3 * used[v] + axis];
    }
    return { positions: ownPositions, indices: own };
  });
}
