/** Rays with three's own Raycaster: the first hit and all hits of one object, including its matrix and answers. */
import { acceleratedRaycast } from 'impinge/three';
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial, Raycaster } from 'three';
import { acceleratedRaycast as theirRaycast } from 'three-mesh-bvh';
import { bumpyBall, median, microseconds, raysOf, timesOf } from './inputs.mjs';

export async function threeRow({ figures, quick, repetitions }) {
  figures.begin('three', "under three's Raycaster, beside acceleratedRaycast of three-mesh-bvh");
  const { mesh, bvh } = bumpyBall(quick);
  const material = new MeshBasicMaterial({ side: DoubleSide });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.indices, 1));
  const ours = new Mesh(geometry, material);
  ours.raycast = acceleratedRaycast;
  bvh.geometry.boundsTree = bvh;
  const theirs = new Mesh(bvh.geometry, material);
  theirs.raycast = theirRaycast;
  for (const object of [ours, theirs]) {
    object.rotation.set(0.3, 0.2, 0.1);
    object.updateMatrixWorld();
  }
  const count = quick ? 2_000 : 20_000;
  const raycaster = new Raycaster();
  for (const kind of ['coherent', 'random']) {
    const { origins, directions } = raysOf(kind, count);
    for (const firstHitOnly of [true, false]) {
      raycaster.firstHitOnly = firstHitOnly;
      /** The number of hits and the sum of their distances. */
      const cast = (object) => {
        const sums = [0, 0];
        for (let i = 0; i < count; i++) {
          raycaster.ray.origin.fromArray(origins, 3 * i);
          raycaster.ray.direction.fromArray(directions, 3 * i);
          for (const { distance } of raycaster.intersectObject(object)) {
            sums[0]++;
            sums[1] += distance;
          }
        }
        return sums;
      };
      const peer = timesOf(() => cast(theirs), count, repetitions);
      const own = timesOf(() => cast(ours), count, repetitions);
      const [a, b] = [cast(ours), cast(theirs)];
      const what = `${kind} rays, ${firstHitOnly ? 'first hit' : 'all hits'}`;
      figures.assert(a[0] === b[0] && Math.abs(a[1] - b[1]) < 1e-6 * a[1], `${what}: ${a} is not ${b}`);
      figures.add(`${mesh.triangleCount} triangles, ${count} ${what}`, {
        'three-mesh-bvh': microseconds(peer),
        impinge: microseconds(own, median(peer) / 2),
      });
    }
  }
}
