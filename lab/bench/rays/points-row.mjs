/** The closest point of a mesh: one call per point, and one for all. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closestPoint, closestPoints } from 'impinge';
import { Vector3 } from 'three';
import { findFclDriver } from '../peers/fcl.mjs';
import { writeMesh } from '../protocol.mjs';
import {
  bumpyBall,
  differing,
  median,
  microseconds,
  pointAt,
  pointsOf,
  timesOf,
  timesOfEach,
} from './inputs.mjs';

export async function pointsRow({ figures, quick, repetitions, folder }) {
  figures.begin(
    'points',
    'the closest point, beside closestPointToPoint of three-mesh-bvh and distance of FCL',
  );
  const { mesh, bvh } = bumpyBall(quick);
  const count = quick ? 1_000 : 10_000;
  const fcl = findFclDriver('fcl-points');
  if (!fcl.binary) figures.note(`FCL: SKIPPED, ${fcl.note}`);
  for (const kind of ['near', 'far']) {
    const points = pointsOf(kind, count);
    const theirs = new Float64Array(count);
    const point = new Vector3();
    const target = { point: new Vector3() };
    const peer = timesOfEach(count, repetitions, (i) => {
      theirs[i] = bvh.closestPointToPoint(point.fromArray(points, 3 * i), target).distance;
    });
    const single = timesOfEach(count, repetitions, (i) => closestPoint(mesh, pointAt(points, i)));
    const batch = timesOf(() => closestPoints(mesh, points), count, repetitions);
    const ours = closestPoints(mesh, points).distances;
    const differ = differing(ours, theirs, 1e-6);
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} distances differ`);
    figures.add(`${mesh.triangleCount} triangles, ${count} points, ${kind}`, {
      'three-mesh-bvh': microseconds(peer),
      ...(fcl.binary && { [`FCL ${fcl.version}`]: microseconds(askFcl(kind, points, ours)) }),
      'single calls': microseconds(single, median(peer) / 4),
      'in one call': microseconds(batch, median(peer) / 4),
    });
  }

  function askFcl(kind, points, ours) {
    const files = ['mesh', 'points', 'out'].map((name) => join(folder, `fcl.${name}`));
    writeMesh(files[0], mesh);
    writeFileSync(files[1], points);
    const printed = execFileSync(fcl.binary, [files[0], files[1], String(repetitions), files[2]]);
    const theirs = new Float64Array(new Uint8Array(readFileSync(files[2])).buffer);
    const differ = differing(ours, theirs, 1e-9);
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} distances differ from those of FCL`);
    return String(printed).trim().split('\t').map(Number);
  }
}
