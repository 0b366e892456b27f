/** Finds the object at a position: renders that pixel again, and reads it back asynchronously. */
import { NearestFilter, RGBAIntegerFormat, UnsignedIntType, WebGLRenderTarget } from 'three';
import { cardIsDone } from './card-time.js';
import { clipOfPixel, type Lens } from './lens.js';
import type { SurfaceRenderer } from './surface-renderer.js';
import type { Pick, Point } from './types.js';

/** Numbers and positions, and normals: four words each. */
const IMAGES = 2;
const PIXEL_BYTES = 16;

export class Picker {
  readonly #surface: SurfaceRenderer;
  readonly #target: WebGLRenderTarget;

  constructor(surface: SurfaceRenderer) {
    this.#surface = surface;
    this.#target = new WebGLRenderTarget(1, 1, {
      count: IMAGES,
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
    const words = await this.#read();
    if (words[0] === 0) return undefined;
    const place = new Float32Array(words.buffer, 4, 3);
    const { eye } = lens.state;
    return {
      object: words[0] - 1,
      point: [eye[0] + place[0], eye[1] + place[1], eye[2] + place[2]],
      normal: [...new Float32Array(words.buffer, PIXEL_BYTES, 3)] as unknown as Point,
    };
  }

  /** Both images of the pixel, four numbers each, once the GPU has drawn them. */
  async #read(): Promise<Uint32Array<ArrayBuffer>> {
    const { renderer } = this.#surface;
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, PIXEL_BYTES * IMAGES, gl.STREAM_READ);
    renderer.setRenderTarget(this.#target);
    for (let image = 0; image < IMAGES; image++) {
      gl.readBuffer(gl.COLOR_ATTACHMENT0 + image);
      gl.readPixels(0, 0, 1, 1, gl.RGBA_INTEGER, gl.UNSIGNED_INT, PIXEL_BYTES * image);
    }
    gl.readBuffer(gl.COLOR_ATTACHMENT0);
    renderer.setRenderTarget(null);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const words = new Uint32Array((PIXEL_BYTES * IMAGES) / 4);
    try {
      await cardIsDone(gl);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, words);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    } finally {
      gl.deleteBuffer(buffer);
    }
    return words;
  }

  dispose(): void {
    this.#target.dispose();
  }
}
