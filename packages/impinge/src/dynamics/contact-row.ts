/**
 * The surface vertices of all bodies in one row, and their masses in another, so that contacts, whichever bodies they
 * join, are arithmetic on flat arrays.
 *
 * Masses are the vertices themselves, or the nodes of the frame that the vertices follow.
 * Layout: vertex i of a body is vertex `offset + i` of the row; its coordinates are 3 (offset + i) … of `start` (T0)
 * and `end` (T1). Mass i of a body is `massOffset + i`, where it wants to be at T1 is at 3 (massOffset + i) … of `masses`.
 * Invariant: `start` and `end` are on the float32 grid. Contacts change `masses`; `pushBack` brings `end` up to date.
 */
import { ImpingeError } from '../base/errors.js';
import type { Surface } from '../deform/types.js';
import type { Body } from './body.js';

/** Coordinates beyond this are an explosion, not a scene. */
const LARGEST_COORDINATE = 1e30;

/** A body in the simulation: its place in the rows and its surfaces in the two detectors. */
export interface Participant {
  readonly body: Body;
  /** Surfaces in the detector of proximity and in the one of touching. */
  readonly near: Surface;
  readonly touch: Surface;
  /** Where it was when it came: elements of one body that are close by build are not pushed apart. */
  readonly rest: Float64Array;
  offset: number;
  massOffset: number;
  /** Views into the row. */
  start: Float64Array;
  end: Float64Array;
  /** Whether the surface in `touch` knows of the motion as it is. */
  shown: boolean;
}

export class ContactRow {
  participants: readonly Participant[] = [];
  /** Id of a surface, the same in both detectors → place of its body in `participants`. */
  places: number[] = [];
  vertexCount = 0;
  start = new Float64Array(0);
  end = new Float64Array(0);
  /** The place in `participants` that a vertex belongs to. */
  owner = new Uint32Array(0);
  masses = new Float64Array(0);
  /** Of masses that are in contact. */
  inverseMass = new Float64Array(0);
  /** Masses in contact in this step, each once; the place in `participants` that a mass belongs to. */
  #touched = new Uint32Array(0);
  #touchedCount = 0;
  #isTouched = new Uint8Array(0);
  #massOwner = new Uint32Array(0);
  /** Bodies whose frames relaxed, but whose surfaces have not followed yet. */
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
    this.#touchedCount = 0;
    let offset = 0;
    let massOffset = 0;
    participants.forEach((participant, index) => {
      const { body } = participant;
      this.places[participant.near.id] = index;
      participant.offset = offset;
      participant.massOffset = massOffset;
      participant.shown = false;
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
  }

  /** Takes what a body proposes; throws for what is no place. */
  load(participant: Participant): void {
    const { body, end, massOffset } = participant;
    const { proposed } = body;
    let bad = false;
    for (let i = 0; i < end.length; i++) {
      const x = Math.fround(proposed[i]);
      end[i] = x;
      bad ||= !(Math.abs(x) <= LARGEST_COORDINATE);
    }
    this.masses.set(body.frame?.proposed ?? (body.kind === 'dynamic' ? proposed : end), 3 * massOffset);
    participant.shown = false;
    if (!bad) return;
    const at = proposed.findIndex((x) => !(Math.abs(x) <= LARGEST_COORDINATE));
    throw new ImpingeError(
      Number.isFinite(proposed[at]) ? 'bad-input' : 'non-finite',
      `${body.name}: vertex ${Math.floor(at / 3)} would go to ${'xyz'[at % 3]} = ${proposed[at]}`,
      { object: body.name, vertex: Math.floor(at / 3), value: proposed[at] },
    );
  }

  /** Notes that a mass of a body is in contact; from now on its inverse is known. */
  touch({ body, massOffset }: Participant, mass: number): void {
    const at = massOffset + mass;
    if (this.#isTouched[at] !== 0) return;
    this.#isTouched[at] = 1;
    this.#touched[this.#touchedCount++] = at;
    if (body.kind !== 'dynamic') this.inverseMass[at] = 0;
    else if (body.frame) this.inverseMass[at] = body.frame.masses[mass] > 0 ? 1 / body.frame.masses[mass] : 0;
    else this.inverseMass[at] = body.inverseMass(mass);
  }

  /**
   * Hands bodies what contacts made of their masses. Of those pushed by `least` or more, all relax, or those on frames;
   * returns whether any did. After `none`, `end` is up to date.
   */
  pushBack(relaxing: 'all' | 'frames' | 'none', least = 0): boolean {
    const { participants, masses } = this;
    /** The longest push of each body, by coordinate. */
    const pushed = new Map<Participant, number>();
    for (let i = 0; i < this.#touchedCount; i++) {
      const at = this.#touched[i];
      const participant = participants[this.#massOwner[at]];
      const { body, massOffset } = participant;
      const mass = at - massOffset;
      const proposed = body.frame?.proposed ?? body.proposed;
      const dx = masses[3 * at] - proposed[3 * mass];
      const dy = masses[3 * at + 1] - proposed[3 * mass + 1];
      const dz = masses[3 * at + 2] - proposed[3 * mass + 2];
      if (this.inverseMass[at] === 0 || (dx === 0 && dy === 0 && dz === 0)) continue;
      if (!body.frame) body.push(mass, dx, dy, dz);
      else for (let k = 0; k < 3; k++) proposed[3 * mass + k] = masses[3 * at + k];
      const push = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
      if (push > (pushed.get(participant) ?? 0)) pushed.set(participant, push);
    }
    let relaxed = false;
    for (const [participant, push] of pushed) {
      const { body, massOffset } = participant;
      const { frame } = body;
      const asked = relaxing === 'all' || (relaxing === 'frames' && frame !== undefined);
      const relaxes = asked && push >= least && body.relax !== undefined;
      relaxed ||= relaxes;
      if (relaxes && frame) {
        // its surface can wait: contacts look at the nodes
        body.relax?.();
        this.masses.set(frame.proposed, 3 * massOffset);
        this.#unsettled.add(participant);
      } else {
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
    for (const participant of this.participants) participant.shown = false;
  }
}
