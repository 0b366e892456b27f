/**
 * Scenes queried repeatedly while objects appear, disappear, move, grow, deform and hide, compared with brute force
 * over triangles. All coordinates are integers, in the mesh and in the world, so that contact is frequent and nothing
 * is rounded.
 */
import { collideAll, collideOne, Mesh, nearestPair, Scene } from 'impinge';
import { distanceSqTriangleTriangle, intersectsTriangleTriangle } from 'impinge/geometry';
import { below, oneIn, oneOf } from '../mutate/choose.mjs';

const MOST_OBJECTS = 24;
const CHANGES = 40;
const SCALES = [1, 1, 1, 2, 3, 5, 7, -1, -3];
/** The world axis of each axis of the mesh. */
const TURNS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
];

/** Differences, each with the number of changes before it. */
export function changingSceneDifferences(random) {
  const scene = new Scene();
  const meshes = Array.from({ length: 6 }, () =>
    Mesh.from({ positions: somePositions(random, 3 + below(random, 9)) }),
  );
  let members = [];
  const differences = [];
  for (let change = 0; change < CHANGES; change++) {
    members = changed(scene, members, meshes, random);
    const slots = new Map(scene.objects().map((object, i) => [object, i]));
    members.sort((p, q) => slots.get(p.object) - slots.get(q.object));
    const distance = oneOf(random, [0, 0, 0.5, 2.5]);
    const expected = truthOf(members, distance);
    const hidden = new Set(members.filter((member) => member.hidden).map(({ object }) => object));
    const filter = (a, b) => !hidden.has(a) && !hidden.has(b);
    const rows = ({ pairs }) =>
      pairs.map(
        ({ a, b, pairs: triangles }) => `${slots.get(a)} ${slots.get(b)}: ${[...triangles].join(' ')}`,
      );
    const found = rows(collideAll(scene, { distance, filter }));
    if (found.join('\n') !== expected.rows.join('\n'))
      differences.push(
        `collideAll after ${change} changes: ${found.length} pairs, not ${expected.rows.length}`,
      );
    const own = oneOf(random, members);
    const around = collideOne(scene, own.object, { distance, filter }).pairs.map(({ b }) => slots.get(b));
    const there = expected.partners(slots.get(own.object));
    if (around.join() !== there.join())
      differences.push(`collideOne after ${change} changes: ${around}, not ${there}`);
    const nearest = nearestPair(scene, { filter })?.distance ?? Infinity;
    if (Math.abs(nearest - expected.nearest) > 1e-12 * expected.nearest)
      differences.push(`nearestPair after ${change} changes: ${nearest}, not ${expected.nearest}`);
  }
  for (const mesh of meshes) mesh.dispose();
  return differences;
}

function somePositions(random, triangles) {
  return Array.from({ length: 9 * triangles }, () => below(random, 9) - 4);
}

/** Applies a random change; returns the new members. */
function changed(scene, members, meshes, random) {
  const one = members.length > 0 ? oneOf(random, members) : undefined;
  const draw = random();
  if (members.length < 4 || (draw < 0.25 && members.length < MOST_OBJECTS)) {
    const [mesh, pose] = [oneOf(random, meshes), somePose(random)];
    return [...members, { object: scene.add(mesh, { pose }), mesh, pose, hidden: false }];
  }
  if (draw < 0.35) {
    one.object.remove();
    return members.filter((member) => member !== one);
  }
  if (draw < 0.6) one.mesh.setPositions(somePositions(random, one.mesh.triangleCount));
  else if (draw < 0.9) {
    one.pose = somePose(random);
    one.object.move(one.pose);
  } else one.hidden = !one.hidden;
  return members;
}

/** Sixteen numbers, column-major. */
function somePose(random) {
  const pose = Array(16).fill(0);
  const even = oneIn(random, 3) ? undefined : oneOf(random, SCALES);
  oneOf(random, TURNS).forEach((row, column) => {
    pose[4 * column + row] = even ?? 1;
  });
  for (let k = 0; k < 3; k++) pose[12 + k] = below(random, 41) - 20;
  pose[15] = 1;
  return pose;
}

/** Intersecting pairs of objects, and the smallest distance. */
function truthOf(members, distance) {
  const corners = members.map(({ mesh, pose }) => cornersOf(mesh, pose));
  const rows = [];
  const met = [];
  let nearest = Infinity;
  for (let i = 0; i < members.length; i++) {
    for (let j = i + 1; j < members.length; j++) {
      if (members[i].hidden || members[j].hidden) continue;
      const pairs = [];
      for (let p = 0; p < corners[i].length; p += 9) {
        for (let q = 0; q < corners[j].length; q += 9) {
          const meets = intersectsTriangleTriangle(corners[i], p, corners[j], q);
          const gap = meets ? 0 : Math.sqrt(distanceSqTriangleTriangle(corners[i], p, corners[j], q));
          nearest = Math.min(nearest, gap);
          if (gap <= distance) pairs.push(p / 9, q / 9);
        }
      }
      if (pairs.length === 0) continue;
      rows.push(`${i} ${j}: ${pairs.join(' ')}`);
      met.push([i, j]);
    }
  }
  const partners = (own) => met.filter((pair) => pair.includes(own)).map(([i, j]) => (i === own ? j : i));
  return { rows, partners, nearest };
}

function cornersOf({ positions, indices }, m) {
  const out = new Float64Array(3 * indices.length);
  indices.forEach((v, i) => {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    for (let k = 0; k < 3; k++) out[3 * i + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
  });
  return out;
}
