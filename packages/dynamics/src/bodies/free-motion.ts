/** The end of a step for a body that no soft one has come near. */
import type { Body } from './body.js';
import { BreakableBody } from './breaking.js';
import { RigidBody } from './rigid-body.js';
import { Scenery } from './scenery.js';

/** Moves the body to its proposed positions. */
export function moveFreely(body: Body, dt: number): void {
  if (body instanceof RigidBody) {
    if (!body.asleep) body.moveOn();
  } else if (body instanceof Scenery) {
    if (body.kind === 'kinematic') body.moveOn(dt);
  } else if (body.kind === 'kinematic') body.finish(body.proposed.map(Math.fround), dt);
  if (body instanceof BreakableBody) body.endBlow(dt);
}
