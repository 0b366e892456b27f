/** What is at a place of the picture: drawn again for that one pixel, and read back without waiting for the card. */
import { NearestFilter, RGBAIntegerFormat, UnsignedIntType, WebGLRenderTarget } from 'three';
import { clipOfPixel, type Lens } from './lens.js';
import type { SurfaceRenderer } from './surface-renderer.js';
import type { Pick, Point } from './types.js';

export class Picker {
  readonly #surface: SurfaceRenderer;
  readonly #target: WebGLRenderTarget;

  constructor(surface: SurfaceRenderer) {
    this.#surface = surface;
    this.#target = new WebGLRenderTarget(1, 1, {
      count: 2,
      format: RGBAIntegerFormat,
      type: UnsignedIntType,
      internalFormat: 'RGBA32UI',
      minFilter: NearestFilter,
      magFilter: NearestFilter,
    });
  }

  /** `x` and `y` are pixels of the lens, from the upper left corner. */
  async pick(lens: Lens, x: number, y: number): Promise<Pick | undefined> {
    if (!(x >= 0 && y >= 0 && x < lens.width && y < lens.height)) return undefined;
    this.#surface.drawNumbers(lens, clipOfPixel(lens, Math.floor(x), Math.floor(y)), this.#target);
    const [what, slope] = await Promise.all([this.#read(0), this.#read(1)]);
    if (what[0] === 0) return undefined;
    const place = new Float32Array(what.buffer, 4, 3);
    const { eye } = lens.state;
    return {
      object: what[0] - 1,
      point: [eye[0] + place[0], eye[1] + place[1], eye[2] + place[2]],
      normal: [...new Float32Array(slope.buffer, 0, 3)] as unknown as Point,
    };
  }

  async #read(attachment: number): Promise<Uint32Array<ArrayBuffer>> {
    const words = new Uint32Array(4);
    const { renderer } = this.#surface;
    await renderer.readRenderTargetPixelsAsync(this.#target, 0, 0, 1, 1, words, undefined, attachment);
    return words;
  }

  dispose(): void {
    this.#target.dispose();
  }
}
