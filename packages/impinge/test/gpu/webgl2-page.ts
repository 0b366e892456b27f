/** What the WebGL2 tests run in a page: one level at a time, on items that the test made. */
import { ImpingeError } from '../../src/base/errors.js';
import type { CullingRequest } from '../../src/gpu/backend.js';
import type { CullingMethod } from '../../src/gpu/types.js';
import { makeViews } from '../../src/gpu/views.js';
import { GlRasteriser } from '../../src/gpu/webgl2/gl-rasteriser.js';
import type { Level } from './level-items.js';

export interface How {
  readonly method: CullingMethod;
  readonly resolution: number;
  readonly rounds: number;
  readonly randomDirections: number;
}

function context(): WebGL2RenderingContext {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new Error('no WebGL2');
  return gl;
}

let shared: GlRasteriser | undefined;

/** What is left of each level: 1 per group. */
export async function cull(levels: readonly Level[], how: How): Promise<number[][]> {
  shared ??= new GlRasteriser(context());
  const left: number[][] = [];
  for (const level of levels) left.push(await cullWith(shared, level, how));
  return left;
}

async function cullWith(rasteriser: GlRasteriser, level: Level, how: How): Promise<number[]> {
  const request: CullingRequest = {
    kind: 'objects',
    distance: 0,
    levels: [],
    views: makeViews(how.randomDirections, 1),
    now: () => 0,
    ...how,
  };
  const set = {
    kind: level.kind,
    data: Float32Array.from(level.data),
    items: Uint32Array.from(level.objects, (_, i) => i),
    objects: Uint32Array.from(level.objects),
    groups: Uint32Array.from(level.groups),
    groupCount: Math.max(...level.groups) + 1,
    codes: Uint32Array.from(level.margins, (_, i) => level.margins.length - 1 - i),
    margins: Float32Array.from(level.margins),
  };
  return [...(await rasteriser.cull(set, level.half, request))];
}

/** The code of the error with which it ends if the context is lost before, or while, it is at work. */
export async function cullAndLose(level: Level, how: How, when: 'before' | 'meanwhile'): Promise<string> {
  const gl = context();
  const rasteriser = new GlRasteriser(gl);
  const lose = () => gl.getExtension('WEBGL_lose_context')!.loseContext();
  try {
    if (when === 'before') lose();
    const culling = cullWith(rasteriser, level, how);
    if (when === 'meanwhile') lose();
    await culling;
    return 'none';
  } catch (error) {
    return error instanceof ImpingeError ? error.code : String(error);
  } finally {
    rasteriser.dispose();
  }
}

/** The code and the message of the error if images may have so few pixels a side. */
export async function cullOnSmall(level: Level, how: How, most: number): Promise<string[]> {
  const gl = context();
  const limits = gl.getParameter.bind(gl);
  gl.getParameter = (name: number) => (name === gl.MAX_TEXTURE_SIZE ? most : limits(name));
  try {
    await cullWith(new GlRasteriser(gl), level, how);
    return ['none'];
  } catch (error) {
    return error instanceof ImpingeError ? [error.code, error.message] : [String(error)];
  }
}
