/** The input files of contenders in the in-memory check, and their output (see memory-contender.mjs). */
import { join } from 'node:path';
import { nearPairs, worldBoxes, writePairs, writePlant } from './random-plant.mjs';

/**
 * Writes a plant, its pairs of overlapping boxes, and those within a clearance.
 * @returns {{ args: string[], triangles: number, near: number[] }} arguments of contenders; numbers of pairs
 */
export function writeQuestion(folder, objects, clearance) {
  const paths = ['plant.bin', 'near.bin', 'near-clearance.bin'].map((name) => join(folder, name));
  const boxes = worldBoxes(objects);
  const near = [0, clearance].map((reach) => nearPairs(boxes, reach));
  writePlant(paths[0], objects);
  near.forEach((pairs, i) => {
    writePairs(paths[1 + i], pairs);
  });
  const triangles = objects.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  return { args: [...paths, String(clearance)], triangles, near: near.map(({ length }) => length / 2) };
}

/** Numbers by name, the last of several; pairs of objects found, as text. */
export function parseAnswer(text) {
  const answer = { hits: { hard: new Set(), clearance: new Set() } };
  for (const line of text.trim().split('\n')) {
    const [what, ...cells] = line.split('\t');
    if (what === 'hit') answer.hits[cells[0]].add(`${cells[1]} ${cells[2]}`);
    else answer[what] = Number(cells[0]);
  }
  return answer;
}
