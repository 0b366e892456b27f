/** The culler around a backend that culls nothing: poses, layouts, exact decisions, order, errors. */
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { VisibilityCuller } from '../src/culler.js';
import type { CulledPairs } from '../src/types.js';
import { configuration, disposeAll, type Placed, realise } from './configurations.js';
import { asDevice, EveryPair } from './fake-backends.js';
import { libraryRows, rowsOf } from './oracle.js';
import { ball, box, type Shape } from './shapes.js';

function cullerOf(placed: readonly Placed[], backend = new EveryPair()) {
  const culler = new VisibilityCuller(asDevice(backend));
  const objects = placed.map(({ mesh, pose, self }) => culler.add(mesh, { pose, self }));
  return { culler, objects, backend };
}

const at = (x: number, y = 0, z = 0) => ({ translation: [x, y, z] });

test('answers equal those of the library', async () => {
  for (let number = 0; number < runs(120); number++) {
    const placed = realise(configuration(number));
    const { culler } = cullerOf(placed);
    expect([number, rowsOf(await culler.collide())]).toEqual([number, libraryRows(placed)]);
    culler.dispose();
    disposeAll(placed);
  }
});

describe('objects', () => {
  const cube = (): Shape => box(1, 1, 1);
  const open = () => {
    const backend = new EveryPair();
    return { backend, culler: new VisibilityCuller(asDevice(backend)) };
  };

  test('are numbered in the order of adding, and never twice', async () => {
    const { culler } = open();
    const [a, b, c] = [0, 1.5, 3].map((x) => culler.add(cube(), { pose: at(x) }));
    expect([a.id, b.id, c.id]).toEqual([0, 1, 2]);
    a.remove();
    const d = culler.add(cube(), { pose: at(4.5) });
    expect(d.id).toBe(3);
    expect(culler.size).toBe(3);
    expect(culler.objects).toEqual([b, c, d]);
    const { objects } = await culler.collide();
    expect(pairNames(objects)).toEqual(['1-2', '2-3']);
    culler.dispose();
  });

  test('come, go, move, deform and break between queries', async () => {
    const { culler } = open();
    const mesh = Mesh.from(ball(1));
    const a = culler.add(mesh);
    const b = culler.add(mesh, { pose: at(3) });
    const c = culler.add(cube(), { pose: at(0, 5) });
    const expected = () => {
      const placed = [a, b, c].map((o) => ({ mesh: o.mesh, pose: poseOf(o), self: false }));
      return libraryRows(placed);
    };
    const poses = new Map<unknown, ReturnType<typeof at>>([
      [a, at(0)],
      [b, at(3)],
      [c, at(0, 5)],
    ]);
    const poseOf = (object: unknown) => poses.get(object)!;
    const move = (object: typeof a, pose: ReturnType<typeof at>) => {
      poses.set(object, pose);
      object.move(pose);
    };
    const check = async (some: boolean) => {
      const rows = rowsOf(await culler.collide());
      expect(rows).toEqual(expected());
      expect(rows.length > 0).toBe(some);
    };
    await check(false);
    move(b, at(1.2));
    await check(true);
    move(b, at(3));
    await check(false);
    mesh.setPositions(Array.from(mesh.positions, (x) => 2 * x)); // a and b share it
    await check(true);
    a.deform(Array.from(mesh.positions, (x) => 0.5 * x));
    await check(false);
    c.deform(box(1, 5, 1).positions);
    await check(true);
    c.replace(ball(0));
    await check(false);
    c.replace(Mesh.from(box(4, 6, 4)));
    expect(c.id).toBe(2);
    await check(true);
    culler.dispose();
    expect(() => mesh.assertLive()).not.toThrow();
  });

  test('all move at once', async () => {
    const { culler } = open();
    for (let i = 0; i < 5; i++) culler.add(cube(), { pose: at(10 * i) });
    culler.objects[1].remove();
    const poses = new Float64Array(12 * 4);
    for (let i = 0; i < 4; i++) poses.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 1.5 * i, 0, 0], 12 * i);
    culler.moveAll(poses);
    expect(pairNames((await culler.collide()).objects)).toEqual(['0-2', '2-3', '3-4']);
    // refused as a whole, with the id of the one at fault
    const bad = poses.slice();
    bad.fill(100, 9, 12);
    bad[12 * 2] = 2;
    expect(() => culler.moveAll(bad)).toThrow(
      expect.objectContaining({ code: 'bad-pose', message: expect.stringMatching(/^object 3: .*scales/) }),
    );
    bad[12 * 2] = Number.NaN;
    expect(() => culler.moveAll(bad)).toThrow(expect.objectContaining({ code: 'non-finite' }));
    expect(pairNames((await culler.collide()).objects)).toEqual(['0-2', '2-3', '3-4']);
    expect(() => culler.moveAll(poses.subarray(0, 12))).toThrow(/12 numbers for each of 4 objects/);
    culler.dispose();
  });

  test('keep poses to the bit', async () => {
    const { culler, backend } = open();
    const rotation = [0.1, 0.2, 0.3, Math.sqrt(0.86)];
    const poses = Float64Array.of(
      ...toRigidPose({ rotation, translation: [0.1, 0.2, 0.3] }),
      ...toRigidPose(at(1)),
    );
    for (let i = 0; i < 2; i++) culler.add(cube());
    culler.moveAll(poses);
    const asked = culler.collide();
    expect(backend.asked[0].input.objects.flatMap(({ pose }) => [...pose])).toEqual([...poses]);
    await asked;
    culler.dispose();
  });

  test('disposed meshes are named', async () => {
    const { culler } = open();
    culler.add(cube());
    const mesh = Mesh.from({ ...cube(), name: 'wheel' });
    culler.add(mesh, { pose: at(1) });
    mesh.dispose();
    await expect(culler.collide()).rejects.toThrow(
      expect.objectContaining({ code: 'disposed', message: 'object 1: mesh "wheel" was disposed' }),
    );
    // and the culler goes on without it
    culler.objects[1].remove();
    expect((await culler.collide()).count).toBe(0);
    expect(() => culler.add(mesh)).toThrow(expect.objectContaining({ code: 'disposed' }));
    culler.dispose();
  });

  test('meshes made by the culler go with their last object', async () => {
    const { culler } = open();
    const a = culler.add(cube());
    const own = a.mesh;
    const b = culler.add(own, { pose: at(1) });
    a.remove();
    expect((await culler.collide()).count).toBe(0);
    expect(() => own.assertLive()).not.toThrow();
    b.replace(ball(0));
    expect(() => own.assertLive()).toThrow(/disposed/);
    const last = b.mesh;
    culler.dispose();
    expect(() => last.assertLive()).toThrow(/disposed/);
  });

  test('own triangles: those that share a corner, by number or by place, do not count', async () => {
    const { culler } = open();
    // two triangles that cross, one that shares a place with the first, one that shares a number with it
    const positions = [
      0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5, 0.5, -1, 0.5, 0.5, 1, 0.6, 0.5, 1, 0, 0, 0, 1, 1, 1, 1, 1, -1,
    ];
    const indices = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 4, 3];
    const object = culler.add({ positions, indices }, { self: true });
    const { pairs } = selfIntersect(object.mesh);
    const { triangles, objects } = await culler.collide();
    expect([...triangles]).toEqual([...pairs]);
    expect([...triangles]).toContain(1);
    expect([...objects].every((id) => id === 0)).toBe(true);
    expect(pairsOf(await culler.within({ distance: 0.01 }))).not.toContain('0-2');
    expect(pairsOf(await culler.within({ distance: 0.01 }))).toContain('0-1');
    culler.dispose();
  });

  const pairsOf = ({ triangles }: CulledPairs) => {
    const pairs: string[] = [];
    for (let i = 0; i < triangles.length; i += 2) pairs.push(`${triangles[i]}-${triangles[i + 1]}`);
    return pairs;
  };
  const pairNames = (objects: Uint32Array) => {
    const pairs = new Set<string>();
    for (let i = 0; i < objects.length; i += 2) pairs.add(`${objects[i]}-${objects[i + 1]}`);
    return [...pairs].sort();
  };

  test('the potentially colliding set has ids, and those tested against themselves', async () => {
    const backend = new EveryPair();
    const ask = backend.ask.bind(backend);
    backend.ask = async (input, request) => ({
      ...(await ask(input, request)),
      objects: Uint32Array.of(1),
    });
    const culler = new VisibilityCuller(asDevice(backend));
    culler.add(cube()).remove();
    for (let i = 0; i < 4; i++) culler.add(cube(), { self: i === 3 });
    expect([...(await culler.potentiallyCollidingSet()).objects]).toEqual([2, 4]);
    culler.dispose();
  });

  test('nothing to ask: no objects, or one', async () => {
    const { culler, backend } = open();
    expect((await culler.collide()).count).toBe(0);
    culler.add(cube());
    expect((await culler.collide()).count).toBe(0);
    expect((await culler.potentiallyCollidingSet()).objects.length).toBe(0);
    expect(await culler.distance({ atMost: 1 })).toBeUndefined();
    expect(backend.asked).toEqual([]);
    culler.dispose();
  });

  test('errors name the object', () => {
    const { culler } = open();
    const object = culler.add(cube());
    expect(() => object.move({ translation: [0, Number.NaN, 0] })).toThrow(
      /^object 0: pose: translation must be 3 finite numbers, .*NaN/,
    );
    expect(() => object.deform([1, 2, 3])).toThrow(/^object 0: mesh: 3 numbers for 8 vertices/);
    expect(() => object.replace({ positions: [] })).toThrow(/^object 0: mesh: no triangles/);
    expect(() => culler.add({ positions: [1] })).toThrow(/^object 1: /);
    expect(() => culler.add(cube(), { pose: [1] })).toThrow(/^object 1: pose/);
    expect(culler.add(cube()).id).toBe(1);
    object.remove();
    for (const use of [() => object.move({}), () => object.deform([]), () => object.remove()]) {
      expect(use).toThrow(expect.objectContaining({ code: 'removed', message: 'object 0 was removed' }));
    }
    culler.dispose();
  });
});

describe('several queries', () => {
  function gated() {
    const backend = new EveryPair();
    let open = () => {};
    backend.gate = new Promise((resolve) => {
      open = resolve;
    });
    const culler = new VisibilityCuller(asDevice(backend));
    const a = culler.add(box(1, 1, 1));
    const b = culler.add(box(1, 1, 1), { pose: at(5) });
    return { backend, culler, a, b, open };
  }

  test('are answered one after the other, each for the poses when it was asked', async () => {
    const { backend, culler, b, open } = gated();
    const apart = culler.collide();
    b.move(at(1.5));
    const together = culler.collide();
    culler.moveAll(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0));
    const farther = culler.distance({ atMost: 100 });
    b.move(at(1));
    expect(backend.asked.length).toBe(1);
    open();
    expect((await apart).count).toBe(0);
    expect((await together).count).toBeGreaterThan(0);
    expect((await farther)!.distance).toBe(7);
    expect((await culler.distance({ atMost: 100 }))!.distance).toBe(0);
    culler.dispose();
  });

  test('refuse all changes but moves until they are answered', async () => {
    const { culler, a, b, open } = gated();
    const asked = culler.collide();
    const changes = [
      () => culler.add(box(1, 1, 1)),
      () => a.remove(),
      () => a.deform(a.mesh.positions),
      () => a.replace(ball(0)),
    ];
    for (const change of changes) {
      expect(change).toThrow(
        expect.objectContaining({ code: 'busy', message: expect.stringMatching(/busy with a query/) }),
      );
    }
    open();
    expect((await asked).count).toBe(0);
    b.remove();
    expect(culler.size).toBe(1);
    culler.dispose();
  });

  test('a mesh that changes meanwhile is noticed', async () => {
    const { culler, b, open } = gated();
    const asked = culler.collide();
    b.mesh.setPositions(b.mesh.positions.slice());
    open();
    await expect(asked).rejects.toThrow(/object 1: its mesh changed/);
    expect((await culler.collide()).count).toBe(0);
    culler.dispose();
  });

  test('are rejected when the culler goes', async () => {
    const { backend, culler, open } = gated();
    const asked = [culler.collide(), culler.collide()];
    culler.dispose();
    culler.dispose();
    expect(backend.disposed).toBe(0);
    open();
    for (const request of asked) await expect(request).rejects.toThrow(/the culler was disposed/);
    await Promise.resolve();
    expect(backend.disposed).toBe(1);
    await expect(culler.collide()).rejects.toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(() => culler.add(box(1, 1, 1))).toThrow(/disposed/);
  });
});

describe('options', () => {
  const device = () => asDevice(new EveryPair());
  const bad: [string, object, RegExp][] = [
    ['resolution', { resolution: 0 }, /from 1 to 8192/],
    ['resolution', { resolution: 8193 }, /from 1 to 8192/],
    ['resolution', { resolution: 1.5 }, /integer/],
    ['method', { method: 'magic' }, /queries, split-tree/],
    ['stages', { stages: ['boxes', 'boxes'] }, /twice/],
    ['stages', { stages: ['atoms'] }, /atoms/],
    ['partSize', { partSize: 48 }, /power of two/],
    ['partSize', { partSize: 512 }, /16 to 256/],
    ['randomDirections', { randomDirections: -1 }, /from 0/],
    ['seed', { seed: Number.NaN }, /seed/],
    ['rounds', { rounds: 0 }, /from 1/],
    ['now', { now: 5 }, /function/],
  ];
  test.each(bad)('refuses a bad %s: %o', (_, options, message) => {
    const make = () => new VisibilityCuller(device(), options);
    expect(make).toThrow(
      expect.objectContaining({ code: 'bad-option', message: expect.stringMatching(message) }),
    );
  });

  test('refuses bad distances', async () => {
    const culler = new VisibilityCuller(device());
    for (const d of [-1, Number.NaN, Infinity]) {
      await expect(culler.within({ distance: d })).rejects.toThrow(
        expect.objectContaining({ code: 'bad-option' }),
      );
      await expect(culler.candidates({ distance: d })).rejects.toThrow(
        expect.objectContaining({ code: 'bad-option' }),
      );
    }
    for (const atMost of [-1, Number.NaN])
      await expect(culler.distance({ atMost })).rejects.toThrow(/atMost must be a number of at least 0/);
    culler.dispose();
  });

  test('reach the backend', async () => {
    const backend = new EveryPair('webgpu');
    const culler = new VisibilityCuller(asDevice(backend), {
      resolution: 77,
      method: 'queries',
      stages: ['triangles'],
      partSize: 16,
      randomDirections: 2,
      seed: 5,
      rounds: 3,
    });
    culler.add(ball(1));
    culler.add(ball(1));
    const { stats } = await culler.collide();
    const { input, request } = backend.asked[0];
    expect(request).toMatchObject({
      resolution: 77,
      method: 'queries',
      stages: ['triangles'],
      rounds: 3,
      distance: 0,
    });
    expect(request.views.length).toBe(9 * 5);
    expect(input).toMatchObject({ partSize: 16, partBase: Uint32Array.of(0, 2, 4) });
    expect(stats).toMatchObject({
      backend: 'webgpu',
      method: 'queries',
      resolution: 77,
      objects: 2,
      triangles: 64,
    });
    expect(stats.ms).toBeUndefined();
    culler.dispose();
  });

  test('a clock gives times', async () => {
    let clock = 0;
    const culler = new VisibilityCuller(device(), { now: () => ++clock });
    culler.add(ball(1));
    culler.add(ball(1));
    const { ms } = (await culler.collide()).stats;
    expect(ms!.total).toBeGreaterThan(ms!.exact);
    expect(ms!.calls).toBeGreaterThan(0);
    culler.dispose();
  });

  test('candidates are all that was not dropped', async () => {
    const culler = new VisibilityCuller(device());
    culler.add(box(1, 1, 1));
    culler.add(box(1, 1, 1), { pose: at(5) });
    const { count, triangles } = await culler.candidates({ distance: 1 });
    expect(count).toBe(144);
    expect([...triangles.subarray(0, 4)]).toEqual([0, 0, 0, 1]);
    culler.dispose();
  });
});
