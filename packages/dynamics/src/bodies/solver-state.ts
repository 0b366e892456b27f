/**
 * The solver state: surface vertices of all bodies in one array and their masses in another, so that contacts,
 * whichever bodies they join, are arithmetic on flat arrays.
 *
 * Masses are the vertices themselves, or the nodes of the frame that the vertices follow.
 * Layout: vertex i of a body is vertex `offset + i` of the state; its coordinates are 3 (offset + i) … of `start` (T0)
 * and `end` (T1). Mass i of a body is `massOffset + i`, its proposed position at T1 is at 3 (massOffset + i) … of
 * `masses`.
 * Invariant: `start` and `end` are on the float32 grid. Contacts change `masses`; `pushBack` brings `end` up to date.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { VERTEX_FACE } from '../deform/layout.generated.js';
import type { ContactEvents, Surface } from '../deform/types.js';
import type { Body, Frame } from './body.js';

/** Coordinates beyond this are an explosion, not a scene. */
const LARGEST_COORDINATE = 1e30;

/** A body in the simulation: its place in the solver state and its surface in the detector. */
export interface Participant {
  readonly body: Body;
  readonly surface: Surface;
  /** Where it was when it came: elements of one body that are close by build are not pushed apart. */
  readonly rest: Float64Array;
  offset: number;
  massOffset: number;
  /** Views into the solver state. */
  start: Float64Array;
  end: Float64Array;
  /** Where the body wants its masses: x, y, z of the frame or of the surface. */
  readonly wanted: Float64Array;
  /** The node that each vertex follows most closely, if there is a frame. */
  readonly leaders: Uint32Array | undefined;
  /** Whether its motion has changed since the detector looked at it, or was not free of contacts then. */
  open: boolean;
}

export class SolverState {
  participants: readonly Participant[] = [];
  /** Id of a surface → place of its body in `participants`. */
  places: number[] = [];
  vertexCount = 0;
  start = new Float64Array(0);
  end = new Float64Array(0);
  /** The place in `participants` that a vertex belongs to. */
  owner = new Uint32Array(0);
  masses = new Float64Array(0);
  /** As pushes feel them, of masses that are in contact. */
  inverseMass = new Float64Array(0);
  /** Masses in contact in this step, each once; the place in `participants` that a mass belongs to. */
  #touched = new Uint32Array(0);
  #touchedCount = 0;
  #isTouched = new Uint8Array(0);
  #massOwner = new Uint32Array(0);
  /** By place: the longest push in hand, by coordinate; 0 outside `pushBack`. Places with one. */
  #longestPush = new Float64Array(0);
  #pushed = new Uint32Array(0);
  /** Bodies with relaxed frames whose surfaces have not followed yet. */
  readonly #unsettled = new Set<Participant>();

  /** Gives every body its place; all stand where they are. */
  layOut(participants: readonly Participant[]): void {
    const massesOf = ({ frame, vertexCount }: Body) => frame?.masses.length ?? vertexCount;
    const massCount = participants.reduce((sum, { body }) => sum + massesOf(body), 0);
    this.participants = participants;
    this.vertexCount = participants.reduce((sum, { body }) => sum + body.vertexCount, 0);
    this.start = new Float64Array(3 * this.vertexCount);
    this.end = new Float64Array(3 * this.vertexCount);
    this.owner = new Uint32Array(this.vertexCount);
    this.masses = new Float64Array(3 * massCount);
    this.inverseMass = new Float64Array(massCount);
    this.#touched = new Uint32Array(massCount);
    this.#isTouched = new Uint8Array(massCount);
    this.#massOwner = new Uint32Array(massCount);
    this.#longestPush = new Float64Array(participants.length);
    this.#pushed = new Uint32Array(participants.length);
    this.#touchedCount = 0;
    let offset = 0;
    let massOffset = 0;
    participants.forEach((participant, index) => {
      const { body } = participant;
      this.places[participant.surface.id] = index;
      participant.offset = offset;
      participant.massOffset = massOffset;
      participant.open = true;
      participant.start = this.start.subarray(3 * offset, 3 * (offset + body.vertexCount));
      participant.end = this.end.subarray(3 * offset, 3 * (offset + body.vertexCount));
      participant.start.set(body.positions);
      participant.end.set(body.positions);
      if (body.kind === 'fixed') this.masses.set(body.positions, 3 * massOffset);
      this.owner.fill(index, offset, offset + body.vertexCount);
      this.#massOwner.fill(index, massOffset, massOffset + massesOf(body));
      offset += body.vertexCount;
      massOffset += massesOf(body);
    });
  }

  /** Forgets the contacts of the last step. */
  begin(): void {
    for (let i = 0; i < this.#touchedCount; i++) this.#isTouched[this.#touched[i]] = 0;
    this.#touchedCount = 0;
    this.#unsettled.clear();
    for (const participant of this.participants) participant.open = false;
  }

  /** Loads a body's proposal; throws if it is not finite. */
  load(participant: Participant): void {
    const { body, end, massOffset } = participant;
    const { proposed } = body;
    let bad = false;
    let changed = false;
    for (let i = 0; i < end.length; i++) {
      const x = Math.fround(proposed[i]);
      changed ||= x !== end[i];
      end[i] = x;
      bad ||= !(Math.abs(x) <= LARGEST_COORDINATE);
    }
    this.masses.set(body.frame?.proposed ?? (body.kind === 'dynamic' ? proposed : end), 3 * massOffset);
    participant.open ||= changed;
    if (!bad) return;
    const at = proposed.findIndex((x) => !(Math.abs(x) <= LARGEST_COORDINATE));
    throw new ImpingeError(
      Number.isFinite(proposed[at]) ? 'bad-input' : 'non-finite',
      `${body.name}: vertex ${Math.floor(at / 3)} would go to ${'xyz'[at % 3]} = ${proposed[at]}`,
      { object: body.name, vertex: Math.floor(at / 3), value: proposed[at] },
    );
  }

  /** The gap of an event's elements along its normal, with vertices at `x` (`start` or `end`). */
  gap({ kinds, surfaces, vertices, weights, normals }: ContactEvents, e: number, x: Float64Array): number {
    const first = this.participants[this.places[surfaces[2 * e]]].offset;
    const second = this.participants[this.places[surfaces[2 * e + 1]]].offset;
    const u = weights[2 * e];
    const v = weights[2 * e + 1];
    const vertexFace = kinds[e] === VERTEX_FACE;
    const a0 = vertexFace ? 1 : 1 - u;
    const a1 = vertexFace ? u + v - 1 : u;
    const a2 = vertexFace ? -u : v - 1;
    const v0 = 3 * (first + vertices[4 * e]);
    const v1 = 3 * ((vertexFace ? second : first) + vertices[4 * e + 1]);
    const v2 = 3 * (second + vertices[4 * e + 2]);
    const v3 = 3 * (second + vertices[4 * e + 3]);
    return (
      normals[3 * e] * (a0 * x[v0] + a1 * x[v1] + a2 * x[v2] - v * x[v3]) +
      normals[3 * e + 1] * (a0 * x[v0 + 1] + a1 * x[v1 + 1] + a2 * x[v2 + 1] - v * x[v3 + 1]) +
      normals[3 * e + 2] * (a0 * x[v0 + 2] + a1 * x[v1 + 2] + a2 * x[v2 + 2] - v * x[v3 + 2])
    );
  }

  /** Marks a mass of a body as in contact; from now on its inverse is known. */
  touch({ body, massOffset }: Participant, mass: number): void {
    const at = massOffset + mass;
    if (this.#isTouched[at] !== 0) return;
    this.#isTouched[at] = 1;
    this.#touched[this.#touchedCount++] = at;
    if (body.kind !== 'dynamic') this.inverseMass[at] = 0;
    else if (body.frame) this.inverseMass[at] = body.frame.masses[mass] > 0 ? 1 / body.frame.masses[mass] : 0;
    else this.inverseMass[at] = body.inverseMassFelt?.(mass) ?? body.inverseMass(mass);
  }

  /**
   * Passes the contacts' changes of masses to bodies. Of the bodies pushed by `least` or more, all relax, or those on
   * frames; returns whether any did. After `none`, `end` is up to date.
   */
  pushBack(relaxing: 'all' | 'frames' | 'none', least = 0): boolean {
    const { participants, masses, inverseMass } = this;
    const longest = this.#longestPush;
    let pushedCount = 0;
    for (let i = 0; i < this.#touchedCount; i++) {
      const at = this.#touched[i];
      if (inverseMass[at] === 0) continue;
      const place = this.#massOwner[at];
      const { body, massOffset, wanted } = participants[place];
      const k = 3 * (at - massOffset);
      const dx = masses[3 * at] - wanted[k];
      const dy = masses[3 * at + 1] - wanted[k + 1];
      const dz = masses[3 * at + 2] - wanted[k + 2];
      if (dx === 0 && dy === 0 && dz === 0) continue;
      if (body.frame) {
        wanted[k] = masses[3 * at];
        wanted[k + 1] = masses[3 * at + 1];
        wanted[k + 2] = masses[3 * at + 2];
      } else body.push(at - massOffset, dx, dy, dz);
      if (longest[place] === 0) this.#pushed[pushedCount++] = place;
      longest[place] = Math.max(longest[place], Math.abs(dx), Math.abs(dy), Math.abs(dz));
    }
    let relaxed = false;
    for (let i = 0; i < pushedCount; i++) {
      const place = this.#pushed[i];
      const participant = participants[place];
      const { body, massOffset } = participant;
      const { frame } = body;
      const asked = relaxing === 'all' || (relaxing === 'frames' && frame !== undefined);
      const relaxes = asked && longest[place] >= least && body.relax !== undefined;
      longest[place] = 0;
      relaxed ||= relaxes;
      if (relaxes && frame) {
        // its surface can wait: contacts look at the nodes
        body.relax?.();
        masses.set(frame.proposed, 3 * massOffset);
        this.#unsettled.add(participant);
      } else {
        if (relaxing === 'none' && body.rigid) body.relax?.();
        body.settle();
        if (relaxes) body.relax?.();
        this.load(participant);
        this.#unsettled.delete(participant);
      }
    }
    if (relaxing === 'none') {
      for (const participant of this.#unsettled) {
        participant.body.settle();
        this.load(participant);
      }
      this.#unsettled.clear();
    }
    return relaxed;
  }

  /** Makes the ends of the step the start of the next. */
  advance(): void {
    this.start.set(this.end);
  }

  /** Gives the step up. */
  retreat(): void {
    this.end.set(this.start);
    for (const participant of this.participants) participant.open = true;
  }
}

/** The node of the largest weight, of each vertex of a frame. */
export function leadersOf({ start, nodes, weights }: Frame): Uint32Array {
  return Uint32Array.from({ length: start.length - 1 }, (_, vertex) => {
    let best = start[vertex];
    for (let i = best + 1; i < start[vertex + 1]; i++) if (weights[i] > weights[best]) best = i;
    return nodes[best];
  });
}
