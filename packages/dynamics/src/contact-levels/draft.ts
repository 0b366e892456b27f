/** A dual hierarchy while it is built: levels of nodes as objects, the finest first. */
import type { ClosedSurface } from './closed-surface.js';
import type { ConvexPatch, ConvexPatches } from './convex-patches.js';

export interface DraftNode {
  /** Three coordinates per vertex of the hull; float32 numbers. */
  points: Float64Array;
  /** Three places in `points` per face, counter-clockwise from outside; a flat hull has two sides. */
  faces: Int32Array;
  /** The vertices of the level's surface that the points are, before the hull is widened; boxes have none. */
  readonly vertices: Int32Array;
  /** Three vertices of the level's surface per triangle of the convex patch. */
  readonly triangles: Int32Array;
  /** Triangles of the mesh near those: their originals before any collapse. */
  readonly near: readonly number[];
  /** The mesh's triangles that level 0 stands for. */
  originals: readonly number[];
  /** Its place in the next level; −1 for the root. */
  parent: number;
  h: number;
  s: number;
  r: number;
  support: Float64Array;
}

export interface DraftLevel {
  readonly nodes: DraftNode[];
  /** Three coordinates per vertex of the level's surface. */
  readonly positions: Float64Array;
}

export interface Draft {
  readonly kind: 'hulls' | 'boxes';
  readonly levels: readonly DraftLevel[];
  /** The number of levels that represent the surface; above them hulls only enclose. */
  readonly usable: number;
}

/** The state of a surface as a level, its patches by their numbers; `attached` are triangles without area by hosts. */
export function levelOf(
  patches: ConvexPatches,
  attached?: ReadonlyMap<number, readonly number[]>,
): { level: DraftLevel; ids: number[] } {
  const { surface } = patches;
  const vertexOf = new Int32Array(surface.x.length / 3).fill(-1);
  const positions: number[] = [];
  const numberOf = (v: number): number => {
    if (vertexOf[v] < 0) {
      vertexOf[v] = positions.length / 3;
      positions.push(surface.x[3 * v], surface.x[3 * v + 1], surface.x[3 * v + 2]);
    }
    return vertexOf[v];
  };
  const ids: number[] = [];
  const nodes: DraftNode[] = [];
  patches.patches.forEach((patch, id) => {
    if (!patch) return;
    ids.push(id);
    nodes.push(nodeOf(surface, patch, numberOf, attached));
  });
  return { level: { nodes, positions: Float64Array.from(positions) }, ids };
}

function nodeOf(
  { x, corner }: ClosedSurface,
  patch: ConvexPatch,
  numberOf: (v: number) => number,
  attached: ReadonlyMap<number, readonly number[]> | undefined,
): DraftNode {
  const triangles = new Int32Array(3 * patch.triangles.length);
  const originals: number[] = [];
  patch.triangles.forEach((t, i) => {
    for (let k = 0; k < 3; k++) triangles[3 * i + k] = numberOf(corner[3 * t + k]);
    if (attached) originals.push(t, ...(attached.get(t) ?? []));
  });
  const place = new Map<number, number>();
  const points = new Float64Array(3 * patch.vertices.length);
  patch.vertices.forEach((v, i) => {
    place.set(v, i);
    points.set(x.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return {
    points,
    faces: patch.faces.map((v) => place.get(v) as number),
    vertices: patch.vertices.map(numberOf),
    triangles,
    near: patch.triangles,
    originals: originals.sort((a, b) => a - b),
    parent: -1,
    h: 0,
    s: 0,
    r: 0,
    support: new Float64Array(0),
  };
}
