/**
 * What questions are asked about: a mesh, a scene of posed objects, or an engine such as a stored model. Every question
 * is one function for all of them, with one type of options and one of answers.
 */
import { ImpingeError } from '../base/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Scene, SceneObject } from '../scene/scene.js';
import type { QueryEngine } from './pair/engine.js';

export type Target = Mesh | Scene | QueryEngine;

/** Meshes and scenes answer at once; engines may have to read, and promise. */
export type Answer<T extends Target, One> = T extends QueryEngine ? Promise<One> : One;

/** Where an answer lies: in an object of a scene, or in a piece of an engine's object, which numbers its triangles. */
export type Place<T extends Target = Mesh> = T extends Mesh
  ? { readonly object?: undefined; readonly piece?: undefined }
  : T extends Scene
    ? { readonly object: SceneObject; readonly piece?: undefined }
    : { readonly object: number; readonly piece: number };

/** The same of many answers, as columns: undefined, or −1 of an engine, where there is none. */
export type PlaceColumns<T extends Target = Mesh> = T extends Mesh
  ? { readonly objects?: undefined; readonly pieces?: undefined }
  : T extends Scene
    ? { readonly objects: readonly (SceneObject | undefined)[]; readonly pieces?: undefined }
    : { readonly objects: Int32Array; readonly pieces: Int32Array };

export function isScene(target: unknown): target is Scene {
  return typeof target === 'object' && target !== null && 'nearPairs' in target;
}

/** Objects of scenes and engines have their own poses. */
export function refusePose(options: { readonly pose?: unknown } | undefined): void {
  if (options?.pose === undefined) return;
  throw new ImpingeError('bad-option', 'pose is for meshes: objects of scenes and engines have their own', {
    option: 'pose',
  });
}
