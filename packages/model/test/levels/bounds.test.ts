/** What levels promise about distances, against samples. */
import { Random, seedOf } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { every, FAST, full, LONG, runs } from '../../../../test/budget.js';
import { simplifyGroup } from '../../src/levels/simplify-group.js';
import { frontOf } from '../../src/store/front.js';
import { FAMILIES, type Shape } from './families.js';
import { sampledDistance } from './sampling.js';
import { errorOf, frontAt, levelsOf, together } from './stored.js';

/** Corners moved by little or much, triangles left out, corners made one, all stretched and moved away from zero. */
function shaken({ positions, indices }: Shape, random: Random): Shape {
  const by = random.pick([0, 1e-4, 0.01, 0.1]);
  const stretch = [0, 1, 2].map(() => 10 ** (2 * random.next() - 1));
  const away = random.pick([0, 0, 1000]);
  const moved = positions.map((x, i) => stretch[i % 3] * (x + by * (random.next() - 0.5)) + away);
  const lost = random.pick([0, 0, 0.05, 0.3]);
  const joined = random.pick([0, 0, 0.02]);
  const corners: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    if (random.chance(lost)) continue;
    const other = random.chance(joined) ? indices[random.integer(0, indices.length - 1)] : indices[t];
    corners.push(other, indices[t + 1], indices[t + 2]);
  }
  return { positions: moved, indices: corners.length > 0 ? Uint32Array.from(corners) : indices };
}

/** Rings of `n` vertices on both faces of a disk with a hole, `rows` each. */
function disk(n: number, rows: number, height: number): Shape {
  const radii = Array.from({ length: rows }, (_, k) => 0.1 + (0.9 * (k + 1)) / rows);
  const rings = [...radii.map((r) => [r, 0]), ...radii.reverse().map((r) => [r, height])];
  const positions: number[] = [];
  const indices: number[] = [];
  rings.forEach(([r, z], ring) => {
    const next = (ring + 1) % rings.length;
    for (let i = 0; i < n; i++) {
      const angle = (2 * Math.PI * i) / n;
      positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
      const [a, b] = [n * ring + i, n * ring + ((i + 1) % n)];
      const [c, d] = [n * next + ((i + 1) % n), n * next + i];
      indices.push(a, b, c, a, c, d);
    }
  });
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

describe('bounds', () => {
  for (const name of every(Object.keys(FAMILIES), 3)) {
    full(`of ${name} are never below what samples find`, async () => {
      for (let run = 0; run < runs(2); run++) {
        const random = new Random(seedOf(run, name.length, name.charCodeAt(0)));
        const shape = FAMILIES[name](FAST ? 8 : 9 + 6 * run, random);
        const levels = await levelsOf(shape, run === 0 ? 8192 : 128);
        const { model, pieces } = levels;
        const top = pieces.reduce((most, _, piece) => Math.max(most, errorOf(model, piece)), 0);
        for (const share of [0, 0.03, 0.3, 1]) {
          const error = share * top;
          const front = frontAt(levels, error);
          const out = sampledDistance(shape, front, random, 2);
          const inward = sampledDistance(front, shape, random, 4);
          expect(out + inward).toBeLessThanOrEqual(error + 1e-12);
        }
        for (let i = model.directory.shapeExactPieces[0]; i < pieces.length; i += 3) {
          const inward = sampledDistance(pieces[i], shape, random, 0);
          expect(inward).toBeLessThanOrEqual(model.directory.pieceIn[i] + 1e-12);
        }
      }
    });
  }

  test('of meshes shaken, torn and thinned out are never below what dense samples find', async () => {
    const most = LONG ? 1e6 : FAST ? 200 : 800;
    let levels = 0;
    let triangles = 0;
    for (let run = 0; triangles < most; run++) {
      const random = new Random(seedOf(run, 77));
      const shape = shaken(
        FAMILIES[random.pick(Object.keys(FAMILIES))](random.integer(5, 14), random),
        random,
      );
      triangles += shape.indices.length / 3;
      const own = await levelsOf(shape, random.pick([64, 200, 8192]));
      const { pieceOut, pieceIn } = own.model.directory;
      const errors = own.pieces.map((_, piece) => errorOf(own.model, piece)).filter((error) => error > 0);
      if (errors.length === 0) continue; // nothing can be left out
      const error = random.pick(errors);
      const front = frontAt(own, error);
      const pieces = [...frontOf(own.model, 0, error)];
      const [out, inward] = [pieceOut, pieceIn].map((bounds) => Math.max(...pieces.map((i) => bounds[i])));
      expect(sampledDistance(shape, front, random, 6)).toBeLessThanOrEqual(out);
      expect(sampledDistance(front, shape, random, 12)).toBeLessThanOrEqual(inward);
      levels++;
    }
    expect(levels).toBeGreaterThan(0);
    if (LONG) process.stdout.write(`${triangles} triangles, ${levels} fronts\n`);
  }, 3_600_000);

  test('of a thin disk are about the same both ways', () => {
    // the rim is at right angles to both faces, and triangles of it come to lie along its edges
    const { positions, indices } = disk(256, 4, 0.02);
    const count = indices.length / 3;
    const input = {
      ...{ positions, indices, locked: new Uint8Array(positions.length / 3) },
      ...{ out: new Float32Array(count), in: new Float32Array(count) },
    };
    const { end } = simplifyGroup({ input, least: { out: 0, in: 0 }, shares: [0.25] })!;
    // in was eight times out before pieces went on along triangles that were found to be nearer
    expect(end.in).toBeLessThan(2 * end.out);
  });

  test('of one group hold for each of its steps, both ways', async () => {
    let groups = 0;
    for (const name of every(Object.keys(FAMILIES), 4)) {
      const random = new Random(seedOf(name.length));
      const shape = FAMILIES[name](FAST ? 8 : 11, random);
      const { model, pieces } = await levelsOf(shape, 8192); // one exact piece, and so one group of the lowest level
      const { pieceLevel, pieceOut, pieceIn } = model.directory;
      for (const level of [1, 2]) {
        const own = Array.from(pieceLevel.keys()).filter((i) => pieceLevel[i] === level);
        if (own.length === 0) continue; // it has no such step
        groups++;
        const step = together(own.map((i) => pieces[i]));
        expect(sampledDistance(shape, step, random, 2)).toBeLessThanOrEqual(pieceOut[own[0]] + 1e-12);
        expect(sampledDistance(step, shape, random, 2)).toBeLessThanOrEqual(pieceIn[own[0]] + 1e-12);
      }
    }
    expect(groups).toBeGreaterThan(3);
  });
});
