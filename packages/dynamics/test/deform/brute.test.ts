/** The brute force of the detector against contacts that are known, and against plain loops over all elements. */
import { describe, expect, test } from 'vitest';
import { Deformables, EDGE_EDGE, VERTEX_FACE } from '../../src/index.js';

const triangle = [0, 0, 0, 4, 0, 0, 0, 4, 0];
const shifted = (positions: readonly number[], x: number, y: number, z: number) =>
  positions.map((value, i) => value + [x, y, z][i % 3]);

describe('contacts of two triangles', () => {
  test('a vertex through a face', () => {
    const detector = new Deformables({ broadPhase: 'brute' });
    detector.add({ positions: triangle, indices: [0, 1, 2], kind: 'static' });
    const needle = [1, 1, 1, 1, 1.5, 9, 1.5, 1, 9];
    const moving = detector.add({ positions: needle, indices: [0, 1, 2], kind: 'rigid' });
    moving.moveTo(shifted(needle, 0, 0, -2));
    const events = detector.continuous();
    expect([...events.kinds]).toEqual([VERTEX_FACE]);
    expect([...events.surfaces]).toEqual([1, 0]);
    expect([...events.vertices]).toEqual([0, 0, 1, 2]);
    expect([...events.faces]).toEqual([0]);
    expect(events.times[0]).toBeCloseTo(0.5, 9);
    expect([...events.weights]).toEqual([expect.closeTo(0.25, 9), expect.closeTo(0.25, 9)]);
    expect([...events.normals]).toEqual([expect.closeTo(0), expect.closeTo(0), expect.closeTo(1)]);
    detector.dispose();
  });

  test('an edge across an edge', () => {
    const detector = new Deformables({ broadPhase: 'brute' });
    const blade = [-1, 2, 1, 5, 2, 1, 2, 2, 9];
    detector.add({ positions: triangle, indices: [0, 1, 2], kind: 'static' });
    const moving = detector.add({ positions: blade, indices: [0, 1, 2], kind: 'rigid' });
    moving.moveTo(shifted(blade, 0, 0, -2));
    const events = detector.continuous();
    // the blade's lower edge meets the sides from 0 to 2 and from 1 to 2 of the triangle that lies below
    expect([...events.kinds]).toEqual([EDGE_EDGE, EDGE_EDGE]);
    expect([...events.vertices]).toEqual([1, 2, 0, 1, 2, 0, 0, 1]);
    expect([...events.surfaces]).toEqual([0, 1, 0, 1]);
    for (const time of events.times) expect(time).toBeCloseTo(0.5, 9);
    detector.dispose();
  });

  test('thickness makes what passes by an event', () => {
    for (const [thickness, count] of [
      [0.4, 0],
      [0.6, 1],
    ] as const) {
      const detector = new Deformables({ broadPhase: 'brute', thickness });
      detector.add({ positions: triangle, indices: [0, 1, 2], kind: 'static' });
      const needle = [1, 1, 1, 1, 1.5, 9, 1.5, 1, 9];
      detector.add({ positions: needle, indices: [0, 1, 2] }).moveTo(shifted(needle, 0, 0, -0.5));
      expect(detector.continuous().count).toBe(count);
      detector.dispose();
    }
  });

  test('no event without motion and contact, all events at time 0 where surfaces cross', () => {
    const detector = new Deformables({ broadPhase: 'brute' });
    detector.add({ positions: triangle, indices: [0, 1, 2] });
    const other = detector.add({ positions: shifted(triangle, 0, 0, 1), indices: [0, 1, 2] });
    expect(detector.continuous().count).toBe(0);
    other.moveTo(triangle);
    other.moveTo(triangle);
    const events = detector.continuous();
    expect(events.count).toBe(6 + 9); // each vertex lies on the other's face, each side meets all sides
    expect([...events.times].every((time) => time === 0)).toBe(true);
    detector.dispose();
  });
});
