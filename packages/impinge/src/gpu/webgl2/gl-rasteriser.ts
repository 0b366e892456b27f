/** Culls the items of a level with WebGL2, by either method, keeping the rule of visibility.ts. */
import { ImpingeError } from '../../base/errors.js';
import type { CullingRequest, World } from '../backend.js';
import { VIEW_MAP_STRIDE, writeViewMap } from '../drawn-cover.js';
import { largestImage } from './context.js';
import { Covers } from './covers.js';
import { footprintOf, type ItemSet, LiveList } from './item-list.js';
import { OcclusionQueries } from './occlusion-queries.js';
import { SplitTree } from './split-tree.js';

/**
 * Pixels that a draw may take: with more, a browser may think that the device hangs, and take the context away. The
 * items are then so large, mostly because of a long reach, that little would be dropped.
 */
const DRAWN_PIXELS = 2 ** 32;

/** The context is for its use alone: it sets the state it needs and restores none. */
export class GlRasteriser {
  readonly #gl: WebGL2RenderingContext;
  readonly #covers: Covers;
  readonly #splitTree: SplitTree;
  readonly #queries: OcclusionQueries;
  readonly #largest: number;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#largest = largestImage(gl);
    this.#covers = new Covers(gl);
    this.#splitTree = new SplitTree(this.#covers);
    this.#queries = new OcclusionQueries(this.#covers);
  }

  /** 1 for each group that may meet another object's. */
  async cull(set: ItemSet, half: World['half'], request: CullingRequest): Promise<Uint8Array> {
    const { method, resolution } = request;
    if (resolution > this.#largest) {
      const message = `WebGL2 draws images of ${this.#largest} pixels a side here; ${resolution} were asked for`;
      throw new ImpingeError('unsupported', message, { resolution, largest: this.#largest });
    }
    const gl = this.#gl;
    for (const test of [gl.CULL_FACE, gl.SCISSOR_TEST, gl.STENCIL_TEST, gl.DITHER]) gl.disable(test);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    this.#covers.load(set, resolution);
    const live = new LiveList(set);
    const views = viewMaps(request, half, false);
    const footprints = views.map((view) => footprintOf(set, view, resolution));
    const bits = method === 'queries' ? 1 : live.bits;
    if (footprints.every(({ pixels }) => pixels * bits < DRAWN_PIXELS)) {
      await (method === 'queries'
        ? this.#queries.run(live, views, viewMaps(request, half, true), request)
        : this.#splitTree.run(live, views, footprints, request));
    }
    // one object alone meets nothing else
    if (live.objectCount <= 1) live.drop(() => true);
    return live.kept;
  }

  dispose(): void {
    for (const part of [this.#splitTree, this.#queries, this.#covers]) part.dispose();
  }
}

function viewMaps(request: CullingRequest, half: World['half'], mirrored: boolean): Float32Array[] {
  return Array.from({ length: request.views.length / 9 }, (_, view) => {
    const map = new Float32Array(VIEW_MAP_STRIDE);
    writeViewMap(map, request.views, view, half, request.resolution, mirrored);
    return map;
  });
}
