/** Pairs of targets of every kind, one of which is only approximately known, have what brute force finds. */
import { arena } from 'impinge/internal/base/arena.js';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { hits } from 'impinge/internal/query/pair/hits.js';
import type { CollideResult, DistanceResult } from 'impinge/internal/query/pair/results.js';
import { within } from 'impinge/internal/query/pair/within.js';
import { shapeDistance } from 'impinge/internal/query/scene/ask-shapes.js';
import { Primitive } from 'impinge/internal/query/shape/primitive.js';
import type { PartsTarget, Target, VisitPart } from 'impinge/internal/query/target.js';
import type { BoxBound } from 'impinge/internal/scene/nearest-first.js';
import { Scene, type SceneObject } from 'impinge/internal/scene/scene.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/index.mjs';
import { meetingRows } from '../../../gpu/test/oracle.js';
import { soup } from '../../../impinge/test/hierarchy/fixtures.js';
import { Truth } from '../../../impinge/test/query/support/brute-force.js';
import { StoredTarget } from '../../src/session/stored-target.js';
import { openStore } from '../../src/store/open.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

/** A mesh that stands for a surface at most `error` from it. */
class Approximation implements PartsTarget {
  readonly name = 'approximation';
  readonly mesh: Mesh;
  readonly error: number;

  constructor(mesh: Mesh, error: number) {
    this.mesh = mesh;
    this.error = error;
  }
  get box() {
    return this.mesh.box;
  }
  get revision() {
    return this.mesh.revision;
  }
  async eachPart(_: BoxBound, limit: number, visit: VisitPart<number | Promise<number>>): Promise<void> {
    const { mesh } = this;
    await visit({ slot: 0, place: { object: 0, piece: 0 }, mesh, pose: IDENTITY as RigidPose }, limit);
  }
}

const POSE = {
  rotation: [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6],
  translation: [0.25, -0.125, 0.5],
};

describe('every kind of target', () => {
  const [a, b] = [soup(501, 120, 0.6), soup(502, 90, 0.6)];
  const sceneOf = (mesh: Mesh) => {
    const scene = new Scene();
    return { scene, object: scene.add(mesh) };
  };
  const [roughA, roughB] = [new Approximation(a, 0.01), new Approximation(b, 0.002)];
  const [{ scene: sceneA, object: objectA }, { scene: sceneB, object: objectB }] = [sceneOf(a), sceneOf(b)];
  const truth = new Truth(a, b, { pose: POSE });
  const kinds = (mesh: Mesh, rough: Approximation, scene: Scene, object: SceneObject) =>
    [
      ['a mesh', mesh, 0, 0],
      ['a scene', scene, 0, object],
      ['an approximation', rough, rough.error, 0],
    ] as const;
  type Pair = [string, Target, Target, number, (SceneObject | number)[]];
  const pairs = kinds(a, roughA, sceneA, objectA).flatMap(([nameA, x, errorA, inA]) =>
    kinds(b, roughB, sceneB, objectB).map(
      ([nameB, y, errorB, inB]): Pair => [`${nameA} and ${nameB}`, x, y, errorA + errorB, [inA, inB]],
    ),
  );

  test.each(pairs)(
    '%s: the pairs and the distance of the meshes, with the error',
    async (_, x, y, error, at) => {
      expect(truth.pairs.length).toBeGreaterThan(4);
      const met = (await collide(x, y, { pose: POSE })) as CollideResult<Scene, Scene>;
      expect([...met.pairs]).toEqual(truth.pairs);
      expect(met).toMatchObject({ colliding: true, count: truth.pairs.length / 2, complete: true });
      expect(met.error).toBeCloseTo(error, 15);
      if (x === a && y === b) expect(met.objects).toBe(undefined);
      else {
        for (const i of [0, 1])
          expect(new Set([...met.objects].filter((__, k) => k % 2 === i))).toEqual(new Set([at[i]]));
        expect(new Set(met.pieces)).toEqual(new Set([0]));
      }
      const any = await collide(x, y, { pose: POSE, mode: 'any' });
      expect(any).toMatchObject({ colliding: true, count: 1, complete: false });
      for (const apart of truth.reaches) {
        const near = await within(x, y, { pose: POSE, distance: apart });
        truth.expectWithin(apart, near.pairs);
        expect(near.within).toBe(near.count > 0);
      }
      const hit = await hits(x, y, { pose: POSE });
      expect(hit).toMatchObject({ count: 1, complete: true });
      expect(hit.hits[0]).toMatchObject({ objectA: at[0], objectB: at[1], count: met.count });
      const aside = { pose: { ...POSE, translation: [4, 0, 0] } };
      const far = new Truth(a, b, aside);
      const found = (await distance(x, y, aside)) as DistanceResult<Scene, Scene>;
      expect(Math.abs(found.distance - far.nearest)).toBeLessThanOrEqual(far.doubt);
      if (x !== a || y !== b)
        expect([found.objectA, found.objectB, found.pieceA, found.pieceB]).toEqual([...at, 0, 0]);
      expect(found.error).toBeCloseTo(error, 15);
      expect(found.bounds).toEqual([found.distance - error, found.distance + error]);
      const nowhere = await distance(x, y, { ...aside, atMost: 0.5 * far.nearest });
      expect(nowhere).toMatchObject({ distance: Infinity, triangleB: -1, pointA: undefined });
      expect((await hits(x, y, { ...aside, distance: far.nearest + 0.1 })).count).toBe(1);
      expect((await collide(x, y, aside)).count).toBe(0);
    },
  );

  test('objects of scenes: scaled ones and primitives, and none', async () => {
    const scene = new Scene();
    const large = scene.add(b, { pose: { scale: 2 } });
    scene.add(b, { pose: { translation: [50, 0, 0] } });
    const expected = collide(a, b, { poseB: { scale: 2 } });
    for (const target of [a, roughA]) {
      const met = await collide(target, scene);
      expect([...met.pairs]).toEqual([...expected.pairs]);
      expect(met.objects[1]).toBe(large);
      expect((await hits(target, scene)).hits[0]).toMatchObject({ objectB: large, count: expected.count });
    }
    const aside = { pose: { translation: [-9, 0, 0] } };
    const { distance: apart } = distance(a, b, { poseB: { scale: 2, ...aside.pose } });
    expect(distance(a, scene, aside).distance).toBeCloseTo(apart, 12);
    const ball = scene.add(new Primitive({ centre: [0, 0, 0], radius: 1 }), {
      pose: { translation: [0, 0, 40] },
    });
    const above = distance(a, scene, { pose: { translation: [0, 30, -40] } });
    expect(above.objectB).toBe(ball);
    expect(above.distance).toBeCloseTo(shapeDistance(a, { centre: [0, 30, 0], radius: 1 })!.distance, 12);
    const inside = { pose: { translation: [0, 0, -40] } };
    expect(collide(a, scene, inside).objects).toContain(ball);
    expect(collide(new Scene(), scene).count).toBe(0);
    expect(distance(new Scene(), scene)).toMatchObject({ distance: Infinity, objectA: undefined });
    expect(() => hits(a, scene, inside)).toThrowError(expect.objectContaining({ code: 'unsupported' }));
  });

  test('a scene that changes meanwhile is refused', async () => {
    const { scene, object } = sceneOf(b);
    const asked = collide(roughA, scene);
    object.move({ translation: [1, 0, 0] });
    await expect(asked).rejects.toMatchObject({ code: 'busy' });
  });

  test('wrong options are refused as for meshes', () => {
    expect(() => within(roughA, b, { distance: -1 })).toThrowError(/distance/);
    expect(() => collide(roughA, b, { limit: 0 })).toThrowError(/limit/);
    expect(() => distance(a, roughB, { atMost: Number.NaN })).toThrowError(/atMost/);
  });
});

describe('a store', () => {
  const SHAPES = [icosphere(4, 0.6), box(1, 0.5, 2)] as ShapeArrays[];
  const PLACES = [
    [moved(0, 0, 0), moved(1.5, 0.25, 0), moved(5, 0, 0)],
    [moved(0.75, 0.5, 0.25), moved(-3, 0, 0.5)],
  ];
  const shapes = () =>
    SHAPES.map((geometry, s) => ({
      geometry,
      objects: PLACES[s].map((pose, i) => named(`shape ${s}/object ${i}`, pose)),
    }));
  /** Every object of the store as one mesh, in its order. */
  const wholes = () =>
    SHAPES.flatMap((geometry, s) => PLACES[s].map((pose) => ({ mesh: Mesh.from(geometry), pose })));

  /** Numbers of pairs by object of the store. */
  const byObject = (met: Pick<CollideResult<PartsTarget>, 'count' | 'objects'>, side: 0 | 1) => {
    const counts = new Map<number, number>();
    for (let i = 0; i < met.count; i++) {
      const object = met.objects[2 * i + side];
      counts.set(object, (counts.get(object) ?? 0) + 1);
    }
    return counts;
  };

  test.each([
    [64, 2 ** 17],
    [8192, 2 ** 27],
  ])('in pieces of %i triangles, %i bytes, against a mesh', async (pieceTriangles, memory) => {
    const probe = soup(503, 60, 0.6);
    // what queries and writers keep for the next one is there
    collide(probe, probe);
    distance(probe, probe);
    await storeOf(shapes(), { pieceTriangles });
    const before = arena().usedBytes;
    const model = await openStore(await storeOf(shapes(), { pieceTriangles }));
    const list = wholes();
    const truths = list.map(({ mesh, pose }) => new Truth(probe, mesh, { poseB: pose }));
    {
      await using stored = new StoredTarget(model, { memory });
      const met = await collide(stored, probe);
      const expected = new Map(
        truths.flatMap(({ pairs }, i) => (pairs.length > 0 ? [[i, pairs.length / 2] as const] : [])),
      );
      expect(expected.size).toBeGreaterThan(1);
      expect(byObject(met, 0)).toEqual(expected);
      expect(met).toMatchObject({ complete: true, error: 0 });
      const pieces = new Set(met.pieces.filter((_, i) => i % 2 === 0));
      expect(pieces.size > 1).toBe(pieceTriangles === 64);
      const turned = await collide(probe, stored);
      expect(byObject(turned, 1)).toEqual(expected);
      expect(turned.count).toBe(met.count);
      expect((await collide(stored, probe, { limit: 2 })).count).toBe(2);
      const near = await within(probe, stored, { distance: 0.4 });
      truths.forEach((truth, i) => {
        const count = byObject(near, 1).get(i) ?? 0;
        const sum = (test: (d: number) => boolean) => truth.distances.filter(test).length;
        expect(count).toBeGreaterThanOrEqual(sum((d) => truth.must(d, 0.4)));
        expect(count).toBeLessThanOrEqual(sum((d) => truth.may(d, 0.4)));
      });
      const pose = { translation: [9, 1, 0.5] };
      const apart = list.map(({ mesh, pose: own }) => {
        const { nearest, doubt } = new Truth(mesh, probe, { poseA: own, poseB: pose });
        return { nearest, doubt };
      });
      const least = Math.min(...apart.map(({ nearest }) => nearest));
      const found = await distance(stored, probe, { pose });
      expect(Math.abs(found.distance - least)).toBeLessThanOrEqual(4 * apart[0].doubt);
      expect(apart[found.objectA].nearest).toBeCloseTo(least, 12);
      const gap = found.pointA!.map((x, k) => x - found.pointB![k]);
      expect(Math.hypot(...gap)).toBeCloseTo(least, 12);
      expect(stored.stats.evictions).toBeGreaterThanOrEqual(memory < 2 ** 20 ? 1 : 0);
    }
    for (const { mesh } of list) mesh.dispose();
    // meshes of other tests may be collected meanwhile
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    probe.dispose();
  });

  test('against itself, aside', async () => {
    const model = await openStore(await storeOf(shapes(), { pieceTriangles: 64 }));
    await using stored = new StoredTarget(model);
    await using again = new StoredTarget(model);
    const pose = { translation: [0.375, 0.25, 0.125] };
    const met = await collide(stored, again, { pose });
    let expected = 0;
    const list = wholes();
    for (const p of list) {
      for (const q of list) {
        const shifted = q.pose.map((x, i) => (i > 8 ? x + pose.translation[i - 9] : x));
        expected += meetingRows([
          { mesh: p.mesh, pose: p.pose, self: false },
          { mesh: q.mesh, pose: shifted, self: false },
        ]).length;
      }
    }
    expect(expected).toBeGreaterThan(100);
    expect(met.count).toBe(expected);
  });
});
