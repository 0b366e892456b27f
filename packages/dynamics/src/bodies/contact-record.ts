/** What bodies did to each other in a step, by pair of bodies: the places at which they pushed each other. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Body } from './body.js';

/** A place at which two bodies pushed each other. */
export interface ContactPoint {
  /** In the world, between the two surfaces. */
  readonly point: Vec3;
  /** From a to b, one long. */
  readonly normal: Vec3;
  /** Between the surfaces, along the normal, after the push. */
  readonly gap: number;
  /** On b, in the whole step, friction included: N s. The opposite acts on a. */
  readonly impulse: Vec3;
  /** The detail that contact levels left out there, in metres; 0 where triangles were compared. */
  readonly error: number;
}

/** Two bodies, in the order of adding, that pushed each other. */
export interface BodyContact {
  readonly a: Body;
  readonly b: Body;
  readonly points: readonly ContactPoint[];
  /** The sum over the points. */
  readonly impulse: Vec3;
}

interface Pushes {
  readonly a: Body;
  readonly b: Body;
  /** By feature. */
  readonly points: Map<number, ContactPoint>;
}

/** Collects pushes during a step. */
export class ContactRecord {
  readonly #pairs = new Map<Body, Map<Body, Pushes>>();

  clear(): void {
    this.#pairs.clear();
  }

  /** Notes a push of b by a at a feature of the two; pushes at one feature in a step add up. */
  add(a: Body, b: Body, feature: number, contact: ContactPoint): void {
    const others = this.#pairs.get(a) ?? new Map<Body, Pushes>();
    this.#pairs.set(a, others);
    const pushes = others.get(b) ?? { a, b, points: new Map<number, ContactPoint>() };
    others.set(b, pushes);
    const known = pushes.points.get(feature);
    const impulse = known ? sum(known.impulse, contact.impulse) : contact.impulse;
    pushes.points.set(feature, { ...contact, impulse });
  }

  /** The pairs, each in the order of the bodies' numbers. */
  *contacts(numberOf: (body: Body) => number): Generator<BodyContact> {
    for (const others of this.#pairs.values()) {
      for (const { a, b, points } of others.values()) {
        const list = [...points.values()];
        yield numberOf(a) < numberOf(b) ? contactOf(a, b, list) : contactOf(b, a, list.map(turned));
      }
    }
  }
}

function contactOf(a: Body, b: Body, points: readonly ContactPoint[]): BodyContact {
  return { a, b, points, impulse: points.reduce<Vec3>((all, { impulse }) => sum(all, impulse), [0, 0, 0]) };
}

function turned({ normal: n, impulse: p, ...rest }: ContactPoint): ContactPoint {
  return { ...rest, normal: [-n[0], -n[1], -n[2]], impulse: [-p[0], -p[1], -p[2]] };
}

function sum(p: Vec3, q: Vec3): Vec3 {
  return [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
}
