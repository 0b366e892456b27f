/** The reference data of deforming surfaces, if it lies beside this checkout. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readPly } from '../ply.mjs';

const DATA = new URL('../../../../shared/data/', import.meta.url);

/** Whether it exists; otherwise prints a message. */
export function hasReference(figures, folder) {
  const there = existsSync(new URL(folder, DATA));
  if (!there) figures.note(`skipped: no reference data (../shared/data/${folder})`);
  return there;
}

/** The published step of a cloth on a turning ball, and the element pairs known to meet in it. */
export function clothBallStep() {
  const at = (name) => new URL(`deform/${name}`, DATA);
  const start = readPly(at('cloth_ball92.ply'));
  const end = readPly(at('cloth_ball93.ply'));
  const text = gunzipSync(readFileSync(at('cloth-ball.queries.tsv.gz'))).toString();
  const hits = new Set();
  for (const line of text.trim().split('\n').slice(1)) {
    const [kind, a0, a1, b0, b1, b2, hit] = line.split('\t');
    if (hit !== '1') continue;
    hits.add(kind === 'vf' ? faceKey(+a0, +b0, +b1, +b2) : edgeKey(+a0, +a1, +b0, +b1));
  }
  return { start: start.positions, end: end.positions, indices: start.indices, hits };
}

/** The same text for the same pair, independent of vertex order. */
export function faceKey(vertex, ...face) {
  return `${vertex}:${face.sort((a, b) => a - b).join()}`;
}

export function edgeKey(a0, a1, b0, b1) {
  const one = a0 < a1 ? `${a0},${a1}` : `${a1},${a0}`;
  const two = b0 < b1 ? `${b0},${b1}` : `${b1},${b0}`;
  return one < two ? `${one}|${two}` : `${two}|${one}`;
}

/**
 * All published queries: 24 numbers each (four points at the start, four at the end) and whether they meet.
 * @returns {{ scene: string, kind: 'vertex-face' | 'edge-edge', points: Float64Array, meets: boolean }[]}
 */
export function publishedQueries() {
  const queries = [];
  const root = fileURLToPath(new URL('ccd/', DATA));
  for (const scene of readdirSync(root)) {
    for (const kind of ['vertex-face', 'edge-edge']) {
      const folder = `${root}${scene}/${kind}`;
      if (!existsSync(folder)) continue;
      for (const file of readdirSync(folder).sort()) {
        const rows = readFileSync(`${folder}/${file}`, 'utf8').trim().split('\n');
        for (let r = 0; r + 8 <= rows.length; r += 8) {
          const points = new Float64Array(24);
          let meets = false;
          for (let i = 0; i < 8; i++) {
            const c = rows[r + i].split(',').map(Number);
            for (let k = 0; k < 3; k++) points[3 * i + k] = c[2 * k] / c[2 * k + 1];
            meets = c[6] === 1;
          }
          queries.push({ scene, kind, points, meets });
        }
      }
    }
  }
  return queries;
}
