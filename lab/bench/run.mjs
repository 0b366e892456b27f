/**
 * Our library and its peers side by side, each in its own process, on one thread, on the same files.
 *
 *   npm run bench                                   everything; writes lab/bench/results/queries-<machine>.csv
 *   npm run bench -- --scenario A,C                 some scenarios; the others' rows in the file stay
 *   npm run bench -- --runs 1                       instead of five; each run asks every contender in turn
 *   npm run bench -- --quick                        a part of the poses, one run; writes nothing unless --out is given
 *   npm run bench -- --no-fcl                       JavaScript only
 *   npm run bench -- --out file.csv
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine, machineSlug, versionOf } from './measure/machine.mjs';
import { printMachine, RUNS } from './measure/rows.mjs';
import { findEmbree } from './peers/embree.mjs';
import { findFcl } from './peers/fcl.mjs';
import { parseReport } from './protocol.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { agreement, buildTable, CSV_HEADER, overRuns, queryTable, summarise, toCsv } from './summary.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: Object.keys(SCENARIOS).join(',') },
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    'no-fcl': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const chosen = options.scenario.toUpperCase().split(',');
for (const name of chosen) {
  if (!SCENARIOS[name]) throw new Error(`--scenario ${name}: there are ${Object.keys(SCENARIOS).join(', ')}`);
}

const runs = Number(options.runs ?? (options.quick ? 1 : RUNS));
if (!(runs >= 1)) throw new Error(`--runs ${options.runs}: not a number of runs`);
const contenders = [
  {
    name: 'ours',
    label: `impinge ${versionOf('impinge')}`,
    command: [process.execPath, here('ours.mjs')],
  },
  {
    name: 'three-mesh-bvh',
    label: `three-mesh-bvh ${versionOf('three-mesh-bvh')}`,
    command: [process.execPath, here('peers/three-mesh-bvh.mjs')],
  },
];
printMachine();
if (!options['no-fcl']) {
  for (const [name, found] of [
    ['FCL', findFcl()],
    ['Embree', findEmbree()],
  ]) {
    contenders.push(...found.contenders);
    if (found.note) console.log(`${name}: skipped, ${found.note}`);
  }
} else console.log('FCL, Embree: skipped, --no-fcl');
for (const { name, label } of contenders) console.log(`  ${name}: ${label}`);

const folder = mkdtempSync(join(os.tmpdir(), 'impinge-bench-'));
const out = options.out ?? (options.quick ? null : here(`results/queries-${machineSlug}.csv`));
let failures = 0;
try {
  for (const name of chosen) {
    const scenario = await SCENARIOS[name](folder, options.quick);
    const taking = contenders.filter((contender) => contender.scenarios?.includes(name) ?? true);
    console.log(`\n${scenario.title}`);
    const figuresOfRuns = [];
    let rowsOf = new Map();
    for (let run = 0; run < runs; run++) {
      rowsOf = new Map();
      for (const contender of taking) {
        const [program, ...first] = contender.command;
        const result = spawnSync(program, [...first, ...scenario.argsFor(contender.name)], {
          encoding: 'utf8',
          maxBuffer: 1 << 28,
        });
        if (result.status === 0) rowsOf.set(contender.name, parseReport(result.stdout));
        else {
          failures++;
          const why = /^\w*Error.*$/m.exec(result.stderr)?.[0] ?? result.stderr.trim().split('\n').at(-1);
          console.log(`${contender.name} FAILED: ${why || `stopped by ${result.signal}`}`);
        }
      }
      figuresOfRuns.push(summarise(name, rowsOf));
    }
    const figures = overRuns(figuresOfRuns);
    console.log(
      scenario.unit === 'build' ? buildTable(figures, taking) : queryTable(figures, taking, scenario),
    );
    if (scenario.classTable) console.log(queryTable(figures, taking, { ...scenario, unit: 'mean by class' }));
    if (scenario.unit !== 'build')
      console.log(`agreement\n${agreement(rowsOf, scenario.answers, scenario.tau)}`);
    const versionOfContender = (contender) =>
      contenders.find((c) => c.name === contender).label.match(/\d[\d.]*\d/)[0];
    if (out) keep(name, toCsv(figures, versionOfContender, machine));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (out) console.log(`\nwritten to ${out}`);
console.log(
  `\nreproduce: npm install && npm run bench -- --scenario ${chosen.join(',')}${options.quick ? ' --quick' : ''}`,
);
console.log(
  '(FCL and Embree take part where Debian packages libfcl-dev and libembree-dev, g++ and pkg-config are installed)',
);
if (failures > 0) process.exitCode = 1;

/** Saved after each scenario: the next one may take minutes. The other scenarios' lines stay. */
function keep(scenario, lines) {
  const before = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n').slice(1) : [];
  const kept = before.filter((line) => line.split(',')[0] !== scenario);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${[CSV_HEADER, ...[...kept, ...lines].sort(byScenario)].join('\n')}\n`);
}

/** A stable sort: the order within a scenario stays. */
function byScenario(lineA, lineB) {
  return lineA.charCodeAt(0) - lineB.charCodeAt(0);
}
