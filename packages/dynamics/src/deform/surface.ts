/**
 * A surface of a detector: checked copies of the caller's arrays, and its place in the numbering of all surfaces.
 *
 * Positions are on the heap until the detector numbers its surfaces (surface-table.ts), and from then on in the arena.
 * Invariant: positions are finite and at most LARGEST in magnitude; a call that throws changes nothing.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readBag, readChoice, readInteger } from 'impinge/internal/base/options.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import { type InnerOrder, innerOrderOf } from './inner-order.js';
import { type Topology, topologyOf } from './topology.js';
import type { StandingSurface, Surface, SurfaceInput, SurfaceKind } from './types.js';

/** Larger coordinates are treated as a simulation that exploded; sums of three stay far inside float32. */
const LARGEST = 1e30;

const KINDS: readonly SurfaceKind[] = ['deforming', 'rigid', 'static'];
const LARGEST_GROUP = 0xffffff;

/** The detector, as its surfaces see it. */
export interface SurfaceHost {
  /** Throws if the detector cannot be changed now. */
  beforeChange(): void;
  /** Triangles were exchanged. */
  layOutAgain(surface: DeformableSurface): void;
  drop(surface: DeformableSurface): void;
}

export class DeformableSurface implements Surface, StandingSurface {
  readonly id: number;
  readonly name: string;
  readonly kind: SurfaceKind;
  readonly self: boolean;
  readonly collisionGroup: number;
  indices!: Uint32Array;
  topology!: Topology;
  #inner: InnerOrder | undefined;
  #vertexCount = 0;
  #revision = 0;
  #startAt = 0;
  #endAt = 0;
  #heap: { start: Float64Array; end: Float64Array } | undefined;
  #host: SurfaceHost | undefined;

  constructor(id: number, input: SurfaceInput, host: SurfaceHost) {
    this.id = id;
    readBag(input);
    this.name = input.name ?? `surface ${id}`;
    if (typeof this.name !== 'string')
      throw new ImpingeError('bad-input', `the name of surface ${id} must be a string`);
    this.kind = input.kind ?? 'deforming';
    readChoice(`${this.name}: kind`, this.kind, KINDS);
    this.self = this.kind !== 'static' && (input.self ?? this.kind === 'deforming');
    this.collisionGroup = readInteger(
      `${this.name}: collisionGroup`,
      input.collisionGroup ?? 0,
      0,
      LARGEST_GROUP,
    );
    this.#take(input.positions, input.indices);
    this.#host = host;
  }

  get vertexCount(): number {
    return this.#vertexCount;
  }

  get triangleCount(): number {
    return this.indices.length / 3;
  }

  get revision(): number {
    return this.#revision;
  }

  moveTo(given: ArrayLike<number>): void {
    this.#beforeMove();
    const end = this.#steady(given, 'end');
    this.#check(end, 'end');
    const now = this.end();
    this.start().set(now);
    now.set(end);
    this.#revision++;
  }

  setStep(givenStart: ArrayLike<number>, givenEnd: ArrayLike<number>): void {
    this.#beforeMove();
    const start = this.#steady(givenStart, 'start');
    const end = this.#steady(givenEnd, 'end');
    this.#check(start, 'start');
    this.#check(end, 'end');
    this.start().set(start);
    this.end().set(end);
    this.#revision++;
  }

  setTopology(positions: ArrayLike<number>, indices: ArrayLike<number>): void {
    this.#alive().beforeChange();
    this.#take(positions, indices);
    this.#alive().layOutAgain(this);
  }

  remove(): void {
    const host = this.#alive();
    host.beforeChange();
    this.#host = undefined;
    host.drop(this);
  }

  /** How kernels number it; found when first asked for. */
  get inner(): InnerOrder {
    this.#inner ??= innerOrderOf(this.start(), this.indices, this.topology.owned);
    return this.#inner;
  }

  /** x, y, z at the start of the step. Stale after the next allocation in the arena. */
  start(): Float64Array {
    return this.#heap ? this.#heap.start : this.#inArena(this.#startAt);
  }

  /** x, y, z at the end of the step. Stale after the next allocation in the arena. */
  end(): Float64Array {
    return this.#heap ? this.#heap.end : this.#inArena(this.#endAt);
  }

  /** From now on positions are at these byte offsets, to which they have been copied. */
  settle(startAt: number, endAt: number): void {
    this.#startAt = startAt;
    this.#endAt = endAt;
    this.#heap = undefined;
  }

  #inArena(at: number): Float64Array {
    return arena()
      .f64()
      .subarray(at >>> 3, (at >>> 3) + 3 * this.#vertexCount);
  }

  #alive(): SurfaceHost {
    if (this.#host) return this.#host;
    throw new ImpingeError('removed', `${this.name} was removed`, { object: this.name });
  }

  #beforeMove(): void {
    this.#alive().beforeChange();
    if (this.kind !== 'static') return;
    throw new ImpingeError('bad-input', `${this.name} is static and cannot move`, { object: this.name });
  }

  /** Numbers that cannot change after they were looked at. */
  #steady(given: ArrayLike<number>, what: string): ArrayLike<number> {
    const numbers = steady(given);
    if (numbers) return numbers;
    throw new ImpingeError('bad-input', `${this.name}: ${what} are not numbers`, { object: this.name });
  }

  #take(givenPositions: ArrayLike<number>, givenIndices: ArrayLike<number>): void {
    const { name } = this;
    const positions = this.#steady(givenPositions, 'positions');
    const indices = this.#steady(givenIndices, 'indices');
    if (positions.length % 3 !== 0 || indices.length % 3 !== 0) {
      const what =
        positions.length % 3 !== 0 ? `${positions.length} coordinates` : `${indices.length} indices`;
      throw new ImpingeError('bad-input', `${name}: ${what} are not a multiple of 3`, { object: name });
    }
    if (indices.length === 0)
      throw new ImpingeError('empty-mesh', `${name} has no triangles`, { object: name });
    const vertexCount = positions.length / 3;
    for (let i = 0; i < indices.length; i++) {
      const v = indices[i];
      if (Number.isInteger(v) && v >= 0 && v < vertexCount) continue;
      const triangle = Math.floor(i / 3);
      throw new ImpingeError(
        'index-out-of-range',
        `${name}: triangle ${triangle} refers to vertex ${v}, but there are ${vertexCount}`,
        { object: name, triangle, vertex: v },
      );
    }
    checkCoordinates(positions, name, 'start');
    const owned = Uint32Array.from(indices);
    const start = Float64Array.from(positions);
    this.topology = topologyOf(vertexCount, owned);
    this.indices = owned;
    this.#inner = undefined;
    this.#vertexCount = vertexCount;
    this.#heap = { start, end: start.slice() };
    this.#revision++;
  }

  #check(positions: ArrayLike<number>, side: 'start' | 'end'): void {
    if (positions.length !== 3 * this.#vertexCount) {
      throw new ImpingeError(
        'bad-input',
        `${this.name}: ${positions.length} coordinates at the ${side} of the step for ${this.#vertexCount} vertices`,
        { object: this.name, side },
      );
    }
    checkCoordinates(positions, this.name, side);
  }
}

function checkCoordinates(positions: ArrayLike<number>, name: string, side: 'start' | 'end'): void {
  let i = positions instanceof Float64Array ? plainPrefix(positions) : 0;
  for (; i < positions.length; i++) {
    const x = positions[i];
    if (isPlain(x)) continue;
    const vertex = Math.floor(i / 3);
    throw new ImpingeError(
      Number.isFinite(x) ? 'bad-input' : 'non-finite',
      `${name}: vertex ${vertex} has the coordinate ${x} at the ${side} of the step`,
      { object: name, vertex, axis: i % 3, side },
    );
  }
}

/** Not for NaN either. */
function isPlain(x: number): boolean {
  return Math.abs(x) <= LARGEST;
}

/** The length of a prefix of valid coordinates; four at a time, since every step checks every vertex. */
function plainPrefix(p: Float64Array): number {
  let i = 0;
  while (i + 4 <= p.length && isPlain(p[i]) && isPlain(p[i + 1]) && isPlain(p[i + 2]) && isPlain(p[i + 3])) {
    i += 4;
  }
  return i;
}
