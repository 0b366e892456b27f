/**
 * Sine and cosine that kernels have too, digit by digit, so that links are at the same places for both: what engines
 * call `Math.sin` differs in the last digit. Twin: kernels/motion/configurations.ts.
 */

/** Of angles at least this far from 0, kernels leave all to the host. */
const MOST_ANGLE = 1e6;
/** Added and taken off again, it rounds to whole numbers, halves to even ones. */
const WHOLE = 1.5 * 2 ** 52;

/**
 * Writes the sine and the cosine of an angle: less the nearest quarter turns in two parts, the first of 33 bits, whose
 * products with so few are exact; then the polynomials of fdlibm.
 */
export function writeSineCosine(angle: number, out: Float64Array): void {
  if (!(Math.abs(angle) < MOST_ANGLE)) {
    out[0] = Math.sin(angle);
    out[1] = Math.cos(angle);
    return;
  }
  const quarters = angle * 0.6366197723675814 + WHOLE - WHOLE;
  const x = angle - quarters * 1.5707963267341256 - quarters * 6.077100506506192e-11;
  const z = x * x;
  const s =
    x +
    z *
      x *
      (-0.16666666666666632 +
        z *
          (0.00833333333332249 +
            z *
              (-0.0001984126982985795 +
                z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)))));
  const c =
    1 -
    (0.5 * z -
      z *
        z *
        (0.0416666666666666 +
          z *
            (-0.001388888888887411 +
              z *
                (2.480158728947673e-5 +
                  z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11))))));
  const turn = quarters & 3;
  out[0] = turn === 0 ? s : turn === 1 ? c : turn === 2 ? -s : -c;
  out[1] = turn === 0 ? c : turn === 1 ? -s : turn === 2 ? -c : s;
}
