/**
 * Ours and the peers side by side, each in a process of its own, on one thread, on the same files.
 *
 *   npm run bench                                   everything; writes bench/results/<machine>.csv
 *   npm run bench -- --scenario A,C                 some scenarios; the others' rows in the file stay
 *   npm run bench -- --quick                        a part of the poses; writes nothing unless --out is given
 *   npm run bench -- --no-fcl                       JavaScript only
 *   npm run bench -- --out file.csv
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findEmbree } from './peers/embree.mjs';
import { findFcl } from './peers/fcl.mjs';
import { parseReport } from './protocol.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { agreement, buildTable, CSV_HEADER, queryTable, summarise, toCsv } from './summary.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: Object.keys(SCENARIOS).join(',') },
    quick: { type: 'boolean', default: false },
    'no-fcl': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const chosen = options.scenario.toUpperCase().split(',');
for (const name of chosen) {
  if (!SCENARIOS[name]) throw new Error(`--scenario ${name}: there are ${Object.keys(SCENARIOS).join(', ')}`);
}

const machine = { cpu: os.cpus()[0].model.trim(), arch: process.arch, node: process.version };
const slug = `${machine.cpu} ${machine.arch}`
  .toLowerCase()
  .replace(/\((r|tm)\)/g, '')
  .replace(/[^a-z0-9]+/g, '-');
const versionIn = (path) => JSON.parse(readFileSync(here(path), 'utf8')).version;
const contenders = [
  {
    name: 'ours',
    label: `impinge ${versionIn('../packages/impinge/package.json')}`,
    command: [process.execPath, here('ours.mjs')],
  },
  {
    name: 'three-mesh-bvh',
    label: `three-mesh-bvh ${versionIn('../node_modules/three-mesh-bvh/package.json')}`,
    command: [process.execPath, here('peers/three-mesh-bvh.mjs')],
  },
];
console.log(`${machine.cpu}, ${machine.arch}, Node ${machine.node}, one thread`);
const load = os.loadavg()[0];
if (load > 0.7)
  console.log(
    `CAUTION: load average ${load.toFixed(1)}, others are using this machine: times are not to be trusted`,
  );
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
const csv = [];
let failures = 0;
try {
  for (const name of chosen) {
    const scenario = await SCENARIOS[name](folder, options.quick);
    const taking = contenders.filter((contender) => contender.scenarios?.includes(name) ?? true);
    console.log(`\n${scenario.title}`);
    const rowsOf = new Map();
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
    const figures = summarise(name, rowsOf);
    console.log(
      scenario.unit === 'build' ? buildTable(figures, taking) : queryTable(figures, taking, scenario),
    );
    if (scenario.classTable) console.log(queryTable(figures, taking, { ...scenario, unit: 'mean by class' }));
    if (scenario.unit !== 'build')
      console.log(`agreement\n${agreement(rowsOf, scenario.answers, scenario.tau)}`);
    csv.push(
      ...toCsv(
        figures,
        (contender) => contenders.find((c) => c.name === contender).label.match(/\d[\d.]*\d/)[0],
        machine,
      ),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const out = options.out ?? (options.quick ? null : here(`results/${slug}.csv`));
if (out) {
  const before = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n').slice(1) : [];
  const kept = before.filter((line) => !chosen.includes(line.split(',')[0]));
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${[CSV_HEADER, ...[...kept, ...csv].sort(byScenario)].join('\n')}\n`);
  console.log(`\nwritten to ${out}`);
}
console.log(
  `\nreproduce: npm install && npm run bench -- --scenario ${chosen.join(',')}${options.quick ? ' --quick' : ''}`,
);
console.log(
  '(FCL and Embree take part where Debian packages libfcl-dev and libembree-dev, g++ and pkg-config are installed)',
);
if (failures > 0) process.exitCode = 1;

/** Keeps the order within a scenario: the sort is stable. */
function byScenario(lineA, lineB) {
  return lineA.charCodeAt(0) - lineB.charCodeAt(0);
}
