/** Vertices that move: the tree brought up to where they are, and one ray. */
import { raycast } from 'impinge';
import { DoubleSide, Ray, Vector3 } from 'three';
import { bumpyBall, median, timesOf } from './inputs.mjs';

export async function refitRow({ figures, quick, repetitions }) {
  figures.begin('refit', 'all vertices set anew, the tree refitted, one ray; beside refit of three-mesh-bvh');
  const { mesh, bvh } = bumpyBall(quick);
  const near = mesh.positions;
  const far = near.map((x) => 1.25 * x);
  const ray = new Ray(new Vector3(0.01, 0.02, 3), new Vector3(0, 0, -1));
  const { array } = bvh.geometry.attributes.position;
  const [theirs, ours] = [[], []];
  /** Both places in turns. */
  const peer = timesOf(
    () => {
      for (const place of [far, near]) {
        array.set(place);
        bvh.refit();
        theirs.push(bvh.raycastFirst(ray, DoubleSide).distance);
      }
    },
    2000,
    repetitions,
  );
  const own = timesOf(
    () => {
      for (const place of [far, near]) {
        mesh.setPositions(place);
        ours.push(
          raycast(mesh, { origin: ray.origin.toArray(), direction: ray.direction.toArray() }).distance,
        );
      }
    },
    2000,
    repetitions,
  );
  const differ = ours.filter((x, i) => !(Math.abs(x - theirs[i]) < 1e-6)).length;
  figures.assert(differ === 0 && ours[0] !== ours[1], `${differ} of ${ours.length} hits differ`);
  figures.add(`${mesh.triangleCount} triangles`, {
    'three-mesh-bvh': { value: peer, unit: 'ms' },
    impinge: { value: own, unit: 'ms', asked: { most: median(peer) / 2 } },
  });
}
