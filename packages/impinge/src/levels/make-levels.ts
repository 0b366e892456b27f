/**
 * Levels from the bottom up: pieces of a level are grouped, each group is simplified, and the clusters that are left of it
 * are pieces of the next level. What a group could hardly simplify goes on as it is.
 *
 * Invariant: at every error each original is stood for once. A group's pieces come in where those it was made of go out,
 * at its first error, and errors never fall from pieces to what is made of them. Vertices that groups of a level share are
 * locked while these are simplified: what is on a front together fits together.
 */
import { CLUSTER_TRIANGLES, type Cluster, splitTriangles, type Triangles } from './cluster.js';
import { groupClusters } from './grouping.js';
import { boxOfCluster, meetingBoxes, SharedVertices } from './neighbours.js';
import { type Errors, type SimplifiedGroup, simplifyGroup, weldedPart } from './simplify-group.js';
import { VertexTable } from './vertex-table.js';

/** A piece that has yet to be grouped. */
export interface Ungrouped extends Errors {
  readonly piece: number;
  readonly cluster: Cluster;
}

/**
 * Takes a group down: the pieces it was made of and what has become of them. Returns the pieces that its end's clusters
 * are.
 */
export type TakeGroup = (
  level: number,
  from: readonly number[],
  group: SimplifiedGroup,
) => Promise<readonly number[]>;

/** A level ends the hierarchy when it is left with more than this share of the triangles below. */
const STUCK = 0.9;
/** So few triangles need no coarser level. */
const FEWEST = 64;

/** A piece of the originals, welded by place, near triangles together. Triangles without area stay. */
export function exactPiece(piece: number, mesh: Triangles): Ungrouped {
  const count = mesh.indices.length / 3;
  const [order] = splitTriangles(mesh, count);
  const cluster = {
    ...weldedPart(mesh, order, new VertexTable()),
    out: new Float32Array(count),
    in: new Float32Array(count),
  };
  return { piece, cluster, out: 0, in: 0 };
}

/** Makes levels of the pieces of one shape. At first each piece is a group. */
export async function makeLevels(exact: readonly Ungrouped[], take: TakeGroup): Promise<void> {
  let pieces = exact;
  for (let level = 0; ; level++) {
    const clusters = pieces.map(({ cluster }) => cluster);
    const shared = shareVertices(clusters);
    const groups =
      level === 0
        ? pieces.map((_, i) => [i])
        : groupClusters(clusters.map(sizeOf), weightsOf(shared, clusters));
    const groupOf = new Int32Array(pieces.length);
    groups.forEach((list, group) => {
      for (const i of list) groupOf[i] = group;
    });
    const isLocked = (x: number, y: number, z: number) => shared.isShared(x, y, z, groupOf);
    const next: Ungrouped[] = [];
    for (const list of groups) {
      const members = list.map((i) => pieces[i]);
      const least = {
        out: members.reduce((most, { out }) => Math.max(most, out), 0),
        in: members.reduce((most, own) => Math.max(most, own.in), 0),
      };
      const group = simplifyGroup(
        members.map(({ cluster }) => cluster),
        isLocked,
        least,
      );
      if (!group) {
        next.push(...members);
        continue;
      }
      const { end } = group;
      const ends = await take(
        level,
        members.map(({ piece }) => piece),
        group,
      );
      ends.forEach((piece, i) => {
        next.push({ piece, cluster: end.clusters[i], out: end.out, in: end.in });
      });
    }
    const after = trianglesOf(next);
    if (after <= FEWEST || after > STUCK * trianglesOf(pieces)) return;
    pieces = next;
  }
}

function trianglesOf(pieces: readonly Ungrouped[]): number {
  return pieces.reduce((sum, { cluster }) => sum + cluster.indices.length / 3, 0);
}

/** How many clusters of the usual size a cluster counts for. */
function sizeOf({ indices }: Cluster): number {
  return Math.ceil(indices.length / 3 / CLUSTER_TRIANGLES);
}

function shareVertices(clusters: readonly Cluster[]): SharedVertices {
  const boxes = clusters.map(boxOfCluster);
  const vertices = new SharedVertices();
  meetingBoxes(boxes).forEach((near, i) => {
    vertices.add(
      i,
      clusters[i].positions,
      near.map((j) => boxes[j]),
    );
  });
  return vertices;
}

/** How many vertices every two clusters share. */
function weightsOf(vertices: SharedVertices, clusters: readonly Cluster[]): Map<number, number> {
  const weights = new Map<number, number>();
  vertices.forEachPair((a, b) => {
    if (a === b) return;
    const key = Math.min(a, b) * clusters.length + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + 1);
  });
  return weights;
}
