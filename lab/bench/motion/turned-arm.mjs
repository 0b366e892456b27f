/** An arm of six turning joints, generated: links are turned parts with flanges and waists, none of them convex. */
import { Mechanism } from '@impinge/motion';
import { Mesh } from 'impinge';

const SIDES = 24;
/** Radius of rings, by share of the length: flange, waist, bulge, flange. */
const PROFILE = [
  [0, 0.9],
  [0.06, 1],
  [0.12, 1],
  [0.18, 0.6],
  [0.4, 0.55],
  [0.6, 0.55],
  [0.82, 0.6],
  [0.88, 1],
  [0.94, 1],
  [1, 0.9],
];
/** Length and radius of each part, and the axis of the joint below it. */
const PARTS = [
  { length: 0.35, radius: 0.2 },
  { length: 0.3, radius: 0.16, axis: [0, 0, 1] },
  { length: 0.75, radius: 0.13, axis: [0, 1, 0] },
  { length: 0.6, radius: 0.1, axis: [0, 1, 0] },
  { length: 0.2, radius: 0.08, axis: [0, 0, 1] },
  { length: 0.2, radius: 0.07, axis: [0, 1, 0] },
  { length: 0.15, radius: 0.06, axis: [0, 0, 1] },
];
/** Between parts, so that neighbours do not meet where they are straight. */
const GAP = 0.01;

/** Meshes of its links, from the base on, as plain arrays. */
export const armParts = PARTS.map(({ length, radius }) => turnedPart(length, radius));

/** Standing at a point. */
export function turnedArm(translation) {
  return new Mechanism({
    base: { translation },
    links: armParts.map((part, i) => ({ name: `link ${i}`, shapes: [{ mesh: Mesh.from(part) }] })),
    joints: PARTS.slice(1).map(({ axis }, i) => ({
      name: `joint ${i + 1}`,
      type: 'revolute',
      parent: `link ${i}`,
      child: `link ${i + 1}`,
      pose: { translation: [0, 0, PARTS[i].length + GAP] },
      axis,
      lower: -2.6,
      upper: 2.6,
    })),
  });
}

function turnedPart(length, radius) {
  const positions = [];
  for (const [share, scale] of PROFILE) {
    for (let i = 0; i < SIDES; i++) {
      const angle = (2 * Math.PI * i) / SIDES;
      positions.push(scale * radius * Math.cos(angle), scale * radius * Math.sin(angle), share * length);
    }
  }
  const indices = [];
  const last = SIDES * (PROFILE.length - 1);
  for (let ring = 0; ring < last; ring += SIDES) {
    for (let i = 0; i < SIDES; i++) {
      const [a, b] = [ring + i, ring + ((i + 1) % SIDES)];
      indices.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
    }
  }
  for (let i = 2; i < SIDES; i++) indices.push(0, i, i - 1, last, last + i - 1, last + i);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
