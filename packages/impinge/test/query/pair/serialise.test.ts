/** Trees from bytes: what is accepted answers right, whatever was done to the bytes. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import { checksumOf } from '../../../src/base/checksum.js';
import { ImpingeError } from '../../../src/base/errors.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { BUILDERS } from '../../../src/hierarchy/layout.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import { HierarchyHeader } from '../../../src/kernel/layout.generated.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { grid, soup } from '../../hierarchy/fixtures.js';
import { expectAllQueries, Truth } from '../support/brute-force.js';
import { quaternionPose } from '../support/scenes.js';

const pose = quaternionPose(151, 0.5, [0.1, 0, 0]);

const TREES = [
  ...BUILDERS.flatMap((builder) => [false, true].map((lazy) => ({ volume: 'obb' as const, builder, lazy }))),
  { volume: 'dop26', builder: 'sah', lazy: true } as const,
];

full.each(TREES)('there and back, $volume, $builder, lazy: $lazy', (options) => {
  const a = soup(152, 1300, 0.1);
  const b = soup(153, 60, 0.2);
  const truth = new Truth(a, b, pose);
  const tree = buildHierarchy(a, options);
  const bytes = hierarchyToBytes(tree);
  const copy = Mesh.fromBytes(a.toBytes());
  const loaded = hierarchyFromBytes(copy, bytes);
  expect(hierarchyToBytes(loaded)).toEqual(bytes);
  useHierarchy(loaded);
  expectAllQueries(copy, b, pose, truth);
  // half grown, moved, and stored again
  useHierarchy(tree);
  collide(a, b, { ...pose, mode: 'any' });
  const again = hierarchyFromBytes(a, hierarchyToBytes(tree));
  useHierarchy(again);
  expectAllQueries(a, b, pose, truth);
});

test('altered words with a matching checksum, seed 155: a typed error, or right answers', () => {
  const random = seededRandom(155);
  const a = grid(7, (x, y) => 0.3 * Math.sin(5 * x + 3 * y));
  const b = soup(156, 50, 0.3);
  const expected = new Truth(a, b, pose);
  const bytes = hierarchyToBytes(buildHierarchy(a));
  let refused = 0;
  for (let i = 0; i < runs(1500); i++) {
    const bad = Uint8Array.from(bytes);
    const words = new Uint32Array(bad.buffer);
    const floats = new Float32Array(bad.buffer);
    for (let k = 0; k <= Math.floor(2 * random()); k++) {
      const at = Math.floor(random() ** 2 * words.length);
      const how = Math.floor(6 * random());
      if (how === 0) words[at] ^= 1 << Math.floor(32 * random());
      if (how === 1) words[at] = words[Math.floor(random() * words.length)];
      if (how === 2) floats[at] *= 1 + 0.1 * (random() - 0.5);
      if (how === 3) words[at] = Math.floor(2 ** 32 * random());
      if (how === 4) floats[at] = [Number.NaN, Infinity, -Infinity, 0, -1, 1e30][Math.floor(6 * random())];
      if (how === 5) words[at] = 0xffffffff;
    }
    words[HierarchyHeader.checksum] = checksumOf(bad, HierarchyHeader.checksum);
    try {
      const tree = hierarchyFromBytes(a, bad);
      useHierarchy(tree);
    } catch (error) {
      if (!(error instanceof ImpingeError)) throw error;
      expect(error.code).toBe('bad-buffer');
      refused++;
      continue;
    }
    expectAllQueries(a, b, pose, expected);
  }
  expect(refused).toBeGreaterThan(least(300));
});

test('another mesh, cut-off bytes and nonsense are refused', () => {
  const a = soup(157, 100, 0.1);
  const bytes = hierarchyToBytes(buildHierarchy(a));
  const refused = expect.objectContaining({ code: 'bad-buffer' });
  expect(() => hierarchyFromBytes(soup(158, 100, 0.1), bytes)).toThrow(refused);
  expect(() => hierarchyFromBytes(soup(157, 99, 0.1), bytes)).toThrow(refused);
  for (let length = 0; length < bytes.length; length += 61) {
    expect(() => hierarchyFromBytes(a, bytes.slice(0, length))).toThrow(refused);
  }
  expect(() => hierarchyFromBytes(a, new Uint8Array(4096))).toThrow(refused);
  a.setPositions(a.positions.map((x) => 2 * x));
  expect(() => hierarchyFromBytes(a, bytes)).toThrow(refused);
});
