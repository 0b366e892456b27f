/**
 * Triangles of a front compared with a plain quadric simplifier of the whole mesh, at equal distance from it; and
 * bounds of fronts compared with what samples find.
 */
import { frontOf, readPieces } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { count } from '../measure/figures.mjs';
import { ERRORS, percent } from './asking.mjs';
import { readBinaryPly } from './binary-ply.mjs';
import { sizeOf } from './models.mjs';
import { fewestTriangles, sampledDeviations } from './quadric-peer.mjs';

const MOST_RATIO = 1.3;
/** Errors whose fronts are sampled, as shares of the size. */
const SAMPLED = [0.0002, 0.0004, 0.0007, 0.001, 0.002, 0.004, 0.007, 0.01, 0.02, 0.03, 0.05];
/** Of the median bound, as a multiple of what samples find. */
const MOST_TIMES = 1.2;
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
    const originals = await meshAt(model, 0);
    const ratios = [];
    for (const share of quick ? SAMPLED.slice(-1) : SAMPLED) {
      const front = await meshAt(model, share * size);
      const [out, inward] = sampledDeviations(front, originals);
      ratios.push((front.out + front.in) / (out + inward));
      figures.add(`bounds at ${percent(share)}`, {
        out: { value: front.out / out, unit: '× of samples' },
        in: { value: front.in / inward, unit: '× of samples' },
        both: { value: ratios.at(-1), unit: '× of samples' },
      });
    }
    figures.add('median of bounds', {
      both: {
        value: ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)],
        unit: '× of samples',
        asked: quick ? undefined : { most: MOST_TIMES },
      },
    });
  } finally {
    await model.dispose();
  }
  figures.note(
    'meshoptimizer: fewest triangles of which no sample is farther, a lower bound of what it needs',
  );
}

/** The front at an error as one mesh, in the frame of its shape, with its bounds. */
async function meshAt(model, error) {
  const front = frontOf(model, 0, error);
  const pieces = await readPieces(model, front);
  const length = (of) => pieces.reduce((sum, piece) => sum + of(piece).length, 0);
  const positions = new Float32Array(length((piece) => piece.positions));
  const indices = new Uint32Array(length((piece) => piece.indices));
  let [vertex, corner] = [0, 0];
  for (const piece of pieces) {
    positions.set(piece.positions, 3 * vertex);
    for (const v of piece.indices) indices[corner++] = vertex + v;
    vertex += piece.positions.length / 3;
  }
  const most = (of) => front.reduce((largest, piece) => Math.max(largest, of[piece]), 0);
  return { positions, indices, out: most(model.directory.pieceOut), in: most(model.directory.pieceIn) };
}
