/**
 * Which bodies touch from step to step, and the events of that.
 *
 * Two bodies touch in a step if they push each other in it. While all that could move of the two sleep, nothing is
 * worked out about them, and they go on touching without events.
 */
import type { Body, BodyHandle } from './body.js';
import { type BodyContact, ContactRecord } from './contact-record.js';

/** Two bodies that began to touch, still touch, or no longer do. */
export interface ContactEvent extends BodyContact {
  readonly phase: 'begin' | 'stay' | 'end';
  /** Whether one is a sensor, which the other overlaps: then there are no points, and no impulse. */
  readonly sensor: boolean;
}

interface Touching {
  readonly contact: BodyContact;
  readonly sensor: boolean;
}

/** More than there are bodies. */
const MOST_BODIES = 2 ** 26;

export class ContactReport {
  /** Pushes of the current step. */
  readonly record = new ContactRecord();
  /** By the ids of both, in order. */
  #touching = new Map<number, Touching>();

  /** Ends a step; `overlaps` are pairs of a sensor and a body in it. */
  finish(handles: readonly BodyHandle[], overlaps: Iterable<readonly [Body, Body]>): ContactEvent[] {
    const byBody = new Map(handles.map((handle) => [handle.body, handle]));
    const numberOf = (body: Body) => byBody.get(body)?.id ?? -1;
    const now: [number, Touching][] = [];
    const enter = (contact: BodyContact, sensor: boolean) =>
      now.push([numberOf(contact.a) * MOST_BODIES + numberOf(contact.b), { contact, sensor }]);
    for (const contact of this.record.contacts(numberOf)) enter(contact, false);
    for (const [a, b] of overlaps) enter(numberOf(a) < numberOf(b) ? empty(a, b) : empty(b, a), true);
    const events: [number, ContactEvent][] = [];
    const keys = new Set(now.map(([key]) => key));
    for (const [key, { contact, sensor }] of now)
      events.push([key, { ...contact, phase: this.#touching.has(key) ? 'stay' : 'begin', sensor }]);
    const rests = (body: Body) => body.kind !== 'dynamic' || byBody.get(body)?.asleep === true;
    for (const [key, touching] of this.#touching) {
      if (keys.has(key)) continue;
      const { a, b } = touching.contact;
      const stays = !touching.sensor && byBody.has(a) && byBody.has(b) && rests(a) && rests(b);
      if (stays) now.push([key, touching]);
      else events.push([key, { ...empty(a, b), phase: 'end', sensor: touching.sensor }]);
    }
    this.#touching = new Map(now.sort(byKey));
    return events.sort(byKey).map(([, event]) => event);
  }

  /** Contacts of the last step, of all bodies or of one. */
  contacts(body?: Body): BodyContact[] {
    return Array.from(this.#touching.values())
      .filter(({ contact: { a, b }, sensor }) => !sensor && (!body || a === body || b === body))
      .map(({ contact }) => contact);
  }
}

function empty(a: Body, b: Body): BodyContact {
  return { a, b, points: [], impulse: [0, 0, 0] };
}

function byKey([p]: readonly [number, unknown], [q]: readonly [number, unknown]): number {
  return p - q;
}
