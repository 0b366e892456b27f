/** What the picture consists of once the store is open. */
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
import type { Box, Point } from './types.js';

export interface PictureParts extends FrameParts {
  readonly opened: Opened;
  readonly objects: ObjectState;
  readonly picker: Picker;
  readonly depths: Depths;
  /** Of all objects. */
  readonly box: Box;
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
    depths: { reach: reachOf(opened.boxes, origin), middle: origin, isReversed },
    box: boxOfAll(opened.boxes),
  };
}

export function disposeParts({ picker, marks, surface, slabs, objects }: PictureParts): void {
  for (const part of [picker, marks, surface, slabs, objects]) part.dispose();
}

function boxOfAll(boxes: Float64Array): Box {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < boxes.length; i += 6) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], boxes[i + k]);
      max[k] = Math.max(max[k], boxes[i + k + 3]);
    }
  }
  return boxes.length > 0 ? ({ min, max } as unknown as Box) : { min: [-1, -1, -1], max: [1, 1, 1] };
}

function reachOf(boxes: Float64Array, middle: Point): number {
  let reach = 0;
  for (let i = 0; i < boxes.length; i++) reach = Math.max(reach, Math.abs(boxes[i] - middle[i % 3]));
  return reach || 1;
}
