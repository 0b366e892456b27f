/**
 * A proved way of an object from one pose to another, as far as memory allows around it, and how much room it has along
 * it: what `impinge path` does with files.
 */
import type { Session, StoredModel } from '@impinge/model';
import { findPath, type MotionPath } from '@impinge/motion';
import { distance, ImpingeError, type Mesh, poseAt, Scene, type Vec3 } from 'impinge';
import { objectMesh } from '../../../cli/src/wire/object-mesh.js';
import { type Region, widestRegion } from '../../../cli/src/wire/path-region.js';
import { posed, poseOf } from './poses.js';
import type { WayAnswer, WayQuestion } from './types.js';

/** Frames of the whole way, about. */
const FRAMES = 240;
/** Frames between two places where the room is measured. */
const MEASURED = 4;

/** `object` must be hidden in the session. Undefined: stopped, because `stop` said so. */
export async function findWay(
  session: Session,
  model: StoredModel,
  object: number,
  question: WayQuestion,
  stop: () => Promise<boolean>,
): Promise<WayAnswer | undefined> {
  const { clearance } = question;
  const { mesh, origin } = await objectMesh(model, object);
  const [from, to] = [question.from, question.to].map((pose) => moved(pose, posed(pose, origin)));
  const { min, max } = mesh.box;
  const middle = min.map((low, k) => 0.5 * (low + max[k])) as unknown as Vec3;
  const radius = 0.5 * Math.hypot(...min.map((low, k) => max[k] - low));
  const ends = [from, to].map((pose) => posed(pose, middle));
  const near = (region: Region) => session.within(region).catch(unlessTooLarge);
  const widest = await widestRegion(ends, { radius, reach: radius + clearance }, near);
  if (!widest) throw new Error('what lies between does not fit into memory');
  try {
    const obstacles = new Scene();
    for (const { mesh: piece, pose, object: other } of widest.held.pieces)
      obstacles.add(piece, { pose, name: model.text(other, 'path') });
    const [around] = await session.enclosing(mesh, { pose: poseOf(from) });
    if (around !== undefined)
      return { found: false, blocked: `It starts inside ${model.text(around, 'path')}.` };
    const path = await searched(mesh, obstacles, { ...question, from, to }, widest.region, stop);
    if (path === undefined || 'found' in path) return path;
    const frames = framesOf(path);
    const back = origin.map((x) => -x) as unknown as Vec3;
    const room: number[] = [];
    for (const [i, frame] of frames.entries()) {
      const isMeasured = i % MEASURED === 0 || i === frames.length - 1;
      room.push(
        isMeasured ? (await distance(mesh, obstacles, { poseA: poseOf(frame) })).distance : room[i - 1],
      );
    }
    return {
      found: true,
      poses: frames.map((frame) => moved(frame, posed(frame, back))),
      middles: frames.map((frame) => posed(frame, middle)),
      room,
      clearance: path.certificate.clearance,
    };
  } finally {
    widest.held.dispose();
    mesh.dispose();
  }
}

async function searched(
  mesh: Mesh,
  obstacles: Scene,
  { from, to, clearance, seconds }: WayQuestion,
  bounds: Region,
  stop: () => Promise<boolean>,
): Promise<MotionPath | WayAnswer | undefined> {
  const stopped = new AbortController();
  try {
    const found = await findPath(mesh, obstacles, {
      start: poseOf(from),
      goals: [poseOf(to)],
      ...{ bounds, clearance, timeLimit: seconds, signal: stopped.signal },
      onProgress: () => void stop().then((isStale) => isStale && stopped.abort()),
    });
    return found.found ? found.path : { found: false };
  } catch (error) {
    if (stopped.signal.aborted) return undefined;
    if (!(error instanceof ImpingeError) || typeof error.detail['obstacle'] !== 'string') throw error;
    const { end, obstacle } = error.detail;
    return {
      found: false,
      blocked: `${end === 'the start' ? 'The start' : 'The goal'} is not free: ${obstacle}.`,
    };
  }
}

function unlessTooLarge(error: unknown): undefined {
  if (error instanceof ImpingeError && error.code === 'out-of-memory') return;
  throw error;
}

/** Poses of the mesh, evenly in time. */
function framesOf({ poses, times, centre }: MotionPath): Float64Array[] {
  const frames = [poses[0]];
  const all = times[times.length - 1] - times[0];
  for (let i = 1; i < poses.length; i++) {
    const [from, to] = [poses[i - 1], poses[i]];
    const parts = Math.max(1, Math.round((FRAMES * (times[i] - times[i - 1])) / all));
    for (let part = 1; part <= parts; part++) {
      const { rotation, translation } = poseAt({ from, to, centre }, part / parts);
      frames.push(Float64Array.of(...rotation, ...translation));
    }
  }
  return frames;
}

/** With the same turn in another place. */
function moved(pose: Float64Array, [x, y, z]: Vec3): Float64Array {
  return Float64Array.of(...pose.subarray(0, 9), x, y, z);
}
