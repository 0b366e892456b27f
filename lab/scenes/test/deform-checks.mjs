/** Checks of meshes for the tests of scenes. */
import { createHash } from 'node:crypto';
import { Mesh, selfIntersect } from 'impinge';
import { expect } from 'vitest';

/** How often each undirected edge is used, and whether some directed edge is used twice. */
export function edgesOf({ indices }) {
  const uses = new Map();
  const directed = new Set();
  let repeated = 0;
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i];
    const to = indices[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(from, to) * 2 ** 26 + Math.max(from, to);
    uses.set(key, (uses.get(key) ?? 0) + 1);
    if (directed.has(from * 2 ** 26 + to)) repeated++;
    directed.add(from * 2 ** 26 + to);
  }
  return { counts: new Set(uses.values()), repeated };
}

export function signedVolume({ positions: p, indices }) {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
    sum += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
    sum += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

/** Every edge joins two triangles that traverse it in opposite directions; faces point outwards. */
export function expectClosedSolid(mesh, name) {
  const { counts, repeated } = edgesOf(mesh);
  expect([...counts], name).toEqual([2]);
  expect(repeated, name).toBe(0);
  expect(signedVolume(mesh), name).toBeGreaterThan(0);
}

/** The same, in one piece with the given number of holes; no unused vertices. */
export function expectClosed(mesh, holesThrough = 0) {
  expectClosedSolid(mesh);
  expect(new Set(mesh.indices).size).toBe(mesh.positions.length / 3);
  expect(mesh.positions.length / 3 - mesh.indices.length / 6).toBe(2 - 2 * holesThrough);
}

/** The worst triangle: 1 for equal sides, 0 for no area. */
export function worstQuality({ positions, indices }) {
  let worst = 1;
  const length = (a, b) => Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k]));
  for (let t = 0; t < indices.length; t += 3) {
    const sides = [0, 1, 2].map((k) => length(indices[t + k], indices[t + ((k + 1) % 3)]));
    const half = (sides[0] + sides[1] + sides[2]) / 2;
    const area = Math.sqrt(Math.max(0, half * (half - sides[0]) * (half - sides[1]) * (half - sides[2])));
    worst = Math.min(worst, (4 * Math.sqrt(3) * area) / sides.reduce((sum, side) => sum + side * side, 0));
  }
  return worst;
}

function merged(meshes) {
  const positions = [];
  const indices = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const value of mesh.positions) positions.push(value);
    for (const vertex of mesh.indices) indices.push(first + vertex);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export const meetingPairs = (...meshes) => selfIntersect(Mesh.from(merged(meshes))).count;

/** A hash of all typed arrays of a scene, at any depth. */
export function hashOf(scene) {
  const hash = createHash('sha256');
  const visit = (value) => {
    if (ArrayBuffer.isView(value))
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else if (typeof value === 'object') for (const part of Object.values(value)) visit(part);
  };
  visit(scene);
  return hash.digest('hex').slice(0, 12);
}

export const lowest = ({ positions }) =>
  positions.reduce((least, y, i) => (i % 3 === 1 ? Math.min(least, y) : least), Infinity);
