/**
 * A ray against what is handed out in parts, such as a stored model.
 *
 * Idea: parts are asked for in the order in which the ray enters their boxes, until what was met lies before the next.
 * Of an engine that knows no such order, the ray's way through its box is cut into stretches, and the parts near each
 * are asked for. The boxes that parts are walked by are freed again, so that the engine's cap of memory holds.
 */
import { writeWorldBox } from '../../scene/world-box.js';
import { type EnginePart, placeColumns, type QueryEngine } from '../pair/engine.js';
import { dropBoxTree } from './box-tree.js';
import { compareHits } from './cast.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { hitColumns, type RayHits } from './hit-columns.js';
import { Mode } from './layout.generated.js';
import { entersBox } from './ray-box.js';
import { type Ray, type RayAsk, type RayMode, type Rays, readRays, WORLD, writeOne } from './ray-input.js';

const STRETCHES = 16;

/** All hits, or the first or any if there is one; at the same distance, objects and pieces are in order. */
export async function castEngine(engine: QueryEngine, ray: Ray, ask: RayAsk): Promise<RayHit<QueryEngine>[]> {
  const numbers = new Float64Array(8);
  writeOne(ray, ask, WORLD.local, WORLD.origin, numbers, 0);
  return hitsOf(engine, numbers, ask);
}

/** The same for many rays, one after the other: pieces that several come to stay in the engine's memory meanwhile. */
export async function castEngineMany(
  engine: QueryEngine,
  rays: Rays,
  ask: RayAsk,
): Promise<RayHits<QueryEngine, RayMode>> {
  const { count, write } = readRays(rays, ask);
  // checked and copied before anything is waited for
  const numbers = new Float64Array(8 * count);
  for (let i = 0; i < count; i++) write(i, WORLD, numbers, 8 * i);
  const starts = new Uint32Array(count + 1);
  const found: (RayHit<QueryEngine> | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const hits = await hitsOf(engine, numbers.subarray(8 * i, 8 * i + 8), ask);
    if (ask.mode === Mode.all) for (const hit of hits) found.push(hit);
    else found.push(hits[0]);
    starts[i + 1] = found.length;
  }
  const out = {
    ...hitColumns(found.map((hit) => hit && { ...hit, u: hit.barycentrics[1], v: hit.barycentrics[2] })),
    ...placeColumns(found),
  };
  return ask.mode === Mode.all ? { ...out, starts } : out;
}

/** What a ray, eight numbers, meets. */
async function hitsOf(
  engine: QueryEngine,
  numbers: Float64Array,
  ask: RayAsk,
): Promise<RayHit<QueryEngine>[]> {
  const ray = { origin: numbers.subarray(0, 3), direction: numbers.subarray(3, 6) };
  const hits: RayHit<QueryEngine>[] = [];
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
  return hits.sort((p, q) => compareHits(p, q, p.object - q.object || p.piece - q.piece));
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
