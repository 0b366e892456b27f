/**
 * Which triangles of a mesh a ray may meet, without kernels: boxes around runs of triangles, as they are numbered, and
 * around runs of these, up to one. Triangles that follow each other mostly lie beside each other; where they do not,
 * boxes are large, and more is looked at.
 *
 * Errs: boxes are exact, and `entersBox` keeps too much, never too little.
 */
import type { Mesh } from '../../mesh/mesh.js';
import { Derived } from '../../mesh/revisions.js';
import { entersBox } from './ray-box.js';

/** Triangles, or boxes, of a box. */
const RUN = 8;

/** From the boxes of triangles up to that of all; six numbers each. */
const treeOf = /* @__PURE__ */ new Derived((mesh: Mesh): readonly Float32Array[] => {
  const { storedPositions: positions, storedIndices: indices, triangleCount } = mesh;
  const tree = [emptyBoxes(Math.ceil(triangleCount / RUN))];
  for (let i = 0; i < indices.length; i++) {
    const at = 6 * Math.floor(i / (3 * RUN));
    growBox(tree[0], at, positions, 3 * indices[i], positions, 3 * indices[i]);
  }
  for (let below = tree[0]; below.length > 6; below = tree[tree.length - 1]) {
    const boxes = emptyBoxes(Math.ceil(below.length / (6 * RUN)));
    for (let at = 0, i = 0; at < below.length; at += 6, i++) {
      growBox(boxes, 6 * Math.floor(i / RUN), below, at, below, at + 3);
    }
    tree.push(boxes);
  }
  return tree;
});

/**
 * Calls `visit` with every triangle that the ray (eight numbers, in the mesh's own frame) may meet no farther away than
 * `within()`, which may fall on the way.
 */
export function trianglesAlong(
  mesh: Mesh,
  ray: Float64Array,
  within: () => number,
  visit: (triangle: number) => void,
): void {
  const tree = treeOf.of(mesh);
  const open = (height: number, box: number): void => {
    const enters = entersBox(ray, tree[height], 6 * box);
    if (enters === Infinity || enters > within()) return;
    const end = Math.min(RUN * (box + 1), height === 0 ? mesh.triangleCount : tree[height - 1].length / 6);
    for (let i = RUN * box; i < end; i++) {
      if (height === 0) visit(i);
      else open(height - 1, i);
    }
  };
  open(tree.length - 1, 0);
}

function emptyBoxes(count: number): Float32Array {
  return Float32Array.from({ length: 6 * count }, (_, i) => (i % 6 < 3 ? Infinity : -Infinity));
}

function growBox(
  boxes: Float32Array,
  at: number,
  low: ArrayLike<number>,
  lowAt: number,
  high: ArrayLike<number>,
  highAt: number,
): void {
  for (let k = 0; k < 3; k++) {
    boxes[at + k] = Math.min(boxes[at + k], low[lowAt + k]);
    boxes[at + 3 + k] = Math.max(boxes[at + 3 + k], high[highAt + k]);
  }
}
