/** Takes frames of a simulation: bodies become parts of a recording, and come and go with their bodies. */
import type { Body } from 'impinge/dynamics';
import { GlbRecording, type LatticeShape, type PartLook } from '../reports/glb-recording.js';

/** How a body is shown. Bodies in lattices are shown by their nodes. */
export interface BodyLook extends PartLook {
  readonly lattice?: { readonly shape: LatticeShape; readonly nodes: () => ArrayLike<number> };
}

export class SimulationRecorder {
  readonly recording: GlbRecording;
  readonly #lookOf: (body: Body) => BodyLook;
  readonly #parts = new Map<Body, number>();

  constructor(secondsPerFrame: number, lookOf: (body: Body) => BodyLook) {
    this.recording = new GlbRecording(secondsPerFrame);
    this.#lookOf = lookOf;
  }

  /** Adds the bodies as they are now. */
  take(bodies: readonly Body[]): void {
    const frame = new Map<number, ArrayLike<number>>();
    for (const body of bodies) {
      const look = this.#lookOf(body);
      let part = this.#parts.get(body);
      if (part === undefined) {
        part = look.lattice
          ? this.recording.addLattice({ ...look, shape: look.lattice.shape })
          : this.recording.addPart({ ...look, indices: body.indices, moves: body.kind !== 'fixed' });
        this.#parts.set(body, part);
      }
      frame.set(part, look.lattice?.nodes() ?? body.positions);
    }
    this.recording.addFrame(frame);
  }
}
