/**
 * SDF: the links of one model with their collision shapes, and its joints.
 *
 * Idea: poses are given relative to any frame, and are turned into those relative to the model. A link that a joint
 * bears gets the joint's frame, which in SDF lies anywhere in the link.
 */
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import { composePoses, IDENTITY, invertPose, type RigidPose } from 'impinge/internal/math/pose.js';
import type { JointData, JointType, LinkData } from '../mechanism-data.js';
import { poseOfAngles } from './frames.js';
import type { RobotMeshes } from './robot-meshes.js';
import { type Dialect, readShape } from './shapes.js';
import type { RobotData } from './urdf.js';
import type { XmlElement } from './xml-tree.js';

const BY_ELEMENTS: Dialect = {
  text: (shape, name) => {
    const of = shape.first(name);
    return of && { of, text: of.text };
  },
  address: 'uri',
};

const TYPES: readonly string[] = ['fixed', 'revolute', 'continuous', 'prismatic'] satisfies JointType[];
/** What SDF calls no limit. */
const ENDLESS = 1e16;
const MODEL = '__model__';

export async function readSdf(root: XmlElement, meshes: RobotMeshes): Promise<RobotData> {
  if (root.name !== 'sdf') throw root.fail(`not SDF: it begins with <${root.name}>`);
  const models = [...root.all('model'), ...root.all('world').flatMap((world) => world.all('model'))];
  if (models.length !== 1) throw root.fail(`<sdf> has ${models.length} models: there must be one`);
  return new SdfReader(models[0]).read(meshes);
}

class SdfReader {
  readonly #model: XmlElement;
  readonly #frames = new Map<string, XmlElement>();
  readonly #poses = new Map<string, RigidPose>();
  readonly #elements = new Map<string, XmlElement>();

  constructor(model: XmlElement) {
    this.#model = model;
  }

  async read(meshes: RobotMeshes): Promise<RobotData> {
    const model = this.#model;
    for (const kind of ['include', 'model']) {
      const nested = model.first(kind);
      if (nested) throw nested.fail(`<${kind}> in a model is not supported`);
    }
    for (const kind of ['link', 'joint', 'frame']) {
      for (const element of model.all(kind)) {
        const name = element.needAttribute('name');
        if (this.#frames.has(name)) throw element.fail(`there are two frames named ${name}`);
        this.#frames.set(name, element);
        this.#elements.set(`${kind} ${name}`, element);
      }
    }
    const joints = model.all('joint');
    // of each link, where it is as a part of the mechanism
    const own = new Map<string, RigidPose>();
    for (const joint of joints)
      own.set(this.#end(joint, 'child'), this.#poseOf(joint.needAttribute('name'), []));
    const links: LinkData[] = [];
    if (joints.some((joint) => this.#end(joint, 'parent') === 'world')) links.push({ name: 'world' });
    for (const link of model.all('link')) {
      const name = link.needAttribute('name');
      const pose = this.#poseOf(name, []);
      if (!own.has(name)) own.set(name, pose);
      const moved = composePoses(invertPose(own.get(name)!), pose);
      const shapes = [];
      for (const collision of link.all('collision')) {
        const at = composePoses(moved, poseIn(collision));
        shapes.push(await readShape(collision.need('geometry'), at, BY_ELEMENTS, meshes));
      }
      links.push({ name, shapes });
    }
    if (links.length === 0) throw model.fail('<model> has no links');
    const placed = poseIn(model);
    const children = new Set(joints.map((joint) => this.#end(joint, 'child')));
    const first = links.find(({ name }) => !children.has(name))?.name ?? '';
    const base = first === 'world' ? IDENTITY : composePoses(placed, own.get(first) ?? IDENTITY);
    own.set('world', invertPose(placed));
    const read = joints.map((joint) => this.#readJoint(joint, own));
    return {
      data: { name: model.attribute('name') ?? '', links, joints: read, base: base as RigidPose },
      elements: this.#elements,
    };
  }

  #end(joint: XmlElement, side: 'parent' | 'child'): string {
    const end = joint.need(side);
    const name = end.text.trim();
    if (name === '') throw end.fail(`<${side}> names no link`);
    return name;
  }

  /** Relative to the model; `through` are the frames that ask. */
  #poseOf(name: string, through: readonly string[]): RigidPose {
    if (name === MODEL) return IDENTITY as RigidPose;
    const known = this.#poses.get(name);
    if (known) return known;
    const element = this.#frames.get(name);
    if (!element) throw this.#model.fail(`there is no frame ${quoted(name)}`);
    if (through.includes(name)) throw element.fail(`the pose of ${name} depends on itself`);
    if (through.length > 64) throw element.fail('poses depend on each other too deeply');
    const byDefault =
      element.name === 'joint'
        ? this.#end(element, 'child')
        : element.name === 'frame'
          ? (element.attribute('attached_to') ?? MODEL)
          : MODEL;
    const to = element.first('pose')?.attribute('relative_to') || byDefault || MODEL;
    if (to !== MODEL && !this.#frames.has(to))
      throw element.fail(`its pose is relative to ${quoted(to)}, no frame`);
    const pose = composePoses(this.#poseOf(to, [...through, name]), poseIn(element));
    this.#poses.set(name, pose);
    return pose;
  }

  #readJoint(joint: XmlElement, own: ReadonlyMap<string, RigidPose>): JointData {
    const name = joint.needAttribute('name');
    const given = joint.needAttribute('type');
    if (!TYPES.includes(given))
      throw joint.fail(`unknown joint type ${quoted(given)}; it is one of ${TYPES.join(', ')}`);
    const type = given as JointType;
    const [parent, child] = [this.#end(joint, 'parent'), this.#end(joint, 'child')];
    const at = this.#poseOf(name, []);
    const common = {
      name,
      type,
      parent,
      child,
      pose: composePoses(invertPose(own.get(parent) ?? (IDENTITY as RigidPose)), at),
    };
    if (type === 'fixed') return common;
    const axis = joint.need('axis');
    const xyz = axis.need('xyz');
    const frame = xyz.attribute('expressed_in');
    const direction = xyz.numbers(xyz.text, 'xyz', 3);
    const turned = frame ? composePoses(invertPose(at), this.#poseOf(frame, [])) : IDENTITY;
    const limit = axis.first('limit');
    const limitOf = (side: string, sign: number) => {
      const element = limit?.first(side);
      if (!element || /^[+-]?inf(inity)?$/i.test(element.text.trim())) return sign * Infinity;
      const value = element.number(element.text, side);
      return Math.abs(value) >= ENDLESS ? sign * Infinity : value;
    };
    const [lower, upper] = [limitOf('lower', -1), limitOf('upper', 1)];
    if (lower > upper) throw limit!.fail(`limits reversed: from ${lower} to ${upper}`);
    const mimic = axis.first('mimic');
    return {
      ...common,
      axis: [0, 3, 6].map((row) => direction.reduce((sum, x, k) => sum + turned[row + k] * x, 0)),
      ...(type === 'continuous' ? {} : { lower, upper }),
      ...(mimic && { mimic: mimicOf(mimic) }),
    };
  }
}

function mimicOf(mimic: XmlElement) {
  const number = (name: string, byDefault: number) => {
    const element = mimic.first(name);
    return element ? element.number(element.text, name) : byDefault;
  };
  const multiplier = number('multiplier', 1);
  const offset = number('offset', 0) - multiplier * number('reference', 0);
  return { joint: mimic.needAttribute('joint'), multiplier, offset };
}

function poseIn(element: XmlElement): RigidPose {
  const pose = element.first('pose');
  if (!pose || pose.text.trim() === '') return IDENTITY as RigidPose;
  const factor = pose.attribute('degrees') === 'true' ? Math.PI / 180 : 1;
  const six = pose.numbers(pose.text, 'a pose', 6);
  return poseOfAngles(
    six.slice(0, 3),
    six.slice(3).map((x) => factor * x),
  );
}
