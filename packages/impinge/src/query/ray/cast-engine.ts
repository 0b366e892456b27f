/**
 * A ray against what is handed out in parts, such as a stored model.
 *
 * Idea: parts are asked for in the order in which the ray enters their boxes, until what was met lies before the next. Of an engine that
 * knows no such order, the ray's way through its box is cut into stretches, and the parts near each are asked for. The boxes that parts are walked by are freed again, so that the engine's cap of memory
 * holds.
 */
import { writeWorldBox } from '../../scene/world-box.js';
import type { EnginePart, QueryEngine } from '../pair/engine.js';
import { dropBoxTree } from './box-tree.js';
import { Mode } from './cast.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { entersBox } from './ray-box.js';
import { type Ray, type RayAsk, WORLD, writeOne } from './ray-input.js';

export interface EngineRayHit extends RayHit {
  /** What was met; the triangle is numbered within the piece. */
  readonly object: number;
  readonly piece: number;
}

const STRETCHES = 16;

/** All hits, or the first or any if there is one; at the same distance, objects and pieces are in order. */
export async function castEngine(engine: QueryEngine, ray: Ray, ask: RayAsk): Promise<EngineRayHit[]> {
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD.local, WORLD.origin, numbers, 0);
  const hits: EngineRayHit[] = [];
  let atMost = Math.min(ask.atMost, numbers[7]);
  const parts = engine.partsBy
    ? engine.partsBy(
        (boxes, at) => entersBox(numbers, boxes, at),
        () => atMost,
      )
    : partsAlong(engine, numbers, () => atMost);
  for await (const { object, piece, mesh, pose } of parts) {
    try {
      for (const hit of castMesh(mesh, ray, { ...ask, atMost }, pose)) {
        hits.push({ ...hit, object, piece });
        if (ask.mode === Mode.any) return hits;
        if (ask.mode === Mode.first) atMost = Math.min(atMost, hit.distance);
      }
    } finally {
      dropBoxTree(mesh);
    }
  }
  return hits.sort(
    (p, q) => p.distance - q.distance || p.object - q.object || p.piece - q.piece || p.triangle - q.triangle,
  );
}

/** The parts that a ray may meet up to a distance, by boxes around stretches of it. */
async function* partsAlong(
  engine: QueryEngine,
  ray: Float64Array,
  atMost: () => number,
): AsyncGenerator<EnginePart> {
  const seen = new Set<string>();
  const box = new Float64Array(6);
  for (const { near, from } of stretchesOf(engine, ray)) {
    if (from > atMost()) return;
    for await (const part of engine.parts(near, () => 0)) {
      const name = `${part.object} ${part.piece}`;
      if (seen.has(name)) continue;
      seen.add(name);
      writeWorldBox(part.mesh, part.pose, box, 0);
      const enters = entersBox(ray, box, 0);
      if (enters <= atMost() && enters < Infinity) yield part;
    }
  }
}

/** Boxes around the stretches of the ray within the engine's box, and how far away they begin. */
function* stretchesOf(
  { box: { min, max } }: QueryEngine,
  ray: Float64Array,
): Generator<{ near: Float64Array; from: number }> {
  const whole = Float64Array.of(...min, ...max);
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const enters = entersBox(ray, whole, 0);
  if (!(enters <= ray[7] && enters < Infinity)) return;
  const length = Math.hypot(ray[3], ray[4], ray[5]);
  // past the box at the latest; √3 is below 1.8
  const leaves = Math.min(ray[7], enters + 1.8 * size);
  const slack = 1e-9 * (size + Math.max(...whole.map(Math.abs), Math.abs(enters) * Number.EPSILON * 2 ** 20));
  for (let i = 0; i < STRETCHES; i++) {
    const at = (share: number) => enters + (leaves - enters) * share;
    const [from, to] = [at(i / STRETCHES), at((i + 1) / STRETCHES)];
    const near = new Float64Array(6);
    for (let k = 0; k < 3; k++) {
      const [a, b] = [from, to].map((distance) => ray[k] + (distance / length) * ray[3 + k]);
      near[k] = Math.min(a, b) - slack;
      near[3 + k] = Math.max(a, b) + slack;
    }
    yield { near, from };
  }
}
