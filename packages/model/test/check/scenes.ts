/** Random models for checks, and what a check of them must find: every pair measured by itself, over whole meshes. */
import fc from 'fast-check';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { box, icosphere, torusKnot } from '../../../../lab/scenes/index.mjs';
import type { Clash, ClashMeasure } from '../../src/check/clash.js';
import { measurePair, type PairAsk, type PlacedParts } from '../../src/check/measure-pair.js';
import type { StoredModel } from '../../src/store/model.js';
import type { ShapeArrays, SourceObject, SourceShape } from '../../src/store/source.js';
import { named } from '../store/fixtures.js';
import { placedMesh, poseOf } from './support.js';

export interface ArrayShape extends SourceShape {
  readonly geometry: ShapeArrays;
  readonly objects: readonly SourceObject[];
}

const quarter = fc.integer({ min: -8, max: 8 }).map((n) => n / 4);
const size = fc.integer({ min: 1, max: 6 }).map((n) => n / 4);

const geometry = fc.oneof(
  fc.record({ kind: fc.constant('box' as const), size: fc.tuple(size, size, size) }),
  fc.record({ kind: fc.constant('ball' as const), frequency: fc.integer({ min: 1, max: 3 }), radius: size }),
  fc.record({ kind: fc.constant('knot' as const) }),
);

/** Shifted on a grid on which faces coincide, and now and then turned. */
const pose = fc.record({
  shift: fc.tuple(quarter, quarter, quarter),
  axis: fc.constantFrom([1, 0, 0], [0.2, 1, 0], [0.2, 2, 0.5]),
  angle: fc.constantFrom(0, 0, 0.4, Math.PI / 2, 2.1),
});

/** What a random model is made of: shapes with one to four objects each, some of them twice at the same place. */
export const recipes = fc.array(
  fc.record({ geometry, poses: fc.array(pose, { minLength: 1, maxLength: 3 }), twice: fc.nat(5) }),
  { minLength: 2, maxLength: 6 },
);
export type Recipe = typeof recipes extends fc.Arbitrary<infer T> ? T : never;

const KNOT = torusKnot(2, 3, 1, 0.25, 24, 4) as ShapeArrays;

export function shapesOf(recipe: Recipe): ArrayShape[] {
  return recipe.map(({ geometry: own, poses, twice }, i) => ({
    geometry:
      own.kind === 'box'
        ? (box(...own.size) as ShapeArrays)
        : own.kind === 'ball'
          ? (icosphere(own.frequency, own.radius) as ShapeArrays)
          : KNOT,
    objects: (twice === 0 ? [...poses, poses[0]] : poses).map(({ axis, angle, shift }, k) =>
      named(`group ${i % 3}/shape ${i}, object ${k}`, poseOf(axis, angle, shift)),
    ),
  }));
}

/** Every object of a model over its whole mesh, as it went in. Meshes are shared by the objects of a shape. */
export function wholeObjects(model: StoredModel, list: readonly ArrayShape[]): PlacedParts[] {
  let object = 0;
  return list.flatMap(({ geometry: arrays, objects }) => {
    const mesh = Mesh.from(arrays);
    return objects.map(() => {
      const index = object++;
      return { ...placedMesh(mesh, model.pose(index)), box: model.box(index) };
    });
  });
}

export type Measured = ReadonlyMap<string, ClashMeasure>;

/** All clashes of all pairs, by the ids of the two objects. */
export function bruteForce(model: StoredModel, list: readonly ArrayShape[], ask: PairAsk): Measured {
  const objects = wholeObjects(model, list);
  const out = new Map<string, ClashMeasure>();
  for (let i = 0; i < objects.length; i++) {
    for (let j = i + 1; j < objects.length; j++) {
      const measure = measurePair(objects[i], objects[j], ask);
      if (measure) out.set(pairKey(model.object(i).id, model.object(j).id), measure);
    }
  }
  for (const mesh of new Set(objects.flatMap(({ parts }) => parts.meshes))) mesh.dispose();
  return out;
}

export function pairKey(a: string, b: string): string {
  return a < b ? `${a} – ${b}` : `${b} – ${a}`;
}

/** What was found, in an order that does not depend on who found it first. */
export function sorted(clashes: readonly Clash[]): Clash[] {
  return [...clashes].sort((p, q) => (p.id < q.id ? -1 : p.id > q.id ? 1 : 0));
}
