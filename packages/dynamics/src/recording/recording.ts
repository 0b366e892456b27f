/**
 * A run of a simulation as a GLB: an animation that any glTF viewer plays, and that `impinge view` replays with its
 * contacts and with the bodies that sleep. Bodies are its parts, and appear and disappear with their bodies.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readFunction, readKnown } from 'impinge/internal/base/options.js';
import type { Body } from '../bodies/body.js';
import { RigidBody } from '../bodies/rigid-body.js';
import { ShapeMatchingBody } from '../bodies/shape-matching.js';
import type { Simulation } from '../bodies/simulation.js';
import { type FrameNotes, GlbRecording, type LatticeShape, type RigidSurface } from './glb-recording.js';
import { latticeSkin } from './lattice-skin.js';

/** The appearance of a body. */
export interface BodyLook {
  /** Red, green, blue from 0 to 1. */
  readonly colour: readonly [number, number, number];
  /** Visible from both sides, like cloth. Default false. */
  readonly doubleSided?: boolean;
  /** Drawn instead of a surface that is not in memory: of rigid bodies as modelled, of scenery in place. */
  readonly surface?: { readonly positions: Float32Array; readonly indices: Uint32Array };
}

export interface RecordingOptions {
  /** By default bodies that move have colours that can be told apart, and scenery is grey. */
  readonly lookOf?: (body: Body) => BodyLook;
}

/** Floors and trays. */
export const NEUTRAL = [0.78, 0.78, 0.76] as const;
/** Distinguishable with colour blindness. */
export const PALETTE = [
  [0.9, 0.38, 0.26],
  [0.25, 0.55, 0.78],
  [0.96, 0.74, 0.28],
  [0.35, 0.66, 0.45],
  [0.62, 0.42, 0.7],
  [0.93, 0.55, 0.62],
  [0.3, 0.68, 0.7],
] as const;

export class Recording {
  readonly #simulation: Simulation;
  readonly #glb = new GlbRecording();
  readonly #lookOf: (body: Body) => BodyLook;
  readonly #parts = new Map<Body, number>();
  readonly #surfaces = new Map<RigidBody['shape'], RigidSurface>();
  readonly #lattices = new Map<ShapeMatchingBody['shape'], LatticeShape>();
  readonly #firstStep: number;
  #lastStep = -1;

  /** With the simulation's option `contactEvents`, contacts are recorded, too. */
  constructor(simulation: Simulation, options: RecordingOptions = {}) {
    const { lookOf } = readKnown('Recording', options, { lookOf: true });
    if (lookOf !== undefined) readFunction('lookOf', lookOf);
    this.#simulation = simulation;
    this.#firstStep = simulation.steps;
    this.#lookOf = lookOf ?? ((body) => this.#usualLook(body));
  }

  /** Frames taken. */
  get frames(): number {
    return this.#glb.frameCount;
  }

  /** Adds the state of all bodies as a frame, at the time that the steps made since the first one took. */
  take(): void {
    const { handles, steps, dt, contactEvents } = this.#simulation;
    if (steps <= this.#lastStep)
      throw new ImpingeError(
        'bad-input',
        `step ${steps} is recorded already: make a step between two frames`,
      );
    this.#lastStep = steps;
    const asleep = new Set<number>();
    const frame = new Map<number, ArrayLike<number>>();
    for (const handle of handles) {
      const { body } = handle;
      const look = this.#parts.has(body) ? undefined : readLook(this.#lookOf(body), body);
      const part = this.#parts.get(body) ?? this.#add(body, look as BodyLook);
      this.#parts.set(body, part);
      if (handle.asleep) asleep.add(part);
      frame.set(part, numbersOf(body));
    }
    const contacts = contactEvents ? this.#simulation.contacts() : [];
    const points = contacts.flatMap((contact) => contact.points.flatMap(({ point }) => [...point]));
    const notes: FrameNotes = { asleep, ...(contactEvents && { contacts: Float32Array.from(points) }) };
    this.#glb.addFrame(dt * (steps - this.#firstStep), frame, notes);
  }

  /** The file, in pieces. */
  chunks(): readonly Uint8Array[] {
    return this.#glb.chunks();
  }

  /** The file at once. */
  toBytes(): Uint8Array {
    const chunks = this.chunks();
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  #usualLook({ kind }: Body): BodyLook {
    const colour = kind === 'dynamic' ? PALETTE[this.#parts.size % PALETTE.length] : NEUTRAL;
    return { colour, doubleSided: true };
  }

  #add(body: Body, look: BodyLook): number {
    const { name } = body;
    if (body instanceof RigidBody)
      return this.#glb.addRigid({ ...look, name, shape: this.#surfaceOf(body, look) });
    if (body instanceof ShapeMatchingBody)
      return this.#glb.addLattice({ ...look, name, shape: this.#latticeOf(body) });
    const { positions, indices } = look.surface ?? body;
    const stays = body.kind === 'fixed' || look.surface !== undefined;
    return this.#glb.addPart({ ...look, name, indices, ...(stays && { still: positions }) });
  }

  /** About the centre of mass. */
  #surfaceOf({ shape }: RigidBody, look: BodyLook): RigidSurface {
    let surface = this.#surfaces.get(shape);
    if (!surface) {
      const { centre } = shape.mass;
      const { positions, indices } = look.surface ?? shape;
      const about = Float32Array.from(positions, (x, i) => x - centre[i % 3]);
      surface = { name: shape.name, positions: about, indices };
      this.#surfaces.set(shape, surface);
    }
    return surface;
  }

  #latticeOf(body: ShapeMatchingBody): LatticeShape {
    const shape = this.#lattices.get(body.shape) ?? latticeSkin(body);
    this.#lattices.set(body.shape, shape);
    return shape;
  }
}

/** A look that a file can hold. */
function readLook(look: BodyLook, { name }: Body): BodyLook {
  const colour: unknown = look?.colour;
  const isColour = Array.isArray(colour) && colour.length === 3 && colour.every((x) => x >= 0 && x <= 1);
  if (isColour) return look;
  throw new ImpingeError('bad-option', `lookOf: ${name} needs a colour of three numbers from 0 to 1`, {
    option: 'lookOf',
    object: name,
  });
}

function numbersOf(body: Body): ArrayLike<number> {
  if (body instanceof RigidBody) return [...body.position, ...body.orientation];
  return body instanceof ShapeMatchingBody ? body.nodes : body.positions;
}
