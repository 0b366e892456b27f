/** Questions about one object of a scene, and the nearest of them, against questions about all pairs. */
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import type { Pose } from '../../../src/math/pose.js';
import { distance } from '../../../src/query/pair/distance.js';
import { collideAll } from '../../../src/query/scene/collide-all.js';
import { collideOne } from '../../../src/query/scene/collide-one.js';
import { type NearPair, nearest, nearestPair } from '../../../src/query/scene/nearest.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';
import { ball, cube, mesh, moved, sphere, torus } from '../solid/solids.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });
const shapes = [ball(0.6, 4), cube(0.8), mesh(torus(0.5, 0.2, 12, 8)), mesh(moved(sphere(0.4, 3), 1e4))];

/** A scene of some shapes, in which something happens at every step. */
function* lives(seed: number, count: number, size: number): Generator<Scene> {
  const random = seededRandom(seed);
  const scene = new Scene();
  const shapeOf = new Map<SceneObject, number>();
  const poseFor = (shape: number) => ({
    rotation: shape === 3 ? [0, 0, 0, 1] : randomRotation(random),
    // the last shape is far from its own zero; places on a grid make many distances equal
    translation: [0, 1, 2].map((k) => Math.floor(size * random()) / 2 - (shape === 3 && k === 0 ? 1e4 : 0)),
  });
  const place = () => {
    const shape = Math.floor(4 * random());
    shapeOf.set(scene.add(shapes[shape], { pose: poseFor(shape) }), shape);
  };
  for (let i = 0; i < count; i++) place();
  for (;;) {
    const all = scene.objects();
    for (let i = 0; i < 3; i++) {
      const object = all[Math.floor(all.length * random())];
      object.move(poseFor(shapeOf.get(object)!));
    }
    all[Math.floor(all.length * random())].remove();
    place();
    yield scene;
  }
}

const parts = ({ pose }: SceneObject) => ({ rotation: pose.slice(0, 9), translation: pose.slice(9) });

/** Every two objects, the nearest first, then by their order in the scene. */
function allPairs(scene: Scene): { a: SceneObject; b: SceneObject; distance: number }[] {
  const objects = scene.objects();
  const pairs = objects.flatMap((a, i) =>
    objects.slice(i + 1).map((b) => ({
      a,
      b,
      distance: distance(a.mesh, b.mesh, { poseA: parts(a), poseB: parts(b) }).distance,
    })),
  );
  return pairs.sort((p, q) => p.distance - q.distance); // which keeps the order of equal ones
}

const shown = ({ a, b, distance: far }: Pick<NearPair, 'a' | 'b' | 'distance'>) => `${a.id} ${b.id} ${far}`;

describe('one object of a scene', () => {
  it('meets what all pairs say, through motion, arrivals and departures (seed 173)', () => {
    let met = 0;
    let step = 0;
    for (const scene of lives(173, 30, 10)) {
      if (step++ === runs(8)) break;
      const asked = { distance: [0, 0.3][step % 2] };
      const all = collideAll(scene, asked).pairs;
      for (const object of scene.objects()) {
        const { pairs, count, stats } = collideOne(scene, object, asked);
        expect(count).toBe(pairs.length);
        expect(stats.candidates).toBe(scene.near(object, asked.distance).length);
        const expected = all.filter(({ a, b }) => a === object || b === object);
        expect(pairs.every(({ a }) => a === object)).toBe(true);
        expect(pairs.map(({ b }) => b)).toEqual(expected.map(({ a, b }) => (a === object ? b : a)));
        pairs.forEach(({ pairs: own }, i) => {
          const swapped = expected[i].b === object;
          const other = Array.from({ length: expected[i].count }, (_, k) => {
            const [s, t] = expected[i].pairs.subarray(2 * k, 2 * k + 2);
            return swapped ? [t, s] : [s, t];
          });
          expect(String(own)).toBe(String(other.sort(([p, q], [r, s]) => p - r || q - s)));
        });
        met += count;
      }
    }
    expect(met).toBeGreaterThan(least(200));
  });

  it('has the nearest that all distances say, and the nearest pair is theirs (seed 174)', () => {
    let step = 0;
    let apart = 0;
    for (const scene of lives(174, 14, 24)) {
      if (step++ === runs(24)) break;
      const pairs = allPairs(scene);
      expect(shown(nearestPair(scene)!)).toBe(shown(pairs[0]));
      const filter = (a: SceneObject, b: SceneObject) => (a.id + b.id) % 3 !== step % 3;
      const kept = pairs.find(({ a, b }) => filter(a, b));
      expect(shown(nearestPair(scene, { filter })!)).toBe(shown(kept!));
      for (const object of scene.objects()) {
        const own = pairs
          .filter(({ a, b }) => a === object || b === object)
          .map((pair) => (pair.a === object ? pair : { ...pair, a: object, b: pair.a }));
        const atMost = step % 2 === 0 ? Infinity : 2;
        const found = nearest(scene, object, { count: 5, atMost });
        const expected = own.filter((pair) => pair.distance <= atMost).slice(0, 5);
        expect(found.map(shown)).toEqual(expected.map(shown));
        for (const { pointA, pointB, distance: far } of found) {
          expect(Math.hypot(...pointA!.map((p, k) => p - pointB![k]))).toBeCloseTo(far, 7);
          if (far > 0) apart++;
        }
      }
    }
    expect(apart).toBeGreaterThan(least(500));
  });

  it('of meeting pairs has the earliest, whatever the tree is like', () => {
    const scene = new Scene();
    const row = [5, 1, 4, 2, 3, 0].map((x) => scene.add(cube(1), { pose: at(x) }));
    expect([nearestPair(scene)!.a, nearestPair(scene)!.b]).toEqual([row[0], row[2]]);
    expect(nearest(scene, row[4], { count: 2 }).map(({ b }) => b)).toEqual([row[2], row[3]]);
    row[0].move(at(9));
    expect([nearestPair(scene)!.a, nearestPair(scene)!.b]).toEqual([row[1], row[3]]);
  });

  it('is near what boxes say, of an object and of a box', () => {
    const scene = new Scene();
    expect(scene.near({ min: [0, 0, 0], max: [1, 1, 1] })).toEqual([]);
    const row = [0, 1, 2, 3].map((x) => scene.add(cube(1), { pose: at(1.5 * x) }));
    expect(scene.near(row[1])).toEqual([]);
    expect(scene.near(row[1], 0.5)).toEqual([row[0], row[2]]);
    expect(scene.near({ min: [1.9, 0, 0], max: [2.6, 0, 0] })).toEqual([row[1], row[2]]);
    row[3].move(at(1));
    expect(scene.near(row[1])).toEqual([row[3]]);
    row[1].remove();
    expect(() => scene.near(row[1])).toThrowError(expect.objectContaining({ code: 'removed' }));
    expect(() => new Scene().near(row[0])).toThrowError(expect.objectContaining({ code: 'bad-input' }));
    expect(nearestPair(new Scene())).toBeUndefined();
    expect(nearest(scene, row[2], { atMost: 0.1 })).toEqual([]);
  });

  full('may be scaled and stretched, as in questions about two meshes (seed 182)', () => {
    const random = seededRandom(182);
    const scene = new Scene();
    const poses = new Map<SceneObject, Pose>();
    for (let i = 0; i < 24; i++) {
      // of two objects that stretch unevenly there is no distance: only the first does
      const scale = i === 0 ? [2, 0.5, -1] : i % 3 === 0 ? 1 : 0.3 + random();
      const pose = {
        rotation: randomRotation(random),
        translation: [0, 1, 2].map(() => 5 * random()),
        scale,
      };
      poses.set(scene.add(shapes[i % 3], { pose }), pose);
    }
    let met = 0;
    for (let step = 0; step < 3; step++) {
      const objects = scene.objects();
      const all = collideAll(scene, { distance: 0.1 * step }).pairs.map(({ a, b }) => `${a.id} ${b.id}`);
      const pairs = objects.flatMap((a, i) =>
        objects.slice(i + 1).map((b) => {
          const placed = { poseA: poses.get(a)!, poseB: poses.get(b)! };
          return { a, b, distance: distance(a.mesh, b.mesh, placed).distance };
        }),
      );
      const near = pairs.filter((pair) => pair.distance <= 0.1 * step);
      expect(all).toEqual(near.map(({ a, b }) => `${a.id} ${b.id}`));
      met += near.length;
      const [first] = pairs.filter((pair) => pair.distance > 0).sort((p, q) => p.distance - q.distance);
      const apart = new Set(near.map(({ a, b }) => `${a.id} ${b.id}`));
      const filter = (a: SceneObject, b: SceneObject) => !apart.has(`${a.id} ${b.id}`);
      if (step === 0) expect(nearestPair(scene, { filter })!.distance).toBe(first.distance);
      const grown = { scale: 1 + step, translation: [2.5, 2.5, 2.5] };
      objects[1].move(grown);
      poses.set(objects[1], grown);
    }
    expect(met).toBeGreaterThan(20);
  });

  it('has a name and what its owner says of it', () => {
    const scene = new Scene();
    const pump = scene.add(cube(1), { name: 'pump', userData: { serial: 7 } });
    expect([pump.name, pump.userData]).toEqual(['pump', { serial: 7 }]);
    pump.userData = 8;
    expect(scene.objects()[0].userData).toBe(8);
    expect(scene.add(mesh(sphere(1, 2))).name).toBe('');
    expect(() => scene.add(cube(1), { name: 3 as never })).toThrowError(/name/);
    expect(scene.size).toBe(2);
  });
});
