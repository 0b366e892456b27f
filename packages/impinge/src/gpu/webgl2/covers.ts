/** The items of a level on the device, and the program that draws their covers. */
import { check, ListTexture, Program } from './context.js';
import { DRAW_FRAGMENT, DRAW_VERTEX } from './draw-shader.js';
import type { ItemSet, LiveList } from './item-list.js';

// units of the textures
const DATA = 1;
const ENTRIES = 2;

export class Covers {
  readonly gl: WebGL2RenderingContext;
  readonly #program: Program;
  readonly #data: ListTexture;
  readonly #entries: ListTexture;
  #resolution = 0;
  #boxes = false;

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.#program = new Program(gl, DRAW_VERTEX, DRAW_FRAGMENT);
    this.#data = new ListTexture(gl, 'RGB32F');
    this.#entries = new ListTexture(gl, 'RGBA32UI');
    check(gl, 'its set-up');
  }

  /** The items to draw from now on. */
  load({ kind, data }: ItemSet, resolution: number): void {
    this.#data.write(data, data.length / 3, DATA);
    this.#boxes = kind === 'boxes';
    this.#resolution = resolution;
  }

  /** The entries to draw from now on. */
  list(live: LiveList): void {
    this.#entries.write(live.entries, live.count, ENTRIES);
  }

  /** Uses a program that begins with COVER_GLSL, for a view. */
  use(program: Program, view: Float32Array): void {
    const { gl } = this;
    gl.useProgram(program.program);
    this.#data.bind(DATA);
    this.#entries.bind(ENTRIES);
    gl.uniform1i(program.place('uData'), DATA);
    gl.uniform1i(program.place('uEntries'), ENTRIES);
    gl.uniform1i(program.place('uResolution'), this.#resolution);
    gl.uniform1i(program.place('uBoxes'), this.#boxes ? 1 : 0);
    gl.uniform4fv(program.place('uView'), view);
  }

  /** Prepares to draw into a depth image of that size, with `across` tiles in a row, or none (draw-shader.ts). */
  begin(view: Float32Array, size: readonly [number, number], across: number, firstBit: number): void {
    const { gl } = this;
    this.use(this.#program, view);
    gl.uniform2f(this.#program.place('uImage'), ...size);
    gl.uniform1i(this.#program.place('uAcross'), across);
    gl.uniform1i(this.#program.place('uFirstBit'), firstBit);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
  }

  /** Whether the far sides are drawn or the near ones. */
  drawFar(far: boolean): void {
    this.gl.uniform1i(this.#program.place('uFar'), far ? 1 : 0);
  }

  dispose(): void {
    this.#program.dispose();
    this.#data.dispose();
    this.#entries.dispose();
  }
}
