import { fixedBody, rigidBody } from '@impinge/dynamics';
import { nutBolt } from '@impinge/scenes/rigid';
import type { Demo } from '../protocol.js';
import { COLOURS, SCENERY, SimulatedDemo } from './simulated.js';

/** Per rad/s that the nut is too slow, as a share of the torque. */
const GRIP = 10;

export const nutBoltDemo: Demo = {
  start({ columns, speed, friction }) {
    const { shapes, bodies, scenery, turned, dt, thickness } = nutBolt({ columns });
    const [{ place, turn }] = bodies;
    const [{ most }] = turned!;
    const bolt = fixedBody(scenery[0]);
    const { density } = shapes[0];
    const nut = rigidBody(shapes[0], { density, orientation: turn });
    const centre = nut.turned(nut.shape.mass.centre);
    nut.position = [place[0] + centre[0], place[1] + centre[1], place[2] + centre[2]];
    const size = Math.max(...bolt.positions.map(Math.abs));
    return new SimulatedDemo(
      [bolt, nut],
      { dt, thickness, friction },
      { centre: [0, place[1], 0], radius: 0.8 * size },
      (body) => ({ colour: body === bolt ? SCENERY : COLOURS[1] }),
      () => {
        const push = most * Math.max(-1, Math.min(1, GRIP * (-speed - nut.spin[1])));
        const [x, y, z] = nut.position;
        // two forces, which turn it about the axis and do not push it
        for (const side of [1, -1]) nut.applyForce([0, 0, -side * push], [x + side / 2, y, z]);
      },
    );
  },
};
