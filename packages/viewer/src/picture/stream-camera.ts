/** The camera as the worker that chooses gets it. */
import type { StreamCamera } from '../streaming/protocol.js';
import type { CameraState } from './camera-state.js';
import { type Depths, lensOf } from './lens.js';

/** More is chosen than is seen, by this factor, so that nothing is missing at the border while one turns. */
const WIDER = 1.2;

/** What is chosen is for CSS pixels: denser screens show the same triangles. */
export function streamCamera(
  state: CameraState,
  { width, height }: { readonly width: number; readonly height: number },
  depths: Depths,
): Pick<StreamCamera, 'pose' | 'projection' | 'width' | 'height'> {
  const { pose, projection } = lensOf(state, width, height, depths);
  const wide = [...projection];
  wide[0] /= WIDER;
  wide[5] /= WIDER;
  const [w, h] = [Math.round(width * WIDER), Math.round(height * WIDER)];
  return { pose, projection: wide, width: w, height: h };
}
