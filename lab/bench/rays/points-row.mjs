/** The closest point of a mesh: one call each, and all of them in one. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closestPoint, closestPoints } from 'impinge';
import { Vector3 } from 'three';
import { findFclPoints } from '../peers/fcl-check.mjs';
import { writeMesh } from '../protocol.mjs';
import { bumpyBall, median, pointsOf, timesOf } from './inputs.mjs';

export async function pointsRow({ figures, quick, repetitions, folder }) {
  figures.begin(
    'points',
    'the closest point, beside closestPointToPoint of three-mesh-bvh and distance of FCL',
  );
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 1_000 : 10_000;
  const fcl = findFclPoints();
  if (!fcl.binary) figures.note(`FCL: SKIPPED, ${fcl.note}`);
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
      ...(fcl.binary && { [`FCL ${fcl.version}`]: { value: askFcl(kind, points, ours), unit: 'µs' } }),
      'single calls': { value: single, unit: 'µs', asked: { most: median(peer) / 4 } },
      'in one call': { value: batch, unit: 'µs', asked: { most: median(peer) / 4 } },
    });
  }

  function askFcl(kind, points, ours) {
    const files = ['mesh', 'points', 'out'].map((name) => join(folder, `fcl.${name}`));
    writeMesh(files[0], mesh);
    writeFileSync(files[1], points);
    const printed = execFileSync(fcl.binary, [files[0], files[1], String(repetitions), files[2]]);
    const theirs = new Float64Array(new Uint8Array(readFileSync(files[2])).buffer);
    const differ = ours.filter((x, i) => !(Math.abs(x - theirs[i]) < 1e-9)).length;
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} distances differ from those of FCL`);
    return String(printed).trim().split('\t').map(Number);
  }
}
