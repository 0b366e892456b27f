/** The closest point of a mesh: one call each, and all of them in one. */
import { closestPoint, closestPoints } from 'impinge';
import { Vector3 } from 'three';
import { bumpyBall, median, pointsOf, timesOf } from './inputs.mjs';

export async function pointsRow({ figures, quick, repetitions }) {
  figures.begin('points', 'the closest point, beside closestPointToPoint of three-mesh-bvh');
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 1_000 : 10_000;
  for (const kind of ['near', 'far']) {
    const points = pointsOf(kind, count);
    const theirs = new Float64Array(count);
    const point = new Vector3();
    const target = { point: new Vector3() };
    const peer = timesOf(
      () => {
        for (let i = 0; i < count; i++)
          theirs[i] = bvh.closestPointToPoint(point.fromArray(points, 3 * i), target).distance;
      },
      count,
      repetitions,
    );
    const single = timesOf(
      () => {
        for (let i = 0; i < count; i++)
          closestPoint(mesh, [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
      },
      count,
      repetitions,
    );
    let ours;
    const batch = timesOf(
      () => {
        ours = closestPoints(mesh, points).distances;
      },
      count,
      repetitions,
    );
    const differ = ours.filter((x, i) => !(Math.abs(x - theirs[i]) < 1e-6)).length;
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} distances differ`);
    figures.add(`${mesh.triangleCount} triangles, ${count} points, ${kind}`, {
      'three-mesh-bvh': { value: peer, unit: 'µs' },
      'single calls': { value: single, unit: 'µs', asked: { most: median(peer) / 4 } },
      'in one call': { value: batch, unit: 'µs', asked: { most: median(peer) / 4 } },
    });
  }
}
