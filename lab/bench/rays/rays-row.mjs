/** The first triangle hit by rays: one call per ray, and one for all. */
import { raycast, raycastMany } from 'impinge';
import { DoubleSide, Ray } from 'three';
import {
  bumpyBall,
  differing,
  median,
  microseconds,
  pointAt,
  raysOf,
  timesOf,
  timesOfEach,
} from './inputs.mjs';

export async function raysRow({ figures, quick, repetitions }) {
  figures.begin('rays', 'the first hit, beside raycastFirst of three-mesh-bvh');
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 5_000 : 100_000;
  for (const kind of ['coherent', 'random']) {
    const rays = raysOf(kind, count);
    const { origins: o, directions: d } = rays;
    const theirs = new Float64Array(count);
    const ray = new Ray();
    const peer = timesOfEach(count, repetitions, (i) => {
      ray.origin.fromArray(o, 3 * i);
      ray.direction.fromArray(d, 3 * i);
      theirs[i] = bvh.raycastFirst(ray, DoubleSide)?.distance ?? Infinity;
    });
    const single = timesOfEach(count, repetitions, (i) =>
      raycast(mesh, { origin: pointAt(o, i), direction: pointAt(d, i) }),
    );
    const batch = timesOf(() => raycastMany(mesh, rays), count, repetitions);
    const differ = differing(raycastMany(mesh, rays).distances, theirs, 1e-6);
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} hits differ`);
    figures.add(`${mesh.triangleCount} triangles, ${count} ${kind} rays`, {
      'three-mesh-bvh': microseconds(peer),
      'single calls': microseconds(single, median(peer) / 3),
      'in one call': microseconds(batch, median(peer) / 6),
    });
  }
}
