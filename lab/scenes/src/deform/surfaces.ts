/** The simple surfaces of the scenes: sheets, trays, tori, balls, turned profiles. Shared vertices, no seams. */
import type { Random } from '../random.js';
import { type SceneMesh, square } from './scene-mesh.js';
import { circlePoint } from './turning.js';

/** Initial gap between an object and anything above it, in metres. */
export const START_GAP = 0.01;

/**
 * A horizontal square cloth about the y axis, vertices² vertices row by row. The diagonals alternate, so that it is
 * equally stiff along both; its height is uneven by a thousandth of a side, so that it need not stay flat.
 */
export function cloth(vertices: number, side: number, height: number, random: Random): SceneMesh {
  const positions = new Float32Array(3 * vertices * vertices);
  const spacing = side / (vertices - 1);
  for (let v = 0; v < vertices * vertices; v++) {
    positions[3 * v] = (v % vertices) * spacing - side / 2;
    positions[3 * v + 1] = height + 0.002 * spacing * (random.next() - 0.5);
    positions[3 * v + 2] = Math.floor(v / vertices) * spacing - side / 2;
  }
  const indices = new Uint32Array(6 * (vertices - 1) ** 2);
  let at = 0;
  for (let j = 0; j + 1 < vertices; j++) {
    for (let i = 0; i + 1 < vertices; i++) {
      const a = j * vertices + i;
      const [b, c, d] = [a + 1, a + vertices, a + vertices + 1];
      indices.set((i + j) % 2 === 0 ? [a, c, d, a, d, b] : [a, c, b, b, c, d], at);
      at += 6;
    }
  }
  return { name: 'cloth', positions, indices };
}

/** A horizontal square floor about the origin, 2 cells² triangles. */
export function floor(side: number, cells: number): SceneMesh {
  return boxSurface('floor', [cells, 0, cells], (x, _, z, out) => {
    out[0] = (x - 0.5) * side;
    out[1] = 0;
    out[2] = (z - 0.5) * side;
  });
}

/** An open box of one layer of triangles whose inside looks in; its walls lean outwards by a fifth of their height. */
export function tray(side: number, height: number, cells: number): SceneMesh {
  const mesh = boxSurface(
    'tray',
    [cells, 1, cells],
    (x, y, z, out) => {
      const width = side + 0.4 * height * y;
      out[0] = (x - 0.5) * width;
      out[1] = y * height;
      out[2] = (z - 0.5) * width;
    },
    (axis, end) => axis !== 1 || end === 0,
  );
  return { ...mesh, indices: mesh.indices.reverse() };
}

/** A ball of 12 cells² triangles: a cube of square cells swollen so that they stay of like size. */
export function ball(radius: number, cells: number): SceneMesh {
  return boxSurface('ball', [cells, cells, cells], (x, y, z, out) => {
    const [xx, yy, zz] = [square(2 * x - 1), square(2 * y - 1), square(2 * z - 1)];
    out[0] = radius * (2 * x - 1) * Math.sqrt(1 - yy / 2 - zz / 2 + (yy * zz) / 3);
    out[1] = radius * (2 * y - 1) * Math.sqrt(1 - zz / 2 - xx / 2 + (zz * xx) / 3);
    out[2] = radius * (2 * z - 1) * Math.sqrt(1 - xx / 2 - yy / 2 + (xx * yy) / 3);
  });
}

/** A torus about the y axis: 2 · around · across triangles. */
export function torus(ringRadius: number, tubeRadius: number, around: number, across: number): SceneMesh {
  const positions = new Float32Array(3 * around * across);
  const indices = new Uint32Array(6 * around * across);
  for (let i = 0; i < around; i++) {
    const [ringX, ringZ] = circlePoint(i / around);
    for (let j = 0; j < across; j++) {
      const [out, up] = circlePoint(j / across);
      const a = i * across + j;
      const reach = ringRadius + tubeRadius * out;
      positions.set([reach * ringX, tubeRadius * up, reach * ringZ], 3 * a);
      const nextRing = ((i + 1) % around) * across;
      const nextJ = (j + 1) % across;
      const [b, c, d] = [nextRing + j, nextRing + nextJ, i * across + nextJ];
      indices.set([a, c, b, a, d, c], 6 * a);
    }
  }
  return { name: 'torus', positions, indices };
}

/**
 * A closed profile turned about the y axis. The profile is a list of (radius, height) that begins and ends on the
 * axis, counter-clockwise in the half plane to the right of it.
 */
export function turned(
  name: string,
  profile: readonly (readonly [number, number])[],
  around: number,
): SceneMesh {
  const rings = profile.length - 2;
  const positions = [0, profile[0][1], 0];
  const indices: number[] = [];
  for (let r = 0; r < rings; r++) {
    const [radius, height] = profile[r + 1];
    const from = 1 + r * around;
    for (let i = 0; i < around; i++) {
      const [x, z] = circlePoint(i / around);
      positions.push(radius * x, height, radius * z);
      const next = (i + 1) % around;
      if (r === 0) indices.push(0, from + i, from + next);
      else {
        const below = from - around;
        indices.push(below + i, from + i, from + next, below + i, from + next, below + next);
      }
    }
  }
  const last = positions.length / 3;
  positions.push(0, profile[rings + 1][1], 0);
  for (let i = 0; i < around; i++) indices.push(last, last - around + ((i + 1) % around), last - around + i);
  return { name, positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** All sides of a box of cells, or the wanted ones; a box without height has only its lower side. */
function boxSurface(
  name: string,
  size: readonly [number, number, number],
  point: (x: number, y: number, z: number, out: number[]) => void,
  wanted: (axis: number, end: 0 | 1) => boolean = () => true,
): SceneMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const numbers = new Map<number, number>();
  const out = [0, 0, 0];
  const vertexAt = (cell: readonly number[]): number => {
    const key = cell[0] + (size[0] + 1) * (cell[1] + (size[1] + 1) * cell[2]);
    let vertex = numbers.get(key);
    if (vertex === undefined) {
      numbers.set(key, (vertex = positions.length / 3));
      point(cell[0] / size[0], size[1] === 0 ? 0 : cell[1] / size[1], cell[2] / size[2], out);
      positions.push(...out);
    }
    return vertex;
  };
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const end of size[axis] === 0 ? ([1] as const) : ([0, 1] as const)) {
      if (!wanted(axis, end)) continue;
      for (let i = 0; i < size[u]; i++) {
        for (let j = 0; j < size[v]; j++) {
          const [a, b, c, d] = [0, 1, 3, 2].map((corner) => {
            const cell = [0, 0, 0];
            cell[axis] = end * size[axis];
            cell[u] = i + (corner & 1);
            cell[v] = j + (corner >> 1);
            return vertexAt(cell);
          });
          indices.push(...(end === 1 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
      }
    }
  }
  return { name, positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
