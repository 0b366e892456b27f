import { seededRandom } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { describe, expect } from 'vitest';
import { full } from '../../../test/budget.js';
import { frameBox, VIEW_DIRECTIONS } from '../src/reports/camera.js';
import { DepthLayer } from '../src/reports/depth-layer.js';

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
    layer.draw(Float32Array.from(triangles.flat(2)));
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
      layer.draw(Float32Array.from([...at(1, 0, ahead), ...at(-1, -1, ahead), ...at(-1, 1, ahead)]));
    }
    const all = layer.nearness[500_500];
    expect(all).toBeGreaterThan(0);
    const distance = -dot(camera.eye, camera.direction);
    expect(1 / all).toBeGreaterThan(distance - 0.5);
  });
});
