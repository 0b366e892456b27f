/** Visibility and apparent size of balls for a camera. */
import type { StreamCamera } from './protocol.js';

export class Sight {
  /** Four numbers each, in the model: n·p + d ≥ 0 is visible; left, right, bottom, top, behind. */
  readonly #planes: number[][] = [];
  readonly #eye: readonly [number, number, number];
  readonly #isPerspective: boolean;

  constructor({ pose, projection: p }: Pick<StreamCamera, 'pose' | 'projection'>) {
    this.#isPerspective = p[11] !== 0;
    this.#eye = [pose[9], pose[10], pose[11]];
    const row = (r: number) => [0, 1, 2, 3].map((k) => p[4 * k + r]);
    const [x, y, w] = [row(0), row(1), row(3)];
    const inCamera = [
      ...[w.map((v, k) => v + x[k]), w.map((v, k) => v - x[k])],
      ...[w.map((v, k) => v + y[k]), w.map((v, k) => v - y[k])],
      ...(this.#isPerspective ? [w] : []),
    ];
    for (const [a, b, c, d] of inCamera) {
      const length = Math.hypot(a, b, c) || 1;
      const n = [0, 1, 2].map((k) => (pose[3 * k] * a + pose[3 * k + 1] * b + pose[3 * k + 2] * c) / length);
      this.#planes.push([...n, d / length - (n[0] * pose[9] + n[1] * pose[10] + n[2] * pose[11])]);
    }
  }

  sees(x: number, y: number, z: number, radius: number): boolean {
    return this.#planes.every(([a, b, c, d]) => a * x + b * y + c * z + d >= -radius);
  }

  /** The apparent size of a ball, as a tangent or, for orthographic views, as a length. */
  size(x: number, y: number, z: number, radius: number): number {
    if (!this.#isPerspective) return radius;
    const [ex, ey, ez] = this.#eye;
    return radius / Math.max(Math.hypot(x - ex, y - ey, z - ez) - radius, 1e-3 * radius, 1e-100);
  }

  /** The same for a box, by the ball around it. */
  sizeOfBox([a, b, c, d, e, f]: Float64Array): number {
    return this.size((a + d) / 2, (b + e) / 2, (c + f) / 2, Math.hypot(d - a, e - b, f - c) / 2);
  }
}
