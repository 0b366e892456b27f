/**
 * Everything with everything: each vertex against each face, each edge against each other edge, behind a test of the
 * boxes they sweep. Slow, simple, and the reference for every other way of finding pairs.
 *
 * Idea: boxes sorted by their minimum along x; each is compared with those that begin before it ends.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { gatherPoints, testElements } from './element-test.js';
import type { HitList } from './hit-list.js';
import { Ctx, EDGE_EDGE, NO_FACE, VERTEX_FACE } from './layout.generated.js';
import { mayMeet, type SurfaceTable } from './surface-table.js';

export interface BruteCounts {
  /** Element pairs without a common vertex whose surfaces may meet. */
  elementPairs: number;
  /** Pairs whose boxes meet. */
  testedPairs: number;
  /** Pairs that floating point could not decide. */
  exactPairs: number;
}

/** Elements of one kind: their vertices, and the boxes they sweep. */
export interface Elements {
  readonly count: number;
  /** Vertices of element i: vertices[size * i ..]. */
  readonly size: number;
  readonly vertices: Uint32Array;
  /** Six numbers each: minimum, maximum. */
  readonly boxes: Float64Array;
  readonly surfaces: Uint32Array;
}

/** Adds all contacts of the step at `thickness` to the two lists. */
export function findContactsBrute(
  table: SurfaceTable,
  thickness: number,
  vertexFace: HitList,
  edgeEdge: HitList,
): BruteCounts {
  const { vertices, faces, edges } = gather(table);
  const counts: BruteCounts = { elementPairs: 0, testedPairs: 0, exactPairs: 0 };
  const quad = new Uint32Array(4);
  const out = new Float64Array(6);
  const touch = elementToucher(table, thickness, out, counts);
  forEachPair(table, vertices, faces, thickness, counts, (v, f) => {
    quad[0] = vertices.vertices[v];
    for (let c = 0; c < 3; c++) quad[c + 1] = faces.vertices[3 * f + c];
    if (!touch(VERTEX_FACE, quad)) return;
    vertexFace.push(quad[0], quad[1], quad[2], quad[3], f, out);
  });
  forEachPair(table, edges, edges, thickness, counts, (e, f) => {
    const a = Math.min(e, f); // in the order of their owners
    const b = Math.max(e, f);
    for (let c = 0; c < 2; c++) quad[c] = edges.vertices[2 * a + c];
    for (let c = 0; c < 2; c++) quad[c + 2] = edges.vertices[2 * b + c];
    if (!touch(EDGE_EDGE, quad)) return;
    edgeEdge.push(quad[0], quad[1], quad[2], quad[3], NO_FACE, out);
  });
  return counts;
}

/** The test of a quad of vertices; neighbours must really touch. */
function elementToucher(table: SurfaceTable, thickness: number, out: Float64Array, counts: BruteCounts) {
  const points = new Float64Array(24);
  return (kind: number, quad: Uint32Array): boolean => {
    gatherPoints(table, quad, points);
    if (!testElements(kind, points, thickness, out, counts)) return false;
    if (thickness === 0 || !areNeighbours(table, quad, kind === EDGE_EDGE ? 2 : 1)) return true;
    return testElements(kind, points, 0, out, counts);
  };
}

function gather(table: SurfaceTable): { vertices: Elements; faces: Elements; edges: Elements } {
  const points: number[] = [];
  const edges: number[] = [];
  const faces = facesOf(table);
  table.surfaces.forEach(({ topology, triangleCount }, s) => {
    for (let t = 0; t < triangleCount; t++) {
      const bits = topology.owned[t];
      const corner = 3 * (table.triangleBase[s] + t);
      for (let c = 0; c < 3; c++) {
        if (bits & (1 << c)) points.push(faces[corner + c]);
        if (bits & (8 << c)) edges.push(faces[corner + c], faces[corner + ((c + 1) % 3)]);
      }
    }
  });
  return {
    vertices: elementsOf(table, 1, Uint32Array.from(points)),
    faces: elementsOf(table, 3, faces),
    edges: elementsOf(table, 2, Uint32Array.from(edges)),
  };
}

/** The vertices of all triangles. */
export function facesOf(table: SurfaceTable): Uint32Array {
  const faces = new Uint32Array(3 * table.triangleCount);
  for (let t = 0; t < table.triangleCount; t++) table.corners(t, faces, 3 * t);
  return faces;
}

/** Boxes of elements of `size` vertices each over the whole step, or at one end of it. */
export function elementsOf(
  table: SurfaceTable,
  size: number,
  vertices: Uint32Array,
  ends: readonly number[] = [Ctx.start, Ctx.end],
): Elements {
  const count = vertices.length / size;
  const numbers = arena().f64();
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    boxes.fill(Infinity, 6 * i, 6 * i + 3).fill(-Infinity, 6 * i + 3, 6 * i + 6);
    for (let k = 0; k < size; k++) {
      for (const end of ends) {
        const at = (table.word(end) >>> 3) + 3 * vertices[size * i + k];
        for (let c = 0; c < 3; c++) {
          boxes[6 * i + c] = Math.min(boxes[6 * i + c], numbers[at + c]);
          boxes[6 * i + 3 + c] = Math.max(boxes[6 * i + 3 + c], numbers[at + c]);
        }
      }
    }
  }
  const { surfaceOfVertex } = table;
  const surfaces = Uint32Array.from({ length: count }, (_, i) => surfaceOfVertex[vertices[size * i]]);
  return { count, size, vertices, boxes, surfaces };
}

/** Visits pairs whose boxes are at most `reach` apart along each axis; pairs within one list once. */
export function forEachPair(
  table: SurfaceTable,
  a: Elements,
  b: Elements,
  reach: number,
  counts: BruteCounts,
  visit: (i: number, j: number) => void,
): void {
  const flags = arena()
    .u32()
    .subarray(table.word(Ctx.surfaceFlags) >>> 2);
  const orderA = orderAlongX(a);
  const orderB = a === b ? orderA : orderAlongX(b);
  const consider = (i: number, j: number) => {
    if (!boxesMeet(a.boxes, 6 * i, b.boxes, 6 * j, reach)) return;
    const sa = a.surfaces[i];
    const sb = b.surfaces[j];
    if (!mayMeet(flags[sa], flags[sb], sa === sb)) return;
    if (haveCommonVertex(a, i, b, j)) return;
    counts.testedPairs++;
    visit(i, j);
  };
  // each element is compared with all of the other list that begin before it ends
  const sweep = (x: Elements, orderX: Uint32Array, y: Elements, orderY: Uint32Array, first: boolean) => {
    let from = 0;
    for (let k = 0; k < orderX.length; k++) {
      const i = orderX[k];
      const low = x.boxes[6 * i];
      const high = x.boxes[6 * i + 3];
      if (x === y) from = k + 1;
      else while (from < orderY.length && beginsBefore(y.boxes[6 * orderY[from]], low, first)) from++;
      for (let m = from; m < orderY.length; m++) {
        const j = orderY[m];
        if (y.boxes[6 * j] - high > reach) break;
        if (first) consider(i, j);
        else consider(j, i);
      }
    }
  };
  sweep(a, orderA, b, orderB, true);
  if (a !== b) sweep(b, orderB, a, orderA, false);
  counts.elementPairs += a === b ? (a.count * (a.count - 1)) / 2 : a.count * b.count;
}

/** Equal beginnings belong to the first sweep. */
function beginsBefore(other: number, low: number, first: boolean): boolean {
  return first ? other < low : other <= low;
}

function orderAlongX(elements: Elements): Uint32Array {
  const order = Uint32Array.from({ length: elements.count }, (_, i) => i);
  return order.sort((i, j) => elements.boxes[6 * i] - elements.boxes[6 * j] || i - j);
}

function boxesMeet(a: Float64Array, ao: number, b: Float64Array, bo: number, reach: number): boolean {
  for (let c = 0; c < 3; c++) {
    if (b[bo + c] - a[ao + 3 + c] > reach || a[ao + c] - b[bo + 3 + c] > reach) return false;
  }
  return true;
}

function haveCommonVertex(a: Elements, i: number, b: Elements, j: number): boolean {
  for (let k = 0; k < a.size; k++) {
    for (let m = 0; m < b.size; m++) {
      if (a.vertices[a.size * i + k] === b.vertices[b.size * j + m]) return true;
    }
  }
  return false;
}

/**
 * Whether an element of the first `own` vertices of the quad and one of the rest are neighbours: a
 * vertex of one is joined by an edge of the mesh to a vertex of the other. Must not be called for elements with a
 * common vertex.
 */
function areNeighbours(table: SurfaceTable, quad: Uint32Array, own: 1 | 2): boolean {
  const s = table.surfaceOfVertex[quad[0]];
  if (s !== table.surfaceOfVertex[quad[3]]) return false;
  const base = table.vertexBase[s];
  const { indices, topology } = table.surfaces[s];
  for (let i = 0; i < own; i++) {
    const v = quad[i] - base;
    for (let k = topology.ringStart[v]; k < topology.ringStart[v + 1]; k++) {
      const t = 3 * topology.rings[k];
      for (let c = 0; c < 3; c++) {
        const w = base + indices[t + c];
        for (let j = own; j < 4; j++) if (w === quad[j]) return true;
      }
    }
  }
  return false;
}
