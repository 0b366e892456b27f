/**
 * A small software rasteriser: nearness and shade of the nearest triangle at each pixel. Triangles are clipped to a box
 * and to the front of the camera first.
 */
import type { Vec3 } from 'impinge';
import type { Camera } from './camera.js';
import { CORNERS_MAX, cutBy, isWithin } from './cut-polygon.js';

/** Number of shades, the brightest last. */
export const SHADES = 16;

/** Distance of the near plane, in metres. */
const NEAR = 0.01;

/** Limit on the number of pixels visited; further triangles are omitted. */
const PIXELS_MAX = 20_000_000;

export class DepthLayer {
  readonly width: number;
  readonly height: number;
  /** One over the depth; 0: empty. */
  readonly nearness: Float32Array;
  readonly shade: Uint8Array;
  #half: Vec3 = [0, 0, 0];
  /** The camera's axes, and its eye relative to the centre of the box. */
  #right: Vec3 = [1, 0, 0];
  #up: Vec3 = [0, 0, 1];
  #ahead: Vec3 = [0, 1, 0];
  #eye: Vec3 = [0, 0, 0];
  #light: Vec3 = [0, 0, 0];
  #scale = 1;
  readonly #polygon = new Float64Array(3 * CORNERS_MAX);
  readonly #cut = new Float64Array(3 * CORNERS_MAX);
  #pixelsLeft = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.nearness = new Float32Array(width * height);
    this.shade = new Uint8Array(width * height);
  }

  /** Clears the layer for a box with these half sides around `middle`. */
  look({ direction: d, up, eye, fieldOfViewDegrees }: Camera, middle: Vec3, half: Vec3): void {
    this.nearness.fill(0);
    this.#pixelsLeft = PIXELS_MAX;
    this.#half = half;
    this.#ahead = d;
    this.#up = up;
    this.#right = [d[1] * up[2] - d[2] * up[1], d[2] * up[0] - d[0] * up[2], d[0] * up[1] - d[1] * up[0]];
    this.#eye = [eye[0] - middle[0], eye[1] - middle[1], eye[2] - middle[2]];
    // from above the camera, and a little from the side
    const light = (k: number) => 0.78 * d[k] - 0.55 * up[k] + 0.3 * this.#right[k];
    this.#light = [light(0), light(1), light(2)];
    this.#scale = this.height / 2 / Math.tan((fieldOfViewDegrees / 360) * Math.PI);
  }

  /** Nine numbers per triangle, relative to the centre of the box. */
  draw(corners: Float32Array): void {
    for (let at = 0; at + 9 <= corners.length; at += 9) this.#drawTriangle(corners, at);
  }

  #drawTriangle(corners: Float32Array, at: number): void {
    const shade = this.#shadeOf(corners, at);
    let count = 3;
    let [polygon, cut] = [this.#polygon, this.#cut];
    let reachesOut = false;
    for (let i = 0; i < 9; i++) {
      const x = (polygon[i] = corners[at + i]);
      const half = this.#half[i % 3];
      reachesOut ||= half - x < 0 || half + x < 0;
    }
    for (let axis = 0; axis < 3 && reachesOut; axis++) {
      for (const sign of [1, -1]) {
        if (isWithin(polygon, count, axis, -sign, this.#half[axis])) continue;
        count = cutBy(polygon, count, cut, axis, -sign, this.#half[axis]);
        if (count === 0) return;
        [polygon, cut] = [cut, polygon];
      }
    }
    const [eye, ahead, right, up] = [this.#eye, this.#ahead, this.#right, this.#up];
    for (let v = 0; v < 3 * count; v += 3) {
      const [x, y, z] = [polygon[v] - eye[0], polygon[v + 1] - eye[1], polygon[v + 2] - eye[2]];
      polygon[v] = x * right[0] + y * right[1] + z * right[2];
      polygon[v + 1] = x * up[0] + y * up[1] + z * up[2];
      polygon[v + 2] = x * ahead[0] + y * ahead[1] + z * ahead[2];
    }
    count = cutBy(polygon, count, cut, 2, 1, -NEAR);
    for (let v = 0; v < 3 * count; v += 3) {
      const nearness = 1 / cut[v + 2];
      cut[v] = this.width / 2 + this.#scale * cut[v] * nearness;
      cut[v + 1] = this.height / 2 - this.#scale * cut[v + 1] * nearness;
      cut[v + 2] = nearness;
    }
    for (let v = 6; v < 3 * count; v += 3) this.#fill(cut, 0, v - 3, v, shade);
  }

  /** Brightest if it faces the light; both sides are alike. */
  #shadeOf(c: Float32Array, at: number): number {
    const ux = c[at + 3] - c[at];
    const uy = c[at + 4] - c[at + 1];
    const uz = c[at + 5] - c[at + 2];
    const vx = c[at + 6] - c[at];
    const vy = c[at + 7] - c[at + 1];
    const vz = c[at + 8] - c[at + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length === 0) return 0;
    const light = this.#light;
    const facing = Math.abs(nx * light[0] + ny * light[1] + nz * light[2]) / length;
    return Math.min(SHADES - 1, Math.floor(SHADES * facing));
  }

  /** Row by row; one over the depth is linear on the screen. */
  #fill(p: Float64Array, a: number, b: number, c: number, shade: number): void {
    const ax = p[a];
    const ay = p[a + 1];
    const ux = p[b] - ax;
    const uy = p[b + 1] - ay;
    const vx = p[c] - ax;
    const vy = p[c + 1] - ay;
    const area = ux * vy - uy * vx;
    if (!(Math.abs(area) > 1e-12)) return;
    // barycentric weights of b and c, and the nearness: their slopes in x and y
    const bx = vy / area;
    const by = -vx / area;
    const cx = -uy / area;
    const cy = ux / area;
    const near = p[a + 2];
    const nearX = bx * (p[b + 2] - near) + cx * (p[c + 2] - near);
    const nearY = by * (p[b + 2] - near) + cy * (p[c + 2] - near);
    const top = Math.max(0, Math.floor(ay + Math.min(0, uy, vy)));
    const bottom = Math.min(this.height - 1, Math.ceil(ay + Math.max(0, uy, vy)));
    for (let y = top; y <= bottom; y++) {
      const dy = y + 0.5 - ay;
      let from = 0.5 - ax;
      let to = this.width - 0.5 - ax;
      // where all three weights are positive
      for (let side = 0; side < 3; side++) {
        const slope = side === 0 ? bx : side === 1 ? cx : -bx - cx;
        const rest = side === 0 ? by * dy : side === 1 ? cy * dy : 1 - by * dy - cy * dy;
        if (slope > 0) from = Math.max(from, -rest / slope);
        else if (slope < 0) to = Math.min(to, -rest / slope);
        else if (rest < 0) to = -Infinity;
      }
      const first = Math.ceil(from + ax - 0.5);
      const last = Math.floor(to + ax - 0.5);
      if (!(first <= last)) continue;
      this.#pixelsLeft -= last + 1 - first;
      if (this.#pixelsLeft < 0) return;
      const row = y * this.width;
      let nearness = near + nearY * dy + nearX * (first + 0.5 - ax);
      for (let x = first; x <= last; x++) {
        if (nearness > this.nearness[row + x]) {
          this.nearness[row + x] = nearness;
          this.shade[row + x] = shade;
        }
        nearness += nearX;
      }
    }
  }
}
