/** A group's meshes, from its finest to its coarsest, in one: vertices that vanish, and what they become. */

/** A step that can be used: the mesh after so many collapses, and how far it may be from the originals. */
export interface Step {
  readonly collapses: number;
  readonly triangles: number;
  /** How many vertices have not vanished yet; some of them may be made by later collapses only. */
  readonly vertices: number;
  /** No original point that the mesh stands for is farther from it. */
  readonly out: number;
  /** No point of the mesh is farther from the originals. */
  readonly in: number;
}

export interface ProgressiveMesh {
  /** Vertices in the order in which they vanish, backwards: at a step there are the first so many. */
  readonly positions: Float32Array;
  /** What each vertex becomes when it vanishes: one before it; of those that are left at the end, itself. */
  readonly parents: Uint16Array;
  /** Corners of the finest mesh. */
  readonly indices: Uint16Array;
  /** Per triangle: the first step that does not have it. */
  readonly deaths: Uint8Array;
  readonly steps: readonly Step[];
}

/** The mesh at one of the steps, with the vertices it uses. Triangles keep their order. */
export function meshAt(
  { parents, indices, deaths, positions, steps }: ProgressiveMesh,
  step: number,
): { positions: Float32Array; indices: Uint32Array } {
  const { vertices, triangles } = steps[step];
  const stands = new Uint16Array(parents.length);
  for (let v = 0; v < stands.length; v++) stands[v] = v < vertices ? v : stands[parents[v]];
  const local = new Int32Array(vertices).fill(-1);
  const places = new Float32Array(3 * vertices);
  const corners = new Uint32Array(3 * triangles);
  let used = 0;
  let at = 0;
  for (let t = 0; t < deaths.length; t++) {
    if (deaths[t] <= step) continue;
    for (let k = 0; k < 3; k++) {
      const v = stands[indices[3 * t + k]];
      if (local[v] < 0) {
        for (let c = 0; c < 3; c++) places[3 * used + c] = positions[3 * v + c];
        local[v] = used++;
      }
      corners[at++] = local[v];
    }
  }
  return { positions: places.slice(0, 3 * used), indices: corners };
}
