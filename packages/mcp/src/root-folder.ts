/** The folder whose files an agent may name. */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A name that is refused, and why: told to the agent. */
export class Refusal extends Error {}

/** More files are counted, and not listed. */
const MOST_FILES = 1000;

export class RootFolder {
  readonly path: string;
  readonly mayWrite: boolean;

  private constructor(path: string, mayWrite: boolean) {
    this.path = path;
    this.mayWrite = mayWrite;
  }

  static async open(folder: string, mayWrite: boolean): Promise<RootFolder> {
    const path = await realpath(folder).catch(() => undefined);
    if (path === undefined || !(await stat(path)).isDirectory()) {
      throw new Refusal(`${folder}: no such folder`);
    }
    return new RootFolder(path, mayWrite);
  }

  /**
   * The path of a file in the folder, with all links followed; it is absolute, so no option. Patterns and addresses are
   * not files.
   */
  async fileAt(name: string): Promise<string> {
    const path = await realpath(resolve(this.path, name)).catch(() => undefined);
    // whether a file elsewhere exists is not told
    if (path === undefined || !this.#holds(path)) throw new Refusal(`${name}: no such file in ${this.path}`);
    if (!(await stat(path)).isFile())
      throw new Refusal(`${name}: not a file; list_files lists those there are`);
    return path;
  }

  /** Where a new file or folder may be written. */
  async placeFor(name: string): Promise<string> {
    if (!this.mayWrite)
      throw new Refusal(`${name}: nothing may be written, unless "impinge mcp" has --write`);
    const path = resolve(this.path, name);
    const parent = await realpath(dirname(path)).catch(() => undefined);
    const place = parent === undefined ? undefined : join(parent, basename(path));
    if (place === undefined || !this.#holds(place))
      throw new Refusal(`${name}: not in a folder of ${this.path}`);
    if (existsSync(place)) throw new Refusal(`${name}: exists already`);
    return place;
  }

  /** Files in the folder and below, without hidden ones; links are not followed. */
  async files(): Promise<{ readonly files: readonly FoundFile[]; readonly more: number }> {
    const files: FoundFile[] = [];
    let more = 0;
    const folders = [this.path];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      const entries = await readdir(folder, { withFileTypes: true });
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile() && files.length < MOST_FILES) {
          files.push({ file: this.nameOf(path), bytes: (await stat(path)).size });
        } else if (entry.isFile()) more++;
      }
    }
    return { files, more };
  }

  /** How an agent knows a path. */
  nameOf(path: string): string {
    return relative(this.path, path).split(sep).join('/');
  }

  #holds(path: string): boolean {
    const way = relative(this.path, path);
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

export interface FoundFile {
  readonly file: string;
  readonly bytes: number;
}
