/** Values of three.js wherever a point, ray, pose, shape or box is: the same answers as for lists of numbers. */
import fc from 'fast-check';
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import {
  CharacterController,
  closestPoint,
  collide,
  contacts,
  contains,
  distance,
  ImpingeError,
  Mesh,
  meetsShape,
  type Point,
  type Pose,
  Primitive,
  penetration,
  pointInMesh,
  raycast,
  Scene,
  section,
  shapeDistance,
  signedDistance,
  sweepShape,
  timeOfImpact,
  trianglesInShape,
  within,
} from '../../src/index.js';

const SEED = 3701;
const knot = Mesh.from(new three.TorusKnotGeometry(1, 0.3, 60, 12));
const ball = Mesh.from({
  positions: new three.IcosahedronGeometry(1, 2).attributes['position'].array as Float32Array,
});

const number = fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true });
const triple = fc.tuple(number, number, number);
const vector = (p: readonly number[]) => new three.Vector3(p[0], p[1], p[2]);
const properties = (ask: (p: number[], q: number[]) => void) =>
  fc.assert(
    fc.property(triple, triple, (p, q) => ask(p, q)),
    { seed: SEED, numRuns: runs(40) },
  );

test(`points, seed ${SEED}`, () => {
  properties((p) => {
    expect(closestPoint(knot, vector(p))).toEqual(closestPoint(knot, p));
    expect(signedDistance(knot, vector(p))).toBe(signedDistance(knot, p));
    expect(pointInMesh(ball, vector(p))).toBe(pointInMesh(ball, p));
  });
});

test(`rays and segments, seed ${SEED}`, () => {
  properties((p, q) => {
    if (Math.hypot(...q) === 0) return;
    const ray = new three.Ray(vector(p), vector(q));
    expect(raycast(knot, ray)).toEqual(raycast(knot, { origin: p, direction: q }));
    const all = { mode: 'all' } as const;
    expect(raycast(knot, ray, all)).toEqual(raycast(knot, { origin: p, direction: q }, all));
    if (p.some((x, k) => x !== q[k]))
      expect(raycast(knot, { from: vector(p), to: vector(q) })).toEqual(raycast(knot, { from: p, to: q }));
  });
});

test(`spheres, boxes and planes, seed ${SEED}`, () => {
  properties((p, q) => {
    const sphere = new three.Sphere(vector(p), 0.3);
    const box = new three.Box3().setFromPoints([vector(p), vector(q)]);
    const plane = new three.Plane(vector(q), 0.25);
    const [min, max] = [box.min.toArray(), box.max.toArray()];
    const pairs = [
      [sphere, { centre: p, radius: 0.3 }],
      [box, { min, max }],
      ...(Math.hypot(...q) > 0 ? [[plane, { normal: q, offset: -0.25 }] as const] : []),
    ] as const;
    for (const [theirs, ours] of pairs) {
      expect(meetsShape(knot, theirs)).toBe(meetsShape(knot, ours));
      expect(trianglesInShape(knot, theirs)).toEqual(trianglesInShape(knot, ours));
      expect(shapeDistance(knot, theirs)).toEqual(shapeDistance(knot, ours));
    }
    expect(sweepShape(knot, sphere, vector(q))).toEqual(sweepShape(knot, { centre: p, radius: 0.3 }, q));
    if (Math.hypot(...q) > 0)
      expect(section(knot, plane)).toEqual(section(knot, { normal: q, offset: -0.25 }));
  });
});

test('which side of a plane is meant is what three.js says', () => {
  const plane = new three.Plane(new three.Vector3(0, 0, 1), 5); // z = −5
  expect(plane.distanceToPoint(new three.Vector3(0, 0, -6))).toBeLessThan(0);
  expect(meetsShape(knot, plane)).toBe(false);
  expect(meetsShape(knot, plane.negate())).toBe(true);
});

test(`poses, as matrices, objects and parts, rigid and not, seed ${SEED}`, () => {
  properties((p, q) => {
    const object = new three.Object3D();
    object.position.fromArray(p).multiplyScalar(0.5);
    object.rotation.set(q[0], q[1], q[2]);
    for (const scale of [
      [1, 1, 1],
      [0.5, 2, 1.25],
      [-1.5, 1.5, 1.5],
    ] as const) {
      object.scale.fromArray(scale);
      object.updateMatrixWorld();
      const numbers: Pose = object.matrixWorld.elements;
      const parts: Pose = { translation: object.position, rotation: object.quaternion, scale: object.scale };
      const forms: Pose[] = [object, object.matrixWorld];
      const ask = (pose: Pose): unknown[] => [
        collide(ball, knot, { pose }).pairs,
        within(ball, knot, { pose, distance: 0.1 }).pairs,
        distance(ball, knot, { poseB: pose }),
        closestPoint(knot, p, { pose }),
        raycast(knot, { origin: [0, 0, 5], direction: [0, 0.01, -1] }, { pose }),
        meetsShape(knot, { centre: p, radius: 0.2 }, { pose }),
        shapeDistance(knot, { centre: p, radius: 0.2 }, { pose }),
        pointInMesh(ball, p, { pose }),
      ];
      const expected = ask(numbers);
      for (const form of forms) expect(ask(form)).toEqual(expected);
      const { distance: apart } = distance(ball, knot, { pose: parts });
      expect(apart).toBeCloseTo(distance(ball, knot, { pose: numbers }).distance, 12);
    }
  });
});

test('solids and motions take objects', () => {
  const object = new three.Object3D();
  object.position.set(1.5, 0, 0);
  const pose = { translation: [1.5, 0, 0] };
  expect(contacts(ball, ball, { pose: object }).regions).toEqual(contacts(ball, ball, { pose }).regions);
  expect(contains(ball, ball, { pose: object }).relation).toBe('crossing');
  expect(penetration(ball, ball, { pose: object }).depth).toBe(penetration(ball, ball, { pose }).depth);
  const far = new three.Matrix4().makeTranslation(5, 0, 0);
  const there = timeOfImpact(ball, ball, { motionB: { from: far, to: object, centre: new three.Vector3() } });
  const motionB = { from: { translation: [5, 0, 0] }, to: pose, centre: [0, 0, 0] };
  expect(there).toEqual(timeOfImpact(ball, ball, { motionB }));
});

test('scenes, primitives and characters take them', () => {
  const scene = new Scene();
  const object = scene.add(ball, { pose: new three.Matrix4().makeTranslation(3, 0, 0) });
  scene.add(new Primitive(new three.Plane(new three.Vector3(0, 1, 0), 1)));
  const up = new three.Vector3(0, 1, 0);
  const near = scene.near(new three.Box3(new three.Vector3(2, -0.5, -1), new three.Vector3(3, 1, 1)));
  expect(near).toContain(object);
  expect(closestPoint(scene, new three.Vector3(3, 3, 0))).toEqual(closestPoint(scene, [3, 3, 0]));
  const floor = new Scene();
  floor.add(Mesh.from({ positions: [-9, 0, -9, -9, 0, 9, 9, 0, 9, -9, 0, -9, 9, 0, 9, 9, 0, -9] }));
  const character = new CharacterController(floor, { position: new three.Vector3(0, 1, 0), up });
  character.move(new three.Vector3(0, -2, 0));
  expect(character.grounded).toBe(true);
});

describe('answers are written into objects of the caller', () => {
  const into = () => ({
    distance: 0,
    triangle: 0,
    back: false,
    point: new three.Vector3(),
    normal: [0, 0, 0],
    barycentrics: new Float64Array(3),
  });
  test(`and returned, seed ${SEED}`, () => {
    properties((p, q) => {
      const object = new three.Object3D();
      object.position.fromArray(q);
      const scene = new Scene();
      const placed = scene.add(knot, { pose: object });
      for (const pose of [undefined, object, new three.Matrix4().makeScale(1, 2, 3)]) {
        const where = pose === undefined ? {} : { pose };
        const found = into();
        expect(closestPoint(knot, p, { ...where, into: found })).toBe(found);
        const { distance: apart, triangle, point, normal, barycentrics } = closestPoint(knot, p, where)!;
        expect([found.distance, found.triangle]).toEqual([apart, triangle]);
        expect(found.point.toArray()).toEqual(point);
        expect(found.normal).toEqual(normal);
        expect(Array.from(found.barycentrics)).toEqual(barycentrics);
        const ray = { origin: [p[0], p[1], 5], direction: [0, 0, -1] };
        const hit = into();
        const expected = raycast(knot, ray, where);
        expect(raycast(knot, ray, { ...where, into: hit })).toBe(expected && hit);
        if (!expected) continue;
        expect([hit.distance, hit.triangle, hit.back]).toEqual([
          expected.distance,
          expected.triangle,
          expected.back,
        ]);
        expect(hit.point.toArray()).toEqual(expected.point);
        expect(hit.normal).toEqual(expected.normal);
      }
      const found: { object?: unknown; point: three.Vector3 } = { point: new three.Vector3() };
      closestPoint(scene, p, { into: found });
      expect(found.object).toBe(placed);
      expect(found.point.toArray()).toEqual(closestPoint(scene, p)!.point);
    });
  });

  test('what is not there of them is left out; none is found, nothing is written', () => {
    const point = { x: 7, y: 7, z: 7 };
    expect(closestPoint(knot, [9, 0, 0], { atMost: 1, into: { point } })).toBeUndefined();
    expect(point).toEqual({ x: 7, y: 7, z: 7 });
    expect(Object.keys(closestPoint(knot, [9, 0, 0], { into: {} })!).sort()).toEqual([
      'distance',
      'triangle',
    ]);
  });

  test.each([
    ['a number', 3, /into must be an object, for one hit, got 3/],
    ['frozen', Object.freeze({ distance: 0 }), /into cannot be written to/],
    ['a frozen point', { point: Object.freeze([0, 0, 0]) }, /into cannot be written to/],
  ])('%s is refused', (_, wrong, message) => {
    expect(() => closestPoint(knot, [9, 0, 0], { into: wrong as never })).toThrow(message);
  });
  test('many hits have no place in one', () => {
    expect(() =>
      raycast(knot, { origin: [0, 0, 5], direction: [0, 0, -1] }, { mode: 'all', into: {} } as never),
    ).toThrow(/into must be an object, for one hit/);
  });
});

describe('what is none of them is refused in one line that says whose it is', () => {
  const wrongPoints: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'undefined'],
    ['a text', 'abc', 'abc'],
    ['half a vector', { x: 1, y: 2 }, '{ x, y }'],
    ['texts', { x: '1', y: '2', z: '3' }, '{ x, y, z }'],
    ['NaN', new three.Vector3(0, Number.NaN, 0), '[0, NaN, 0]'],
    ['a method', new three.Vector3().length, 'a function'],
    ['a function of three', (a: number, b: number, c: number) => a + b + c, 'a function'],
    ['a plain vector', new three.Vector2(1, 2), '{ x, y }'],
    ['too many', [1, 2, 3, 4, 5], 'a list of 5'],
    ['length alone', { length: 3 }, '[undefined, undefined, undefined]'],
    ['bigints', [1n, 2n, 3n], '[1, 2, 3]'],
    ['symbols', [Symbol('a'), 1, 2], '[Symbol(a), 1, 2]'],
    ['an object', {}, '{ }'],
    ['a revoked proxy', revoked(), 'object'],
  ];
  test.each(wrongPoints)('%s', (_, wrong, got) => {
    const message = messageOf(() => closestPoint(knot, wrong as Point));
    if (got === 'object') return;
    expect(message).toBe(`closestPoint: the point must be 3 finite numbers, or x, y and z, got ${got}`);
    const direction = wrong as Point;
    expect(messageOf(() => raycast(knot, { origin: [0, 0, 0], direction }))).toContain('raycast: direction');
    expect(messageOf(() => meetsShape(knot, { centre: direction, radius: 1 }))).toMatch(/^meetsShape: /);
    expect(messageOf(() => sweepShape(knot, { centre: [0, 0, 0], radius: 1 }, direction))).toContain('by');
  });
  test.each<readonly [string, unknown, RegExp]>([
    ['a vector', new three.Vector3(), /rotation, translation or scale is missing, got \{ x, y, z \}/],
    ['an Euler', { rotation: new three.Euler(1, 2, 3) }, /rotation must be a quaternion/],
    ['a Matrix3', new three.Matrix3(), /12 or 16 entries, got 9/],
    ['a projection', new three.PerspectiveCamera().projectionMatrix, /last row must be 0 0 0 1/],
    ['no scale at all', { scale: new three.Vector3(1, 0, 1) }, /not invertible/],
    ['a method', { translation: three.Vector3.prototype.length }, /translation must be .* got a function/],
  ])('as a pose: %s', (_, pose, message) => {
    expect(messageOf(() => collide(knot, ball, { pose: pose as Pose }))).toMatch(message);
  });
  test('a vector as options, or as a shape', () => {
    expect(messageOf(() => closestPoint(knot, [0, 0, 0], new three.Vector3() as never))).toMatch(
      /^closestPoint has no option x; did you mean /,
    );
    expect(messageOf(() => meetsShape(knot, new three.Vector3() as never))).toMatch(
      /^meetsShape: a shape has centre, .* this one has x, y, z$/,
    );
    expect(messageOf(() => meetsShape(knot, new three.Box3()))).toMatch(/^meetsShape: min must be 3 finite/);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** The message, which is one line; raw errors of hostile objects are their own. */
function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toMatch(/\n|\[object|=>/);
    if (!/revoked/.test(message)) expect(error).toBeInstanceOf(ImpingeError);
    return message;
  }
  return 'no error';
}
