/** Contact levels of the paper's models: triangles and hulls, first and coarsest, and build time. */
import { buildContactLevels } from '@impinge/dynamics';
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '@impinge/scenes/contact';
import { Mesh } from 'impinge';
import { count, seconds } from '../measure/figures.mjs';

/** From the paper: triangles and hulls, first and coarsest usable. */
const PAPER = {
  cup: [64000, 15490, 1532, 241],
  spoon: [86016, 16125, 1074, 61],
  'spiral peg': [32160, 6448, 716, 100],
  'wrinkled torus': [32000, 5919, 644, 92],
  bowl: [12288, 4336, 634, 63],
};
/** Accepted ratio to the paper's numbers. */
const MOST = 2;
/** Time limit for the spoon. */
const BUILD_SECONDS = 30;

export async function hullsRow({ figures, quick }) {
  figures.begin('hulls', 'contact levels of the models of the paper');
  const models = quick ? [bowl()] : [cup(), spoon(), spiralPeg(), wrinkledTorus(), bowl(), numbers()[8]];
  for (const model of models) {
    const before = process.cpuUsage();
    const levels = buildContactLevels(Mesh.from(model));
    const { user, system } = process.cpuUsage(before);
    const trianglesOf = (level) => {
      const { start, end } = levels.nodesOf(level);
      const starts = levels.array('triangleStart');
      return starts[end] - starts[start];
    };
    const hullsOf = (level) => levels.nodesOf(level).end - levels.nodesOf(level).start;
    const meanOfH = (level) => {
      const { start, end } = levels.nodesOf(level);
      return (
        levels
          .array('h')
          .subarray(start, end)
          .reduce((sum, x) => sum + x, 0) /
        (end - start)
      );
    };
    const radius = halfDiagonal(model.positions);
    const last = levels.usableLevels - 1;
    const paper = PAPER[model.name];
    const asked = (i) => (paper ? { asked: { most: MOST * paper[i] } } : {});
    figures.add(model.name, {
      triangles: count(trianglesOf(0)),
      hulls: { ...count(hullsOf(0)), ...asked(1) },
      'coarsest triangles': { ...count(trianglesOf(last)), ...asked(2) },
      'coarsest hulls': { ...count(hullsOf(last)), ...asked(3) },
      usable: count(levels.usableLevels),
      levels: count(levels.levelCount),
      'build processor time': seconds(
        (user + system) / 1e6,
        model.name === 'spoon' ? BUILD_SECONDS : undefined,
      ),
    });
    for (let level = 1; level <= last; level++) {
      const share = (100 * meanOfH(level)) / radius;
      figures.note(
        `  level ${level}: ${trianglesOf(level)} triangles, ${hullsOf(level)} hulls, mean h ${share.toFixed(2)} %`,
      );
    }
    levels.dispose();
  }
}

function halfDiagonal(positions) {
  const sides = [0, 1, 2].map((k) => {
    const along = positions.filter((_, i) => i % 3 === k);
    return along.reduce((a, b) => Math.max(a, b)) - along.reduce((a, b) => Math.min(a, b));
  });
  return Math.hypot(...sides) / 2;
}
