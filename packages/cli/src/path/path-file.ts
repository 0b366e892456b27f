/** A path in a JSON file, which says all that is needed to verify it: lengths in metres. */
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.js';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { readBytes } from '../regular-file.js';
import { isRemote } from '../remote/location.js';
import { json } from '../terminal.js';
import { centreAt } from './path-motion.js';
import type { Certified, WrittenPath } from './search-path.js';

export interface PathFile extends WrittenPath {
  /** As on the command line. */
  readonly model: string;
  readonly body: string;
  readonly isObject: boolean;
  readonly clearance: number;
  readonly certificate: Pick<Certified, 'clearance' | 'nearest'>;
}

const VERSION = 1;
const MAX_BYTES = 2 ** 28;
const vector = (length: number) => v.pipe(v.array(v.pipe(v.number(), v.finite())), v.length(length));

const SCHEMA = v.object({
  impingePath: v.literal(VERSION),
  model: v.string(),
  body: v.union([v.object({ file: v.string() }), v.object({ object: v.string() })]),
  clearance: v.pipe(v.number(), v.finite(), v.minValue(0)),
  centre: vector(3),
  poses: v.pipe(
    v.array(
      v.object({
        time: v.pipe(v.number(), v.finite()),
        position: vector(3),
        rotation: v.pipe(
          vector(4),
          v.check((q) => Math.abs(Math.hypot(...q) - 1) < 1e-6, 'is not a unit quaternion'),
        ),
      }),
    ),
    v.minLength(1),
  ),
  certificate: v.object({ clearance: v.number(), nearest: v.number() }),
});

export function pathJson({ poses, times, ...rest }: PathFile, folder: string) {
  const { model, body, isObject, clearance, centre, certificate } = rest;
  return {
    impingePath: VERSION,
    model: placeIn(folder, model),
    body: isObject ? { object: body } : { file: placeIn(folder, body) },
    clearance,
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
  const bytes = await readBytes(name, MAX_BYTES);
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new CommandError(`${name}: is not JSON`);
  }
  const read = v.safeParse(SCHEMA, given);
  if (!read.success) {
    const [{ path = [], message }] = read.issues;
    const at = path.map(({ key }) => String(key)).join('.');
    throw new CommandError(
      `${name}: is not a path of "impinge path"${at === '' ? '' : `: ${at}`}: ${message}`,
    );
  }
  const { model, body, clearance, centre, poses, certificate } = read.output;
  const isObject = 'object' in body;
  return {
    model: placeFrom(name, model),
    body: isObject ? body.object : placeFrom(name, body.file),
    ...{ isObject, clearance, centre, certificate },
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

function placeIn(folder: string, name: string): string {
  return isRemote(name) ? name : relative(resolve(folder), resolve(name));
}

function placeFrom(file: string, name: string): string {
  return isRemote(name) || isAbsolute(name) ? name : relative('', resolve(dirname(file), name));
}
