/**
 * Partitions and the loads that follow from them, beside METIS.
 *
 *   node lab/bench/partition.mjs [--quick]
 *
 * Graphs: boxes at random places of a cube (with equal and with heavy-tailed weights), and grids. Each is cut into as
 * many parts as its weight holds caches. `cut` is the number of edges between parts. `loads` is how often each byte is
 * read by a cache of that size that evicts the item needed last: our own code sweeps the parts of every contender one
 * after the other, and `localize` chooses its own parts.
 * METIS takes part where gcc and metis.h (Debian: libmetis-dev) are installed. Times are CPU milliseconds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boxPairs } from '../../packages/impinge/dist/scene/box-pairs.js';
import { weigh } from '../../packages/impinge/dist/scene/coarsen.js';
import { countLoads } from '../../packages/impinge/dist/scene/loads.js';
import { localize, sweepPartition } from '../../packages/impinge/dist/scene/localize.js';
import { Multilevel } from '../../packages/impinge/dist/scene/multilevel.js';
import { buildOverlapGraph } from '../../packages/impinge/dist/scene/overlap-graph.js';
import { seededRandom } from '../scenes/index.mjs';

const quick = process.argv.includes('--quick');

/** Equal boxes in a unit cube, with `degree` neighbours each on average, numbered along a space-filling curve. */
function geometricGraph(count, degree, seed, heavyTailed) {
  const next = seededRandom(seed);
  const side = 0.5 * Math.cbrt(degree / count);
  const places = Array.from({ length: count }, () => [next(), next(), next()]);
  const curve = ([x, y, z]) => {
    let key = 0;
    for (let bit = 9; bit >= 0; bit--)
      for (const c of [x, y, z]) key = 2 * key + ((Math.floor(1024 * c) >> bit) & 1);
    return key;
  };
  places.sort((p, q) => curve(p) - curve(q));
  const boxes = Float64Array.from(
    places.flatMap((p) => [...p.map((c) => c - side / 2), ...p.map((c) => c + side / 2)]),
  );
  const weight = Float64Array.from({ length: count }, () =>
    heavyTailed ? Math.ceil(10 * Math.min(100, next() ** -0.8)) : 1,
  );
  return buildOverlapGraph(weight, boxPairs.pairs(boxes, 0));
}

function gridGraph(width, height, depth) {
  const ends = [];
  for (let z = 0, at = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        if (x + 1 < width) ends.push(at, at + 1);
        if (y + 1 < height) ends.push(at, at + width);
        if (z + 1 < depth) ends.push(at, at + width * height);
      }
    }
  }
  return buildOverlapGraph(new Float64Array(width * height * depth).fill(1), Uint32Array.from(ends));
}

/** The driver's path, or why it is missing. */
function findMetis() {
  if (!existsSync('/usr/include/metis.h')) return { note: 'metis.h is missing (Debian: libmetis-dev)' };
  const source = fileURLToPath(new URL('native/metis-bench.c', import.meta.url));
  const binary = fileURLToPath(new URL('native/build/metis-bench', import.meta.url));
  try {
    if (!existsSync(binary) || statSync(binary).mtimeMs < statSync(source).mtimeMs) {
      mkdirSync(dirname(binary), { recursive: true });
      execFileSync('gcc', ['-O3', source, '-o', binary, '-lmetis'], { stdio: ['ignore', 'ignore', 'pipe'] });
    }
    return { binary };
  } catch (error) {
    return { note: `did not compile: ${String(error.stderr ?? error.message).split('\n')[0]}` };
  }
}

function runMetis(binary, method, graph, parts, folder) {
  const input = join(folder, 'graph');
  const output = join(folder, 'parts');
  const lists = [
    Uint32Array.of(graph.nodeCount, graph.neighbour.length),
    graph.first,
    graph.neighbour,
    Uint32Array.from(graph.weight),
  ];
  writeFileSync(input, Buffer.concat(lists.map((l) => Buffer.from(l.buffer, l.byteOffset, l.byteLength))));
  const text = execFileSync(binary, [method, input, String(parts), output], { encoding: 'utf8' });
  const bytes = readFileSync(output);
  const part = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return { part, count: parts, ms: Number(text.split(' ')[1]) };
}

function cpuTime(work) {
  const start = process.cpuUsage();
  const result = work();
  const used = process.cpuUsage(start);
  return { result, ms: (used.user + used.system) / 1000 };
}

function edgeCut({ ends, edgeCount }, part) {
  let cut = 0;
  for (let e = 0; e < edgeCount; e++) if (part[ends[2 * e]] !== part[ends[2 * e + 1]]) cut++;
  return cut;
}

function heaviest({ weight }, { part, count }) {
  const sums = new Float64Array(count);
  part.forEach((p, n) => {
    sums[p] += weight[n];
  });
  return Math.max(...sums);
}

const metis = findMetis();
if (metis.note) console.log(`METIS SKIPPED: ${metis.note}`);
const folder = mkdtempSync(join(tmpdir(), 'partition-'));
const graphs = quick
  ? [
      ['boxes 20 000', geometricGraph(20000, 10, 1, false)],
      ['grid 100 × 100', gridGraph(100, 100, 1)],
    ]
  : [
      ['boxes 100 000', geometricGraph(100000, 10, 1, false)],
      ['boxes 100 000, heavy-tailed', geometricGraph(100000, 6, 2, true)],
      ['boxes 200 000', geometricGraph(200000, 10, 3, false)],
      ['grid 300 × 300', gridGraph(300, 300, 1)],
      ['grid 40 × 40 × 40', gridGraph(40, 40, 40)],
    ];
const header = ['graph', 'parts', 'who', 'cut', 'ratio', 'imbalance', 'loads', 'ms'];
const rows = [];
try {
  for (const [name, graph] of graphs) {
    let total = 0;
    for (const weight of graph.weight) total += weight;
    const nothing = new Uint8Array(graph.nodeCount);
    for (const parts of quick ? [8] : [2, 8, 32, 128, 512]) {
      const capacity = total / parts;
      const loadsOf = (order) => (countLoads(graph, order, capacity).bytes / total).toFixed(3);
      const row = (who, found, ms, loads, against) => {
        const cut = edgeCut(graph, found.part);
        const ratio = against ? (cut / against).toFixed(2) : '';
        const imbalance = (heaviest(graph, found) / capacity).toFixed(3);
        rows.push([name, parts, who, cut, ratio, imbalance, loads, ms.toFixed(0)]);
        return cut;
      };
      let best = Infinity;
      for (const method of metis.binary ? ['kway', 'recursive'] : []) {
        const found = runMetis(metis.binary, method, graph, parts, folder);
        const loads = loadsOf(sweepPartition(graph, found, nothing));
        best = Math.min(best, row(`METIS ${method}`, found, found.ms, loads));
      }
      const ours = cpuTime(() =>
        new Multilevel(
          weigh(graph, () => 1),
          parts,
        ).equalParts(parts),
      );
      const swept = loadsOf(sweepPartition(graph, ours.result, nothing));
      row('impinge partition', ours.result, ours.ms, swept, best === Infinity ? undefined : best);
      const local = cpuTime(() => localize(graph, { capacity }));
      const order = new Uint32Array(graph.edgeCount);
      let at = 0;
      for (const { edges } of local.result.subgraphs) {
        order.set(edges, at);
        at += edges.length;
      }
      rows.push([name, parts, 'impinge localize', '', '', '', loadsOf(order), local.ms.toFixed(0)]);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const widths = header.map((title, c) => Math.max(title.length, ...rows.map((row) => String(row[c]).length)));
const line = (cells) =>
  cells
    .map((cell, c) =>
      c === 0 || c === 2 ? String(cell).padEnd(widths[c]) : String(cell).padStart(widths[c]),
    )
    .join('  ');
console.log([header, ...rows].map(line).join('\n'));
