/** Bodies are soft, or they keep their shape: rigid ones and scenery. */
import type { Body } from './body.js';
import { RigidBody } from './rigid-body.js';

/** Whether it may change its shape. */
export function isSoft(body: Body): boolean {
  return body.kind === 'dynamic' && !(body instanceof RigidBody);
}
