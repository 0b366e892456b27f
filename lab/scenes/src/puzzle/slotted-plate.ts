/** A plate in the plane x = 0 with a slot in it, as four boxes. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { box } from '../rigid/box.js';
import type { ScenePoint } from '../rigid/rigid-scene.js';

export interface SlottedPlateOptions {
  /** Width and height of the plate (default 20), and how thick it is (default 1). */
  readonly size?: number;
  readonly thickness?: number;
  /** Along y and z (default 4 and 2). */
  readonly slot?: readonly [number, number];
}

export function slottedPlate(options: SlottedPlateOptions = {}): SceneMesh {
  const { size = 20, thickness = 1, slot = [4, 2] } = options;
  const [width, height] = slot;
  const beside = (size - width) / 2;
  const above = (size - height) / 2;
  const parts: [ScenePoint, ScenePoint][] = [
    [
      [thickness, beside, size],
      [0, -(width + beside) / 2, 0],
    ],
    [
      [thickness, beside, size],
      [0, (width + beside) / 2, 0],
    ],
    [
      [thickness, width, above],
      [0, 0, -(height + above) / 2],
    ],
    [
      [thickness, width, above],
      [0, 0, (height + above) / 2],
    ],
  ];
  const boxes = parts.map(([extent, middle]) => box('part', extent, middle));
  return {
    name: 'plate',
    positions: Float32Array.from(boxes.flatMap(({ positions }) => [...positions])),
    indices: Uint32Array.from(boxes.flatMap(({ indices }, i) => [...indices].map((k) => k + 8 * i))),
  };
}
