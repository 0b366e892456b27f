/** Scenes whose objects all move between two questions, against every pair of triangles in exact arithmetic. */
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import type { Pose } from '../../../src/math/pose.js';
import { collideAll } from '../../../src/query/scene/collide-all.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';
import { cube, cylinder, mesh } from '../solid/solids.js';
import { Truth } from '../support/brute-force.js';

const NO_TURN = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const poseOf = ({ pose }: SceneObject) => ({
  rotation: [...pose.subarray(0, 9)],
  translation: [...pose.subarray(9)],
});

/** Rotates about z by a little, or not at all. */
const turned = ({ rotation }: { rotation: number[] }, angle: number) => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return rotation.map((x, i) => {
    if (i < 3) return c * x - s * rotation[3 + i];
    return i < 6 ? s * rotation[i - 3] + c * x : x;
  });
};

describe('a scene in which everything moves', () => {
  test('finds what meets in every step, and what is near: little, much, to where it touches (seed 1771)', () => {
    const random = seededRandom(1771);
    const shapes = [cube(1), mesh(cylinder(0.5, 1, 6)), cube(0.5, 2, 0.5)];
    const scene = new Scene();
    const somewhere = () => ({
      rotation: [...randomRotation(random)],
      translation: [0, 1, 2].map(() => 2.5 * random()),
    });
    const onLattice = () => ({
      rotation: NO_TURN,
      translation: [0, 1, 2].map(() => Math.floor(3 * random())),
    });
    const moves: ((object: SceneObject) => Pose)[] = [
      (object) => {
        const { rotation, translation } = poseOf(object);
        const by = 0.01 * random();
        return { rotation: turned({ rotation }, by), translation: translation.map((x) => x + by * random()) };
      },
      somewhere,
      onLattice, // cubes of side 1 that touch, or are in one place
      (object) => {
        const { rotation, translation } = poseOf(object);
        const hair = Math.floor(3 * random() - 1) * 2 ** -30; // begins to touch, or ceases to
        return { rotation, translation: [Math.round(translation[0]) + hair, ...translation.slice(1)] };
      },
      (object) => poseOf(object), // told anew where it is
    ];
    const add = () => scene.add(shapes[Math.floor(3 * random())], { pose: somewhere() });
    for (let i = 0; i < 9; i++) add();
    let [met, changed, kept] = [0, 0, 0];
    let last = new Set<string>();
    for (let step = 0; step < runs(60); step++) {
      const move = moves[step % moves.length];
      for (const object of scene.objects()) if (random() < 0.9) object.move(move(object));
      if (step % 7 === 3) scene.objects()[Math.floor(9 * random())].remove();
      if (step % 7 === 4) add();
      const distance = Math.floor(step / 10) % 2 === 0 ? 0 : 0.05;
      const { pairs } = collideAll(scene, { mode: 'any', distance });
      const found = new Map(pairs.map(({ a, b, pairs: one }) => [`${a.id} ${b.id}`, one]));
      const now = new Set<string>();
      const objects = scene.objects();
      objects.forEach((a, i) => {
        for (const b of objects.slice(i + 1)) {
          const truth = new Truth(a.mesh, b.mesh, { poseA: poseOf(a), poseB: poseOf(b) });
          const one = found.get(`${a.id} ${b.id}`);
          const { nearest } = truth;
          if (one) {
            const d = truth.distanceOf(one[0], one[1]);
            expect([step, truth.may(d, distance), distance > 0 || d === 0]).toEqual([step, true, true]);
            now.add(`${a.id} ${b.id}`);
          } else if (truth.must(nearest, distance))
            expect.fail(`step ${step}: ${a.id} and ${b.id} are missing`);
        }
      });
      expect(now.size).toBe(pairs.length);
      met += now.size;
      for (const pair of now) last.has(pair) ? kept++ : changed++;
      last = now;
    }
    expect(met).toBeGreaterThan(least(300));
    expect(Math.min(changed, kept)).toBeGreaterThan(least(50));
  });
});
