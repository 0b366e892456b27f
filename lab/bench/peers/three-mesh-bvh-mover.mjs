/**
 * three-mesh-bvh in the row `mover`: it has no scenes, so the box of every object is compared, as three.js programs do,
 * and `intersectsGeometry` decides about those that overlap, with trees on both sides.
 */
import { Box3, BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { runMover } from '../check/mover-contender.mjs';

const relative = new Matrix4();
const box = new Box3();

await runMover({
  build(objects) {
    return objects.map(({ positions, indices, pose: p }) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positions, 3));
      geometry.setIndex(new BufferAttribute(indices.slice(), 1)); // the tree sorts the index in place
      geometry.computeBoundingBox();
      geometry.boundsTree = new MeshBVH(geometry);
      // biome-ignore format: a matrix
      const matrix = new Matrix4().set(
        p[0], p[1], p[2], p[9],
        p[3], p[4], p[5], p[10],
        p[6], p[7], p[8], p[11],
        0, 0, 0, 1,
      );
      const world = geometry.boundingBox.clone().applyMatrix4(matrix);
      return { geometry, matrix, inverse: matrix.clone().invert(), world };
    });
  },
  step(objects, [x, y, z]) {
    const mover = objects.at(-1);
    mover.matrix.makeTranslation(x, y, z);
    box.copy(mover.geometry.boundingBox).applyMatrix4(mover.matrix);
    let met = 0;
    for (const other of objects) {
      if (other === mover || !other.world.intersectsBox(box)) continue;
      relative.multiplyMatrices(other.inverse, mover.matrix);
      if (other.geometry.boundsTree.intersectsGeometry(mover.geometry, relative)) met++;
    }
    return met;
  },
  apart([a, b], [x, y, z]) {
    return !a.geometry.boundsTree.intersectsGeometry(b.geometry, relative.makeTranslation(x, y, z));
  },
});
