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

/** Maximum remainder by rounding of the sum of directed areas, as a share of the total area. */
const CANCELS = 1e-6;

/** Sums over tetrahedra between the triangles and a point. */
export class SolidSums {
  readonly #origin: readonly number[];
  #volumeTimes6 = 0;
  /** Twice the areas, with their directions and without. */
  readonly #areas = new Float64Array(3);
  #area = 0;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(6);

  constructor(origin: readonly number[]) {
    this.#origin = origin;
  }

  get volume(): number {
    return this.#volumeTimes6 / 6;
  }

  /** Areas with their directions cancel out where a surface is closed and faces one way. */
  get isClosed(): boolean {
    const [x, y, z] = this.#areas;
    return Math.hypot(x, y, z) <= CANCELS * this.#area;
  }

  /** Adds triangles; `origin` is added to their positions. */
  add(p: ArrayLike<number>, indices: ArrayLike<number>, origin: ArrayLike<number>): void {
    const [areas, first, second] = [this.#areas, this.#first, this.#second];
    const ox = origin[0] - this.#origin[0];
    const oy = origin[1] - this.#origin[1];
    const oz = origin[2] - this.#origin[2];
    let volumeTimes6 = 0;
    let area = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const i = 3 * indices[t];
      const j = 3 * indices[t + 1];
      const k = 3 * indices[t + 2];
      const ax = p[i] + ox;
      const ay = p[i + 1] + oy;
      const az = p[i + 2] + oz;
      const bx = p[j] + ox;
      const by = p[j + 1] + oy;
      const bz = p[j + 2] + oz;
      const cx = p[k] + ox;
      const cy = p[k + 1] + oy;
      const cz = p[k + 2] + oz;
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      areas[0] += nx;
      areas[1] += ny;
      areas[2] += nz;
      area += Math.sqrt(nx * nx + ny * ny + nz * nz);
      const det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
      const sx = ax + bx + cx;
      const sy = ay + by + cy;
      const sz = az + bz + cz;
      volumeTimes6 += det;
      first[0] += det * sx;
      first[1] += det * sy;
      first[2] += det * sz;
      second[0] += det * (ax * ax + bx * bx + cx * cx + sx * sx);
      second[1] += det * (ay * ay + by * by + cy * cy + sy * sy);
      second[2] += det * (az * az + bz * bz + cz * cz + sz * sz);
      second[3] += det * (ax * ay + bx * by + cx * cy + sx * sy);
      second[4] += det * (ay * az + by * bz + cy * cz + sy * sz);
      second[5] += det * (az * ax + bz * bx + cz * cx + sz * sx);
    }
    this.#volumeTimes6 += volumeTimes6;
    this.#area += area;
  }

  mass(density: number): SolidMass {
    const mass = (density * this.#volumeTimes6) / 6;
    const from = Array.from(this.#first, (value) => value / (4 * this.#volumeTimes6));
    const [x, y, z] = from.map((value, k) => value + this.#origin[k]);
    const second = this.#second.map(
      (value, i) => (density * value) / 120 - mass * from[SECOND_MOMENTS[i][0]] * from[SECOND_MOMENTS[i][1]],
    );
    return { mass, centre: [x, y, z], second };
  }
}

/** The mass of a homogeneous solid inside a closed surface that faces outwards. */
export function solidMass(x: ArrayLike<number>, indices: ArrayLike<number>, density: number): SolidMass {
  const sums = new SolidSums([0, 1, 2].map((k) => x[3 * indices[0] + k]));
  sums.add(x, indices, [0, 0, 0]);
  return sums.mass(density);
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
