/**
 * What the readers of mesh files have in common: what they return, how they fail, and how much they may make of a file.
 */
import { ImpingeError } from '../base/errors.js';
import { IDENTITY } from './matrix.js';

/** Triangles of a file, as `Mesh.from` takes them. */
export interface FileMesh {
  /** Its name in the file; else the name of the file without extension. */
  readonly name: string;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
  /** Where it is, once for each time that the file has it: sixteen column-major entries, which may scale. */
  readonly poses: readonly Float64Array[];
  /** Runs of triangles with a material of their own, in order. Empty where the format has none. */
  readonly materials: readonly FileMaterial[];
}

export interface FileMaterial {
  readonly name: string;
  readonly firstTriangle: number;
  readonly triangleCount: number;
}

/** What any file may come to, whatever its size, and what one may come to for each of its bytes. */
const ALWAYS_BYTES = 64e6;
const BYTES_PER_BYTE = 200;
/** What is shown of a word of a file. */
const SHOWN_LENGTH = 40;

/** The bytes of a file and what it is called in errors. */
export class FileBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly name: string;
  #left: number;

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.name = name;
    this.#left = ALWAYS_BYTES + BYTES_PER_BYTE * bytes.length;
  }

  /** The name without folders and ending. */
  get stem(): string {
    const name = this.name.replace(/^.*[/\\]/s, '');
    return name.replace(/\.[a-z0-9]+$/i, '') || name;
  }

  fail(why: string, where = ''): ImpingeError {
    const text = oneLine(`${this.name}: ${where === '' ? why : `${where}: ${why}`}`);
    return new ImpingeError('bad-buffer', text, { file: this.name, where });
  }

  /** Call this before allocating bytes: small files must not become large. */
  allow(bytes: number): void {
    this.#left -= bytes;
    if (!(this.#left >= 0)) {
      throw this.fail(`needs more memory than a file of ${this.bytes.length} bytes is allowed`);
    }
  }
}

/** Without line ends and control characters, which messages may have taken over from a file. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** A word from an untrusted file, safe to print. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);
}

/** Where what is in no scene is. */
export function unmoved(): Float64Array[] {
  return [Float64Array.from(IDENTITY)];
}
