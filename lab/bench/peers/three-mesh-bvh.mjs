/**
 * The three-mesh-bvh side of the benchmark. It answers *any* with `intersectsGeometry`, *distance* and
 * *within* with `closestPointToGeometry`, and *all* and *self* with `bvhcast` and a callback, as its
 * documentation proposes. Trees are built with SAH, its best quality.
 */
import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { CENTER, getBVHExtremes, MeshBVH, SAH } from 'three-mesh-bvh';
import { measure, report, runContender } from '../protocol.mjs';

function toGeometry({ positions, indices }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices.slice(), 1)); // the tree sorts the index in place
  return geometry;
}

function toTree(mesh, strategy = SAH) {
  const geometry = toGeometry(mesh);
  geometry.boundsTree = new MeshBVH(geometry, { strategy });
  return geometry.boundsTree;
}

runContender({
  prepare({ rotation: r, translation: t }) {
    // biome-ignore format: a matrix
    const matrix = new Matrix4().set(
      r[0], r[1], r[2], t[0],
      r[3], r[4], r[5], t[1],
      r[6], r[7], r[8], t[2],
      0, 0, 0, 1,
    );
    return { matrix };
  },

  pair(meshA, meshB, tau) {
    const a = toTree(meshA);
    const b = toTree(meshB);
    return {
      any: ({ matrix }) => Number(a.intersectsGeometry(b.geometry, matrix)),
      all({ matrix }) {
        let pairs = 0;
        a.bvhcast(b, matrix, {
          intersectsTriangles(s, t) {
            if (s.intersectsTriangle(t, null, true)) pairs++;
            return false;
          },
        });
        return pairs;
      },
      distance: ({ matrix }) => a.closestPointToGeometry(b.geometry, matrix, {}, {}).distance,
      within({ matrix }) {
        const hit = a.closestPointToGeometry(b.geometry, matrix, {}, {}, tau, tau);
        return Number(hit !== null && hit.distance <= tau);
      },
    };
  },

  self(mesh) {
    const tree = toTree(mesh);
    const index = tree.geometry.index.array;
    const identity = new Matrix4();
    const shareVertex = (s, t) => {
      for (let i = 3 * s; i < 3 * s + 3; i++) {
        const v = index[i];
        if (v === index[3 * t] || v === index[3 * t + 1] || v === index[3 * t + 2]) return true;
      }
      return false;
    };
    return () => {
      let pairs = 0;
      tree.bvhcast(tree, identity, {
        intersectsTriangles(triangleS, triangleT, s, t) {
          if (s < t && !shareVertex(s, t) && triangleS.intersectsTriangle(triangleT, null, true)) pairs++;
          return false;
        },
      });
      return pairs;
    };
  },

  build(mesh, repetitions) {
    const triangleCount = mesh.indices.length / 3;
    for (const [name, strategy] of [
      ['build-center', CENTER],
      ['build-sah', SAH],
    ]) {
      let tree;
      const { ms } = measure(repetitions, () => {
        tree = toTree(mesh, strategy);
      });
      const treeBytes = tree._roots.reduce((sum, root) => sum + root.byteLength, 0);
      const meshBytes = mesh.positions.byteLength + mesh.indices.byteLength;
      report(name, 0, 'build', ms, (treeBytes + meshBytes) / triangleCount);
      report(`${name}-cost`, 0, 'cost', 0, relativeCost(tree));
      if (strategy === SAH) report('refit', 0, 'build', measure(5, () => tree.refit()).ms, 0);
    }
  },
});

/**
 * Surface-area-heuristic cost in units of the root's area, with three-mesh-bvh's own weights (1 per box, 1.25 per
 * triangle).
 */
function relativeCost(tree) {
  const size = tree.geometry.boundingBox.max.clone().sub(tree.geometry.boundingBox.min);
  const rootArea = 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
  return getBVHExtremes(tree)[0].surfaceAreaScore / rootArea;
}
