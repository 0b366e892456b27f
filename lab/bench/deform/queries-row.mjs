/** The exact continuous test on published queries with exact answers: errors and time per query. */
import { timeOfImpactEdgeEdge, timeOfImpactVertexFace } from 'impinge/geometry';
import { count } from '../measure/figures.mjs';
import { hasReference, publishedQueries } from './reference.mjs';

const TEST = { 'vertex-face': timeOfImpactVertexFace, 'edge-edge': timeOfImpactEdgeEdge };
/** Results of Tight-Inclusion on all 7 279 queries of the same collection. */
const TIGHT_INCLUSION = { falsePositives: 257, of: 7279 };

export async function queriesRow({ figures, repetitions }) {
  figures.begin('queries', 'published queries with exact answers, one call each');
  if (!hasReference(figures, 'ccd/')) return;
  const queries = publishedQueries();
  const found = { falsePositives: 0, falseNegatives: 0, exact: 0 };
  const microseconds = [];
  for (let r = 0; r < Math.max(3, repetitions); r++) {
    const started = performance.now();
    const impacts = queries.map(({ kind, points }) => TEST[kind](points));
    microseconds.push((1000 * (performance.now() - started)) / queries.length);
    if (r > 0) continue;
    for (const [i, { meets }] of queries.entries()) {
      if (impacts[i] && !meets) found.falsePositives++;
      if (!impacts[i] && meets) found.falseNegatives++;
      if (impacts[i]?.exact) found.exact++;
    }
  }
  figures.add(`${queries.length} queries`, {
    'per query': { value: microseconds, unit: 'µs', asked: { most: 20 } },
    'false negatives': count(found.falseNegatives, 0),
    'false positives': count(found.falsePositives, 0),
    'hits decided exactly': count(found.exact),
  });
  figures.assert(found.falseNegatives === 0, `${found.falseNegatives} contacts were missed`);
  const { falsePositives, of } = TIGHT_INCLUSION;
  figures.note(`Tight-Inclusion: no false negatives, ${falsePositives} false positives of ${of}`);
}
