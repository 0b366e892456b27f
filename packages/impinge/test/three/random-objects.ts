/** Objects of three.js by seed, of all the kinds that are drawn, and rays that have a chance to meet them. */
import * as three from 'three';
import { seededRandom } from '../../../../lab/scenes/index.mjs';

type Random = () => number;

const SIDES = [three.FrontSide, three.BackSide, three.DoubleSide];
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];
const spread = (random: Random, size = 1) => size * (2 * random() - 1);
const vector = (random: Random, size = 1) =>
  new three.Vector3(spread(random, size), spread(random, size), spread(random, size));

function soup(random: Random): three.BufferGeometry {
  const geometry = new three.BufferGeometry();
  const count = 3 * (5 + Math.floor(40 * random()));
  geometry.setAttribute(
    'position',
    new three.Float32BufferAttribute(
      Array.from({ length: 3 * count }, () => spread(random)),
      3,
    ),
  );
  if (random() < 0.5) {
    const corners = Array.from({ length: 2 * count }, () => Math.floor(random() * count));
    geometry.setIndex(corners.slice(0, corners.length - (corners.length % 3)));
  }
  return geometry;
}

/** With or without indices, normals, texture coordinates, groups and a draw range, also ones that cut triangles. */
export function randomGeometry(random: Random, cut = true): three.BufferGeometry {
  const made = pick(random, [
    () => new three.TorusKnotGeometry(0.6, 0.25, 30, 8),
    () => new three.SphereGeometry(1, 12, 9),
    () => new three.BoxGeometry(1, 1.5, 2, 2, 3, 1),
    () => soup(random),
    () => soup(random),
  ])();
  const geometry = random() < 0.25 && made.index ? made.toNonIndexed() : made;
  const { position } = geometry.attributes;
  if (random() < 0.3) {
    const numbers = Array.from({ length: 2 * position.count }, () => random());
    geometry.setAttribute('uv1', new three.Float32BufferAttribute(numbers, 2));
  }
  const total = (geometry.index ?? position).count;
  if (random() < 0.3) {
    const step = random() < 0.7 || !cut ? 3 : 1;
    const start = step * Math.floor((random() * total) / step / 6);
    geometry.setDrawRange(start, step * Math.floor((random() * total) / step));
  }
  if (random() < 0.4) {
    geometry.clearGroups();
    const step = random() < 0.8 || !cut ? 3 : 1;
    for (let i = 0; i < 4; i++) {
      const start = step * Math.floor((random() * total) / step / 2);
      geometry.addGroup(start, step * Math.floor((random() * total) / step), i);
    }
  }
  return geometry;
}

export function randomMaterial(random: Random): three.Material | three.Material[] {
  const one = () => new three.MeshBasicMaterial({ side: pick(random, SIDES) });
  if (random() < 0.6) return one();
  const same = one();
  return random() < 0.5 ? [same, same, same, same, same, same] : Array.from({ length: 6 }, one);
}

/** Somewhere; an even scale, where three.js is to be right about the spheres around what is stretched twice. */
export function place(random: Random, object: three.Object3D, even = false): void {
  object.position.copy(vector(random));
  object.rotation.set(spread(random, 3), spread(random, 3), spread(random, 3));
  if (random() < 0.6) object.scale.copy(even ? object.scale.setScalar(spread(random, 2)) : vector(random, 2));
}

export function randomMatrix(random: Random): three.Matrix4 {
  const object = new three.Object3D();
  place(random, object);
  object.updateMatrix();
  return object.matrix;
}

function skinned(
  random: Random,
  geometry: three.BufferGeometry,
  material: three.Material | three.Material[],
) {
  const { count } = geometry.attributes['position'];
  const bones = Array.from({ length: 4 }, () => new three.Bone());
  for (const [i, bone] of bones.entries()) if (i > 0) bones[i - 1].add(bone);
  const indices = Array.from({ length: 4 * count }, () => Math.floor(4 * random()));
  const weights = Array.from({ length: 4 * count }, () => random());
  geometry.setAttribute('skinIndex', new three.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new three.Float32BufferAttribute(weights, 4));
  const mesh = new three.SkinnedMesh(geometry, material);
  mesh.normalizeSkinWeights();
  mesh.add(bones[0]);
  mesh.bind(new three.Skeleton(bones));
  for (const bone of bones) place(random, bone, true);
  return mesh;
}

function morph(random: Random, geometry: three.BufferGeometry): void {
  const { count } = geometry.attributes['position'];
  geometry.morphAttributes.position = [0, 1].map(
    () =>
      new three.Float32BufferAttribute(
        Array.from({ length: 3 * count }, () => spread(random, 0.3)),
        3,
      ),
  );
  geometry.morphTargetsRelative = random() < 0.5;
}

export const KINDS = ['plain', 'morphed', 'skinned', 'instanced', 'batched'] as const;

export function randomObject(kind: (typeof KINDS)[number], random: Random): three.Mesh {
  const geometry = randomGeometry(random, kind !== 'skinned'); // three.js itself fails on triangles that are cut there
  const material = randomMaterial(random);
  if (kind === 'batched') return batch(random);
  if (kind === 'morphed' || (kind === 'skinned' && random() < 0.3)) morph(random, geometry);
  const object =
    kind === 'skinned'
      ? skinned(random, geometry, material)
      : kind === 'instanced'
        ? new three.InstancedMesh(geometry, material, 5)
        : new three.Mesh(geometry, material);
  object.morphTargetInfluences?.forEach((_, i, weights) => {
    weights[i] = random();
  });
  if (object instanceof three.InstancedMesh) {
    for (let i = 0; i < 5; i++) object.setMatrixAt(i, randomMatrix(random));
  }
  return object;
}

function batch(random: Random): three.BatchedMesh {
  const parts = [
    new three.SphereGeometry(0.8, 10, 7),
    new three.BoxGeometry(1, 1, 1),
    new three.TorusGeometry(0.7, 0.3, 6, 9),
  ];
  const material = new three.MeshBasicMaterial({ side: pick(random, SIDES) });
  const mesh = new three.BatchedMesh(9, 4000, 8000, material);
  const ids = parts.map((part) => mesh.addGeometry(part));
  for (let i = 0; i < 8; i++) mesh.setMatrixAt(mesh.addInstance(pick(random, ids)), randomMatrix(random));
  mesh.setVisibleAt(2, false);
  mesh.deleteInstance(5);
  return mesh;
}

export function randomRay(random: Random, raycaster: three.Raycaster): void {
  const origin = vector(random, random() < 0.3 ? 1 : 4);
  raycaster.set(origin, vector(random).sub(origin).normalize());
  raycaster.near = random() < 0.2 ? 2 * random() : 0;
  raycaster.far = random() < 0.2 ? raycaster.near + 3 * random() : Infinity;
}

export { seededRandom };
