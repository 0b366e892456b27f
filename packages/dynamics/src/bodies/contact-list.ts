/**
 * Contacts as inequalities on the end positions of a step, relaxed one after the other.
 *
 * With the weights and the normal n of an event fixed, the gap of the two elements is c(t) = n · Σ aᵢ xᵢ(t), linear in
 * time, with Σ aᵢ = 0. A contact requires c(1) ≥ target; the correction along n is distributed by inverse mass, so
 * momentum is conserved, and acts one way only. Friction holds the tangential part of Σ aᵢ (xᵢ(1) − xᵢ(0)) as far as
 * Coulomb's cone allows.
 * The target never requires more than stopping: elements further apart than the thickness may come that near, elements
 * nearer than that may not come nearer. Only below half the thickness are they moved apart, gently. So contacts at rest
 * neither take nor give energy.
 * A vertex that follows nodes is replaced by them, with its weights: a contact is a Jacobian row: masses and
 * coefficients. Layout: contact c has the entries `#first[c]` … `#first[c + 1]` of `#masses`, `#coefficients` (aᵢ) and
 * `#answers` (aᵢ wᵢ), and numbers 13 c … of `#data`: n, Σ aᵢ xᵢ(0), target, the mass felt, 1 / Σ aᵢ² wᵢ, normal
 * impulse, tangential impulse (both times dt), friction.
 * Paper: Bridson, Fedkiw & Anderson 2002 for splitting the response into stopping, friction and gentle repulsion.
 */
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { distanceSqSegmentSegment } from 'impinge/internal/geometry/distance/segment-segment.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { VERTEX_FACE } from '../deform/layout.generated.js';
import type { ContactEvents } from '../deform/types.js';
import type { Body } from './body.js';
import type { ContactRecord } from './contact-record.js';
import type { Participant, SolverState } from './solver-state.js';
import { frictionOf, restitutionOf, type TouchLaw } from './touch.js';

export interface ContactLaw extends TouchLaw {
  readonly thickness: number;
  /** Whether contacts are asked for after the step. */
  readonly records?: boolean;
  /** Approach in one step below which nothing bounces. */
  readonly restingApproach: number;
}

/** States of an event. */
export const WANTED = 1;
export const TAKEN = 2;

const STRIDE = 13;
const START = 3;
const TARGET = 6;
const MASS = 7;
const IMPULSE = 8;
const TANGENT = 9;
const FRICTION = 12;

/** Share of the missing gap that one step makes up for, where the gap is less than half the thickness. */
const RECOVERY = 0.1;
/** Elements of one body count as too near only well below their distance by build. */
const OF_REST = 0.5;

export class ContactList {
  count = 0;
  #first = new Uint32Array(65);
  #data = new Float64Array(STRIDE * 64);
  #masses = new Uint32Array(256);
  #coefficients = new Float64Array(256);
  #answers = new Float64Array(256);
  readonly #state: SolverState;
  readonly #law: ContactLaw;
  readonly #rest = new Float64Array(12);
  /** Of each contact, where it is recorded: its bodies, and the place of the first element before the step. */
  readonly #places: { first: Body; second: Body; point: Vec3 }[] | undefined;
  /** The target gap that `misses` computed. */
  #asked = 0;

  constructor(state: SolverState, law: ContactLaw) {
    this.#state = state;
    this.#law = law;
    if (law.records) this.#places = [];
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a contact for every event or, given states (one byte each), for each `WANTED` one, which becomes `TAKEN`. */
  add(events: ContactEvents, states?: Uint8Array): void {
    const { participants, places } = this.#state;
    const { kinds, surfaces, vertices, weights } = events;
    for (let e = 0; e < events.count; e++) {
      if (states) {
        if (states[e] !== WANTED) continue;
        states[e] = TAKEN;
      }
      const first = participants[places[surfaces[2 * e]]];
      const second = participants[places[surfaces[2 * e + 1]]];
      const vertexFace = kinds[e] === VERTEX_FACE;
      const u = weights[2 * e];
      const v = weights[2 * e + 1];
      if (!this.misses(events, e, -Infinity)) continue;
      this.#open(events.normals, 3 * e, this.#asked, frictionOf(first.body, second.body, this.#law));
      this.#enter(first, vertices[4 * e], vertexFace ? 1 : 1 - u);
      this.#enter(vertexFace ? second : first, vertices[4 * e + 1], vertexFace ? u + v - 1 : u);
      this.#enter(second, vertices[4 * e + 2], vertexFace ? -u : v - 1);
      this.#enter(second, vertices[4 * e + 3], -v);
      if (this.#places) {
        const [p, q] = [3 * vertices[4 * e], 3 * vertices[4 * e + (vertexFace ? 0 : 1)]];
        const [x, y, z] = [0, 1, 2].map(
          (k) => first.start[p + k] + (vertexFace ? 0 : u) * (first.start[q + k] - first.start[p + k]),
        );
        this.#places[this.count] = { first: first.body, second: second.body, point: [x, y, z] };
      }
      this.#close();
    }
  }

  /**
   * Whether the elements of an event end the step nearer than a contact's target, by more than `slack` of the
   * thickness.
   */
  misses(events: ContactEvents, e: number, slack: number): boolean {
    const state = this.#state;
    const { thickness } = this.#law;
    const { surfaces } = events;
    const first = state.participants[state.places[surfaces[2 * e]]];
    const second = state.participants[state.places[surfaces[2 * e + 1]]];
    const restitution = restitutionOf(first.body, second.body, this.#law);
    const gap = state.gap(events, e, state.start);
    const gapT1 = state.gap(events, e, state.end);
    this.#asked = this.#target(gap, gapT1, thickness, restitution);
    if (!(this.#asked - gapT1 > slack * thickness)) return false;
    if (first !== second) return true;
    const rest = OF_REST * this.#restDistance(first.rest, events, e);
    if (rest >= thickness) return true;
    this.#asked = this.#target(gap, gapT1, rest, restitution);
    return this.#asked - gapT1 > slack * rest;
  }

  /**
   * Corrects the masses for every contact in turn, at most `sweeps` times, as long as there are corrections of at least
   * `tolerance`, as a share of the target gap; smaller ones are not made, so that uncritical contacts stay unchanged.
   * Returns the number of sweeps.
   */
  relax(sweeps: number, tolerance: number): number {
    let done = 1;
    while (this.#sweep(tolerance) && done < sweeps) done++;
    return done;
  }

  /** Notes what contacts between bodies did in a step. */
  tell(record: ContactRecord, dt: number): void {
    const { masses: x } = this.#state;
    for (let c = 0, d = 0; c < this.count; c++, d += STRIDE) {
      const { first, second, point } = this.#places![c];
      const push = this.#data[d + IMPULSE] / dt;
      if (push === 0 || first === second) continue;
      const normal: Vec3 = [this.#data[d], this.#data[d + 1], this.#data[d + 2]];
      const along = (k: number) => push * normal[k] + this.#data[d + TANGENT + k] / dt;
      let gap = 0;
      for (let i = this.#first[c]; i < this.#first[c + 1]; i++)
        for (let k = 0; k < 3; k++) gap += this.#coefficients[i] * normal[k] * x[3 * this.#masses[i] + k];
      const impulse: Vec3 = [along(0), along(1), along(2)];
      record.add(second, first, -1 - c, { point, normal, gap, impulse, error: 0 });
    }
  }

  /** Begins the contact after the last. */
  #open(normals: Float64Array, at: number, target: number, friction: number): void {
    if (this.count + 2 > this.#first.length) {
      this.#first = grown(this.#first, 2 * this.count + 2);
      this.#data = grown(this.#data, STRIDE * (2 * this.count + 2));
    }
    const d = STRIDE * this.count;
    this.#data.fill(0, d, d + STRIDE);
    for (let k = 0; k < 3; k++) this.#data[d + k] = normals[at + k];
    this.#data[d + TARGET] = target;
    this.#data[d + FRICTION] = friction;
    this.#first[this.count + 1] = this.#first[this.count];
  }

  /** Enters a vertex of a body with its coefficient into the contact after the last. */
  #enter(participant: Participant, vertex: number, a: number): void {
    if (a === 0) return;
    const { start } = participant;
    const { frame } = participant.body;
    const d = STRIDE * this.count + START;
    for (let k = 0; k < 3; k++) this.#data[d + k] += a * start[3 * vertex + k];
    if (!frame) {
      this.#state.touch(participant, vertex);
      this.#append(participant.massOffset + vertex, a);
      return;
    }
    for (let i = frame.start[vertex]; i < frame.start[vertex + 1]; i++) {
      this.#state.touch(participant, frame.nodes[i]);
      this.#append(participant.massOffset + frame.nodes[i], a * frame.weights[i]);
    }
  }

  /** Adds to the coefficient of a mass in the contact after the last. */
  #append(mass: number, a: number): void {
    const to = this.#first[this.count + 1];
    let at = this.#first[this.count];
    while (at < to && this.#masses[at] !== mass) at++;
    if (at === this.#masses.length) {
      this.#masses = grown(this.#masses, 2 * at);
      this.#coefficients = grown(this.#coefficients, 2 * at);
      this.#answers = grown(this.#answers, 2 * at);
    }
    if (at === to) {
      this.#masses[at] = mass;
      this.#coefficients[at] = 0;
      this.#first[this.count + 1] = to + 1;
    }
    this.#coefficients[at] += a;
  }

  /** Counts the contact after the last, unless nothing of it can be moved. */
  #close(): void {
    const { inverseMass } = this.#state;
    let mobility = 0;
    for (let i = this.#first[this.count]; i < this.#first[this.count + 1]; i++) {
      const a = this.#coefficients[i];
      this.#answers[i] = a * inverseMass[this.#masses[i]];
      mobility += a * this.#answers[i];
    }
    if (!(mobility > 0)) return;
    this.#data[STRIDE * this.count + MASS] = 1 / mobility;
    this.count++;
  }

  /** The target gap of elements with these gaps at the ends of the step. */
  #target(gap: number, gapT1: number, limit: number, restitution: number): number {
    const { restingApproach } = this.#law;
    const target = gap >= limit ? limit : gap + RECOVERY * Math.max(0, 0.5 * limit - gap);
    const approach = gap - gapT1;
    const bounces = restitution > 0 && approach > restingApproach;
    return bounces ? Math.max(target, gap + restitution * approach) : target;
  }

  /** Once through all contacts; returns whether any correction, of a gap or a slip, was due. */
  #sweep(tolerance: number): boolean {
    const x = this.#state.masses;
    const data = this.#data;
    const first = this.#first;
    const masses = this.#masses;
    const coefficients = this.#coefficients;
    const answers = this.#answers;
    let corrected = false;
    for (let c = 0, d = 0; c < this.count; c++, d += STRIDE) {
      const from = first[c];
      const to = first[c + 1];
      const nx = data[d];
      const ny = data[d + 1];
      const nz = data[d + 2];
      let rx = 0;
      let ry = 0;
      let rz = 0;
      for (let i = from; i < to; i++) {
        const a = coefficients[i];
        const m = 3 * masses[i];
        rx += a * x[m];
        ry += a * x[m + 1];
        rz += a * x[m + 2];
      }
      const missing = data[d + TARGET] - (nx * rx + ny * ry + nz * rz);
      const before = data[d + IMPULSE];
      if (missing <= 0 && before === 0) continue;
      const mass = data[d + MASS];
      const impulse = Math.max(0, before + missing * mass);
      const step = impulse - before;
      let px = step * nx;
      let py = step * ny;
      let pz = step * nz;
      let longest = Math.abs(step);
      let tx = data[d + TANGENT];
      let ty = data[d + TANGENT + 1];
      let tz = data[d + TANGENT + 2];
      const friction = data[d + FRICTION];
      if (friction > 0) {
        // slip of the step, without its normal part; the impulse holding it is limited by the width of the cone
        rx -= data[d + START];
        ry -= data[d + START + 1];
        rz -= data[d + START + 2];
        const along = nx * rx + ny * ry + nz * rz;
        px -= tx;
        py -= ty;
        pz -= tz;
        tx -= (rx - along * nx) * mass;
        ty -= (ry - along * ny) * mass;
        tz -= (rz - along * nz) * mass;
        const most = friction * impulse;
        const lengthSq = tx * tx + ty * ty + tz * tz;
        if (lengthSq > most * most) {
          const share = most / Math.sqrt(lengthSq);
          tx *= share;
          ty *= share;
          tz *= share;
        }
        px += tx;
        py += ty;
        pz += tz;
        longest = Math.max(Math.abs(px), Math.abs(py), Math.abs(pz), longest);
      }
      if (longest < tolerance * data[d + TARGET] * mass) continue;
      corrected = true;
      data[d + IMPULSE] = impulse;
      data[d + TANGENT] = tx;
      data[d + TANGENT + 1] = ty;
      data[d + TANGENT + 2] = tz;
      for (let i = from; i < to; i++) {
        const answer = answers[i];
        const m = 3 * masses[i];
        x[m] += answer * px;
        x[m + 1] += answer * py;
        x[m + 2] += answer * pz;
      }
    }
    return corrected;
  }

  /** The distance of the elements of an event within one body when the body was added. */
  #restDistance(rest: Float64Array, events: ContactEvents, e: number): number {
    const corners = this.#rest;
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < 3; k++) corners[3 * i + k] = rest[3 * events.vertices[4 * e + i] + k];
    return Math.sqrt(
      events.kinds[e] === VERTEX_FACE
        ? distanceSqPointTriangle(corners, 0, corners, 3)
        : distanceSqSegmentSegment(corners, 0, 3, corners, 6, 9),
    );
  }
}

function grown<T extends Float64Array | Uint32Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
