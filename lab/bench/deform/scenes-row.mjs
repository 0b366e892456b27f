/**
 * The paper's three scenes, simulated like `lab simulate`: culling in every step with contact, compared with hashing
 * alone, and time of detection.
 */
import { readScene } from '../../command/dist/jobs/read-scene.js';
import { runSimulation } from '../../command/dist/jobs/run-simulation.js';
import { cullingPlot, stageTimePlot } from '../../command/dist/reports/simulation-plots.js';
import { count, milliseconds, times } from '../measure/figures.mjs';
import { countHashedPairs } from './hashing-alone.mjs';

/** Number of steps. */
const SCENES = {
  tori: { steps: 900, quick: 60 },
  'cloth-bunny': { steps: 300, quick: 30, most: 16 },
  letters: { steps: 75, quick: 5, most: 50, workers: 2 },
};
const PRIMITIVE_ASKED = 100;
const ELEMENT_ASKED = 1000;
/**
 * Element pairs of two triangles, vertices with faces and edges with edges: hashing alone passes all to the exact test.
 */
const ELEMENTS_PER_PAIR = 15;

export async function scenesRow({ figures, quick, writePlot }) {
  figures.begin('scenes', "the paper's scenes");
  for (const [name, { steps, quick: few, most, workers = 0 }] of Object.entries(SCENES)) {
    const scene = await readScene(name, { seed: 1 });
    const rows = await simulate(scene, quick ? few : steps, workers);
    const touching = rows.filter(({ events }) => events > 0);
    const detection = rows.map(detectionMs).sort((a, b) => a - b);
    figures.add(`${name}, detection`, {
      steps: count(rows.length),
      'with contact': count(touching.length),
      mean: milliseconds(detection.reduce((sum, ms) => sum + ms, 0) / rows.length, quick ? undefined : most),
      p99: milliseconds(detection[Math.floor(0.99 * (detection.length - 1))]),
      most: milliseconds(detection.at(-1)),
    });
    if (touching.length === 0) continue;
    const worst = (column, of = 1) =>
      Math.min(...touching.map((row) => (of * row.hashingAlone) / Math.max(1, row[column])));
    figures.add(`${name}, culling in the worst step with contact`, {
      'fewer pairs after primitive culling': times(worst('primitivePairs'), PRIMITIVE_ASKED),
      'fewer elements tested': times(worst('testedPairs', ELEMENTS_PER_PAIR), ELEMENT_ASKED),
    });
    const hashing = { label: 'hashing alone', pairs: rows.map(({ hashingAlone }) => hashingAlone) };
    writePlot(`${name}-culling`, cullingPlot(`${scene.title}: pairs left by every stage`, rows, hashing));
    writePlot(`${name}-times`, stageTimePlot(`${scene.title}: milliseconds of every stage`, rows));
  }
}

/** The rows of all steps, each with the number of pairs that hashing alone would compare. */
async function simulate(scene, steps, workers) {
  const hashed = [];
  let before = scene.bodies.map(({ positions }) => positions.slice());
  const onStep = (_row, bodies) => {
    const surfaces = bodies.map(({ indices, positions: end, kind }, i) => {
      return { indices, start: before[i], end, still: kind === 'fixed' };
    });
    hashed.push(countHashedPairs(surfaces));
    before = bodies.map(({ positions }) => positions.slice());
  };
  const { signal } = new AbortController();
  const { rows } = await runSimulation({ scene, steps, workers, frames: 0, checkEvery: 0, signal, onStep });
  return rows.map((row, i) => ({ ...row, hashingAlone: hashed[i] }));
}

/** Of one detection: a step makes several. */
function detectionMs(row) {
  const all = row.sweepMs + row.gridMs + row.primitivesMs + row.elementsMs + row.exactMs + row.sortMs;
  return all / Math.max(1, row.passes);
}
