/** Scenes against all pairs of boxes and all pairs of objects, through random lives of their objects. */
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../scenes/index.mjs';
import { ImpingeError } from '../../../src/base/errors.js';
import { posePoint, toRigidPose } from '../../../src/math/pose.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { collideAll } from '../../../src/query/scene/collide-all.js';
import { Scene, type SceneObject } from '../../../src/scene/scene.js';
import { SweepAndPrune } from '../../../src/scene/sweep-and-prune.js';
import { writeWorldBox } from '../../../src/scene/world-box.js';
import { ball, box, cube, mesh, moved, sphere, torus } from '../solid/solids.js';

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });

describe('sweep and prune', () => {
  it('equals all pairs through random moves, jumps, arrivals and departures (seed 71)', () => {
    const random = seededRandom(71);
    const sweep = new SweepAndPrune();
    const live = new Map<number, number[]>();
    // integer corners make most ends coincide somewhere
    const boxAt = () => {
      const min = [0, 1, 2].map(() => Math.floor(20 * random()));
      return [...min, ...min.map((x) => x + Math.floor(5 * random()))];
    };
    let pairs = 0;
    for (let step = 0; step < 400; step++) {
      const slot = Math.floor(40 * random());
      const box = boxAt();
      if (!live.has(slot)) {
        sweep.insert(slot, box);
        live.set(slot, box);
      } else if (random() < 0.25) {
        sweep.remove(slot);
        live.delete(slot);
      } else {
        const old = live.get(slot)!;
        const next = random() < 0.5 ? box : old.map((x, k) => x + (k % 3 === step % 3 ? 1 : 0));
        sweep.update(slot, next);
        live.set(slot, next);
      }
      if (step % 3 === 0) continue; // let arrivals and departures gather
      sweep.validate();
      for (const s of live.keys()) pairs += sweep.partnersOf(s).size;
    }
    expect(pairs).toBeGreaterThan(1000);
  });

  it('10 000 boxes in coherent motion cost a few swaps each (seed 72)', () => {
    const random = seededRandom(72);
    const count = 10_000;
    const sweep = new SweepAndPrune();
    const centres = Float64Array.from({ length: 3 * count }, () => 100 * random());
    const speeds = Float64Array.from({ length: 3 * count }, () => 0.01 * (random() - 0.5));
    const boxOf = (i: number) =>
      [0, 1, 2, 3, 4, 5].map((k) => centres[3 * i + (k % 3)] + (k < 3 ? -0.5 : 0.5));
    for (let i = 0; i < count; i++) sweep.insert(i, boxOf(i));
    sweep.flush();
    expect(sweep.stats.swaps).toBe(0); // sorted, not inserted one by one
    expect(sweep.stats.boxTests).toBeLessThan(count * 300);
    const { boxTests } = sweep.stats;
    const steps = 3;
    for (let step = 0; step < steps; step++) {
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < 3; k++) centres[3 * i + k] += speeds[3 * i + k];
        sweep.update(i, boxOf(i));
      }
    }
    const swapsPerMove = sweep.stats.swaps / (steps * count);
    expect(swapsPerMove).toBeGreaterThan(0.1);
    expect(swapsPerMove).toBeLessThan(10);
    expect(sweep.stats.boxTests - boxTests).toBeLessThan(5 * steps * count);
    expect(sweep.stats.merges).toBe(1);
    let pairs = 0;
    for (let i = 0; i < count; i++) pairs += sweep.partnersOf(i).size;
    // 8 volumes of a box against the room, for each pair
    expect(pairs / (count * count * 8e-6)).toBeGreaterThan(0.8);
    expect(pairs / (count * count * 8e-6)).toBeLessThan(1.2);
  });

  it('notices disorder', () => {
    const sweep = new SweepAndPrune();
    const box = [0, 0, 0, 1, 1, 1];
    sweep.insert(0, box);
    sweep.insert(1, [0.5, 0, 0, 2, 1, 1]);
    sweep.validate();
    (sweep.partnersOf(0) as Set<number>).delete(1);
    expect(() => sweep.validate()).toThrowError(/missing pair/);
  });
});

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
    expect(scene.stats.objects).toBe(1);
    expect(() => scene.pairs(Number.NaN)).toThrowError(/distance/);
  });

  it('collideAll equals all pairs of objects, through motion, arrivals and departures (seed 74)', () => {
    const random = seededRandom(74);
    const shapes = [ball(0.6, 4), cube(0.8), mesh(torus(0.5, 0.2, 12, 8)), mesh(moved(sphere(0.4, 3), 1e4))];
    const scene = new Scene();
    const ids: SceneObject[] = [];
    const poseFor = (shape: number) => ({
      rotation: shape === 3 ? [0, 0, 0, 1] : randomRotation(random),
      translation: [0, 1, 2].map((k) => 5 * random() - (shape === 3 && k === 0 ? 1e4 : 0)),
    });
    const shapeOf = new Map<SceneObject, number>();
    const place = () => {
      const shape = Math.floor(4 * random());
      const id = scene.add(shapes[shape], { pose: poseFor(shape) });
      shapeOf.set(id, shape);
      ids.push(id);
    };
    for (let i = 0; i < 24; i++) place();
    let met = 0;
    for (let step = 0; step < 8; step++) {
      for (let i = 0; i < 6; i++) {
        const id = ids[Math.floor(ids.length * random())];
        id.move(poseFor(shapeOf.get(id)!));
      }
      ids.splice(Math.floor(ids.length * random()), 1)[0].remove();
      place();
      scene.validateOrder();
      const within = [undefined, 0.05, 0, 0.3][step % 4];
      const found = collideAll(scene, within === undefined ? {} : { distance: within });
      const expected: string[] = [];
      const order = scene.objects();
      for (let i = 0; i < order.length; i++) {
        for (let j = i + 1; j < order.length; j++) {
          const [a, b] = [order[i], order[j]];
          const parts = ({ pose }: SceneObject) => ({
            rotation: pose.slice(0, 9),
            translation: pose.slice(9),
          });
          const placed = { poseA: parts(a), poseB: parts(b) };
          if (within) {
            if (distance(a.mesh, b.mesh, placed).distance <= within) expected.push(`${a.id} ${b.id}`);
          } else {
            const { colliding, count } = collide(a.mesh, b.mesh, placed);
            if (colliding) {
              expected.push(`${a.id} ${b.id}`);
              expect(found.pairs.find((pair) => pair.a === a && pair.b === b)?.count).toBe(count);
            }
          }
        }
      }
      met += expected.length;
      expect(found.pairs.map(({ a, b }) => `${a.id} ${b.id}`)).toEqual(expected);
      expect(found.stats.candidates).toBeGreaterThanOrEqual(expected.length);
      const any = collideAll(scene, { mode: 'any', distance: within ?? 0 });
      expect(any.pairs.map(({ a, b }) => `${a.id} ${b.id}`)).toEqual(expected);
      expect(any.pairs.every(({ count }) => count === 1)).toBe(true);
    }
    expect(met).toBeGreaterThan(40);
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

  it('notices a mesh that has changed', () => {
    const scene = new Scene();
    const soft = cube(1);
    scene.add(soft);
    scene.add(cube(1), { pose: at(3) });
    expect(scene.pairs()).toEqual([]);
    soft.setPositions(soft.positions.map((x) => 6 * x));
    expect(scene.pairs().length).toBe(1);
    expect(scene.pairs(2.5).length).toBe(1);
  });
});
