/** Lengths, sizes and counts as people write them on a command line or in a file of rules. */
import { availableParallelism } from 'node:os';
import { CommandError } from './command-error.js';
import { counted } from './terminal.js';

const METRES: Readonly<Record<string, number>> = {
  um: 1e-6,
  µm: 1e-6,
  micron: 1e-6,
  mm: 1e-3,
  millimeter: 1e-3,
  millimetre: 1e-3,
  cm: 1e-2,
  centimeter: 1e-2,
  centimetre: 1e-2,
  dm: 1e-1,
  m: 1,
  meter: 1,
  metre: 1,
  km: 1e3,
  in: 0.0254,
  inch: 0.0254,
  '"': 0.0254,
  ft: 0.3048,
  foot: 0.3048,
  feet: 0.3048,
  "'": 0.3048,
};

const BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

const COUNTS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6 };
const LEAST_MEMORY = 1e6;

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)?\s*(\D*)$/i;

/**
 * The metres of `50mm`, `2 in`, `0`, or a unit alone, `mm`; finite and not negative. A number without a unit is
 * ambiguous: 50 is a good clearance in millimetres, and a useless one in metres. `option` names it in errors.
 */
export function parseLength(text: string, option: string): number {
  const { value, unit } = lengthParts(text, option);
  if (value !== undefined && value > 0 && value < Infinity && unit === '') {
    const bare = text.trim();
    throw new CommandError(`${option}: "${bare}" has no unit; write ${bare}mm, ${bare}in or ${bare}m`);
  }
  return metresIn(value, unit, text, option);
}

function lengthParts(text: string, option: string): { value: number | undefined; unit: string } {
  const parts = quantity(text, option, 'a length such as 50mm or 2in');
  if (parts.value === undefined && parts.unit === '') throw new CommandError(`${option}: it is empty`);
  return parts;
}

function metresIn(value: number | undefined, unit: string, text: string, option: string): number {
  const metres = unit === '' ? 1 : lookUp(METRES, unit);
  if (metres === undefined) {
    throw new CommandError(
      `${option}: "${text}": unknown unit "${unit}"; mm, cm, m, km, in and ft are known`,
    );
  }
  return notNegative((value ?? 1) * metres, text, option);
}

/** A permitted error: a length, or a share of a size. */
export interface ErrorText {
  /** As given; undefined if it was not. */
  readonly text: string | undefined;
  readonly isShare: boolean;
  /** The error in metres for this size. */
  metres(size: number): number;
}

/** `0.04%` of a size, or a length such as `2mm`. Without a text, no error is permitted. */
export function parseError(text: string | undefined, option: string): ErrorText {
  if (text === undefined) return { text, isShare: false, metres: () => 0 };
  const [, percent] = /^([^%]*)%$/.exec(text.trim()) ?? [];
  if (percent === undefined) {
    const metres = parseLength(text, option);
    return { text, isShare: false, metres: () => metres };
  }
  const { value, unit } = quantity(percent, option, 'a share such as 0.04%, or a length such as 2mm');
  if (value === undefined || unit !== '') {
    throw new CommandError(`${option}: "${text}" is not a share such as 0.04%, or a length such as 2mm`);
  }
  const share = notNegative(value, text, option) / 100;
  return { text: text.trim(), isShare: true, metres: (size) => share * size };
}

/** The metres of one unit: a length that is more than 0, or a number of metres. */
export function parseUnit(text: string, option: string): number {
  const { value, unit } = lengthParts(text, option);
  const metres = metresIn(value, unit, text, option);
  if (metres === 0) throw new CommandError(`${option}: "${text}": a unit is longer than 0`);
  return metres;
}

/** The bytes of `160MB`, `1.5 GiB` or `1000000`: a whole number, at least 1. */
export function parseBytes(text: string, option: string): number {
  const { value, unit } = quantity(text, option, 'a size such as 160MB or 2GiB');
  if (value === undefined) throw new CommandError(`${option}: "${text}" has no number; write 160MB or 2GiB`);
  const factor = unit === '' ? 1 : lookUp(BYTES, unit);
  if (factor === undefined) {
    throw new CommandError(
      `${option}: "${text}": unknown unit "${unit}"; kB, MB, GB, KiB, MiB, GiB are known`,
    );
  }
  const bytes = Math.round(notNegative(value * factor, text, option));
  if (bytes < 1 || bytes > Number.MAX_SAFE_INTEGER) {
    throw new CommandError(`${option}: "${text}" is ${bytes < 1 ? 'less than a byte' : 'too much'}`);
  }
  return bytes;
}

/** The bytes of `--memory`; a number without a unit is probably a slip. */
export function parseMemory(text: string): number {
  const bytes = parseBytes(text, '--memory');
  if (bytes < LEAST_MEMORY) {
    throw new CommandError(`--memory: "${text}" is ${counted(bytes, 'byte')}; write 160MB, for example`);
  }
  return bytes;
}

/** `15M`, `300K` or `20000`. */
export function parseCount(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim());
  const value = match ? Number(match[1]) * COUNTS[match[2].toLowerCase()] : Number.NaN;
  if (!Number.isInteger(value))
    throw new CommandError(`${option}: "${text}" is not a number such as 15M or 300K`);
  return value;
}

/** An integer ≥ 1. */
export function parseLimit(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new CommandError(`${option}: "${text}" is not a count`);
  return value;
}

/** The number of workers given by the option, or one per core. */
export function parseWorkers(text: string | undefined, option = '--workers'): number {
  if (text === undefined) return availableParallelism();
  const workers = Number(text);
  if (!Number.isInteger(workers) || workers < 1 || workers > 256) {
    throw new CommandError(`${option}: "${text}" is not a whole number from 1 to 256`);
  }
  return workers;
}

function quantity(text: string, option: string, what: string): { value: number | undefined; unit: string } {
  const match = QUANTITY.exec(text.trim());
  if (match === null) throw new CommandError(`${option}: "${text}" is not ${what}`);
  const value = match[1] === undefined ? undefined : Number(match[1]);
  return { value, unit: match[2].trim().toLowerCase() };
}

function lookUp(table: Readonly<Record<string, number>>, unit: string): number | undefined {
  if (Object.hasOwn(table, unit)) return table[unit];
  const singular = unit.replace(/(?<=[a-z]{3})(?:(?<=inch)e)?s$/, '');
  return Object.hasOwn(table, singular) ? table[singular] : undefined;
}

function notNegative(value: number, text: string, option: string): number {
  if (!Number.isFinite(value)) throw new CommandError(`${option}: "${text}" is not finite`);
  if (value < 0) throw new CommandError(`${option}: "${text}" is negative`);
  return value;
}
