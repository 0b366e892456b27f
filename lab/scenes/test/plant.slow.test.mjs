import { createHash } from 'node:crypto';
import { contacts, contains, distance, isClosed, Mesh, selfIntersect } from 'impinge';
import { describe, expect, it } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { avatar, plant, walk } from '../dist/plant/index.js';
import { expectClosedSolid } from './deform-checks.mjs';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
/** Unconnected parts keep this distance; a check at this clearance finds only the injected clashes. */
const KEPT = 0.075;
const CLEARANCE = 0.05;

/** Every object with its mesh, its pose and its box in the world. */
function placedObjects(model) {
  const placed = [];
  for (const { geometry, objects } of model.shapes()) {
    const mesh = Mesh.from(geometry);
    const closed = isClosed(mesh);
    for (const object of objects) {
      const pose = object.pose ?? IDENTITY;
      placed.push({ object, mesh, closed, pose, box: boxOf(geometry.positions, pose) });
    }
  }
  return placed;
}

function boxOf(positions, pose) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      const value =
        pose[r] * positions[i] +
        pose[r + 1] * positions[i + 1] +
        pose[r + 2] * positions[i + 2] +
        pose[9 + k];
      min[k] = Math.min(min[k], value);
      max[k] = Math.max(max[k], value);
    }
  }
  return { min, max };
}

/** Pairs whose boxes are within reach, by sorting along x. */
function* nearPairs(placed, reach) {
  const order = [...placed].sort((p, q) => p.box.min[0] - q.box.min[0]);
  for (let i = 0; i < order.length; i++) {
    for (let j = i + 1; j < order.length && order[j].box.min[0] <= order[i].box.max[0] + reach; j++) {
      const [p, q] = [order[i].box, order[j].box];
      const near = [1, 2].every((k) => p.min[k] <= q.max[k] + reach && q.min[k] <= p.max[k] + reach);
      if (near) yield [order[i], order[j]];
    }
  }
}

const posesOf = (a, b) => ({
  poseA: { rotation: a.pose.slice(0, 9), translation: a.pose.slice(9) },
  poseB: { rotation: b.pose.slice(0, 9), translation: b.pose.slice(9) },
});

const keyOf = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

function hashOf(model) {
  const hash = createHash('sha256');
  for (const { geometry, objects } of model.shapes()) {
    hash.update(geometry.positions).update(geometry.indices);
    for (const { pose, ...info } of objects) hash.update(JSON.stringify([info, pose && [...pose]]));
  }
  return hash.update(JSON.stringify(model.truth())).digest('hex');
}

describe('plant', () => {
  it('is the same every time, and another with another seed', () => {
    const hash = hashOf(plant({ triangles: 30_000, seed: 1 }));
    expect(hash).toBe('85f18325846b11f7b84eb4598cb90ccf72b5ed97278d742e380a4d3ef6c8ea3e');
    expect(hashOf(plant({ triangles: 30_000, seed: 1 }))).toBe(hash);
    expect(hashOf(plant({ triangles: 30_000, seed: 2 }))).not.toBe(hash);
  });

  it('keeps ids and geometry of everything else whatever is put in', () => {
    const idsOf = (clashes) =>
      [...plant({ triangles: 30_000, clashes }).shapes()]
        .flatMap(({ objects }) => objects.map(({ id, path }) => `${id} ${path}`))
        .filter((line) => !line.includes('/field/'))
        .sort();
    expect(idsOf(20)).toEqual(idsOf(0));
  });

  it.each([
    [30_000, 250, 1000],
    [300_000, 1500, 4000],
    [2_000_000, 5000, 15_000],
  ])('of %d triangles has about as many, and objects to match', (triangles, fewest, most) => {
    const model = plant({ triangles });
    const ids = new Set();
    const names = new Set();
    const disciplines = new Set();
    let count = 0;
    let open = 0;
    let shared = 0;
    for (const { geometry, objects } of model.shapes()) {
      count += (geometry.indices.length / 3) * objects.length;
      shared = Math.max(shared, objects.length);
      for (const object of objects) {
        ids.add(object.id);
        names.add(object.name);
        disciplines.add(object.discipline);
        expect(object.path.split('/')).toHaveLength(5);
        expect(object.path.endsWith(`/${object.name}`)).toBe(true);
        if (object.type === 'sign' || object.type === 'cladding') open++;
      }
    }
    expect(count).toBe(model.triangleCount);
    expect(Math.abs(count / triangles - 1)).toBeLessThan(0.05);
    expect(ids.size).toBe(model.objectCount);
    expect(names.size).toBe(model.objectCount);
    expect(model.objectCount).toBeGreaterThan(fewest);
    expect(model.objectCount).toBeLessThan(most);
    for (const id of ids) expect(id).toMatch(/^[0-3][0-9A-Za-z_$]{21}$/);
    expect(disciplines.size).toBeGreaterThanOrEqual(triangles < 100_000 ? 6 : 7);
    expect(open / model.objectCount).toBeLessThan(0.04);
    if (triangles > 1_000_000) expect(shared).toBeGreaterThan(200);
  });

  it.each([100_000, 1_500_000, 40_000_000])(
    'of %d triangles is made of closed solids on a grid',
    (triangles) => {
      let seen = 0;
      for (const { geometry, objects } of plant({ triangles }).shapes()) {
        const { positions } = geometry;
        const bad = positions.findIndex((value) => !Number.isInteger(value * 4096) || Math.abs(value) > 4096);
        expect(bad, objects[0].name).toBe(-1);
        const places = new Set();
        for (let i = 0; i < positions.length; i += 3) places.add(positions.subarray(i, i + 3).join(' '));
        expect(places.size, `${objects[0].name}: welded`).toBe(positions.length / 3);
        for (const { pose } of objects) {
          if (pose === undefined) continue;
          expect([...pose.subarray(0, 9)].every((value) => value === 0 || Math.abs(value) === 1)).toBe(true);
          expect([...pose.subarray(9)].every((value) => Number.isInteger(value * 4096))).toBe(true);
        }
        if (objects[0].type === 'sign' || objects[0].type === 'cladding') continue;
        expectClosedSolid(geometry, objects[0].name);
        // shapes of large plants only differ in their numbers
        if (++seen > (LONG ? 1500 : 500)) break;
      }
    },
  );

  it.each(LONG ? [1, 2, 3] : [1])('holds what was put in and nothing else (seed %d)', (seed) => {
    const model = plant({ triangles: 90_000, seed, clashes: 40 });
    const truth = model.truth();
    const clashes = new Map(truth.clashes.map((clash) => [keyOf(clash.a, clash.b), clash]));
    const decoys = new Set(truth.decoys.map(({ a, b }) => keyOf(a, b)));
    expect(clashes.size).toBe(40);
    expect(decoys.size).toBe(20);
    expect(new Set(truth.clashes.map(({ kind, form }) => `${kind} ${form}`)).size).toBe(5);

    const placed = placedObjects(model);
    for (const { object, box } of placed) {
      const around = model.units.some(({ x, y, modules, storeys }) => {
        const low = [x - 1, y - 1, -1];
        const high = [x + 12 * modules + 1, y + 13, 6 * storeys + 1];
        return low.every((value, k) => box.min[k] > value && box.max[k] < high[k]);
      });
      expect(around, object.name).toBe(true);
    }
    const near = [...nearPairs(placed, KEPT)];
    const overlapping = [...nearPairs(placed, 0)].length / placed.length;
    expect(overlapping).toBeGreaterThan(1);
    expect(overlapping).toBeLessThan(1.6);

    for (const [a, b] of near) {
      const poses = posesOf(a, b);
      const key = keyOf(a.object.id, b.object.id);
      const pair = `${a.object.name}, ${b.object.name}`;
      const apart = distance(a.mesh, b.mesh, { ...poses, atMost: 2 * KEPT }).distance;
      const clash = clashes.get(key);
      const solids = a.closed && b.closed;
      const relation = solids ? contains(a.mesh, b.mesh, poses).relation : 'disjoint';
      clashes.delete(key);
      if (clash === undefined) {
        if (apart === 0) expect(relation, pair).toBe('touching');
        else {
          expect(relation, pair).toBe('disjoint');
          expect(apart, pair).toBeGreaterThanOrEqual(decoys.has(key) ? CLEARANCE : KEPT);
        }
        continue;
      }
      if (clash.kind === 'duplicate') expect(relation, pair).toBe('equal');
      else if (clash.kind === 'clearance') {
        expect(relation, pair).toBe('disjoint');
        expect(apart, pair).toBeCloseTo(clash.distance, 12);
        expect(apart).toBeLessThan(CLEARANCE);
      } else {
        expect(relation, pair).toMatch(clash.depth === undefined ? /inside/ : /crossing/);
      }
      if (clash.depth !== undefined) {
        const depth = Math.max(...contacts(a.mesh, b.mesh, poses).regions.map((region) => region.depth));
        expect(Math.abs(depth / clash.depth - 1), `${pair}: depth`).toBeLessThan(0.01);
      }
    }
    expect([...clashes.values()]).toEqual([]);
  });

  it('puts in as many clashes as asked for, and at most what there is room for', () => {
    expect(plant({ triangles: 30_000, clashes: 0 }).truth()).toEqual({ clashes: [], decoys: [] });
    expect(plant({ triangles: 300_000, clashes: 100 }).truth().clashes).toHaveLength(100);
    const crowded = plant({ triangles: 30_000, clashes: 10_000 });
    expect(crowded.truth().clashes.length).toBeGreaterThan(20);
    expect([...crowded.shapes()].reduce((sum, { objects }) => sum + objects.length, 0)).toBe(
      crowded.objectCount,
    );
  });

  it('refuses sizes that it cannot be', () => {
    for (const triangles of [0, Number.NaN, Infinity]) expect(() => plant({ triangles })).toThrow(RangeError);
  });
});

describe('avatar', () => {
  it('is a closed figure 1.75 m tall', () => {
    const figure = avatar();
    const { min, max } = boxOf(figure.positions, IDENTITY);
    expect(Math.abs(figure.indices.length / 3 - 4000)).toBeLessThan(200);
    expectClosedSolid(figure, 'avatar');
    expect(selfIntersect(Mesh.from(figure)).count).toBe(0);
    expect(max[2] - min[2]).toBeCloseTo(1.75, 1);
    expect(max[1] - min[1]).toBeLessThan(0.7);
  });
});

describe('walk', () => {
  it('goes on in small steps and gentle turns, and touches nothing', () => {
    const model = plant({ triangles: 60_000, seed: 3 });
    const { steps, interval } = walk(model, { steps: 3000, seed: 3 });
    expect(walk({ triangles: 60_000, seed: 3 }, { steps: 3000, seed: 3 })).toEqual({ steps, interval });
    expect(steps).toHaveLength(3000);
    for (let i = 1; i < steps.length; i++) {
      const [a, b] = [steps[i - 1], steps[i]];
      expect(Math.hypot(a[9] - b[9], a[10] - b[10], a[11] - b[11])).toBeLessThan(0.05);
      expect(a[0] * b[0] + a[3] * b[3]).toBeGreaterThan(Math.cos(0.1));
    }
    const person = { mesh: Mesh.from(avatar({ triangles: 1000 })) };
    const placed = placedObjects(model);
    let nearest = Infinity;
    for (let i = 0; i < steps.length; i += 12) {
      const pose = steps[i];
      for (const other of placed) {
        const { min, max } = other.box;
        const far = [0, 1].some((k) => min[k] > pose[9 + k] + 0.6 || max[k] < pose[9 + k] - 0.6);
        if (far || min[2] > 2.1) continue;
        const options = { ...posesOf(other, { pose }), atMost: 0.5 };
        nearest = Math.min(nearest, distance(other.mesh, person.mesh, options).distance);
      }
    }
    expect(nearest).toBeGreaterThan(0.05);
    expect(nearest).toBeLessThan(0.5);
  });
});
