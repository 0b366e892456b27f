/**
 * Scenes of rigid bodies: shapes, bodies that are copies of them, scenery, hinges.
 *
 * Metres, kilograms, seconds, y up. Nothing touches at the start.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { Random, seedOf } from '../random.js';

/** A closed surface that faces outwards. */
export interface RigidShape extends SceneMesh {
  /** kg/m³ */
  readonly density: number;
}

/** A unit quaternion: x, y, z, w. */
export type SceneTurn = readonly [x: number, y: number, z: number, w: number];
export type ScenePoint = readonly [x: number, y: number, z: number];

export interface PlacedBody {
  readonly name: string;
  /** The shape it is a copy of. */
  readonly shape: number;
  /** From the shape to its pose: turned about the shape's origin, which moves to `place`. */
  readonly turn: SceneTurn;
  readonly place: ScenePoint;
  /** A colour number from 0; equal numbers look alike. */
  readonly colour: number;
}

/** A fixed axis through the origin of a body's shape. */
export interface SceneHinge {
  readonly body: number;
  readonly axis: ScenePoint;
  /** Radians per second, if a motor turns it; 0 is a brake. */
  readonly speed?: number;
  /** N m, the most that it pushes with. */
  readonly most?: number;
}

/** A free body that a torque about an axis through its centre of mass brings to a speed. */
export interface SceneTorque {
  readonly body: number;
  readonly axis: ScenePoint;
  /** Radians per second. */
  readonly speed: number;
  /** N m */
  readonly most: number;
}

export interface RigidScene {
  readonly shapes: readonly RigidShape[];
  readonly bodies: readonly PlacedBody[];
  readonly scenery: readonly SceneMesh[];
  readonly hinges: readonly SceneHinge[];
  readonly turned?: readonly SceneTorque[];
  /** The intended settings of the simulation. */
  readonly dt: number;
  readonly thickness: number;
  readonly friction: number;
  /** Permitted error of contacts in metres, if exact ones would take long. */
  readonly error?: number;
}

export const UPRIGHT: SceneTurn = [0, 0, 0, 1];

/** By a number of turns about an axis of unit length. */
export function turnAbout([x, y, z]: ScenePoint, turns: number): SceneTurn {
  const [c, s] = circlePoint(turns / 2);
  return [s * x, s * y, s * z, c];
}

/** First b, then a. */
export function turnAfter(a: SceneTurn, b: SceneTurn): SceneTurn {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Drawn uniformly from all rotations. */
export function randomTurn(random: Random): SceneTurn {
  const u = random.next();
  const [c1, s1] = circlePoint(random.next());
  const [c2, s2] = circlePoint(random.next());
  return [Math.sqrt(1 - u) * s1, Math.sqrt(1 - u) * c1, Math.sqrt(u) * s2, Math.sqrt(u) * c2];
}

/** An independent random source for each scene. */
export function randomOf(seed: number, scene: number): Random {
  return new Random(seedOf(seed, 100 + scene));
}
