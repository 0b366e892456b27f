/** A nut that is turned down a bolt. */
import { type RigidScene, randomOf, turnAbout } from './rigid-scene.js';
import { bolt, nut, PITCH } from './screw.js';

export interface NutBoltOptions {
  /** Default 1. Selects how far the nut is down the bolt at the start. */
  readonly seed?: number;
  /** Default 96. Directions in which the threads have corners, a multiple of 6. */
  readonly columns?: number;
}

/** Turns of the thread from the head to the nut at the start, at least. */
const TURNS = 7;
/** Radians per second, and the torque that brings it there. */
const SPEED = 4;
const TORQUE = 0.002;

export function nutBolt({ seed = 1, columns = 96 }: NutBoltOptions = {}): RigidScene {
  const turns = TURNS + randomOf(seed, 8).next();
  const y = [0, 1, 0] as const;
  return {
    shapes: [{ ...nut(columns), density: 7800 }],
    bodies: [{ name: 'nut', shape: 0, turn: turnAbout(y, turns), place: [0, turns * PITCH, 0], colour: 1 }],
    scenery: [bolt(columns)],
    hinges: [],
    turned: [{ body: 0, axis: y, speed: -SPEED, most: TORQUE }],
    dt: 1 / 240,
    thickness: 2e-5,
    friction: 0.1,
  };
}
