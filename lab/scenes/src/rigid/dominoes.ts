/** Dominoes along a spiral; the innermost one starts to fall. */
import { floor } from '../deform/surfaces.js';
import { circlePoint } from '../deform/turning.js';
import { box } from './box.js';
import { type PlacedBody, type RigidScene, randomOf, turnAbout, turnAfter } from './rigid-scene.js';

export interface DominoesOptions {
  /** Default 120. */
  readonly count?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Depth along the path, height, and width across it. */
const [DEEP, HIGH, WIDE] = [0.018, 0.12, 0.06];
/** Distance between neighbours. */
const SPACING = 0.05;
const FIRST_RADIUS = 0.25;
/** Distance between turns of the spiral. */
const PITCH = 0.16;
const THICKNESS = 0.0005;
/** In turns; beyond 0.024, at which it would balance on its edge. */
const LEAN = 0.035;
/** Random deviation from the path's direction, up to half of this, in turns. */
const UNEVEN = 0.006;

export function dominoes({ count = 120, seed = 1 }: DominoesOptions = {}): RigidScene {
  const random = randomOf(seed, 2);
  const bodies: PlacedBody[] = [];
  let along = 0;
  let radius = FIRST_RADIUS;
  for (let i = 0; i < count; i++) {
    const [c, s] = circlePoint(along);
    const upright = turnAbout([0, 1, 0], 0.25 - along + UNEVEN * (random.next() - 0.5));
    const [leanC, leanS] = circlePoint(LEAN);
    // the first one stands on its lower edge
    const height = i === 0 ? (HIGH * leanC + DEEP * leanS) / 2 : HIGH / 2;
    bodies.push({
      name: `domino ${i + 1}`,
      shape: 0,
      turn: i === 0 ? turnAfter(upright, turnAbout([0, 0, 1], LEAN)) : upright,
      place: [radius * c, height + THICKNESS, radius * s],
      colour: i,
    });
    const step = SPACING / (2 * Math.PI * radius);
    along += step;
    radius += PITCH * step;
  }
  return {
    shapes: [{ ...box('domino', [DEEP, HIGH, WIDE]), density: 700 }],
    bodies,
    scenery: [floor(2.6 * radius + 0.4, 8)],
    hinges: [],
    dt: 1 / 120,
    thickness: THICKNESS,
    friction: 0.3,
  };
}
