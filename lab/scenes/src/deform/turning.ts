/**
 * Sines and rotations that come out the same on every engine: the built-in ones may differ in the last bit.
 *
 * Idea: reduce to an eighth of a turn, then the series; sums and products are fixed by IEEE 754 to the last bit.
 */
import type { Random } from '../random.js';
import type { ScenePose } from './scene-mesh.js';

/** Cosine and sine of a number of turns. */
export function circlePoint(turns: number): [x: number, y: number] {
  const part = turns - Math.floor(turns);
  const quarter = Math.floor(4 * part + 0.5);
  const angle = 2 * Math.PI * (part - quarter / 4);
  const sq = angle * angle;
  let cosine = 1;
  let sine = 1;
  for (let k = 14; k > 0; k -= 2) {
    cosine = 1 - (sq / (k * (k - 1))) * cosine;
    sine = 1 - (sq / (k * (k + 1))) * sine;
  }
  sine *= angle;
  switch (quarter & 3) {
    case 0:
      return [cosine, sine];
    case 1:
      return [-sine, cosine];
    case 2:
      return [-cosine, -sine];
    default:
      return [sine, -cosine];
  }
}

/** Sine of a number of turns. */
export function wave(turns: number): number {
  return circlePoint(turns)[1];
}

/** A rotation drawn evenly from all rotations, followed by a translation. */
export function randomPose(random: Random, x: number, y: number, z: number): ScenePose {
  const u = random.next();
  const [c1, s1] = circlePoint(random.next());
  const [c2, s2] = circlePoint(random.next());
  return poseOfQuaternion(
    [Math.sqrt(1 - u) * s1, Math.sqrt(1 - u) * c1, Math.sqrt(u) * s2, Math.sqrt(u) * c2],
    x,
    y,
    z,
  );
}

/** The rotation of a unit quaternion (x, y, z, w), followed by a translation. */
export function poseOfQuaternion(q: readonly number[], tx: number, ty: number, tz: number): ScenePose {
  const [x, y, z, w] = q;
  // biome-ignore format: three rows and the translation
  return Float64Array.of(
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
    tx, ty, tz,
  );
}
