/** Contacts of bodies on the move: none is left out that they may come to, by the speeds that they have. */
import { arena } from 'impinge/internal/base/arena.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { expect, test } from 'vitest';
import { box, torus } from '../../../../lab/scenes/solids.mjs';
import { least as leastOf, runs } from '../../../../test/budget.js';
import { turnAt } from '../../src/bodies/rotation.js';
import { BodyTable } from '../../src/rigid/body-table.js';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import {
  CONTACT_BYTES,
  CONTACT_ID,
  GAP,
  NORMAL,
  P,
  POINT_A,
  Status,
} from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import type { NearPair } from '../../src/rigid/near-pair.js';
import { writeRelative } from '../../src/rigid/placing.js';
import { cross } from '../vectors.js';
import { distanceAt, shapeOf } from './engines/posed-shapes.js';

const LEAST = 0.004;
const BEYOND = 0.002;
const H = 0.01;

/** Two bodies side by side, somehow turned, and moving somehow: the second comes nearer until they are `apart`. */
function placeTwo(random: SeededRandom, table: BodyTable, distance: () => number, apart: number): void {
  const signed = (size: number) => size * (2 * random.next() - 1);
  for (let i = 0; i < 2; i++) {
    const q = [signed(1), signed(1), signed(1), signed(1)];
    table.turn.set(
      q.map((x) => x / Math.hypot(...q)),
      4 * i,
    );
    table.velocity.set([signed(2), signed(2), signed(2)], 3 * i);
    table.spin.set([signed(12), signed(12), signed(12)], 3 * i);
    table.place.set([i * 1.2, signed(0.2), signed(0.2)], 3 * i);
    table.orient(i);
  }
  for (let gap = distance(); gap > apart && table.place[3] > 0.3; gap = distance())
    table.place[3] -= gap - 0.9 * apart;
}

test('are found as far as leaves come towards each other, and distances are certain, seed 21', () => {
  const [a, b] = [shapeOf('ring', torus(0.3, 0.1, 24, 12)), shapeOf('box', box(0.3, 0.2, 0.25))];
  const memory = new OwnedMemory();
  const { block } = new PairContacts(memory, a, b);
  const pair = { block, a: { index: 0 }, b: { index: 1 } } as unknown as NearPair;
  const everywhere = new PairContacts(memory, a, b);
  const table = new BodyTable();
  table.resize(2);
  const batch = new PairBatch();
  batch.reserve(2);
  const pose = new Float64Array(12);
  const posed = () => {
    writeRelative(table, 0, 1, pose);
    return { a, b, pose };
  };
  const distance = () => distanceAt(a, b, posed().pose);
  const random = new SeededRandom(21);
  const all = new ContactSet();
  const closest = new ContactSet();
  const seen = { renewed: 0, kept: 0, needed: 0, left: 0 };
  for (let run = 0; run < runs(12); run++) {
    placeTwo(random, table, distance, 0.02);
    for (let look = 0; look < 6; look++) {
      const v = [0, 1, 2].map((k) => table.velocity[3 + k] - table.velocity[k]);
      const spins = [0, 3].map((k) => Math.hypot(...table.spin.subarray(k, k + 3)));
      const asked = LEAST + H * (Math.hypot(...v) + spins[0] * a.radius + spins[1] * b.radius);
      for (let i = 0; i < 2; i++) {
        batch.writeStart(i, table.matrix, 9 * i, table.place, 3 * i);
        batch.writePace(i, H, table);
      }
      batch.clear();
      batch.add(pair, asked, BEYOND);
      runHere(batch.update(LEAST, H));
      expect(block.number(P.apart)).toBeLessThanOrEqual(distance() + 1e-12);
      if (block.word(P.status) === Status.kept) seen.kept++;
      else {
        seen.renewed++;
        const found = new Set(
          Array.from({ length: block.word(P.found) }, (_, i) => {
            return arena().f64()[(block.word(P.contacts) + i * CONTACT_BYTES + CONTACT_ID) >>> 3];
          }),
        );
        everywhere.findAll(posed(), asked + BEYOND, all);
        const ids = new Set(all.ids.subarray(0, all.count));
        for (const id of found) expect(ids.has(id)).toBe(true);
        for (let i = 0; i < all.count; i++) {
          const d = all.data.subarray(CONTACT_NUMBERS * i, CONTACT_NUMBERS * i + CONTACT_NUMBERS);
          if (d[GAP] > LEAST + H * nearing(table, d.subarray(POINT_A), d.subarray(NORMAL))) {
            if (!found.has(all.ids[i])) seen.left++;
            continue;
          }
          seen.needed++;
          // what is beside a face by a share of the reach counts in a longer one only
          if (!found.has(all.ids[i])) {
            everywhere.findAll(posed(), d[GAP] * (1 + 1e-9), closest);
            expect(closest.ids.subarray(0, closest.count)).not.toContain(all.ids[i]);
          }
        }
      }
      // on the way, more slowly from look to look
      const h = H / 4 ** look;
      for (let i = 0; i < 2; i++) {
        for (let k = 3 * i; k < 3 * i + 3; k++) table.place[k] += h * table.velocity[k] * 0.1;
        turnAt(
          table.turn,
          4 * i,
          ...([0, 1, 2].map((k) => 0.1 * h * table.spin[3 * i + k]) as [number, number, number]),
        );
        table.orient(i);
        for (let k = 3 * i; k < 3 * i + 3; k++) {
          table.velocity[k] *= 0.5;
          table.spin[k] *= 0.5;
        }
      }
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(leastOf(3));
});

/** How fast b comes nearer to a at a place in a's frame, along a normal from a to b. */
function nearing(table: BodyTable, at: ArrayLike<number>, normal: ArrayLike<number>): number {
  const { matrix: m, place, velocity, spin } = table;
  const world = (x: ArrayLike<number>) =>
    [0, 3, 6].map((k) => m[k] * x[0] + m[k + 1] * x[1] + m[k + 2] * x[2]);
  const x = world(at).map((c, k) => c + place[k]);
  const speed = (i: number) => {
    const turning = cross(
      spin.subarray(3 * i, 3 * i + 3),
      x.map((c, k) => c - place[3 * i + k]),
    );
    return turning.map((c, k) => c + velocity[3 * i + k]);
  };
  const [p, q] = [speed(0), speed(1)];
  return Math.max(0, -world(normal).reduce((sum, n, k) => sum + n * (q[k] - p[k]), 0));
}
