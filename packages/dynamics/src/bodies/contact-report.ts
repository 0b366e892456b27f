/**
 * Which bodies touch from step to step, and the events of that.
 *
 * Two bodies touch in a step if they push each other in it. While all that could move of the two sleep, nothing is
 * worked out about them, and they go on touching without events.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Body, BodyHandle } from './body.js';
import { type BodyContact, ContactRecord } from './contact-record.js';
import type { StateReader, StateWriter } from './state-bytes.js';

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

  /** Writes which bodies touch, by their places among handles. */
  save(out: StateWriter, handles: readonly BodyHandle[]): void {
    const placeOf = new Map(handles.map(({ body }, i) => [body, i]));
    const there = Array.from(this.#touching.values()).filter(
      ({ contact: { a, b } }) => placeOf.has(a) && placeOf.has(b),
    );
    out.number(there.length);
    for (const { contact, sensor } of there) {
      out.number(placeOf.get(contact.a) as number);
      out.number(placeOf.get(contact.b) as number);
      out.flag(sensor);
      out.array(Float64Array.of(...contact.impulse));
      out.array(
        Float64Array.from(
          contact.points.flatMap((c) => [...c.point, ...c.normal, c.gap, ...c.impulse, c.error]),
        ),
      );
    }
  }

  restore(from: StateReader, handles: readonly BodyHandle[]): void {
    this.#touching = new Map();
    for (let left = from.number(); left > 0; left--) {
      const [a, b] = [handles[from.number()], handles[from.number()]];
      const sensor = from.flag();
      const impulse = vector(from.doubles(), 0);
      const x = from.doubles();
      const points = Array.from({ length: x.length / 11 }, (_, i) => ({
        point: vector(x, 11 * i),
        normal: vector(x, 11 * i + 3),
        gap: x[11 * i + 6],
        impulse: vector(x, 11 * i + 7),
        error: x[11 * i + 10],
      }));
      const contact = { a: a.body, b: b.body, points, impulse };
      this.#touching.set(a.id * MOST_BODIES + b.id, { contact, sensor });
    }
  }

  /** Contacts of the last step, of all bodies or of one. */
  contacts(body?: Body): BodyContact[] {
    return Array.from(this.#touching.values())
      .filter(({ contact: { a, b }, sensor }) => !sensor && (!body || a === body || b === body))
      .map(({ contact }) => contact);
  }
}

function vector(x: Float64Array, at: number): Vec3 {
  return [x[at], x[at + 1], x[at + 2]];
}

function empty(a: Body, b: Body): BodyContact {
  return { a, b, points: [], impulse: [0, 0, 0] };
}

function byKey([p]: readonly [number, unknown], [q]: readonly [number, unknown]): number {
  return p - q;
}
