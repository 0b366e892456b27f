/** Without WebAssembly SIMD: where a point lies is still told, what needs a depth is refused by name. */
import { afterAll, expect, it, vi } from 'vitest';

const KERNEL = '../../../src/kernel/kernel.js';
afterAll(() => {
  vi.doUnmock(KERNEL);
  vi.resetModules();
});

it('pointInMesh works without kernels; contacts, contains and penetration say that they need them', async () => {
  vi.resetModules();
  vi.doMock(KERNEL, async (original) => ({
    ...(await original<typeof import('../../../src/kernel/kernel.js')>()),
    kernelSupported: () => false,
    kernel: () => {
      throw new Error('no kernels here');
    },
  }));
  const { contacts } = await import('../../../src/query/solid/contacts.js');
  const { contains, pointInMesh } = await import('../../../src/query/solid/containment.js');
  const { penetration } = await import('../../../src/query/solid/penetration.js');
  const { ball, bruteForceInside, mesh, torus } = await import('./solids.js');
  const ring = mesh(torus(1, 0.4, 24, 12));
  for (let i = 0; i < 40; i++) {
    const point = [0.07 * i - 1.4, 0.13, 0.021] as const;
    const inside = bruteForceInside(ring, point);
    expect(inside).toBeDefined();
    expect(pointInMesh(ring, point)).toBe(inside ? 'inside' : 'outside');
  }
  const [a, b] = [ball(1, 3), ball(0.8, 3)];
  for (const [name, query] of Object.entries({ contacts, contains, penetration })) {
    expect(() => query(a, b)).toThrowError(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining(`${name} needs`) }),
    );
  }
});
