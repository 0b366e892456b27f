/** Meshes, poses and scenes of three.js objects, against what three.js says their vertices are in the world. */
import fc from 'fast-check';
import * as three from 'three';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import {
  collide,
  collideAll,
  contacts,
  distance,
  Mesh,
  type Pose,
  raycast,
  Scene,
  type SceneObject,
} from '../../src/index.js';
import {
  ContactLines,
  DistanceLine,
  type Followed,
  follow,
  meshOf,
  TreeBoxes,
  treeBoxes,
} from '../../src/three/index.js';
import { KINDS, place, randomMatrix, randomObject, seededRandom } from './random-objects.js';

const SEED = 71;
const material = new three.MeshBasicMaterial();
const unitBox = (): three.Mesh => new three.Mesh(new three.BoxGeometry(1, 1, 1), material);

/** The box around an object of a scene, as it is posed. */
function worldBox({ mesh, pose }: SceneObject): three.Box3 {
  const { positions, indices, origin } = mesh;
  const box = new three.Box3();
  const [a, b, c, d, e, f, g, h, k, x, y, z] = pose;
  const matrix = new three.Matrix4().set(a, b, c, x, d, e, f, y, g, h, k, z, 0, 0, 0, 1);
  for (const v of indices) {
    const corner = new three.Vector3().fromArray(positions, 3 * v);
    box.expandByPoint(corner.add(new three.Vector3(...origin)).applyMatrix4(matrix));
  }
  return box;
}

/** The same, by three.js's own vertices. */
function ownBox({ object, instanceId, batchId }: Followed): three.Box3 {
  const { index, attributes, drawRange } = object.geometry;
  const local = new three.Matrix4();
  if (object instanceof three.InstancedMesh) object.getMatrixAt(instanceId!, local);
  if (object instanceof three.BatchedMesh) object.getMatrixAt(batchId!, local);
  local.premultiply(object.matrixWorld);
  const { start, count } =
    object instanceof three.BatchedMesh
      ? object.getGeometryRangeAt(object.getGeometryIdAt(batchId!))!
      : drawRange;
  const end = Math.min((index ?? attributes['position']).count, start + count);
  const box = new three.Box3();
  for (let i = start; i < end - ((end - start) % 3); i++) {
    const corner = new three.Vector3();
    const vertex = index ? index.getX(i) : i;
    if (object instanceof three.InstancedMesh) corner.fromBufferAttribute(attributes['position'], vertex);
    else object.getVertexPosition(vertex, corner);
    box.expandByPoint(corner.applyMatrix4(local));
  }
  return box;
}

function expectSame(a: three.Box3, b: three.Box3): void {
  expect(a.min.distanceTo(b.min)).toBeLessThan(1e-5);
  expect(a.max.distanceTo(b.max)).toBeLessThan(1e-5);
}

test(`a scene follows what is added, removed, moved and deformed (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed);
      const scene = new Scene();
      const root = new three.Group();
      const link = follow(scene, root);
      const objects = KINDS.flatMap((kind) => [randomObject(kind, random), randomObject(kind, random)]);
      for (let step = 0; step < 6; step++) {
        for (const object of objects) {
          if (random() < 0.3) place(random, object, true);
          if (random() < 0.2) object.removeFromParent();
          else if (random() < 0.5) root.add(object);
          if (object instanceof three.SkinnedMesh && random() < 0.5)
            place(random, object.skeleton.bones[2], true);
          if (object.morphTargetInfluences?.length && random() < 0.5)
            object.morphTargetInfluences[0] = random();
          if (object instanceof three.InstancedMesh && random() < 0.5) {
            object.setMatrixAt(1, randomMatrix(random));
            object.count = 2 + Math.floor(3 * random());
          }
        }
        link.update();
        const there = scene.objects().map((object) => object.userData as Followed);
        for (const object of objects) {
          const count =
            object instanceof three.InstancedMesh
              ? object.count
              : object instanceof three.BatchedMesh
                ? 6
                : 1;
          const parts = there.filter((followed) => followed.object === object).length;
          // a draw range may leave nothing to draw
          if (parts > 0 || hasTriangles(object)) expect(parts).toBe(object.parent ? count : 0);
        }
        for (const object of scene.objects())
          expectSame(worldBox(object), ownBox(object.userData as Followed));
        expect(link.update()).toEqual({ added: 0, removed: 0, moved: 0 });
      }
      link.dispose();
      expect(scene.size).toBe(0);
    }),
    { seed: SEED, numRuns: runs(12) },
  );
});

function hasTriangles({ geometry }: three.Mesh): boolean {
  const { start, count } = geometry.drawRange;
  return Math.min((geometry.index ?? geometry.attributes['position']).count - start, count) >= 3;
}

test('followed objects answer questions, and know what they stand for', () => {
  const scene = new Scene();
  const root = new three.Group();
  const [a, b] = [unitBox(), unitBox()];
  b.position.set(3, 0, 0);
  root.add(a, b);
  a.name = 'first';
  const link = follow(scene, root, { filter: (object) => object.name !== 'hidden' });
  expect(collideAll(scene).count).toBe(0);
  b.position.x = 0.5;
  expect(link.update()).toEqual({ added: 0, removed: 0, moved: 1 });
  expect(collideAll(scene).count).toBeGreaterThan(0);
  const hit = raycast(scene, { origin: [-5, 0, 0], direction: [1, 0, 0] })!;
  expect(hit.object).toBe(link.objectOf(a));
  expect(hit.object.name).toBe('first');
  expect((hit.object.userData as Followed).object).toBe(a);
  b.scale.setScalar(0); // as people hide things
  expect(link.update()).toEqual({ added: 0, removed: 1, moved: 0 });
  b.scale.setScalar(1);
  b.name = 'hidden';
  a.geometry = new three.BufferGeometry();
  a.geometry.setAttribute('position', new three.Float32BufferAttribute([], 3));
  expect(link.update()).toEqual({ added: 0, removed: 1, moved: 0 });
});

test('a mesh is kept with its geometry, follows vertices, and is made anew for other triangles', () => {
  const object = unitBox();
  const mesh = meshOf(object);
  expect(meshOf(object.geometry)).toBe(mesh);
  expect(meshOf(new three.Mesh(object.geometry, material))).toBe(mesh);
  expect(mesh.triangleCount).toBe(12);
  object.geometry.translate(1, 0, 0);
  expect(meshOf(object)).toBe(mesh);
  expect(mesh.box.min).toEqual([0.5, -0.5, -0.5]);
  object.geometry.setDrawRange(0, 6);
  expect(meshOf(object).triangleCount).toBe(2);
  object.geometry.setDrawRange(0, 36);
  const other = meshOf(object);
  other.dispose();
  expect(meshOf(object)).not.toBe(other);
  expect(meshOf(object).triangleCount).toBe(12);
});

test('interleaved and normalised positions are followed, too', () => {
  const data = new three.InterleavedBuffer(Float32Array.from([0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9]), 4);
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.InterleavedBufferAttribute(data, 3, 0));
  const mesh = meshOf(geometry);
  data.array[4] = 5;
  data.needsUpdate = true;
  expect(meshOf(geometry)).toBe(mesh);
  expect(mesh.box.max).toEqual([5, 1, 0]);
  const short = new three.BufferGeometry();
  short.setAttribute('position', new three.Int8BufferAttribute([0, 0, 0, 127, 0, 0, 0, 127, 0], 3, true));
  expect(meshOf(short).box.max).toEqual([1, 1, 0]);
  short.attributes['position'].setX(1, 0);
  short.attributes['position'].needsUpdate = true;
  expect(meshOf(short).box.max).toEqual([0, 1, 0]);
});

test('poses of three.js things', () => {
  const [a, b] = [unitBox(), unitBox()];
  const parent = new three.Group().add(b);
  parent.position.set(5, 0, 0);
  parent.scale.setScalar(2);
  const asked = (pose: Pose) => distance(meshOf(a), meshOf(b), { poseB: pose }).distance;
  expect(asked(b)).toBeCloseTo(3.5, 12); // nobody has updated matrices
  expect(asked(new three.Matrix4().makeTranslation(0, 4, 0))).toBeCloseTo(3, 12);
  expect(asked({ translation: new three.Vector3(0, 0, -3) })).toBeCloseTo(2, 12);
  const wide = { translation: new three.Vector3(4, 0, 0), scale: new three.Vector3(2, 1, 1) };
  expect(asked(wide)).toBeCloseTo(2.5, 12);
  const rotation = new three.Quaternion().setFromAxisAngle(new three.Vector3(0, 0, 1), Math.PI / 4);
  expect(collide(meshOf(a), meshOf(b), { poseB: { rotation } }).colliding).toBe(true);
  const turned = { translation: new three.Vector3(2, 0, 0), rotation };
  expect(asked(turned)).toBeCloseTo(1.5 - Math.SQRT1_2, 12);
});

test('boxes of the tree hold all triangles, and deeper ones lie in those above', () => {
  const knot = new three.Mesh(new three.TorusKnotGeometry(1, 0.4, 100, 16), material);
  const mesh = meshOf(knot);
  const boxesAt = (depth: number) => {
    const numbers = treeBoxes(mesh, depth);
    return Array.from({ length: numbers.length / 6 }, (_, i) => {
      const at = (k: number) => new three.Vector3().fromArray(numbers, 6 * i + k);
      return new three.Box3(at(0), at(3));
    });
  };
  const byDepth = [0, 1, 2, 3, 4, 20].map(boxesAt);
  expect(byDepth[0]).toHaveLength(1);
  for (let depth = 1; depth < 5; depth++) {
    expect(byDepth[depth].length).toBeGreaterThan(byDepth[depth - 1].length);
    for (const box of byDepth[depth])
      expect(byDepth[depth - 1].some((above) => above.containsBox(box))).toBe(true);
  }
  const { positions, indices } = mesh;
  for (let i = 0; i < indices.length; i += 3) {
    const triangle = new three.Box3().setFromPoints(
      [0, 1, 2].map((k) => new three.Vector3().fromArray(positions, 3 * indices[i + k])),
    );
    expect(byDepth[5].some((leaf) => leaf.containsBox(triangle))).toBe(true);
  }
  const lines = new TreeBoxes(knot, 2);
  expect(lines.geometry.attributes['position'].count).toBe(24 * byDepth[2].length);
  lines.show(0);
  expect(new three.Box3().setFromObject(lines)).toEqual(
    new three.Box3().setFromBufferAttribute(knot.geometry.attributes['position'] as three.BufferAttribute),
  );
  expect(
    new three.Raycaster(new three.Vector3(0, 0, 9), new three.Vector3(0, 0, -1)).intersectObject(lines),
  ).toEqual([]);
  lines.dispose();
});

test('contacts and distances are drawn where they are', () => {
  const a = Mesh.from(new three.BoxGeometry(1, 1, 1));
  const shown = new ContactLines();
  expect(shown.visible).toBe(false);
  const result = contacts(a, a, { poseB: { translation: [0.75, 0.1, 0.2] } });
  shown.show(result);
  const { position } = shown.geometry.attributes;
  const [region] = result.regions;
  const drawn = new three.Box3().setFromBufferAttribute(position as three.BufferAttribute);
  for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
    expect(drawn.min[axis]).toBeLessThanOrEqual(region.box.min[k] + 1e-6);
    expect(drawn.max[axis]).toBeGreaterThanOrEqual(region.box.max[k] - 1e-6);
  }
  expect(shown.visible).toBe(true);
  const way = new DistanceLine({ color: 'red' });
  way.show(distance(a, a, { poseB: { translation: [3, 0, 0] } }));
  const { position: ends } = way.geometry.attributes;
  expect([ends.getX(0), ends.getX(1)].sort()).toEqual([0.5, 2.5]);
  way.show(distance(a, a, { poseB: { translation: [3, 0, 0] }, atMost: 1 }));
  expect(way.visible).toBe(false);
});

test.each(KINDS)(
  'of %s: meshes go with their geometry, and who asks again gets another (seed 72)',
  (kind) => {
    const random = seededRandom(72);
    for (let i = 0; i < runs(20); i++) {
      const object = randomObject(kind, random);
      if (object.geometry.drawRange.count < 3) continue;
      const ask = () => (object instanceof three.BatchedMesh ? meshOf(object, 0) : meshOf(object));
      const mesh = ask();
      const { positions } = mesh;
      object.geometry.dispose();
      expect(() => mesh.positions).toThrow(/disposed/);
      const again = ask();
      expect(again).not.toBe(mesh);
      expect(again.positions).toEqual(positions);
      object.geometry.dispose();
      expect(() => again.positions).toThrow(/disposed/);
    }
  },
);

test('a scene that is followed takes over what was disposed of and is drawn all the same', () => {
  const [scene, root] = [new Scene(), unitBox()];
  const link = follow(scene, root);
  root.geometry.dispose();
  link.update();
  expect(scene.objects()).toHaveLength(1);
  expect(raycast(scene, { origin: [0, 0, 9], direction: [0, 0, -1] })?.distance).toBe(8.5);
});

const box = new three.BoxGeometry(1, 1, 1);
test.each<three.Object3D>([new three.Points(box), new three.LineSegments(box), new three.Line(box)])(
  '$type has no triangles',
  (object) => {
    expect(() => meshOf(object as three.Mesh)).toThrow(
      `meshOf: a mesh or geometry of three.js is needed, got ${object.type}, which has no triangles`,
    );
  },
);
