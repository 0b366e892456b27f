/**
 * What each stage of culling leaves: all that brute force needs, and about as many pairs as it always has, so that a
 * stage that no longer culls is seen, too.
 */
import { expect } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full, some } from '../../../../test/budget.js';
import {
  crumpled,
  detectorOf,
  expectSameContacts,
  folding,
  type Moving,
  soup,
  translated,
} from './surfaces.js';

const still = ({ positions, indices }: Moving): Moving => ({ positions, indices, kind: 'static' });
/** Quantised DOPs are coarse in a scene of this size. */
const wide: Moving = { positions: [-2e4, -2e4, 0.05, 3e4, -2e4, 0.1, 0, 3e4, 0], indices: [0, 1, 2] };
const floor: Moving = { positions: [-9, -9, 0.5, 11, -9, 0.4, 1, 20, 0.6], indices: [0, 1, 2] };
const twice = [0, 1, 2, 0, 1, 2, 2, 0, 1, 3, 3, 4, 4, 5, 5, 2, 2, 2, 2, 3, 4, 0, 1, 4];

const SCENES: Record<string, Moving[]> = {
  'a soup': [soup(seededRandom(51), 150, 0.3, 0.3)],
  'a heap in which packs meet more than 32 others': [soup(seededRandom(61), 80, 2, 0.3)],
  'more pairs than lists have room for at first': [soup(seededRandom(79), 400, 0.4, 0.2)],
  'a sparse soup': [soup(seededRandom(35), 400, 0.02, 0.02)],
  'fast triangles': [soup(seededRandom(36), 300, 0.02, 0.8)],
  'sizes of 1 : 1000 and a floor': [
    ...[1, 0.3, 0.03, 0.001].map((size, i) => soup(seededRandom(33 + i), 80, size, size / 2)),
    floor,
  ],
  'a crumpling cloth': [crumpled(seededRandom(52), 14, 0.25, 0.4)],
  'a cloth that stays smooth': [crumpled(seededRandom(81), 14, 0.03, 0.3)],
  'a folding cloth': [folding(12, 0.2)],
  'several surfaces': [
    still(crumpled(seededRandom(53), 8, 0.2, 0.2)),
    crumpled(seededRandom(54), 8, 0.2, 0.3),
    { ...crumpled(seededRandom(55), 8, 0.2, 0.2), kind: 'rigid' },
    { ...soup(seededRandom(56), 20, 0.4, 0.4), collisionGroup: 1 },
    { ...soup(seededRandom(57), 20, 0.4, 0.4), collisionGroup: 1 },
  ],
  'sheets that are left to clusters': Array.from({ length: 40 }, (_, i) => ({
    ...translated(
      crumpled(seededRandom(50 + i), 9, 0.05, 0.3),
      i % 4 ? [0, 0, 0.35 * i] : [0.4, 0, 0.35 * i + 0.3],
    ),
    self: false,
  })),
  'far from the origin': [translated(crumpled(seededRandom(58), 10, 0.25, 0.4), [1e5, 1e5, -1e5])],
  'on a floor that makes quantised DOPs coarse': [crumpled(seededRandom(59), 10, 0.25, 0.4), wide],
  'corners named twice, triangles that lie twice': [
    { ...soup(seededRandom(60), 12, 0.5, 0.3), indices: twice },
  ],
  points: [{ positions: Array(90).fill(0.25), indices: Array.from({ length: 30 }, (_, i) => i) }],
};

/**
 * Pairs of triangles in neighbouring cells or clusters, by boxes, DOPs and neighbours, of elements, and those tested.
 */
const LEFT: Record<string, number[]> = {
  'a soup': [10543, 834, 443, 443, 6645, 2260],
  'a heap in which packs meet more than 32 others': [3160, 1948, 1264, 1264, 18960, 3484],
  'more pairs than lists have room for at first': [59368, 7855, 3972, 3972, 59580, 16949],
  'a sparse soup': [14564, 59, 33, 33, 495, 319],
  'fast triangles': [44443, 11058, 5587, 5587, 83805, 24280],
  'sizes of 1 : 1000 and a floor': [69796, 9774, 2931, 2931, 43965, 13362],
  'a crumpling cloth': [18945, 3264, 2349, 619, 1963, 742],
  'a cloth that stays smooth': [16881, 2539, 1825, 0, 0, 0],
  'a folding cloth': [13193, 3403, 2625, 1386, 4864, 2472],
  'several surfaces': [35313, 4506, 2319, 1838, 8703, 2565],
  'sheets that are left to clusters': [57856, 6325, 3903, 3903, 14608, 5546],
  'far from the origin': [6249, 1526, 1159, 423, 1366, 614],
  'on a floor that makes quantised DOPs coarse': [8851, 1893, 1893, 1837, 5733, 1110],
  'corners named twice, triangles that lie twice': [28, 20, 20, 14, 14, 6],
  points: [45, 45, 45, 45, 675, 675],
};

full.each(some(Object.entries(SCENES)))('%s', (name, surfaces) => {
  expectSameContacts(surfaces);
  expectSameContacts(surfaces, { thickness: 0.03 });
  const detector = detectorOf(surfaces, { thickness: 0.03 });
  const { stats } = detector.continuous();
  detector.dispose();
  const { candidates, boxPairs, dopPairs, primitivePairs, elementPairs, testedPairs } = stats;
  const left = [candidates, boxPairs, dopPairs, primitivePairs, elementPairs, testedPairs];
  left.forEach((count, stage) => {
    expect(Math.abs(count - LEFT[name][stage])).toBeLessThanOrEqual(0.01 * count);
  });
});
