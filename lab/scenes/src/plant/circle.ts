/**
 * Points of circles that are identical on every engine and after any quarter turn.
 *
 * Idea: sines from their series in the first eighth of a turn (sums and products only, which IEEE 754 fixes to the last
 * bit), mirrored into the other seven. Radii are rounded to the grid before mirroring, so that a ring turned by 90° has
 * exactly the same points: pipes and elbows meet without gaps in every direction.
 */

/** All joints lie on multiples of this: exact in float32 up to 4 km from the origin. */
export const GRID = 2 ** -12;

/** The nearest multiple of GRID. */
export function snap(value: number): number {
  return Math.floor(value / GRID + 0.5) * GRID;
}

/** Cosine and sine of k/n of a turn, 2n numbers. n is a multiple of 4. */
export function unitCircle(n: number): Float64Array {
  const circle = new Float64Array(2 * n);
  const quarter = n / 4;
  for (let k = 0; k < n; k++) {
    const turn = Math.floor(k / quarter);
    const step = k - turn * quarter;
    // an angle of at most 45°, and whether it is measured from the other side
    const far = 2 * step > quarter;
    const angle = ((Math.PI / 2) * (far ? quarter - step : step)) / quarter;
    const diagonal = 2 * step === quarter;
    const s = diagonal ? Math.SQRT1_2 : sineSeries(angle);
    const c = diagonal ? Math.SQRT1_2 : cosineSeries(angle);
    const x = far ? s : c;
    const y = far ? c : s;
    circle[2 * k] = turn === 0 ? x : turn === 1 ? -y : turn === 2 ? -x : y;
    circle[2 * k + 1] = turn === 0 ? y : turn === 1 ? x : turn === 2 ? -y : -x;
  }
  return circle;
}

/** A circle cut flat above and below at ±FLAT: the angle of the right-hand end of the upper cut. */
const CUT_ANGLE = 1.2870022175866;
/** 7² + 24² = 25²: the cut is 0.56 radii wide. */
export const FLAT = 0.96;
export const HALF_CUT = 0.28;

/** A circle with two flat sides, for bodies that carry others; even number of points. */
export function cutCircle(n: number): Float64Array {
  const circle = new Float64Array(2 * n);
  const half = n / 2;
  for (let k = 0; k < half; k++) {
    // from −CUT_ANGLE to CUT_ANGLE on the right, mirrored on the left
    const share = (2 * k - (half - 1)) / (half - 1);
    const end = Math.abs(share) === 1;
    const x = end ? HALF_CUT : cosineSeries(CUT_ANGLE * share);
    const y = end ? Math.sign(share) * FLAT : sineSeries(CUT_ANGLE * share);
    circle[2 * k] = x;
    circle[2 * k + 1] = y;
    circle[2 * (half + k)] = -x;
    circle[2 * (half + k) + 1] = -y;
  }
  return circle;
}

/** How high the flat side of a cut ring lies above its middle. */
export function flatOf(radius: number): number {
  return snap(FLAT * radius);
}

/** Writes a circle of this radius, rounded to the grid, into out. */
export function ringInto(circle: Float64Array, radius: number, out: Float64Array): void {
  for (let i = 0; i < circle.length; i++) {
    const value = circle[i] * radius;
    out[i] = value < 0 ? -snap(-value) : snap(value);
  }
}

function sineSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 2; k < 26; k += 2) sum += term *= (-x * x) / (k * (k + 1));
  return sum;
}

function cosineSeries(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 26; k += 2) sum += term *= (-x * x) / (k * (k + 1));
  return sum;
}
