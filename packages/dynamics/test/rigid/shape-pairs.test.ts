/** Contacts, distances and free motions of shapes, compared with the distance of convex solids. */
import { distance, Mesh } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { Primitive } from 'impinge/internal/query/shape/primitive.js';
import { shapeDistance } from 'impinge/internal/query/shape/shape-distance.js';
import type { Shape, WorldShape } from 'impinge/internal/query/shape/shape-input.js';
import { describe, expect, test } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { turnAt, writeMatrix } from '../../src/bodies/rotation.js';
import type { BodyShape, ContactEngine } from '../../src/rigid/contact-engine.js';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import { chooseEngine } from '../../src/rigid/engines/choose-engine.js';
import { relativePose } from '../../src/rigid/engines/pair-motion.js';
import { StepLevels } from '../../src/rigid/engines/step-levels.js';
import { NORMAL, POINT_A, POINT_B } from '../../src/rigid/exact/layout.generated.js';
import { readSolid, type SolidShape } from '../../src/rigid/shapes/read-solid.js';
import { cylinder } from './rigid-scenes.js';

const RADIUS = 0.25;
const SHAPES: Record<string, SolidShape> = {
  sphere: { centre: [0, 0, 0], radius: RADIUS },
  capsule: { from: [0, 0, -0.375], to: [0, 0, 0.375], radius: RADIUS },
  cylinder: { bottom: [0, -0.375, 0], top: [0, 0.375, 0], radius: RADIUS },
  box: { min: [-0.25, -0.125, -0.5], max: [0.25, 0.125, 0.5] },
  hull: { points: [-0.5, -0.25, -0.25, 0.5, -0.25, -0.25, 0, -0.25, 0.5, 0, 0.5, 0] },
};
const KINDS = Object.keys(SHAPES);
const PAIRS = KINDS.flatMap((a, i) => KINDS.slice(i).map((b) => [a, b] as const));
/** Of the radius: the prism of a cylinder is so much wider. */
const WIDER = 1 / Math.cos(Math.PI / 128) - 1 + 1e-6;

function pairOf(a: string, b: string) {
  const shapes = [a, b].map(
    (kind) => readSolid(SHAPES[kind], kind).shape?.contactShape([0, 0, 0]) as BodyShape,
  );
  const engine = chooseEngine({ engine: 'auto', error: 0, thickness: 0.01, step: new StepLevels() })(
    shapes[0],
    shapes[1],
  );
  const solids = [a, b].map(solidOf);
  const apart = (p: Float64Array, q: Float64Array) => distanceOf(solids[0], p, solids[1], q);
  const off = [a, b].filter((kind) => kind === 'cylinder').length * WIDER * RADIUS + 1e-9;
  return { shapes, engine, apart, off };
}

/** The true solid; a cylinder as a prism of many sides. */
function solidOf(kind: string): Primitive | Mesh {
  if (kind !== 'cylinder') return new Primitive(SHAPES[kind] as Shape);
  return Mesh.from(cylinder(RADIUS, 0.75, 1024));
}

function distanceOf(a: Primitive | Mesh, p: Float64Array, b: Primitive | Mesh, q: Float64Array): number {
  const [poseA, poseB] = [p, q].map((pose) => ({
    rotation: pose.subarray(0, 9),
    translation: pose.subarray(9),
  }));
  if (a instanceof Primitive) {
    if (b instanceof Primitive) return a.gap(p, b.placed(q)).distance;
    return shapeDistance(b, worldOf(a.placed(p)), { pose: poseB })?.distance ?? Infinity;
  }
  if (b instanceof Primitive)
    return shapeDistance(a, worldOf(b.placed(q)), { pose: poseA })?.distance ?? Infinity;
  return distance(a, b, { poseA, poseB }).distance;
}

function worldOf(shape: WorldShape): Shape {
  if (shape.form === 'hull') return { points: shape.points };
  if (shape.form !== 'round') throw new Error(shape.form);
  return { from: shape.axis.slice(0, 3), to: shape.axis.slice(3), radius: shape.radius };
}

/** Random poses of both. */
function poses(random: SeededRandom): [Float64Array, Float64Array] {
  const signed = (size: number) => size * (2 * random.next() - 1);
  const pose = (near: number) =>
    poseOf([signed(1), signed(1), signed(1), signed(1)], [signed(near), signed(near), signed(near)]);
  return [pose(0.1), pose(0.9)];
}

function poseOf(turn: readonly number[], place: readonly number[]): Float64Array {
  const size = Math.hypot(...turn);
  const pose = new Float64Array(12);
  writeMatrix(
    Float64Array.from(turn, (x) => x / size),
    0,
    pose,
    0,
  );
  pose.set(place, 9);
  return pose;
}

/** The gaps of contacts along their normals. */
function gapsOf({ data, round, count }: ContactSet, p: Float64Array): number[] {
  return Array.from({ length: count }, (_, i) => {
    const at = CONTACT_NUMBERS * i;
    let gap = -round[2 * i] - round[2 * i + 1];
    for (let k = 0; k < 3; k++) {
      let place = p[9 + k] - data[at + POINT_A + k];
      for (let l = 0; l < 3; l++) place += p[3 * k + l] * data[at + POINT_B + l];
      gap += data[at + NORMAL + k] * place;
    }
    return gap;
  });
}

function letGo({ shapes, engine }: { shapes: readonly BodyShape[]; engine: ContactEngine }): void {
  engine.dispose?.();
  for (const shape of shapes) shape.dispose();
}

describe.each(PAIRS)('%s and %s, seed 34', (a, b) => {
  test('are as far apart as the solids, and the least gap of their contacts is that', () => {
    const pair = pairOf(a, b);
    const random = new SeededRandom(34);
    const set = new ContactSet();
    let tried = 0;
    for (let run = 0; run < runs(200); run++) {
      const [p, q] = poses(random);
      const apart = pair.apart(p, q);
      if (apart < 0.01 || apart > 0.3) continue;
      tried++;
      const posed = { a: pair.shapes[0], b: pair.shapes[1], pose: relativePose(p, q) };
      const found = pair.engine.distance(posed);
      expect(found).toBeLessThan(apart + 1e-6);
      expect(found).toBeGreaterThan(apart - pair.off - 1e-6);
      pair.engine.contacts(posed, apart + 0.05, set);
      expect(set.atLeast).toBeLessThan(apart + 1e-6);
      const nearest = Math.min(...gapsOf(set, posed.pose));
      expect(Math.abs(nearest - apart)).toBeLessThan(2 * pair.off + 2e-4);
    }
    letGo(pair);
    expect(tried).toBeGreaterThan(least(20));
  });

  test('a free share of a motion is free', () => {
    const pair = pairOf(a, b);
    const random = new SeededRandom(35);
    const signed = (size: number) => size * (2 * random.next() - 1);
    let cut = 0;
    for (let run = 0; run < runs(60); run++) {
      const [fromA, fromB] = poses(random);
      if (!(pair.apart(fromA, fromB) > 0.02)) continue;
      const ways = [0, 1].map(() => ({
        way: [signed(0.4), signed(0.4), signed(0.4)],
        turn: [signed(0.4), signed(0.4), signed(0.4)],
      }));
      const at = (from: Float64Array, { way, turn }: (typeof ways)[0], share: number) => {
        const pose = new Float64Array(12);
        const q = Float64Array.of(0, 0, 0, 1);
        turnAt(q, 0, share * turn[0], share * turn[1], share * turn[2]);
        const by = writeMatrix(q, 0, new Float64Array(9), 0);
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++)
            for (let k = 0; k < 3; k++) pose[3 * i + j] += by[3 * i + k] * from[3 * k + j];
          pose[9 + i] = from[9 + i] + share * way[i];
        }
        return pose;
      };
      const motion = { fromA, toA: at(fromA, ways[0], 1), fromB, toB: at(fromB, ways[1], 1) };
      const free = pair.engine.freeShare(pair.shapes[0], pair.shapes[1], motion, 0.005);
      if (free < 1) cut++;
      for (let i = 0; i <= 20; i++) {
        const share = (free * i) / 20;
        expect(pair.apart(at(fromA, ways[0], share), at(fromB, ways[1], share))).toBeGreaterThan(
          0.005 - 1e-6,
        );
      }
    }
    letGo(pair);
    expect(cut).toBeGreaterThan(least(0));
  });
});
