/** Tessellation of a plant of a given size: larger plants have more modules and finer surfaces. */
export interface Grade {
  /** Sides of pipes and vessels; multiples of 4, so that rings fit after quarter turns. */
  readonly pipeSides: number;
  readonly boreSides: number;
  readonly vesselSides: number;
  readonly bendSteps: number;
  /** Longest distance between two rings of a straight pipe. */
  readonly pipePitch: number;
  /** Distance of grating bars. */
  readonly barPitch: number;
  /** Tubes of a boiler panel, sides of each, longest stretch between two rings. */
  readonly tubes: number;
  readonly tubeSides: number;
  readonly tubePitch: number;
  /** Modules along a unit and storeys on top of each other. */
  readonly modules: number;
  readonly storeys: number;
  /** Approximate number of triangles of a module per storey; only used to lay out the units. */
  readonly triangles: number;
}

/** Largest number of triangles of each grade; its values are in the same column below. */
const UP_TO = [120e3, 800e3, 5e6, 30e6, Infinity];
const NUMBERS: { readonly [K in keyof Grade]: readonly number[] } = {
  pipeSides: [8, 12, 16, 24, 32],
  boreSides: [8, 8, 12, 16, 16],
  vesselSides: [12, 16, 24, 32, 48],
  bendSteps: [3, 4, 6, 10, 12],
  pipePitch: [6, 3, 1, 0.5, 0.375],
  barPitch: [0.5, 0.25, 0.125, 0.0625, 0.03125],
  tubes: [6, 12, 24, 40, 60],
  tubeSides: [4, 8, 8, 12, 12],
  tubePitch: [2, 1, 0.5, 0.25, 0.25],
  modules: [1, 2, 3, 3, 3],
  storeys: [2, 2, 3, 4, 5],
  triangles: [20e3, 40e3, 80e3, 160e3, 250e3],
};

export function gradeFor(triangles: number): Grade {
  const column = UP_TO.findIndex((most) => triangles <= most);
  const entries = Object.entries(NUMBERS).map(([name, values]) => [name, values[column]]);
  return Object.fromEntries(entries) as Grade;
}
