/**
 * A closed, evenly triangulated mesh of the surface field = 0.
 *
 * Idea: surface nets. Every cell of a grid in which the field changes sign gets one vertex, every grid edge with a
 * change of sign the quad of its four cells. The vertices are pulled onto the surface and spread over it by turns,
 * then the quads are cut along their shorter diagonals.
 *
 * Invariant: no cell is crossed twice, or its one vertex would pinch the mesh. Gaps so narrow that they would do it
 * are filled first; the result is a closed manifold for any field.
 */
import { square } from './scene-mesh.js';

/** Negative inside; its slope is near 1 about the surface. */
export type Field = (x: number, y: number, z: number) => number;

/** Corner numbers are x + 2 y + 4 z. */
const CELL_EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];
const SPREADING_ROUNDS = 8;

/** Meshes the field inside a box (smallest and largest x, y, z); the surface must not reach the box. */
export function meshField(
  field: Field,
  bounds: readonly number[],
  cellSize: number,
): {
  positions: Float32Array;
  indices: Uint32Array;
} {
  const size = [0, 1, 2].map((k) => Math.ceil((bounds[3 + k] - bounds[k]) / cellSize) + 1);
  const strides = [1, size[0], size[0] * size[1]];
  const samples = new Float64Array(size[0] * size[1] * size[2]);
  for (let node = 0, z = 0; z < size[2]; z++) {
    for (let y = 0; y < size[1]; y++) {
      for (let x = 0; x < size[0]; x++) {
        samples[node++] = field(bounds[0] + x * cellSize, bounds[1] + y * cellSize, bounds[2] + z * cellSize);
      }
    }
  }

  fillPinches(samples, size, strides, cellSize);
  const { points, vertexOfCell } = cellVertices(samples, size, strides, bounds, cellSize);
  const quads = edgeQuads(samples, size, strides, vertexOfCell);
  pull(points, field, cellSize);
  for (let round = 0; round < SPREADING_ROUNDS; round++) {
    spread(points, quads);
    pull(points, field, cellSize);
  }
  const positions = Float32Array.from(points);
  return { positions, indices: cutQuads(positions, quads) };
}

/**
 * Puts outer corners of cells inside until in every cell the inner corners are joined along its edges, and the outer
 * ones too. Ends, because corners only ever change in one direction.
 */
function fillPinches(
  samples: Float64Array,
  size: readonly number[],
  strides: readonly number[],
  cellSize: number,
): void {
  const simple = Uint8Array.from({ length: 256 }, (_, inner) =>
    Number(isJoined(inner) && isJoined(255 - inner)),
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (let z = 0; z + 1 < size[2]; z++) {
      for (let y = 0; y + 1 < size[1]; y++) {
        for (let cell = y * strides[1] + z * strides[2], x = 0; x + 1 < size[0]; x++, cell++) {
          let inner = 0;
          for (let c = 0; c < 8; c++) if (samples[cornerOf(cell, c, strides)] < 0) inner |= 1 << c;
          if (simple[inner] === 1) continue;
          let nearest = -1;
          for (let c = 0; c < 8; c++) {
            const node = cornerOf(cell, c, strides);
            if (samples[node] >= 0 && (nearest < 0 || samples[node] < samples[nearest])) nearest = node;
          }
          samples[nearest] = -1e-3 * cellSize;
          changed = true;
        }
      }
    }
  }
}

function cornerOf(cell: number, corner: number, strides: readonly number[]): number {
  return cell + (corner & 1) + (corner & 2 ? strides[1] : 0) + (corner & 4 ? strides[2] : 0);
}

/** Whether a set of cell corners, given as bits, is connected along the cell's edges. */
function isJoined(corners: number): boolean {
  let reached = corners & -corners;
  for (let round = 0; round < 8; round++) {
    for (let e = 0; e < 24; e += 2) {
      const edge = (1 << CELL_EDGES[e]) | (1 << CELL_EDGES[e + 1]);
      if ((edge & corners) === edge && (edge & reached) !== 0) reached |= edge;
    }
  }
  return reached === corners;
}

/** One vertex in each cell with a change of sign: the mean of the crossings of its edges. */
function cellVertices(
  samples: Float64Array,
  size: readonly number[],
  strides: readonly number[],
  bounds: readonly number[],
  cellSize: number,
): { points: number[]; vertexOfCell: Int32Array } {
  const vertexOfCell = new Int32Array(samples.length).fill(-1);
  const points: number[] = [];
  const corners = new Float64Array(8);
  for (let z = 0; z + 1 < size[2]; z++) {
    for (let y = 0; y + 1 < size[1]; y++) {
      for (let x = 0; x + 1 < size[0]; x++) {
        const cell = x + y * strides[1] + z * strides[2];
        let inside = 0;
        for (let c = 0; c < 8; c++) {
          corners[c] = samples[cornerOf(cell, c, strides)];
          if (corners[c] < 0) inside++;
        }
        if (inside === 0 || inside === 8) continue;
        const sum = [0, 0, 0];
        let crossings = 0;
        for (let e = 0; e < 24; e += 2) {
          const from = CELL_EDGES[e];
          const to = CELL_EDGES[e + 1];
          if (corners[from] < 0 === corners[to] < 0) continue;
          const share = corners[from] / (corners[from] - corners[to]);
          for (let k = 0; k < 3; k++) sum[k] += ((from >> k) & 1) * (1 - share) + ((to >> k) & 1) * share;
          crossings++;
        }
        vertexOfCell[cell] = points.length / 3;
        points.push(
          bounds[0] + (x + sum[0] / crossings) * cellSize,
          bounds[1] + (y + sum[1] / crossings) * cellSize,
          bounds[2] + (z + sum[2] / crossings) * cellSize,
        );
      }
    }
  }
  return { points, vertexOfCell };
}

/** The four cells around each grid edge with a change of sign, counter-clockwise from outside. */
function edgeQuads(
  samples: Float64Array,
  size: readonly number[],
  strides: readonly number[],
  vertexOfCell: Int32Array,
): number[] {
  const quads: number[] = [];
  for (let z = 1; z + 1 < size[2]; z++) {
    for (let y = 1; y + 1 < size[1]; y++) {
      for (let x = 1; x + 1 < size[0]; x++) {
        const node = x + y * strides[1] + z * strides[2];
        for (let axis = 0; axis < 3; axis++) {
          const leaving = samples[node] < 0;
          if (leaving === samples[node + strides[axis]] < 0) continue;
          const u = strides[(axis + 1) % 3];
          const v = strides[(axis + 2) % 3];
          const ring = [node - u - v, node - v, node, node - u].map((cell) => vertexOfCell[cell]);
          quads.push(...(leaving ? ring : ring.reverse()));
        }
      }
    }
  }
  return quads;
}

/** Newton steps along the gradient, each of at most half a cell. */
function pull(points: number[], field: Field, cellSize: number): void {
  const reach = 1e-4 * cellSize;
  for (let i = 0; i < points.length; i += 3) {
    for (let round = 0; round < 3; round++) {
      const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
      const value = field(x, y, z);
      if (Math.abs(value) < 1e-6 * cellSize) break;
      const gx = (field(x + reach, y, z) - value) / reach;
      const gy = (field(x, y + reach, z) - value) / reach;
      const gz = (field(x, y, z + reach) - value) / reach;
      const slopeSq = gx * gx + gy * gy + gz * gz;
      const step = Math.max(-0.5 * cellSize, Math.min(0.5 * cellSize, value / Math.sqrt(slopeSq)));
      const scale = step / Math.sqrt(slopeSq);
      points[i] = x - gx * scale;
      points[i + 1] = y - gy * scale;
      points[i + 2] = z - gz * scale;
    }
  }
}

/** Moves every vertex half way to the middle of its neighbours. */
function spread(points: number[], quads: readonly number[]): void {
  const sums = new Float64Array(points.length);
  const counts = new Uint8Array(points.length / 3);
  for (let q = 0; q < quads.length; q++) {
    const next = quads[q % 4 === 3 ? q - 3 : q + 1];
    counts[quads[q]]++;
    for (let k = 0; k < 3; k++) sums[3 * quads[q] + k] += points[3 * next + k];
  }
  for (let i = 0; i < points.length; i++) {
    points[i] += 0.5 * (sums[i] / counts[Math.floor(i / 3)] - points[i]);
  }
}

function cutQuads(positions: Float32Array, quads: readonly number[]): Uint32Array {
  const indices = new Uint32Array((quads.length / 4) * 6);
  for (let q = 0, at = 0; q < quads.length; q += 4, at += 6) {
    const [a, b, c, d] = quads.slice(q, q + 4);
    const triangles =
      distanceSq(positions, a, c) <= distanceSq(positions, b, d) ? [a, b, c, a, c, d] : [a, b, d, b, c, d];
    indices.set(triangles, at);
  }
  return indices;
}

function distanceSq(positions: Float32Array, a: number, b: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += square(positions[3 * a + k] - positions[3 * b + k]);
  return sum;
}
