/**
 * How deep the solids lie in each other at each contact region.
 *
 * Idea: triangles that meet the other mesh cut a surface into parts that lie inside or outside as a whole. The parts
 * inside that border on a region belong to it (a part between two regions belongs to both), and so do the pieces
 * inside of its own triangles. The depth is the largest distance to the other surface over all of them, from
 * both sides: a property of the solids, whatever their triangles.
 * Open meshes have no inside. There a part counts as inside when more of the triangles it is cut by face away from
 * it than towards it, and the pieces of cut triangles are left out.
 */
import { orient3dAt } from '../../math/predicates.js';
import { adjacencyOf, labelComponents, NO_EDGE } from '../../mesh/adjacency.js';
import { isClosed } from '../../mesh/closed.js';
import type { ContactPieces } from './contact-pieces.js';
import { markMeeting } from './containment.js';
import { type Deepest, DepthSearch, type MeetingTriangle } from './deepest.js';
import type { PosedSurface } from './posed-surface.js';

export interface ContactDepths {
  readonly regions: readonly Deepest[];
  /** Closest-point queries made. */
  readonly evaluations: number;
}

export function measureDepths(
  a: PosedSurface,
  b: PosedSurface,
  pairs: Uint32Array,
  pieces: ContactPieces,
): ContactDepths {
  const none: Deepest = { depth: 0, bound: 0, point: new Float64Array(3) };
  const regions = new Array<Deepest>(pieces.regionCount).fill(none);
  const scale = scaleOf(a, pieces) + scaleOf(b, pieces);
  let evaluations = 0;
  const raise = (region: number, found: Deepest) => {
    const known = regions[region];
    const deeper = found.depth > known.depth ? found : known;
    regions[region] = { ...deeper, bound: Math.max(known.bound, found.bound) };
  };
  for (const side of [0, 1] as const) {
    const surface = side === 0 ? a : b;
    const other = side === 0 ? b : a;
    for (const { triangles, bordering } of enclosedParts(surface, other, side, pairs, pieces)) {
      const search = new DepthSearch(surface, other, scale);
      search.addPatch(triangles);
      const found = search.run();
      evaluations += search.evaluations;
      for (const region of bordering) raise(region, found);
    }
  }
  for (const side of [0, 1] as const) {
    const surface = side === 0 ? a : b;
    const other = side === 0 ? b : a;
    if (!isClosed(other.mesh)) continue;
    meetingByRegion(side, pairs, pieces).forEach((meeting, region) => {
      const search = new DepthSearch(surface, other, scale, regions[region]);
      for (const triangle of meeting) search.addMeeting(triangle);
      raise(region, search.run());
      evaluations += search.evaluations;
    });
  }
  return { regions, evaluations };
}

function scaleOf(surface: PosedSurface, pieces: ContactPieces): number {
  const { min, max } = surface.mesh.box;
  const largest = pieces.points.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return largest + Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** For each region, the triangles of one side that meet the other; one that is part of several comes with all. */
function meetingByRegion(side: 0 | 1, pairs: Uint32Array, pieces: ContactPieces): Set<MeetingTriangle>[] {
  const out = Array.from({ length: pieces.regionCount }, () => new Set<MeetingTriangle>());
  const known = new Map<number, MeetingTriangle>();
  for (let i = 0; i < pieces.region.length; i++) {
    const triangle = pairs[2 * i + side];
    let meeting = known.get(triangle);
    if (!meeting) known.set(triangle, (meeting = { triangle, partners: [], segments: [] }));
    meeting.partners.push(pairs[2 * i + 1 - side]);
    const start = pieces.first[i];
    const count = pieces.first[i + 1] - start;
    // one segment, or the sides of a polygon
    for (let c = 0; c < (count === 2 ? 1 : count > 2 ? count : 0); c++) {
      for (const corner of [start + c, start + ((c + 1) % count)]) {
        for (let k = 0; k < 3; k++) meeting.segments.push(pieces.points[3 * corner + k]);
      }
    }
    out[pieces.region[i]].add(meeting);
  }
  return out;
}

interface EnclosedPart {
  /** In the order of the tree. */
  readonly triangles: Uint32Array;
  readonly bordering: ReadonlySet<number>;
}

interface Border {
  readonly regions: Set<number>;
  /** Triangles at the border that face away from the part, less those that face it. */
  votes: number;
}

function enclosedParts(
  surface: PosedSurface,
  other: PosedSurface,
  side: 0 | 1,
  pairs: Uint32Array,
  pieces: ContactPieces,
): EnclosedPart[] {
  const adjacency = adjacencyOf(surface.mesh);
  const meeting = markMeeting(pairs, side, surface.triangleCount);
  const { labels, first } = labelComponents(adjacency, meeting);
  const borders = new Map<number, Border>();
  const corner = new Float64Array(3);
  const partner = new Float64Array(9);
  for (let i = 0; i < pieces.region.length; i++) {
    const t = pairs[2 * i + side];
    other.writeTriangle(pairs[2 * i + 1 - side], partner, 0);
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const e = adjacency.edgeOf[h];
      if (e === NO_EDGE) continue;
      for (let k = adjacency.edgeStart[e]; k < adjacency.edgeStart[e + 1]; k++) {
        const label = labels[Math.floor(adjacency.halfEdges[k] / 3)];
        if (label < 0) continue;
        let border = borders.get(label);
        if (!border) borders.set(label, (border = { regions: new Set(), votes: 0 }));
        border.regions.add(pieces.region[i]);
        surface.writeCorner(h, corner, 0);
        border.votes -= orient3dAt(partner, 0, partner, 3, partner, 6, corner, 0);
      }
    }
  }
  const closed = isClosed(other.mesh);
  const inside = new Map<number, number[]>();
  for (const [label, border] of borders) {
    surface.writeCorner(3 * first[label], corner, 0);
    if (closed ? other.locate(corner, 0) === 'inside' : border.votes > 0) inside.set(label, []);
  }
  if (inside.size === 0) return [];
  for (const t of surface.trianglesInOrder()) inside.get(labels[t])?.push(t);
  return [...inside].map(([label, triangles]) => ({
    triangles: Uint32Array.from(triangles),
    bordering: borders.get(label)!.regions,
  }));
}
