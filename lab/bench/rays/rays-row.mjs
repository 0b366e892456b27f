/** The first triangle that rays meet: one call each, and all of them in one. */
import { raycast, raycastMany } from 'impinge';
import { DoubleSide, Ray } from 'three';
import { bumpyBall, median, raysOf, timesOf } from './inputs.mjs';

export async function raysRow({ figures, quick, repetitions }) {
  figures.begin('rays', 'the first hit, beside raycastFirst of three-mesh-bvh');
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 5_000 : 100_000;
  for (const kind of ['coherent', 'random']) {
    const rays = raysOf(kind, count);
    const { origins: o, directions: d } = rays;
    const theirs = new Float64Array(count);
    const ray = new Ray();
    const peer = timesOf(
      () => {
        for (let i = 0; i < count; i++) {
          ray.origin.fromArray(o, 3 * i);
          ray.direction.fromArray(d, 3 * i);
          theirs[i] = bvh.raycastFirst(ray, DoubleSide)?.distance ?? Infinity;
        }
      },
      count,
      repetitions,
    );
    const single = timesOf(
      () => {
        for (let i = 0; i < count; i++) {
          const origin = [o[3 * i], o[3 * i + 1], o[3 * i + 2]];
          raycast(mesh, { origin, direction: [d[3 * i], d[3 * i + 1], d[3 * i + 2]] });
        }
      },
      count,
      repetitions,
    );
    let ours;
    const batch = timesOf(
      () => {
        ours = raycastMany(mesh, rays).distances;
      },
      count,
      repetitions,
    );
    const differ = ours.filter((x, i) => x !== theirs[i] && !(Math.abs(x - theirs[i]) < 1e-6)).length;
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} hits differ`);
    figures.add(`${mesh.triangleCount} triangles, ${count} ${kind} rays`, {
      'three-mesh-bvh': { value: peer, unit: 'µs' },
      'single calls': { value: single, unit: 'µs', asked: { most: median(peer) / 3 } },
      'in one call': { value: batch, unit: 'µs', asked: { most: median(peer) / 6 } },
    });
  }
}
