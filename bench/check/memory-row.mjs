/**
 * Many small objects in memory, one core: everything from arrays to the list of pairs, ours and the peers, each in a
 * process of its own, on the same plant.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, megabytes, milliseconds, times } from '../measure/figures.mjs';
import { versionOf } from '../measure/machine.mjs';
import { measureProgram, measureScript } from '../measure/measure-child.mjs';
import { findFclCheck } from '../peers/fcl-check.mjs';
import { nearPairs, randomPlant, worldBoxes, writePairs, writePlant } from './random-plant.mjs';

const CLEARANCE = 0.05;
const SEED = 1;
const QUESTIONS = ['hard', 'clearance', 'all'];
/** PQP is in no package. Beside FCL's OBBRSS trees on such a plant it needed, build and question, milliseconds. */
const PQP = { pqp: { build: 8206, hard: 70, clearance: 89 }, fcl: { build: 9841, hard: 87, clearance: 203 } };
/** How many times the time of ours a peer is to need, build and question. */
const ASKED = { 'three-mesh-bvh': 10, '@ifc-lite/wasm': 10, 'PQP (implied)': 8 };

export async function memoryRow({ figures, folder, quick }) {
  const objectCount = quick ? 1000 : 10_000;
  figures.begin('memory', `${objectCount} objects in random poses, one core, build + check, CPU time`);
  const args = writeInput(folder, objectCount, figures);
  const script = (path) => [process.execPath, fileURLToPath(new URL(path, import.meta.url))];
  const contenders = [
    { name: 'impinge', label: 'scene', command: script('./ours-scene.mjs') },
    { name: 'impinge', label: 'check of a store', command: script('./ours-store.mjs') },
    { name: 'three-mesh-bvh', label: 'both trees', command: script('../peers/three-mesh-bvh-check.mjs') },
    {
      name: 'three-mesh-bvh',
      label: 'one tree',
      command: [...script('../peers/three-mesh-bvh-check.mjs'), 'one-tree'],
    },
    { name: '@ifc-lite/wasm', label: 'session', command: script('../peers/ifc-lite-check.mjs') },
  ];
  const fcl = findFclCheck();
  if (fcl.binary)
    contenders.push({ name: 'fcl', label: 'OBBRSS', command: [fcl.binary], version: fcl.version });
  else figures.note(`FCL: SKIPPED, ${fcl.note}`);
  let ours;
  for (const { name, label, command, version = versionOf(name) } of contenders) {
    let found;
    try {
      const [program, ...rest] = command;
      found =
        program === process.execPath
          ? await measureScript(rest[0], [...args, ...rest.slice(1)])
          : await measureProgram(program, args);
    } catch (error) {
      figures.assert(false, `${name} failed: ${error.message}`);
      continue;
    }
    const answer = parse(found.stdout);
    ours ??= answer;
    figures.add(`${objectCount} ${label}`, quantities(answer, ours, quick ? {} : ASKED, name), name, version);
    if (answer !== ours) {
      for (const question of ['hard', 'clearance'])
        figures.note(`    ${question}: ${agreement(answer, ours, question)}`);
    }
    if (name === 'fcl' && ours) {
      const implied = impliedPqp(answer);
      figures.add(
        `${objectCount} implied`,
        quantities(implied, ours, quick ? {} : ASKED, 'PQP (implied)'),
        'PQP (implied)',
        '1.3',
      );
      figures.note('    PQP is in no package: its times are FCL’s here by the ratio of the two elsewhere');
    }
  }
}

function writeInput(folder, objectCount, figures) {
  const paths = ['plant.bin', 'near.bin', 'near-clearance.bin'].map((name) => join(folder, name));
  const objects = randomPlant(objectCount, SEED);
  const boxes = worldBoxes(objects);
  const near = [0, CLEARANCE].map((reach) => nearPairs(boxes, reach));
  writePlant(paths[0], objects);
  near.forEach((pairs, i) => {
    writePairs(paths[1 + i], pairs);
  });
  const triangles = objects.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  figures.note(
    `${triangles} triangles; ${near[0].length / 2} pairs of boxes overlap, ${near[1].length / 2} within ${CLEARANCE} m`,
  );
  return [...paths, String(CLEARANCE)];
}

function parse(text) {
  const answer = { hits: { hard: new Set(), clearance: new Set() } };
  for (const line of text.trim().split('\n')) {
    const [what, ...cells] = line.split('\t');
    if (what === 'hit') answer.hits[cells[0]].add(`${cells[1]} ${cells[2]}`);
    else answer[what] = Number(cells[0]);
  }
  return answer;
}

function quantities(answer, ours, asked, name) {
  const out = { build: milliseconds(answer.build) };
  for (const question of QUESTIONS) {
    if (answer[question] === undefined) continue;
    out[question] = milliseconds(answer[question]);
    if (answer.hits?.[question]) out[`${question} pairs`] = count(answer.hits[question].size);
    if (answer !== ours) {
      const ratio = (answer.build + answer[question]) / (ours.build + ours[question]);
      out[`build + ${question} by ours`] = times(ratio, asked[name]);
    }
  }
  if (answer['triangle pairs']) out['triangle pairs'] = count(answer['triangle pairs']);
  if (answer.rss) out['peak RSS'] = megabytes(answer.rss);
  return out;
}

function agreement(answer, ours, question) {
  const [theirs, known] = [answer.hits[question], ours.hits[question]];
  const missing = [...known].filter((pair) => !theirs.has(pair)).length;
  const extra = [...theirs].filter((pair) => !known.has(pair)).length;
  return missing + extra === 0
    ? `the same ${known.size} pairs`
    : `${missing} of ours are missing, ${extra} are not ours`;
}

function impliedPqp(fcl) {
  return Object.fromEntries(
    ['build', 'hard', 'clearance'].map((what) => [what, (fcl[what] * PQP.pqp[what]) / PQP.fcl[what]]),
  );
}
