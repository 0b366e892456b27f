/**
 * A WebGL2 context, with its failures as typed errors, and programs, lists and answers on it.
 *
 * Errs: a command that failed may have drawn nothing, and nothing drawn looks free. So whatever was computed counts only
 * once `check` has found no error after it.
 */
import { ImpingeError } from '../../base/errors.js';
import { ROW } from './cover-shader.js';

type Gl = WebGL2RenderingContext;

function lostContext(): ImpingeError {
  return new ImpingeError('device-lost', 'the WebGL2 context was lost');
}

/** Throws if the context was lost or a command has failed. */
export function check(gl: Gl, what: string): void {
  if (gl.isContextLost()) throw lostContext();
  const error = gl.getError();
  if (error === gl.NO_ERROR) return;
  if (error === gl.CONTEXT_LOST_WEBGL) throw lostContext();
  if (error === gl.OUT_OF_MEMORY) {
    throw new ImpingeError('out-of-memory', `WebGL2 has no memory for ${what}`, { what });
  }
  throw new ImpingeError('unsupported', `WebGL2 failed at ${what} (error ${error})`, { what, error });
}

/** A context that was lost makes nothing. */
export function made<T>(gl: Gl, thing: T | null, what: string): T {
  if (thing !== null) return thing;
  check(gl, what);
  throw new ImpingeError('unsupported', `WebGL2 made no ${what}`, { what });
}

/** The largest side an image may have. */
export function largestImage(gl: Gl): number {
  if (gl.isContextLost()) throw lostContext();
  const [width, height] = gl.getParameter(gl.MAX_VIEWPORT_DIMS) as [number, number];
  return Math.min(width, height, gl.getParameter(gl.MAX_TEXTURE_SIZE) as number);
}

export class Program {
  readonly program: WebGLProgram;
  readonly #gl: Gl;
  readonly #places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: Gl, vertex: string, fragment: string) {
    this.#gl = gl;
    this.program = made(gl, gl.createProgram(), 'program');
    const shaders = [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].map((type) => {
      const shader = made(gl, gl.createShader(type), 'shader');
      gl.shaderSource(shader, type === gl.VERTEX_SHADER ? vertex : fragment);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
      return shader;
    });
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
      check(gl, 'linking a program');
      const log = [
        ...shaders.map((shader) => gl.getShaderInfoLog(shader)),
        gl.getProgramInfoLog(this.program),
      ];
      throw new ImpingeError('unsupported', `WebGL2 refused a shader: ${log.filter(Boolean).join(' ')}`);
    }
    for (const shader of shaders) gl.deleteShader(shader);
  }

  /** Of the program in use. */
  place(name: string): WebGLUniformLocation | null {
    let place = this.#places.get(name);
    if (place === undefined) {
      place = this.#gl.getUniformLocation(this.program, name);
      this.#places.set(name, place);
    }
    return place;
  }

  dispose(): void {
    this.#gl.deleteProgram(this.program);
  }
}

/** A list as a texture, ROW texels in a row; it grows and is written whole. */
export class ListTexture {
  readonly #gl: Gl;
  readonly #internal: number;
  readonly #format: number;
  readonly #type: number;
  readonly #channels: number;
  #texture: WebGLTexture | null = null;
  #rows = 0;

  constructor(gl: Gl, kind: 'RGB32F' | 'RGBA32UI') {
    this.#gl = gl;
    this.#internal = gl[kind];
    this.#format = kind === 'RGB32F' ? gl.RGB : gl.RGBA_INTEGER;
    this.#type = kind === 'RGB32F' ? gl.FLOAT : gl.UNSIGNED_INT;
    this.#channels = kind === 'RGB32F' ? 3 : 4;
  }

  bind(unit: number): void {
    this.#gl.activeTexture(this.#gl.TEXTURE0 + unit);
    this.#gl.bindTexture(this.#gl.TEXTURE_2D, this.#texture);
  }

  write(data: Float32Array | Uint32Array, texels: number, unit: number): void {
    const gl = this.#gl;
    const needed = Math.ceil(texels / ROW);
    if (needed > this.#rows) {
      const most = largestImage(gl);
      if (needed > most) {
        const message = `WebGL2 holds lists of ${most * ROW} texels (MAX_TEXTURE_SIZE ${most}); ${texels} are needed`;
        throw new ImpingeError('unsupported', message, { texels, most });
      }
      const rows = Math.min(most, Math.ceil(1.25 * needed));
      gl.deleteTexture(this.#texture);
      this.#texture = made(gl, gl.createTexture(), 'texture');
      this.#rows = rows;
      this.bind(unit);
      gl.texStorage2D(gl.TEXTURE_2D, 1, this.#internal, ROW, rows);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      check(gl, `a list of ${rows * ROW} texels`);
    }
    this.bind(unit);
    const whole = Math.floor(texels / ROW);
    const upload = (row: number, width: number, height: number) =>
      gl.texSubImage2D(
        gl.TEXTURE_2D,
        0,
        0,
        row,
        width,
        height,
        this.#format,
        this.#type,
        data,
        row * ROW * this.#channels,
      );
    if (whole > 0) upload(0, ROW, whole);
    if (texels > whole * ROW) upload(whole, texels - whole * ROW, 1);
  }

  dispose(): void {
    this.#gl.deleteTexture(this.#texture);
    this.#texture = null;
    this.#rows = 0;
  }
}

/** Lets other work of the page go on, as the context must before it has news. */
function laterTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Tasks at once, before it is left to a timer: a device that takes long shall not keep the page busy. */
const EAGER_POLLS = 200;

/** Waits without blocking until `ready`; rejects if the context is lost meanwhile. */
export async function until(gl: Gl, ready: () => boolean): Promise<void> {
  for (let polls = 0; ; polls++) {
    await (polls < EAGER_POLLS ? laterTask() : new Promise((resolve) => setTimeout(resolve, 1)));
    if (gl.isContextLost()) throw lostContext();
    if (ready()) return;
  }
}
