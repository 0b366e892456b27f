/**
 * The last resort: motion that still leads to contact is shortened until it does not.
 *
 * Vertices joined by contacts form a zone (with all of a body that keeps its shape). A zone shortens its motion,
 * relative to a common one, to before its first contact; if that was not enough, it keeps only the common motion; then
 * none at all. The common motion is that of moving scenery it touches; none if it touches anything immovable; else the
 * mean by mass, which conserves momentum.
 * Invariant: the restraint of a vertex only rises, and from `STANDS` on it stays at T0. A contact of vertices that all
 * stand involves a kinematic body, which then stands too, or was there at the start, which was free. So every round
 * raises a restraint, stops a body or ends the search. Moreover rounds are few: from `GROW` on, edge neighbours of
 * standing vertices stop with them, from `STOP_BODIES` on whole bodies, and at `STOP_ALL` everything: then the step
 * ends where it began, free.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { UnionFind } from 'impinge/internal/base/union-find.js';
import { VERTEX_FACE } from '../deform/layout.generated.js';
import type { ContactEvents } from '../deform/types.js';
import type { Participant, SolverState } from './solver-state.js';

/** The remaining share of the motion to the first contact, for zones of restraint 0 and 1. */
const SHORTENING = [0.9, 0.5];
/** The restraints at which a zone keeps only its common motion, at which it is stopped, and at which it stays. */
const RIDES = 2;
const STOPS = 3;
const STANDS = 4;
/** Rounds from which stopping spreads: to neighbours, to whole bodies, to everything. */
const GROW = 8;
const STOP_BODIES = 16;
const STOP_ALL = 24;

/** Numbers per zone: first contact, restraint, immovable?, carriers' motion and number, members' motion and mass. */
const ZONE = 11;

export class ImpactZones {
  #round = 0;
  #dt = 0;
  readonly #state: SolverState;
  readonly #restraints: Uint8Array;
  /** 1 + place among the members of this round; 0 if it is none. */
  readonly #slots: Uint32Array;

  constructor(state: SolverState) {
    this.#state = state;
    this.#restraints = new Uint8Array(state.vertexCount);
    this.#slots = new Uint32Array(state.vertexCount);
  }

  /** Forgets the last step; this one lasts `dt`. */
  begin(dt: number): void {
    this.#dt = dt;
    if (this.#round > 0) this.#restraints.fill(0);
    this.#round = 0;
  }

  get rounds(): number {
    return this.#round;
  }

  /** Kinematic bodies that have to wait. */
  get waiting(): string[] {
    return this.#state.participants
      .filter(({ body, offset }) => body.kind === 'kinematic' && this.#restraints[offset] >= STANDS)
      .map(({ body }) => body.name);
  }

  /** Vertices that did not go where they wanted to. */
  get shortened(): number {
    let count = 0;
    if (this.#round > 0) for (const restraint of this.#restraints) count += restraint > 0 ? 1 : 0;
    return count;
  }

  /** Shortens the motion of the bodies in `events`; `end` stays on the float32 grid. */
  shorten(events: ContactEvents): void {
    const round = this.#round++;
    const vertices = this.#verticesOf(events);
    if (round > STOP_ALL) this.#refuseStart(vertices.subarray(0, 4));
    if (round === STOP_ALL) {
      this.stopAll();
      return;
    }
    this.#stopCarriers(events.count, vertices);
    this.#moveZones(events, vertices);
    if (round >= STOP_BODIES) for (const vertex of vertices) this.#stopBody(this.#participantOf(vertex));
    else if (round >= GROW) this.#spread();
  }

  /** Everything stays where it is. */
  stopAll(): void {
    this.#round = Math.max(this.#round, 1);
    for (const participant of this.#state.participants) this.#stopBody(participant);
  }

  /** The vertices of all events, four each, by their numbers in the solver state. */
  #verticesOf(events: ContactEvents): Uint32Array {
    const { participants, places } = this.#state;
    const vertices = events.vertices.slice(0, 4 * events.count);
    for (let e = 0; e < events.count; e++) {
      const offsetA = participants[places[events.surfaces[2 * e]]].offset;
      const offsetB = participants[places[events.surfaces[2 * e + 1]]].offset;
      vertices[4 * e] += offsetA;
      vertices[4 * e + 1] += events.kinds[e] === VERTEX_FACE ? offsetB : offsetA;
      vertices[4 * e + 2] += offsetB;
      vertices[4 * e + 3] += offsetB;
    }
    return vertices;
  }

  /** Contacts whose pushable vertices all stand: their kinematic bodies must wait for this step. */
  #stopCarriers(count: number, vertices: Uint32Array): void {
    const carriers = new Set<Participant>();
    for (let e = 0; e < count; e++) {
      const four = vertices.subarray(4 * e, 4 * e + 4);
      if (!four.every((vertex) => !this.#isMember(vertex) || this.#restraints[vertex] >= STANDS)) continue;
      const moving = Array.from(four, (vertex) => this.#participantOf(vertex)).filter(
        ({ body, offset }) => body.kind === 'kinematic' && this.#restraints[offset] < STANDS,
      );
      if (moving.length === 0) this.#refuseStart(four);
      for (const carrier of moving) carriers.add(carrier);
    }
    for (const carrier of carriers) this.#stopBody(carrier);
  }

  #moveZones(events: ContactEvents, vertices: Uint32Array): void {
    const { start, end } = this.#state;
    const slots = this.#slots;
    const members = this.#gather(vertices);
    const sets = new UnionFind(members.length);
    for (let m = 1; m < members.length; m++) {
      const participant = this.#participantOf(members[m]);
      if (!participant.body.self && participant === this.#participantOf(members[m - 1])) sets.union(m - 1, m);
    }
    const firstOf = new Uint32Array(events.count);
    for (let e = 0; e < events.count; e++) {
      let first = 0;
      for (let i = 4 * e; i < 4 * e + 4; i++) {
        const slot = slots[vertices[i]];
        if (slot > 0 && first > 0) sets.union(first - 1, slot - 1);
        else if (slot > 0) first = slot;
      }
      firstOf[e] = first - 1;
    }

    // the data of each zone, at the index of its root
    const zones = new Float64Array(ZONE * members.length);
    for (let m = 0; m < members.length; m++) zones[ZONE * m] = 1;
    for (let e = 0; e < events.count; e++) {
      const z = ZONE * sets.find(firstOf[e]);
      zones[z] = Math.min(zones[z], events.times[e]);
      for (let i = 4 * e; i < 4 * e + 4; i++) {
        const vertex = vertices[i];
        if (slots[vertex] > 0) continue;
        const { body, offset } = this.#participantOf(vertex);
        if (body.kind === 'fixed' || this.#restraints[offset] >= STANDS) zones[z + 2] = 1;
        for (let k = 0; k < 3; k++) zones[z + 3 + k] += end[3 * vertex + k] - start[3 * vertex + k];
        zones[z + 6]++;
      }
    }
    for (let m = 0; m < members.length; m++) {
      const vertex = members[m];
      const z = ZONE * sets.find(m);
      zones[z + 1] = Math.max(zones[z + 1], this.#restraints[vertex]);
      const mass = this.#massOf(vertex);
      if (mass === Infinity) zones[z + 2] = 1;
      else {
        for (let k = 0; k < 3; k++) zones[z + 7 + k] += mass * (end[3 * vertex + k] - start[3 * vertex + k]);
        zones[z + 10] += mass;
      }
    }

    for (let m = 0; m < members.length; m++) {
      const vertex = members[m];
      const z = ZONE * sets.find(m);
      const restraint = Math.min(STOPS, zones[z + 1]);
      const share = restraint < RIDES ? SHORTENING[restraint] * zones[z] : 0;
      const common = restraint >= STOPS || zones[z + 2] > 0 ? 0 : zones[z + 6] > 0 ? 3 : 7;
      const shift = [0, 1, 2].map((k) => (common === 0 ? 0 : zones[z + common + k] / zones[z + common + 3]));
      const participant = this.#participantOf(vertex);
      if (!participant.body.rigid) {
        for (let k = 0; k < 3; k++) {
          const at = 3 * vertex + k;
          end[at] = Math.fround(start[at] + shift[k] + share * (end[at] - start[at] - shift[k]));
        }
      } else if (vertex === participant.offset) this.#shortenRigid(participant, share, shift);
      this.#restraints[vertex] = restraint + 1;
      participant.open = true;
      slots[vertex] = 0;
    }
  }

  /** A rigid body shortens its motion as a whole. */
  #shortenRigid(participant: Participant, share: number, shift: ArrayLike<number>): void {
    participant.body.shorten?.(share, shift, this.#dt);
    this.#state.load(participant);
  }

  /** The vertices that a round moves: those of contacts, and all of a body that keeps its shape. */
  #gather(vertices: Uint32Array): number[] {
    const slots = this.#slots;
    const members: number[] = [];
    const join = (vertex: number) => {
      if (slots[vertex] > 0) return;
      slots[vertex] = members.push(vertex);
    };
    for (const vertex of vertices) {
      if (!this.#isMember(vertex)) continue;
      const { body, offset } = this.#participantOf(vertex);
      if (body.self) join(vertex);
      else if (slots[vertex] === 0) for (let i = 0; i < body.vertexCount; i++) join(offset + i);
    }
    return members;
  }

  /** Stops the edge neighbours of standing vertices. */
  #spread(): void {
    const restraints = this.#restraints;
    const joining: number[] = [];
    for (const { body, offset } of this.#state.participants) {
      if (body.kind !== 'dynamic') continue;
      const { indices } = body;
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [offset + indices[i], offset + indices[i + 1], offset + indices[i + 2]];
        if (restraints[a] >= STANDS || restraints[b] >= STANDS || restraints[c] >= STANDS)
          joining.push(a, b, c);
      }
    }
    for (const vertex of joining) this.#stop(vertex);
  }

  #stopBody(participant: Participant): void {
    const { body, offset } = participant;
    if (body.kind === 'fixed') return;
    for (let i = 0; i < body.vertexCount; i++) this.#stop(offset + i);
  }

  #stop(vertex: number): void {
    const { start, end } = this.#state;
    if (this.#restraints[vertex] >= STANDS) return;
    const participant = this.#participantOf(vertex);
    const { body, offset } = participant;
    if (body.rigid && this.#restraints[offset] < STANDS) {
      this.#shortenRigid(participant, 0, [0, 0, 0]);
      this.#restraints.fill(STANDS, offset, offset + body.vertexCount);
      participant.end.set(participant.start);
    }
    for (let at = 3 * vertex; at < 3 * vertex + 3; at++) end[at] = start[at];
    this.#restraints[vertex] = STANDS;
    participant.open = true;
  }

  /** The mass of a vertex; its share of the whole if vertices follow a frame. */
  #massOf(vertex: number): number {
    const { body, offset } = this.#participantOf(vertex);
    if (!body.frame) return 1 / body.inverseMass(vertex - offset);
    return body.frame.masses.reduce((sum, mass) => sum + mass, 0) / body.vertexCount;
  }

  #isMember(vertex: number): boolean {
    return this.#participantOf(vertex).body.kind === 'dynamic';
  }

  #participantOf(vertex: number): Participant {
    return this.#state.participants[this.#state.owner[vertex]];
  }

  #refuseStart(vertices: Uint32Array): never {
    const named = Array.from(vertices, (vertex) => {
      const { body, offset } = this.#participantOf(vertex);
      return `${body.name} vertex ${vertex - offset}`;
    });
    throw new ImpingeError('bad-input', `already in contact when the step begins: ${named.join(', ')}`, {
      vertices: named,
    });
  }
}
