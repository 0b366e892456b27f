/** Renders an off-screen picture as a PNG. */
import { NoColorSpace, WebGLRenderTarget } from 'three';
import { FINE } from './frame-pace.js';
import type { Lens } from './lens.js';
import type { Marks } from './marks.js';
import type { SurfaceRenderer } from './surface-renderer.js';

export async function drawnPng(surface: SurfaceRenderer, lens: Lens, marks: Marks): Promise<Blob> {
  const { width, height } = lens;
  const target = new WebGLRenderTarget(width, height, { depthBuffer: false, colorSpace: NoColorSpace });
  const pixels = new Uint8Array(4 * width * height);
  try {
    marks.look(lens, Math.max(1, height / 900));
    surface.draw(lens, FINE, marks.isEmpty ? undefined : marks.scene, target);
    await surface.renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height, pixels);
  } finally {
    target.dispose();
  }
  const image = new ImageData(width, height);
  // rows come bottom up
  for (let row = 0; row < height; row++) {
    image.data.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row));
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')!.putImageData(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
