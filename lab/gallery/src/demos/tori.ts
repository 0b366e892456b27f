import { type Body, fixedBody, softVolume } from '@impinge/dynamics';
import { tori } from '@impinge/scenes/deform';
import type { Demo } from '../protocol.js';
import { COLOURS, SCENERY, SimulatedDemo } from './simulated.js';

export const toriDemo: Demo = {
  start({ count, friction, seed }) {
    const scene = tori({ count, seed });
    const tray = fixedBody(scene.tray);
    const rings: Body[] = scene.tori.map((torus) => softVolume(torus));
    const look = { centre: [0, 0.35, 0], radius: 0.8 * Math.max(1.2, 1.8 * Math.sqrt(count / 14)) } as const;
    const options = { dt: 1 / 200, thickness: 0.004, friction };
    return new SimulatedDemo([tray, ...rings], options, look, (body) =>
      body === tray
        ? { colour: SCENERY, isOpen: true }
        : { colour: COLOURS[rings.indexOf(body) % COLOURS.length] },
    );
  },
};
