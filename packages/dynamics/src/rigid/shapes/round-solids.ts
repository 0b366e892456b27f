/**
 * Spheres, capsules and cylinders as triangles, and their mass.
 *
 * Invariant: the triangles are inside of the solid, float32 rounding included. So bodies whose true surfaces are apart
 * have triangles that are: those are for drawing, for soft bodies and for exact tests.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { acrossOf } from '../../bodies/rotation.js';
import { SECOND_MOMENTS, type SolidMass } from '../../bodies/solid-mass.js';

/** Corners around the axis, and rings of half a sphere. */
const AROUND = 16;
const RINGS = 4;
/** Relative to coordinates: more than float32 rounding moves a point. */
const FLOAT32 = 2 ** -22;

/** The solid about a segment: a capsule, a sphere where that is a point, or a cylinder with flat ends. */
export interface RoundSolid {
  /** On the float32 grid. */
  readonly from: Vec3;
  readonly to: Vec3;
  readonly radius: number;
  readonly flat: boolean;
}

/** Triangles of a round solid that face outwards, with corners on its surface but for rounding. */
export function surfaceOfRound({ from, to, radius, flat }: RoundSolid): {
  readonly positions: number[];
  readonly indices: number[];
} {
  const { along, length } = axisOf(from, to);
  const size = Math.max(...from.map(Math.abs), ...to.map(Math.abs)) + radius;
  const inset = Math.min(FLOAT32 * size, 0.5 * radius);
  const wide = radius - inset;
  // height along the axis and distance from it, from one pole to the other
  const profile: [number, number][] = [];
  if (flat) profile.push([inset, 0], [inset, wide], [length - inset, wide], [length - inset, 0]);
  else {
    for (let ring = 0; ring <= RINGS; ring++) {
      const angle = (ring / RINGS) * (Math.PI / 2);
      profile.push([-wide * Math.cos(angle), ring === 0 ? 0 : wide * Math.sin(angle)]);
    }
    // the widest ring of a sphere is one
    const upper = profile.map(([height, width]): [number, number] => [length - height, width]).reverse();
    profile.push(...upper.slice(length > 0 ? 0 : 1));
  }
  const [across, other] = acrossOf(along);
  const positions: number[] = [];
  const add = (height: number, x: number, y: number) => {
    for (let k = 0; k < 3; k++) positions.push(from[k] + height * along[k] + x * across[k] + y * other[k]);
  };
  const rings = profile.slice(1, -1);
  add(profile[0][0], 0, 0);
  for (const [height, width] of rings) {
    for (let i = 0; i < AROUND; i++) {
      const angle = (2 * Math.PI * i) / AROUND;
      add(height, width * Math.cos(angle), width * Math.sin(angle));
    }
  }
  add(profile[profile.length - 1][0], 0, 0);
  const last = positions.length / 3 - 1;
  const indices: number[] = [];
  for (let i = 0; i < AROUND; i++) {
    const j = (i + 1) % AROUND;
    indices.push(0, 1 + j, 1 + i);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [p, q] = [1 + AROUND * ring, 1 + AROUND * (ring + 1)];
      indices.push(p + i, p + j, q + j, p + i, q + j, q + i);
    }
    const top = last - AROUND;
    indices.push(last, top + i, top + j);
  }
  return { positions, indices };
}

/** The mass of a round solid of one material. */
export function massOfRound({ from, to, radius: r, flat }: RoundSolid, density: number): SolidMass {
  const { along, length } = axisOf(from, to);
  const shaft = density * Math.PI * r * r * length;
  const balls = flat ? 0 : (density * 4 * Math.PI * r ** 3) / 3;
  const mass = shaft + balls;
  const across = (shaft * r * r) / 4 + (balls * r * r) / 5;
  const lengthwise =
    (shaft * length * length) / 12 + balls * ((length * length) / 4 + (3 * r * length) / 8 + (r * r) / 5);
  const second = SECOND_MOMENTS.map(
    ([k, l]) => (k === l ? across : 0) + (lengthwise - across) * along[k] * along[l],
  );
  return { mass, centre: middleOfAxis(from, to), second: Float64Array.from(second) };
}

export function middleOfAxis(from: Vec3, to: Vec3): Vec3 {
  return [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2])];
}

/** Of length 1; of a point, y. */
export function axisOf(from: Vec3, to: Vec3): { readonly along: Vec3; readonly length: number } {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(x, y, z);
  return { along: length > 0 ? [x / length, y / length, z / length] : [0, 1, 0], length };
}
