/**
 * Many small objects in memory, on one core: everything from arrays to the list of pairs, ours and the peers', each in
 * its own process, on the same plant.
 */
import { fileURLToPath } from 'node:url';
import { count, megabytes, milliseconds, times } from '../measure/figures.mjs';
import { versionOf } from '../measure/machine.mjs';
import { measureProgram, measureScript } from '../measure/measure-child.mjs';
import { findFclDriver } from '../peers/fcl.mjs';
import { parseAnswer, writeQuestion } from './contender-files.mjs';
import { randomPlant } from './random-plant.mjs';

const CLEARANCE = 0.05;
const SEED = 1;
const QUESTIONS = ['hard', 'clearance', 'all'];
/** Required ratio of a peer's time to ours, build and query. */
const ASKED = { 'three-mesh-bvh': 10, '@ifc-lite/wasm': 10, fcl: 20 };

export async function memoryRow({ figures, folder, quick, repetitions }) {
  const objectCount = quick ? 1000 : 10_000;
  figures.begin('memory', `${objectCount} objects in random poses, one core, build + check, CPU time`);
  const { args, triangles, near } = writeQuestion(folder, randomPlant(objectCount, SEED), CLEARANCE);
  figures.note(`${triangles} triangles; ${near[0]} pairs of boxes overlap, ${near[1]} within ${CLEARANCE} m`);
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
  const fcl = findFclDriver('fcl-check');
  if (fcl.binary)
    contenders.push({ name: 'fcl', label: 'OBBRSS', command: [fcl.binary], version: fcl.version });
  else figures.note(`FCL: SKIPPED, ${fcl.note}`);
  // contenders alternate within a run, so that a slowdown of the machine affects all of them
  const answersOf = new Map(contenders.map((contender) => [contender, []]));
  for (let run = 0; run < repetitions; run++) {
    for (const contender of contenders) {
      const [program, ...rest] = contender.command;
      try {
        const { stdout } =
          program === process.execPath
            ? await measureScript(rest[0], [...args, ...rest.slice(1)])
            : await measureProgram(program, args);
        answersOf.get(contender).push(parseAnswer(stdout));
      } catch (error) {
        figures.assert(false, `${contender.name} failed: ${error.message}`);
      }
    }
  }
  const ours = answersOf.get(contenders[0]);
  for (const [{ name, label, version = versionOf(name) }, answers] of answersOf) {
    if (answers.length < repetitions) continue;
    figures.add(
      `${objectCount} ${label}`,
      quantities(answers, ours, quick ? {} : ASKED, name),
      name,
      version,
    );
    if (answers === ours) continue;
    for (const question of ['hard', 'clearance'])
      figures.note(`    ${question}: ${agreement(answers[0], ours[0], question)}`);
  }
}

/** Times of all runs; a ratio is of two times in the same run. */
function quantities(answers, ours, asked, name) {
  const [first] = answers;
  const each = (what) => answers.map((answer) => answer[what]);
  const out = { build: milliseconds(each('build')) };
  for (const question of QUESTIONS) {
    if (first[question] === undefined) continue;
    out[question] = milliseconds(each(question));
    if (first.hits[question]) out[`${question} pairs`] = count(first.hits[question].size);
    if (answers !== ours) {
      const whole = (answer) => answer.build + answer[question];
      const ratios = answers.map((answer, run) => whole(answer) / whole(ours[run]));
      out[`build + ${question} by ours`] = times(ratios, asked[name]);
    }
  }
  if (first['triangle pairs']) out['triangle pairs'] = count(first['triangle pairs']);
  if (first.rss) out['peak RSS'] = megabytes(each('rss'));
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
