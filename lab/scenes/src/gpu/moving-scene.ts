/**
 * Scenes for culling: objects that appear, disappear, move and deform from frame to frame.
 *
 * Equal arguments give equal bytes in every frame on every machine (see ../deform/turning.ts).
 */
import type { ScenePose } from '../deform/scene-mesh.js';

export interface MovingObject {
  /** Numbered from 0 in order of appearance; never reused. */
  readonly id: number;
  readonly name: string;
  /** Three coordinates per vertex. A step writes into it if the object deforms. Objects of one shape share it. */
  readonly positions: Float32Array;
  /** Three vertices per triangle. */
  readonly indices: Uint32Array;
  /** Where it is now: its part of the scene's `poses`. */
  readonly pose: ScenePose;
}

/** Changes of the last step, as ascending ids. */
export interface FrameChange {
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Objects of both frames whose pose or positions changed. */
  readonly moved: readonly number[];
  readonly deformed: readonly number[];
}

export interface MovingScene {
  /** 0 at the start. */
  readonly frame: number;
  /** Objects of this frame, by ascending id. */
  readonly objects: readonly MovingObject[];
  /** Twelve numbers per object of this frame: nine of a row-major rotation, three of a translation. */
  readonly poses: Float64Array;
  /** Advances to the next frame; a scene never ends. */
  step(): FrameChange;
}

/** The cube root, the same on every engine. */
export function cubeRoot(value: number): number {
  let low = 0;
  let high = Math.max(1, value);
  for (let round = 0; round < 100; round++) {
    const middle = (low + high) / 2;
    if (middle * middle * middle <= value) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Two numbers of cells, as close to each other as possible, whose product is half the triangles; the first is larger.
 */
export function gridOf(triangles: number): [number, number] {
  const cells = triangles / 2;
  if (!Number.isInteger(cells) || cells < 3) {
    throw new RangeError(`triangles must be an even number of at least 6, got ${triangles}`);
  }
  let fewer = Math.floor(Math.sqrt(cells));
  while (cells % fewer !== 0) fewer--;
  return [cells / fewer, fewer];
}

/** Throws on invalid sizes. */
export function assertSizes(count: number, density: number): void {
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`count must be at least 1, got ${count}`);
  if (!(density > 0 && density < 0.5)) throw new RangeError(`density must be in (0, 0.5), got ${density}`);
}
