/** Where memory cannot be shared, views die when it grows; queries on points must not keep dead ones. */
import { expect, it } from 'vitest';
import { FAST } from '../../../../../test/budget.js';

it('contacts, containment and penetration on private memory that grows meanwhile', async () => {
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated = false;
  const { arena } = await import('../../../src/base/arena.js');
  const { contacts } = await import('../../../src/query/solid/contacts.js');
  const { contains } = await import('../../../src/query/solid/containment.js');
  const { pointInMesh } = await import('../../../src/query/scene/ask-points.js');
  const { penetration } = await import('../../../src/query/solid/penetration.js');
  const { ball, mesh, torus } = await import('./solids.js');
  expect(arena().shared).toBe(false);
  const a = ball(1, 24);
  const b = ball(0.8, 24);
  const pose = { translation: [1.4, 0, 0] };
  const before = arena().memory.buffer.byteLength;
  const [region] = contacts(a, b, { pose }).regions;
  expect(region.depth).toBeCloseTo(0.4, 2);
  expect(region.closed).toBe(true);
  expect(contains(a, b, { pose: { translation: [0.1, 0, 0] } }).relation).toBe('b-inside-a');
  expect(pointInMesh(a, [0.99, 0, 0])).toBe('inside');
  expect(penetration(a, b, { pose }).depth).toBeCloseTo(0.4, 2);
  const ring = mesh(torus(1, 0.4, FAST ? 90 : 120, FAST ? 45 : 60));
  expect(contacts(ring, ring, { pose: { translation: [0.5, 0, 0] } }).regions.length).toBeGreaterThan(0);
  expect(arena().memory.buffer.byteLength).toBeGreaterThan(before);
});
