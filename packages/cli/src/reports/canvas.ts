/** Draws clipped lines, discs and polygons in palette indices. */
import type { Vec3 } from 'impinge';

export class Canvas {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;

  constructor(width: number, height: number, ground: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height).fill(ground);
  }

  /** Both ends must be in front of the camera. */
  line(p: Vec3, q: Vec3, colour: number): void {
    const steps = Math.min(4096, Math.ceil(Math.max(Math.abs(q[0] - p[0]), Math.abs(q[1] - p[1]), 1)));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      this.dot(Math.floor(p[0] + t * (q[0] - p[0])), Math.floor(p[1] + t * (q[1] - p[1])), colour);
    }
  }

  outline(corners: readonly Vec3[], colour: number): void {
    for (let i = 0; i < corners.length; i++) this.line(corners[i], corners[(i + 1) % corners.length], colour);
  }

  disc(x: number, y: number, radius: number, colour: number): void {
    const bottom = Math.min(this.height - 1, y + radius);
    const right = Math.min(this.width - 1, x + radius);
    for (let py = Math.max(0, Math.floor(y - radius)); py <= bottom; py++) {
      for (let px = Math.max(0, Math.floor(x - radius)); px <= right; px++) {
        if ((px + 0.5 - x) ** 2 + (py + 0.5 - y) ** 2 <= radius * radius) this.dot(px, py, colour);
      }
    }
  }

  /** Fills a convex polygon. */
  polygon(corners: readonly Vec3[], colour: number): void {
    const ys = corners.map(([, y]) => y);
    const last = Math.min(this.height - 1, Math.floor(Math.max(...ys)));
    for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= last; y++) {
      let [from, to] = [Infinity, -Infinity];
      corners.forEach(([x0, y0], i) => {
        const [x1, y1] = corners[(i + 1) % corners.length];
        const middleY = y + 0.5;
        if (y0 < middleY === y1 < middleY) return;
        const x = x0 + ((middleY - y0) / (y1 - y0)) * (x1 - x0);
        from = Math.min(from, x);
        to = Math.max(to, x);
      });
      const end = Math.min(this.width - 1, Math.floor(to));
      for (let x = Math.max(0, Math.floor(from)); x <= end; x++) this.dot(x, y, colour);
    }
  }

  /** The pixels of a rectangle that is within the picture, row by row. */
  copyOf(left: number, top: number, width: number, height: number): Uint8Array {
    const copy = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      const from = (top + y) * this.width + left;
      copy.set(this.pixels.subarray(from, from + width), y * width);
    }
    return copy;
  }

  /** Puts pixels that were copied into a rectangle of this width. */
  paste(pixels: Uint8Array, left: number, top: number, width: number): void {
    for (let at = 0, y = top; at < pixels.length; at += width, y++)
      this.pixels.set(pixels.subarray(at, at + width), y * this.width + left);
  }

  dot(x: number, y: number, colour: number): void {
    if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.pixels[y * this.width + x] = colour;
  }
}
