/** A house to walk in: two rooms with a door between them, and stairs to a floor above. */
import { Mesh, Scene } from 'impinge';
import { box } from '../../../../lab/scenes/index.mjs';

type Range = readonly [number, number];

/** A box from its extents. */
export function block(x: Range, y: Range, z: Range): Mesh {
  const { positions, indices } = box(x[1] - x[0], y[1] - y[0], z[1] - z[0]);
  const middle = [x, y, z].map(([low, high]) => 0.5 * (low + high));
  return Mesh.from({ positions: Array.from(positions, (p: number, i) => p + middle[i % 3]), indices });
}

export const STEP = 0.175;
/** Treads, of 0.28 m; the floor above is one step higher than the last. */
const STEPS = 15;
export const STOREY = STEP * (STEPS + 1);

export interface HouseOptions {
  /** How wide the door is (default 0.9 m); 0: there is none. */
  readonly door?: number;
  /** Treads that are missing. */
  readonly without?: readonly number[];
}

/** In metres: the ground floor from 0 to 10 and 0 to 6, its door at x = 4, its stairs along y = 4.4 to 5.6. */
export function house({ door = 0.9, without = [] }: HouseOptions = {}): Scene {
  const scene = new Scene();
  const add = (name: string, x: Range, y: Range, z: Range) => scene.add(block(x, y, z), { name });
  add('ground', [0, 10], [0, 6], [-0.2, 0]);
  for (const [name, x, y] of [
    ['west', [-0.2, 0], [0, 6]],
    ['east', [10, 10.2], [0, 6]],
    ['south', [0, 10], [-0.2, 0]],
    ['north', [0, 10], [6, 6.2]],
  ] as const)
    add(name, x, y, [-0.2, 6]);
  if (door > 0) {
    add('wall left', [4, 4.1], [0, 1], [0, 2.6]);
    add('wall right', [4, 4.1], [1 + door, 6], [0, 2.6]);
    add('lintel', [4, 4.1], [1, 1 + door], [2.1, 2.6]);
  } else {
    add('wall', [4, 4.1], [0, 6], [0, 2.6]);
  }
  for (let i = 0; i < STEPS; i++) {
    const from = 5 + 0.28 * i;
    if (!without.includes(i))
      add(`tread ${i}`, [from, from + 0.28], [4.4, 5.6], [(i + 0.4) * STEP, (i + 1) * STEP]);
  }
  // the floor above has an opening over the stairs
  const top = 5 + 0.28 * STEPS;
  add('above', [0, 10], [0, 4.4], [STOREY - 0.2, STOREY]);
  add('above stairs', [top, 10], [4.4, 6], [STOREY - 0.2, STOREY]);
  return scene;
}
