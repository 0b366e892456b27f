/**
 * How deep the solids lie in each other at each contact region.
 *
 * Idea: triangles that meet the other mesh cut a surface into patches that lie inside or outside as a whole. The
 * patches inside that border on a region belong to it (one between two regions belongs to both), and so do the region's
 * own triangles as far as they lie inside. The depth is the largest distance to the other surface over all of them,
 * from both sides: a property of the solids, whatever their triangles. One search per region (see depth.ts), and one
 * per patch that several regions share. Of open meshes all patches at a region count, as far as they lie inside by the
 * rule of depth.ts.
 */
import { adjacencyOf, labelComponents, NO_EDGE } from '../../mesh/adjacency.js';
import type { ContactPieces } from './contact-pieces.js';
import { type Depth, DepthSearch, NO_DEPTH } from './depth.js';
import type { PlacedPair } from './placed-pair.js';
import { type PlacedSolid, solidsOf } from './placed-solid.js';

/** What contacts promise of their depths, and how long they look: four thousand closest points take a few ms. */
const PRECISE = { accuracy: 1e-3, least: 0, budget: 4000 } as const;
const NO_LABEL = 0xffffffff;

export interface ContactDepths {
  readonly regions: readonly Depth[];
  /** Closest-point queries made. */
  readonly evaluations: number;
  readonly pointTests: number;
}

/** `pairs` are triangles of a and of b, alternating; both objects have one part. */
export function measureDepths(pair: PlacedPair, pairs: Uint32Array, pieces: ContactPieces): ContactDepths {
  const solids = solidsOf(pair);
  const regions = new Array<Depth>(pieces.regionCount).fill(NO_DEPTH);
  const shared: SharedPatch[] = [];
  const labels = ([0, 1] as const).map((side) =>
    labelPatches(solids, side, pairs, pieces, pair.slack, shared),
  );
  // locating points may move trees: only then
  const search = new DepthSearch(pair.a.parts, pair.b.parts, pair.bToA, PRECISE);
  let evaluations = 0;
  try {
    search.setLabels(0, labels[0]);
    search.setLabels(1, labels[1]);
    shared.forEach(({ bordering, inside }, i) => {
      const found = search.run({ label: pieces.regionCount + i, inside });
      evaluations += found.evaluations;
      for (const region of bordering) {
        const deeper = found.depth > regions[region].depth ? found : regions[region];
        regions[region] = {
          ...deeper,
          bound: Math.max(regions[region].bound, found.bound),
          cutShort: regions[region].cutShort || found.cutShort,
        };
      }
    });
    const members = membersOf(pieces);
    for (let region = 0; region < pieces.regionCount; region++) {
      const label = (to: number) => {
        for (const i of members[region]) {
          for (const side of [0, 1] as const) search.label(side, pairs[2 * i + side], to);
        }
      };
      label(region);
      regions[region] = search.run({ label: region, than: regions[region] });
      evaluations += regions[region].evaluations;
      label(NO_LABEL);
    }
  } finally {
    search.release();
  }
  return { regions, evaluations, pointTests: solids[0].pointTests + solids[1].pointTests };
}

/** The pairs of each region. */
export function membersOf({ region, regionCount }: ContactPieces): readonly (readonly number[])[] {
  const members = Array.from({ length: regionCount }, (): number[] => []);
  region.forEach((own, pair) => {
    members[own].push(pair);
  });
  return members;
}

/** A patch between several regions. Its label is the number of regions plus its place in the list. */
interface SharedPatch {
  readonly bordering: ReadonlySet<number>;
  readonly inside: boolean;
}

/**
 * Labels the triangles of a side that may be deep: of a patch at one region by it, of a shared one by its own number.
 */
function labelPatches(
  solids: readonly [PlacedSolid, PlacedSolid],
  side: 0 | 1,
  pairs: Uint32Array,
  pieces: ContactPieces,
  slack: number,
  shared: SharedPatch[],
): Uint32Array {
  const own = solids[side];
  const other = solids[1 - side];
  const mesh = own.parts.meshes[0];
  const adjacency = adjacencyOf(mesh);
  const meeting = new Uint8Array(mesh.triangleCount);
  for (let i = side; i < pairs.length; i += 2) meeting[pairs[i]] = 1;
  const { labels, first } = labelComponents(adjacency, meeting);
  const borders = new Map<number, Set<number>>();
  for (let i = 0; i < pieces.region.length; i++) {
    const t = pairs[2 * i + side];
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const e = adjacency.edgeOf[h];
      if (e === NO_EDGE) continue;
      for (let k = adjacency.edgeStart[e]; k < adjacency.edgeStart[e + 1]; k++) {
        const patch = labels[Math.floor(adjacency.halfEdges[k] / 3)];
        if (patch < 0) continue;
        const regions = borders.get(patch);
        if (regions) regions.add(pieces.region[i]);
        else borders.set(patch, new Set([pieces.region[i]]));
      }
    }
  }
  const labelOf = new Uint32Array(first.length).fill(NO_LABEL);
  const corners = new Float64Array(9);
  const middle = new Float64Array(3);
  for (const [patch, bordering] of borders) {
    own.writeTriangle(0, first[patch], corners);
    for (let k = 0; k < 3; k++) middle[k] = (corners[k] + corners[3 + k] + corners[6 + k]) / 3;
    // posed numbers say nothing of a point within their rounding: then the search has to tell
    const inside = other.parts.closed && (slack === 0 || other.isFartherThan(slack, middle));
    if (inside && other.locate(middle, 0) !== 'inside') continue;
    if (bordering.size === 1) labelOf[patch] = [...bordering][0];
    else labelOf[patch] = pieces.regionCount + shared.push({ bordering, inside }) - 1;
  }
  return Uint32Array.from(labels, (patch) => (patch < 0 ? NO_LABEL : labelOf[patch]));
}
