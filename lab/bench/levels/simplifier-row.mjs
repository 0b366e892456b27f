/** Triangles of a front compared with a plain quadric simplifier of the whole mesh, at equal distance from it. */
import { frontOf } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { count } from '../measure/figures.mjs';
import { ERRORS, percent } from './asking.mjs';
import { readBinaryPly } from './binary-ply.mjs';
import { sizeOf } from './models.mjs';
import { fewestTriangles } from './quadric-peer.mjs';

const MOST_RATIO = 1.3;
/** The search for the peer's count starts at this part of ours. */
const SEARCHED_FROM = 8;

export async function simplifierRow({ figures, models, quick }) {
  figures.begin(
    'simplifier',
    'the dragon: triangles left, against meshoptimizer at equal distance both ways',
  );
  const file = models.dragon();
  const mesh = readBinaryPly(file);
  const size = sizeOf(mesh.positions);
  const model = await openStoreFile(await models.store(file));
  try {
    const { pieceOut, pieceIn, pieceTriangles } = model.directory;
    for (const share of quick ? ERRORS.slice(-1) : ERRORS) {
      const front = frontOf(model, 0, share * size);
      const triangles = front.reduce((sum, piece) => sum + pieceTriangles[piece], 0);
      const deviation = front.reduce((most, piece) => Math.max(most, pieceOut[piece], pieceIn[piece]), 0);
      const peer = await fewestTriangles(mesh, deviation, Math.ceil(triangles / SEARCHED_FROM));
      figures.add(`error ${percent(share)}`, {
        triangles: count(triangles),
        'certified distance': { value: (100 * deviation) / size, unit: '% of the size' },
        meshoptimizer: count(peer),
        ratio: { value: triangles / peer, unit: '×', asked: quick ? undefined : { most: MOST_RATIO } },
      });
    }
  } finally {
    await model.dispose();
  }
  figures.note(
    'meshoptimizer: fewest triangles of which no sample is farther, a lower bound of what it needs',
  );
}
