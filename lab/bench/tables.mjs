/**
 * Writes the measured figures of this machine into the documents, between their markers: medians, with the range of
 * the runs behind them.
 *
 *   node lab/bench/tables.mjs                the one table of README.md, all others in docs/benchmarks.md
 *   node lab/bench/tables.mjs --print        prints what it would write
 *   node lab/bench/tables.mjs --machine intel-xeon-platinum-x64      those of another, by the end of the files' names
 *
 * Every block comes from one file of lab/bench/results, so from one machine; a block without results is left unchanged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatNumber } from './measure/figures.mjs';
import { machineSlug } from './measure/machine.mjs';

const { values: options } = parseArgs({
  options: { print: { type: 'boolean', default: false }, machine: { type: 'string', default: machineSlug } },
});
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The rows of README: label, scenario, query, class, and a peer's name for its own best query. */
const QUESTIONS = [
  ['any collision', 'A', 'any', ''],
  ['all pairs', 'A', 'all', ''],
  ['distance', 'A', 'distance', ''],
  ['closer than 1 %', 'A', 'within', '', ['within-stop']],
  ['concentric spheres: distance', 'B', 'distance', 'gap'],
  ['crossing spheres: all pairs', 'B', 'all', 'ring'],
  ['self-intersection', 'C', 'self', ''],
  ['build a tree (SAH)', 'D', 'build-sah', '', ['build-OBB', 'build']],
  ['refit it', 'D', 'refit', ''],
];
const INPUT =
  'Bunny (69 451 triangles) against dragon (202 520), sum over 200 poses; spheres of 297 680 triangles, 0.1 % apart, per ' +
  'query; a folded sheet of 20 000 triangles; 1 003 520 triangles to build.';
const NAMES = {
  ours: 'impinge',
  'three-mesh-bvh': 'three-mesh-bvh',
  fcl: 'FCL (C++, as packaged)',
  'fcl-native': 'FCL (C++)',
  embree: 'Embree (C++)',
};

const queries = readCsv(`results/queries-${options.machine}.csv`);
if (queries) {
  replaceBlock('../../README.md', 'bench', queryBlock(queries, true));
  replaceBlock('../../docs/benchmarks.md', 'bench-details', queryBlock(queries, false));
}
for (const name of ['rays', 'check', 'queue', 'deform', 'dynamics']) {
  const figures = readCsv(`results/${name}-${options.machine}.csv`);
  if (figures) replaceBlock('../../docs/benchmarks.md', `bench-${name}`, figureBlock(figures));
}

/** The table of queries; the short form shows the faster of a peer's two builds. */
function queryBlock(rows, short) {
  const contenders = Object.keys(NAMES).filter((name) => rows.some((row) => row.contender === name));
  const columns = short
    ? contenders.filter((name) => name !== 'fcl' || !contenders.includes('fcl-native'))
    : contenders;
  const notes = new Set();
  const lines = [['work', ...columns.map((name) => `${NAMES[name]} ${versionOf(rows, name)}`)]];
  for (const [label, scenario, query, kind, best = []] of QUESTIONS) {
    const find = (contender, name) =>
      rows.find(
        (row) =>
          row.scenario === scenario &&
          row.query === name &&
          row.class === kind &&
          row.contender === contender,
      );
    const ours = find('ours', query);
    if (!ours) continue;
    const cell = (name) => {
      const row = [...best, query].map((candidate) => find(name, candidate)).find(Boolean);
      if (name === 'ours') {
        const share = scenario === 'B' ? Number(ours.poses) : 1;
        return spread(...[ours.ms, ours.ms_min, ours.ms_max].map((ms) => ms / share));
      }
      if (!row) return '';
      if (row.query === 'within-stop') {
        const plain = find(name, query);
        notes.add(`${NAMES[name]}, closer than 1 %: with its early stop; without it ${times(plain.ratio)}.`);
      }
      if (Number(row.poses) < Number(ours.poses)) {
        notes.add(`${NAMES[name]} ran a part of the poses where it takes minutes.`);
      }
      // a peer's trees may have another name, and then no ratio of their own
      if (!row.ratio) return times(row.ms / ours.ms);
      return `${times(row.ratio)} (${formatNumber(Number(row.ratio_min))}–${formatNumber(Number(row.ratio_max))})`;
    };
    lines.push([label, ...columns.map(cell)]);
  }
  const fast = rows.find((row) => row.contender === 'ours' && row.query === 'build-fast');
  const center = rows.find((row) => row.query === 'build-center');
  if (fast && center) {
    notes.add(
      `Building: three-mesh-bvh with its strategy SAH; with CENTER, its default, it takes ${formatNumber(Number(center.ms))} ms, ` +
        `${times(center.ratio)} our builder "fast" (${formatNumber(Number(fast.ms))} ms).`,
    );
  }
  if (columns.includes('fcl-native')) notes.add('FCL is compiled for this machine unless stated otherwise.');
  const runs = rows[0].runs;
  const head =
    `One thread, ${runs} runs, median and range: impinge in ms, the others as multiples of it on the same poses. ` +
    `${rows[0].cpu}, Node ${rows[0].node.slice(1)}. ${INPUT}`;
  return [wrap(head), '', ...table(lines), ...(notes.size > 0 ? ['', wrap([...notes].join(' '))] : [])].join(
    '\n',
  );
}

/** One line per case and contender, for figures with a unit. */
function figureBlock(rows) {
  const cases = new Map();
  for (const row of rows) {
    if (row.unit === '' && row.quantity !== 'loads') continue;
    const key = `${row.row}\t${row.case}\t${row.contender}`;
    const value = spread(row.value, row.min, row.max);
    cases.set(key, [...(cases.get(key) ?? []), `${row.quantity} ${value}${row.unit ? ` ${row.unit}` : ''}`]);
  }
  const lines = [...cases].map(([key, figures]) => [...key.split('\t'), figures.join('; ')]);
  const runs = Math.max(...rows.map((row) => Number(row.runs)));
  const how = runs > 1 ? `Median and range of up to ${runs} runs` : 'One run each';
  const head = `${how}. ${rows[0].cpu}, Node ${rows[0].node.slice(1)}.`;
  return [wrap(head), '', ...table([['row', 'case', 'by', 'figures'], ...lines])].join('\n');
}

function versionOf(rows, contender) {
  return rows.find((row) => row.contender === contender).version;
}

function times(ratio) {
  return `${formatNumber(Number(ratio))}×`;
}

/** `median (least–most)`. */
function spread(value, least, most) {
  const [middle, low, high] = [value, least, most].map((text) => formatNumber(Number(text)));
  return low === high ? middle : `${middle} (${low}–${high})`;
}

function table(lines) {
  const widths = lines[0].map((_, c) => Math.max(3, ...lines.map((line) => line[c].length)));
  const row = (line) => `| ${line.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`;
  return [row(lines[0]), row(widths.map((width) => '-'.repeat(width))), ...lines.slice(1).map(row)];
}

function wrap(text, width = 120) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** Rows by the names in the first line; undefined without such a file. */
function readCsv(relative) {
  if (!existsSync(path(relative))) return undefined;
  const [header, ...lines] = readFileSync(path(relative), 'utf8').trim().split('\n').map(cells);
  return lines.map((line) => Object.fromEntries(header.map((name, i) => [name, line[i]])));
}

function cells(line) {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain);
}

function replaceBlock(relative, name, text) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const before = readFileSync(path(relative), 'utf8');
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${relative}: no ${start} … ${end}`);
  if (options.print) console.log(`${relative}, ${name}\n\n${text}\n`);
  else writeFileSync(path(relative), `${before.slice(0, from)}${start}\n\n${text}\n\n${before.slice(to)}`);
}
