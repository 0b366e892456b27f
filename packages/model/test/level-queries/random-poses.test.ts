/**
 * Models of many kinds in random poses, asked with random distances and errors, held against exact queries: nothing
 * is missed, nothing is reported that is farther apart than permitted, and distances lie within their bounds. In
 * `--mode long` ten thousand poses each.
 */
import { Random, seedOf } from '@impinge/scenes/random';
import { collide, distance, Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { afterAll, expect, test } from 'vitest';
import { every, FAST, LONG, least } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES, type Shape, trianglesOf, withLevels } from '../levels/families.js';
import { areApart, isStoodFor, posed, poseOf, TINY, trianglesApart } from './originals.js';

const POSES = LONG ? 10_000 : FAST ? 2 : 4;
/** Those whose levels come near where originals do not. */
const OVERHANGING = ['fan', 'flaps', 'crumbs'];
/** Pairs of originals that are looked at per pose, from all over the list. */
const MOST_PAIRS = 60;

interface Side {
  readonly mesh: Mesh;
  readonly stored: LevelsTarget;
  readonly originals: Float64Array;
  /** The triangles of each piece, in the order of its tree, and their corners. */
  readonly orders: readonly Uint32Array[];
  readonly pieces: readonly Float64Array[];
}

async function sideOf(shape: Shape): Promise<Side> {
  const mesh = Mesh.from(shape);
  const model = await buildLevels(mesh, { pieceTriangles: 64 });
  const stored = new LevelsTarget(model);
  const orders: Uint32Array[] = [];
  const pieces: Float64Array[] = [];
  for (let piece = 0; piece < model.pieceCount; piece++) {
    const count = model.directory.pieceTriangles[piece];
    const { triangles, corners } = await stored.trianglesOf({ object: 0, piece, first: 0, count });
    orders.push(triangles);
    pieces.push(corners);
  }
  return { mesh, stored, originals: trianglesOf(shape), orders, pieces };
}

const familyOf = (name: string, random: Random) => withLevels((n) => FAMILIES[name](n, random));

interface Patch {
  readonly corners: Float64Array;
  readonly out: number;
  readonly in: number;
}

/** The patches of one side (0: a, 1: b), where they are. */
function patchesOf(
  { stored, orders, pieces }: Side,
  found: WithinResult<PartsTarget>,
  side: number,
  pose?: RigidPose,
): Patch[] {
  const { firsts, counts } = found.patches!;
  return Array.from({ length: found.count }, (_, i) => {
    const at = 2 * i + side;
    const [piece, end] = [found.pieces[at], firsts[at] + counts[at]];
    expect(orders[piece].subarray(firsts[at], end)).toContain(found.pairs[at]);
    const own = pieces[piece].subarray(9 * firsts[at], 9 * end);
    return { corners: pose ? posed(own, pose) : own, ...stored.errorsOf(0, piece) };
  });
}

/** Whether a triangle comes within `reach` of a patch. */
function comesNear(triangles: Float64Array, t: number, { corners }: Patch, reach: number): boolean {
  const witness = new Float64Array(8);
  for (let own = 0; own < corners.length; own += 9) {
    if (areApart(triangles, t, corners, own, reach)) continue;
    if (distanceSqTriangleTriangle(triangles, t, corners, own, witness) <= reach * reach) return true;
  }
  return false;
}

const tried = { poses: 0, pairs: 0, reports: 0, nothing: 0 };
afterAll(() => {
  expect(tried.pairs).toBeGreaterThan(least(3 * tried.poses));
  expect(tried.reports).toBeGreaterThan(least(tried.poses));
  if (LONG) process.stdout.write(`${JSON.stringify(tried)}\n`);
});

test.each(every(Object.keys(FAMILIES), 8))(
  '%s in random poses',
  async (name) => {
    const random = new Random(seedOf(name.length, name.charCodeAt(0)));
    const [a, b] = [await sideOf(familyOf(name, random)), await sideOf(familyOf(name, random))];
    const size = Math.max(...a.mesh.box.max.map((x, k) => x - a.mesh.box.min[k])) || 1;
    const witness = new Float64Array(8);
    const poses = OVERHANGING.includes(name) ? Math.max(40, POSES) : POSES;
    for (let run = 0; run < poses; run++) {
      const pose = poseOf(random, 0.7 * size);
      const [apart, error] = [0.05, 0.3].map((most) => most * size * 10 ** (-2.5 * random.next()));
      const options = { pose };
      const patch = run % 2 === 0 ? {} : { patch: 0 };
      const found = await within(a.stored, b.stored, { ...options, ...patch, distance: apart, error });
      expect(found.error).toBe(error);
      const near = within(a.mesh, b.mesh, { ...options, distance: apart * (1 - 1e-12) });
      tried.poses++;
      if (near.count === 0) tried.nothing++;
      else expect(found.within).toBe(true);
      const ofA = patchesOf(a, found, 0);
      const ofB = patchesOf(b, found, 1, pose);
      const originalsB = posed(b.originals, pose);
      // nothing is missed
      const step = Math.ceil(near.count / MOST_PAIRS);
      for (let i = 0; i < near.count; i += step) {
        const [o, p] = [9 * near.pairs[2 * i], 9 * near.pairs[2 * i + 1]];
        const d = Math.sqrt(distanceSqTriangleTriangle(a.originals, o, originalsB, p, witness));
        if (d > apart) continue; // they cross: then some answer is there, see above
        tried.pairs++;
        const points = { a: witness.slice(0, 3), b: witness.slice(3, 6), apart: d };
        expect(isStoodFor(points, found.patches!.bounds, ofA, ofB)).toBe(true);
      }
      // nothing is invented
      const far = within(a.mesh, b.mesh, { ...options, distance: apart + error });
      for (let n = 0; n < found.count; n += Math.ceil(found.count / MOST_PAIRS)) {
        tried.reports++;
        expect(found.patches!.bounds[2 * n + 1]).toBeLessThanOrEqual(apart + error);
        // levels come so near that originals do, wherever they are within their errors
        expect(trianglesApart(ofA[n].corners, ofB[n].corners) + ofA[n].in + ofB[n].in).toBeLessThanOrEqual(
          apart + error + TINY * size,
        );
        let permitted = false;
        for (let i = 0; i < far.count && !permitted; i++) {
          permitted =
            comesNear(a.originals, 9 * far.pairs[2 * i], ofA[n], ofA[n].in + TINY) &&
            comesNear(originalsB, 9 * far.pairs[2 * i + 1], ofB[n], ofB[n].in + TINY);
        }
        expect(permitted).toBe(true);
      }
      const exact = distance(a.mesh, b.mesh, options).distance;
      const { bounds } = await distance(a.stored, b.stored, { ...options, error });
      expect(bounds[0]).toBeLessThanOrEqual(exact + TINY * size);
      expect(bounds[1]).toBeGreaterThanOrEqual(exact - TINY * size);
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error + TINY * size);
      const any = await collide(a.stored, b.stored, { ...options, error, mode: 'any' });
      expect(any.count).toBeLessThanOrEqual(1);
      if (exact === 0) expect(any.colliding).toBe(true);
      if (exact > error) expect(any.colliding).toBe(false);
    }
    for (const { stored, mesh } of [a, b]) {
      await stored.dispose();
      mesh.dispose();
    }
  },
  3_600_000,
);
