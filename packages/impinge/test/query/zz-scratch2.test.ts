import { test, expect } from 'vitest';
import { Mesh } from '../../src/mesh/mesh.js';
import { collide } from '../../src/query/collide.js';
import { distance } from '../../src/query/distance.js';
import { tolerance } from '../../src/query/tolerance.js';
import { arena } from '../../src/base/arena.js';
import { soup, grid } from '../hierarchy/fixtures.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { hierarchyToBytes } from '../../src/hierarchy/serialise.js';
import { scaled } from './support/scenes.js';
import { expectAllQueries, Truth } from './support/brute-force.js';

const T = () => Mesh.from({ positions: Float32Array.of(0,0,0,1,0,0,0,1,0) });
test('huge tolerance', () => { const s = soup(1, 30, .3), r = soup(2, 31, .3); for (const t of [1e18, 1e19,1e20,1e30,1e300,1.7e308]) expect(tolerance(s, r, { tolerance: t, mode: 'all' }).pairCount, `${t}`).toBe(930); });
test('limit 2^32', () => { const s = soup(1, 100, .3), r = soup(2, 100, .3); const n = collide(s, r).pairCount; for (const limit of [2**32-1, 2**32, 2**32+1, 2**40]) expect(collide(s, r, { limit }).pairCount, `${limit}`).toBe(n); });
for (const e of [10, 15, 18, 19, 20, 25, 30, 31, 35, 37]) test('scale 1e' + e, () => { const s = scaled(soup(1, 60, .3), 10 ** e), r = scaled(soup(2, 61, .3), 10 ** e); const t = new Truth(s, r, {}); expect(collide(s, r).pairs).toEqual(Uint32Array.from(t.pairs)); expect(distance(s, r).distance).toBe(0); });
for (const e of [5, 10, 15, 17, 18, 20, 25, 30, 35]) test('apart scale 1e' + e, () => { const s = scaled(soup(1, 60, .3), 10 ** e), r = scaled(soup(2, 61, .3), 10 ** e, [3 * 10 ** e, 0, 0]); const t = new Truth(s, r, {}); expect(collide(s, r).pairCount).toBe(0); expect(distance(s, r).distance/t.nearest).toBeCloseTo(1, 10); });
for (const e of [-10, -15, -20, -25, -30, -35, -38, -40]) test('scale 1e' + e, () => { const s = scaled(soup(1, 60, .3), 10 ** e), r = scaled(soup(2, 61, .3), 10 ** e); expectAllQueries(s, r, {}); expectAllQueries(s, r, {pose: {translation: [3*10**e,0,0]}}); });
test('far point', () => {
  const a = Mesh.from({ positions: Float32Array.of(1e6,0,0,1e6,0,0,1e6,0,0) });
  const b = Mesh.from({ positions: Float32Array.from([3e-11,-1e-6,-1e-6, 3e-11,1e-6,-1e-6, 3e-11,0,2e-6]) });
  expectAllQueries(a, b, { pose: { translation: [1e6, 0, 0] } });
});
test('bytes', () => {
  const g = soup(5, 701, .1);
  const dirty = (x: number) => { const n = arena().alloc(4e6); arena().u8().fill(x, n, n + 4e6); arena().free(n); };
  for (const lazy of [false, true]) {
  dirty(0x55); const t1 = buildHierarchy(g, { lazy }); const b1 = hierarchyToBytes(t1); t1.dispose();
  dirty(0xaa); const t2 = buildHierarchy(g, { lazy }); const b2 = hierarchyToBytes(t2); t2.dispose();
  expect(Buffer.from(b1).equals(Buffer.from(b2)), `lazy ${lazy}`).toBe(true);
  }
});
test('mesh bytes', () => {
  const p = Float32Array.from({length: 15}, (_, i) => i % 7);
  const dirty = (x: number) => { const n = arena().alloc(1e6); arena().u8().fill(x, n, n + 1e6); arena().free(n); };
  dirty(0x55); const m1 = Mesh.from({ positions: p, indices: [0,1,2] }); const b1 = m1.toBytes(); m1.dispose();
  dirty(0xaa); const m2 = Mesh.from({ positions: p, indices: [0,1,2] }); const b2 = m2.toBytes(); m2.dispose();
  expect(Buffer.from(b1).equals(Buffer.from(b2))).toBe(true);
});
