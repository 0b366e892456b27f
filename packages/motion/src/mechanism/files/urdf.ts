/** URDF: links with their collision shapes, and joints. What is only seen, or has to do with mass, is left out. */
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import {
  JOINT_TYPES,
  type JointData,
  type JointType,
  type LinkData,
  type MechanismData,
} from '../mechanism-data.js';
import { poseOfAngles } from './frames.js';
import type { RobotMeshes } from './robot-meshes.js';
import { type Dialect, readShape } from './shapes.js';
import type { XmlElement } from './xml-tree.js';

const BY_ATTRIBUTES: Dialect = {
  text: (shape, name) => {
    const text = shape.attribute(name);
    return text === undefined ? undefined : { of: shape, text };
  },
  address: 'filename',
};

/** Robots and where their links and joints are, for messages. */
export interface RobotData {
  readonly data: MechanismData;
  readonly elements: ReadonlyMap<string, XmlElement>;
}

export async function readUrdf(root: XmlElement, meshes: RobotMeshes): Promise<RobotData> {
  if (root.name !== 'robot') throw root.fail(`not URDF: it begins with <${root.name}>`);
  const elements = new Map<string, XmlElement>();
  const links: LinkData[] = [];
  for (const link of root.all('link')) {
    const name = link.needAttribute('name');
    elements.set(`link ${name}`, link);
    const shapes = [];
    for (const collision of link.all('collision'))
      shapes.push(await readShape(collision.need('geometry'), originOf(collision), BY_ATTRIBUTES, meshes));
    links.push({ name, shapes });
  }
  if (links.length === 0) throw root.fail('<robot> has no links');
  const joints = root.all('joint').map((joint) => {
    elements.set(`joint ${joint.needAttribute('name')}`, joint);
    return readJoint(joint);
  });
  return { data: { name: root.attribute('name') ?? '', links, joints }, elements };
}

function originOf(element: XmlElement): RigidPose {
  const origin = element.first('origin');
  const triple = (name: string) =>
    origin ? origin.numbers(origin.attribute(name) ?? '0 0 0', name, 3) : [0, 0, 0];
  return poseOfAngles(triple('xyz'), triple('rpy'));
}

function readJoint(joint: XmlElement): JointData {
  const type = joint.needAttribute('type') as JointType;
  if (!JOINT_TYPES.includes(type))
    throw joint.fail(`unknown joint type ${quoted(type)}; it is one of ${JOINT_TYPES.join(', ')}`);
  const axis = joint.first('axis');
  const common = {
    name: joint.needAttribute('name'),
    type,
    parent: joint.need('parent').needAttribute('link'),
    child: joint.need('child').needAttribute('link'),
    pose: originOf(joint),
    ...(axis && { axis: axis.numbers(axis.attribute('xyz') ?? '1 0 0', 'xyz', 3) }),
  };
  if (type === 'fixed') return common;
  const mimic = joint.first('mimic');
  return {
    ...common,
    ...(type === 'revolute' || type === 'prismatic' ? limitsOf(joint) : {}),
    ...(mimic && {
      mimic: {
        joint: mimic.needAttribute('joint'),
        multiplier: mimic.number(mimic.attribute('multiplier') ?? '1', 'multiplier'),
        offset: mimic.number(mimic.attribute('offset') ?? '0', 'offset'),
      },
    }),
  };
}

function limitsOf(joint: XmlElement): { readonly lower: number; readonly upper: number } {
  const limit = joint.need('limit');
  const [lower, upper] = ['lower', 'upper'].map((name) => limit.number(limit.attribute(name) ?? '0', name));
  if (lower > upper) throw limit.fail(`limits reversed: from ${lower} to ${upper}`);
  return { lower, upper };
}
