/** How a character pushes the rigid bodies that it walks against. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readPositive } from 'impinge/internal/base/options.js';
import type { CharacterHit } from 'impinge/internal/query/walk/character-controller.js';
import { RigidBody } from './rigid-body.js';
import { cross, dot } from './rotation.js';

/**
 * Gives the rigid bodies among the hits of a character's move, made in `dt` seconds, the impulses by which a body of
 * that mass would take them along: as an impact without rebound.
 */
export function pushBodies(hits: readonly CharacterHit[], mass: number, dt: number): void {
  readPositive('mass', mass);
  readPositive('dt', dt);
  const given: unknown = hits;
  if (!Array.isArray(given) || given.some((hit) => !Object(hit).object))
    throw new ImpingeError('bad-input', 'pushBodies: the hits of a move are needed');
  for (const { object, point, normal, blocked } of hits) {
    const body = object.userData;
    if (!(body instanceof RigidBody)) continue;
    const arm = body.position.map((x, k) => point[k] - x);
    const turning = cross(body.spin, arm);
    const closing = blocked / dt + dot(normal, body.velocity) + dot(normal, turning);
    if (!(closing > 0)) continue;
    const { state } = body;
    const yields = dot(normal, cross(state.spinOf(state.rotation, cross(arm, normal)), arm));
    const impulse = closing / (1 / mass + 1 / body.mass + yields);
    body.applyImpulse(
      normal.map((x) => -x * impulse),
      point,
    );
  }
}
