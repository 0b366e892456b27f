/** Scenes in which every object moves and changes its shape in every frame; vertices are in world coordinates. */
import { wave } from '../deform/turning.js';
import { Random } from '../random.js';
import type { FrameChange, MovingObject, MovingScene } from './moving-scene.js';
import { type Wandering, wandering, writePose } from './wandering.js';

/** A shape that can be drawn in any phase of its deformation, about the origin. */
export interface DeformingShape {
  readonly name: string;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  /** Reaches no farther than this from the origin, in its mean shape. */
  readonly radius: number;
  /** Four numbers from −1 to 1 describe the deformation. */
  write(deformation: ArrayLike<number>, out: Float64Array): void;
}

const MODES = 4;
/** Speed limit along each axis as a share of the radius: no object passes its own size in one frame. */
const SPEED = 0.05;

export function deformingScene(shape: DeformingShape, count: number, seed: number): MovingScene {
  const random = new Random(seed);
  const motions: Wandering[] = [];
  const phases = new Float64Array(MODES * count);
  const rates = new Float64Array(MODES * count);
  const poses = new Float64Array(12 * count);
  const objects: MovingObject[] = [];
  for (let id = 0; id < count; id++) {
    motions.push(wandering(random, shape.radius, SPEED * shape.radius));
    for (let m = 0; m < MODES; m++) {
      phases[MODES * id + m] = random.next();
      rates[MODES * id + m] = 0.01 + 0.02 * random.next();
    }
    const pose = poses.subarray(12 * id, 12 * id + 12);
    pose[0] = pose[4] = pose[8] = 1;
    objects.push({
      id,
      name: `${shape.name} ${id + 1}`,
      positions: new Float32Array(3 * shape.vertexCount),
      indices: shape.indices,
      pose,
    });
  }
  const all = objects.map(({ id }) => id);
  const local = new Float64Array(3 * shape.vertexCount);
  const place = new Float64Array(12);
  const deformation = new Float64Array(MODES);
  const draw = (frame: number) => {
    for (let id = 0; id < count; id++) {
      for (let m = 0; m < MODES; m++) {
        deformation[m] = wave(phases[MODES * id + m] + frame * rates[MODES * id + m]);
      }
      shape.write(deformation, local);
      writePose(motions[id], frame, place, 0);
      const { positions } = objects[id];
      for (let i = 0; i < local.length; i += 3) {
        const [x, y, z] = [local[i], local[i + 1], local[i + 2]];
        for (let k = 0; k < 3; k++) {
          positions[i + k] = place[3 * k] * x + place[3 * k + 1] * y + place[3 * k + 2] * z + place[9 + k];
        }
      }
    }
  };
  let frame = 0;
  draw(frame);
  return {
    get frame() {
      return frame;
    },
    objects,
    poses,
    step(): FrameChange {
      draw(++frame);
      return { added: [], removed: [], moved: [], deformed: all };
    },
  };
}
