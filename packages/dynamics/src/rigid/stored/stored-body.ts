/** Bodies and scenery that are models in a store: only their triangles near other bodies are in memory. */
import { assertModel, type StoredModel } from '@impinge/model/internal/store/model.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { type OptionNames, readBag, readKnown, readPositive } from 'impinge/internal/base/options.js';
import { type Pose, toRigidPose } from 'impinge/internal/math/pose.js';
import { MASS_NAMES, type MassOptions, readMass, wholeMass, withGivenMass } from '../../bodies/given-mass.js';
import { MOTION_NAMES, RigidBody, type RigidMotionOptions } from '../../bodies/rigid-body.js';
import { type MotionPath, Scenery, type SceneryBody } from '../../bodies/scenery.js';
import type { SolidMass } from '../../bodies/solid-mass.js';
import { TOUCH_NAMES, type TouchOptions } from '../../bodies/touch.js';
import { storedMass } from './stored-mass.js';
import { StoredShape, storedCache } from './stored-shape.js';

export interface StoredOptions {
  /** The title of the model by default. */
  readonly name?: string;
  /** Bytes of memory for geometry and hierarchies, of all models together (default 64 MiB). */
  readonly memory?: number;
}

const STORED_NAMES = { name: true, memory: true } as const;

export interface StoredBodyOptions extends RigidMotionOptions, StoredOptions, MassOptions {}

const NAMES: OptionNames<StoredBodyOptions> = { ...MOTION_NAMES, ...STORED_NAMES, ...MASS_NAMES };

export interface StoredSceneryOptions extends StoredOptions, TouchOptions {
  readonly pose?: Pose;
  /** Where it is, by the seconds that it has been under way. */
  readonly path?: MotionPath;
}

export const STORED_BODY_DEFAULTS = { density: 1000, memory: 64 * 2 ** 20 } as const;

/** Bytes for originals while they are read once: more would keep what is not used again. */
const READ_ONCE_MEMORY = 16 * 2 ** 20;

const NOTHING = { positions: new Float64Array(0), indices: new Uint32Array(0) };

/**
 * Makes a rigid body of a stored model with levels. What is not given of its mass, centre of mass and inertia is worked
 * out from all originals, which are read once. The model stays the caller's, and has to stay open.
 */
export async function storedBody(model: StoredModel, options: StoredBodyOptions = {}): Promise<RigidBody> {
  const { name, memory } = readStored(model, options);
  const given = readKnown('storedBody', options, NAMES);
  const parts = readMass(name, given, STORED_BODY_DEFAULTS.density);
  const mass = wholeMass(parts) ?? withGivenMass(await workedOut(model, parts.density, memory), parts);
  const contactShape = () => new StoredShape(name, model, mass.centre, memory);
  const shape = { name, ...NOTHING, mass, contactShape, stored: model.fingerprint };
  return new RigidBody(name, shape, given);
}

/** Scenery that is a stored model with levels: it stands at a pose, or follows a path. */
export function storedScenery(model: StoredModel, options: StoredSceneryOptions = {}): SceneryBody {
  const { name, memory } = readStored(model, options);
  const { pose, path, ...touch } = readKnown('storedScenery', options, {
    ...STORED_NAMES,
    ...TOUCH_NAMES,
    pose: true,
    path: true,
  });
  if (path !== undefined && (typeof path !== 'function' || pose !== undefined))
    throw new ImpingeError('bad-input', `${name}: its path must be a function, and excludes a pose`);
  const contactShape = () => new StoredShape(name, model, undefined, memory);
  const stored = model.fingerprint;
  return new Scenery({ name, ...NOTHING }, path, { ...touch, pose: toRigidPose(pose), contactShape, stored });
}

function readStored(model: StoredModel, options: StoredOptions): { name: string; memory: number } {
  assertModel(model);
  const { name = model.meta.title, memory = STORED_BODY_DEFAULTS.memory } = readBag(options);
  if (typeof name !== 'string')
    throw new ImpingeError('bad-input', 'the name of a stored body must be a string');
  const refuse = (why: string) => new ImpingeError('bad-input', `${name} ${why}`, { object: name });
  if (model.objectCount === 0) throw refuse('has no objects');
  if (!model.hasLevels) throw refuse('has no levels: pack it with them');
  if (!model.source.readNow) throw refuse('cannot be read synchronously, as a simulation requires');
  return { name, memory: readPositive('memory', memory) };
}

async function workedOut(model: StoredModel, density: number, memory: number): Promise<SolidMass> {
  const cache = storedCache(model, Math.min(memory, READ_ONCE_MEMORY));
  try {
    return await storedMass(model, cache, density);
  } finally {
    await cache.dispose();
  }
}
