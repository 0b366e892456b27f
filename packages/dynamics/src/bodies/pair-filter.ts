/**
 * Which bodies meet: the one place that decides, for rigid, soft and stored bodies.
 *
 * Two bodies that do not meet are neither held apart nor counted as intersecting, at the start or later. A body's
 * contact with itself is not asked for here.
 */
import { readChoice } from 'impinge/internal/base/options.js';
import type { Body } from './body.js';
import { touchChanges } from './touch.js';

/** Whether two bodies may touch; the answer may not depend on their order. */
export type Collides = (a: Body, b: Body) => boolean;

export class PairFilter {
  readonly #asked: Collides | undefined;
  /** The caller's answers, by both bodies, and after how many changes they were given. */
  readonly #answers = new WeakMap<Body, WeakMap<Body, { readonly meets: boolean; readonly at: number }>>();
  /** Of joined bodies: how often they are to be left alone. */
  readonly #excepted = new Map<Body, Map<Body, number>>();

  constructor(collides?: Collides) {
    this.#asked = collides;
  }

  /** Whether two bodies meet. */
  meet(a: Body, b: Body): boolean {
    return !a.touch?.sensor && !b.touch?.sensor && this.match(a, b);
  }

  /** The same but for sensors: whether these note each other. */
  match(a: Body, b: Body): boolean {
    const { touch: p } = a;
    const { touch: q } = b;
    if (((p?.groups ?? 1) & (q?.mask ?? -1)) === 0 || ((q?.groups ?? 1) & (p?.mask ?? -1)) === 0)
      return false;
    if (this.#excepted.size > 0 && this.#excepted.get(a)?.has(b)) return false;
    return this.#asked === undefined || this.#answerFor(a, b, this.#asked);
  }

  /** Leaves two bodies alone, until this is taken back as often as it was asked for. */
  except(a: Body, b: Body, by: 1 | -1): void {
    for (const [one, other] of pairsOf(a, b)) {
      const others = this.#excepted.get(one) ?? new Map<Body, number>();
      const times = (others.get(other) ?? 0) + by;
      if (times > 0) others.set(other, times);
      else others.delete(other);
      if (others.size > 0) this.#excepted.set(one, others);
      else this.#excepted.delete(one);
      one.touch?.sift();
    }
  }

  #answerFor(a: Body, b: Body, collides: Collides): boolean {
    const known = this.#answers.get(a)?.get(b);
    if (known && !a.touch?.siftedAfter(known.at) && !b.touch?.siftedAfter(known.at)) return known.meets;
    const at = touchChanges();
    const meets = readChoice('the answer of collides', collides(a, b), [true, false]);
    for (const [one, other] of pairsOf(a, b)) {
      const others = this.#answers.get(one) ?? new WeakMap();
      others.set(other, { meets, at });
      this.#answers.set(one, others);
    }
    return meets;
  }
}

/** Two bodies in both orders. */
function pairsOf(a: Body, b: Body): [Body, Body][] {
  return [
    [a, b],
    [b, a],
  ];
}
