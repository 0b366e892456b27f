/** Without WebAssembly SIMD the same contacts, relations and ways out. */
import { expect, it, vi } from 'vitest';

it('contacts, containment and penetration without kernels, and after the mesh has moved', async () => {
  vi.doMock('../../src/kernel/kernel.js', async (original) => ({
    ...(await original<typeof import('../../../src/kernel/kernel.js')>()),
    kernelSupported: () => false,
    kernel: () => {
      throw new Error('no kernels here');
    },
  }));
  const { arena } = await import('../../../src/base/arena.js');
  const { contacts } = await import('../../../src/query/solid/contacts.js');
  const { contains, pointInMesh } = await import('../../../src/query/solid/containment.js');
  const { penetration } = await import('../../../src/query/solid/penetration.js');
  const { ball, mesh, torus } = await import('./solids.js');
  const pose = { translation: [1.4, 0, 0] };
  const a = ball(1, 10);
  const b = ball(0.8, 10);
  expect(contacts(a, b, { pose }).regions[0].depth).toBeCloseTo(0.4, 1);
  expect(contains(a, b).relation).toBe('b-inside-a');
  expect(pointInMesh(mesh(torus(1, 0.4, 24, 12)), [1, 0, 0])).toBe('inside');
  expect(penetration(a, b, { pose }).depth).toBeCloseTo(0.4, 1);
  b.setPositions(b.positions.map((x) => 0.5 * x));
  expect(contacts(a, b, { pose: { translation: [1.5, 0, 0] } }).regions).toEqual([]);
  expect(contacts(a, b, { pose: { translation: [1.2, 0, 0] } }).regions[0].depth).toBeCloseTo(0.2, 1);
  const used = arena().usedBytes;
  const passing = ball(1, 10);
  pointInMesh(passing, [0, 0, 0]);
  passing.dispose();
  expect(arena().usedBytes).toBe(used);
});
