/**
 * A small software rasteriser: nearness and shade of the nearest triangle at each pixel of some rows of a picture.
 * Triangles are clipped to a box and to the front of the camera and projected once, then drawn some rows at a time.
 */
import type { Vec3 } from 'impinge';
import { withRoom } from '../formats/growing.js';
import type { Camera } from './camera.js';
import { CORNERS_MAX, cutBy, isWithin } from './cut-polygon.js';

/** Number of shades, the brightest last. */
export const SHADES = 16;

/** Added to the shade where a closed surface is seen from inside: the box cuts through what it encloses. */
export const INSIDE = 32;

/** Distance of the near plane, in metres. */
const NEAR = 0.01;

/** Numbers of a projected triangle: x, y and nearness of its corners, its shade. */
const STRIDE = 10;

/** Limit on the number of pixels visited in the rows that are drawn at a time; further triangles are omitted. */
const PIXELS_MAX = 20_000_000;

export class DepthLayer {
  readonly width: number;
  /** Of the picture, and of the rows that are drawn at a time. */
  readonly height: number;
  readonly rows: number;
  /** One over the depth; 0: empty. */
  readonly nearness: Float32Array;
  readonly shade: Uint8Array;
  /** Of each row, the pixels outside of which it is empty: the first, and the one after the last. */
  readonly first: Int32Array;
  readonly end: Int32Array;
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
  /** What was added since the last look. */
  #projected = new Float64Array(0);
  /** The first and the last row of each triangle: most are in few of the rows that are drawn at a time. */
  #extents = new Uint32Array(0);
  #count = 0;
  #pixelsLeft = 0;
  #firstRow = 0;

  constructor(width: number, height: number, rows = height) {
    this.width = width;
    this.height = height;
    this.rows = rows;
    this.nearness = new Float32Array(width * rows);
    this.shade = new Uint8Array(width * rows);
    this.first = new Int32Array(rows).fill(width);
    this.end = new Int32Array(rows);
  }

  /** Begins a picture of a box with these half sides around `middle`. */
  look({ direction: d, up, eye, fieldOfViewDegrees }: Camera, middle: Vec3, half: Vec3): void {
    this.#count = 0;
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

  /** Nine numbers per triangle, relative to the centre of the box; `isClosed`: of a closed surface, seen outside. */
  add(corners: Float32Array, isClosed = false): void {
    for (let at = 0; at + 9 <= corners.length; at += 9) this.#project(corners, at, isClosed);
  }

  /** Draws all that was added, in the rows from `firstRow` on and nowhere else. */
  draw(firstRow = 0): void {
    this.#clear();
    this.#firstRow = firstRow;
    this.#pixelsLeft = PIXELS_MAX;
    const lastRow = Math.min(this.height, firstRow + this.rows) - 1;
    const extents = this.#extents;
    for (let i = 0; i < this.#count; i++) {
      const [top, bottom] = [extents[2 * i], extents[2 * i + 1]];
      if (top > lastRow || bottom < firstRow) continue;
      this.#fill(this.#projected, STRIDE * i, Math.max(top, firstRow), Math.min(bottom, lastRow));
    }
  }

  /** Only what was drawn, which is mostly a small part. */
  #clear(): void {
    const { nearness, first, end, width, rows } = this;
    for (let row = 0; row < rows; row++) {
      if (first[row] < end[row]) nearness.fill(0, row * width + first[row], row * width + end[row]);
    }
    first.fill(width);
    end.fill(0);
  }

  #project(corners: Float32Array, at: number, isClosed: boolean): void {
    const shade = this.#shadeOf(corners, at, isClosed);
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
    for (let v = 6; v < 3 * count; v += 3) this.#keep(cut, v, shade);
  }

  /** Keeps one triangle of a fan: its first corner, the one at v and the one before. */
  #keep(fan: Float64Array, v: number, shade: number): void {
    const [p, q, r] = [fan[1], fan[v - 2], fan[v + 1]];
    const top = Math.max(0, Math.floor(Math.min(p, q, r)));
    const bottom = Math.min(this.height - 1, Math.ceil(Math.max(p, q, r)));
    if (!(top <= bottom)) return;
    const i = this.#count++;
    const extents = (this.#extents = withRoom(this.#extents, 2 * i + 2));
    extents[2 * i] = top;
    extents[2 * i + 1] = bottom;
    const at = STRIDE * i;
    const kept = (this.#projected = withRoom(this.#projected, at + STRIDE));
    for (let k = 0; k < 3; k++) kept[at + k] = fan[k];
    for (let k = 0; k < 6; k++) kept[at + 3 + k] = fan[v - 3 + k];
    kept[at + 9] = shade;
  }

  /** Brightest if it faces the light, on both sides. */
  #shadeOf(c: Float32Array, at: number, isClosed: boolean): number {
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
    const shade = Math.min(SHADES - 1, Math.floor(SHADES * facing));
    const eye = this.#eye;
    const outside = nx * (eye[0] - c[at]) + ny * (eye[1] - c[at + 1]) + nz * (eye[2] - c[at + 2]);
    return isClosed && outside < 0 ? shade + INSIDE : shade;
  }

  /** Row by row; one over the depth is linear on the screen. */
  #fill(p: Float64Array, a: number, top: number, bottom: number): void {
    const { nearness: nearest, shade: shades, first: firsts, end: ends, width } = this;
    const shade = p[a + 9];
    const ax = p[a];
    const ay = p[a + 1];
    const uy = p[a + 4] - ay;
    const vy = p[a + 7] - ay;
    const ux = p[a + 3] - ax;
    const vx = p[a + 6] - ax;
    const area = ux * vy - uy * vx;
    if (!(Math.abs(area) > 1e-12)) return;
    // barycentric weights of b and c, and the nearness: their slopes in x and y
    const bx = vy / area;
    const by = -vx / area;
    const cx = -uy / area;
    const cy = ux / area;
    const near = p[a + 2];
    const nearX = bx * (p[a + 5] - near) + cx * (p[a + 8] - near);
    const nearY = by * (p[a + 5] - near) + cy * (p[a + 8] - near);
    for (let y = top; y <= bottom; y++) {
      const dy = y + 0.5 - ay;
      let from = 0.5 - ax;
      let to = width - 0.5 - ax;
      // where all three weights are positive
      for (let side = 0; side < 3; side++) {
        const slope = side === 0 ? bx : side === 1 ? cx : -bx - cx;
        const rest = side === 0 ? by * dy : side === 1 ? cy * dy : 1 - by * dy - cy * dy;
        if (slope > 0) from = Math.max(from, -rest / slope);
        else if (slope < 0) to = Math.min(to, -rest / slope);
        else if (rest < 0) to = -Infinity;
      }
      const first = Math.ceil(from + ax - 0.5);
      const end = Math.floor(to + ax - 0.5);
      if (!(first <= end)) continue;
      this.#pixelsLeft -= end + 1 - first;
      if (this.#pixelsLeft < 0) return;
      const row = y - this.#firstRow;
      if (first < firsts[row]) firsts[row] = first;
      if (end >= ends[row]) ends[row] = end + 1;
      let nearness = near + nearY * dy + nearX * (first + 0.5 - ax);
      const last = row * width + end;
      for (let i = row * width + first; i <= last; i++) {
        if (nearness > nearest[i]) {
          nearest[i] = nearness;
          shades[i] = shade;
        }
        nearness += nearX;
      }
    }
  }
}
