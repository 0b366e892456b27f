/**
 * Two builds of the library side by side: is one slower, and is it larger?
 *
 *   node lab/bench/compare.mjs /path/to/base /path/to/head [--runs 5] [--quick] [--scenario A,C]
 *
 * Both are built checkouts (`npm run build`). Each run asks both, in alternating order, by their own drivers on the
 * same input, and compares the ratios head / base within the run. `noise` is the ratio of the base's slowest and
 * fastest run: a median ratio within it means nothing. Exits with 1 if head is slower than both the noise and the limit
 * (--limit 1.1), gives different answers, or makes `import { collide }` larger.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { formatNumber, median } from './measure/figures.mjs';
import { printMachine, RUNS } from './measure/rows.mjs';
import { parseReport } from './protocol.mjs';
import { alignColumns, sum } from './summary.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    quick: { type: 'boolean', default: false },
    scenario: { type: 'string', default: 'A,B,C,D' },
    limit: { type: 'string', default: '1.1' },
  },
});
if (positionals.length !== 2) throw new Error('two checkouts: node lab/bench/compare.mjs BASE HEAD');
const runs = Number(options.runs ?? (options.quick ? 1 : RUNS));
const limit = Number(options.limit);
const folder = mkdtempSync(join(os.tmpdir(), 'impinge-compare-'));
const [base, head] = ['base', 'head'].map((name, i) => ({ name, root: resolve(positionals[i]) }));

printMachine();
const problems = [];
try {
  for (const name of options.scenario.toUpperCase().split(',')) await compareScenario(name);
  await compareSizes();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(`WORSE: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function compareScenario(name) {
  const scenarios = new Map();
  for (const side of [base, head]) scenarios.set(side, await scenarioOf(side, name));
  console.log(`\n${scenarios.get(head).title}`);
  const measured = new Map([base, head].map((side) => [side, []]));
  for (let run = 0; run < runs; run++) {
    for (const side of run % 2 === 0 ? [base, head] : [head, base])
      measured.get(side).push(ask(side, scenarios.get(side)));
  }
  const lines = [['', 'base ms', 'head ms', 'head / base', 'range', 'noise']];
  const [before, after] = [base, head].map((side) => measured.get(side).map(byQuery));
  // query names may have changed, their order has not
  after[0].forEach(({ query, answers }, q) => {
    if (before[0].length !== after[0].length)
      throw new Error(`${name}: base and head were asked different things`);
    const [baseMs, headMs] = [before, after].map((all) => all.map((queries) => queries[q].ms));
    if (answers !== undefined && answers !== before[0][q].answers)
      problems.push(`${name} ${query}: other answers`);
    if (baseMs.some((ms) => ms === 0)) return;
    const ratios = headMs.map((ms, run) => ms / baseMs[run]);
    const noise = Math.max(...baseMs) / Math.min(...baseMs);
    const ratio = median(ratios);
    if (ratio > Math.max(noise, limit)) problems.push(`${name} ${query}: ${ratio.toFixed(2)} times the time`);
    lines.push([
      query,
      formatNumber(median(baseMs)),
      formatNumber(median(headMs)),
      ratio.toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      noise.toFixed(2),
    ]);
  });
  console.log(alignColumns(lines).join('\n'));
}

/** The questions of a checkout's own benchmark, in the API of its own library. */
async function scenarioOf({ name, root }, scenario) {
  const { SCENARIOS } = await import(pathToFileURL(join(root, 'lab/bench/scenarios.mjs')).href);
  if (!SCENARIOS[scenario])
    throw new Error(`--scenario ${scenario}: there are ${Object.keys(SCENARIOS).join(', ')}`);
  const input = join(folder, name);
  mkdirSync(input, { recursive: true });
  return SCENARIOS[scenario](input, options.quick);
}

function ask({ name, root }, scenario) {
  const driver = join(root, 'lab/bench/ours.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [driver, ...scenario.argsFor('ours')], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${name}: ${stderr.trim().split('\n').at(-1)}`);
  return parseReport(stdout);
}

/** Per query the time of all poses; the answers if they are counts or decisions. */
function byQuery(rows) {
  return [...new Set(rows.map((row) => row.query))].map((query) => {
    const asked = rows.filter((row) => row.query === query);
    const answers = asked.map(({ answer }) => answer);
    const exact = !/^(build|refit)/.test(query) && answers.every(Number.isInteger);
    return { query, ms: sum(asked, 'ms'), answers: exact ? answers.join() : undefined };
  });
}

async function compareSizes() {
  const [before, after] = [await sizeOf(base), await sizeOf(head)];
  console.log('\nimport { collide }, minified and gzipped');
  console.log(`base ${before} bytes, head ${after} bytes (${after >= before ? '+' : ''}${after - before})`);
  if (after > before) problems.push(`import { collide } is larger by ${after - before} bytes`);
}

async function sizeOf({ root }) {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { collide } from 'impinge'; globalThis.collide = collide;",
      resolveDir: join(root, 'packages/impinge'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return gzipSync(outputFiles[0].text, { level: 9 }).length;
}
