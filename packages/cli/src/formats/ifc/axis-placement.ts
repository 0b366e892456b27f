/** IfcAxis2Placement3D and 2D as matrices. */
import type { Matrix } from '../../matrix.js';
import type { StepLine, StepValue } from './engine.js';
import { refs } from './step-lines.js';

/** Why something cannot be placed: completes "left out, because …". */
export class PlacementProblem extends Error {}

export type Vector = readonly number[];

/** Column-major; the entities it refers to are requested by number. Without an id, the identity. */
export async function axisPlacement(
  id: number | undefined,
  lineOf: (id: number) => Promise<StepLine | undefined>,
): Promise<Matrix> {
  const { type, values } = (id === undefined ? undefined : await lineOf(id)) ?? { type: '', values: [] };
  const of = async (value: StepValue | undefined, fallback: Vector): Promise<Vector> => {
    const [ref] = refs(value);
    return ref === undefined ? fallback : numbers((await lineOf(ref))?.values[0]);
  };
  const [x0, y0, z0 = 0] = await of(values[0], [0, 0, 0]);
  const isPlane = type === 'IfcAxis2Placement2D';
  const z = isPlane ? [0, 0, 1] : unitVector(await of(values[1], [0, 0, 1]));
  const given = await of(values[isPlane ? 1 : 2], Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const [gx, gy, gz = 0] = given;
  const along = gx * z[0] + gy * z[1] + gz * z[2];
  const x = unitVector([gx - along * z[0], gy - along * z[1], gz - along * z[2]]);
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const matrix = [...x, 0, ...y, 0, ...z, 0, x0, y0, z0, 1];
  if (!matrix.every(Number.isFinite)) throw new PlacementProblem('placed by numbers that are missing');
  return matrix;
}

/** Scales to length 1; the third coordinate is kept where there is one. */
export function unitVector(vector: Vector): number[] {
  const length = Math.hypot(...vector);
  if (!(length > 0 && Number.isFinite(length)))
    throw new PlacementProblem('placed by a direction without length');
  return vector.map((x) => x / length);
}

export function numbers(value: StepValue | undefined): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter((x) => typeof x === 'number');
}
