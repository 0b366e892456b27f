/** By which side the rays of a picture enter the box that clips it. */
import type { Vec3 } from 'impinge';
import type { Camera } from './camera.js';

export class SectionEntry {
  readonly #ahead: Vec3;
  readonly #up: Vec3;
  readonly #right: Vec3;
  readonly #eye: Vec3;
  readonly #half: Vec3;
  readonly #width: number;
  readonly #height: number;
  readonly #scale: number;
  /** For a box with these half sides around `middle`, which the camera is outside of. */
  constructor(
    { direction: d, up, eye, fieldOfViewDegrees }: Camera,
    middle: Vec3,
    half: Vec3,
    width: number,
    height: number,
  ) {
    this.#ahead = d;
    this.#up = up;
    this.#right = [d[1] * up[2] - d[2] * up[1], d[2] * up[0] - d[0] * up[2], d[0] * up[1] - d[1] * up[0]];
    this.#eye = [eye[0] - middle[0], eye[1] - middle[1], eye[2] - middle[2]];
    this.#half = half;
    this.#width = width;
    this.#height = height;
    this.#scale = (2 * Math.tan((fieldOfViewDegrees / 360) * Math.PI)) / height;
  }

  /** The axis across which the side is that the ray through the middle of a pixel enters by. */
  axisAt(x: number, y: number): number {
    const across = (x + 0.5 - this.#width / 2) * this.#scale;
    const upward = (this.#height / 2 - y - 0.5) * this.#scale;
    const entersX = this.#enters(0, across, upward);
    const entersY = this.#enters(1, across, upward);
    const entersZ = this.#enters(2, across, upward);
    if (entersZ > entersX && entersZ > entersY) return 2;
    return entersY > entersX ? 1 : 0;
  }

  /** How far along the ray the nearer of the two sides across an axis is. */
  #enters(k: number, across: number, upward: number): number {
    const slope = this.#ahead[k] + across * this.#right[k] + upward * this.#up[k];
    if (slope === 0) return -Infinity;
    return (slope > 0 ? -this.#half[k] - this.#eye[k] : this.#half[k] - this.#eye[k]) / slope;
  }
}
