import { cloth, fixedBody, kinematicBody } from '@impinge/dynamics';
import { clothBall, turnedAt } from '@impinge/scenes/deform';
import type { Demo } from '../protocol.js';
import { COLOURS, SCENERY, SimulatedDemo } from './simulated.js';

export const clothDemo: Demo = {
  start({ vertices, friction }) {
    const scene = clothBall({ vertices });
    const sheet = cloth(scene.cloth);
    const floor = fixedBody(scene.floor);
    const ball = kinematicBody(scene.ball, (time) => {
      const pose = turnedAt(scene.turn, time);
      return { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
    });
    // thin enough for the folds of coarse triangles
    const options = { dt: 1 / 200, thickness: 0.0015, friction };
    return new SimulatedDemo([floor, ball, sheet], options, { centre: [0, 0.5, 0], radius: 1.1 }, (body) =>
      body === sheet
        ? { colour: COLOURS[0], isOpen: true }
        : { colour: body === ball ? COLOURS[1] : SCENERY, isOpen: body === floor },
    );
  },
};
