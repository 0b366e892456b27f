/** The settings that a command's options give for the files it reads, all of them or single ones. */
import { resolve } from 'node:path';
import { CommandError } from './command-error.js';
import { type FilePattern, splitSetting } from './formats/file-settings.js';
import type { SourceOptions } from './formats/model-source.js';
import { parsePose } from './pose-text.js';
import { parseLength, parseUnit } from './quantities.js';

/** Each is a value for all files that do not state it themselves, or `FILE: VALUE`. */
export interface FileOptions {
  readonly unit?: readonly string[];
  readonly up?: readonly string[];
  readonly place?: readonly string[];
  readonly table?: readonly string[];
  readonly curveError?: string;
}

export interface AskedFiles extends Pick<SourceOptions, 'metresPerUnit' | 'up' | 'curveError'> {
  readonly patterns: readonly FilePattern[];
}

/** The command line takes precedence over `others`, from a file of rules. */
export function askedFiles(options: FileOptions, others: readonly FilePattern[] = []): AskedFiles {
  const patterns: FilePattern[] = [];
  let metresPerUnit: number | undefined;
  let up: 'y' | 'z' | undefined;
  for (const text of options.unit ?? []) {
    const { pattern, value } = splitSetting(text);
    const unit = parseUnit(value, '--unit');
    if (pattern !== undefined) patterns.push({ pattern, from: '--unit', unit });
    else if (metresPerUnit === undefined) metresPerUnit = unit;
    else throw new CommandError('--unit: given twice for all files; write "FILE: UNIT" for single ones');
  }
  for (const text of options.up ?? []) {
    const { pattern, value } = splitSetting(text);
    const axis = parseAxis(value, '--up');
    if (pattern !== undefined) patterns.push({ pattern, from: '--up', up: axis });
    else if (up === undefined) up = axis;
    else throw new CommandError('--up: given twice for all files; write "FILE: AXIS" for single ones');
  }
  for (const text of options.place ?? []) {
    const { pattern, value } = splitSetting(text);
    if (pattern === undefined)
      throw new CommandError(`--place: "${text}" does not name a file; write "pipes.ifc: t=1,2,0 rz=60"`);
    patterns.push({ pattern, from: '--place', place: parsePlace(value, '--place') });
  }
  for (const text of options.table ?? []) {
    const { pattern, value } = splitSetting(text);
    patterns.push({ pattern: pattern ?? '*', from: '--table', table: resolve(value) });
  }
  const curveError =
    options.curveError === undefined ? undefined : parseCurveError(options.curveError, '--curve-error');
  return {
    patterns: [...patterns, ...others],
    ...(curveError !== undefined && { curveError }),
    ...(metresPerUnit !== undefined && { metresPerUnit }),
    ...(up !== undefined && { up }),
  };
}

export function parseAxis(text: string, option: string): 'y' | 'z' {
  const axis = text.toLowerCase();
  if (axis !== 'y' && axis !== 'z') throw new CommandError(`${option}: "${text}" is neither y nor z`);
  return axis;
}

function parseCurveError(text: string, option: string): number {
  const metres = parseLength(text, option);
  if (metres === 0) throw new CommandError(`${option}: "${text}" is not a length above 0`);
  return metres;
}

/** A pose as rotation (9, row-major) and translation (3), in metres. */
export function parsePlace(text: string, option: string): number[] {
  const m = parsePose(text, option);
  return [0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14].map((i) => m[i]);
}
