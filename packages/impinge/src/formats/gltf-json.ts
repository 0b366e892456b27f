/**
 * Checked access to the JSON of a glTF file. An untrusted file may contain anything anywhere; these functions return
 * the requested value, or fail with the place and the cause.
 */
export type Json = Readonly<Record<string, unknown>>;

export type Kind = 'accessor' | 'buffer' | 'bufferView' | 'material' | 'mesh' | 'node' | 'scene';

/** A list, in memory or not. */
export type Entries = Pick<readonly unknown[], 'length' | 'at'>;

export class JsonReader {
  readonly root: Json;
  readonly fail: (where: string, why: string) => Error;

  /** `fail` makes the error. */
  constructor(root: unknown, fail: (where: string, why: string) => Error) {
    this.fail = fail;
    this.root = this.object(root, 'JSON');
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
  list(name: string): Entries {
    const value = this.root[name];
    // no text of a file becomes a function: this is an array, or what stands for one
    const isList = typeof value === 'object' && typeof (value as Entries | null)?.at === 'function';
    return isList ? (value as Entries) : this.array(value, name);
  }

  /** Entry `index` of the top-level list of that kind; `from` names the referrer. */
  entry(kind: Kind, index: unknown, from: string): Json {
    const plural = kind === 'mesh' ? 'meshes' : `${kind}s`;
    const list = this.list(plural);
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= list.length) {
      throw this.fail(from, `it refers to ${kind} ${JSON.stringify(index)}, but there are ${list.length}`);
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
