/** Options that the commands about motions share. */
import { extname } from 'node:path';
import { CommandError } from '../command-error.js';
import { parseLength } from '../quantities.js';
import type { Region } from '../wire/path-region.js';
import type { BoxBody } from './path-body.js';

const OUTPUTS = ['.json', '.glb'];

/** Six numbers, in metres. */
export function parseRegion(text: string, option: string): Region {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  const [a, b, c, d, e, f] = numbers;
  if (numbers.length !== 6 || !numbers.every(Number.isFinite))
    throw new CommandError(`${option}: "${text}" is not six numbers: x0,y0,z0,x1,y1,z1`);
  if (a > d || b > e || c > f) throw new CommandError(`${option}: "${text}" leave no room`);
  return { min: [a, b, c], max: [d, e, f] };
}

/** The file of -o: NAME.json, or NAME.glb, which --view needs. */
export function readMotionOutput({
  output,
  view,
}: {
  readonly output?: string;
  readonly view?: boolean;
}): string | undefined {
  const kind = output === undefined ? undefined : extname(output).toLowerCase();
  if (kind !== undefined && !OUTPUTS.includes(kind))
    throw new CommandError(`-o ${output}: is neither ${OUTPUTS.join(' nor ')}`);
  if (view && kind !== '.glb') throw new CommandError('--view needs a recording: -o path.glb');
  return output;
}

/** Degrees, at most 180, as radians; an option without a value is 0. */
export function parseAngle(text: string | true, option: string): number {
  const degrees = text === true ? 0 : Number(text.trim() === '' ? Number.NaN : text);
  if (!(degrees >= 0 && degrees <= 180))
    throw new CommandError(`${option}: "${text}" is not an angle from 0 to 180 degrees`);
  return (degrees * Math.PI) / 180;
}

/** `0.6x0.4x1.8m`: width, depth and height, in the unit of the last. */
export function parseBoxBody(text: string, option: string): BoxBody {
  const [, numbers, unit] = /^(.*?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const sizes = numbers.split(/[x×]/i).map((part) => parseLength(`${part}${unit}`, option));
  if (sizes.length !== 3 || !sizes.every((size) => size > 0))
    throw new CommandError(`${option}: "${text}" is not a width, depth and height such as 0.6x0.4x1.8m`);
  return [sizes[0], sizes[1], sizes[2]];
}

/** A number of seconds, more than 0. */
export function parseSeconds(text: string, option: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds < Infinity))
    throw new CommandError(`${option}: "${text}" is not a number of seconds`);
  return seconds;
}
