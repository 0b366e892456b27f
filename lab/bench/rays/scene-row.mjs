/**
 * All meeting pairs of a scene of many objects, asked again: with nothing moved since, with a tenth, with all of them
 * moved as far as between two pictures, and with all of them elsewhere, where nothing of the last answer helps. Telling
 * the scene is part of each time.
 *
 * FCL, where it is installed, answers for the same plant, given the near pairs (of exact boxes) and asked several
 * times, of which the last counts; finding near pairs and moving are no part of its time.
 */
import { collideAll, Mesh, Scene } from 'impinge';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { parseAnswer, writeQuestion } from '../check/contender-files.mjs';
import { randomPlant } from '../check/random-plant.mjs';
import { times } from '../measure/figures.mjs';
import { measureProgram } from '../measure/measure-child.mjs';
import { findFclDriver } from '../peers/fcl.mjs';
import { timesOf } from './inputs.mjs';

const MOST_MS = 50;
const CLEARANCE = 0.05;
/** Required ratio of FCL's time to ours. */
const LEAST_RATIO = 1.5;
const FCL_TIMES = 5;
/** Unmeasured rounds: compilers need this many. */
const WARM_ROUNDS = 20;
/** Between two of sixty frames per second: at one metre and a quarter turn per second. */
const STEP = 1 / 60;
const STEP_ANGLE = Math.PI / 2 / 60;

export async function sceneRow({ figures, folder, quick, repetitions }) {
  figures.begin('scene', 'which objects of a scene meet, asked again');
  const most = quick ? undefined : { most: MOST_MS };
  const plant = randomPlant(quick ? 500 : 10_000, 1);
  const { args, triangles, near } = writeQuestion(folder, plant, CLEARANCE);
  const fcl = await askFcl(figures, args, near);
  const scene = new Scene();
  const random = seededRandom(19);
  const objects = plant.map(({ positions, indices, pose }) =>
    scene.add(Mesh.from({ positions, indices }), { pose: placeOf(pose) }),
  );
  const places = plant.map(({ pose }) => placeOf(pose));
  const stepped = places.map((place) => stepFrom(place, random));
  const elsewhere = randomPlant(plant.length, 2).map(({ pose }) => placeOf(pose));

  for (const [distance, question] of [
    [0, 'hard'],
    [CLEARANCE, 'clearance'],
  ]) {
    const answers = new Map();
    /** Moves every `step`-th object to its place; then queries all. */
    const ask = (where, step) => {
      for (let i = 0; i < objects.length; i += step) objects[i].move(where[i]);
      const { pairs } = collideAll(scene, { mode: 'any', distance });
      if (answers.get(where)?.length === pairs.length) return;
      figures.assert(!answers.has(where), `${pairs.length} pairs instead of ${answers.get(where)?.length}`);
      answers.set(where, pairs);
    };
    const value = (where, step) => timesOf(() => ask(where, step), 1000, repetitions);
    /** There and back; half of that each time. */
    const between = (where) =>
      timesOf(
        () => {
          ask(where, 1);
          ask(places, 1);
        },
        2000,
        repetitions,
      );
    for (let round = 0; round < WARM_ROUNDS; round++) ask(round % 2 ? stepped : places, 1);
    const allMoved = between(stepped);
    const theirs = fcl?.[question];
    const name = `${plant.length} objects, ${triangles} triangles, ${distance ? '50 mm' : 'hard'}`;
    figures.add(name, {
      'nothing moved': { value: value(places, Infinity), unit: 'ms', asked: most },
      'a tenth moved': { value: value(places, 10), unit: 'ms' },
      'all moved': { value: allMoved, unit: 'ms', asked: distance === 0 ? most : undefined },
      ...(theirs && {
        'FCL by ours, all moved': times(
          allMoved.map((ms) => theirs / ms),
          quick ? undefined : LEAST_RATIO,
        ),
      }),
      'all elsewhere': { value: between(elsewhere), unit: 'ms' },
    });
    for (const [where, pairs] of answers) expectAsAnew(figures, objects, where, distance, pairs);
    if (theirs) {
      const ours = keysOf(answers.get(places), objects);
      const missing = [...fcl.hits[question]].filter((pair) => !ours.has(pair));
      const extra = [...ours].filter((pair) => !fcl.hits[question].has(pair));
      figures.add(name, { asked: { value: theirs, unit: 'ms' } }, 'fcl', fcl.version);
      figures.note(
        `    ${ours.size} pairs, of which ${extra.length} are not FCL's; ${missing.length} of FCL's are missing`,
      );
      figures.assert(
        distance > 0 || missing.length + extra.length === 0,
        'ours and FCL find different pairs',
      );
    }
  }
}

/** FCL's answer and its time with existing trees; undefined if it is not installed. */
async function askFcl(figures, args, near) {
  const { binary, version, note } = findFclDriver('fcl-check');
  if (!binary) {
    figures.note(`FCL: SKIPPED, ${note}`);
    return undefined;
  }
  const { stdout } = await measureProgram(binary, [...args, String(FCL_TIMES)]);
  figures.note(`FCL is given ${near[0]} near pairs, ${near[1]} for 50 mm`);
  return { ...parseAnswer(stdout), version };
}

/** Compares an answer with that of a new scene. */
function expectAsAnew(figures, objects, where, distance, pairs) {
  const scene = new Scene();
  const copies = objects.map(({ mesh }, i) => scene.add(mesh, { pose: where[i] }));
  const anew = keysOf(collideAll(scene, { mode: 'any', distance }).pairs, copies);
  const same = anew.size === pairs.length && [...keysOf(pairs, objects)].every((pair) => anew.has(pair));
  figures.assert(same, 'asked again, a scene finds other pairs than one that is asked for the first time');
}

/** Pairs as text: the numbers of the objects. */
function keysOf(pairs, objects) {
  const numbers = new Map(objects.map((object, i) => [object, i]));
  return new Set(pairs.map(({ a, b }) => `${numbers.get(a)} ${numbers.get(b)}`));
}

function placeOf(pose) {
  return { rotation: [...pose.subarray(0, 9)], translation: [...pose.subarray(9)] };
}

/** A little further, and turned a little about a random axis. */
function stepFrom({ rotation, translation }, random) {
  const axes = randomRotation(random);
  const [x, y, z] = axes;
  const angle = STEP_ANGLE * random();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const turn = [
    [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
    [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
    [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
  ];
  const turned = turn.flatMap((row) =>
    [0, 1, 2].map((k) => row[0] * rotation[k] + row[1] * rotation[3 + k] + row[2] * rotation[6 + k]),
  );
  return { rotation: turned, translation: translation.map((at) => at + STEP * (2 * random() - 1)) };
}
