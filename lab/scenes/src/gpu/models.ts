/**
 * The two models of the paper's environments 3 and 4, scaled and centred. The caller provides the scans; the defaults
 * are a hare and a scaly knot of as many triangles.
 */
import { bunny } from '../deform/bunny.js';
import { boundsOf, type SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';

export interface ScanOptions {
  /** y up. Default: the hare of the deforming scenes, about 35 K triangles. */
  readonly bunny?: Shape;
  /** y up. Default: a knot of 250 000 triangles. */
  readonly dragon?: Shape;
}

type Shape = Pick<SceneMesh, 'positions' | 'indices'>;

/** Diagonals of their boxes, in the proportion of the archived scans. */
const DRAGON_SIZE = 1;
const BUNNY_SIZE = 0.94;
/** Gives the hare as many triangles as in the paper. */
const BUNNY_CELL = 0.018;

export const BUNNY_TRIANGLES = 35_000;
export const DRAGON_TRIANGLES = 250_000;

/** Both centred: the origin is the middle of their boxes. */
export function centredScans({ bunny: first, dragon: second }: ScanOptions): [SceneMesh, SceneMesh] {
  return [
    centred('bunny', first ?? bunny(BUNNY_CELL), BUNNY_SIZE),
    centred('dragon', second ?? knot(), DRAGON_SIZE),
  ];
}

function centred(name: string, { positions, indices }: Shape, size: number): SceneMesh {
  const box = boundsOf(positions);
  const sides = [0, 1, 2].map((k) => box[3 + k] - box[k]);
  const scale = size / Math.sqrt(sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2]);
  const moved = positions.map((value, i) => (value - (box[i % 3] + box[3 + (i % 3)]) / 2) * scale);
  return { name, positions: moved, indices };
}

/** A closed tube along a trefoil, with rows of scales; free of self-intersections. 2 · around · along triangles. */
export function knot(along = 1000, around = 125): SceneMesh {
  const point = (u: number): number[] => {
    const [c2, s2] = circlePoint(2 * u);
    const [c3, s3] = circlePoint(3 * u);
    return [(2 + c3) * c2, (2 + c3) * s2, s3];
  };
  const circle = Array.from({ length: around }, (_, j) => circlePoint(j / around));
  const positions = new Float32Array(3 * along * around);
  const indices = new Uint32Array(6 * along * around);
  for (let i = 0, at = 0; i < along; i++) {
    const centre = point(i / along);
    const [before, after] = [point((i - 1) / along), point((i + 1) / along)];
    const tangent = unit(after.map((value, k) => value - before[k]));
    // away from the axis of the torus on which the knot lies, never along it
    const [c2, s2] = circlePoint((2 * i) / along);
    const dot = c2 * tangent[0] + s2 * tangent[1];
    const normal = unit([c2 - dot * tangent[0], s2 - dot * tangent[1], -dot * tangent[2]]);
    const side = cross(tangent, normal);
    circle.forEach(([c, s], j) => {
      const [scales] = circlePoint((40 * i) / along + (10 * j) / around);
      const radius = 0.42 * (1 + 0.06 * scales);
      for (let k = 0; k < 3; k++) positions[at++] = centre[k] + radius * (c * normal[k] + s * side[k]);
      const a = i * around + j;
      const [nextRing, nextJ] = [((i + 1) % along) * around, (j + 1) % around];
      const [b, d, e] = [nextRing + j, i * around + nextJ, nextRing + nextJ];
      indices.set([a, e, b, a, d, e], 6 * a);
    });
  }
  return { name: 'knot', positions, indices };
}

function unit(v: readonly number[]): number[] {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return v.map((value) => value / length);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
