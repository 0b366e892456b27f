/** What levels promise about distances, against samples. */
import { Random, seedOf } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import { every, FAST, runs } from '../budget.js';
import { FAMILIES } from './families.js';
import { sampledDistance } from './sampling.js';
import { errorOf, frontAt, levelsOf, together } from './stored.js';

describe('bounds', () => {
  for (const name of every(Object.keys(FAMILIES), 3)) {
    test(`of ${name} are never below what samples find`, async () => {
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
