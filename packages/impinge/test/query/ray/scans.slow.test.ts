/** Rays and scans: none leaves a closed one, and what they meet first is what three-mesh-bvh says, or it is wrong. */
import { BufferAttribute, BufferGeometry, DoubleSide, Ray } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, test } from 'vitest';
import { readPly } from '../../../../../lab/bench/ply.mjs';
import { randomDirection, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { LONG, turn } from '../../../../../test/budget.js';
import { sharedData } from '../../../../../test/shared-data.js';
import { hitRayTriangle, RAY_MISSES } from '../../../src/geometry/intersect/ray-hit.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { raycastMany } from '../../../src/query/ray/raycast.js';
import { pointsInMesh } from '../../../src/query/scene/ask-points.js';

/** Rays handed over together. */
const BATCH = 50_000;
const RAYS = LONG ? 10_000_000 : 400_000;
const COMPARED = LONG ? 1_000_000 : 50_000;

const scanOf = (file: string) => sharedData(`scans/${file}`);

/** Points of a box, as columns of three. */
function randomPoints(random: () => number, { min, max }: Mesh['box'], count: number): Float64Array {
  return Float64Array.from(
    { length: 3 * count },
    (_, i) => min[i % 3] + random() * (max[i % 3] - min[i % 3]),
  );
}

function randomDirections(random: () => number, count: number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) out.set(randomDirection(random), 3 * i);
  return out;
}

describe.skipIf(!scanOf('armadillo.ply'))('scans', () => {
  test.each(turn([['armadillo.ply'], ['igea.ply']]))(
    '%s is closed: no ray from inside leaves it (seed 1731)',
    (file) => {
      const random = seededRandom(1731);
      const mesh = Mesh.from(readPly(scanOf(file)!));
      const places: number[] = [];
      while (places.length < 3 * 200) {
        const points = randomPoints(random, mesh.box, 500);
        const inside = pointsInMesh(mesh, points);
        for (let i = 0; i < 500; i++) if (inside[i] > 0) places.push(...points.subarray(3 * i, 3 * i + 3));
      }
      let escaped = 0;
      for (let asked = 0; asked < RAYS / 2; asked += BATCH) {
        const directions = randomDirections(random, BATCH);
        const { indices, positions } = mesh;
        const origins = new Float64Array(3 * BATCH);
        for (let i = 0; i < BATCH; i++) {
          const from = 3 * Math.floor((random() * places.length) / 3);
          const corner = 3 * indices[Math.floor(random() * indices.length)];
          for (let k = 0; k < 3; k++) {
            origins[3 * i + k] = places[from + k];
            // some towards a corner
            if (i % 4 === 0)
              directions[3 * i + k] = mesh.origin[k] + positions[corner + k] - places[from + k];
          }
        }
        escaped += BATCH - raycastMany(mesh, { origins, directions }).count;
      }
      expect(escaped).toBe(0);
      mesh.dispose();
    },
  );

  test('a dragon is met as three-mesh-bvh says, ties apart (seed 1732)', () => {
    const random = seededRandom(1732);
    const scan = readPly(scanOf('dragon-res2.ply.gz')!);
    const mesh = Mesh.from(scan);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(scan.positions), 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(scan.indices), 1));
    const bvh = new MeshBVH(geometry, { indirect: true });
    const { min, max } = mesh.box;
    const size = Math.hypot(...min.map((x, k) => max[k] - x));
    const ray = new Ray();
    const tally = { hits: 0, ties: 0, explained: 0 };
    for (let asked = 0; asked < COMPARED; asked += BATCH) {
      const origins = randomPoints(random, mesh.box, BATCH);
      const directions = randomDirections(random, BATCH);
      const { distances, triangles } = raycastMany(mesh, { origins, directions });
      for (let i = 0; i < BATCH; i++) {
        ray.origin.fromArray(origins, 3 * i);
        ray.direction.fromArray(directions, 3 * i);
        const theirs = bvh.raycastFirst(ray, DoubleSide);
        if (triangles[i] >= 0) tally.hits++;
        if (theirs?.faceIndex === triangles[i] || (!theirs && triangles[i] < 0)) continue;
        if (theirs && Math.abs(theirs.distance - distances[i]) < 1e-7 * size) tally.ties++;
        else {
          // exact arithmetic says who is right
          const met = (triangle: number | null | undefined) =>
            meets(mesh, origins, directions, i, triangle ?? -1);
          expect(met(triangles[i])).toBe(triangles[i] >= 0);
          if (theirs && theirs.distance < distances[i]) expect(met(theirs.faceIndex)).toBe(false);
          tally.explained++;
        }
      }
    }
    expect(tally.hits).toBeGreaterThan(COMPARED / 10);
    expect(tally.ties + tally.explained).toBeLessThan(COMPARED / 1000);
    mesh.dispose();
  });
});

/** Whether a ray meets a triangle, without rounding. */
function meets(
  mesh: Mesh,
  origins: Float64Array,
  directions: Float64Array,
  i: number,
  triangle: number,
): boolean {
  if (triangle < 0) return false;
  const ray = Float64Array.of(
    ...origins.subarray(3 * i, 3 * i + 3),
    ...directions.subarray(3 * i, 3 * i + 3),
  );
  for (let k = 0; k < 3; k++) ray[k] -= mesh.origin[k];
  const corners: number[] = [];
  for (let k = 0; k < 3; k++) {
    const at = 3 * mesh.indices[3 * triangle + k];
    corners.push(...mesh.positions.subarray(at, at + 3));
  }
  return hitRayTriangle(ray, 0, Float64Array.from(corners), 0, 0, 0, new Float64Array(3)) !== RAY_MISSES;
}
