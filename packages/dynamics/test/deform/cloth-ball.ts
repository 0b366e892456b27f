/** The reference step: a cloth draped over a turning ball, and the element pairs known to come into contact. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readMeshes } from 'impinge/formats';
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
  const [{ positions, indices }, { positions: end }] = [first, last].map(
    (path) => readMeshes(readFileSync(path))[0],
  );
  return {
    start: Float64Array.from(positions),
    end: Float64Array.from(end),
    indices: Uint32Array.from(indices!),
    hits: readHits(queries),
  };
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
