/** Scenes against all pairs of boxes and all pairs of objects, through random lives of their objects. */
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { FAST, least } from '../../../../../test/budget.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { posePoint, toRigidPose } from '../../../src/math/pose.js';
import { collideAll } from '../../../src/query/scene/collide-all.js';
import { Scene } from '../../../src/scene/scene.js';
import { writeWorldBox } from '../../../src/scene/world-box.js';
import { bruteForce } from '../../../src/volumes/broad-phase.js';
import { box, cube, mesh, moved } from '../solid/solids.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });

describe('world boxes', () => {
  it('hold every posed vertex, tightly for boxes at rest (seed 73)', () => {
    const random = seededRandom(73);
    const solid = mesh(moved(box(1.3, 0.7, 2.1), 5e6, 0, -3e6)); // its vertices are the corners of its box
    const out = new Float64Array(6);
    for (let i = 0; i < 40; i++) {
      const pose = toRigidPose({
        rotation: randomRotation(random),
        translation: [random(), 1e5 * random(), 0],
      });
      writeWorldBox(solid, pose, out, 0);
      const p = [0, 0, 0];
      for (let v = 0; v < solid.vertexCount; v++) {
        const [x, y, z] = [0, 1, 2].map((k) => solid.positions[3 * v + k] + solid.origin[k]);
        posePoint(pose, x, y, z, p, 0);
        for (let k = 0; k < 3; k++) {
          expect(p[k]).toBeGreaterThanOrEqual(out[k]);
          expect(p[k]).toBeLessThanOrEqual(out[3 + k]);
        }
      }
    }
    writeWorldBox(cube(1), toRigidPose(at(2)), out, 0);
    expect(out[0]).toBeCloseTo(1.5, 12);
    expect(out[3]).toBeCloseTo(2.5, 12);
  });
});

describe('Scene', () => {
  it('equals brute force through random moves, jumps, arrivals and departures of few (seed 71)', () => {
    const random = seededRandom(71);
    const scenes = [new Scene(), new Scene({ broadPhase: bruteForce })];
    const shape = cube(1);
    // integer coordinates make many boxes touch
    const somewhere = () =>
      at(...([0, 1, 2].map(() => Math.floor(9 * random())) as [number, number, number]));
    const add = () => {
      const pose = somewhere();
      for (const scene of scenes) scene.add(shape, { pose });
    };
    for (let i = 0; i < 90; i++) add();
    let pairs = 0;
    for (let step = 0; step < (FAST ? 60 : 300); step++) {
      const [mine, theirs] = scenes.map((scene) => scene.objects());
      const i = Math.floor(mine.length * random());
      const what = random();
      if (what < 0.2) for (const list of [mine, theirs]) list[i].remove();
      else if (what < 0.4 || mine.length < 80) add();
      else {
        const old = mine[i].pose;
        const pose = what < 0.7 ? somewhere() : at(old[9] + (step % 3) - 1, old[10], old[11]);
        for (const list of [mine, theirs]) list[i].move(pose);
      }
      if (step % 3 === 1) continue; // let two changes gather
      const reach = [0, 0, 1, 0.5, 2, 0.5][step % 6];
      const [found, expected] = scenes.map((scene) => scene.pairs(reach).map(([a, b]) => [a.id, b.id]));
      expect(found, `step ${step}`).toEqual(expected);
      pairs += found.length;
    }
    expect(pairs).toBeGreaterThan(least(10_000));
  });

  it('gives handles that die with their objects', () => {
    const scene = new Scene();
    const shape = cube(1);
    const first = scene.add(shape);
    first.remove();
    const second = scene.add(shape, { pose: at(1) });
    expect(second.id).not.toBe(first.id);
    expect(scene.objects()).toEqual([second]);
    expect(second.pose[9]).toBe(1);
    expect(second.mesh).toBe(shape);
    for (const use of [() => first.move({}), () => first.remove()]) {
      expect(use).toThrowError(expect.objectContaining({ code: 'removed' }));
    }
    expect(scene.size).toBe(1);
    expect(() => scene.pairs(Number.NaN)).toThrowError(/distance/);
  });

  it('touching instances of one mesh, a filter, a limit', () => {
    const scene = new Scene();
    const shape = cube(1);
    const row = [0, 1, 2, 3].map((x) => scene.add(shape, { pose: at(x) }));
    const { count, pairs } = collideAll(scene);
    expect(count).toBe(3);
    expect(pairs.map(({ a, b }) => [row.indexOf(a), row.indexOf(b)])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(collideAll(scene, { filter: (a) => a !== row[1] }).pairs.length).toBe(2);
    const limited = collideAll(scene, { limit: 3 }).pairs;
    expect(limited.map(({ count, complete }) => [count, complete])).toEqual(Array(3).fill([3, false]));
    expect(() => collideAll(scene, { distance: -1 })).toThrowError(ImpingeError);
  });
});
