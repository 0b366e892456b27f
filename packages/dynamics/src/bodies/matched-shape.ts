/**
 * The data that shape-matching bodies share with their copies: nodes with masses, overlapping regions of nodes that
 * resist deformation, and a surface whose vertices are weighted means of nodes.
 *
 * A node in n regions gives each of them an n-th of its mass, so that regions can be solved separately and the mean of
 * their goals conserves momentum.
 * Layout: members of region r are the entries start[r] … start[r + 1] of `nodes`, `weights` and (times three)
 * `offsets`; the same way for the nodes of a surface vertex.
 */
import type { Particles } from './step-guard.js';

export interface Regions {
  readonly count: number;
  readonly start: Uint32Array;
  readonly nodes: Uint32Array;
  /** The share of the node's mass. */
  readonly weights: Float64Array;
  /** At rest, from the centre of the region. */
  readonly offsets: Float64Array;
  readonly masses: Float64Array;
  /** Σ weight · |offset|². */
  readonly spreads: Float64Array;
}

export interface Embedding {
  readonly vertexCount: number;
  readonly start: Uint32Array;
  readonly nodes: Uint32Array;
  /** Positive or negative; those of a vertex add up to 1. */
  readonly weights: Float64Array;
  /** Vertices by runs that have the same eight nodes; then the rest, one by one. */
  readonly order: Uint32Array;
  readonly runStart: Uint32Array;
  /** Σ weight² / mass of the node, per vertex. */
  readonly inverseMasses: Float64Array;
}

export interface MatchedShape {
  readonly particles: Particles;
  /** Of the nodes. */
  readonly rest: Float64Array;
  readonly regions: Regions;
  readonly embedding: Embedding;
  readonly indices: Uint32Array;
}

/** The weights of one vertex: node, weight, node, weight, … */
export type VertexWeights = readonly number[];

export interface MatchedShapeInput {
  readonly rest: Float64Array;
  readonly masses: Float64Array;
  /** Nodes of each region; every node is in at least one. */
  readonly regions: readonly (readonly number[])[];
  readonly vertices: readonly VertexWeights[];
  readonly indices: Uint32Array;
}

export function matchedShape({ rest, masses, regions, vertices, indices }: MatchedShapeInput): MatchedShape {
  return {
    particles: { masses, count: masses.length, anchored: false },
    rest,
    regions: layOutRegions(rest, masses, regions),
    embedding: layOutEmbedding(masses, vertices),
    indices,
  };
}

function layOutRegions(
  rest: Float64Array,
  masses: Float64Array,
  lists: readonly (readonly number[])[],
): Regions {
  const start = startsOf(lists.map((list) => list.length));
  const nodes = Uint32Array.from(lists.flat());
  const uses = new Uint32Array(masses.length);
  for (const node of nodes) uses[node]++;
  const weights = Float64Array.from(nodes, (node) => masses[node] / uses[node]);
  const offsets = new Float64Array(3 * nodes.length);
  const regionMasses = new Float64Array(lists.length);
  const spreads = new Float64Array(lists.length);
  for (let r = 0; r < lists.length; r++) {
    const centre = [0, 0, 0];
    for (let m = start[r]; m < start[r + 1]; m++) {
      regionMasses[r] += weights[m];
      for (let k = 0; k < 3; k++) centre[k] += weights[m] * rest[3 * nodes[m] + k];
    }
    for (let m = start[r]; m < start[r + 1]; m++) {
      for (let k = 0; k < 3; k++) {
        const offset = rest[3 * nodes[m] + k] - centre[k] / regionMasses[r];
        offsets[3 * m + k] = offset;
        spreads[r] += weights[m] * offset * offset;
      }
    }
  }
  return { count: lists.length, start, nodes, weights, offsets, masses: regionMasses, spreads };
}

function layOutEmbedding(masses: Float64Array, vertices: readonly VertexWeights[]): Embedding {
  const start = startsOf(vertices.map((list) => list.length / 2));
  const flat = vertices.flat();
  const nodes = Uint32Array.from({ length: flat.length / 2 }, (_, i) => flat[2 * i]);
  const weights = Float64Array.from({ length: flat.length / 2 }, (_, i) => flat[2 * i + 1]);
  const inverseMasses = Float64Array.from(vertices, (_, v) => {
    let sum = 0;
    for (let i = start[v]; i < start[v + 1]; i++) sum += (weights[i] * weights[i]) / masses[nodes[i]];
    return sum;
  });
  return { vertexCount: vertices.length, start, nodes, weights, inverseMasses, ...runsOf(vertices) };
}

function runsOf(vertices: readonly VertexWeights[]): { order: Uint32Array; runStart: Uint32Array } {
  const runs = new Map<string, number[]>();
  const others: number[] = [];
  vertices.forEach((list, v) => {
    if (list.length !== 16) {
      others.push(v);
      return;
    }
    const key = list.filter((_, i) => i % 2 === 0).join(' ');
    const run = runs.get(key);
    if (run) run.push(v);
    else runs.set(key, [v]);
  });
  const lists = [...runs.values()];
  return {
    order: Uint32Array.from([...lists.flat(), ...others]),
    runStart: startsOf(lists.map((list) => list.length)),
  };
}

function startsOf(counts: readonly number[]): Uint32Array {
  const start = new Uint32Array(counts.length + 1);
  counts.forEach((count, i) => {
    start[i + 1] = start[i] + count;
  });
  return start;
}

/** Writes the surface that follows from the places of the nodes. */
export function embed(embedding: Embedding, x: Float64Array, out: Float64Array): void {
  const { vertexCount, start, nodes, weights, order, runStart } = embedding;
  const runCount = runStart.length - 1;
  for (let run = 0; run < runCount; run++) embedRun(embedding, x, out, runStart[run], runStart[run + 1]);
  for (let at = runStart[runCount]; at < vertexCount; at++) {
    const v = order[at];
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let i = start[v]; i < start[v + 1]; i++) {
      const n = 3 * nodes[i];
      const w = weights[i];
      px += w * x[n];
      py += w * x[n + 1];
      pz += w * x[n + 2];
    }
    out[3 * v] = px;
    out[3 * v + 1] = py;
    out[3 * v + 2] = pz;
  }
}

/** Embeds vertices with the same eight nodes, whose positions are read once. */
function embedRun(
  { start, nodes, weights, order }: Embedding,
  x: Float64Array,
  out: Float64Array,
  from: number,
  to: number,
): void {
  const first = start[order[from]];
  const a = 3 * nodes[first];
  const b = 3 * nodes[first + 1];
  const c = 3 * nodes[first + 2];
  const d = 3 * nodes[first + 3];
  const e = 3 * nodes[first + 4];
  const f = 3 * nodes[first + 5];
  const g = 3 * nodes[first + 6];
  const h = 3 * nodes[first + 7];
  for (let axis = 0; axis < 3; axis++) {
    const xa = x[a + axis];
    const xb = x[b + axis];
    const xc = x[c + axis];
    const xd = x[d + axis];
    const xe = x[e + axis];
    const xf = x[f + axis];
    const xg = x[g + axis];
    const xh = x[h + axis];
    for (let at = from; at < to; at++) {
      const v = order[at];
      const i = start[v];
      out[3 * v + axis] =
        weights[i] * xa +
        weights[i + 1] * xb +
        weights[i + 2] * xc +
        weights[i + 3] * xd +
        weights[i + 4] * xe +
        weights[i + 5] * xf +
        weights[i + 6] * xg +
        weights[i + 7] * xh;
    }
  }
}

/** Passes over the pushed vertices in which nodes come to agree with them. */
const PASSES = 4;

/**
 * Moves nodes so that the listed vertices move by about `pushes` (three numbers per vertex): each push, in turn, moves
 * its nodes as an impulse on the vertex would. A single push is realised exactly, several as a compromise.
 * @param shift scratch and result: the displacement of the nodes
 */
export function spreadPushes(
  shape: MatchedShape,
  pushed: ArrayLike<number>,
  count: number,
  pushes: Float64Array,
  shift: Float64Array,
): void {
  const { start, nodes, weights, inverseMasses } = shape.embedding;
  const { masses } = shape.particles;
  shift.fill(0);
  for (let pass = 0; pass < (count > 1 ? PASSES : 1); pass++) {
    for (let at = 0; at < count; at++) {
      const v = pushed[at];
      let dx = pushes[3 * v];
      let dy = pushes[3 * v + 1];
      let dz = pushes[3 * v + 2];
      for (let i = start[v]; i < start[v + 1]; i++) {
        const n = 3 * nodes[i];
        dx -= weights[i] * shift[n];
        dy -= weights[i] * shift[n + 1];
        dz -= weights[i] * shift[n + 2];
      }
      for (let i = start[v]; i < start[v + 1]; i++) {
        const n = 3 * nodes[i];
        const share = weights[i] / (masses[nodes[i]] * inverseMasses[v]);
        shift[n] += share * dx;
        shift[n + 1] += share * dy;
        shift[n + 2] += share * dz;
      }
    }
  }
}
