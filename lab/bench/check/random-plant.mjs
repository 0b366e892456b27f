/**
 * Pipes, elbows, beams and vessels in random poses, each with a different mesh, so that nothing can be shared.
 * About 320 triangles per object, one to two overlapping boxes each.
 *
 * File: uint32 object count, uint32 0, per object uint32 vertex count and triangle count, per object 12 float64 of pose
 * (rotation row by row, translation), then float32 positions and uint32 indices of all objects one after the other.
 * Near pairs, in another file: uint32 pair count, then two uint32 each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';

/** Side of the cube for one object: the density is the same for any number of objects. */
const ROOM = 1.55;

/** @typedef {{ positions: Float32Array, indices: Uint32Array, pose: Float64Array }} PlacedMesh */

/**
 * @param {number} objectCount
 * @param {number} seed
 * @returns {PlacedMesh[]}
 */
export function randomPlant(objectCount, seed) {
  const random = seededRandom(seed);
  const side = ROOM * Math.cbrt(objectCount);
  return Array.from({ length: objectCount }, () => {
    const draw = random();
    const make = draw < 0.45 ? pipe : draw < 0.7 ? elbow : draw < 0.9 ? beam : vessel;
    const mesh = make(random);
    const pose = new Float64Array(12);
    pose.set(randomRotation(random));
    for (let k = 9; k < 12; k++) pose[k] = side * random();
    return { ...mesh, pose };
  });
}

function pipe(random) {
  const sides = 12 + 2 * Math.floor(7 * random());
  const radius = 0.03 + 0.12 * random();
  const length = 0.5 + 3 * random();
  const rings = 3 + Math.floor(4 * random());
  const along = Array.from({ length: rings + 1 }, (_, i) => [(length * i) / rings - length / 2, 0, 0]);
  return tube(circle(sides, radius), along);
}

function elbow(random) {
  const sides = 12 + 2 * Math.floor(5 * random());
  const radius = 0.05 + 0.12 * random();
  const bend = 3 * radius;
  const rings = 8 + Math.floor(5 * random());
  const angle = (i) => (0.5 * Math.PI * i) / rings;
  const along = Array.from({ length: rings + 1 }, (_, i) => [
    bend * Math.sin(angle(i)),
    bend * (Math.cos(angle(i)) - 1),
    -angle(i),
  ]);
  return tube(circle(sides, radius), along);
}

/** The ends of an I-section: flange, web, flange. */
// biome-ignore format: one part per line
const BEAM_CAP = [
  0, 1, 2, 0, 2, 9, 0, 9, 10, 0, 10, 11,
  2, 3, 8, 2, 8, 9,
  5, 6, 7, 5, 7, 8, 5, 8, 3, 5, 3, 4,
];

/** An I-section. */
function beam(random) {
  const h = 0.08 + 0.12 * random();
  const w = 0.6 * h;
  const f = 0.12 * h;
  const t = 0.06 * h;
  // biome-ignore format: one side per line
  const section = [
    [-h, -w], [-h + f, -w], [-h + f, -t], [h - f, -t], [h - f, -w], [h, -w],
    [h, w], [h - f, w], [h - f, t], [-h + f, t], [-h + f, w], [-h, w],
  ];
  const length = 1 + 3 * random();
  const rings = 4 + Math.floor(6 * random());
  const along = Array.from({ length: rings + 1 }, (_, i) => [(length * i) / rings - length / 2, 0, 0]);
  return tube(section, along, { cap: BEAM_CAP });
}

/** A cylinder with domes. */
function vessel(random) {
  const sides = 24 + 2 * Math.floor(6 * random());
  const radius = 0.2 + 0.4 * random();
  const length = 0.5 + 1.5 * random();
  const rows = 8;
  const along = [];
  const scales = [];
  for (let end = 0; end < 2; end++) {
    for (let i = 0; i <= rows; i++) {
      const angle = 0.5 * Math.PI * (end === 0 ? 1 - (i + 0.25) / (rows + 0.25) : i / (rows + 0.25));
      along.push([(end === 0 ? -1 : 1) * (length / 2 + 0.6 * radius * Math.sin(angle)), 0, 0]);
      scales.push(Math.cos(angle));
    }
  }
  return tube(circle(sides, radius), along, { scales });
}

function circle(sides, radius) {
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/**
 * A section moved along a line and closed at both ends.
 * @param {number[][]} section points (y, z)
 * @param {number[][]} along x, y and the turn about z of each ring
 * @param {{ scales?: number[], cap?: number[] }} options of each ring; corners of the triangles that close an end
 */
function tube(section, along, { scales, cap = fan(section.length) } = {}) {
  const sides = section.length;
  const rings = along.length;
  const positions = new Float32Array(3 * sides * rings);
  along.forEach(([x, y, turn], ring) => {
    const scale = scales?.[ring] ?? 1;
    section.forEach(([u, v], i) => {
      const at = 3 * (ring * sides + i);
      positions[at] = x - scale * u * Math.sin(turn);
      positions[at + 1] = y + scale * u * Math.cos(turn);
      positions[at + 2] = scale * v;
    });
  });
  const indices = new Uint32Array(6 * sides * (rings - 1) + 2 * cap.length);
  let at = 0;
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let i = 0; i < sides; i++) {
      const a = ring * sides + i;
      const b = ring * sides + ((i + 1) % sides);
      indices.set([a, b, b + sides, a, b + sides, a + sides], at);
      at += 6;
    }
  }
  const last = sides * (rings - 1);
  for (let i = 0; i < cap.length; i += 3) {
    indices.set([cap[i], cap[i + 2], cap[i + 1]], at + i);
    indices.set([last + cap[i], last + cap[i + 1], last + cap[i + 2]], at + cap.length + i);
  }
  return { positions, indices };
}

/** Triangulates a convex polygon. */
function fan(sides) {
  return Array.from({ length: sides - 2 }, (_, i) => [0, i + 1, i + 2]).flat();
}

/** World coordinates in float64. */
export function worldPositions({ positions, pose }) {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] =
        pose[3 * k] * positions[i] +
        pose[3 * k + 1] * positions[i + 1] +
        pose[3 * k + 2] * positions[i + 2] +
        pose[9 + k];
    }
  }
  return out;
}

/** The box of each object, six numbers: minimum, maximum. */
export function worldBoxes(objects) {
  const boxes = new Float64Array(6 * objects.length);
  objects.forEach((object, o) => {
    const box = boxes.subarray(6 * o, 6 * o + 6).fill(Infinity, 0, 3);
    box.fill(-Infinity, 3);
    worldPositions(object).forEach((value, i) => {
      const k = i % 3;
      if (value < box[k]) box[k] = value;
      if (value > box[3 + k]) box[3 + k] = value;
    });
  });
  return boxes;
}

/** Pairs (i < j) whose boxes are at most `reach` apart on every axis, by a sweep along x; two numbers each. */
export function nearPairs(boxes, reach) {
  const order = Array.from({ length: boxes.length / 6 }, (_, i) => i);
  order.sort((i, j) => boxes[6 * i] - boxes[6 * j]);
  const pairs = [];
  let active = [];
  for (const i of order) {
    active = active.filter((j) => boxes[6 * j + 3] + reach >= boxes[6 * i]);
    for (const j of active) {
      const apart = [1, 2].some(
        (k) =>
          boxes[6 * i + k] > boxes[6 * j + 3 + k] + reach || boxes[6 * j + k] > boxes[6 * i + 3 + k] + reach,
      );
      if (!apart) pairs.push(Math.min(i, j), Math.max(i, j));
    }
    active.push(i);
  }
  return Uint32Array.from(pairs);
}

export function writePlant(path, objects) {
  const head = new Uint32Array(2 + 2 * objects.length);
  head[0] = objects.length;
  objects.forEach(({ positions, indices }, i) => {
    head[2 + 2 * i] = positions.length / 3;
    head[3 + 2 * i] = indices.length / 3;
  });
  const parts = [
    head,
    ...['pose', 'positions', 'indices'].flatMap((name) => objects.map((object) => object[name])),
  ];
  writeFileSync(path, Buffer.concat(parts.map(bytesOf)));
}

/** @returns {PlacedMesh[]} */
export function readPlant(path) {
  const file = readFileSync(path);
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const [objectCount] = new Uint32Array(bytes, 0, 1);
  const counts = new Uint32Array(bytes, 8, 2 * objectCount);
  const take = (Numbers, at, length) => new Numbers(bytes, at, length).slice();
  let vertexAt = 8 + 104 * objectCount;
  let indexAt = vertexAt;
  for (let i = 0; i < objectCount; i++) indexAt += 12 * counts[2 * i];
  return Array.from({ length: objectCount }, (_, i) => {
    const pose = take(Float64Array, 8 + 8 * objectCount + 96 * i, 12);
    const positions = take(Float32Array, vertexAt, 3 * counts[2 * i]);
    const indices = take(Uint32Array, indexAt, 3 * counts[2 * i + 1]);
    vertexAt += positions.byteLength;
    indexAt += indices.byteLength;
    return { positions, indices, pose };
  });
}

export function writePairs(path, pairs) {
  writeFileSync(path, Buffer.concat([Uint32Array.of(pairs.length / 2), pairs].map(bytesOf)));
}

export function readPairs(path) {
  const file = readFileSync(path);
  return new Uint32Array(file.buffer.slice(file.byteOffset + 4, file.byteOffset + file.byteLength));
}

function bytesOf(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
