/** JSON files about motions: how they are read and checked, and how they name other files. */
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.js';
import { readBytes } from '../regular-file.js';
import { isRemote } from '../remote/location.js';

const MAX_BYTES = 2 ** 28;

export const vector = (length: number) => v.pipe(v.array(v.pipe(v.number(), v.finite())), v.length(length));

const POSE = {
  position: vector(3),
  rotation: v.pipe(
    vector(4),
    v.check((q) => Math.abs(Math.hypot(...q) - 1) < 1e-6, 'is not a unit quaternion'),
  ),
};
export const placedPoseSchema = v.object(POSE);
export const timedPoseSchema = v.object({ time: v.pipe(v.number(), v.finite()), ...POSE });

/** `command` is what writes such files. */
export async function readMotionFile<S extends v.GenericSchema>(
  name: string,
  schema: S,
  command: string,
): Promise<v.InferOutput<S>> {
  const bytes = await readBytes(name, MAX_BYTES);
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new CommandError(`${name}: is not JSON`);
  }
  const read = v.safeParse(schema, given);
  if (read.success) return read.output;
  const [{ path = [], message }] = read.issues as [v.BaseIssue<unknown>];
  const at = path.map(({ key }) => String(key)).join('.');
  throw new CommandError(`${name}: is not of "${command}"${at === '' ? '' : `: ${at}`}: ${message}`);
}

/** A file as it is named from a folder. */
export function placeIn(folder: string, name: string): string {
  return isRemote(name) ? name : relative(resolve(folder), resolve(name));
}

/** And from where we are. */
export function placeFrom(file: string, name: string): string {
  return isRemote(name) || isAbsolute(name) ? name : relative('', resolve(dirname(file), name));
}
