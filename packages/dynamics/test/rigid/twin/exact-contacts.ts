/**
 * Contacts of any two surfaces, without kernels: the triangles within reach by a query, then vertices against faces and
 * edges against edges. The twin of kernels/contacts, which is held against it.
 */
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import type { ContactEngine, PairMotion, PosedPair } from '../../../src/rigid/contact-engine.js';
import { ContactSet } from '../../../src/rigid/contact-set.js';
import { type ContactShape, flatnessOf } from '../../../src/rigid/contact-shape.js';
import { distanceOf } from '../../../src/rigid/exact/shape-distance.js';
import { restPose } from '../../../src/rigid/placing.js';
import { searchedShareOf } from '../../../src/rigid/searched-share.js';
import { ContactFeatures } from './contact-features.js';
import { reduceContacts } from './contact-reduction.js';
import { planesHold } from './planes-hold.js';

export class ExactContacts implements ContactEngine {
  readonly #features = new ContactFeatures();
  readonly #all = new ContactSet();

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
    const { pairs, count } = withinPlaced(a.mesh, b.mesh, restPose(a, b, pose), UNLIMITED, reach);
    const features = this.#features;
    features.begin(a, b, pose, reach);
    for (let i = 0; i < count; i++) features.add(a, b, pairs[2 * i], pairs[2 * i + 1], out);
    out.atLeast = Math.max(0, features.nearest - flatnessOf(a, b));
  }

  distance(pair: PosedPair<ContactShape>): number {
    return distanceOf(pair);
  }

  freeShare(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): number {
    return planesHold(a, b, motion, distance) ? 1 : searchedShareOf(a, b, motion, distance);
  }
}
