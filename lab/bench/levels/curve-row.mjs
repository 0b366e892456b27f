/** Remaining triangles by certified error: a scan, a plant, anatomy; and of the scan with a strict tree. */
import { existsSync } from 'node:fs';
import { frontOf } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { logPlot } from '../../command/dist/reports/log-plot.js';
import { count } from '../measure/figures.mjs';
import { percent } from './asking.mjs';
import { ANATOMY } from './models.mjs';

/** Errors, out + in, as shares of a model's largest extent. */
const SHARES = [0.0001, 0.0004, 0.001, 0.002, 0.004, 0.01, 0.02, 0.05];
const PLANT_TRIANGLES = 1_000_000;
/** Sampling interval of the body's objects. */
const BODY_STRIDE = 10;

/**
 * Remaining triangles of the dragon at these errors with nested groups: each made of the results of four, in the order
 * of the k-d tree. Measured to decide against it (docs/levels.md).
 */
const STRICT_TREE = [869238, 323598, 176218, 107834, 66380, 20154, 6730, 3364];

export async function curveRow({ figures, models, quick, writePlot }) {
  figures.begin('curve', 'triangles left at an error (out + in), as a share of the largest extent');
  const stores = { dragon: await models.store(models.dragon()) };
  stores.plant = await models.plantStore(quick ? undefined : PLANT_TRIANGLES);
  if (!quick && existsSync(ANATOMY)) stores.anatomy = await models.anatomyStore();
  const series = [];
  for (const [name, store] of Object.entries(stores)) {
    const { all, left } = await trianglesLeft(store, name === 'anatomy' ? BODY_STRIDE : 1);
    SHARES.forEach((share, i) => {
      figures.add(`${name}, error ${percent(share)}`, {
        triangles: count(left[i]),
        fewer: { value: all / left[i], unit: '×' },
      });
    });
    series.push({ name, points: curve(left, all) });
    if (name === 'dragon')
      series.push({ name: 'dragon, tree', dashed: true, points: curve(STRICT_TREE, all) });
  }
  writePlot(
    'curve',
    logPlot(
      'Triangles left against the certified error',
      'error, % of the size',
      '% of the triangles',
      series,
    ),
  );
}

/** In percent. */
function curve(left, all) {
  return SHARES.map((share, i) => [100 * share, (100 * left[i]) / all]);
}

/** Triangles of every `stride`-th object; instances count separately. */
async function trianglesLeft(store, stride) {
  const model = await openStoreFile(store);
  try {
    const { objectShape, pieceTriangles } = model.directory;
    const chosen = Array.from(objectShape.keys()).filter((object) => object % stride === 0);
    const boxes = chosen.map((object) => model.box(object));
    const extents = [0, 1, 2].map(
      (k) =>
        boxes.reduce((a, b) => Math.max(a, b[k + 3]), -Infinity) -
        boxes.reduce((a, b) => Math.min(a, b[k]), Infinity),
    );
    const size = Math.max(...extents);
    const at = (error) =>
      chosen.reduce(
        (sum, object) =>
          frontOf(model, objectShape[object], error).reduce((own, piece) => own + pieceTriangles[piece], sum),
        0,
      );
    return { all: at(0), left: SHARES.map((share) => at(share * size)) };
  } finally {
    await model.dispose();
  }
}
