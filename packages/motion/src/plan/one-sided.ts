/**
 * A mesh without what is there twice: many models have all triangles once for each side.
 *
 * Where each is there an even number of times, a ray crosses the surface so often, too: however closed it is, it has no
 * inside. One of each is the same surface, but might be closed, and have one. So if it is, one triangle is left twice:
 * then three edges belong to an odd number of triangles, and an open mesh has no inside.
 */
import { Mesh } from 'impinge';
import { adjacencyOf, NO_EDGE } from 'impinge/internal/mesh/adjacency.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Derived } from 'impinge/internal/mesh/revisions.js';

/** The mesh itself, where not every triangle is there an even number of times. */
export const oneSided = new Derived((mesh: Mesh) => withoutCopies(mesh) ?? mesh);

function withoutCopies(mesh: Mesh): Mesh | undefined {
  const kept = firstCopies(mesh);
  if (!kept) return undefined;
  const single = meshOf(mesh, kept);
  if (!isClosed(single)) return single;
  single.dispose();
  return meshOf(mesh, [...kept, kept[0]]);
}

/** The first of all copies of every triangle; undefined where one has an odd number of them, or a side no length. */
function firstCopies(mesh: Mesh): number[] | undefined {
  const { storedIndices, triangleCount } = mesh;
  const { weld, edgeOf, edgeStart, halfEdges } = adjacencyOf(mesh);
  const cornersOf = (t: number) => [0, 1, 2].map((k) => weld[storedIndices[3 * t + k]]);
  const kept: number[] = [];
  for (let t = 0; t < triangleCount; t++) {
    const own = cornersOf(t);
    if ([0, 1, 2].some((k) => edgeOf[3 * t + k] === NO_EDGE)) return undefined;
    const edge = edgeOf[3 * t];
    let copies = 0;
    let first = t;
    for (let i = edgeStart[edge]; i < edgeStart[edge + 1]; i++) {
      const other = Math.floor(halfEdges[i] / 3);
      if (!cornersOf(other).every((corner) => own.includes(corner))) continue;
      copies++;
      first = Math.min(first, other);
    }
    if (copies % 2 === 1) return undefined;
    if (first === t) kept.push(t);
  }
  return kept;
}

function meshOf({ storedPositions, storedIndices, origin, name }: Mesh, triangles: readonly number[]): Mesh {
  const shape = { vertexCount: storedPositions.length / 3, triangleCount: triangles.length, origin, name };
  return Mesh.layOut(shape, (positions, indices) => {
    positions.set(storedPositions);
    for (const [i, t] of triangles.entries()) indices.set(storedIndices.subarray(3 * t, 3 * t + 3), 3 * i);
  });
}
