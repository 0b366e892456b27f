/** Render targets, one per quality, which are copied to the screen. */
import {
  DepthTexture,
  FloatType,
  LinearFilter,
  NoColorSpace,
  RGBAFormat,
  UnsignedByteType,
  WebGLRenderTarget,
} from 'three';
import { type Effort, FINE, PLAIN, ROUGH } from './frame-pace.js';

/** A colour and a depth. */
const PIXEL_BYTES = 8;

/** Bytes of all targets for a screen. */
export function targetBytes(width: number, height: number): number {
  return [FINE, PLAIN, ROUGH].reduce(
    (sum, { samples, scale }) => sum + bytesOf(Math.ceil(scale * width), Math.ceil(scale * height), samples),
    0,
  );
}

/** Samples, and their resolved image. */
function bytesOf(width: number, height: number, samples: number): number {
  return PIXEL_BYTES * width * height * (samples > 0 ? samples + 1 : 1);
}

export class FrameTargets {
  readonly #targets = new Map<Effort, WebGLRenderTarget>();

  get bytes(): number {
    let bytes = 0;
    for (const { width, height, samples } of this.#targets.values()) bytes += bytesOf(width, height, samples);
    return bytes;
  }

  of(effort: Effort, width: number, height: number): WebGLRenderTarget {
    const target = this.#targets.get(effort);
    if (target?.width === width && target.height === height) return target;
    if (target) dispose(target);
    const made = new WebGLRenderTarget(width, height, {
      samples: effort.samples,
      depthTexture: new DepthTexture(width, height, FloatType),
      type: UnsignedByteType,
      format: RGBAFormat,
      colorSpace: NoColorSpace,
      minFilter: LinearFilter,
      magFilter: LinearFilter,
    });
    this.#targets.set(effort, made);
    return made;
  }

  dispose(): void {
    for (const target of this.#targets.values()) dispose(target);
    this.#targets.clear();
  }
}

function dispose(target: WebGLRenderTarget): void {
  target.dispose();
  target.depthTexture?.dispose();
}
