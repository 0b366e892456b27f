/** Random machines: trees of joints of all types, with small bodies. */
import { Mesh, type Pose } from 'impinge';
import { box, icosphere, randomDirection, randomRotation, torus } from '../../../../lab/scenes/index.mjs';
import type { Mechanism } from '../../src/mechanism/mechanism.js';
import type { JointData, JointType, LinkShape, MechanismData } from '../../src/mechanism/mechanism-data.js';

export type Random = () => number;

export const poseIn = (random: Random, size: number): Pose => ({
  rotation: randomRotation(random),
  translation: [0, 1, 2].map(() => size * (random() - 0.5)),
});

const ALL: readonly JointType[] = [
  'revolute',
  'revolute',
  'continuous',
  'prismatic',
  'fixed',
  'planar',
  'floating',
];

/** A small shape of any kind; `closed` leaves out what is not exactly a mesh or has no inside. */
export function randomShape(random: Random, kinds = 7): LinkShape {
  const pose = poseIn(random, 0.2);
  const size = () => 0.1 + 0.3 * random();
  switch (Math.floor(kinds * random())) {
    case 0:
      return { mesh: Mesh.from(box(size(), size(), size())), pose };
    case 1:
      return { mesh: Mesh.from(icosphere(1, size())), pose };
    case 2:
      return { mesh: Mesh.from(torus(0.3, 0.08, 10, 5)), pose };
    case 3:
      return { box: [size(), size(), size()], pose };
    case 4:
      return { sphere: { radius: size() }, pose };
    case 5:
      return { cylinder: { radius: 0.5 * size(), length: size() }, pose };
    default:
      return { capsule: { radius: 0.5 * size(), length: size() }, pose };
  }
}

export interface MachineOptions {
  readonly links: number;
  readonly types?: readonly JointType[];
  /** The first so many kinds of `randomShape`: three are meshes. */
  readonly kinds?: number;
}

/** Links hang on any earlier one, or, more often, on the last. */
export function randomMachine(
  random: Random,
  { links, types = ALL, kinds = 7 }: MachineOptions,
): MechanismData {
  const joints: JointData[] = [];
  for (let i = 1; i < links; i++) {
    const type = types[Math.floor(types.length * random())];
    const parent = random() < 0.7 ? i - 1 : Math.floor(i * random());
    const leader = joints.find((joint) => joint.type === 'revolute' && !joint.mimic);
    const follows = type === 'revolute' && leader && random() < 0.3;
    joints.push({
      name: `joint ${i}`,
      type,
      parent: `link ${parent}`,
      child: `link ${i}`,
      pose: poseIn(random, 1),
      axis: randomDirection(random).map((x: number) => 2 * x),
      ...(type === 'revolute' || type === 'prismatic' ? { lower: -2, upper: 2 } : {}),
      ...(follows ? { mimic: { joint: leader.name, multiplier: -0.7, offset: 0.1 } } : {}),
    });
  }
  return {
    name: 'machine',
    base: poseIn(random, 2),
    links: Array.from({ length: links }, (_, i) => ({
      name: `link ${i}`,
      shapes: [randomShape(random, kinds)],
    })),
    joints,
  };
}

/** Any configuration: angles and lengths up to `size`, quaternions of any turn. */
export function randomConfiguration(random: Random, mechanism: Mechanism, size = 2): Float64Array {
  const out = Float64Array.from({ length: mechanism.variables }, () => size * (2 * random() - 1));
  for (const joint of mechanism.jointOf) {
    if (joint?.type !== 'floating') continue;
    const [x, y, z] = randomDirection(random);
    const half = Math.PI * random();
    out.set([x * Math.sin(half), y * Math.sin(half), z * Math.sin(half), Math.cos(half)], joint.first + 3);
  }
  return out;
}
