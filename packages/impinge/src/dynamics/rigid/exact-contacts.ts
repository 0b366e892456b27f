/**
 * Contacts of any two surfaces, by their trees: the triangles within reach, then vertices against faces and edges
 * against edges (contact-features.ts).
 *
 * `atLeast`: two triangles are nearest at a vertex of one or at an edge of each. Edges that are all but flat are left
 * out; the surface beside one sticks out by less than its length times `BLUNT`.
 */

import { IDENTITY, type RigidPose } from '../../math/pose.js';
import { UNLIMITED } from '../../query/pair/collide.js';
import { distancePlaced } from '../../query/pair/distance.js';
import { withinPlaced } from '../../query/pair/within.js';
import type { ContactEngine, PairMotion, PosedPair } from './contact-engine.js';
import { ContactFeatures } from './contact-features.js';
import { reduceContacts } from './contact-reduction.js';
import { ContactSet } from './contact-set.js';
import { BLUNT, type ContactShape } from './contact-shape.js';
import { freeShareOf } from './pair-guard.js';

export class ExactContacts implements ContactEngine {
  readonly #features = new ContactFeatures();
  readonly #all = new ContactSet();
  readonly #rest = new Float64Array(12);

  contacts(pair: PosedPair<ContactShape>, reach: number, out: ContactSet): void {
    const all = this.#all;
    this.findAll(pair, reach, all);
    out.clear();
    out.atLeast = all.atLeast;
    reduceContacts(all, reach, out);
  }

  /** The same, before any is left out. */
  findAll({ a, b, pose }: PosedPair<ContactShape>, reach: number, out: ContactSet): void {
    out.clear();
    const rest = this.#restPose(a, b, pose);
    const { pairs, count } = withinPlaced(a.mesh, b.mesh, rest, UNLIMITED, reach);
    const features = this.#features;
    features.begin(a, b, pose, reach);
    for (let i = 0; i < count; i++) features.add(a, b, pairs[2 * i], pairs[2 * i + 1], out);
    out.atLeast = Math.max(0, features.nearest - 4 * BLUNT * Math.min(a.radius, b.radius));
  }

  distance({ a, b, pose }: PosedPair<ContactShape>): number {
    const bToA = this.#restPose(a, b, pose);
    return distancePlaced(a.mesh, b.mesh, { bToA, aToWorld: IDENTITY as RigidPose }, Infinity).distance;
  }

  /** Between the coordinates of the meshes. */
  #restPose(a: ContactShape, b: ContactShape, pose: Float64Array): Float64Array {
    const rest = this.#rest;
    const [x, y, z] = b.centre;
    rest.set(pose);
    for (let k = 0; k < 3; k++)
      rest[9 + k] += a.centre[k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
    return rest;
  }

  freeShare(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): number {
    return freeShareOf(a, b, motion, distance);
  }
}
