/** Rays and points compared with Embree's calls for single ones: the same rays, in float32, with the same hits. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closestPoint, closestPoints, raycast, raycastMany } from 'impinge';
import { findEmbreeRays } from '../peers/embree.mjs';
import { writeMesh } from '../protocol.mjs';
import {
  bumpyBall,
  differing,
  median,
  microseconds,
  pointAt,
  pointsOf,
  raysOf,
  timesOf,
  timesOfEach,
} from './inputs.mjs';

/** Required share of Embree's speed. */
const SHARE = 0.3;
/** Rays that pass an edge or corner within this weight may have another hit in float32. */
const AT_EDGE = 1e-3;

export async function embreeRow({ figures, quick, repetitions, folder }) {
  figures.begin(
    'embree',
    'the first hit and the closest point, beside rtcIntersect1 and rtcPointQuery of Embree',
  );
  const { command, version, note } = findEmbreeRays();
  if (!command) {
    figures.note(`Embree: SKIPPED, ${note}`);
    return;
  }
  const { mesh } = bumpyBall(quick);
  const count = quick ? 10_000 : 1_000_000;
  const few = quick ? 1_000 : 100_000;
  const files = Object.fromEntries(
    ['mesh', 'rays', 'points', 'out'].map((name) => [name, join(folder, `embree.${name}`)]),
  );
  writeMesh(files.mesh, mesh);
  const points = Float32Array.from(pointsOf('near', few / 10));
  writeFileSync(files.points, points);
  for (const kind of ['coherent', 'random']) {
    const rays = Object.fromEntries(
      Object.entries(raysOf(kind, count)).map(([name, numbers]) => [name, Float32Array.from(numbers)]),
    );
    const { origins: o, directions: d } = rays;
    const both = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) {
      both.set(o.subarray(3 * i, 3 * i + 3), 6 * i);
      both.set(d.subarray(3 * i, 3 * i + 3), 6 * i + 3);
    }
    writeFileSync(files.rays, both);
    const printed = execFileSync(command, [
      files.mesh,
      files.rays,
      files.points,
      String(repetitions),
      files.out,
    ]);
    const [theirRays, theirPoints] = String(printed)
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(1).map(Number));
    const out = new DataView(new Uint8Array(readFileSync(files.out)).buffer);
    const batch = timesOf(() => raycastMany(mesh, rays), count, repetitions);
    const single = timesOfEach(few, repetitions, (i) =>
      raycast(mesh, { origin: pointAt(o, i), direction: pointAt(d, i) }),
    );
    const { equal, edges, differ } = compareHits(raycastMany(mesh, rays), out, count);
    figures.assert(differ === 0, `${kind}: ${differ} of ${count} hits differ, and not at an edge`);
    const most = median(theirRays) / SHARE;
    const told = `${equal} on the same triangle, ${edges} at edges`;
    figures.add(`${mesh.triangleCount} triangles, ${count} ${kind} rays (${told})`, {
      [`Embree ${version}`]: microseconds(theirRays),
      [`single calls, the first ${few}`]: microseconds(single, most),
      'in one call': microseconds(batch, most),
    });
    if (kind === 'random') addPoints(theirPoints, out);
  }

  function addPoints(theirs, out) {
    const total = points.length / 3;
    const batch = timesOf(() => closestPoints(mesh, points), total, repetitions);
    const single = timesOfEach(total, repetitions, (i) => closestPoint(mesh, pointAt(points, i)));
    const known = Float64Array.from({ length: total }, (_, i) => out.getFloat32(8 * count + 4 * i, true));
    const differ = differing(closestPoints(mesh, points).distances, known, 1e-5);
    figures.assert(differ === 0, `${differ} of ${total} distances differ`);
    figures.add(`${mesh.triangleCount} triangles, ${total} points near it`, {
      [`Embree ${version}`]: microseconds(theirs),
      'single calls': microseconds(single),
      'in one call': microseconds(batch),
    });
  }
}

/** Counts hits on the same triangle, and those that differ only at an edge. */
function compareHits({ distances, triangles, weights }, out, count) {
  let [equal, edges, differ] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const theirs = out.getUint32(8 * i + 4, true) | 0; // none is −1
    const [u, v] = weights.subarray(2 * i, 2 * i + 2);
    // float32 puts rays along a surface within 1e-4 of it
    const close = Math.abs(distances[i] - out.getFloat32(8 * i, true)) < 1e-4;
    if (theirs === triangles[i] && (theirs < 0 || close)) equal++;
    else if (triangles[i] >= 0 && Math.min(u, v, 1 - u - v) < AT_EDGE) edges++;
    else differ++;
  }
  return { equal, edges, differ };
}
