/** How an assembly comes apart as a recording: step after step, or as an exploded picture. */
import { multiply } from '../matrix.js';
import type { AssemblyPart, AssemblyParts } from './assembly-parts.js';
import { FRAME_SECONDS, type RecordedWay, writeBodyRecording } from './body-recording.js';
import { centreAt, type MomentOfPath, momentsOf } from './path-motion.js';
import { inverseOf, matrixOfPlaced, placedPose } from './path-poses.js';
import type { TakenApart, WrittenStep } from './take-apart.js';

/** Of one motion of a step, and all together. */
const MOTION_FRAMES = 12;
const MOST_FRAMES = 5000;

/** All parts at one time, those that leave pulled apart. */
export function writeExplosion(
  output: string,
  { parts, model }: AssemblyParts,
  { explosion }: TakenApart,
): Promise<void> {
  const poses = new Map(explosion.map(({ part, pose }) => [part, pose]));
  const centre = [0, 0, 0];
  const ways = parts.map(({ body, stands }, i): RecordedWay => {
    const pose = poses.get(parts[i]) ?? stands;
    return { body, centre, from: 0, moments: [{ centre: pose.position as never, rotation: pose.rotation }] };
  });
  return writeBodyRecording(output, { ways, times: [0], metresPerUnit: model.meta.metresPerUnit });
}

/** What moves in a step goes on from where earlier steps took it, although steps are told as from the assembly. */
export function writeSteps(
  output: string,
  { parts, model }: AssemblyParts,
  { steps }: TakenApart,
): Promise<void> {
  const motions = steps.reduce((sum, step) => sum + motionsOf(step), 0);
  const each = Math.max(1, Math.min(MOTION_FRAMES, Math.floor(MOST_FRAMES / motions)));
  const ways = new Map<AssemblyPart, { from: number; centre: readonly number[]; moments: Moment[] }>();
  let frame = 0;
  for (const step of steps) {
    const frames = each * motionsOf(step);
    for (const { part, poses, centre } of step.moves) {
      const way = ways.get(part) ?? {
        ...{ from: frame, centre },
        moments: [{ centre: centreAt({ centre }, part.stands), rotation: part.stands.rotation }],
      };
      ways.set(part, way);
      const before = way.moments[way.moments.length - 1];
      while (way.from + way.moments.length <= frame) way.moments.push(before);
      const moved = movedSince(way.centre, before, part);
      const shown = poses.map((pose) => placedPose(multiply(moved, matrixOfPlaced(pose))));
      const times = shown.map((_, i) => i * each);
      way.moments.push(...momentsOf({ poses: shown, times, centre: way.centre }, 1, Infinity).slice(1));
    }
    frame += frames;
  }
  const times = Array.from({ length: frame + 1 }, (_, i) => i * FRAME_SECONDS);
  const recorded = parts.map((part): RecordedWay => {
    const { body, stands } = part;
    const still = {
      from: 0,
      centre: [0, 0, 0],
      moments: [{ centre: stands.position as never, rotation: stands.rotation }],
    };
    return { body, ...(ways.get(part) ?? still) };
  });
  return writeBodyRecording(output, { ways: recorded, times, metresPerUnit: model.meta.metresPerUnit });
}

type Moment = Pick<MomentOfPath, 'centre' | 'rotation'>;

/** All moves of a step have as many. */
function motionsOf({ moves }: WrittenStep): number {
  return moves[0].poses.length - 1;
}

/** From the assembly to where a part is. */
function movedSince(
  centre: readonly number[],
  { centre: at, rotation }: Moment,
  { stands }: AssemblyPart,
): Float64Array {
  const turned = matrixOfPlaced({ position: [0, 0, 0], rotation });
  const own = centreAt({ centre }, placedPose(turned));
  const pose = matrixOfPlaced({ position: at.map((x, k) => x - own[k]), rotation });
  return multiply(pose, inverseOf(matrixOfPlaced(stands)));
}
