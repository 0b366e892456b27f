/** The components of the picture once the store is open. */
import type { WebGLRenderer } from 'three';
import type { Opened } from '../streaming/protocol.js';
import { CardTime } from './card-time.js';
import type { FrameParts } from './frame-loop.js';
import type { Depths } from './lens.js';
import { Marks } from './marks.js';
import { ObjectState } from './object-state.js';
import type { Theme } from './palette.js';
import { Picker } from './picker.js';
import { SlabScene } from './slab-scene.js';
import { SurfaceRenderer } from './surface-renderer.js';
import type { Point } from './types.js';
import { subtract } from './vectors.js';

export interface PictureParts extends FrameParts {
  readonly opened: Opened;
  readonly objects: ObjectState;
  readonly picker: Picker;
  readonly depths: Depths;
}

export function makeParts(
  renderer: WebGLRenderer,
  opened: Opened,
  labels: HTMLElement,
  theme: Theme,
): PictureParts {
  const slabs = new SlabScene(renderer);
  const objects = new ObjectState(opened);
  const origin = opened.origin as unknown as Point;
  const surface = new SurfaceRenderer(renderer, slabs, objects, { origin, step: opened.step, theme });
  const isReversed = renderer.capabilities.reversedDepthBuffer;
  return {
    opened,
    objects,
    slabs,
    surface,
    picker: new Picker(surface),
    marks: new Marks(labels),
    card: new CardTime(renderer.getContext() as WebGL2RenderingContext),
    depths: { reach: Math.max(...subtract(opened.box.max, origin)) || 1, middle: origin, isReversed },
  };
}

export function disposeParts({ picker, marks, surface, slabs, objects }: PictureParts): void {
  for (const part of [picker, marks, surface, slabs, objects]) part.dispose();
}
