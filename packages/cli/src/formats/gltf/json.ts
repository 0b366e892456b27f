/**
 * Checked access to the JSON of a glTF file. An untrusted file may contain anything anywhere; these functions return
 * the requested value, or fail with the place and the cause.
 */
import { FormatError } from '../format-error.js';
import { type Entries, JsonList } from './json-lists.js';

export type Json = Readonly<Record<string, unknown>>;

export type Kind = 'accessor' | 'buffer' | 'bufferView' | 'mesh' | 'node' | 'scene';

export class JsonReader {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  fail(where: string, why: string): FormatError {
    return new FormatError(this.file, why, where);
  }

  object(value: unknown, where: string): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fail(where, 'an object is missing');
    }
    return value as Json;
  }

  /** An array, or an empty one where there is nothing. */
  array(value: unknown, where: string): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.fail(where, 'not an array');
    return value;
  }

  /** A top-level list, or an empty one where there is nothing. */
  list(root: Json, name: string): Entries {
    const value = root[name];
    return value instanceof JsonList ? value : this.array(value, name);
  }

  /** Entry `index` of the top-level list of that kind; `from` names the referrer. */
  entry(root: Json, kind: Kind, index: unknown, from: string | (() => string)): Json {
    const plural = kind === 'mesh' ? 'meshes' : `${kind}s`;
    const list = this.list(root, plural);
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= list.length) {
      const asking = typeof from === 'string' ? from : from();
      throw this.fail(asking, `it refers to ${kind} ${JSON.stringify(index)}, but there are ${list.length}`);
    }
    return this.object(list.at(index as number), `${kind} ${index}`);
  }

  integer(value: unknown, where: string, name: string, fallback?: number): number {
    const number = value === undefined ? fallback : value;
    if (!Number.isSafeInteger(number) || (number as number) < 0) {
      throw this.fail(where, `${name} is ${JSON.stringify(value) ?? 'missing'}`);
    }
    return number as number;
  }

  /** `length` finite numbers, or the fallback where there is nothing. */
  numbers(value: unknown, where: string, name: string, fallback: readonly number[]): readonly number[] {
    if (value === undefined) return fallback;
    const ok = Array.isArray(value) && value.length === fallback.length && value.every(Number.isFinite);
    if (!ok) throw this.fail(where, `${name} is not ${fallback.length} finite numbers`);
    return value as number[];
  }

  text(value: unknown): string {
    return typeof value === 'string' ? value : '';
  }

  /** The extension `name` of a glTF object, where it has one. */
  extension(owner: Json, name: string, where: string): Json | undefined {
    if (owner['extensions'] === undefined) return undefined;
    const value = this.object(owner['extensions'], `${where}: extensions`)[name];
    return value === undefined ? undefined : this.object(value, `${where}: ${name}`);
  }
}
