/** The continuous test of the kernels against its twin in TypeScript: the same verdicts and the same bits. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { exactEdgeEdge } from 'impinge/internal/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from 'impinge/internal/geometry/ccd/exact-vertex-face.js';
import { fastEdgeEdge, fastVertexFace } from 'impinge/internal/geometry/ccd/fast-contact.js';
import { DOUBT, HIT, MISS } from 'impinge/internal/geometry/ccd/verdict.js';
import { describe, expect, it } from 'vitest';
import { full, INNER_LOOP, least, runs } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import {
  families,
  KINDS,
  type Kind,
  type Query,
  referenceQueries,
} from '../../../impinge/test/geometry/ccd-queries.js';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import { clothBall } from './cloth-ball.js';

interface Answers {
  readonly verdicts: Uint8Array;
  /** [t, u, v, nx, ny, nz] of each pair that is a hit. */
  readonly contacts: Map<number, Float64Array>;
}

/** Runs the kernel on pairs of vertices, four numbers each, and checks what it leaves around its answers. */
function runKernel(
  kind: Kind,
  start: Float64Array,
  end: Float64Array,
  pairs: Uint32Array,
  distance: number,
): Answers {
  const count = pairs.length / 4;
  const memory = arena();
  const vertices = start.length / 3;
  const sizes = [8 * start.length, 8 * end.length, 4 * vertices, 4 * pairs.length, 64 * count, 4 * count, 8];
  const blocks = sizes.map((bytes) => memory.alloc(bytes));
  const [starts, ends, vertexOf, list, hits, doubts, counts] = blocks as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  memory.f64().set(start, starts / 8);
  memory.f64().set(end, ends / 8);
  // kernels know the vertices by other numbers
  for (let v = 0; v < vertices; v++) memory.u32()[vertexOf / 4 + v] = vertices - 1 - v;
  memory.u32().set(
    pairs.map((v) => vertices - 1 - v),
    list / 4,
  );
  const kernels = deformKernels.kernels();
  const test = kind === 'vertex-face' ? kernels.testVertexFaces : kernels.testEdgeEdges;
  test(starts, ends, vertexOf, list, count, distance, hits, doubts, counts);
  const verdicts = new Uint8Array(count).fill(MISS);
  const contacts = new Map<number, Float64Array>();
  const [hitCount, doubtCount] = memory.u32().subarray(counts / 4, counts / 4 + 2) as unknown as [
    number,
    number,
  ];
  const found = Array.from({ length: hitCount }, (_, i) => memory.u32()[hits / 4 + 16 * i]);
  const rising = found.every((pair, i) => i === 0 || found[i - 1] < pair);
  const codes = found.every((_, i) => memory.u32()[hits / 4 + 16 * i + 1] === KINDS.indexOf(kind));
  expect({ rising, codes }).toEqual({ rising: true, codes: true });
  found.forEach((pair, i) => {
    verdicts[pair] = HIT;
    contacts.set(pair, memory.f64().slice(hits / 8 + 8 * i + 1, hits / 8 + 8 * i + 7));
  });
  for (const pair of memory.u32().subarray(doubts / 4, doubts / 4 + doubtCount)) verdicts[pair] = DOUBT;
  for (const block of blocks) memory.free(block);
  return { verdicts, contacts };
}

const out = new Float64Array(6);
const twin = (kind: Kind, p: Query, distance: number) =>
  (kind === 'vertex-face' ? fastVertexFace : fastEdgeEdge)(p, distance, out);

/** Queries as vertices and pairs: query i is vertices 4 i … 4 i + 3. */
function runQueries(kind: Kind, queries: readonly Query[], distance: number): Answers {
  const gather = (from: number) =>
    Float64Array.from(queries.flatMap((p) => Array.from(p.subarray(from, from + 12))));
  const pairs = Uint32Array.from({ length: 4 * queries.length }, (_, i) => i);
  return runKernel(kind, gather(0), gather(12), pairs, distance);
}

function expectAsTwin(kind: Kind, queries: readonly Query[], distance: number): number[] {
  const { verdicts, contacts } = runQueries(kind, queries, distance);
  const counts = [0, 0, 0];
  const different: number[][] = [];
  queries.forEach((p, i) => {
    const verdict = twin(kind, p, distance);
    counts[verdict]++;
    const same = verdict !== HIT || out.every((x, k) => Object.is(x, contacts.get(i)?.[k]));
    if (verdicts[i] !== verdict || !same) different.push(Array.from(p));
  });
  expect(different).toEqual([]);
  return counts;
}

describe.skipIf(!deformKernels.supported()).each(KINDS)('kernel of %s (seed 68)', (kind) => {
  it.each(families(kind))('%s', (name, queries) => {
    const sample = fc.sample(queries, { seed: 68, numRuns: runs(400) });
    const counts = expectAsTwin(kind, sample, 0);
    if (name !== 'any magnitude') expect(counts[DOUBT]).toBeLessThan(400);
    for (const distance of [1e-6, 0.01, 0.3]) {
      const [, hits, doubts] = expectAsTwin(kind, sample, distance);
      expect(hits).toBeGreaterThan(least(0));
      expect(doubts).toBe(0);
    }
  });

  it('takes no pairs', () => {
    expect(runQueries(kind, [], 0).contacts.size).toBe(0);
  });
});

const reference = referenceQueries();

describe.skipIf(reference === undefined || !deformKernels.supported())('kernels on reference queries', () => {
  it.each(KINDS)('%s: as the twin; right where decided; nothing missed with a distance', (kind) => {
    const queries = reference!.filter((query) => query.kind === kind);
    expectAsTwin(
      kind,
      queries.map(({ p }) => p),
      0,
    );
    const { verdicts } = runQueries(
      kind,
      queries.map(({ p }) => p),
      0,
    );
    const wrong = queries.filter(({ hit }, i) => verdicts[i] !== DOUBT && (verdicts[i] === HIT) !== hit);
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const near = runQueries(
      kind,
      queries.map(({ p }) => p),
      1e-6,
    );
    expect(queries.filter(({ hit }, i) => hit && near.verdicts[i] !== HIT)).toEqual([]);
  });
});

const cloth = INNER_LOOP ? undefined : clothBall();

describe.skipIf(cloth === undefined || !deformKernels.supported())(
  'kernels on a cloth that folds on a ball',
  () => {
    full.each(KINDS)(
      '%s: every known pair as the truth says, at most 1 in 1 000 by exact arithmetic',
      (kind) => {
        const { start, end } = cloth!;
        const { pairs, hits } = knownPairs(kind);
        const { verdicts } = runKernel(kind, start, end, pairs, 0);
        const query = new Float64Array(24);
        const exact = kind === 'vertex-face' ? exactVertexFace : exactEdgeEdge;
        let open = 0;
        const wrong: number[] = [];
        hits.forEach((hit, i) => {
          let verdict = verdicts[i];
          if (verdict === DOUBT) {
            open++;
            for (let n = 0; n < 12; n++) {
              const at = 3 * pairs[4 * i + Math.trunc(n / 3)] + (n % 3);
              query[n] = start[at];
              query[12 + n] = end[at];
            }
            verdict = exact(query, out) ? HIT : MISS;
          }
          if ((verdict === HIT) !== hit) wrong.push(i);
        });
        expect(wrong).toEqual([]);
        expect(open).toBeLessThan(hits.length / 1000);
        // with a thickness the same and more
        const thick = runKernel(kind, start, end, pairs, 1e-3);
        expect(hits.filter((hit, i) => hit && thick.verdicts[i] !== HIT)).toEqual([]);
      },
    );
  },
);

/** The listed pairs of each kind and whether they touch. */
let known: Record<'vf' | 'ee', { pairs: number[]; hits: boolean[] }> | undefined;

function knownPairs(kind: Kind): { pairs: Uint32Array; hits: boolean[] } {
  if (known === undefined) {
    known = { vf: { pairs: [], hits: [] }, ee: { pairs: [], hits: [] } };
    const file = sharedData('deform/cloth-ball.queries.tsv.gz')!;
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
    for (const line of lines.slice(1)) {
      const [code, ...row] = line.split('\t');
      const { pairs, hits } = known[code as 'vf' | 'ee'];
      for (const vertex of row.slice(0, 5)) if (vertex !== '') pairs.push(Number(vertex));
      hits.push(row[5] === '1');
    }
  }
  const { pairs, hits } = known[kind === 'vertex-face' ? 'vf' : 'ee'];
  return { pairs: Uint32Array.from(pairs), hits };
}
