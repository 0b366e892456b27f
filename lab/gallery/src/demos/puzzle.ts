/** Two linked bent tubes: a way apart is looked for while one watches, proved, and then shown there and back. */
import { findPath, type MotionPath, type PathProgress } from '@impinge/motion';
import { interlockedRings } from '@impinge/scenes/puzzle';
import { distance, Mesh, poseAt } from 'impinge';
import type { Demo, Figure, Frame, Surface } from '../protocol.js';

const STANDING = 0x8a8f98;
const MOVING = 0xd97b29;
/** Diameter of the tubes, which the gaps are wider than. */
const TUBE = 4;
/** Frames of the whole way. */
const FRAMES = 300;
const SECONDS = 600;

export const puzzleDemo: Demo = {
  start({ gap, seed }) {
    const began = performance.now();
    const { ring, start, goal } = interlockedRings({ gap: TUBE * (1 + gap / 100) });
    const mesh = Mesh.from(ring);
    const positions = mesh.positions.slice();
    const stopped = new AbortController();
    let progress: PathProgress = { nodes: 0, seconds: 0 };
    let path: MotionPath | undefined;
    let failure: unknown;
    let seconds = 0;
    let frame = 0;
    let isShown = false;
    findPath(mesh, mesh, {
      ...{ start, goals: [goal], seed, timeLimit: SECONDS, signal: stopped.signal },
      onProgress: (now) => {
        progress = now;
      },
    }).then(
      (result) => {
        seconds = (performance.now() - began) / 1000;
        if (result.found) path = result.path;
        else failure = new Error('none was found in ten minutes; there is one');
      },
      (error: unknown) => {
        failure = error;
      },
    );
    return {
      async step(): Promise<Frame> {
        if (failure !== undefined) throw failure;
        if (!path) await new Promise((resolve) => setTimeout(resolve, 50));
        const asked = performance.now();
        const share = path ? there(frame++) : 0;
        const pose = path
          ? poseOn(path, share)
          : { rotation: start.slice(0, 9), translation: start.slice(9) };
        const posed = performance.now();
        const apart = distance(mesh, mesh, { poseB: pose }).distance;
        const measured = performance.now();
        const surfaces: Surface[] = [
          { id: 1, positions: placed(positions, pose), ...tube(mesh, isShown, MOVING) },
        ];
        if (!isShown) surfaces.push({ id: 0, positions: positions.slice(), ...tube(mesh, false, STANDING) });
        isShown = true;
        const figures: Figure[] = path
          ? [
              ['Found and proved in', `${seconds.toFixed(1)} s`],
              ['Distance, certified at least', path.certificate.clearance.toFixed(3)],
            ]
          : [
              [
                'Searching',
                `${progress.seconds.toFixed(1)} s, ${progress.nodes.toLocaleString('en')} poses kept`,
              ],
            ];
        return {
          ...{ surfaces, gone: [], look: { centre: [0, 0, 12], radius: 26 } },
          stages: [
            ['pose', posed - asked],
            ['distance', measured - posed],
          ],
          figures: [
            ...figures,
            ['On its way', path ? `${(100 * share).toFixed(1)} %` : '–'],
            ['Distance here', apart.toFixed(3)],
          ],
        };
      },
      dispose() {
        stopped.abort();
      },
    };
  },
};

function tube(mesh: Mesh, isShown: boolean, colour: number): Partial<Surface> {
  return isShown ? {} : { indices: Uint32Array.from(mesh.indices), colour };
}

/** From 0 to 1 and back. */
function there(frame: number): number {
  const turn = (frame / FRAMES) % 2;
  return turn > 1 ? 2 - turn : turn;
}

function poseOn({ poses, times, centre }: MotionPath, share: number) {
  const time = share * times[times.length - 1];
  const next = Math.max(
    1,
    times.findIndex((one) => one >= time),
  );
  const [from, to] = [times[next - 1], times[next]];
  const part = Math.min(1, Math.max(0, (time - from) / (to - from)));
  return poseAt({ from: poses[next - 1], to: poses[next], centre }, part);
}

function placed(
  points: ArrayLike<number>,
  {
    rotation: r,
    translation: t,
  }: { readonly rotation: ArrayLike<number>; readonly translation: ArrayLike<number> },
): Float32Array {
  const out = new Float32Array(points.length);
  for (let i = 0; i < out.length; i += 3) {
    for (let k = 0; k < 3; k++)
      out[i + k] = r[3 * k] * points[i] + r[3 * k + 1] * points[i + 1] + r[3 * k + 2] * points[i + 2] + t[k];
  }
  return out;
}
