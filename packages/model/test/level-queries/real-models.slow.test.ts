/**
 * Real models asked with errors, held against exact queries on meshes in memory: scans, a building of instances, a
 * body of many organs. Nothing is missed, nothing is reported that is farther apart than permitted, and distances lie
 * within their bounds. In `--mode long`, since it takes minutes.
 */
import { join } from 'node:path';
import { Random, seedOf } from '@impinge/scenes/random';
import { collide, distance, hits, Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { posePoint, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { CollideResult, WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { afterAll, expect, test } from 'vitest';
import { LONG } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { readModel } from '../../../cli/src/formats/read-model.js';
import { placeOf } from '../../../cli/src/formats/source-object.js';
import { packModel } from '../../../cli/src/jobs/pack-model.js';
import { temporaryFolder } from '../../../cli/test/files.js';
import { LevelsTarget } from '../../src/index.js';
import { openStoreFile } from '../../src/node/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { isNear, patchAt, posed, poseOf } from './originals.js';

/** What is moved: how large, as a share of the model. */
const MODELS = [
  { model: 'scans/armadillo.ply', body: 'scans/bunny.ply', share: 0.5 },
  { model: 'scans/dragon.ply.gz', body: 'scans/armadillo.ply', share: 0.5 },
  { model: 'plants/hospital.glb', body: 'scans/bunny.ply', share: 0.03 },
  { model: 'anatomy/body-upper.glb', body: 'scans/bunny.ply', share: 0.1 },
];
const POSES = 36;
/** Of the size of what is moved, like the distance. */
const ERRORS = [0.0004, 0.002, 0.01];
const DISTANCE = 0.00025;
/** Looked at per question, from all over the answer. */
const MOST_PAIRS = 60;
const MOST_PATCHES = 20;
const IDENTITY = toRigidPose(undefined);

const folder = temporaryFolder();
if (!LONG)
  process.stderr.write(
    '\n*** SKIPPED: real models asked with an error; npm test -- --mode long runs them ***\n',
  );
const tried = { questions: 0, pairs: 0, patches: 0, distances: 0, objects: 0 };
afterAll(() => {
  if (LONG) process.stdout.write(`real models with an error: ${JSON.stringify(tried)}\n`);
});

interface Placed {
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  readonly box: ArrayLike<number>;
}

/** A mesh, what it was made of, and the same with levels. */
async function bodyOf(file: string, size: number) {
  const [{ geometry }] = (await readModel(file)).shapes;
  const own = sizeOf(Mesh.from(geometry).box);
  const positions = Float32Array.from(geometry.positions, (x) => (x * size) / own);
  const mesh = Mesh.from({ positions, indices: geometry.indices });
  return { mesh, positions, stored: new LevelsTarget(await buildLevels(mesh)) };
}

/** The objects of a file as meshes where they are, by their numbers in the store. */
async function worldOf(file: string) {
  const store = join(folder, 'model.impinge');
  await packModel([file], store, { memory: 512e6, levels: true, workers: 1 });
  const model = await openStoreFile(store);
  const keyOf = ({ path, id }: { path: string; id: string }) => `${path} ${id}`;
  const geometries = new Map<string, { geometry: ShapeArrays; pose: RigidPose | undefined }>();
  for (const { geometry, objects } of (await readModel(file)).shapes) {
    for (const object of objects) geometries.set(keyOf(object), { geometry, pose: placeOf(object) });
  }
  expect(geometries.size).toBe(model.objectCount);
  const meshes = new Map<ShapeArrays, Mesh>();
  const objects = Array.from({ length: model.objectCount }, (_, i): Placed => {
    const { geometry, pose = IDENTITY } = geometries.get(keyOf(model.object(i)))!;
    const mesh = meshes.get(geometry) ?? Mesh.from(geometry);
    meshes.set(geometry, mesh);
    return { mesh, pose, box: model.box(i) };
  });
  const stored = new LevelsTarget(model);
  return { model, stored, objects, size: sizeOf(stored.box) };
}

function sizeOf({ min, max }: { min: ArrayLike<number>; max: ArrayLike<number> }): number {
  return Math.max(...[0, 1, 2].map((k) => max[k] - min[k]));
}

/** Places a body so that one of its vertices comes near a vertex of some object; some are farther away. */
function placed(objects: readonly Placed[], body: Float32Array, size: number, random: Random): RigidPose {
  const pose = poseOf(random, 0);
  const { mesh, pose: at } = random.pick(objects);
  const { positions, origin } = mesh;
  const v = 3 * random.integer(0, positions.length / 3 - 1);
  const w = 3 * random.integer(0, body.length / 3 - 1);
  const [there, here] = [new Float64Array(3), new Float64Array(3)];
  posePoint(
    at,
    positions[v] + origin[0],
    positions[v + 1] + origin[1],
    positions[v + 2] + origin[2],
    there,
    0,
  );
  posePoint(pose, body[w], body[w + 1], body[w + 2], here, 0);
  const away = size * (random.chance(0.25) ? 0.5 : random.pick([0, 0.0003, 0.01, 0.03]));
  for (let k = 0; k < 3; k++) pose[9 + k] += there[k] - here[k] + away * (2 * random.next() - 1);
  return pose;
}

/** Numbers below a count, evenly spread. */
function sample(count: number, most: number): number[] {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, i) => Math.floor(((i + 0.5) * count) / taken));
}

function cornersOf({ positions, indices, origin }: Mesh, triangle: number): Float64Array {
  const corners = (_: number, i: number) =>
    positions[3 * indices[3 * triangle + Math.floor(i / 3)] + (i % 3)] + origin[i % 3];
  return Float64Array.from({ length: 9 }, corners as never);
}

for (const { model, body: moved, share } of MODELS) {
  const [file, bodyFile] = [sharedData(model), sharedData(moved)];
  test.skipIf(!file || !bodyFile || !LONG)(
    `${model}: ${POSES} poses, ${ERRORS.length} errors`,
    async () => {
      const world = await worldOf(file!);
      const size = share * world.size;
      const body = await bodyOf(bodyFile!, size);
      const random = new Random(seedOf(model.length, 5));
      /** Coordinates of this size are rounded by less. */
      const tiny = 1e-8 * world.size;
      for (let n = 0; n < POSES; n++) {
        const pose = placed(world.objects, body.positions, size, random);
        const near = exactAt(world.objects, body.mesh, pose, size);
        for (const error of ERRORS.map((part) => part * size)) {
          const where = `pose ${n}, error ${error}`;
          const ask = { pose, error };
          const found = await within(world.stored, body.stored, { ...ask, distance: DISTANCE * size });
          await compare(found, DISTANCE * size, error, where);
          const patches = await within(world.stored, body.stored, {
            ...ask,
            distance: DISTANCE * size,
            patch: 0,
          });
          await compare(patches, DISTANCE * size, error, where);
          await compare(await collide(world.stored, body.stored, ask), 0, error, where);
          const { bounds } = await distance(world.stored, body.stored, ask);
          expect(bounds[0], where).toBeLessThanOrEqual(near.apart + tiny);
          expect(bounds[1], where).toBeGreaterThanOrEqual(near.apart - tiny);
          expect(bounds[1] - bounds[0], where).toBeLessThanOrEqual(error + tiny);
          tried.distances++;
          const hit = await hits(world.stored, body.stored, { ...ask, distance: DISTANCE * size });
          for (const [object, apart] of near.distances) {
            if (apart > DISTANCE * size - tiny) continue;
            expect(
              hit.hits.some(({ objectA }) => objectA === object),
              `${where}, object ${object}`,
            ).toBe(true);
          }
          for (const { objectA, bounds: own } of hit.hits) {
            const apart = near.distances.get(objectA)!;
            expect(apart, where).toBeLessThanOrEqual(DISTANCE * size + error + tiny);
            expect(own[0], where).toBeLessThanOrEqual(apart + tiny);
            expect(own[1], where).toBeGreaterThanOrEqual(apart - tiny);
            tried.objects++;
          }
        }

        /** Patches of an answer: none is missing, and none is of originals that are farther apart. */
        async function compare(
          found: WithinResult<PartsTarget> | CollideResult<PartsTarget>,
          reach: number,
          error: number,
          where: string,
        ): Promise<void> {
          tried.questions++;
          expect(found.complete).toBe(true);
          const { bounds } = found.patches!;
          const known = new Map<number, ReturnType<typeof patchAt>>();
          const patchOf = (i: number) => {
            const side = i % 2 === 0 ? ([world.stored, undefined] as const) : ([body.stored, pose] as const);
            const patch = known.get(i) ?? patchAt(side[0], found, i, side[1]);
            known.set(i, patch);
            return patch;
          };
          const witness = new Float64Array(8);
          const pairs = near.pairs(reach);
          for (const p of sample(pairs.length, MOST_PAIRS)) {
            const { object, a, b } = pairs[p];
            const own = posed(cornersOf(world.objects[object].mesh, a), world.objects[object].pose);
            const other = posed(cornersOf(body.mesh, b), pose);
            const apart = Math.sqrt(distanceSqTriangleTriangle(own, 0, other, 0, witness));
            const points = [witness.slice(0, 3), witness.slice(3, 6)];
            let stood = false;
            for (let i = 0; i < found.count && !stood; i++) {
              if (found.objects[2 * i] !== object || bounds[2 * i] > apart + tiny) continue;
              stood = true;
              for (let side = 0; side < 2 && stood; side++) {
                const { corners, out } = await patchOf(2 * i + side);
                stood = isNear(points[side], corners, out + tiny);
              }
            }
            expect(stood, `${where}: triangles ${a} of object ${object} and ${b}`).toBe(true);
            tried.pairs++;
          }
          for (const i of sample(found.count, MOST_PATCHES)) {
            expect(bounds[2 * i + 1], where).toBeLessThanOrEqual(reach + error + tiny);
            const { mesh, pose: at } = world.objects[found.objects[2 * i]];
            const ofA = originalsNear(mesh, at, await patchOf(2 * i));
            const ofB = originalsNear(body.mesh, IDENTITY, await patchOf(2 * i + 1));
            const least = distance(ofA, ofB, { poseA: at, poseB: pose }).distance;
            expect(least, `${where}: patch ${i}`).toBeLessThanOrEqual(bounds[2 * i + 1] + tiny);
            for (const own of [ofA, ofB]) own.dispose();
            tried.patches++;
          }
        }

        /** The originals that a patch may stand for, in the frame of their object. */
        function originalsNear(
          mesh: Mesh,
          at: RigidPose,
          { own, in: inner }: { own: Float64Array; in: number },
        ) {
          const level = Mesh.from({ positions: own });
          const { pairs } = within(mesh, level, { poseA: at, poseB: IDENTITY, distance: inner + tiny });
          level.dispose();
          const triangles = [...new Set(pairs.filter((_, i) => i % 2 === 0))];
          expect(triangles.length).toBeGreaterThan(0);
          const positions = new Float64Array(9 * triangles.length);
          triangles.forEach((t, i) => {
            positions.set(cornersOf(mesh, t), 9 * i);
          });
          return Mesh.from({ positions });
        }
      }
      for (const stored of [world.stored, body.stored]) await stored.dispose();
      await world.model.dispose();
      for (const mesh of new Set([body.mesh, ...world.objects.map((object) => object.mesh)])) mesh.dispose();
    },
    7_200_000,
  );
}

/** What exact queries say of all objects whose boxes are near: distances, and pairs of triangles. */
function exactAt(objects: readonly Placed[], body: Mesh, pose: RigidPose, size: number) {
  const { min, max } = body.transformed(matrixOf(pose)).box;
  /** From box to box. */
  const gap = ({ box }: Placed) =>
    Math.hypot(...[0, 1, 2].map((k) => Math.max(0, box[k] - max[k], min[k] - box[3 + k])));
  const order = objects.map((object, i) => [gap(object), i]).sort((a, b) => a[0] - b[0]);
  const distances = new Map<number, number>();
  const options = (object: number) => ({ poseA: objects[object].pose, poseB: pose });
  let apart = Infinity;
  for (const [least, object] of order) {
    // all that answers may name, and the nearest
    if (least > (DISTANCE + 2 * ERRORS[2]) * size && least > apart) break;
    const own = distance(objects[object].mesh, body, options(object)).distance;
    distances.set(object, own);
    apart = Math.min(apart, own);
  }
  const asked = new Map<number, { object: number; a: number; b: number }[]>();
  const pairs = (reach: number) => {
    const known = asked.get(reach) ?? pairsOf(reach);
    asked.set(reach, known);
    return known;
  };
  const pairsOf = (reach: number) =>
    [...distances].flatMap(([object, own]) => {
      if (own > reach) return [];
      const { mesh } = objects[object];
      const found =
        reach === 0
          ? collide(mesh, body, options(object))
          : within(mesh, body, { ...options(object), distance: reach * (1 - 1e-9) });
      return Array.from({ length: found.count }, (_, i) => ({
        ...{ object, a: found.pairs[2 * i], b: found.pairs[2 * i + 1] },
      }));
    });
  return { apart, distances, pairs };
}

/** Column-major 4 × 4. */
function matrixOf(p: RigidPose): number[] {
  return [p[0], p[3], p[6], 0, p[1], p[4], p[7], 0, p[2], p[5], p[8], 0, p[9], p[10], p[11], 1];
}
