/** Without WebAssembly SIMD: where a point lies is still told, what needs a depth is refused by name. */
import { expect, it, vi } from 'vitest';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { pointInMesh } from '../../../src/query/scene/ask-points.js';
import { contacts } from '../../../src/query/solid/contacts.js';
import { contains } from '../../../src/query/solid/containment.js';
import { penetration } from '../../../src/query/solid/penetration.js';
import { ball, bruteForceInside, mesh, torus } from './solids.js';

it('pointInMesh works without kernels; contacts, contains and penetration say that they need them', () => {
  vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
  vi.spyOn(mainKernels, 'kernels').mockImplementation(() => {
    throw new Error('no kernels here');
  });
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
