/** Surfaces of all kinds, and some that come, go, move, break and drift, asked with a culler and without. */
import { Deformables, type Surface, type TrianglePairs } from '@impinge/dynamics';
import { expect } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import {
  crumpled,
  folding,
  type Moving,
  ofAllKinds,
  patch,
  scaled,
  soup,
  translated,
} from '../../dynamics/test/deform/surfaces.js';
import { DeformableCuller, type DeformableCullerOptions } from '../src/index.js';

export const plain = ({ count, surfaces, triangles }: TrianglePairs) => ({
  count,
  surfaces: [...surfaces],
  triangles: [...triangles],
});
const loudly = { onFallback: (message: string) => expect.fail(message) };
export const CULLER: DeformableCullerOptions = { engine: 'culler', resolution: 64, ...loudly };

const random = seededRandom(41);
const { end: _, ...still } = crumpled(random, 8, 0.3, 0);
export const ground = still;
const grid = (list: number[]) => list.map((x) => Math.round(4 * x));
const loose = soup(random, 40, 1, 1);
const welded = patch(7, (u, v) => [u, v, 0.3 * Math.sin(9 * u * v)]);
export const scenes: [string, Moving[]][] = [
  ['loose triangles', [soup(random, 80, 0.4, 0.3)]],
  ['a crumpled cloth', [crumpled(random, 12, 0.6, 2)]],
  ['a cloth folding through itself', [folding(12, 0.1)]],
  ['a flat cloth', [patch(9, (u, v) => [u, v, 0])]],
  ['surfaces of all kinds', ofAllKinds(random, ground)],
  ['triangles on a grid', [{ ...loose, positions: grid(loose.positions), end: grid(loose.end!) }]],
  [
    'far away',
    [
      translated(soup(random, 60, 0.4, 0.3), [1e6, -2e6, 3e6]),
      translated(ground as Moving, [1e6, -2e6, 3e6]),
    ],
  ],
  ['sizes from 1 to 1000', [soup(random, 150, 0.01, 0.02), scaled(soup(random, 5, 1, 0.1), 10)]],
  [
    'corners that coincide without being one',
    [
      {
        indices: welded.indices.map((_, i) => i),
        positions: welded.indices.flatMap((v) => welded.positions.slice(3 * v, 3 * v + 3)),
      },
    ],
  ],
  [
    'corners that coincide in float32 only',
    [
      scaled(translated(soup(random, 30, 1e-9, 0), [1, 1, 1]), 1),
      translated(soup(random, 10, 0.5, 0), [1, 1, 1]),
    ],
  ],
];

/** Surfaces that come, go, move, break and drift; returns the number of pairs. */
async function live(detector: Deformables, culler: DeformableCuller, seed: number, steps: number) {
  const next = seededRandom(seed);
  const held: { surface: Surface; motion: Moving }[] = [];
  const arrive = () => {
    const motion = next() < 0.5 ? crumpled(next, 7, 0.4, 1) : soup(next, 15, 0.4, 0.5);
    const kind = next() < 0.2 ? 'static' : next() < 0.4 ? 'rigid' : 'deforming';
    held.push({ motion, surface: detector.add({ ...motion, kind, collisionGroup: Math.floor(3 * next()) }) });
  };
  for (let i = 0; i < 4; i++) arrive();
  let pairs = 0;
  let drift = 0;
  for (let step = 0; step < steps; step++) {
    const distance = [0, 0.02, 0][step % 3];
    const found = await culler.within({ distance });
    expect(plain(found), `step ${step}`).toEqual(plain(detector.within({ distance })));
    pairs += found.count;
    // from the tenth step on everything flies away, far enough for an origin to be left behind
    drift += step > 10 ? 1000 : 0;
    for (const { surface, motion } of held) {
      if (surface.kind === 'static' || next() < 0.2) continue;
      const t = next();
      surface.moveTo(motion.positions.map((x, i) => x + t * (motion.end![i] - x) + drift / 3));
    }
    if (next() < 0.3) held.splice(Math.floor(held.length * next()), 1)[0]?.surface.remove();
    if (next() < 0.4) arrive();
    const broken = held[Math.floor(held.length * next())];
    if (broken && next() < 0.3) {
      const motion = soup(next, 10, 0.5, 0.5);
      broken.motion = motion;
      broken.surface.setTopology(motion.positions, motion.indices);
    }
  }
  for (const { surface } of held) surface.remove();
  return pairs;
}

export async function liveOn(device: 'cpu' | GPUDevice, seed: number, steps: number, options = CULLER) {
  const detector = new Deformables();
  const culler = new DeformableCuller(detector, device, options);
  const pairs = await live(detector, culler, seed, steps);
  culler.dispose();
  detector.dispose();
  return pairs;
}
