/**
 * What is asked of a mesh: where it is, and which answers count. Blocks of memory have one each, so that a question
 * allocates nothing.
 */
import { invertLinear, type LinearPose, RIGID, readLinearPose, type Stretch } from '../../math/linear-map.js';
import { invertPose, type Pose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { TargetPart } from '../target.js';
import { Faces, Mode } from './layout.generated.js';

/** Options that were read. */
export interface RayAsk {
  /** Of Faces and Mode. */
  readonly faces: number;
  readonly mode: number;
  readonly atLeast: number;
  readonly atMost: number;
}

export class Asked implements RayAsk {
  faces: number = Faces.both;
  mode: number = Mode.first;
  atLeast = 0;
  atMost = Infinity;
  /** From the mesh to the world, and back; undefined: they are the same. */
  pose: LinearPose | undefined;
  local: LinearPose | undefined;
  stretch: Stretch = RIGID;
  readonly #pose = new Float64Array(12);
  readonly #local = new Float64Array(12);

  /** Reads where the mesh is. */
  place(pose: Pose | undefined): void {
    this.pose = this.local = undefined;
    this.stretch = RIGID;
    if (pose === undefined) return;
    this.stretch = readLinearPose(pose, this.#pose);
    this.pose = this.#pose;
    this.local = (this.stretch.rigid ? invertPose : invertLinear)(this.#pose, this.#local);
  }

  /** A mesh that the pose stretches, to be asked about as an object of a scene. */
  partOf(mesh: Mesh): TargetPart {
    return {
      slot: 0,
      place: {} as TargetPart['place'],
      mesh,
      pose: this.#pose.slice(),
      stretch: this.stretch,
    };
  }
}
