/** A simulation as a demo: one surface per body; bodies may appear and disappear. */
import { type Body, Simulation, type SimulationOptions } from '@impinge/dynamics';
import type { Frame, Look, Running, Surface } from '../protocol.js';

export interface BodyLook {
  readonly colour: number;
  readonly isOpen?: boolean;
}

/** Distinguishable colours, for bodies of one kind. */
export const COLOURS = [0x2f7fb8, 0xd97b29, 0x4c9f70, 0xb8527e, 0x8a6fc2, 0xc9a227, 0x5aa9c9, 0xc0553d];
export const SCENERY = 0xb9c0c8;

/** A frame simulates up to FRAME_S within FRAME_MS, and at least one step. */
const FRAME_S = 1 / 60;
const FRAME_MS = 30;

export class SimulatedDemo implements Running {
  readonly #simulation: Simulation;
  readonly #lookOf: (body: Body) => BodyLook;
  readonly #shown = new Map<number, Body>();

  readonly #look: Look;
  /** Pushes bodies, before every step. */
  readonly #act: () => void;

  constructor(
    bodies: readonly Body[],
    options: SimulationOptions,
    look: Look,
    lookOf: (body: Body) => BodyLook,
    act: () => void = () => {},
  ) {
    this.#look = look;
    this.#act = act;
    this.#simulation = new Simulation({ ...options, now: () => performance.now() });
    this.#lookOf = lookOf;
    for (const body of bodies) this.#simulation.add(body);
  }

  step(): Frame {
    const simulation = this.#simulation;
    const began = performance.now();
    const ms = { solver: 0, detection: 0, response: 0 };
    let steps = 0;
    let contacts = 0;
    let asleep = 0;
    do {
      this.#act();
      const report = simulation.step();
      steps++;
      contacts = report.events;
      asleep = report.asleep;
      for (const stage of ['solver', 'detection', 'response'] as const) ms[stage] += report.ms![stage];
    } while (steps * simulation.dt < FRAME_S && performance.now() - began < FRAME_MS);
    const surfaces = this.#surfaces();
    const bodies = simulation.handles.length;
    return {
      ...surfaces,
      look: this.#look,
      stages: [
        ['solver', ms.solver / steps],
        ['detection', ms.detection / steps],
        ['response', ms.response / steps],
      ],
      figures: [
        ['Time', `${(simulation.steps * simulation.dt).toFixed(2)} s`],
        ['Bodies', asleep > 0 ? `${bodies}, ${asleep} asleep` : String(bodies)],
        ['Contacts', contacts.toLocaleString('en')],
        ['A step', `${((performance.now() - began) / steps).toFixed(1)} ms`],
      ],
    };
  }

  #surfaces(): { surfaces: Surface[]; gone: number[] } {
    const surfaces: Surface[] = [];
    const present = new Set<number>();
    for (const { id, body } of this.#simulation.handles) {
      present.add(id);
      const isNew = !this.#shown.has(id);
      if (!isNew && body.kind === 'fixed') continue;
      this.#shown.set(id, body);
      surfaces.push({
        id,
        positions: Float32Array.from(body.positions),
        ...(isNew && { indices: body.indices.slice(), ...this.#lookOf(body) }),
      });
    }
    const gone = [...this.#shown.keys()].filter((id) => !present.has(id));
    for (const id of gone) this.#shown.delete(id);
    return { surfaces, gone };
  }

  dispose(): void {
    this.#simulation.dispose();
  }
}
