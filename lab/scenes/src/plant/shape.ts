/** Shapes of a plant and the objects that use them. Metres, z up. */
import type { Solid } from './solid.js';

export type PlantProperty = string | number | boolean;

export interface PlantObject {
  /** 22 characters, unique in the plant. */
  readonly id: string;
  readonly name: string;
  /** discipline/unit/storey/line/name */
  readonly path: string;
  readonly type: string;
  readonly discipline: string;
  readonly file: string;
  readonly storey: string;
  /** Rotation (9, row-major) and translation (3); undefined stands for the identity. */
  readonly pose: Float64Array | undefined;
  readonly properties?: Readonly<Record<string, PlantProperty>>;
}

export interface PlantShape {
  readonly geometry: { readonly positions: Float32Array; readonly indices: Uint32Array };
  readonly objects: readonly PlantObject[];
}

export type Discipline = 'piping' | 'structure' | 'mechanical' | 'electrical' | 'hvac' | 'boiler' | 'civil';

/** An object before it has a name, and the function that builds its shape. */
export interface Draft {
  readonly type: string;
  readonly discipline: Discipline;
  readonly line: string;
  /** Builds the shape: about the origin if it has a key, otherwise at its position in the unit. */
  readonly build: (solid: Solid) => void;
  /** Identifies a shape shared by many objects. */
  readonly key?: string | undefined;
  /** The pose of a shared shape in its unit, as plain numbers. */
  readonly pose?: readonly number[] | undefined;
  readonly properties?: Readonly<Record<string, PlantProperty>>;
}

export type Direction = readonly [number, number, number];

export const X: Direction = [1, 0, 0];
export const Y: Direction = [0, 1, 0];
export const Z: Direction = [0, 0, 1];
export const DOWN: Direction = [0, 0, -1];

export function opposite(d: Direction): Direction {
  return [0 - d[0], 0 - d[1], 0 - d[2]];
}

/** The quarter turn that takes x to `along` and z to `up`, then a shift: all entries 0 or ±1, so nothing rounds. */
export function poseOf(
  x: number,
  y: number,
  z: number,
  along: Direction = X,
  up: Direction = Z,
): readonly number[] {
  const sideX = up[1] * along[2] - up[2] * along[1];
  const sideY = up[2] * along[0] - up[0] * along[2];
  const sideZ = up[0] * along[1] - up[1] * along[0];
  // biome-ignore format: a matrix
  return [
    along[0], sideX, up[0],
    along[1], sideY, up[1],
    along[2], sideZ, up[2],
    x, y, z,
  ];
}
