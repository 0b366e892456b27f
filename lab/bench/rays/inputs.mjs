/** A bumpy ball of up to a million triangles, as our mesh and for three-mesh-bvh; rays and points around it. */
import { Mesh } from 'impinge';
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH, SAH } from 'three-mesh-bvh';
import { icosphere, randomDirection, seededRandom } from '../../scenes/index.mjs';

export function bumpyBall(quick) {
  const { positions, indices } = icosphere(quick ? 40 : 223, 1);
  const bumpy = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    const height = 1 + 0.02 * Math.sin(40 * x) * Math.sin(37 * y) * Math.sin(31 * z);
    bumpy.set([x * height, y * height, z * height], i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(bumpy, 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1)); // the tree sorts the index in place
  return { mesh: Mesh.from({ positions: bumpy, indices }), bvh: new MeshBVH(geometry, { strategy: SAH }) };
}

/** From a camera that sees the ball, row by row; or from all around to anywhere in its middle. */
export function raysOf(kind, count) {
  const random = seededRandom(17);
  const origins = new Float64Array(3 * count);
  const directions = new Float64Array(3 * count);
  const side = Math.ceil(Math.sqrt(count));
  for (let i = 0; i < count; i++) {
    const camera = [0, 0, 3];
    const pixel = [(i % side) / side - 0.5, Math.floor(i / side) / side - 0.5];
    const from = kind === 'coherent' ? camera : randomDirection(random).map((x) => 3 * x);
    const to =
      kind === 'coherent' ? [2 * pixel[0], 2 * pixel[1], 0] : randomDirection(random).map((x) => 0.7 * x);
    const length = Math.hypot(...from.map((x, k) => to[k] - x));
    origins.set(from, 3 * i);
    directions.set(
      from.map((x, k) => (to[k] - x) / length),
      3 * i,
    );
  }
  return { origins, directions };
}

/** Within a tenth of the surface, or up to five radii away. */
export function pointsOf(kind, count) {
  const random = seededRandom(18);
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const away = kind === 'near' ? 0.9 + 0.2 * random() : 1 + 4 * random();
    points.set(
      randomDirection(random).map((x) => away * x),
      3 * i,
    );
  }
  return points;
}

/** Processor time in which compilers and caches settle: background compilation counts as processor time, too. */
const SETTLE_MS = 300;
/** Minimum time of a run, so that compilation and garbage collection are a small part of it. */
const LEAST_MS = 100;

/** Microseconds of processor time per question, of each run. */
export function timesOf(work, count, repetitions) {
  const asLongAs = (ms) => {
    const { user, system } = process.cpuUsage();
    let [spent, rounds] = [0, 0];
    for (; spent < 1000 * ms; rounds++) {
      work();
      const now = process.cpuUsage();
      spent = now.user + now.system - user - system;
    }
    return spent / rounds / count;
  };
  asLongAs(SETTLE_MS);
  return Array.from({ length: repetitions }, () => asLongAs(LEAST_MS));
}

/** The same for questions asked one by one. */
export function timesOfEach(count, repetitions, ask) {
  const all = () => {
    for (let i = 0; i < count; i++) ask(i);
  };
  return timesOf(all, count, repetitions);
}

/** The coordinates of the i-th point. */
export const pointAt = (points, i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];

/** The number of distances that differ by more than `most`. */
export const differing = (ours, theirs, most) =>
  ours.filter((x, i) => x !== theirs[i] && !(Math.abs(x - theirs[i]) < most)).length;

export const microseconds = (value, most) => ({ value, unit: 'µs', asked: most && { most } });

export { median } from '../measure/figures.mjs';
