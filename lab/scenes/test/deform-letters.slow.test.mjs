import { Mesh, selfIntersect } from 'impinge';
import { describe, expect, it } from 'vitest';
import { alphabet, letters } from '../dist/deform/index.js';
import { expectClosed, meetingPairs, worstQuality } from './deform-checks.mjs';

describe('letters', () => {
  const shapes = alphabet();
  const holes = { A: 1, B: 2, D: 1, O: 1, P: 1, Q: 1, R: 1 };

  it('come as twenty-six', () => {
    expect(shapes.map(({ name }) => name).join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  });

  it.each(shapes.map((shape) => [shape.name, shape]))('%s is closed, even, free of itself', (name, shape) => {
    expect(shape.indices.length / 3).toBeGreaterThan(850);
    expect(shape.indices.length / 3).toBeLessThan(950);
    expectClosed(shape, holes[name] ?? 0);
    expect(worstQuality(shape)).toBeGreaterThan(0.5);
    expect(selfIntersect(Mesh.from(shape)).count).toBe(0);
    let radius = 0;
    for (let i = 0; i < shape.positions.length; i += 3) {
      radius = Math.max(radius, Math.hypot(...shape.positions.subarray(i, i + 3)));
    }
    expect(shape.radius).toBeCloseTo(radius, 9);
  });

  it.each(shapes.map((shape) => [shape.name, shape]))('%s lies in the cells of its lattice', (_, shape) => {
    const { cellSize, origin, size, cells, cellOfVertex } = shape.lattice;
    const keys = new Set();
    for (let c = 0; c < cells.length; c += 3) {
      for (let k = 0; k < 3; k++) expect(cells[c + k]).toBeLessThan(size[k]);
      keys.add([...cells.subarray(c, c + 3)].join());
    }
    expect(keys.size).toBe(cells.length / 3);
    expect(cellOfVertex.length).toBe(shape.positions.length / 3);
    let farthest = 0;
    for (let v = 0; v < cellOfVertex.length; v++) {
      for (let k = 0; k < 3; k++) {
        const inCell = (shape.positions[3 * v + k] - origin[k]) / cellSize - cells[3 * cellOfVertex[v] + k];
        farthest = Math.max(farthest, Math.abs(inCell - 0.5));
      }
    }
    expect(farthest).toBeLessThanOrEqual(0.5 + 1e-6);
    // joined face to face
    const reached = new Set([[...keys][0]]);
    for (const cell of reached) {
      const at = cell.split(',').map(Number);
      for (let side = 0; side < 6; side++) {
        const next = at.map((c, k) => c + (side >> 1 === k ? 2 * (side & 1) - 1 : 0)).join();
        if (keys.has(next)) reached.add(next);
      }
    }
    expect(reached.size).toBe(keys.size);
  });

  it('have about eleven cells each', () => {
    const counts = shapes.map(({ lattice }) => lattice.cells.length / 3);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...counts)).toBeLessThanOrEqual(16);
    const mean = counts.reduce((sum, count) => sum + count) / 26;
    expect(mean).toBeGreaterThan(10);
    expect(mean).toBeLessThan(13);
  });

  it('stand 39 of each in balls of their own, posed copies of their shapes', () => {
    const scene = letters();
    expect(scene.letters).toHaveLength(1014);
    const uses = new Array(26).fill(0);
    const centres = scene.letters.map(({ pose }) => pose.subarray(9));
    scene.letters.forEach((letter, i) => {
      const shape = scene.shapes[letter.shape];
      uses[letter.shape]++;
      expect(letter.indices).toBe(shape.indices);
      for (const v of [0, letter.positions.length / 3 - 1]) {
        for (let k = 0; k < 3; k++) {
          const place = [0, 1, 2].reduce(
            (sum, a) => sum + letter.pose[3 * k + a] * shape.positions[3 * v + a],
            letter.pose[9 + k],
          );
          expect(letter.positions[3 * v + k]).toBe(Math.fround(place));
        }
      }
      expect(centres[i][1]).toBeGreaterThan(shape.radius);
      for (let j = 0; j < i; j++) {
        const apart = Math.hypot(...[0, 1, 2].map((k) => centres[i][k] - centres[j][k]));
        if (apart < shape.radius + scene.shapes[scene.letters[j].shape].radius + 0.005) {
          throw new Error(`${letter.name} and ${scene.letters[j].name} are too close`);
        }
      }
    });
    expect(uses).toEqual(new Array(26).fill(39));
    expect(meetingPairs(scene.tray, ...scene.letters.slice(0, 80))).toBe(0);
  });
});
