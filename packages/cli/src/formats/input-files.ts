/**
 * Which files a command line means: files, folders (all models in them, however deep) and patterns that the shell has
 * left alone: `*` and `?` within a name, `**` for any number of folders, `{a,b}`.
 *
 * Invariant: the order depends on the arguments and names alone, every file comes once, hidden ones only when named.
 * Links to files are followed; links to folders only where they are named, not on the way down, so there are no
 * circles.
 */
import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CommandError } from '../command-error.js';
import { assertHere } from '../remote/location.js';
import { compareText } from '../wire/text.js';
import { isModelName, isOtherModelName, MODEL_EXTENSIONS } from './formats.js';

const MAX_PATTERNS = 1000;

/** The files that `names` match; a name without a match is an error. */
export async function inputFiles(names: readonly string[]): Promise<string[]> {
  if (names.length === 0) throw new CommandError('no input: name files, folders or patterns');
  const files = new Map<string, string>();
  for (const name of names) {
    for (const path of await filesOf(name)) {
      const real = await realpath(path);
      if (!files.has(real)) files.set(real, path);
    }
  }
  return [...files.values()];
}

/** Models in unsupported formats, beside the supported ones in folders, and where patterns mean all models. */
export async function skippedFiles(names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    if ((await statOf(name))?.isDirectory())
      for (const path of await modelsIn(name, isOtherModelName)) found.add(path);
    else if (isPattern(name))
      for (const pattern of bracesExpanded(name))
        for (const path of await matches(pattern, isOtherModelName)) found.add(path);
  }
  return [...found].filter(isOtherModelName).sort(compareText);
}

async function filesOf(name: string): Promise<string[]> {
  assertHere(name);
  const known = await statOf(name);
  if (known?.isDirectory()) {
    const found = await modelsIn(name);
    if (found.length === 0) {
      throw new CommandError(`${name}: this folder contains no model (${MODEL_EXTENSIONS.join(', ')})`);
    }
    return found;
  }
  if (known !== undefined) return [name];
  if (!isPattern(name)) throw new CommandError(`${name}: no such file or folder`);
  const found = new Set<string>();
  for (const pattern of bracesExpanded(name)) {
    for (const path of await matches(pattern)) found.add(path);
  }
  if (found.size === 0) throw new CommandError(`${name}: nothing matches this pattern`);
  return [...found].sort(compareText);
}

/** All models below `folder`, folders and files in the order of their names. */
async function modelsIn(folder: string, isMeant = isModelName): Promise<string[]> {
  const found: string[] = [];
  for (const { path, isFolder, isLink } of await entriesOf(folder)) {
    if (isFolder && !isLink) found.push(...(await modelsIn(path, isMeant)));
    else if (!isFolder && isMeant(path)) found.push(path);
  }
  return found;
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** The entries of a folder, without hidden ones. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await listed(folder)) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    const target = isLink ? await statOf(path) : entry;
    if (!target?.isDirectory() && !target?.isFile()) continue;
    entries.push({ name: entry.name, path, isFolder: target.isDirectory(), isLink });
  }
  return entries.sort((a, b) => compareText(a.name, b.name));
}

async function listed(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new CommandError(`${folder}: cannot be listed (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Undefined for missing files, and for links to them. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG')
      return undefined;
    throw new CommandError(`${path}: cannot be inspected (${code})`);
  }
}

/** Steps down the folders, one part of the pattern at a time. */
async function matches(pattern: string, isMeant = isModelName): Promise<string[]> {
  const parts = pattern.split(sep === '\\' ? /[\\/]/ : '/');
  let folders = [parts[0] === '' || /^[a-z]:$/i.test(parts[0]) ? `${parts.shift()}/` : ''];
  for (let i = 0; i < parts.length - 1; i++) {
    const part = parts[i];
    if (part === '') continue;
    const next: string[] = [];
    for (const folder of folders) next.push(...(await foldersFor(folder, part)));
    folders = [...new Set(next)];
  }
  const last = parts[parts.length - 1];
  const found: string[] = [];
  for (const folder of folders) {
    if (last === '**') found.push(...(await modelsIn(folder || '.', isMeant)));
    else found.push(...(await filesFor(folder, last, isMeant)));
  }
  return found;
}

async function foldersFor(folder: string, part: string): Promise<string[]> {
  if (part === '**') return [folder, ...(await foldersBelow(folder))];
  if (!isPattern(part)) {
    const path = joined(folder, part);
    return (await statOf(path))?.isDirectory() ? [path] : [];
  }
  return (await matching(folder, part)).filter(({ isFolder }) => isFolder).map(({ path }) => path);
}

async function foldersBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, isFolder, isLink } of await entriesOf(folder || '.')) {
    if (!isFolder || isLink) continue;
    const path = joined(folder, name);
    found.push(path, ...(await foldersBelow(path)));
  }
  return found;
}

async function filesFor(folder: string, part: string, isMeant: (name: string) => boolean): Promise<string[]> {
  if (!isPattern(part)) {
    const path = joined(folder, part);
    return (await statOf(path))?.isFile() ? [path] : [];
  }
  // a pattern without an extension means models, not everything that lies about
  const wantsAny = /\.[^*?]+$/.test(part);
  return (await matching(folder, part))
    .filter(({ name, isFolder }) => !isFolder && (wantsAny || isMeant(name)))
    .map(({ path }) => path);
}

async function matching(folder: string, part: string): Promise<Entry[]> {
  const entries = await entriesOf(folder || '.');
  return entries
    .filter(({ name }) => fits(name, part))
    .map((entry) => ({ ...entry, path: joined(folder, entry.name) }));
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : join(folder, name);
}

function isPattern(name: string): boolean {
  return /[*?{]/.test(name);
}

/** Whether a name fits a pattern of `*`, `?` and `{a,b}`. */
export function matchesName(name: string, pattern: string): boolean {
  return bracesExpanded(pattern).some((one) => fits(name, one));
}

/** Whether a name fits `*` and `?`. After a mismatch only the last star takes one more: no pattern makes this slow. */
function fits(name: string, pattern: string): boolean {
  let n = 0;
  let p = 0;
  let star = -1;
  let afterStar = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      afterStar = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      n++;
      p++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++afterStar;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** `a{b,c}d` → `abd`, `acd`; braces may be nested. A brace without its partner stands for itself. */
function bracesExpanded(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let text = open.shift(); text !== undefined; text = open.shift()) {
    const group = innermostGroup(text);
    if (group === undefined) done.push(text);
    else {
      for (const choice of group.choices)
        open.push(text.slice(0, group.start) + choice + text.slice(group.end));
    }
    if (done.length + open.length > MAX_PATTERNS) {
      throw new CommandError(`${pattern}: expands to more than ${MAX_PATTERNS} patterns`);
    }
  }
  return done;
}

function innermostGroup(text: string): { start: number; end: number; choices: string[] } | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(text);
  if (match === null) return undefined;
  return { start: match.index, end: match.index + match[0].length, choices: match[1].split(',') };
}
