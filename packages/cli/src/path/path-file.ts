/** A path in a JSON file, which says all that is needed to verify it: lengths in metres. */
import { dirname } from 'node:path';
import * as v from 'valibot';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { json } from '../terminal.js';
import { placeFrom, placeIn, readMotionFile, timedPoseSchema, vector } from './motion-file.js';
import type { PathAsked } from './path-asked.js';
import type { BoxBody } from './path-body.js';
import { centreAt } from './path-motion.js';
import type { Certified, WrittenPath } from './search-path.js';

export interface PathFile extends WrittenPath {
  /** As on the command line. */
  readonly model: string;
  readonly body: string;
  readonly isObject: boolean;
  /** Instead of either: a box of this size. */
  readonly box?: BoxBody;
  readonly clearance: number;
  /** Radians. */
  readonly upright?: number;
  readonly walk?: NonNullable<PathAsked['walk']>;
  readonly certificate: Pick<Certified, 'clearance' | 'nearest'>;
}

const VERSION = 1;
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const SCHEMA = v.object({
  impingePath: v.literal(VERSION),
  model: v.string(),
  body: v.union([
    v.object({ file: v.string() }),
    v.object({ object: v.string() }),
    v.object({ box: v.strictTuple([positive, positive, positive]) }),
  ]),
  clearance: v.pipe(v.number(), v.finite(), v.minValue(0)),
  upright: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
  walk: v.optional(v.object({ stepHeight: positive, maxSlope: positive })),
  centre: vector(3),
  poses: v.pipe(v.array(timedPoseSchema), v.minLength(1)),
  certificate: v.object({ clearance: v.number(), nearest: v.number() }),
});

export function pathJson({ poses, times, ...rest }: PathFile, folder: string) {
  const { model, body, isObject, box, clearance, upright, walk, centre, certificate } = rest;
  return {
    impingePath: VERSION,
    model: placeIn(folder, model),
    body: box ? { box } : isObject ? { object: body } : { file: placeIn(folder, body) },
    clearance,
    ...(upright !== undefined && { upright }),
    ...(walk && { walk }),
    centre,
    length: lengthOf({ poses, centre, times }),
    poses: poses.map(({ position, rotation }, i) => ({ time: times[i], position, rotation })),
    certificate: { clearance: certificate.clearance, nearest: certificate.nearest },
  };
}

export function writePathFile(output: string, path: PathFile): Promise<void> {
  return writeTextAtomically(output, json(pathJson(path, dirname(output))));
}

/** Files are named from where the path is. */
export async function readPathFile(name: string): Promise<PathFile> {
  const read = await readMotionFile(name, SCHEMA, 'impinge path');
  const { model, body, clearance, upright, walk, centre, poses, certificate } = read;
  const isObject = 'object' in body;
  return {
    model: placeFrom(name, model),
    body: 'box' in body ? '' : 'object' in body ? body.object : placeFrom(name, body.file),
    ...('box' in body && { box: body.box }),
    ...{ isObject, clearance, centre, certificate },
    ...(upright !== undefined && { upright }),
    ...(walk && { walk }),
    poses: poses.map(({ position, rotation }) => ({ position, rotation })),
    times: poses.map(({ time }) => time),
  };
}

/** How far the centre moves. */
export function lengthOf(path: WrittenPath): number {
  let length = 0;
  for (let i = 1; i < path.poses.length; i++) {
    const [a, b] = [path.poses[i - 1], path.poses[i]].map((pose) => centreAt(path, pose));
    length += Math.hypot(...a.map((x, k) => x - b[k]));
  }
  return length;
}
