/** Bounds of the distance are no farther apart than the error, whichever pieces have which of its two parts. */
import { Random } from '@impinge/scenes/random';
import { distance } from 'impinge';
import { expect } from 'vitest';
import { full } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { FAMILIES } from '../levels/families.js';
import { moved, named, storeBytes } from '../store/fixtures.js';

const SHAPES = [
  { geometry: FAMILIES['torus'](8, new Random(1)), objects: [named('a')] },
  { geometry: FAMILIES['terrain'](8, new Random(2)), objects: [named('b', moved(3, 0, 0))] },
];

/** The first shape of it, which comes nearest, has only ins, the other only outs: as large as both together were. */
async function lopsided(): Promise<LevelsTarget> {
  const bytes = await storeBytes(SHAPES, { levels: true, pieceTriangles: 64 });
  const model = await openStore(new MemorySource(bytes));
  const { pieceOut, pieceIn, shapeFirstPiece } = model.directory;
  for (let piece = 0; piece < pieceOut.length; piece++) {
    const error = pieceOut[piece] + pieceIn[piece];
    pieceOut[piece] = piece < shapeFirstPiece[1] ? 0 : error;
    pieceIn[piece] = error - pieceOut[piece];
  }
  return new LevelsTarget(model);
}

full(
  'the largest out and the largest in of different pieces do not add up to more than the error',
  async () => {
    const [a, b] = [await lopsided(), await lopsided()];
    let beyond = 0;
    for (let error = 0.01; error < 2; error *= 1.05) {
      const side = a.at(0.375 * error)!;
      if (2 * (side.out + side.in) > error) beyond++;
      const { bounds } = await distance(a, b, { pose: { translation: [0.3, 0.2, 4] }, error });
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error * (1 + 1e-9));
    }
    expect(beyond).toBeGreaterThan(5);
    for (const target of [a, b]) await target.dispose();
  },
);
