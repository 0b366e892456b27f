/**
 * Benchmarks of the viewer: queries of its exact engine in Node on a file, and its picture in Chromium.
 *
 *   npm run bench:viewer                            every row; writes lab/bench/results/viewer-<machine>.csv
 *   npm run bench:viewer -- drag                    some rows; the others' lines in the file stay
 *   npm run bench:viewer -- --quick                 a small plant; writes nothing unless --out is given
 *   npm run bench:viewer -- --runs 1                one run each instead of the median and range of five
 *   npm run bench:viewer -- --folder DIR            keeps the plant there, and uses the one it finds
 *
 * Rows: drag (an object of 5 000 triangles through a plant of 15 M, smoothly), walk (a person heads for one object
 * after another, runs into them and slides along them), picture (loading, turning, cutting). The first two are
 * processor times.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND, measureScript } from './measure/measure-child.mjs';
import { runRows } from './measure/rows.mjs';
import { dragRow } from './viewer/drag-row.mjs';
import { pictureRow } from './viewer/picture-row.mjs';
import { walkRow } from './viewer/walk-row.mjs';

await runRows({
  name: 'viewer',
  rows: { drag: dragRow, walk: walkRow, picture: pictureRow },
  options: { folder: { type: 'string' } },
  prepare: ({ quick }, { folder = join(tmpdir(), 'impinge-viewer') }) => {
    mkdirSync(folder, { recursive: true });
    const size = quick ? '300K' : '15M';
    const store = join(folder, `plant-${size}.impinge`);
    const plant = async () => {
      if (!existsSync(store))
        await measureScript(COMMAND, ['generate', '-o', store, '--triangles', size, '--levels']);
      return store;
    };
    return { plant, size };
  },
});
