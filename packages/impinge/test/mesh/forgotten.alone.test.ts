/** Meshes that nobody disposes of: the memory they took comes back by itself, long before it is short. */
import { expect, test } from 'vitest';
import { full, LONG, runs } from '../../../../test/budget.js';
import { arena, createPrivateArena } from '../../src/base/arena.js';
import { collide, ImpingeError, Mesh, raycast } from '../../src/index.js';

/** A sheet of 2 · (side − 1)² triangles. */
function sheet(side: number) {
  const positions = Float32Array.from({ length: 3 * side * side }, (_, i) =>
    i % 3 === 0 ? Math.floor(i / 3) % side : i % 3 === 1 ? Math.floor(i / 3 / side) : 0,
  );
  const indices: number[] = [];
  for (let v = 0; v < side * (side - 1); v++) {
    if (v % side === side - 1) continue;
    indices.push(v, v + 1, v + side, v + 1, v + side + 1, v + side);
  }
  return { positions, indices: Uint32Array.from(indices) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('while the event loop turns, what is forgotten is collected under pressure', async () => {
  const large = sheet(224);
  let made = 0;
  let peak = 0;
  const count = LONG ? 20_000 : runs(400); // 1.8 MB each; trees come to that
  for (let i = 0; i < count; i++) {
    const mesh = Mesh.from(large);
    made += mesh.byteLength;
    if (i % 8 === 0) collide(mesh, mesh, { mode: 'any' });
    peak = Math.max(peak, arena().usedBytes);
    await turn();
  }
  expect(peak).toBeLessThan(6e8);
  expect(made).toBeGreaterThan(count * 1.7e6);
});

test('small ones, many', async () => {
  const small = sheet(6);
  let peak = 0;
  for (let i = 0; i < (LONG ? 1_000_000 : runs(100_000)); i++) {
    Mesh.from(small);
    if (i % 100 === 0) await turn();
    peak = Math.max(peak, arena().usedBytes);
  }
  expect(peak).toBeLessThan(8e8); // with what is left of the others
});

full(
  'some thousand triangles each, asked and forgotten',
  async () => {
    const middling = sheet(64); // 7 938 triangles, 144 KB, and three times as much where it is asked; 1.3 GB in all
    let peak = 0;
    let met = 0;
    const count = LONG ? 100_000 : runs(5_000);
    for (let i = 0; i < count; i++) {
      const mesh = Mesh.from(middling);
      if (i % 4 === 0 && raycast(mesh, { origin: [7.3, 8.1, 9], direction: [0, 0, -1] })) met++;
      if (i % 10 === 0) await turn();
      peak = Math.max(peak, arena().usedBytes);
    }
    expect(met).toBe(Math.ceil(count / 4));
    expect(peak).toBeLessThan(8e8); // with what is left of the others
  },
  900_000,
);

test('with using, nothing is left behind', () => {
  const large = sheet(100);
  const used = arena().usedBytes;
  for (let i = 0; i < runs(500); i++) {
    using mesh = Mesh.from(large);
    expect(mesh.triangleCount).toBe(19_602);
  }
  expect(arena().usedBytes).toBe(used);
});

full('in a loop without a turn, too, as long as they are not asked about', () => {
  const large = sheet(224);
  const blocks = Array.from({ length: 7 }, () => arena().alloc(2 ** 29)); // never written to: takes no memory
  const used = arena().usedBytes;
  for (let i = 0; i < 1000; i++) Mesh.from(large); // 1.8 GB, where half a gigabyte is left
  expect(arena().usedBytes).toBeLessThanOrEqual(used);

  const mesh = Mesh.from(large);
  const other = Mesh.fromBytes(mesh.toBytes());
  mesh.dispose();
  Mesh.from(large).dispose(); // outside the arena
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
  expect(other.box).toEqual({ min: [0, 0, 0], max: [223, 223, 0] });
  expect(arena().usedBytes).toBeGreaterThan(used);
  expect(raycast(other, { origin: [7.3, 8.1, 9], direction: [0, 0, -1] })?.distance).toBe(9);
  other.dispose();
  for (const block of blocks) arena().free(block);
});

test('when there is no room, the error says who holds how much and what to do', () => {
  const little = createPrivateArena();
  for (let i = 0; i < 3; i++) little.label(little.alloc(2 ** 26), i < 2 ? 'meshes' : 'trees');
  let caught: ImpingeError | undefined;
  try {
    little.alloc(2 ** 27);
  } catch (error) {
    caught = error as ImpingeError;
  }
  expect(caught).toBeInstanceOf(ImpingeError);
  expect(caught?.code).toBe('out-of-memory');
  expect(caught?.message).toBe(
    'cannot allocate 134 MB, the memory cannot grow: 2 meshes hold 134 MB, 1 trees 67 MB, all else 0.000 MB; ' +
      'dispose() meshes and trees that are no longer needed, or declare them with using: unreferenced ones are collected only after a turn of the event loop',
  );
  expect(caught?.detail).toMatchObject({ requested: 2 ** 27, meshes: { count: 2, bytes: 2 ** 27 } });
});

test('what is read of a mesh may be written to, and changes nothing', () => {
  const mesh = Mesh.from(sheet(5));
  const { positions, indices } = mesh;
  expect(mesh.positions).toBe(positions); // read once, free from then on
  indices.fill(0xffffffff);
  positions.fill(Number.NaN);
  expect(collide(mesh, mesh).count).toBeGreaterThan(0);
  expect(Mesh.fromBytes(mesh.toBytes()).indices[1]).toBe(1);
  mesh.setPositions(sheet(5).positions.map((x) => 2 * x));
  expect(mesh.positions[3]).toBe(2);
  expect(positions[3]).toBeNaN();
});
