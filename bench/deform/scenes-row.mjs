/** The paper's three scenes, simulated by the command: culling in every step with contact, and time of detection. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, milliseconds, times } from '../measure/figures.mjs';
import { runCommand } from '../measure/measure-child.mjs';

/** Steps that are run, and what the issue asks of one detection in milliseconds. */
const SCENES = {
  tori: { steps: 900, quick: 60 },
  'cloth-bunny': { steps: 300, quick: 30, most: 16 },
  letters: { steps: 75, quick: 5, most: 50, workers: 2 },
};
const PRIMITIVE_ASKED = 100;
const ELEMENT_ASKED = 1000;
/** Vertices with faces and edges with edges of two triangles: what hashing alone hands to the exact test for each pair. */
const ELEMENTS_PER_PAIR = 15;

export async function scenesRow({ figures, folder, quick, writePlot }) {
  figures.begin('scenes', "the paper's scenes");
  for (const [scene, { steps, quick: few, most, workers = 0 }] of Object.entries(SCENES)) {
    const csv = join(folder, `${scene}.csv`);
    const svg = join(folder, `${scene}.svg`);
    await runCommand(
      ...['simulate', scene, '--steps', String(quick ? few : steps), '--stats', csv, '--plot', svg],
      ...['--workers', String(workers)],
    );
    const rows = readRows(csv);
    const touching = rows.filter(({ events }) => events > 0);
    const detection = rows.map(detectionMs).sort((a, b) => a - b);
    figures.add(`${scene}, detection`, {
      steps: count(rows.length),
      'with contact': count(touching.length),
      mean: milliseconds(detection.reduce((sum, ms) => sum + ms, 0) / rows.length, quick ? undefined : most),
      p99: milliseconds(detection[Math.floor(0.99 * (detection.length - 1))]),
      most: milliseconds(detection.at(-1)),
    });
    if (touching.length === 0) continue;
    const worst = (column, of = 1) =>
      Math.min(...touching.map((row) => (of * row.hashingAlone) / Math.max(1, row[column])));
    figures.add(`${scene}, culling in the worst step with contact`, {
      'fewer pairs after primitive culling': times(worst('primitivePairs'), PRIMITIVE_ASKED),
      'fewer elements tested': times(worst('testedPairs', ELEMENTS_PER_PAIR), ELEMENT_ASKED),
    });
    for (const kind of ['culling', 'times']) {
      writePlot(`${scene}-${kind}`, readFileSync(svg.replace('.svg', `-${kind}.svg`), 'utf8'));
    }
  }
}

function readRows(path) {
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const columns = head.split(',');
  return lines.map((line) => {
    const values = line.split(',').map(Number);
    return Object.fromEntries(columns.map((column, i) => [column, values[i]]));
  });
}

/** Of one detection: a step makes several. */
function detectionMs(row) {
  const all = row.sweepMs + row.gridMs + row.primitivesMs + row.elementsMs + row.exactMs + row.sortMs;
  return all / Math.max(1, row.passes);
}
