/** A flight as a recording, as wire/recording.ts of the command describes it. */
import { quaternionOf } from '@impinge/cli/internal/quaternion.js';
import type { RecordedFlight } from '@impinge/cli/internal/wire/recording.js';
import { GlbRecording } from '@impinge/dynamics/internal/recording/glb-recording.js';
import type { Flight } from '../jobs/flight.js';

const COLOUR = [0.94, 0.55, 0] as const;
/** From z up, as in stores, to y up. */
const UPRIGHT = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

interface Surface {
  readonly positions: ArrayLike<number>;
  readonly indices: Iterable<number>;
}

/** `interval`: seconds between steps. */
export function flightRecording(
  flight: Flight,
  { interval, ...of }: Pick<RecordedFlight, 'model' | 'metresPerUnit'> & { readonly interval: number },
  surfaces: readonly Surface[],
): GlbRecording {
  const { metresPerUnit } = of;
  const steps = flight.steps.map(({ waits, pose, ...step }) => step);
  // places are relative to the first one: far from the origin, float32 is not enough
  const first = flight.steps[0].pose.slice(9);
  const [x, y, z] = first.map((value) => metresPerUnit * value);
  const scale = [metresPerUnit, metresPerUnit, metresPerUnit];
  const root = { translation: [x, z, -y], rotation: UPRIGHT, scale };
  const recording = new GlbRecording({ root, extras: { flight: { ...of, steps } } });
  const part = recording.addRigid({
    name: 'body',
    colour: COLOUR,
    doubleSided: true,
    shape: joined(surfaces),
  });
  for (const [i, { pose }] of flight.steps.entries()) {
    const place = pose.slice(9).map((value, k) => value - first[k]);
    recording.addFrame(i * interval, new Map([[part, [...place, ...quaternionOf(pose)]]]));
  }
  return recording;
}

function joined(surfaces: readonly Surface[]) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const surface of surfaces) {
    const first = positions.length / 3;
    for (const v of surface.indices) indices.push(first + v);
    for (let i = 0; i < surface.positions.length; i++) positions.push(surface.positions[i]);
  }
  return { name: 'body', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
