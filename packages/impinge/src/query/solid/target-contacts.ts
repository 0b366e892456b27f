/** Regions where a target meets a mesh or another target: intervals, since an error may have been permitted. */
import { ImpingeError } from '../../base/errors.js';
import type { Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { PoseOptions } from '../pair/context.js';
import type { ErrorOptions } from '../pair/pair-request.js';
import type { WithinResult } from '../pair/results.js';
import type { PartsTarget } from '../target.js';

/** What has regions of contact, and can be got out of something. */
export type SolidTarget = Mesh | PartsTarget;

export interface TargetContactsOptions extends PoseOptions, ErrorOptions {
  /** What is at most so far apart is in contact (default 0). */
  readonly distance?: number;
}

/** Part of a contact that hangs together, in the world (in a's frame when only `pose` is given). */
export interface TargetContactRegion {
  readonly objectA: number;
  readonly objectB: number;
  /** Numbers of the pairs in `found`, rising. */
  readonly pairs: Uint32Array;
  /** Originals of its pairs come as near as the second number, and none nearer than the first. */
  readonly bounds: readonly [number, number];
  /** Around all its originals of a that are as near to b as asked, and those of b. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** The middle of where its nearest pair is. */
  readonly point: Vec3;
  /** Unit vector: the way to push b out of a. Chosen, not certified: a short way as far as the patches tell. */
  readonly normal: Vec3;
  /**
   * How far b's part has to be moved along the normal until a plane across it parts the two: between these, certified.
   */
  readonly depth: readonly [number, number];
}

export interface TargetContactsResult {
  /** In the order of their first pairs. */
  readonly regions: readonly TargetContactRegion[];
  /** The pairs that regions are made of: of patches where an error was made use of, else of triangles. */
  readonly found: WithinResult<PartsTarget>;
  readonly error: number;
}

/** Neither of two targets knows how to answer. */
export function refuseTargets(question: string): never {
  throw new ImpingeError(
    'bad-input',
    `${question}: sides must be meshes or stored models; ask for the objects of a scene by their meshes`,
  );
}
