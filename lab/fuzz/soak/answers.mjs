/** Expected findings of a check by other means: brute force over triangles, and the library. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { intersectsTriangleTriangle } from '../../../packages/impinge/dist/geometry/intersect/triangle-triangle.js';

export const REPORTS = ['clashes.bcfzip', 'clashes.csv', 'clashes.jsonl', 'report.html', 'report.json'];

/** The rows of a report. */
export function clashesIn(folder) {
  const text = readFileSync(join(folder, 'clashes.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Differences between two report folders, including extra files. */
export function reportDifferences(found, expected) {
  const differences = REPORTS.filter(
    (name) => !readFileSync(join(found, name)).equals(readFileSync(join(expected, name))),
  ).map((name) => `${name} differs`);
  const others = readdirSync(found).filter((name) => !REPORTS.includes(name) && name !== 'model.impinge');
  return [...differences, ...others.map((name) => `${name} is left behind`)];
}

/**
 * Every pair of intersecting surfaces must be reported, and no other pair except contained objects. Only for objects
 * without poses: then both sides compute with the same numbers.
 */
export function bruteForceDifferences(objects, clashes) {
  const reported = new Map(clashes.map(({ a, b, kind }) => [[a.name, b.name].sort().join(' – '), kind]));
  const differences = [];
  for (let i = 0; i < objects.length; i++) {
    for (let j = 0; j < i; j++) {
      const names = [`object ${i}`, `object ${j}`].sort().join(' – ');
      const kind = reported.get(names);
      const meets = anyMeets(objects[i], objects[j]);
      if (meets && kind === undefined) differences.push(`${names} meet, and are not reported`);
      if (!meets && kind !== undefined && kind !== 'inside')
        differences.push(`${names}: ${kind}, but they do not meet`);
    }
  }
  return differences;
}

function anyMeets(a, b) {
  const [p, q] = [cornersOf(a), cornersOf(b)];
  const [boxP, boxQ] = [boxesOf(p), boxesOf(q)];
  for (let i = 0; i < p.length; i += 9) {
    for (let j = 0; j < q.length; j += 9) {
      if (overlap(boxP, (i / 9) * 6, boxQ, (j / 9) * 6) && intersectsTriangleTriangle(p, i, q, j))
        return true;
    }
  }
  return false;
}

function cornersOf({ positions, indices }) {
  return Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => positions[3 * indices[(i - (i % 3)) / 3] + (i % 3)],
  );
}

/** Low and high corners of every triangle's box. */
function boxesOf(corners) {
  const boxes = new Float64Array((corners.length / 9) * 6);
  for (let t = 0; t < corners.length / 9; t++) {
    for (let k = 0; k < 3; k++) {
      const xs = [corners[9 * t + k], corners[9 * t + 3 + k], corners[9 * t + 6 + k]];
      boxes[6 * t + k] = Math.min(...xs);
      boxes[6 * t + 3 + k] = Math.max(...xs);
    }
  }
  return boxes;
}

function overlap(p, i, q, j) {
  for (let k = 0; k < 3; k++) if (p[i + k] > q[j + 3 + k] || q[j + k] > p[i + 3 + k]) return false;
  return true;
}

/** Compares the report with the library's answer on this thread. */
export async function libraryDifferences(store, options, clashes) {
  const model = await openStoreFile(store);
  try {
    const found = new Map();
    for await (const batch of check(model, options).batches()) {
      for (const clash of batch.clashes) found.set(clash.id, clash);
    }
    const differences = clashes
      .filter(({ id, kind }) => found.get(id)?.kind !== kind)
      .map(({ id, kind }) => `${id} is ${kind}, and ${found.get(id)?.kind ?? 'nothing'} to the library`);
    if (found.size !== clashes.length)
      differences.push(`${clashes.length} clashes, ${found.size} to the library`);
    return differences;
  } finally {
    await model.source.dispose();
  }
}
