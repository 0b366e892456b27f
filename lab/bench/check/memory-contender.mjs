/**
 * The harness of the JavaScript contenders of the in-memory check.
 *
 *   node CONTENDER plant.bin near.bin near-clearance.bin CLEARANCE
 *
 * Files as in random-plant.mjs; the near pairs are for contenders without a broad phase. Each warms up on a small plant
 * of another seed, then is timed once on the given one. Questions: `hard` (intersecting objects), `clearance` (objects
 * closer than CLEARANCE), `all` (the number of intersecting pairs of triangles). Output, tab-separated: `build ms`,
 * `QUESTION ms` (without the build), `rss bytes`, `triangle pairs`, and `hit QUESTION a b` for every pair of objects
 * found. Times are processor times of all threads together, so that other work on the machine does not count.
 */
import { peakRss } from '../measure/peak-memory.mjs';
import { nearPairs, randomPlant, readPairs, readPlant, worldBoxes } from './random-plant.mjs';

const WARM_OBJECTS = 600;
const WARM_MS = 1500;

/**
 * @param {{
 *   prepare?(objects: object[]): unknown,
 *   build(objects: object[], prepared: unknown): unknown,
 *   hard(model: unknown, near: Uint32Array): ArrayLike<number> | Promise<ArrayLike<number>>,
 *   clearance(model: unknown, near: Uint32Array, clearance: number): ArrayLike<number> | Promise<ArrayLike<number>>,
 *   all?(model: unknown, near: Uint32Array): number,
 *   dispose?(model: unknown): void,
 * }} contender `prepare` is not timed; pairs are two numbers each. Each question gets a new model, so that
 *   every question pays for structures built on demand
 */
export async function runMemoryContender(contender, args = process.argv.slice(2)) {
  const [plantPath, nearPath, nearClearancePath, clearanceText] = args;
  const clearance = Number(clearanceText);
  const warm = randomPlant(WARM_OBJECTS, 2);
  const boxes = worldBoxes(warm);
  const warmed = performance.now() + WARM_MS;
  do await ask(contender, warm, nearPairs(boxes, 0), nearPairs(boxes, clearance), clearance);
  while (performance.now() < warmed);
  const objects = readPlant(plantPath);
  const found = await ask(contender, objects, readPairs(nearPath), readPairs(nearClearancePath), clearance);
  const lines = [`build\t${found.buildMs}`, `rss\t${peakRss()}`];
  for (const question of ['hard', 'clearance']) {
    const { ms, pairs } = found[question];
    lines.push(`${question}\t${ms}`);
    for (let i = 0; i < pairs.length; i += 2) lines.push(`hit\t${question}\t${pairs[i]}\t${pairs[i + 1]}`);
  }
  if (found.all) lines.push(`all\t${found.all.ms}`, `triangle pairs\t${found.all.pairs}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function ask(contender, objects, near, nearClearance, clearance) {
  const builds = [];
  const answer = async (question) => {
    const prepared = contender.prepare?.(objects);
    const started = cpuMilliseconds();
    const model = await contender.build(objects, prepared);
    const built = cpuMilliseconds();
    const pairs = await question(model);
    const ms = cpuMilliseconds() - built;
    builds.push(built - started);
    contender.dispose?.(model);
    return { ms, pairs };
  };
  const hard = await answer((model) => contender.hard(model, near));
  const clear = await answer((model) => contender.clearance(model, nearClearance, clearance));
  const all = contender.all && (await answer((model) => contender.all(model, near)));
  return { buildMs: Math.min(...builds), hard, clearance: clear, all };
}
