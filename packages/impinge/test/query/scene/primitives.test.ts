/** Primitives in scenes: against shapes and meshes asked one by one, and against each other by projections. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full, least, runs } from '../../../../../test/budget.js';
import {
  closestPoint,
  collideAll,
  collideOne,
  meetsShape,
  nearest,
  nearestPair,
  objectsInShape,
  type Pose,
  Primitive,
  pointInMesh,
  raycast,
  raycastMany,
  Scene,
  type SceneObject,
  type Shape,
  shapeDistance,
  signedDistance,
  sweepShape,
  trianglesInShape,
} from '../../../src/index.js';
import { toRigidPose } from '../../../src/math/pose.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

type Triple = [number, number, number];
const meshes = [cube(1), ball(0.7, 4), mesh(torus(1, 0.3, 12, 8))];
const code = (name: string) => expect.objectContaining({ code: name });

const real = (size: number) => fc.double({ min: -size, max: size, noNaN: true });
const triple = fc.tuple(real(4), real(4), real(4));
const size = fc.double({ min: 0.2, max: 1.5, noNaN: true });
const rotation = fc
  .tuple(real(1), real(1), real(1))
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v) => [...v.map((x) => x / Math.hypot(...v) / Math.SQRT2), Math.SQRT1_2]);
const place = fc.record({ translation: triple, rotation });

/** A primitive, where it is, and the closest point of it to another in the world. */
interface Body {
  readonly shape: Shape;
  readonly pose: { translation: Triple; rotation: number[] };
  readonly project: (p: readonly number[]) => number[];
}

/** In the body's own frame, and back. */
function inFrame(pose: Body['pose'], own: (p: number[]) => number[]): Body['project'] {
  const m = toRigidPose(pose);
  return (p) => {
    const d = p.map((x, k) => x - m[9 + k]);
    const q = own([0, 1, 2].map((k) => m[k] * d[0] + m[3 + k] * d[1] + m[6 + k] * d[2]));
    return [0, 1, 2].map((k) => m[3 * k] * q[0] + m[3 * k + 1] * q[1] + m[3 * k + 2] * q[2] + m[9 + k]);
  };
}

function towards(p: readonly number[], centre: readonly number[], radius: number): number[] {
  const far = Math.hypot(...p.map((x, k) => x - centre[k]));
  return far <= radius ? [...p] : centre.map((c, k) => c + (radius / far) * (p[k] - c));
}

const sphere = fc.tuple(place, size).map(([pose, radius]): Body => {
  return {
    shape: { centre: [0.5, 0, 0], radius },
    pose,
    project: inFrame(pose, (p) => towards(p, [0.5, 0, 0], radius)),
  };
});
const capsule = fc.tuple(place, size, size).map(([pose, radius, long]): Body => {
  const onAxis = (p: number[]) => [0, 0, Math.max(-long, Math.min(long, p[2]))];
  const shape = { from: [0, 0, -long], to: [0, 0, long], radius };
  return { shape, pose, project: inFrame(pose, (p) => towards(p, onAxis(p), radius)) };
});
const cylinder = fc.tuple(place, size, size).map(([pose, radius, long]): Body => {
  const shape = { bottom: [0, 0, -long], top: [0, 0, long], radius };
  const own = ([x, y, z]: number[]) => {
    const share = Math.min(1, radius / Math.hypot(x, y));
    return [share * x, share * y, Math.max(-long, Math.min(long, z))];
  };
  return { shape, pose, project: inFrame(pose, own) };
});
const box = fc.tuple(place, size, size).map(([pose, x, y]): Body => {
  const max = [x, y, 1];
  const shape = { min: max.map((side) => -side), max };
  return {
    shape,
    pose,
    project: inFrame(pose, (p) => p.map((c, k) => Math.max(-max[k], Math.min(max[k], c)))),
  };
});
const plane = place.map((pose): Body => {
  const shape = { normal: [0, 0, 2], offset: -6 };
  return { shape, pose, project: inFrame(pose, ([x, y, z]) => [x, y, Math.min(z, -3)]) };
});
const body = fc.oneof(sphere, capsule, cylinder, box, plane);

/** How far two convex bodies are apart: projecting to and fro comes ever closer to that, from above. */
function byProjections(a: Body, b: Body): number {
  let p = [...a.pose.translation] as number[];
  let last = Infinity;
  for (let i = 0; i < 3000; i++) {
    const q = b.project(p);
    p = a.project(q);
    last = Math.hypot(...p.map((x, k) => x - q[k]));
  }
  return last;
}

const add = (scene: Scene, { shape, pose }: Body) => scene.add(new Primitive(shape), { pose });

/** The shape in the world, as questions about meshes take it. */
function worldShape({ shape, pose }: Body): Shape {
  const m = toRigidPose(pose);
  const moved = (p: readonly number[]) =>
    [0, 1, 2].map((k) => m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2] + m[9 + k]);
  if ('centre' in shape) return { ...shape, centre: moved(Array.from(shape.centre as ArrayLike<number>)) };
  if ('from' in shape)
    return {
      ...shape,
      from: moved(Array.from(shape.from as ArrayLike<number>)),
      to: moved(Array.from(shape.to as ArrayLike<number>)),
    };
  if ('bottom' in shape)
    return {
      ...shape,
      bottom: moved(Array.from(shape.bottom as ArrayLike<number>)),
      top: moved(Array.from(shape.top as ArrayLike<number>)),
    };
  if ('min' in shape) return { ...shape, pose };
  const normal = [0, 1, 2].map((k) => 2 * m[3 * k + 2]);
  return { normal, offset: -6 + normal.reduce((sum, x, k) => sum + x * m[9 + k], 0) };
}

describe('primitives', () => {
  test('meet meshes as shapes do, and are as far (seed 1761)', () => {
    let met = 0;
    const posed = fc
      .tuple(fc.nat(2), place, fc.constantFrom(1, 2, 0.5))
      .map(([i, pose, scale]) => ({ i, pose: { ...pose, scale } }));
    fc.assert(
      fc.property(body, posed, fc.constantFrom(0, 0.3), (solid, { i, pose }, distance) => {
        for (const first of [true, false]) {
          const scene = new Scene();
          const own = first ? add(scene, solid) : undefined;
          const other = scene.add(meshes[i], { pose });
          const primitive = own ?? add(scene, solid);
          const shape = worldShape(solid);
          const apart = shapeDistance(meshes[i], shape, { pose })!;
          const { pairs, complete } = collideAll(scene, { distance });
          const [pair] = nearest(scene, primitive);
          expect(pair.b).toBe(other);
          expect(pair.distance).toBeCloseTo(apart.distance, 9);
          if (Math.abs(apart.distance - distance) < 1e-9 && distance > 0) return;
          expect(pairs.length).toBe(apart.distance <= distance ? 1 : 0);
          expect(collideAll(scene, { distance, mode: 'any' }).count).toBe(pairs.length);
          if (pairs.length === 0) continue;
          met++;
          expect(complete).toBe(true);
          const triangles = Array.from(pairs[0].pairs).filter((_, k) => k % 2 === (first ? 1 : 0));
          if (distance === 0)
            expect(triangles.length).toBe(trianglesInShape(meshes[i], shape, { pose }).length);
          expect(
            Array.from(pairs[0].pairs)
              .filter((_, k) => k % 2 === (first ? 0 : 1))
              .every((t) => t === 0),
          ).toBe(true);
          const one = collideOne(scene, other, { distance });
          expect([one.pairs[0].b, one.pairs[0].count]).toEqual([primitive, pairs[0].count]);
        }
      }),
      { seed: 1761, numRuns: runs(180) },
    );
    expect(met).toBeGreaterThan(least(40));
  });

  full('meet each other, and are as far, as projections say (seed 1762)', () => {
    let apart = 0;
    fc.assert(
      fc.property(body, body, fc.constantFrom(0, 0.5), (p, q, distance) => {
        const scene = new Scene();
        const [a, b] = [add(scene, p), add(scene, q)];
        const [pair] = nearest(scene, a);
        expect(pair.b).toBe(b);
        // two half-spaces that are not parallel meet somewhere, maybe far away
        if (!('normal' in p.shape && 'normal' in q.shape)) {
          const expected = byProjections(p, q);
          expect(pair.distance).toBeLessThanOrEqual(expected + 1e-9);
          expect(pair.distance).toBeGreaterThan(expected - 2e-3);
        } else expect(pair.distance).toBe(0);
        expect(nearestPair(scene)?.distance).toBe(pair.distance);
        expect(collideAll(scene, { distance }).count).toBe(pair.distance <= distance ? 1 : 0);
        expect(collideOne(scene, b, { distance }).count).toBe(pair.distance <= distance ? 1 : 0);
        if (pair.distance === 0) return;
        apart++;
        const [at, to] = [pair.pointA!, pair.pointB!];
        expect(Math.hypot(...at.map((x, k) => x - to[k]))).toBeCloseTo(pair.distance, 9);
        // they are points of the two
        expect(Math.hypot(...p.project(at).map((x, k) => x - at[k]))).toBeLessThan(1e-9);
        expect(Math.hypot(...q.project(to).map((x, k) => x - to[k]))).toBeLessThan(1e-9);
      }),
      { seed: 1762, numRuns: runs(250) },
    );
    expect(apart).toBeGreaterThan(least(60));
  });

  test('have points and shapes near them, inside and out (seed 1764)', () => {
    let inside = 0;
    fc.assert(
      fc.property(body, body, triple, (solid, other, p) => {
        const scene = new Scene();
        const object = add(scene, solid);
        const found = closestPoint(scene, p)!;
        const depth = signedDistance(scene, p);
        const gap = Math.hypot(...solid.project(p).map((x, k) => x - p[k]));
        expect(found.object).toBe(object);
        expect(Math.abs(depth)).toBe(found.distance);
        expect(Math.hypot(...found.point.map((x, k) => x - p[k]))).toBeCloseTo(found.distance, 9);
        expect(Math.hypot(...found.normal)).toBeCloseTo(1, 12);
        if (gap > 1e-9) {
          expect(depth).toBeCloseTo(gap, 9);
          expect(pointInMesh(scene, p)).toBe('outside');
        } else if (found.distance > 1e-9) {
          inside++;
          expect(depth).toBeLessThan(0);
          expect(pointInMesh(scene, p)).toBe('inside');
          // past the closest point it is outside, and nowhere nearer
          const at = (far: number, way: readonly number[]) => p.map((x, k) => x + far * way[k]);
          const outside = (q: number[]) => Math.hypot(...solid.project(q).map((x, k) => x - q[k])) > 1e-12;
          const way = found.point.map((x, k) => (x - p[k]) / found.distance);
          expect(outside(at(found.distance + 1e-6, way))).toBe(true);
          for (const axis of [0, 1, 2])
            for (const sign of [1, -1])
              expect(
                outside(
                  at(
                    found.distance - 1e-9,
                    [0, 1, 2].map((k) => (k === axis ? sign : 0)),
                  ),
                ),
              ).toBe(false);
        }
        const shape = worldShape(other);
        const both = new Scene();
        add(both, other);
        const apart = nearest(both, add(both, solid))[0].distance;
        expect(shapeDistance(scene, shape)!.distance).toBeCloseTo(apart, 9);
        if (apart > 1e-9)
          expect([meetsShape(scene, shape), objectsInShape(scene, shape)]).toEqual([false, []]);
        else if (apart === 0)
          expect(objectsInShape(scene, shape).length).toBe(meetsShape(scene, shape) ? 1 : 0);
      }),
      { seed: 1764, numRuns: runs(150) },
    );
    expect(inside).toBeGreaterThan(least(15));
  });

  test('are met by rays where they begin and end (seed 1763)', () => {
    let met = 0;
    fc.assert(
      fc.property(
        body,
        triple,
        triple.filter((v) => Math.hypot(...v) > 0.1),
        (solid, origin, direction) => {
          const scene = new Scene();
          const object = add(scene, solid);
          const ray = { origin, direction };
          const hits = raycast(scene, ray, { mode: 'all' });
          const length = Math.hypot(...direction);
          const pointAt = (d: number) => origin.map((x, k) => x + (d / length) * direction[k]);
          const gap = (d: number) =>
            Math.hypot(...solid.project(pointAt(d)).map((x, k) => x - pointAt(d)[k]));
          const enters =
            hits.find(({ back }) => !back)?.distance ?? (hits.length > 0 || gap(0) < 1e-12 ? 0 : Infinity);
          const leaves = hits.find(({ back }) => back)?.distance ?? Infinity;
          for (let i = 0; i <= 200; i++) {
            const d = 0.07 * i;
            if (Math.min(Math.abs(d - enters), Math.abs(d - leaves)) < 1e-9) continue;
            expect(gap(d) < 1e-12).toBe(d > enters && d < leaves);
          }
          for (const hit of hits) {
            met++;
            expect(hit.object).toBe(object);
            expect(gap(hit.distance)).toBeLessThan(1e-9 * (1 + hit.distance));
            if (hit.distance > 1e3) continue;
            expect(Math.hypot(...hit.normal)).toBeCloseTo(1, 12);
            // outward: a little along the normal it is outside by as much
            const out = hit.point.map((x, k) => x + 0.01 * hit.normal[k]);
            expect(Math.hypot(...solid.project(out).map((x, k) => x - out[k]))).toBeCloseTo(0.01, 6);
          }
          expect(raycast(scene, ray)).toEqual(hits[0]);
          expect(raycast(scene, ray, { faces: 'back' })?.back ?? true).toBe(true);
          const many = raycastMany(scene, { origins: origin, directions: direction });
          expect([many.objects[0], many.distances[0]]).toEqual([
            hits[0]?.object,
            hits[0]?.distance ?? Infinity,
          ]);
        },
      ),
      { seed: 1763, numRuns: runs(200) },
    );
    expect(met).toBeGreaterThan(least(60));
  });

  test('touch, contain and are contained exactly on a grid, in order', () => {
    const scene = new Scene();
    const at = (x: number, y = 0, z = 0): Pose => ({ translation: [x, y, z] });
    const unit = new Primitive({ min: [0, 0, 0], max: [1, 1, 1] });
    const left = scene.add(unit, { name: 'left' });
    const right = scene.add(unit, { pose: at(1) });
    const room = scene.add(new Primitive({ min: [-9, -9, -9], max: [-1, 9, 9] }), { name: 'room' });
    const inRoom = scene.add(unit, { pose: at(-5) });
    const ballInRoom = scene.add(new Primitive({ centre: [-5, 5, 5], radius: 1 }));
    const floor = scene.add(new Primitive({ normal: [0, 0, 1], offset: -9 }), { name: 'floor' });
    const resting = scene.add(new Primitive({ centre: [20, 0, -8], radius: 1 }));
    const sheet = scene.add(mesh({ positions: [-6, -6, 0, -5, -6, 0, -6, -5, 0], indices: [0, 1, 2] }));
    const names = (object: SceneObject) => scene.objects().indexOf(object);
    const ids = collideAll(scene).pairs.map(({ a, b }) => `${names(a)} ${names(b)}`);
    const expected: [SceneObject, SceneObject][] = [
      [left, right],
      [room, inRoom],
      [room, ballInRoom],
      [room, floor],
      [room, sheet],
      [floor, resting],
    ];
    expect(ids).toEqual(expected.map(([a, b]) => `${names(a)} ${names(b)}`));
    expect(collideOne(scene, room).pairs.map(({ b }) => b)).toEqual([inRoom, ballInRoom, floor, sheet]);
    expect(scene.near(floor).includes(left)).toBe(false);
    expect(scene.near(floor)).toEqual([room, resting]);
    left.move(at(0, 0, -9.5));
    expect(collideOne(scene, left).pairs.map(({ b }) => b)).toEqual([floor]);
    const scaled = scene.add(new Primitive({ centre: [0, 0, 0], radius: 1 }), {
      pose: { scale: 3, translation: [50, 0, 0] },
    });
    expect(raycast(scene, { origin: [60, 0, 0], direction: [-1, 0, 0] })).toMatchObject({
      object: scaled,
      distance: 7,
    });
    const [first, second] = nearest(scene, scaled, { count: 2 });
    expect([first.b, first.distance, second.b]).toEqual([floor, 6, resting]);
    expect(second.distance).toBeCloseTo(Math.hypot(30, 8) - 4, 12);
  });

  test('that cannot be, or be asked, are refused', () => {
    const scene = new Scene();
    const solid = new Primitive({ centre: [0, 0, 0], radius: 1 });
    const object = scene.add(solid, { name: 'ball' });
    expect([object.primitive, object.name, solid.kind]).toEqual([solid, 'ball', 'sphere']);
    expect(() => object.mesh).toThrowError(code('unsupported'));
    const moving = { centre: [0, 0, 5], radius: 1 };
    expect(() => sweepShape(scene, moving, [0, 0, -9])).toThrowError(/object 0 is a sphere/);
    expect(() => object.move({ scale: [1, 2, 1] })).toThrowError(code('bad-pose'));
    expect(Array.from(object.pose.slice(9))).toEqual([0, 0, 0]);
    for (const shape of [
      { centre: [0, 0, 0], radius: 0 },
      { min: [0, 0, 0], max: [1, 1, 0] },
      { points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] },
      { from: [0, 0, 0] },
      { bottom: [0, 0, 0], top: [0, 0, 0], radius: 1 },
      { bottom: [0, 0, 0], top: [0, 0, 1], radius: 0 },
    ])
      expect(() => new Primitive(shape as Shape)).toThrowError(code('bad-input'));
    expect(scene.size).toBe(1);
  });
});
