/** Scenes that are asked again and again, against scenes of the same objects that are asked once. */
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { type CollideAllOptions, collideAll } from '../../../src/query/scene/collide-all.js';
import { Primitive } from '../../../src/query/shape/primitive.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';
import { ball, cube, mesh, torus } from '../solid/solids.js';

const summaryOf = (scene: Scene, options: CollideAllOptions) => {
  const order = new Map(scene.objects().map((object, i) => [object, i]));
  const { pairs, stats, complete } = collideAll(scene, options);
  const found = pairs.map(({ a, b, count, pairs: triangles, complete: all }) => {
    const copy = [order.get(a), order.get(b), count, all, ...triangles];
    triangles.fill(7); // whatever callers do to their answers
    return copy;
  });
  return { found, complete, candidates: stats.candidates, triangleTests: stats.triangleTests };
};

/** Where one pair of triangles is asked for, any will do: it is held to all of them, and left out. */
const withoutOne = (summary: ReturnType<typeof summaryOf>, all: ReturnType<typeof summaryOf>) => {
  for (const [a, b, count, , ...one] of summary.found) {
    const [, , , , ...pairs] = all.found.find(([c, d]) => a === c && b === d)!;
    const isThere = pairs.some((_, i) => i % 2 === 0 && pairs[i] === one[0] && pairs[i + 1] === one[1]);
    expect([count, one.length, isThere]).toEqual([1, 2, true]);
  }
  return { ...summary, found: summary.found.map((pair) => pair.slice(0, 3)), complete: false };
};

describe('a scene that is asked again', () => {
  test('answers as a new one does, whatever has moved, changed, come or gone (seed 1761)', () => {
    const random = seededRandom(1761);
    const scene = new Scene();
    const where = () => ({
      rotation: Array.from(randomRotation(random)),
      translation: [0, 0, 0].map(() => 5 * random()),
      scale: random() < 0.2 ? 0.5 + random() : 1,
    });
    const soft = Mesh.from({ positions: Array.from(ball(0.7, 2).positions), indices: ball(0.7, 2).indices });
    const things = [cube(1), ball(0.6, 3), mesh(torus(0.6, 0.2, 12, 6)), soft];
    const add = () => {
      const one = random() < 0.1 ? new Primitive({ centre: [0, 0, 0], radius: 0.4 }) : undefined;
      scene.add(one ?? things[Math.floor(things.length * random())], { pose: where() });
    };
    for (let i = 0; i < 30; i++) add();
    const options: CollideAllOptions[] = [
      {},
      { mode: 'any' },
      { distance: 0.2, limit: 3 },
      { mode: 'any', distance: 0.1 },
    ];
    let asked: CollideAllOptions = {};
    let found = 0;
    for (let step = 0; step < runs(150); step++) {
      const some = scene.objects();
      const pick = (): SceneObject => some[Math.floor(some.length * random())];
      const draw = random();
      if (draw < 0.35) pick().move(where());
      else if (draw < 0.45) add();
      else if (draw < 0.55) pick().remove();
      else if (draw < 0.65) {
        soft.setPositions(Array.from(soft.positions, (x) => x * (0.9 + 0.2 * random())));
      } else if (draw < 0.75) asked = options[Math.floor(4 * random())];
      const again = summaryOf(scene, asked);
      const anew = new Scene();
      for (const object of scene.objects())
        anew.add(object.primitive ?? object.mesh, { pose: matrixOf(object.pose) });
      const once = summaryOf(anew, asked);
      const { distance = 0 } = asked;
      const all = asked.mode && summaryOf(anew, { distance });
      const [one, other] = all ? [withoutOne(again, all), withoutOne(once, all)] : [again, once];
      expect({ ...one, triangleTests: 0 }).toEqual({ ...other, triangleTests: 0 });
      // triangles that met last time, and do no longer, are looked at in vain
      expect(again.triangleTests).toBeLessThanOrEqual(once.triangleTests + again.candidates);
      found += again.found.length;
    }
    expect(found).toBeGreaterThan(least(1000));
  });

  test('looks at no triangles where nothing has moved, and at those of a disposed mesh never', () => {
    const scene = new Scene();
    const [a, b] = [cube(1), cube(1)];
    scene.add(a);
    scene.add(b, { pose: { translation: [0.5, 0.5, 0.5] } });
    const counts = Array.from({ length: 4 }, () => summaryOf(scene, {}));
    expect(counts.map(({ triangleTests }) => triangleTests > 0)).toEqual([true, true, false, false]);
    expect(counts[3].found).toEqual(counts[0].found);
    b.dispose();
    expect(() => collideAll(scene)).toThrow(/disposed/);
  });
});

/** A pose as sixteen column-major numbers, which may scale. */
function matrixOf(pose: ArrayLike<number>): number[] {
  const column = (k: number) => [pose[k], pose[3 + k], pose[6 + k], 0];
  return [...column(0), ...column(1), ...column(2), pose[9], pose[10], pose[11], 1];
}
