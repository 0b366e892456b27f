/**
 * three-mesh-bvh in the in-memory check: a tree per object with its defaults, and for every pair of boxes that is near
 * (found for it beforehand) `intersectsGeometry`, `closestPointToGeometry` no farther than the clearance, or `bvhcast`
 * for all pairs of triangles.
 * It uses the tree of the other object only where that is kept as `geometry.boundsTree`. A last argument `one-tree`
 * leaves that out: a trap that costs it a factor of ten.
 */
import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { runMemoryContender } from '../check/memory-contender.mjs';

const oneTree = process.argv.at(-1) === 'one-tree';

await runMemoryContender({
  prepare: (objects) =>
    objects.map(({ positions, indices, pose: p }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
      geometry.setIndex(new BufferAttribute(indices.slice(), 1)); // the tree sorts the index in place
      // biome-ignore format: a matrix
      const matrix = new Matrix4().set(
        p[0], p[1], p[2], p[9],
        p[3], p[4], p[5], p[10],
        p[6], p[7], p[8], p[11],
        0, 0, 0, 1,
      );
      return { geometry, matrix, inverse: matrix.clone().invert() };
    }),
  build(_, objects) {
    for (const object of objects) {
      object.tree = new MeshBVH(object.geometry);
      if (!oneTree) object.geometry.boundsTree = object.tree;
    }
    return objects;
  },
  hard: (objects, near) =>
    pairsWhere(objects, near, (a, b, bToA) => a.tree.intersectsGeometry(b.geometry, bToA)),
  clearance(objects, near, clearance) {
    return pairsWhere(objects, near, (a, b, bToA) => {
      const closest = a.tree.closestPointToGeometry(b.geometry, bToA, {}, {}, clearance, clearance);
      return closest !== null && closest.distance <= clearance;
    });
  },
  all(objects, near) {
    let count = 0;
    const callbacks = {
      intersectsTriangles(s, t) {
        if (s.intersectsTriangle(t, null, true)) count++;
        return false;
      },
    };
    pairsWhere(objects, near, (a, b, bToA) => a.tree.bvhcast(b.tree, bToA, callbacks));
    return count;
  },
});

function pairsWhere(objects, near, holds) {
  const pairs = [];
  const bToA = new Matrix4();
  for (let i = 0; i < near.length; i += 2) {
    const [a, b] = [objects[near[i]], objects[near[i + 1]]];
    bToA.multiplyMatrices(a.inverse, b.matrix);
    if (holds(a, b, bToA)) pairs.push(near[i], near[i + 1]);
  }
  return pairs;
}
