/**
 * Settings for single files, from the command line or a file of rules: unit, up axis, placement and discipline. Files
 * are named without folders, or by a pattern.
 */
import { basename } from 'node:path';
import { CommandError } from '../command-error.js';
import { matchesName } from './input-files.js';
import type { SourceOptions } from './model-source.js';

export interface FileSetting {
  /** Metres per unit, overriding the file. */
  readonly unit?: number;
  readonly up?: 'y' | 'z';
  /** Where the file's own origin and axes are: rotation (9, row-major) and translation (3), in metres. */
  readonly place?: readonly number[];
  readonly discipline?: string;
  /** The path of a table of properties. */
  readonly table?: string;
}

export interface FilePattern extends FileSetting {
  readonly pattern: string;
  /** The setting's origin, for messages: `--place`. */
  readonly from: string;
}

/** For each kind of setting, the first matching pattern that has one. */
export function settingOf(path: string, patterns: readonly FilePattern[] = []): FileSetting {
  let setting: FileSetting = {};
  for (const { pattern, from: _, ...own } of patterns) {
    if (matchesName(basename(path), pattern)) setting = { ...own, ...setting };
  }
  return setting;
}

/** Throws if a pattern matches none of these files, since it must be a mistake. */
export function assertUsed(paths: readonly string[], patterns: readonly FilePattern[] = []): void {
  const names = paths.map((path) => basename(path));
  const idle = patterns.find(({ pattern }) => !names.some((name) => matchesName(name, pattern)));
  if (idle === undefined) return;
  const shown = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
  throw new CommandError(`${idle.from}: no file is called "${idle.pattern}"; the files are ${shown}`);
}

/** The settings a reader needs. */
export function sourceSetting({ unit, up }: FileSetting): Pick<SourceOptions, 'unit' | 'up'> {
  return { ...(unit !== undefined && { unit }), ...(up !== undefined && { up }) };
}

/** `FILE: VALUE` as both parts, or the value alone. */
export function splitSetting(text: string): { readonly pattern: string | undefined; readonly value: string } {
  const at = text.lastIndexOf(':');
  if (at < 0) return { pattern: undefined, value: text.trim() };
  return { pattern: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
