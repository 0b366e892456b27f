/**
 * Paths of rigid bodies and of an arm measured on published problems, the former beside OMPL with FCL.
 *
 *   npm run bench:motion -- --problems DIR            all rows; writes lab/bench/results/motion-<machine>.csv
 *   npm run bench:motion -- easy --problems DIR       one of them; the others' lines in the file stay
 *   npm run bench:motion -- --problems DIR --quick    two seeds; writes nothing unless --out is given
 *
 * DIR has a folder for each problem: problem.json and its meshes (format motion-problem/1), and panda/ with the arm and
 * its problems; they are not part of the repository, since the licences of most forbid it. A problem that is not there
 * is skipped. Every path of a body is looked at again at 100 000 poses by `collide`, at a fifth of them by FCL where it
 * is installed, every one of the arm at 10 000 configurations by `isFree`, and is wrong if one meets. Times are
 * processor time from the call to the answer, with proof, shortening and certificate; a seed that finds none counts as
 * the limit in the median. The rows of the alpha puzzle draw a plot of time against the width of its passage (of those
 * that ran); for the narrowest, `--seeds 5` and a day are enough. Roadmaps are asked a hundred questions of one world
 * each, and their time is that of building and of all answers. Row `poses` looks at many poses and configurations,
 * beside FCL. Threads are measured by the clock, and by the processor time of the calling one. With --cad DIR,
 * gearbox.glb and engine.glb there are taken apart, and every step is proved again.
 * OMPL runs in the same rows if `--ompl COMMAND` is given: COMMAND DIR PLANNER SEED SECONDS, one line of JSON with
 * `solved` and `cpu_s`; its times are those of finding a path, without its simplification.
 */

import { runRows } from './measure/rows.mjs';
import { disassemblyRow } from './motion/disassembly-row.mjs';
import { pandaRow } from './motion/panda-row.mjs';
import { pathRow } from './motion/path-row.mjs';
import { posesRow } from './motion/poses-row.mjs';
import { roadmapRow } from './motion/roadmap-row.mjs';
import { threadsRow } from './motion/threads-row.mjs';

/** Seconds asked for: half of the best of OMPL's, or a limit where that finds none or is not known. */
const PROBLEMS = {
  easy: { folder: 'Easy', most: 0.055, ompl: ['RRTConnect'] },
  cubicles: { folder: 'cubicles', most: 0.195, ompl: ['RRTConnect'] },
  apartment: { folder: 'Apartment', most: 2.2, ompl: ['KPIECE', 'RRTConnect'] },
  twistycool: { folder: 'Twistycool', most: 8.5, ompl: ['RRTConnect', 'KPIECE'] },
  'alpha-1.0': { folder: 'alpha-1.0', most: 3600, ompl: [], width: 1.0 },
  'alpha-1.1': { folder: 'alpha-1.1', most: 1200, ompl: [], width: 1.1 },
  'alpha-1.2': { folder: 'alpha-1.2', most: 300, ompl: [], width: 1.2 },
  'alpha-1.5': { folder: 'alpha-1.5', most: 0.75, ompl: ['KPIECE'], width: 1.5 },
  'alpha-1.6': { folder: 'alpha-1.6-openppl', most: 10, ompl: ['KPIECE'], width: 1.6 },
  'apartment-hard': { folder: 'Apartment_hard', most: 1000, ompl: [] },
  home: { folder: 'Home', most: 300, ompl: [] },
  twistycooler: { folder: 'Twistycooler', most: 3600, ompl: [] },
  ztunnel: { folder: 'ZTunnel', most: 8.22, ompl: [] },
  peg: { folder: 'peg-hole-8mm-round-tight', most: 5, ompl: [] },
  'peg-loose': { folder: 'peg-hole-8mm-round-loose', most: 5, ompl: [] },
  'peg-rectangular': { folder: 'peg-hole-8mm-rectangular-tight', most: 5, ompl: [] },
  'peg-rectangular-loose': { folder: 'peg-hole-8mm-rectangular-loose', most: 5, ompl: [] },
  'nut-tight': { folder: 'nut-bolt-m16-tight', most: 600, ompl: [] },
  nut: { folder: 'nut-bolt-m16-loose', most: 60, ompl: [] },
  escape: { folder: 'escape', most: 60, ompl: [] },
};

/** Depths that curves made of facets have there: thousandths of a gearbox, millimetres of an engine. */
const ASSEMBLIES = {
  gearbox: { file: 'gearbox.glb', allowed: 0.05 },
  engine: { file: 'engine.glb', allowed: 2 },
};

await runRows({
  name: 'motion',
  rows: {
    ...Object.fromEntries(
      Object.entries(PROBLEMS).map(([name, problem]) => [name, (bench) => pathRow(bench, name, problem)]),
    ),
    poses: (bench) => posesRow(bench, 'poses'),
    panda: (bench) => pandaRow(bench, 'panda'),
    roadmap: (bench) => roadmapRow(bench, 'roadmap'),
    threads: (bench) => threadsRow(bench, 'threads'),
    ...Object.fromEntries(
      Object.entries(ASSEMBLIES).map(([name, given]) => [
        name,
        (bench) => disassemblyRow(bench, name, given),
      ]),
    ),
  },
  options: {
    problems: { type: 'string' },
    cad: { type: 'string' },
    ompl: { type: 'string' },
    seeds: { type: 'string' },
  },
  prepare: ({ quick }, { problems, cad, ompl, seeds }) => ({
    problems,
    cad,
    quick,
    ompl,
    seeds: Number(seeds ?? (quick ? 2 : 20)),
    widths: [],
  }),
});
