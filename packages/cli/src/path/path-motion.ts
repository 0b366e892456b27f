/** Where a body is on its path at a time: as it was certified, the centre moves straight, and the body turns evenly. */
import type { Vec3 } from 'impinge';
import { matrixOfPlaced, type PlacedPose, transformed } from './path-poses.js';
import type { WrittenPath } from './search-path.js';

/** The centre in metres, and the turn. */
export interface MomentOfPath {
  readonly time: number;
  readonly centre: Vec3;
  readonly rotation: readonly number[];
}

export function centreAt({ centre }: Pick<WrittenPath, 'centre'>, pose: PlacedPose): Vec3 {
  return transformed(matrixOfPlaced(pose), centre);
}

/** All poses and moments between them, at most `seconds` apart, but no more than `most` altogether. */
export function momentsOf(path: WrittenPath, seconds: number, most: number): MomentOfPath[] {
  const { poses, times } = path;
  const step = Math.max(seconds, (times[times.length - 1] - times[0]) / Math.max(1, most - poses.length));
  const moments = [{ time: times[0], centre: centreAt(path, poses[0]), rotation: poses[0].rotation }];
  for (let i = 1; i < poses.length; i++) {
    const [from, to] = [centreAt(path, poses[i - 1]), centreAt(path, poses[i])];
    const parts = Math.max(1, Math.ceil((times[i] - times[i - 1]) / step));
    for (let part = 1; part <= parts; part++) {
      const share = part / parts;
      moments.push({
        time: times[i - 1] + share * (times[i] - times[i - 1]),
        centre: from.map((x, k) => x + share * (to[k] - x)) as unknown as Vec3,
        rotation: turned(poses[i - 1].rotation, poses[i].rotation, share),
      });
    }
  }
  return moments;
}

/** Between two unit quaternions, by the shorter way. */
function turned(from: readonly number[], to: readonly number[], share: number): number[] {
  const dot = from.reduce((sum, x, k) => sum + x * to[k], 0);
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  const [a, b] =
    sine > 1e-9 ? [Math.sin((1 - share) * angle) / sine, Math.sin(share * angle) / sine] : [1 - share, share];
  const between = from.map((x, k) => a * x + (dot < 0 ? -b : b) * to[k]);
  const length = Math.hypot(...between);
  return between.map((x) => x / length);
}
