/**
 * Are reported clashes real? Of two buildings, up to 60 clashes of each kind at a tolerance of 5 mm and a clearance of
 * 50 mm, each looked at without any tree or kernel: points located by rays against every triangle, distances of every
 * pair of triangles, corners one by one. The rates are in docs/benchmarks.md.
 */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { turn } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { worldObjects } from '../../../../test/world-objects.js';
import { slowDistance, slowLocation, trianglesOf } from '../../../impinge/test/query/support/parts.js';
import type { ClashMeasure } from '../../src/check/clash.js';
import { type ClashKind, kindBit } from '../../src/check/clash-kinds.js';
import { measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { placedMesh } from './support.js';

const SAMPLE = 60;
const TOLERANCE = 0.005;
const CLEARANCE = 0.05;
const KINDS = ['hard', 'inside', 'duplicate', 'clearance'] as const;
const ask = {
  clearance: CLEARANCE,
  tolerance: TOLERANCE,
  kinds: KINDS.reduce((bits, kind) => bits | kindBit(kind), 0),
};

interface Found {
  readonly a: PlacedParts;
  readonly b: PlacedParts;
  readonly clash: ClashMeasure;
}

/** The triangles of an object in the world. */
function worldTriangles({ parts }: PlacedParts): Float64Array {
  const { origin } = parts.meshes[0];
  return trianglesOf(parts).map((x, i) => x + origin[i % 3]);
}

/**
 * The innermost point is where the clash says: on the surface of one object and that deep inside the other, or that
 * deep inside both. One may be a sheet that lies on itself twice there: it is closed, and has no space.
 */
function reachesIn({ a, b, clash }: Found): boolean {
  const solids = [a, b].map(worldTriangles);
  const point = Float64Array.from(clash.point);
  const depths = solids.map((triangles) => slowDistance(triangles, point));
  const isDeep = depths.map((depth) => depth > TOLERANCE && depth >= 0.999 * clash.depth);
  return (
    clash.depth > TOLERANCE &&
    [0, 1].some((i) => isDeep[i] && (depths[1 - i] < 1e-6 || isDeep[1 - i])) &&
    solids.every((triangles, i) => !isDeep[i] || slowLocation(triangles, point) === 'inside')
  );
}

/** Whether points close to the innermost one are inside both. */
function sharesSpace({ a, b, clash }: Found): boolean {
  const solids = [a, b].map(worldTriangles);
  const random = seededRandom(11);
  for (let i = 0; i < 400; i++) {
    const reach = clash.depth * 0.5 ** (i % 8);
    const near = Float64Array.from(clash.point, (x) => x + reach * (random() - 0.5));
    if (solids.every((triangles) => slowLocation(triangles, near) === 'inside')) return true;
  }
  return false;
}

function isAsFar({ a, b, clash }: Found): boolean {
  const [trianglesA, trianglesB] = [a, b].map(worldTriangles);
  let least = Infinity;
  for (let i = 0; i < trianglesA.length; i += 9) {
    for (let j = 0; j < trianglesB.length; j += 9)
      least = Math.min(least, distanceSqTriangleTriangle(trianglesA, i, trianglesB, j));
  }
  const distance = Math.sqrt(least);
  return distance > 0 && distance < CLEARANCE && Math.abs(distance - clash.distance) < 1e-9;
}

function isTwin({ a, b }: Found): boolean {
  const [cornersA, cornersB] = [a, b].map(worldTriangles);
  const isAt = (p: Float64Array, corners: Float64Array): boolean => {
    for (let i = 0; i < corners.length; i += 3) {
      if (Math.hypot(corners[i] - p[0], corners[i + 1] - p[1], corners[i + 2] - p[2]) < 1e-4) return true;
    }
    return false;
  };
  const holds = (corners: Float64Array, others: Float64Array) =>
    Array.from({ length: corners.length / 3 }, (_, i) => corners.subarray(3 * i, 3 * i + 3)).every((p) =>
      isAt(p, others),
    );
  return cornersA.length === cornersB.length && holds(cornersA, cornersB) && holds(cornersB, cornersA);
}

const isReal = (found: Found): boolean => {
  if (found.clash.kind === 'clearance') return isAsFar(found);
  return found.clash.kind === 'duplicate' ? isTwin(found) : reachesIn(found);
};

/** What a check reports, by kind; open objects have no inside to look into, and are left out. */
async function clashesOf(file: string): Promise<Map<ClashKind, Found[]>> {
  const objects = (await worldObjects(file))
    .map(({ mesh }) => ({ ...placedMesh(mesh), rounding: 1e-5 }))
    .filter(({ parts }) => parts.closed)
    .sort((p, q) => p.box[0] - q.box[0]);
  const out = new Map<ClashKind, Found[]>();
  for (let i = 0; i < objects.length; i++) {
    const a = objects[i];
    for (let j = i + 1; j < objects.length && objects[j].box[0] < a.box[3] + CLEARANCE; j++) {
      const b = objects[j];
      const isNear = [1, 2].every(
        (k) => b.box[k] < a.box[3 + k] + CLEARANCE && a.box[k] < b.box[3 + k] + CLEARANCE,
      );
      const clash = isNear ? measurePair(a, b, ask) : undefined;
      if (!clash) continue;
      if (!out.has(clash.kind)) out.set(clash.kind, []);
      out.get(clash.kind)!.push({ a, b, clash });
    }
  }
  return out;
}

const present = sharedData('plants/duplex.glb') && sharedData('plants/schependomlaan.glb');

const BUILDINGS = turn<[string, number]>([
  // many of its pipes and lamps are sheets that lie on themselves
  ['plants/duplex.glb', 0.4],
  ['plants/schependomlaan.glb', 1],
]);

test.skipIf(!present).each(BUILDINGS)(
  '%s: of up to 60 clashes of each kind all are real',
  async (name, leastWithSpace) => {
    const random = seededRandom(60);
    const clashes = await clashesOf(sharedData(name)!);
    expect([...clashes.keys()].sort()).toEqual([...KINDS].sort());
    for (const [kind, found] of clashes) {
      const order = found.map((one) => ({ one, at: random() })).sort((p, q) => p.at - q.at);
      const sample = order.slice(0, SAMPLE).map(({ one }) => one);
      const unreal = sample.filter((one) => !isReal(one)).map(({ clash }) => clash);
      expect(unreal).toEqual([]);
      if (kind !== 'hard' && kind !== 'inside') continue;
      expect(sample.filter(sharesSpace).length).toBeGreaterThanOrEqual(leastWithSpace * sample.length);
    }
  },
  300_000,
);
