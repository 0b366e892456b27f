/** The reference step: a cloth draped over a turning ball, and the element pairs known to come into contact. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sharedData } from '../../../../test/shared-data.js';

export interface ClothBall {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly indices: Uint32Array;
  /** `vf v f0 f1 f2` with rising corners, or `ee a0 a1 b0 b1` with rising ends, the lower edge first. */
  readonly hits: readonly string[];
}

/** The step, or undefined where the data is not at hand. */
export function clothBall(): ClothBall | undefined {
  const files = ['cloth_ball92.ply', 'cloth_ball93.ply', 'cloth-ball.queries.tsv.gz'].map((name) =>
    sharedData(`deform/${name}`),
  );
  const [first, last, queries] = files;
  if (!first || !last || !queries) return undefined;
  const { positions: start, indices } = readPly(first);
  return { start, end: readPly(last).positions, indices, hits: readHits(queries) };
}

/** How `hits` names an event. */
export function nameOf(kind: 'vf' | 'ee', vertices: readonly number[]): string {
  const [v0, v1, v2, v3] = vertices as [number, number, number, number];
  if (kind === 'vf') return `vf ${v0} ${[v1, v2, v3].sort((a, b) => a - b).join(' ')}`;
  const edges = [
    [Math.min(v0, v1), Math.max(v0, v1)],
    [Math.min(v2, v3), Math.max(v2, v3)],
  ].sort((e, f) => e[0] - f[0] || e[1] - f[1]);
  return `ee ${edges.flat().join(' ')}`;
}

/** Big-endian PLY of float positions and triangles. */
function readPly(path: string): { positions: Float64Array; indices: Uint32Array } {
  const bytes = readFileSync(path);
  const header = bytes.subarray(0, bytes.indexOf('end_header\n') + 11);
  const count = (element: string) =>
    Number(new RegExp(`element ${element} (\\d+)`).exec(header.toString())![1]);
  const positions = new Float64Array(3 * count('vertex'));
  const indices = new Uint32Array(3 * count('face'));
  let at = header.length;
  for (let i = 0; i < positions.length; i++, at += 4) positions[i] = bytes.readFloatBE(at);
  for (let i = 0; i < indices.length; i++, at += 4) {
    if (i % 3 === 0) at++; // the number of corners
    indices[i] = bytes.readInt32BE(at);
  }
  return { positions, indices };
}

function readHits(path: string): string[] {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').slice(1);
  return lines
    .filter((line) => line.endsWith('\t1'))
    .map((line) => {
      const [kind, ...rest] = line.split('\t');
      const vertices = rest.slice(0, 5).filter((field) => field !== '');
      return nameOf(kind as 'vf' | 'ee', vertices.map(Number));
    });
}
