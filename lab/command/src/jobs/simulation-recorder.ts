/** Records frames of a simulation: bodies become parts of a recording, and appear and disappear with their bodies. */
import type { Body, RigidBody } from '@impinge/dynamics';
import {
  GlbRecording,
  type LatticeShape,
  type PartLook,
  type RigidSurface,
} from '../reports/glb-recording.js';

/** The appearance of a body. Bodies in lattices are drawn by their nodes. */
export interface BodyLook extends PartLook {
  /** Drawn instead of a surface that is not in memory: of rigid bodies as modelled, of scenery in place. */
  readonly surface?: { readonly positions: Float32Array; readonly indices: Uint32Array };
  readonly lattice?: { readonly shape: LatticeShape; readonly nodes: () => ArrayLike<number> };
}

export class SimulationRecorder {
  readonly recording: GlbRecording;
  readonly #lookOf: (body: Body) => BodyLook;
  readonly #parts = new Map<Body, number>();
  readonly #surfaces = new Map<RigidBody['shape'], RigidSurface>();

  constructor(secondsPerFrame: number, lookOf: (body: Body) => BodyLook) {
    this.recording = new GlbRecording(secondsPerFrame);
    this.#lookOf = lookOf;
  }

  /** Adds the bodies' current state. */
  take(bodies: readonly Body[]): void {
    const frame = new Map<number, ArrayLike<number>>();
    for (const body of bodies) {
      const look = this.#lookOf(body);
      const part = this.#parts.get(body) ?? this.#add(body, look);
      this.#parts.set(body, part);
      frame.set(
        part,
        isRigid(body)
          ? [...body.position, ...body.orientation]
          : (look.lattice?.nodes() ?? look.surface?.positions ?? body.positions),
      );
    }
    this.recording.addFrame(frame);
  }

  #add(body: Body, look: BodyLook): number {
    const { recording } = this;
    if (isRigid(body)) return recording.addRigid({ ...look, shape: this.#surfaceOf(body, look) });
    if (look.lattice) return recording.addLattice({ ...look, shape: look.lattice.shape });
    const { indices } = look.surface ?? body;
    return recording.addPart({ ...look, indices, moves: body.kind !== 'fixed' });
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
}

function isRigid(body: Body): body is RigidBody {
  return body.rigid === true;
}
