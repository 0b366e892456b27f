import { seededRandom } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { describe, expect } from 'vitest';
import { full } from '../../../test/budget.js';
import { frameBox, VIEW_DIRECTIONS } from '../src/reports/camera.js';
import { DepthLayer, INSIDE } from '../src/reports/depth-layer.js';
import { SectionEntry } from '../src/reports/section-entry.js';

const WIDTH = 40;
const HEIGHT = 30;

const dot = (p: readonly number[], q: readonly number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const minus = (p: readonly number[], q: readonly number[]) => p.map((x, k) => x - q[k]);
const cross = (p: readonly number[], q: readonly number[]) => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];

/** Where a ray meets a triangle: how far along, and how far from the border in parts of the triangle. */
function hit(eye: readonly number[], ray: readonly number[], t: readonly (readonly number[])[]) {
  const [u, v] = [minus(t[1], t[0]), minus(t[2], t[0])];
  const h = cross(ray, v);
  const det = dot(u, h);
  const s = minus(eye, t[0]);
  const a = dot(s, h) / det;
  const q = cross(s, u);
  const b = dot(ray, q) / det;
  return { at: dot(v, q) / det, inside: Math.min(a, b, 1 - a - b) };
}

/** The twelve triangles of a box, which face outwards. */
function boxTriangles(from: readonly number[], to: readonly number[]): Float32Array {
  const corner = (bits: number) => [0, 1, 2].map((k) => ((bits >> k) & 1 ? to[k] : from[k]));
  const sides = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return Float32Array.from(
    sides.flatMap(([p, q, r, s]) => [p, q, r, p, r, s].flatMap((bits) => corner(bits))),
  );
}

describe('a layer of triangles', () => {
  full.each([0, 5, 11])('shows what rays meet, and nothing outside of its box (view %i)', (view) => {
    const random = seededRandom(40 + view);
    const half: Vec3 = [1.5, 1, 0.8];
    const middle: Vec3 = [4e5, -3e5, 70];
    const box = { min: minus(middle, half), max: middle.map((x, k) => x + half[k]) };
    const camera = frameBox(box as never, 1, VIEW_DIRECTIONS[view], box as never);
    const triangles = Array.from({ length: 12 }, () =>
      [0, 1, 2].map(() => [0, 1, 2].map((k) => Math.fround(half[k] * (3 * random() - 1.5)))),
    );
    const layer = new DepthLayer(WIDTH, HEIGHT);
    layer.look(camera, middle, half);
    layer.add(Float32Array.from(triangles.flat(2)));
    layer.draw();
    const eye = minus(camera.eye, middle);
    const right = cross(camera.direction, camera.up);
    const scale = Math.tan((camera.fieldOfViewDegrees / 360) * Math.PI) / (HEIGHT / 2);
    let shown = 0;
    let compared = 0;
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const [across, upward] = [(x + 0.5 - WIDTH / 2) * scale, (HEIGHT / 2 - y - 0.5) * scale];
        const ray = camera.direction.map((d, k) => d + across * right[k] + upward * camera.up[k]);
        let [nearest, doubtful] = [Infinity, false];
        for (const triangle of triangles) {
          const { at, inside } = hit(eye, ray, triangle);
          const margin = Math.min(
            ...half.map((h, k) => h - Math.abs(eye[k] + at * ray[k])).map((gap) => gap / 1e-4),
            inside / 1e-4,
          );
          if (at <= 0 || margin < -1) continue;
          if (margin < 1) doubtful = true;
          else nearest = Math.min(nearest, at);
        }
        if (doubtful) continue;
        compared++;
        const found = layer.nearness[y * WIDTH + x];
        if (nearest === Infinity) expect(found).toBe(0);
        else {
          shown++;
          expect(Math.abs(1 / found / nearest - 1)).toBeLessThan(1e-4);
        }
      }
    }
    expect(shown).toBeGreaterThan(60);
    expect(compared).toBeGreaterThan(0.95 * WIDTH * HEIGHT);
  });

  full.each([
    [0, 0],
    [5, 1],
    [11, 2],
    [3, 0],
  ])('tells where its box cuts through a solid (view %i, out along %i)', (view, out) => {
    const random = seededRandom(70 + view);
    const half: Vec3 = [1.2, 1, 0.7];
    const box = { min: half.map((h) => -h), max: half };
    const camera = frameBox(box as never, 1, VIEW_DIRECTIONS[view], box as never);
    // it reaches out of the section at two sides
    const from = [0, 1, 2].map((k) => half[k] * (k === out ? -3 : -0.4 - 0.4 * random()));
    const to = [0, 1, 2].map((k) => half[k] * (k === out ? 3 : 0.4 + 0.4 * random()));
    const corners = boxTriangles(from, to);
    const whole = new DepthLayer(WIDTH, HEIGHT);
    whole.look(camera, [0, 0, 0], half);
    whole.add(corners, true);
    whole.draw();
    const entry = new SectionEntry(camera, [0, 0, 0], half, WIDTH, HEIGHT);
    const right = cross(camera.direction, camera.up);
    const scale = Math.tan((camera.fieldOfViewDegrees / 360) * Math.PI) / (HEIGHT / 2);
    let cut = 0;
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const [across, upward] = [(x + 0.5 - WIDTH / 2) * scale, (HEIGHT / 2 - y - 0.5) * scale];
        const ray = camera.direction.map((d, k) => d + across * right[k] + upward * camera.up[k]);
        const sides = half.map((h, k) => (-h * Math.sign(ray[k]) - camera.eye[k]) / ray[k]);
        const at = Math.max(...sides);
        const point = ray.map((d, k) => camera.eye[k] + at * d);
        if (whole.nearness[y * WIDTH + x] === 0 || at <= 0) continue;
        expect(entry.axisAt(x, y)).toBe(sides.indexOf(at));
        const depth = Math.min(...point.flatMap((p, k) => [p - from[k], to[k] - p]));
        if (Math.abs(depth) < 1e-4) continue;
        const isInside = whole.shade[y * WIDTH + x] >= INSIDE;
        expect(isInside).toBe(depth > 0);
        if (isInside) cut++;
      }
    }
    expect(cut).toBeGreaterThan(10);
    // in bands as at once
    const band = new DepthLayer(WIDTH, HEIGHT, 7);
    band.look(camera, [0, 0, 0], half);
    band.add(corners, true);
    for (let row = 0; row < HEIGHT; row += 7) {
      band.draw(row);
      const size = WIDTH * Math.min(7, HEIGHT - row);
      const [first, last] = [WIDTH * row, WIDTH * row + size];
      expect(band.nearness.subarray(0, size)).toEqual(whole.nearness.subarray(first, last));
      for (let i = 0; i < size; i++)
        if (band.nearness[i] > 0) expect(band.shade[i]).toBe(whole.shade[first + i]);
      for (let k = 0; k < size / WIDTH; k++) {
        const drawn = Array.from(band.nearness.subarray(WIDTH * k, WIDTH * (k + 1)), (near) => near > 0);
        if (!drawn.includes(true)) continue;
        expect(band.first[k]).toBeLessThanOrEqual(drawn.indexOf(true));
        expect(band.end[k]).toBeGreaterThan(drawn.lastIndexOf(true));
      }
    }
    // nothing is left for the next picture
    band.look(camera, [0, 0, 0], half);
    band.draw();
    expect(band.nearness.every((near) => near === 0)).toBe(true);
  });

  full('stops at a bound of pixels, however many triangles cover all of them', () => {
    const layer = new DepthLayer(1000, 1000);
    const camera = frameBox({ min: [-1, -1, -1], max: [1, 1, 1] }, 1);
    layer.look(camera, [0, 0, 0], [9, 9, 9]);
    const [p, q] = [camera.up, cross(camera.direction, camera.up)];
    const at = (s: number, t: number, ahead: number) =>
      [0, 1, 2].map((k) => 30 * (s * p[k] + t * q[k]) - ahead * camera.direction[k]);
    // each nearer than the one before
    for (let i = 0; i < 60; i++) {
      const ahead = i / 100;
      layer.add(Float32Array.from([...at(1, 0, ahead), ...at(-1, -1, ahead), ...at(-1, 1, ahead)]));
    }
    layer.draw();
    const all = layer.nearness[500_500];
    expect(all).toBeGreaterThan(0);
    const distance = -dot(camera.eye, camera.direction);
    expect(1 / all).toBeGreaterThan(distance - 0.5);
  });
});
