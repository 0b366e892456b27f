/** How far the solids of a pair are apart, for links at poses. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { BodyPair } from './body-pair.js';
import type { ConvexGap } from './convex-gap.js';

/** Bounds the distance of a pair's solids, from spheres if that is enough. */
export function boundGap(
  gap: ConvexGap,
  pair: BodyPair,
  poses: Float64Array,
  enough: number,
  near: number,
  slack: number,
): void {
  const { solidA, solidB, linkA, linkB, normal } = pair;
  const a = 12 * linkA;
  if (normal) {
    const [x, y, z] = normal;
    const along = (k: number) => poses[a + k] * x + poses[a + 3 + k] * y + poses[a + 6 + k] * z;
    const deepest = -solidA.extent(-along(0), -along(1), -along(2)) - solidA.radius;
    const { points } = solidB;
    gap.least =
      deepest +
      x * (poses[a + 9] - points[0]) +
      y * (poses[a + 10] - points[1]) +
      z * (poses[a + 11] - points[2]);
    gap.most = Math.max(0, gap.least);
    [gap.nx, gap.ny, gap.nz] = [-x, -y, -z];
    return;
  }
  const [poseB, b] = linkB < 0 ? [IDENTITY as RigidPose, 0] : [poses, 12 * linkB];
  const [c, d] = [solidA.centre, solidB.centre];
  let sumSq = 0;
  for (let k = 0; k < 3; k++) {
    const i = a + 3 * k;
    const j = b + 3 * k;
    const ca = poses[i] * c[0] + poses[i + 1] * c[1] + poses[i + 2] * c[2] + poses[a + 9 + k];
    const cb = poseB[j] * d[0] + poseB[j + 1] * d[1] + poseB[j + 2] * d[2] + poseB[b + 9 + k];
    const step = cb - ca;
    sumSq += step * step;
    if (k === 0) gap.nx = step;
    else if (k === 1) gap.ny = step;
    else gap.nz = step;
  }
  const apart = Math.sqrt(sumSq);
  const spheres = apart - solidA.reach - solidB.reach;
  const known = pair.nx !== 0 || pair.ny !== 0 || pair.nz !== 0;
  if (spheres > enough) {
    gap.nx /= apart;
    gap.ny /= apart;
    gap.nz /= apart;
    gap.least = spheres;
    gap.most = Infinity;
    return;
  }
  if (known) [gap.nx, gap.ny, gap.nz] = [pair.nx, pair.ny, pair.nz];
  else if (apart > 0) [gap.nx, gap.ny, gap.nz] = [gap.nx / apart, gap.ny / apart, gap.nz / apart];
  else [gap.nx, gap.ny, gap.nz] = [1, 0, 0];
  gap.measure(solidA, poses, a, solidB, poseB, b, enough, near, slack);
  pair.nx = gap.nx;
  pair.ny = gap.ny;
  pair.nz = gap.nz;
}
