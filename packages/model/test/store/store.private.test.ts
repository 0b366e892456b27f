/** Where memory cannot be shared, views die when it grows: also while pages are on their way. */
import { expect, it } from 'vitest';
import { FAST } from '../../../../test/budget.js';

it('a check and a session on private memory, read in its own time', async () => {
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated = false;
  const { arena } = await import('impinge/internal/base/arena.js');
  const { check } = await import('../../src/check/check.js');
  const { Session } = await import('../../src/session/session.js');
  const { openStore } = await import('../../src/store/open.js');
  const { moved, named, slowSource, storeBytes } = await import('./fixtures.js');
  const { icosphere } = await import('../../../../lab/scenes/index.mjs');
  const { Mesh } = await import('impinge/internal/mesh/mesh.js');
  expect(arena().shared).toBe(false);
  const count = FAST ? 24 : 60;
  const ball = icosphere(12);
  const geometry = { positions: ball.positions, indices: ball.indices };
  const bytes = await storeBytes(
    Array.from({ length: count }, (_, i) => ({
      geometry,
      objects: [named(`ball ${i}`, moved(1.8 * i, 0, 0))],
    })),
  );
  const source = slowSource(bytes);
  const before = arena().memory.buffer.byteLength;
  let clashes = 0;
  for await (const { kind } of check(await openStore(source))) if (kind === 'hard') clashes++;
  expect(clashes).toBe(count - 1);
  const session = new Session(await openStore(source), { horizon: 100 });
  const mesh = Mesh.from(icosphere(4, 0.2));
  const body = session.add(mesh, { pose: { translation: [1, 0, 0] } });
  for (let x = 1; x < 1.65 * count; x += 1.8) {
    body.move({ translation: [x, 0, 0] });
    expect((await body.hits()).count).toBeGreaterThan(0);
  }
  expect(arena().memory.buffer.byteLength).toBeGreaterThan(before);
  await session.dispose();
});
