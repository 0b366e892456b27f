/** Joins vertices at the same place: seams of texture coordinates and normals, and triangles without indices. */
import { ImpingeError } from '../base/errors.js';
import { readKnown, readLength } from '../base/options.js';
import { assertMesh, Mesh } from './mesh.js';
import { label } from './mesh-arrays.js';
import { partsAmong } from './mesh-parts.js';
import { firstAtPlace } from './places.js';

export interface WeldOptions {
  /**
   * Maximum distance of a vertex from the one it is welded to. By default a millionth of the longest side of the box; 0
   * welds equal ones only.
   */
  readonly tolerance?: number;
  readonly name?: string;
}

export interface WeldResult {
  readonly mesh: Mesh;
  /** The vertex of the new mesh for every vertex of the old one. */
  readonly vertices: Uint32Array;
  /** The triangle of the old mesh for every triangle of the new one; triangles that lost a corner are dropped. */
  readonly triangles: Uint32Array;
}

/**
 * A new mesh in which vertices within `tolerance` of an earlier one are that one. Each moves by at most that, and those
 * left over are farther apart. Vertices that no triangle used are kept, too.
 */
export function weld(mesh: Mesh, options: WeldOptions = {}): WeldResult {
  assertMesh(mesh);
  const names = { tolerance: true, name: true } as const;
  const { tolerance = defaultTolerance(mesh), name = mesh.name } = readKnown('weld', options, names);
  readLength('tolerance', tolerance);
  const { storedPositions: positions, storedIndices: indices, origin } = mesh;
  const first = firstAtPlace(positions, tolerance);
  const vertices = new Uint32Array(first.length);
  let vertexCount = 0;
  for (let v = 0; v < first.length; v++) vertices[v] = first[v] === v ? vertexCount++ : vertices[first[v]];
  const kept = new Float64Array(3 * vertexCount);
  for (let v = 0; v < first.length; v++) {
    if (first[v] !== v) continue;
    for (let k = 0; k < 3; k++) kept[3 * vertices[v] + k] = positions[3 * v + k];
  }
  const triangles = keptTriangles(indices, vertices);
  if (triangles.length === 0) {
    throw new ImpingeError('empty-mesh', `${label(mesh.name)}: welding by ${tolerance} leaves no triangles`);
  }
  if (typeof name !== 'string') throw new ImpingeError('bad-input', 'the name of a mesh must be a string');
  const namedParts = partsAmong(mesh.namedParts, triangles);
  const corners = Uint32Array.from(
    { length: 3 * triangles.length },
    (_, i) => vertices[indices[3 * triangles[Math.floor(i / 3)] + (i % 3)]],
  );
  const welded = Mesh.layOut(
    { vertexCount, triangleCount: triangles.length, origin, name, namedParts },
    (toPositions, toIndices) => {
      toPositions.set(kept);
      toIndices.set(corners);
    },
  );
  return { mesh: welded, vertices, triangles };
}

function keptTriangles(indices: Uint32Array, vertices: Uint32Array): Uint32Array {
  const kept = new Uint32Array(indices.length / 3);
  let count = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [vertices[indices[t]], vertices[indices[t + 1]], vertices[indices[t + 2]]];
    if (a !== b && b !== c && c !== a) kept[count++] = t / 3;
  }
  return kept.slice(0, count);
}

/** Far more than rounding leaves between the two sides of a seam, far less than anyone models. */
export function defaultTolerance({ box: { min, max } }: Mesh): number {
  return 1e-6 * Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
