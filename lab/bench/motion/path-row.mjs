/** One problem: paths for several seeds, each looked at again, and what OMPL needs for it. */
import { execFileSync } from 'node:child_process';
import { findJointPath, findPath, Mechanism, MechanismSpace } from '@impinge/motion';
import { collide, poseAt } from 'impinge';
import { logPlot } from '../../command/dist/reports/log-plot.js';
import { fclPoses, findFclPoses } from './fcl-poses.mjs';
import { readProblem } from './problem.mjs';

/** Poses of a path that are looked at again. */
const LOOKS = 100_000;
/** One in so many is shown to FCL, too: beside tight holes it takes milliseconds. */
const FCL_EVERY = 5;

export async function pathRow(bench, row, { folder, most, ompl: planners, width }) {
  const { figures, folder: scratch, problems, ompl, seeds } = bench;
  figures.begin(row, `a certified path, ${seeds} seeds`);
  const read = readProblem(problems, folder);
  if (!read) {
    figures.note(`SKIPPED: no ${folder} with its meshes among --problems ${problems ?? 'DIR'}`);
    return;
  }
  const { home, problem, body, world, part, around } = read;
  const fcl = findFclPoses();
  if (fcl.note) figures.note(`FCL does not look at the paths again: ${fcl.note}`);
  const limit = Math.max(30, most);
  const times = [];
  const rooms = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const before = process.cpuUsage();
    // of the clock; what counts is processor time
    const search = { seed, timeLimit: 2 * limit };
    const find = problem.rotation === false ? findStraight : findTurning;
    const result = await find(read, search);
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    const isSolved = result.found && seconds <= limit;
    times.push(isSolved ? seconds : limit);
    if (!isSolved) continue;
    rooms.push(result.path.certificate.clearance);
    figures.assert(result.path.certificate.free, `seed ${seed}: not proved`);
    const placings = placingsOf(result.path);
    const count = placings.length / 12;
    const hits = hitsAmong(body, world, placings);
    figures.assert(hits === 0, `seed ${seed}: ${hits} of ${count} poses meet`);
    if (fcl.note) continue;
    const { free } = await fclPoses(
      {
        folder: scratch,
        world: [around],
        bodies: [part],
        pairs: new Uint32Array(0),
        placings: some(placings),
      },
      'OBB',
      1,
    );
    figures.assert(!free.includes(0), `seed ${seed}: FCL says that poses meet`);
  }
  figures.add(`${folder}, ${rooms.length} of ${seeds} seeds`, {
    time: { value: times, unit: 's', asked: { most } },
    unsolved: { value: seeds - rooms.length, unit: '', asked: { most: 0 } },
    ...(rooms.length > 0 && { clearance: { value: rooms, unit: '' } }),
  });
  if (width) plotWidths(bench, { width, times });
  for (const planner of ompl ? planners : [])
    omplFigures(figures, { ompl, home, planner, seeds, limit, folder });
}

const pose = ({ translation, quaternion }) => ({ translation, rotation: quaternion });

function findTurning({ problem, body, world }, search) {
  const { start, goal, bounds } = problem;
  const { min, max } = bounds;
  const ends = { start: pose(start), goals: [pose(goal)] };
  return findPath(body, world, { ...ends, bounds: { min, max }, centre: [0, 0, 0], ...search });
}

/** A body that may not turn is on three rails, one across the other. */
async function findStraight({ problem, body, world }, search) {
  const { start, goal, bounds } = problem;
  const rails = ['x', 'y', 'z'];
  const joints = rails.map((name, k) => ({
    name,
    type: 'prismatic',
    parent: k === 0 ? 'world' : rails[k - 1],
    child: name,
    axis: rails.map((one) => Number(one === name)),
    lower: bounds.min[k],
    upper: bounds.max[k],
  }));
  const shapesOf = (name) => (name === 'z' ? { shapes: [{ mesh: body }] } : {});
  const links = ['world', ...rails].map((name) => ({ name, ...shapesOf(name) }));
  const space = new MechanismSpace(new Mechanism({ links, joints }), world);
  const ends = { start: start.translation, goals: [goal.translation] };
  const result = await findJointPath(space, { ...ends, ...search });
  if (!result.found) return result;
  const turn = pose(start).rotation;
  const poses = result.path.configurations.map((place) => ({ rotation: turn, translation: [...place] }));
  return { ...result, path: { ...result.path, poses, centre: [0, 0, 0] } };
}

/** Of all widths that have been measured in this run: least, median and greatest time of the seeds. */
function plotWidths({ widths, writePlot }, measured) {
  widths.push(measured);
  widths.sort((a, b) => a.width - b.width);
  const line = (name, at, dashed) => ({
    name,
    dashed,
    points: widths.map(({ width, times }) => [width, times.toSorted((a, b) => a - b)[at(times.length)]]),
  });
  writePlot(
    'widths',
    logPlot(
      'The alpha puzzle: a certified path, by the width of its passage',
      'width, as the puzzles are numbered (1.6: of another scale)',
      'seconds of processor time',
      [
        line('fastest seed', () => 0, true),
        line('median', (count) => count >> 1, false),
        line('slowest (or the limit)', (count) => count - 1, true),
      ],
      true,
    ),
  );
}

/** Poses all along a path. */
function placingsOf({ poses, centre }) {
  const each = Math.ceil(LOOKS / (poses.length - 1));
  const out = new Float64Array(12 * (poses.length - 1) * (each + 1));
  let at = 0;
  for (let i = 1; i < poses.length; i++) {
    const motion = { from: poses[i - 1], to: poses[i], centre };
    for (let k = 0; k <= each; k++, at += 12) {
      const { rotation, translation } = poseAt(motion, k / each);
      out.set(rotation, at);
      out.set(translation, at + 9);
    }
  }
  return out;
}

/** The poses that FCL looks at. */
const some = (placings) => placings.filter((_, at) => Math.floor(at / 12) % FCL_EVERY === 0);

/** How many of them meet, by exact tests. */
function hitsAmong(body, world, placings) {
  let hits = 0;
  for (let at = 0; at < placings.length; at += 12) {
    const poseB = placings.subarray(at, at + 12);
    if (collide(world, body, { poseB, mode: 'any' }).colliding) hits++;
  }
  return hits;
}

function omplFigures(figures, { ompl, home, planner, seeds, limit, folder }) {
  const times = [];
  let unsolved = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const line = execFileSync(ompl, [home, planner, String(seed), String(limit)], { encoding: 'utf8' });
    const { solved, cpu_s: seconds } = JSON.parse(line);
    times.push(solved ? seconds : limit);
    if (!solved) unsolved++;
  }
  const name = `${folder}, ${planner}, ${seeds - unsolved} of ${seeds} seeds`;
  figures.add(
    name,
    { time: { value: times, unit: 's' }, unsolved: { value: unsolved, unit: '' } },
    'OMPL',
    '',
  );
}
