/** Small closed surfaces with hollows, saddles and flat sides. */
import { Mesh } from 'impinge';

export interface Arrays {
  readonly positions: readonly number[];
  readonly indices: readonly number[];
}

/** 2 · around · across triangles about the z axis, its tube thicker and thinner `waves` times. */
export function torus(around: number, across: number, waves = 0): Arrays {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < around; i++) {
    const a = (2 * Math.PI * i) / around;
    for (let j = 0; j < across; j++) {
      const b = (2 * Math.PI * j) / across;
      const tube = 0.4 + 0.06 * Math.sin(waves * a);
      const reach = 1 + tube * Math.cos(b);
      positions.push(reach * Math.cos(a), reach * Math.sin(a), tube * Math.sin(b));
      const [p, q] = [i * across, ((i + 1) % around) * across];
      const k = (j + 1) % across;
      indices.push(p + j, q + j, q + k, p + j, q + k, p + k);
    }
  }
  return { positions, indices };
}

/** A box of whole numbers. */
export function box(x: number, y: number, z: number, size: number): Arrays {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [
    x + size * (c & 1),
    y + size * ((c >> 1) & 1),
    z + size * (c >> 2),
  ]);
  // biome-ignore format: a side per row
  const indices = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
  ];
  return { positions, indices };
}

/** An L-shaped prism, its two ends fans: 20 triangles. */
export function corner(): Arrays {
  const outline = [0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3];
  const positions: number[] = [];
  for (const z of [0, 1]) for (let i = 0; i < 12; i += 2) positions.push(outline[i], outline[i + 1], z);
  const indices: number[] = [];
  // both arms from the inner corner
  const front = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5];
  for (let i = 0; i < 12; i += 3) {
    indices.push(6 + front[i], 6 + front[i + 1], 6 + front[i + 2], front[i], front[i + 2], front[i + 1]);
  }
  for (let i = 0; i < 6; i++) {
    const j = (i + 1) % 6;
    indices.push(i, j, 6 + j, i, 6 + j, 6 + i);
  }
  return { positions, indices };
}

export function both(a: Arrays, b: Arrays): Arrays {
  const first = a.positions.length / 3;
  return {
    positions: [...a.positions, ...b.positions],
    indices: [...a.indices, ...b.indices.map((v) => v + first)],
  };
}

export function meshOf({ positions, indices }: Arrays, name = ''): Mesh {
  return Mesh.from({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices), name });
}
