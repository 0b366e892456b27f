import { breakable, fixedBody, rigidBody, shatter } from '@impinge/dynamics';
import { breaking, standing } from '@impinge/scenes/deform';
import type { Demo } from '../protocol.js';
import { COLOURS, SCENERY, SimulatedDemo } from './simulated.js';

const THICKNESS = 0.0015;
const BALL = 0x4b4f57;

export const breakingDemo: Demo = {
  start({ pieces, speed, seed }) {
    const scene = breaking({ seed });
    const fracture = shatter(
      { ...scene.vase, positions: standing(scene.vase.positions, 2 * THICKNESS) },
      { pieces, seed },
    );
    const vase = breakable(fracture, { density: scene.vaseDensity });
    const [x, , z] = scene.ballVelocity;
    const faster = speed / Math.hypot(x, z);
    const ball = rigidBody(scene.ball, {
      density: scene.ballDensity,
      velocity: [x * faster, 0.3, z * faster],
    });
    const floor = fixedBody(scene.floor);
    let shards = 0;
    return new SimulatedDemo(
      [floor, vase, ball],
      { dt: 1 / 240, thickness: THICKNESS, friction: 0.5 },
      { centre: [0, 0.4, 0], radius: 0.8 },
      (body) => {
        if (body === floor) return { colour: SCENERY, isOpen: true };
        if (body === ball) return { colour: BALL };
        return { colour: body === vase ? COLOURS[1] : COLOURS[shards++ % COLOURS.length] };
      },
    );
  },
};
