/** The mass distribution of a solid, as far as rigid motion depends on it. */

export interface SolidMass {
  readonly mass: number;
  readonly centre: readonly [number, number, number];
  /** Σ mass · r · rᵀ about the centre: xx, yy, zz, xy, yz, zx. */
  readonly second: Float64Array;
}

/** Axes of the entries of `second`. */
export const SECOND_MOMENTS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

/**
 * The mass of a homogeneous solid inside a closed surface that faces outwards: tetrahedra from one of its corners, with
 * signs.
 */
export function solidMass(x: ArrayLike<number>, indices: ArrayLike<number>, density: number): SolidMass {
  const origin = [0, 1, 2].map((k) => x[3 * indices[0] + k]);
  let volumeTimes6 = 0;
  const first = [0, 0, 0];
  const second = new Float64Array(6);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => origin.map((o, k) => x[3 * indices[t + i] + k] - o));
    const det =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    const sum = [0, 1, 2].map((k) => a[k] + b[k] + c[k]);
    volumeTimes6 += det;
    for (let k = 0; k < 3; k++) first[k] += det * sum[k];
    SECOND_MOMENTS.forEach(([k, l], i) => {
      second[i] += det * (a[k] * a[l] + b[k] * b[l] + c[k] * c[l] + sum[k] * sum[l]);
    });
  }
  const mass = (density * volumeTimes6) / 6;
  const from = first.map((value) => value / (4 * volumeTimes6));
  return {
    mass,
    centre: [origin[0] + from[0], origin[1] + from[1], origin[2] + from[2]],
    second: second.map(
      (value, i) => (density * value) / 120 - mass * from[SECOND_MOMENTS[i][0]] * from[SECOND_MOMENTS[i][1]],
    ),
  };
}

/** The mass of several solids together. */
export function joinedMass(parts: readonly SolidMass[]): SolidMass {
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const mean = (k: number) => parts.reduce((sum, part) => sum + part.mass * part.centre[k], 0) / mass;
  const centre = [mean(0), mean(1), mean(2)] as const;
  const second = new Float64Array(6);
  for (const part of parts) {
    SECOND_MOMENTS.forEach(([k, l], i) => {
      second[i] += part.second[i] + part.mass * (part.centre[k] - centre[k]) * (part.centre[l] - centre[l]);
    });
  }
  return { mass, centre, second };
}
