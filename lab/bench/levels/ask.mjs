/**
 * A separate process that asks one question about two models in many poses, and loads nothing else.
 *
 *   node lab/bench/levels/ask.mjs JOB        JSON, see Job; prints an Asked as JSON
 *
 * Stores are queried with levels; a PLY file or the plant is a mesh in memory, queried exactly.
 *
 * @typedef {object} Job
 * @property {string} a a file, or `plant` and the number of its triangles
 * @property {string} b a file; the poses are its own
 * @property {string} poses a file
 * @property {'collide' | 'within' | 'distance'} query
 * @property {object} options of the query, besides the pose
 * @property {number} [memory] bytes for the pieces of stores
 * @property {number} [warm] measured passes over all poses once the process is warm
 *
 * @typedef {object} Asked
 * @property {number} opened ms until the first question could be asked
 * @property {number[]} first ms of each pose, in the first pass
 * @property {number[]} firstCpu the same in processor time of the whole process
 * @property {number[]} ms of each pose: the median of the warm passes; of the first pass where there are none
 * @property {number[]} cpu the same in processor time of the whole process
 * @property {number[]} answers pairs, or the distance
 * @property {number[][]} bounds of the distance, where that is the question
 * @property {object[]} stats of the stores
 */
import { LevelsTarget } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { collide, distance, Mesh, within } from 'impinge';
import { median } from '../measure/figures.mjs';
import { readPoses } from '../protocol.mjs';
import { readBinaryPly } from './binary-ply.mjs';
import { flatPlant } from './flat-plant.mjs';

const QUERIES = { collide, within, distance };
/** Processor time after which compilers have settled. */
const WARM_MS = 3000;

/** @type {Job} */
const job = JSON.parse(process.argv[2]);
const poses = readPoses(job.poses).map(({ rotation, translation }) => ({ rotation, translation }));
const started = performance.now();
const [a, b] = [await open(job.a), await open(job.b)];
const opened = performance.now() - started;
const openedCpu = process.cpuUsage();

const answers = [];
const bounds = [];
const first = await pass();
const warm = [];
if (job.warm) {
  while (cpuMs(process.cpuUsage(openedCpu)) < WARM_MS) await pass();
  for (let i = 0; i < job.warm; i++) warm.push(await pass());
}
const settled = (clock) =>
  warm.length === 0 ? first[clock] : poses.map((_, i) => median(warm.map((times) => times[clock][i])));
const stats = [a, b].map((side) => (side instanceof Mesh ? {} : side.stats));
console.log(
  JSON.stringify({
    ...{ opened, first: first.ms, firstCpu: first.cpu, ms: settled('ms'), cpu: settled('cpu') },
    ...{ answers, bounds, stats },
  }),
);

/** Queries all poses; answers are the last ones. */
async function pass() {
  const times = { ms: [], cpu: [] };
  for (const [i, pose] of poses.entries()) {
    const before = process.cpuUsage();
    const start = performance.now();
    const answer = await QUERIES[job.query](a, b, { ...job.options, pose });
    times.ms.push(performance.now() - start);
    times.cpu.push(cpuMs(process.cpuUsage(before)));
    answers[i] = answer.count ?? answer.distance;
    if (answer.bounds) bounds[i] = answer.bounds;
  }
  return times;
}

function cpuMs({ user, system }) {
  return (user + system) / 1000;
}

async function open(name) {
  if (name.endsWith('.impinge')) return new LevelsTarget(await openStoreFile(name), { memory: job.memory });
  const [, plantTriangles] = /^plant (\d+)$/.exec(name) ?? [];
  return Mesh.from(plantTriangles ? flatPlant(Number(plantTriangles)) : readBinaryPly(name));
}
