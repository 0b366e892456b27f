/** Small recordings. */
import { GlbRecording } from '../../dynamics/src/recording/glb-recording.js';

interface Solid {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

const TRIANGLE: Solid = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
};

/** Of one body, which moves 0.2 m along x from frame to frame. */
export function recordingBytes(
  frames: number,
  extras: object,
  solid = TRIANGLE,
  [x, y, z] = [0, 0, 0],
): Uint8Array {
  const recording = new GlbRecording({ extras });
  const part = recording.addRigid({ name: 'body', colour: [1, 0.5, 0], shape: { name: 'body', ...solid } });
  for (let i = 0; i < frames; i++)
    recording.addFrame(0.02 * i, new Map([[part, [x + 0.2 * i, y, z, 0, 0, 0, 1]]]));
  return Buffer.concat(recording.chunks());
}
