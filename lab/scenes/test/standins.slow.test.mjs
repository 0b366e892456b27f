import { describe, expect, it } from 'vitest';
import { plyOf, refineScan, turbine } from '../dist/standins/index.js';
import { box, icosphere, torus } from '../index.mjs';
import { edgesOf, hashOf } from './deform-checks.mjs';

/** All blocks in one mesh, vertices with equal bits merged. */
function welded(meshes) {
  const numberOf = new Map();
  const positions = [];
  const indices = [];
  for (const mesh of meshes) {
    const bits = new Uint32Array(mesh.positions.buffer, mesh.positions.byteOffset, mesh.positions.length);
    for (const vertex of mesh.indices) {
      const key = `${bits[3 * vertex]} ${bits[3 * vertex + 1]} ${bits[3 * vertex + 2]}`;
      if (!numberOf.has(key)) {
        numberOf.set(key, positions.length / 3);
        positions.push(...mesh.positions.subarray(3 * vertex, 3 * vertex + 3));
      }
      indices.push(numberOf.get(key));
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** One vertex per corner. */
function unwelded({ positions, indices }) {
  const soup = new Float32Array(3 * indices.length);
  indices.forEach((vertex, i) => {
    soup.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  });
  return { positions: soup, indices: Uint32Array.from(indices, (_, i) => i) };
}

/** Unit normals of triangles, three numbers each; NaN where there is no area. */
function normalsOf({ positions: p, indices }) {
  const normals = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [u, v] = [b, c].map((at) => [0, 1, 2].map((k) => p[at + k] - p[a + k]));
    const n = [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    normals.set(
      n.map((value) => value / Math.hypot(...n)),
      t,
    );
  }
  return normals;
}

/** Signed volumes of the connected pieces. */
function volumesOf({ positions: p, indices }) {
  const parent = Uint32Array.from({ length: p.length / 3 }, (_, i) => i);
  const rootOf = (v) => {
    while (parent[v] !== v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (let i = 0; i < indices.length; i++) parent[rootOf(indices[i])] = rootOf(indices[i - (i % 3)]);
  const volumes = new Map();
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const six =
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
    const root = rootOf(indices[t]);
    volumes.set(root, (volumes.get(root) ?? 0) + six / 6);
  }
  return [...volumes.values()];
}

describe('a refined scan', () => {
  const scans = [
    ['sphere', icosphere(3), 180, 5],
    ['torus', torus(1, 0.4, 24, 12), 576, 4],
    ['box', box(1, 2, 3), 12, 7],
    ['not refined', icosphere(2), 80, 1],
  ];
  it.each(scans)('%s: as many triangles as said, and as closed as before', (_, scan, count, factor) => {
    for (const input of [scan, unwelded(scan)]) {
      const refined = refineScan(input, { triangles: count * factor ** 2 + 1, blockTriangles: 100 });
      expect(refined.factor).toBe(factor);
      expect(refined.triangleCount).toBe(count * factor ** 2);
      const mesh = welded(refined.blocks());
      expect(mesh.indices.length).toBe(3 * refined.triangleCount);
      expect(mesh.positions.length).toBe(3 * refined.vertexCount);
      const { counts, repeated } = edgesOf(mesh);
      expect([...counts]).toEqual([2]);
      expect(repeated).toBe(0);
      expect(normalsOf(mesh).every(Number.isFinite)).toBe(true);
    }
  });

  it('is the same from blocks and from shared vertices, whatever the size of blocks', () => {
    const scan = icosphere(3);
    const shapes = [1, 13, 1000, 1e6].map((blockTriangles) => {
      const refined = refineScan(scan, { triangles: 180 * 36, seed: 3, blockTriangles });
      const positions = Float32Array.from([...refined.vertices()].flatMap((block) => [...block]));
      const indices = Uint32Array.from([...refined.triangles()].flatMap((block) => [...block]));
      expect(positions.length).toBe(3 * refined.vertexCount);
      const shared = welded([{ positions, indices }]);
      expect(shared).toEqual(welded(refined.blocks()));
      return hashOf(shared);
    });
    expect(new Set(shapes).size).toBe(1);
  });

  it('repeats with the seed, on every machine, and differs without it', () => {
    const bytes = (seed) => hashOf([...refineScan(icosphere(2), { triangles: 2000, seed }).blocks()]);
    expect(bytes(1)).toBe(bytes(1));
    expect(bytes(2)).not.toBe(bytes(1));
    // coordinates without engine-dependent rounding
    expect(hashOf([...refineScan(box(1, 2, 3), { triangles: 1200, seed: 1 }).blocks()])).toBe('5f7dff28d65b');
  });

  it('comes in blocks of bounded size', () => {
    const refined = refineScan(icosphere(2), { triangles: 80 * 400, blockTriangles: 500 });
    const blocks = [...refined.blocks()];
    for (const { positions, indices } of blocks) {
      expect(indices.length).toBeLessThanOrEqual(3 * 500);
      expect(positions.length).toBeLessThanOrEqual(3 * 500);
    }
    // full up to less than the longest row
    for (const { indices } of blocks.slice(0, -1)) expect(indices.length).toBeGreaterThan(3 * (500 - 39));
    for (const block of refined.vertices()) expect(block.length).toBeLessThanOrEqual(3 * 500);
    for (const block of refined.triangles()) expect(block.length).toBeLessThanOrEqual(3 * 500);
    // a row of a single triangle with a hundred parts per side
    const large = refineScan(box(1, 1, 1), { triangles: 12 * 10_000, blockTriangles: 10 });
    for (const { indices } of large.blocks()) expect(indices.length).toBeLessThanOrEqual(3 * 199);
  });

  it('refuses what it cannot refine', () => {
    const { positions, indices } = box(1, 1, 1);
    expect(() => refineScan({ positions, indices: indices.subarray(0, 0) }, { triangles: 10 })).toThrow(
      RangeError,
    );
    expect(() => refineScan({ positions, indices }, { triangles: 0 })).toThrow(RangeError);
    expect(() => refineScan({ positions, indices }, { triangles: 1e12 })).toThrow(RangeError);
    expect(() => refineScan({ positions, indices: Uint32Array.of(0, 1, 99) }, { triangles: 9 })).toThrow(
      RangeError,
    );
    expect(() => refineScan({ positions: positions.map(() => NaN), indices }, { triangles: 9 })).toThrow(
      RangeError,
    );
  });

  it('is written as a binary PLY file', () => {
    const refined = refineScan(box(1, 2, 3), { triangles: 300, blockTriangles: 50 });
    const file = Buffer.concat([...plyOf(refined)]);
    const start = file.indexOf('end_header\n') + 11;
    expect(file.length - start).toBe(12 * refined.vertexCount + 13 * refined.triangleCount);
    expect(file.toString('latin1', 0, start)).toContain(`element face ${refined.triangleCount}\n`);
    const positions = Float32Array.from({ length: 3 * refined.vertexCount }, (_, i) =>
      file.readFloatLE(start + 4 * i),
    );
    const faces = start + 4 * positions.length;
    const indices = Uint32Array.from({ length: 3 * refined.triangleCount }, (_, i) =>
      file.readUInt32LE(faces + 13 * Math.floor(i / 3) + 1 + 4 * (i % 3)),
    );
    expect(welded([{ positions, indices }])).toEqual(welded(refined.blocks()));
  });
});

describe('the turbine', () => {
  it.each([80_000, 150_000])('%d triangles, within a twentieth: closed pieces that look out', (triangles) => {
    const mesh = turbine(triangles);
    expect(Math.abs(mesh.indices.length / 3 / triangles - 1)).toBeLessThan(0.05);
    const { counts, repeated } = edgesOf(mesh);
    expect([...counts]).toEqual([2]);
    expect(repeated).toBe(0);
    expect(normalsOf(mesh).every(Number.isFinite)).toBe(true);
    const volumes = volumesOf(mesh);
    expect(volumes.length).toBeGreaterThan(900);
    expect(Math.min(...volumes)).toBeGreaterThan(0);
  });

  it('repeats with the seed, on every machine, and differs without it', () => {
    expect(hashOf(turbine(80_000, 2))).not.toBe(hashOf(turbine(80_000, 1)));
    expect(hashOf(turbine(80_000, 1))).toBe('cfd19ca7b40e');
  });

  it('refuses too few triangles', () => {
    expect(() => turbine(1000)).toThrow(RangeError);
  });
});
