/**
 * Culling by near and far images: for each bit of the codes a tile for the objects of either side, all of them in one
 * image; a draw for the near sides, one for the far sides and one that tests all items, for each view.
 */
import { ImpingeError } from '../../base/errors.js';
import type { CullingRequest } from '../backend.js';
import { largestImage, made, Program } from './context.js';
import { ROW } from './cover-shader.js';
import type { Covers } from './covers.js';
import { DepthImage, FlagImage } from './images.js';
import type { Footprint, LiveList } from './item-list.js';
import { TEST_FRAGMENT, TEST_VERTEX } from './test-shader.js';

// units of the textures, after those of the covers
const NEAR = 3;
const FAR = 4;

/** Pixels of a near or far image with all its tiles, unless one bit needs more. */
const IMAGE_PIXELS = 1 << 24;

/** Texels of flags that are read back at once, unless one bit needs more. */
const FLAG_TEXELS = 1 << 22;

/** Some bits of the codes that are drawn and tested at once. */
interface Batch {
  readonly live: LiveList;
  readonly resolution: number;
  readonly firstBit: number;
  readonly bits: number;
  /** Texels of flags for a group and a bit: four views each. */
  readonly sheets: number;
}

export class SplitTree {
  readonly #gl: WebGL2RenderingContext;
  readonly #covers: Covers;
  readonly #test: Program;
  readonly #near: DepthImage;
  readonly #far: DepthImage;
  readonly #flags: FlagImage;
  readonly #points: WebGLBuffer;
  readonly #largest: number;

  constructor(covers: Covers) {
    const { gl } = covers;
    this.#gl = gl;
    this.#covers = covers;
    this.#test = new Program(gl, TEST_VERTEX, TEST_FRAGMENT);
    this.#near = new DepthImage(gl);
    this.#far = new DepthImage(gl);
    this.#flags = new FlagImage(gl);
    this.#points = made(gl, gl.createBuffer(), 'buffer');
    this.#largest = largestImage(gl);
  }

  /** Drops what is free of everything else, in rounds. */
  async run(
    live: LiveList,
    views: readonly Float32Array[],
    footprints: readonly Footprint[],
    request: CullingRequest,
  ): Promise<void> {
    const viewCount = request.views.length / 9;
    for (let round = 0; round < request.rounds && live.objectCount > 1; round++) {
      this.#covers.list(live);
      const lists = footprints.map(({ points }) => pointList(live, points));
      const meets = new Uint8Array(live.kept.length);
      const sheets = Math.ceil(viewCount / 4);
      const perBit = sheets * live.kept.length;
      const bitsAtOnce = Math.max(
        1,
        Math.min(this.#tilePairs(request.resolution), Math.floor(FLAG_TEXELS / perBit)),
      );
      for (let firstBit = 0; firstBit < live.bits; firstBit += bitsAtOnce) {
        const bits = Math.min(bitsAtOnce, live.bits - firstBit);
        const batch: Batch = { live, resolution: request.resolution, firstBit, bits, sheets };
        this.#clearFlags(bits * perBit);
        for (let view = 0; view < viewCount; view++) {
          this.#drawTiles(batch, views[view]);
          this.#testTiles(batch, views[view], view, lists[view]);
        }
        const flags = await this.#flags.read(bits * perBit);
        for (let bit = 0; bit < bits; bit++) collectMeeting(meets, flags, bit * perBit, viewCount, live.kept);
      }
      if (live.drop((group) => meets[group] === 0) === 0) return;
    }
  }

  /** How many bits' tiles fit into an image. */
  #tilePairs(resolution: number): number {
    const across = Math.floor(this.#largest / resolution);
    const tiles = Math.min(
      across * across,
      Math.max(2, Math.floor(IMAGE_PIXELS / (resolution * resolution))),
    );
    if (tiles < 2) {
      const message = `WebGL2 draws images of ${this.#largest} pixels a side here; two of ${resolution} are needed`;
      throw new ImpingeError('unsupported', message, { resolution, largest: this.#largest });
    }
    return tiles >> 1;
  }

  #clearFlags(texels: number): void {
    const gl = this.#gl;
    this.#flags.reserve(texels);
    this.#flags.target();
    gl.colorMask(true, true, true, true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** Tiles in a row, and rows. */
  #layout({ resolution, bits }: Batch): [across: number, down: number] {
    const across = Math.min(Math.floor(this.#largest / resolution), Math.ceil(Math.sqrt(2 * bits)));
    return [across, Math.ceil((2 * bits) / across)];
  }

  #drawTiles(batch: Batch, view: Float32Array): void {
    const gl = this.#gl;
    const { live, resolution, firstBit, bits } = batch;
    const [across, down] = this.#layout(batch);
    const width = across * resolution;
    const height = down * resolution;
    this.#covers.begin(view, [width, height], across, firstBit);
    for (const [image, empty, compare] of [
      [this.#near, 1, gl.LESS],
      [this.#far, 0, gl.GREATER],
    ] as const) {
      image.reserve(width, height);
      image.target(width, height);
      gl.clearDepth(empty);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.depthFunc(compare);
      this.#covers.drawFar(image === this.#far);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6 * live.count, bits);
    }
  }

  #testTiles(batch: Batch, view: Float32Array, viewIndex: number, points: Uint32Array): void {
    const gl = this.#gl;
    const test = this.#test;
    this.#covers.use(test, view);
    this.#near.bind(NEAR);
    this.#far.bind(FAR);
    gl.uniform1i(test.place('uNearImage'), NEAR);
    gl.uniform1i(test.place('uFarImage'), FAR);
    gl.uniform1i(test.place('uAcross'), this.#layout(batch)[0]);
    gl.uniform1i(test.place('uFirstBit'), batch.firstBit);
    gl.uniform1i(test.place('uGroups'), batch.live.kept.length);
    gl.uniform1i(test.place('uSheets'), batch.sheets);
    gl.uniform1i(test.place('uSheet'), viewIndex >> 2);
    gl.uniform2f(test.place('uFlags'), ROW, this.#flags.rows);
    const channel = [0, 0, 0, 0];
    channel[viewIndex & 3] = 1;
    gl.uniform4fv(test.place('uChannel'), channel);
    this.#flags.target();
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.MAX);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#points);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribIPointer(0, 2, gl.UNSIGNED_INT, 8, 0);
    gl.drawArraysInstanced(gl.POINTS, 0, points.length / 2, batch.bits);
    gl.disableVertexAttribArray(0);
  }

  dispose(): void {
    this.#gl.deleteBuffer(this.#points);
    for (const held of [this.#test, this.#near, this.#far, this.#flags]) held.dispose();
  }
}

/** The points that test all entries: entry, and part + 65 536 · parts. */
function pointList(live: LiveList, perItem: Uint16Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < live.count; i++) count += perItem[live.item(i)];
  const list = new Uint32Array(2 * count);
  for (let i = 0, at = 0; i < live.count; i++) {
    const parts = perItem[live.item(i)];
    for (let part = 0; part < parts; part++) {
      list[at++] = i;
      list[at++] = (part | (parts << 16)) >>> 0;
    }
  }
  return list;
}

/** Marks the groups that for this bit are free in no view. */
function collectMeeting(
  meets: Uint8Array,
  flags: Uint8Array,
  firstTexel: number,
  viewCount: number,
  kept: Uint8Array,
): void {
  for (let group = 0; group < kept.length; group++) {
    if (kept[group] === 0 || meets[group] === 1) continue;
    let view = 0;
    while (view < viewCount && flags[4 * (firstTexel + (view >> 2) * kept.length + group) + (view & 3)] > 0) {
      view++;
    }
    if (view === viewCount) meets[group] = 1;
  }
}
