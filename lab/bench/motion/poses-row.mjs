/** Poses of a body, and configurations of an arm, looked at up to the first hit, beside FCL with the same answers. */
import { configurationsFree, MechanismSpace, posesFree } from '@impinge/motion';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { worldBoxes } from '../check/random-plant.mjs';
import { fclPoses, findFclPoses } from './fcl-poses.mjs';
import { plantScene } from './plant-scene.mjs';
import { readProblem } from './problem.mjs';
import { armParts, turnedArm } from './turned-arm.mjs';

const COUNT = 20_000;
/** Asked of FCL: half of its time. */
const LEAST_RATIO = 2;
/** Half the side of the box about the goal in which poses are near, of the body's size. */
const NEAR = 0.25;

export async function posesRow(bench, row) {
  bench.figures.begin(row, 'which poses are free, each up to its first hit');
  await armInPlant(bench);
  await alphaPoses(bench);
}

async function armInPlant({ figures, folder, quick, repetitions }) {
  const { scene, world } = plantScene();
  const random = seededRandom(7);
  const { space, free } = stand(scene, boundsOf(world), random);
  const { mechanism } = space;
  const count = quick ? 1000 : COUNT;
  const configurations = randomConfigurations(mechanism, random, count);
  const placings = new Float64Array(12 * armParts.length * count);
  for (let i = 0; i < count; i++) {
    mechanism.forward(
      configurations.subarray(6 * i, 6 * (i + 1)),
      placings.subarray(12 * armParts.length * i, 12 * armParts.length * (i + 1)),
    );
  }
  const triangles = world.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const arm = armParts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  await compare(figures, {
    name: `an arm of ${arm} triangles in a plant of ${triangles}, ${world.length} objects, ${free} % free`,
    asks: {
      'one by one': () => space.areFree(configurations),
      'in one call': () => configurationsFree(space, configurations),
    },
    question: { folder, world, bodies: armParts, pairs: distantPairs(armParts.length), placings, count },
    repetitions,
  });
}

async function alphaPoses({ figures, folder, problems, quick, repetitions }) {
  const read = readProblem(problems, 'alpha-1.5');
  if (!read)
    return figures.note(`SKIPPED: no alpha-1.5 with its meshes among --problems ${problems ?? 'DIR'}`);
  const { problem, body, world, part, around } = read;
  const count = quick ? 1000 : COUNT;
  const { min, max } = problem.bounds;
  const { translation } = problem.goal;
  const room = NEAR * (max[0] - min[0]);
  for (const [name, low, high] of [
    ['anywhere', min, max],
    ['near the goal', translation.map((x) => x - room), translation.map((x) => x + room)],
  ]) {
    const random = seededRandom(3);
    const placings = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      const at = low.map((least, k) => least + random() * (high[k] - least));
      placings.set([...randomRotation(random), ...at], 12 * i);
    }
    await compare(figures, {
      name: `alpha puzzle, ${name}`,
      asks: { 'in one call': () => posesFree(body, world, placings) },
      question: {
        folder,
        world: [around],
        bodies: [part],
        pairs: new Uint32Array(0),
        placings,
        count,
      },
      repetitions,
    });
  }
}

async function compare(figures, { name, asks, question, repetitions }) {
  const ours = {};
  let answer;
  for (const [how, ask] of Object.entries(asks)) {
    const times = [];
    for (let r = 0; r <= repetitions; r++) {
      const before = process.cpuUsage();
      const found = await ask();
      const { user, system } = process.cpuUsage(before);
      // the first builds trees
      if (r > 0) times.push((user + system) / question.count);
      answer ??= found;
      figures.assert(Buffer.compare(answer, found) === 0, `${name}: answers differ`);
    }
    ours[how] = times;
  }
  const { version, best, note } = await askFcl(question, answer, repetitions);
  if (note) figures.note(`FCL: ${note}`);
  const figure = (times) => ({ value: times, unit: 'µs' });
  figures.add(name, {
    ...Object.fromEntries(Object.entries(ours).map(([how, times]) => [how, figure(times)])),
    ...(best && {
      "FCL's time by ours": {
        value: Math.min(...best.times) / Math.min(...Object.values(ours).flat()),
        unit: '×',
        asked: { least: LEAST_RATIO },
      },
    }),
  });
  if (!best) return;
  figures.add(name, { [best.volume]: figure(best.times) }, 'fcl', version);
  figures.note(`${best.differing} of ${question.count} answers differ`);
}

/** The faster of two kinds of trees. */
async function askFcl(question, answer, repetitions) {
  const { version, note } = findFclPoses();
  if (note) return { note };
  let best;
  for (const volume of ['OBB', 'OBBRSS']) {
    const { free, times } = await fclPoses(question, volume, repetitions);
    const differing = free.reduce((sum, bit, i) => sum + Number(bit !== answer[i]), 0);
    if (!best || Math.min(...times) < Math.min(...best.times)) best = { volume, times, differing };
  }
  return { version, best };
}

/** The first of some random places where a fifth to a half of all configurations are free. */
function stand(scene, box, random) {
  for (;;) {
    const mechanism = turnedArm([0, 1, 2].map((k) => box[k] + random() * (box[k + 3] - box[k])));
    const space = new MechanismSpace(mechanism, scene, { allowed: neighbours(armParts.length) });
    const tried = 200;
    const found = space.areFree(randomConfigurations(mechanism, random, tried));
    const free = Math.round((100 * found.reduce((sum, bit) => sum + bit, 0)) / tried);
    if (free >= 20 && free <= 50) return { space, free };
  }
}

/** Of all objects: minimum, maximum. */
function boundsOf(world) {
  const boxes = worldBoxes(world);
  const box = boxes.slice(0, 6);
  boxes.forEach((x, i) => {
    const k = i % 6;
    box[k] = k < 3 ? Math.min(box[k], x) : Math.max(box[k], x);
  });
  return box;
}

function randomConfigurations({ variables }, random, count) {
  return Float64Array.from({ length: variables * count }, () => 2.6 * (2 * random() - 1));
}

const neighbours = (count) => Array.from({ length: count - 1 }, (_, i) => [`link ${i}`, `link ${i + 1}`]);

/** Pairs of parts that are not neighbours. */
function distantPairs(count) {
  const pairs = [];
  for (let a = 0; a < count; a++) for (let b = a + 2; b < count; b++) pairs.push(a, b);
  return Uint32Array.from(pairs);
}
