/** How meeting triangles meet: what the kernel says in batches, and what exact predicates say of each pair. */
import fc from 'fast-check';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { BATCH, Meeting, OPEN } from 'impinge/internal/query/solid/layout.generated.js';
import { MeetingBatch } from 'impinge/internal/query/solid/meeting-batch.js';
import { PlacedPair } from 'impinge/internal/query/solid/placed-pair.js';
import {
  describeContact,
  findMeetingTriangles,
  MeetingReader,
} from 'impinge/internal/query/solid/surface-contact.js';
import { describeExactly } from 'impinge/internal/query/solid/triangle-meeting.js';
import { describe, expect, test } from 'vitest';
import { full, least, runs } from '../../../../test/budget.js';
import { sphere } from '../../../impinge/test/query/solid/solids.js';
import { placed, poseOf } from '../check/support.js';

const HERE = IDENTITY as RigidPose;

/** Describes the contact of two placed soups, and holds every pair to the exact answer. */
function expectExact(pair: PlacedPair): number {
  const triangles = findMeetingTriangles(pair);
  const contact = describeContact(pair, triangles);
  const reader = new MeetingReader(pair, triangles.pairs);
  const shared = new Float64Array(18);
  let crossings = 0;
  for (let i = 0; i < contact.count; i++) {
    shared.fill(0);
    const corners = reader.read(i);
    expect(contact.meeting[i]).toBe(describeExactly(corners, pair.slack, shared));
    if (contact.meeting[i] === Meeting.crossing) crossings++;
    const size = Math.max(...corners.map(Math.abs));
    const ends = Array.from(contact.segments.subarray(6 * i, 6 * i + 6));
    const apart = (order: readonly number[]) =>
      Math.max(...order.map((k, j) => Math.abs(shared[k] - ends[j])));
    const off = Math.min(apart([0, 1, 2, 3, 4, 5]), apart([3, 4, 5, 0, 1, 2]));
    expect(off).toBeLessThanOrEqual(4e-12 * size);
  }
  expect(contact.crossings).toBe(crossings);
  return contact.count;
}

const soupOf = (numbers: readonly number[]) => ({
  positions: numbers,
  indices: numbers.slice(0, numbers.length / 3).map((_, i) => i),
});
const soups = (coordinate: fc.Arbitrary<number>) =>
  fc
    .integer({ min: 1, max: 12 })
    .chain((count) => fc.array(coordinate, { minLength: 9 * count, maxLength: 9 * count }).map(soupOf));
const poses = fc
  .tuple(
    fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
    fc.double({ min: 0, max: 6, noNaN: true }),
    fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 3, maxLength: 3 }),
  )
  .map(([axis, angle, shift]) => poseOf(axis, angle, shift));

describe('the kernel and exact predicates agree on', () => {
  test.each([
    ['triangles anywhere', 81, soups(fc.double({ min: -1, max: 1, noNaN: true }))],
    [
      'triangles of a coarse grid: touching, in one plane, without area',
      82,
      soups(fc.integer({ min: -2, max: 2 })),
    ],
    [
      'slivers, far from the origin',
      83,
      soups(
        fc
          .tuple(fc.integer({ min: -1, max: 1 }), fc.double({ min: 0, max: 1e-5, noNaN: true }))
          .map(([i, e]) => 1000 + i + e),
      ),
    ],
  ])('%s, seed %i', (_, seed, soup) => {
    let pairs = 0;
    fc.assert(
      fc.property(soup, soup, fc.option(poses, { nil: HERE }), (a, b, pose) => {
        pairs += expectExact(new PlacedPair(placed(a), placed(b, pose)));
      }),
      { seed, numRuns: runs(150) },
    );
    expect(pairs).toBeGreaterThan(least(500));
  });

  full('more pairs than a batch holds, in several parts', () => {
    const turned = poseOf([1, 2, 3], 0.3, [0.001, 0.002, 0]);
    const pair = new PlacedPair(
      placed(sphere(1, 20), HERE, (t) => t % 3),
      placed(sphere(1, 20), turned),
    );
    expect(expectExact(pair)).toBeGreaterThan(2 * BATCH);
  });
});

test('the kernel leaves open only what is close to call', () => {
  const describeOne = (a: number[], b: number[]) => {
    const [meshA, meshB] = [a, b].map((positions) => Mesh.from({ positions, indices: [0, 1, 2] }));
    const batch = new MeetingBatch(HERE, 0);
    const meeting = new Uint8Array(1);
    batch.setPair(0, 0, 0);
    batch.run(meshA, meshB, 1, meeting, new Float64Array(6), 0);
    batch.release();
    return meeting[0];
  };
  const flat = [0, 0, 1, 4, 0, 1, 0, 4, 1];
  expect(describeOne(flat, [1, 1, 0, 1, 1, 2, 9, 7, 0])).toBe(Meeting.crossing);
  expect(describeOne(flat, [1, 1, 0.9999, 1, 1, 2, 9, 7, 0])).toBe(Meeting.crossing);
  expect(describeOne(flat, [1, 1, 1, 1, 1, 2, 9, 7, 0])).toBe(OPEN);
  expect(describeOne(flat, flat)).toBe(OPEN);
});
