/**
 * The motion nearest to a wish that goes far enough to one side of several planes.
 *
 * Idea: it is the wish itself, or lies in one plane, on the line of two or in the corner of three. All of these are
 * tried; of those that satisfy every plane, the nearest is the answer. Planes are few.
 */
import type { Vec3 } from '../../math/pose.js';
import { cross, dot, plus, times } from './vectors.js';

/** Motions x with normal · x ≥ least. */
export interface SidePlane {
  readonly normal: Vec3;
  readonly least: number;
}

/** Relative to the numbers involved. */
const ROUNDING = 1e-12;
/** The square of the sine of the angle at which planes count as parallel. */
const PARALLEL = 1e-14;

/**
 * Lengths along `up` count by the factor `ease`: the smaller it is, the more a motion rather rises or sinks than turns
 * aside. Undefined where no motion satisfies all planes.
 */
export function nearestMotion(
  wish: Vec3,
  planes: readonly SidePlane[],
  up: Vec3,
  ease: number,
): Vec3 | undefined {
  const scaled = (v: Vec3, factor: number): Vec3 => plus(v, up, (factor - 1) * dot(v, up));
  const from = scaled(wish, ease);
  const sides = planes.map(({ normal, least }) => {
    const turned = scaled(normal, 1 / ease);
    const length = Math.sqrt(dot(turned, turned));
    return { normal: times(turned, 1 / length), least: least / length };
  });
  let best: Vec3 | undefined;
  let nearest = Infinity;
  for (const shift of shifts(from, sides)) {
    const square = dot(shift, shift);
    if (!(square < nearest)) continue;
    const motion = plus(from, shift);
    const slack = ROUNDING * (Math.sqrt(dot(from, from)) + Math.sqrt(square));
    if (sides.some(({ normal, least }) => dot(normal, motion) < least - slack)) continue;
    nearest = square;
    best = motion;
  }
  return best && scaled(best, 1 / ease);
}

/** The shortest ways from a wish to each plane, to each line of two and to each corner of three. */
function* shifts(from: Vec3, sides: readonly SidePlane[]): Generator<Vec3> {
  yield [0, 0, 0];
  const lacks = sides.map(({ normal, least }) => least - dot(normal, from));
  for (let i = 0; i < sides.length; i++) {
    const a = sides[i].normal;
    yield times(a, lacks[i]);
    for (let j = 0; j < i; j++) {
      const b = sides[j].normal;
      const line = cross(a, b);
      const square = dot(line, line);
      if (square < PARALLEL) continue;
      // x · a and x · b as they must be, x · line = 0
      yield times(plus(times(cross(b, line), lacks[i]), cross(line, a), lacks[j]), 1 / square);
      for (let k = 0; k < j; k++) {
        const c = sides[k].normal;
        const volume = dot(line, c);
        if (volume * volume < PARALLEL * square) continue;
        const sum = plus(times(cross(b, c), lacks[i]), cross(c, a), lacks[j]);
        yield times(plus(sum, line, lacks[k]), 1 / volume);
      }
    }
  }
}
