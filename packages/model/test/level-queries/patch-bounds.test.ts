/** The bounds that answers come with, where they are tight. */
import { Random } from '@impinge/scenes/random';
import { distance, Mesh, within } from 'impinge';
import { expect, test } from 'vitest';
import { every, FAST, full, least } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { openStore } from '../../src/store/open.js';
import { FAMILIES, hills, type Shape, trianglesOf } from '../levels/families.js';
import { errorOf, levelsOf } from '../levels/stored.js';
import { moved, named, storeOf } from '../store/fixtures.js';
import { CORNERS, errorFor, extremesOf, frontUsed } from './extremes.js';
import { patchAt, trianglesApart } from './originals.js';

const FEW = { pieceTriangles: 64 };

function soupOf(corners: readonly number[]): Shape {
  const count = corners.length / 3;
  return {
    positions: Float32Array.from(corners),
    indices: Uint32Array.from({ length: count }, (_, i) => i),
  };
}

/** Large triangles, whose smallest angle is about `angle`, and over each some tiny ones at about `height`. */
function overLarge(random: Random, angle: number, height: number): { large: Shape; tiny: Shape } {
  const large: number[] = [];
  const tiny: number[] = [];
  const number = () => 2 * random.next() - 1;
  for (let t = 0; t < 24; t++) {
    const a = [number(), number(), number()];
    const u = [number(), number(), number()];
    const across = [number(), number(), number()];
    const b = a.map((x, k) => x + u[k]);
    const c = a.map((x, k) => x + (0.3 + 0.6 * random.next()) * u[k] + angle * across[k]);
    large.push(...a, ...b, ...c);
    const v = c.map((x, k) => x - a[k]);
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    const length = Math.hypot(...n);
    for (let i = 0; i < 4; i++) {
      const [s, r] = [random.next(), random.next()];
      const [p, q] = s + r < 1 ? [s, r] : [1 - s, 1 - r];
      const h = (height * (0.5 + random.next())) / length;
      const tip = a.map((x, k) => x + p * u[k] + q * v[k] + h * n[k]);
      tiny.push(...tip, ...[0, 1].flatMap(() => tip.map((x) => x + 1e-7 * number())));
    }
  }
  return { large: soupOf(large), tiny: soupOf(tiny) };
}

test.each(every([1, 0.05, 1e-3, 1e-5], 4))(
  'patches come as near as said, over angles of about %s',
  async (angle) => {
    const random = new Random(1 + 1000 * angle);
    let reported = 0;
    for (let run = 0; run < (FAST ? 1 : 2); run++) {
      const { large, tiny } = overLarge(random, angle, 1e-3);
      const [meshA, meshB] = [Mesh.from(large), Mesh.from(tiny)];
      const [a, b] = [new LevelsTarget(await buildLevels(meshA)), new LevelsTarget(await buildLevels(meshB))];
      for (const sides of [
        [a, b],
        [b, a],
      ] as const) {
        const found = await within(...sides, { distance: 1e-3, error: 2e-4, patch: 0 });
        const { bounds } = found.patches!;
        reported += found.count;
        for (let i = 0; i < 2 * found.count; i += 2) {
          const [ofA, ofB] = await Promise.all(sides.map((side, k) => patchAt(side, found, i + k)));
          const apart = trianglesApart(ofA.corners, ofB.corners);
          expect(bounds[i]).toBeLessThanOrEqual(apart + 1e-13);
          expect(bounds[i + 1]).toBeGreaterThanOrEqual(apart - 1e-13);
        }
      }
      for (const own of [a, b]) await own.dispose();
      meshA.dispose();
      meshB.dispose();
    }
    expect(reported).toBeGreaterThan(20);
  },
);

test('the lower bound of flat things side by side is below their distance, and near it', async () => {
  const flat = Mesh.from(FAMILIES['flat'](4, new Random(1)));
  const target = new LevelsTarget(await buildLevels(flat));
  for (const apart of [0.01, 0.1, 1, 10]) {
    const pose = { translation: [0, 0, apart] };
    const found = await within(target, flat, { pose, distance: apart, error: 0.01 * apart });
    expect(found.count).toBeGreaterThan(0);
    const lower = found.patches!.bounds.filter((_, i) => i % 2 === 0);
    expect(Math.max(...lower)).toBeLessThanOrEqual(apart);
    expect(Math.min(...lower)).toBeGreaterThan(0.999 * apart);
  }
  await target.dispose();
  flat.dispose();
});

/**
 * A search for the distance stops at what it finds first, if nothing can be nearer by more than it may be off. So: a
 * triangle whose box reaches to the probe is looked at first, and below there is a hill that its level does not have.
 */
test('the lower bound of the distance holds whatever was found first', async () => {
  const hilly = hills(8, new Random(2));
  const surface = Mesh.from(hilly);
  const levels = await levelsOf(hilly, 64);
  const alone = new LevelsTarget(levels.model);
  const error = errorFor(Math.max(...levels.pieces.map((_, piece) => errorOf(levels.model, piece))), 1);
  const front = trianglesOf(await frontUsed(alone, levels, error));
  const [hill] = extremesOf(trianglesOf(hilly), front, CORNERS, 20).filter(({ away }) => away[2] > 0.9);
  const tip = [0, 1, 2].map((k) => hill.point[k] + 0.5 * error * hill.away[k]);
  const needle = Mesh.from(soupOf([0, 0, 0, 0, 0.01, 1, 0, -0.01, 1]));
  const pose = { translation: tip };
  const exact = distance(surface, needle, { pose }).distance;
  let stopped = 0;
  for (let step = 0; step <= (FAST ? 1 : 8); step++) {
    const leg = Math.SQRT2 * (exact + (0.6 + 0.4 * (step / 8)) * error);
    const side = Mesh.from(soupOf([-leg, -leg, 0, 0, -leg, 0, -leg, 0, 0]));
    const target = new LevelsTarget(await buildLevels([{ mesh: side, pose }, { mesh: surface }], FEW));
    const asked = [
      await distance(target, needle, { pose, error }),
      await distance(needle, target, { poseA: pose, error }),
    ];
    for (const { bounds, objectA, triangleA, objectB } of asked) {
      if (objectA === 0 && objectB === 0 && triangleA === 0) stopped++;
      expect(bounds[0]).toBeLessThanOrEqual(exact);
      expect(bounds[1]).toBeGreaterThanOrEqual(exact);
    }
    await target.dispose();
    side.dispose();
  }
  expect(stopped).toBeGreaterThan(least(6));
  await alone.dispose();
  surface.dispose();
  needle.dispose();
});

const SHAPES = [
  { geometry: FAMILIES['torus'](8, new Random(1)), objects: [named('a')] },
  { geometry: FAMILIES['terrain'](8, new Random(2)), objects: [named('b', moved(3, 0, 0))] },
];

/** The first shape of it, which comes nearest, has only ins, the other only outs: as large as both together were. */
async function lopsided(): Promise<LevelsTarget> {
  const model = await openStore(await storeOf(SHAPES, { levels: true, pieceTriangles: 64 }));
  const { pieceOut, pieceIn, shapeFirstPiece } = model.directory;
  for (let piece = 0; piece < pieceOut.length; piece++) {
    const error = pieceOut[piece] + pieceIn[piece];
    pieceOut[piece] = piece < shapeFirstPiece[1] ? 0 : error;
    pieceIn[piece] = error - pieceOut[piece];
  }
  return new LevelsTarget(model);
}

full(
  'the largest out and the largest in of different pieces do not add up to more than the error',
  async () => {
    const [a, b] = [await lopsided(), await lopsided()];
    let beyond = 0;
    for (let error = 0.01; error < 2; error *= 1.05) {
      const side = a.at(0.375 * error)!;
      if (2 * (side.out + side.in) > error) beyond++;
      const { bounds } = await distance(a, b, { pose: { translation: [0.3, 0.2, 4] }, error });
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error * (1 + 1e-9));
    }
    expect(beyond).toBeGreaterThan(5);
    for (const target of [a, b]) await target.dispose();
  },
);
