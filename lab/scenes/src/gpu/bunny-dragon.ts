/** A bunny passes slowly down through a dragon, turning. Paper: CULLIDE, environment 3. */
import { circlePoint } from '../deform/turning.js';
import { centredScans, type ScanOptions } from './models.js';
import type { FrameChange, MovingScene } from './moving-scene.js';

/** Frames from above the dragon to below it; then it comes up again. */
const FRAMES_DOWN = 100;
const HIGHEST = 0.7;
const TURNS_PER_FRAME = 0.002;

/** The bunny is object 0, the dragon object 1; only the bunny moves. */
export function bunnyDragon(options: ScanOptions = {}): MovingScene {
  const poses = new Float64Array(24);
  const objects = centredScans(options).map((mesh, id) => {
    const pose = poses.subarray(12 * id, 12 * id + 12);
    pose[0] = pose[4] = pose[8] = 1;
    return { ...mesh, id, pose };
  });
  const place = (frame: number) => {
    const part = (frame / FRAMES_DOWN) % 2;
    const [c, s] = circlePoint(frame * TURNS_PER_FRAME);
    poses.set([c, 0, s, 0, 1, 0, -s, 0, c, 0, HIGHEST * (1 - 2 * (part <= 1 ? part : 2 - part)), 0]);
  };
  let frame = 0;
  place(frame);
  return {
    get frame() {
      return frame;
    },
    objects,
    poses,
    step(): FrameChange {
      place(++frame);
      return { added: [], removed: [], moved: [0], deformed: [] };
    },
  };
}
