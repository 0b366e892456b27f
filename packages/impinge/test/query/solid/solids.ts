/** Closed meshes with known answers, and the slow answers that queries are compared with. */
import { box, icosphere, torus } from '../../../../../lab/scenes/index.mjs';
import { crossingRayTriangle, RAY_DEGENERATE } from '../../../src/geometry/intersect/ray-triangle.js';
import { Mesh } from '../../../src/mesh/mesh.js';

export type Arrays = { positions: ArrayLike<number>; indices: ArrayLike<number> };

export function moved({ positions, indices }: Arrays, x: number, y = 0, z = 0): Arrays {
  return { positions: Float64Array.from(positions, (p, i) => p + [x, y, z][i % 3]), indices };
}

export function united(...parts: Arrays[]): Arrays {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    for (const p of Array.from(part.positions)) positions.push(p);
    for (const v of Array.from(part.indices)) indices.push(first + v);
  }
  return { positions, indices };
}

/** Every triangle with its own three vertices. */
export function exploded({ positions, indices }: Arrays): Arrays {
  const out = Array.from(indices).flatMap((v) => [
    positions[3 * v],
    positions[3 * v + 1],
    positions[3 * v + 2],
  ]);
  return { positions: out, indices: out.slice(0, out.length / 3).map((_, i) => i) };
}

/** A box cut into cells of side `cell` on every face, with corners at multiples of the cell from `min`. */
export function gridBox(min: readonly number[], cells: readonly number[], cell = 1): Arrays {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (const side of [0, 1]) {
      const first = positions.length / 3;
      for (let j = 0; j <= cells[v]; j++) {
        for (let i = 0; i <= cells[u]; i++) {
          const p = [0, 0, 0];
          p[axis] = min[axis] + side * cells[axis] * cell;
          p[u] = min[u] + i * cell;
          p[v] = min[v] + j * cell;
          positions.push(...p);
        }
      }
      const row = cells[u] + 1;
      for (let j = 0; j < cells[v]; j++) {
        for (let i = 0; i < cells[u]; i++) {
          const c = first + j * row + i;
          const quad =
            side === 1
              ? [c, c + 1, c + row + 1, c, c + row + 1, c + row]
              : [c, c + row + 1, c + 1, c, c + row, c + row + 1];
          indices.push(...quad);
        }
      }
    }
  }
  return { positions, indices };
}

/** The surface of a set of unit cells (lower corners); cells may touch along edges and corners. */
export function cellSurface(cells: readonly (readonly number[])[]): Arrays {
  const filled = new Set(cells.map(String));
  const positions: number[] = [];
  const indices: number[] = [];
  for (const cell of cells) {
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const beyond = [...cell];
        beyond[axis] += side === 1 ? 1 : -1;
        if (filled.has(String(beyond))) continue;
        const first = positions.length / 3;
        for (const [i, j] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]) {
          const p = [...cell];
          p[axis] += side;
          p[(axis + 1) % 3] += i;
          p[(axis + 2) % 3] += j;
          positions.push(...p);
        }
        const quad = side === 1 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        indices.push(...quad.map((v) => first + v));
      }
    }
  }
  return { positions, indices };
}

/** A closed cylinder about the z axis. */
export function cylinder(radius: number, height: number, sides: number): Arrays {
  const positions: number[] = [0, 0, -height / 2, 0, 0, height / 2];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * (i + 0.3)) / sides;
    for (const z of [-height / 2, height / 2])
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    const [low, high] = [2 + 2 * i, 3 + 2 * i];
    const [nextLow, nextHigh] = [2 + 2 * ((i + 1) % sides), 3 + 2 * ((i + 1) % sides)];
    indices.push(low, nextLow, nextHigh, low, nextHigh, high, 0, nextLow, low, 1, high, nextHigh);
  }
  return { positions, indices };
}

export const mesh = (arrays: Arrays, name = ''): Mesh => Mesh.from({ ...arrays, name });
export const sphere = (radius: number, frequency = 12): Arrays => icosphere(frequency, radius);
export const ball = (radius: number, frequency = 12): Mesh => mesh(sphere(radius, frequency));
export const cube = (width: number, height = width, depth = width): Mesh => mesh(box(width, height, depth));
export { box, icosphere, torus };

/** Inside by the parity of all triangles along one ray; undefined when the ray meets an edge. */
export function bruteForceInside(solid: Mesh, point: readonly number[]): boolean | undefined {
  const p = Float64Array.from(point);
  const q = Float64Array.of(p[0] + 1000.123, p[1] + 333.77, p[2] + 517.31);
  const triangle = new Float64Array(9);
  const { positions, indices, origin } = solid;
  let crossings = 0;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 9; k++)
      triangle[k] = positions[3 * indices[t + Math.floor(k / 3)] + (k % 3)] + origin[k % 3];
    const crossing = crossingRayTriangle(p, 0, q, 0, triangle, 0);
    if (crossing === RAY_DEGENERATE) return undefined;
    crossings += Math.abs(crossing);
  }
  return crossings % 2 === 1;
}

export function minus(a: readonly number[], b: readonly number[]): [number, number, number] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
