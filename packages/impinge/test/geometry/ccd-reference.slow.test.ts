/** The continuous tests on reference queries with symbolic truth: nothing missed, nothing invented. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../test/shared-data.js';
import { exactEdgeEdge } from '../../src/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from '../../src/geometry/ccd/exact-vertex-face.js';
import { fastEdgeEdge, fastVertexFace } from '../../src/geometry/ccd/fast-contact.js';
import { DOUBT } from '../../src/geometry/ccd/verdict.js';
import { timeOfImpactEdgeEdge, timeOfImpactVertexFace } from '../../src/geometry/index.js';
import { type Kind, type Query, type ReferenceQuery, referenceQueries } from './ccd-queries.js';

const queries = referenceQueries();
const out = new Float64Array(6);
const exact = (kind: Kind, p: Query) =>
  kind === 'vertex-face' ? exactVertexFace(p, out) : exactEdgeEdge(p, out);
const fast = (kind: Kind, p: Query) =>
  kind === 'vertex-face' ? fastVertexFace(p, 0, out) : fastEdgeEdge(p, 0, out);
const impact = (kind: Kind, p: Query) =>
  kind === 'vertex-face' ? timeOfImpactVertexFace(p) : timeOfImpactEdgeEdge(p);

describe.skipIf(queries === undefined)('4 779 reference queries', () => {
  it('are all there', () => {
    expect(queries).toHaveLength(4779);
    expect(queries!.filter(({ hit }) => hit)).toHaveLength(288);
  });
  it('are decided as the truth says by the exact test', () => {
    expect(queries!.filter(({ kind, p, hit }) => exact(kind, p) !== hit).map(({ name }) => name)).toEqual([]);
  });
  it('are decided as the truth says by the fast test and the exact one behind it', () => {
    const wrong = queries!.filter(({ kind, p, hit }) => {
      const found = impact(kind, p);
      if (found === undefined) return hit;
      // the time of the fast test is not later than the true one, and hardly earlier
      return !hit || !exact(kind, p) || found.time > out[0] || found.time < out[0] - 1e-8;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const open = queries!.filter(({ kind, p }) => fast(kind, p) === DOUBT);
    const hits = open.filter(({ hit }) => hit).length;
    const share = `${open.length} of 4779 queries, ${hits} of 288 hits`;
    process.stdout.write(`reference queries that needed exact arithmetic: ${share}\n`);
  });
});

const CLOTH = ['deform/cloth_ball92.ply', 'deform/cloth_ball93.ply', 'deform/cloth-ball.queries.tsv.gz'];

describe.skipIf(CLOTH.some((file) => sharedData(file) === undefined))('a cloth that folds on a ball', () => {
  it('has every 40th of its 113 859 known pairs, and all that do not touch, as the truth says', () => {
    const sample = clothQueries();
    expect(sample.filter(({ hit }) => !hit)).toHaveLength(5);
    expect(sample.length).toBeGreaterThan(2800);
    const wrong = sample.filter(
      ({ kind, p, hit }) => exact(kind, p) !== hit || (impact(kind, p) !== undefined) !== hit,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

/** Positions of a PLY file with big-endian floats x, y, z first in each vertex. */
function positionsOf(file: string): DataView {
  const bytes = readFileSync(file);
  const header = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  return new DataView(bytes.buffer, bytes.byteOffset + header);
}

function clothQueries(): ReferenceQuery[] {
  const [start, end, list] = CLOTH.map((file) => sharedData(file)!);
  const frames = [positionsOf(start), positionsOf(end)];
  const rows = gunzipSync(readFileSync(list))
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const [names, ...pairs] = rows;
  const column = (name: string) => names.indexOf(name);
  return pairs
    .filter((row, i) => i % 40 === 0 || row[column('hit')] === '0')
    .map((row) => {
      const kind: Kind = row[column('kind')] === 'vf' ? 'vertex-face' : 'edge-edge';
      const points = kind === 'vertex-face' ? ['a0', 'b0', 'b1', 'b2'] : ['a0', 'a1', 'b0', 'b1'];
      const vertices = points.map((name) => Number(row[column(name)]));
      const p = frames.flatMap((frame) =>
        vertices.flatMap((vertex) => [0, 4, 8].map((byte) => frame.getFloat32(12 * vertex + byte))),
      );
      return { kind, p: Float64Array.from(p), hit: row[column('hit')] === '1', name: row.join(' ') };
    });
}
