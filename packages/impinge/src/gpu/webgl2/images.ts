/** What is drawn into: depth images in tiles, and flags that come back. */
import { ImpingeError } from '../../base/errors.js';
import { check, largestImage, made, until } from './context.js';
import { ROW } from './cover-shader.js';

type Gl = WebGL2RenderingContext;

/** A depth texture that can be drawn into. */
export class DepthImage {
  readonly #gl: Gl;
  #texture: WebGLTexture | null = null;
  #target: WebGLFramebuffer | null = null;
  #width = 0;
  #height = 0;

  constructor(gl: Gl) {
    this.#gl = gl;
  }

  /** Makes it at least that large; what it held is gone if it grows. */
  reserve(width: number, height: number): void {
    if (width <= this.#width && height <= this.#height) return;
    const gl = this.#gl;
    const wide = Math.max(width, this.#width);
    const high = Math.max(height, this.#height);
    this.dispose();
    this.#texture = made(gl, gl.createTexture(), 'texture');
    this.#target = made(gl, gl.createFramebuffer(), 'framebuffer');
    this.#width = wide;
    this.#height = high;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT32F, wide, high);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.#texture, 0);
    gl.drawBuffers([gl.NONE]);
    check(gl, `a depth image of ${wide} × ${high} pixels`);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) {
      check(gl, 'a depth image');
      throw new ImpingeError('unsupported', 'WebGL2 cannot draw into a depth image of float32 alone');
    }
  }

  /** From now on it is drawn into. */
  target(width: number, height: number): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
    gl.viewport(0, 0, width, height);
  }

  bind(unit: number): void {
    this.#gl.activeTexture(this.#gl.TEXTURE0 + unit);
    this.#gl.bindTexture(this.#gl.TEXTURE_2D, this.#texture);
  }

  dispose(): void {
    this.#gl.deleteFramebuffer(this.#target);
    this.#gl.deleteTexture(this.#texture);
    this.#target = null;
    this.#texture = null;
    this.#width = 0;
    this.#height = 0;
  }
}

/** Four flags a texel, ROW texels in a row; they are read back without blocking. */
export class FlagImage {
  readonly #gl: Gl;
  #texture: WebGLTexture | null = null;
  #target: WebGLFramebuffer | null = null;
  #pack: WebGLBuffer | null = null;
  #rows = 0;
  #bytes = new Uint8Array(0);

  constructor(gl: Gl) {
    this.#gl = gl;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Makes room for as many texels. */
  reserve(texels: number): void {
    const rows = Math.ceil(texels / ROW);
    if (rows <= this.#rows) return;
    const gl = this.#gl;
    if (rows > largestImage(gl)) {
      const most = largestImage(gl);
      const message = `WebGL2 holds ${most * ROW} flags in an image; ${texels} are needed`;
      throw new ImpingeError('unsupported', message, { texels, most });
    }
    this.dispose();
    this.#texture = made(gl, gl.createTexture(), 'texture');
    this.#target = made(gl, gl.createFramebuffer(), 'framebuffer');
    this.#pack = made(gl, gl.createBuffer(), 'buffer');
    this.#rows = Math.min(largestImage(gl), Math.ceil(1.25 * rows));
    this.#bytes = new Uint8Array(4 * ROW * this.#rows);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, ROW, this.#rows);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.#texture, 0);
    check(gl, `an image of ${this.#rows * ROW} flags`);
  }

  target(): void {
    const gl = this.#gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target);
    gl.viewport(0, 0, ROW, this.#rows);
  }

  /** The first texels, four bytes each, when they are there. */
  async read(texels: number): Promise<Uint8Array> {
    const gl = this.#gl;
    const rows = Math.ceil(texels / ROW);
    this.target();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#pack);
    // a new store each time: browsers keep copies of one that is written again
    gl.bufferData(gl.PIXEL_PACK_BUFFER, 4 * ROW * rows, gl.STREAM_READ);
    gl.readPixels(0, 0, ROW, rows, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const sync = made(gl, gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0), 'fence');
    gl.flush();
    try {
      // a wait that failed shows in `check`
      await until(gl, () => gl.clientWaitSync(sync, 0, 0) !== gl.TIMEOUT_EXPIRED);
    } finally {
      gl.deleteSync(sync);
    }
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#pack);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.#bytes, 0, 4 * texels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    check(gl, 'culling');
    return this.#bytes;
  }

  dispose(): void {
    const gl = this.#gl;
    gl.deleteFramebuffer(this.#target);
    gl.deleteTexture(this.#texture);
    gl.deleteBuffer(this.#pack);
    this.#target = null;
    this.#texture = null;
    this.#pack = null;
    this.#rows = 0;
    this.#bytes = new Uint8Array(0);
  }
}
