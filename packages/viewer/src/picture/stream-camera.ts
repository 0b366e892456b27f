/** The camera in the form for the streaming worker. */
import type { StreamCamera } from '../streaming/protocol.js';
import type { CameraState } from './camera-state.js';
import { type Depths, lensOf } from './lens.js';

/** The selection covers a wider view by this factor, so that nothing is missing at the border while turning. */
const WIDER = 1.2;

/** In CSS pixels: denser screens show the same triangles. */
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
