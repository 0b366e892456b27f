/**
 * The paper's two passes: in the order of the objects and in reverse, each group is tested against the near image of the
 * objects before it, then its object is drawn into it. A group of which nothing passes is free of them.
 *
 * A group that was once free of all objects before it stays so, as these only become fewer; likewise of all after it. So
 * what one round finds is kept for the next, and rounds look from the front and from behind in turn.
 *
 * Paper: Govindaraju et al., CULLIDE: Interactive Collision Detection Between Complex Models in Large Environments using
 * Graphics Hardware, 2003.
 */
import type { CullingRequest } from '../backend.js';
import { check, made, until } from './context.js';
import type { Covers } from './covers.js';
import { DepthImage } from './images.js';
import type { LiveList } from './item-list.js';

const FREE_OF_EARLIER = 1;
const FREE_OF_LATER = 2;

/** What the passes of a round have in common. */
interface Round {
  readonly live: LiveList;
  /** Where the entries of each group begin, and the end of the last. */
  readonly runs: Uint32Array;
  /** What each group is known to be free of. */
  readonly free: Uint8Array;
  readonly resolution: number;
}

/** An occlusion query, and what is known if nothing passes. */
interface Asked {
  readonly query: WebGLQuery;
  readonly group: number;
  readonly bit: number;
}

export class OcclusionQueries {
  readonly #gl: WebGL2RenderingContext;
  readonly #covers: Covers;
  readonly #near: DepthImage;
  readonly #queries: WebGLQuery[] = [];

  constructor(covers: Covers) {
    this.#gl = covers.gl;
    this.#covers = covers;
    this.#near = new DepthImage(covers.gl);
  }

  /** Drops what is free of everything else, in rounds. */
  async run(
    live: LiveList,
    front: readonly Float32Array[],
    behind: readonly Float32Array[],
    { rounds, resolution }: CullingRequest,
  ): Promise<void> {
    const free = new Uint8Array(live.kept.length);
    for (let round = 0, idle = 0; round < rounds && idle < 2 && live.objectCount > 1; round++) {
      this.#covers.list(live);
      const shared: Round = { live, runs: groupRuns(live), free, resolution };
      let news = 0;
      for (const view of round % 2 === 0 ? front : behind) {
        const asked: Asked[] = [];
        for (const bit of [FREE_OF_EARLIER, FREE_OF_LATER]) this.#orderedPass(shared, view, bit, asked);
        news += await this.#collect(asked, free);
      }
      idle = news === 0 ? idle + 1 : 0;
      live.drop((group) => free[group] === (FREE_OF_EARLIER | FREE_OF_LATER));
    }
  }

  /** Waits for the answers; returns how many say that nothing passed. A result that is not there yet would read 0. */
  async #collect(asked: readonly Asked[], free: Uint8Array): Promise<number> {
    const gl = this.#gl;
    if (asked.length === 0) return 0;
    gl.flush();
    let next = 0;
    let news = 0;
    await until(gl, () => {
      for (; next < asked.length; next++) {
        const { group, bit, query } = asked[next];
        if (!gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)) return false;
        if (gl.getQueryParameter(query, gl.QUERY_RESULT)) continue;
        free[group] |= bit;
        news++;
      }
      return true;
    });
    check(gl, 'occlusion queries');
    return news;
  }

  /** Asks for each group that is not known to be free yet; the answers are in the order of `asked`. */
  #orderedPass(
    { live, runs, free, resolution }: Round,
    view: Float32Array,
    bit: number,
    asked: Asked[],
  ): void {
    const gl = this.#gl;
    this.#near.reserve(resolution, resolution);
    this.#covers.begin(view, [resolution, resolution], 0, 0);
    this.#near.target(resolution, resolution);
    gl.clearDepth(1);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const runCount = runs.length - 1;
    const reverse = bit === FREE_OF_LATER;
    for (let done = 0; done < runCount; ) {
      // the runs of one object
      let from = reverse ? runCount - 1 - done : done;
      let to = from + 1;
      const object = live.objects[runs[from]];
      if (reverse) while (from > 0 && live.objects[runs[from - 1]] === object) from--;
      else while (to < runCount && live.objects[runs[to]] === object) to++;
      gl.depthFunc(gl.GEQUAL);
      gl.depthMask(false);
      this.#covers.drawFar(true);
      for (let run = from; run < to; run++) {
        const group = live.group(runs[run]);
        if (free[group] & bit) continue;
        const query = this.#queries[asked.length] ?? made(gl, gl.createQuery(), 'query');
        this.#queries[asked.length] = query;
        gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
        gl.drawArrays(gl.TRIANGLES, 6 * runs[run], 6 * (runs[run + 1] - runs[run]));
        gl.endQuery(gl.ANY_SAMPLES_PASSED);
        asked.push({ group, bit, query });
      }
      gl.depthFunc(gl.LEQUAL);
      gl.depthMask(true);
      this.#covers.drawFar(false);
      gl.drawArrays(gl.TRIANGLES, 6 * runs[from], 6 * (runs[to] - runs[from]));
      done += to - from;
    }
  }

  dispose(): void {
    for (const query of this.#queries) this.#gl.deleteQuery(query);
    this.#queries.length = 0;
    this.#near.dispose();
  }
}

/** Where the entries of each group begin, and the end of the last. */
function groupRuns(live: LiveList): Uint32Array {
  const starts: number[] = [];
  for (let i = 0; i < live.count; i++) {
    if (i === 0 || live.group(i) !== live.group(i - 1)) starts.push(i);
  }
  starts.push(live.count);
  return Uint32Array.from(starts);
}
