/**
 * Model files: read in memory, read again as a stream in tiny chunks with almost no memory, and sometimes checked by
 * the command. Both readings must give the same triangles, or both must refuse.
 */
import { readdirSync } from 'node:fs';
import { openSource } from '../../../packages/cli/dist/formats/formats.js';
import { corpusOf } from '../seeds/corpus.mjs';
import { command, Failure, refusal } from './outcome.mjs';

/** Memory cap of the readers. */
export const MEMORY = 16 << 20;
const STREAMED = { memoryBytes: 4, chunkBytes: 61 };
/** One in this many readable mutants goes through the whole command. */
const CHECKED_SHARE = 12;
/** Up to this many numbers are compared one by one; beyond it, only counts. */
const MOST_NUMBERS = 1 << 20;

const target = (...extensions) => ({
  seeds: () => corpusOf(extensions),
  run: readTwice,
});

export const MODEL_TARGETS = {
  obj: target('obj'),
  stl: target('stl'),
  ply: target('ply'),
  gltf: target('gltf', 'glb'),
  '3mf': target('3mf'),
  gz: target('stl.gz', 'obj.gz'),
  // web-ifc only reads whole files: there is no streamed reading to compare with
  ifc: { seeds: () => corpusOf(['ifc', 'ifczip']), run: readOnce, share: 0.2 },
};

async function readTwice(mutant) {
  const arrays = await reading(mutant, { memoryBytes: MEMORY });
  const streamed = await reading(mutant, STREAMED);
  compare(arrays, streamed);
  return thenCheck(mutant, arrays);
}

export async function readOnce(mutant) {
  return thenCheck(mutant, await reading(mutant, { memoryBytes: MEMORY }));
}

async function thenCheck({ path, folder, number }, found) {
  if (found.refused !== undefined) return 'refused';
  if (number % CHECKED_SHARE !== 0) return 'read';
  await command(
    'check',
    path,
    '-o',
    `${folder}/report`,
    '--workers',
    '1',
    '--memory',
    '30MB',
    '--clearance',
    '10mm',
  );
  return 'checked';
}

/** The result of a reading, or its refusal; no temporary files may remain. */
async function reading({ path, temporary }, options) {
  const found = await readingOf(path, { ...options, tempDir: temporary });
  const left = readdirSync(temporary);
  if (left.length > 0) throw new Failure('left behind', left.join(' '));
  return found;
}

async function readingOf(path, options) {
  let source;
  try {
    source = await openSource(path, options);
    const objects = [];
    let numbers = 0;
    for await (const { geometry, objects: placed } of source.shapes()) {
      const corners = await cornersOf(geometry, numbers);
      numbers += corners.values.length;
      for (const object of placed) objects.push({ object, corners });
    }
    return { objects };
  } catch (error) {
    return { refused: refusal(error, path) };
  } finally {
    await source?.close();
  }
}

/** The corners of all triangles: their number, and their positions while there are few. */
async function cornersOf(geometry, before) {
  const values = [];
  let count = 0;
  const add = (x) => {
    if (!Number.isFinite(x)) throw new Failure('not finite', `a coordinate is ${x}`);
    if (before + values.length < MOST_NUMBERS) values.push(x);
    count++;
  };
  if ('indices' in geometry) {
    const { positions, indices } = geometry;
    for (const v of indices) {
      if (3 * v + 2 >= positions.length) throw new Failure('index out of range', String(v));
      for (let k = 0; k < 3; k++) add(positions[3 * v + k]);
    }
  } else {
    for await (const batch of geometry.batches()) for (const x of batch) add(x);
  }
  if (count % 9 !== 0 || count === 0) throw new Failure('no whole triangles', `${count} numbers`);
  return { values, count };
}

/** Refusals for lack of memory may differ: the streamed reading has almost none. */
const NEEDS_MEMORY = /memory|does not fit|do not fit|too large|MB\b/;

function compare(arrays, streamed) {
  const refused = [arrays.refused, streamed.refused].filter((message) => message !== undefined);
  if (refused.length === 2 || refused.some((message) => NEEDS_MEMORY.test(message))) return;
  if (refused.length === 1) {
    const which = arrays.refused === undefined ? 'streamed' : 'in memory';
    throw new Failure('readings differ', `only ${which}: ${refused[0]}`);
  }
  const [a, b] = [arrays.objects, streamed.objects];
  if (a.length !== b.length) throw new Failure('readings differ', `${a.length} and ${b.length} objects`);
  for (const [i, one] of a.entries()) compareObjects(one, b[i]);
}

function compareObjects(one, two) {
  for (const key of ['id', 'name', 'path', 'type', 'discipline', 'file', 'storey']) {
    if (one.object[key] !== two.object[key])
      throw new Failure('readings differ', `${key} "${one.object[key]}" and "${two.object[key]}"`);
  }
  if (one.corners.count !== two.corners.count)
    throw new Failure('readings differ', `${one.corners.count} and ${two.corners.count} numbers`);
  const [p, q] = [placed(one), placed(two)];
  const size = p.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
  for (let i = 0; i < Math.min(p.length, q.length); i++) {
    if (Math.abs(p[i] - q[i]) > 1e-12 * size)
      throw new Failure('readings differ', `coordinate ${p[i]} and ${q[i]}`);
  }
}

/** In world coordinates: one reading may have applied a pose that the other one still carries. */
function placed({ object: { pose }, corners: { values } }) {
  if (pose === undefined) return values;
  return values.map((_, i) => {
    const row = i % 3;
    const at = i - row;
    return (
      pose[3 * row] * values[at] +
      pose[3 * row + 1] * values[at + 1] +
      pose[3 * row + 2] * values[at + 2] +
      pose[9 + row]
    );
  });
}
