/** Solver states and events made by hand, for tests of contacts without a detector. */
import type { Body } from '../../src/bodies/body.js';
import { leadersOf, type Participant, SolverState } from '../../src/bodies/solver-state.js';
import { EDGE_EDGE, VERTEX_FACE } from '../../src/deform/layout.generated.js';
import type { ContactEvents, Surface } from '../../src/deform/types.js';

export { EDGE_EDGE, VERTEX_FACE };

/** The solver state of some bodies; body i has the surface with the id 10 + i. */
export function solverStateOf(bodies: readonly Body[]): SolverState {
  const state = new SolverState();
  state.layOut(
    bodies.map((body, i): Participant => {
      const surface = { id: 10 + i } as Surface;
      const rest = body.positions.slice();
      return {
        body,
        surface,
        rest,
        offset: 0,
        massOffset: 0,
        start: rest,
        end: rest,
        wanted: body.frame?.proposed ?? body.proposed,
        leaders: body.frame && leadersOf(body.frame),
        open: false,
      };
    }),
  );
  for (const participant of state.participants) state.load(participant);
  return state;
}

export interface EventInput {
  readonly kind: typeof VERTEX_FACE | typeof EDGE_EDGE;
  /** Places of the two bodies in the state. */
  readonly bodies: readonly [number, number];
  readonly vertices: readonly [number, number, number, number];
  readonly weights: readonly [number, number];
  readonly normal: readonly [number, number, number];
  readonly time?: number;
}

export function eventsOf(...inputs: EventInput[]): ContactEvents {
  return {
    count: inputs.length,
    kinds: Uint8Array.from(inputs, ({ kind }) => kind),
    surfaces: Uint32Array.from(inputs.flatMap(({ bodies }) => bodies.map((i) => 10 + i))),
    vertices: Uint32Array.from(inputs.flatMap(({ vertices }) => vertices)),
    faces: new Uint32Array(inputs.length),
    times: Float64Array.from(inputs, ({ time }) => time ?? 0),
    weights: Float64Array.from(inputs.flatMap(({ weights }) => weights)),
    normals: Float64Array.from(inputs.flatMap(({ normal }) => normal)),
    stats: {} as ContactEvents['stats'],
  };
}

/** Mass times displacement, summed up over the vertices of dynamic bodies: momentum times dt. */
export function impulse({ participants, start }: SolverState, end: Float64Array): number[] {
  const sum = [0, 0, 0];
  for (const { body, offset } of participants) {
    if (body.kind !== 'dynamic') continue;
    for (let v = 0; v < body.vertexCount; v++)
      for (let k = 0; k < 3; k++) {
        const at = 3 * (offset + v) + k;
        sum[k] += (end[at] - start[at]) / body.inverseMass(v);
      }
  }
  return sum;
}

/** Mass times squared displacement, summed up: kinetic energy times 2 dt². */
export function action({ participants, start }: SolverState, end: Float64Array): number {
  let sum = 0;
  for (const { body, offset } of participants) {
    if (body.kind !== 'dynamic') continue;
    for (let at = 3 * offset; at < 3 * (offset + body.vertexCount); at++)
      sum += (end[at] - start[at]) ** 2 / body.inverseMass(Math.floor(at / 3) - offset);
  }
  return sum;
}
