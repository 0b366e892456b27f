/**
 * A defence against small files that expand: a reader's output is limited in proportion to the bytes it has read.
 * Honest files stay far below: an object takes more than four bytes, its names and properties are a few times their
 * text in the file, and triangles rarely take twenty times their bytes. Placing a shape again costs nothing here; a
 * shape that is scaled or joined for an object is a new one.
 */
import { crc32 } from 'node:zlib';
import { FormatError } from './format-error.js';

/** Output that is always allowed, whatever the file's size. */
const ALWAYS = { objects: 10_000, characters: 16e6, bytes: 1e9 };
const OBJECTS_PER_BYTE = 1 / 4;
const CHARACTERS_PER_BYTE = 64;
const SHAPE_BYTES_PER_BYTE = 200;

const MAX_NAME_LENGTH = 500;
const MAX_PATH_LENGTH = 2000;

export class GrowthLimit {
  readonly #file: string;
  #bytesRead: number;
  #objects = 0;
  #characters = 0;
  #bytes = 0;

  constructor(file: string, bytesRead: number) {
    this.#file = file;
    this.#bytesRead = bytesRead;
  }

  /** Counts bytes from outside the file itself: another file, or unpacked data. */
  alsoRead(bytes: number): void {
    this.#bytesRead += bytes;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** The limits for a single object. */
  get ofOne(): { readonly mostParts: number; readonly mostPartBytes: number } {
    return {
      mostParts: ALWAYS.objects + OBJECTS_PER_BYTE * this.#bytesRead,
      mostPartBytes: ALWAYS.bytes + SHAPE_BYTES_PER_BYTE * this.#bytesRead,
    };
  }

  /** Counts an object and the characters of its names, paths and properties. */
  object(characters: number): void {
    this.#characters += characters;
    if (++this.#objects > ALWAYS.objects + OBJECTS_PER_BYTE * this.#bytesRead) {
      throw this.#fail(`more than ${this.#objects - 1} objects`);
    }
    if (this.#characters > ALWAYS.characters + CHARACTERS_PER_BYTE * this.#bytesRead) {
      throw this.#fail(`names and properties of more than ${Math.round(this.#characters / 1e6)} MB`);
    }
  }

  /** Counts a shape. */
  shape(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > ALWAYS.bytes + SHAPE_BYTES_PER_BYTE * this.#bytesRead) {
      throw this.#fail(`triangles of more than ${Math.round(this.#bytes / 1e6)} MB`);
    }
  }

  #fail(what: string): FormatError {
    return new FormatError(this.#file, `${what} from ${this.#bytesRead} bytes: not accepted as a model`);
  }
}

/** A name from an untrusted file; a very long one is cut, with a checksum that keeps it distinct. */
export function shortName(name: string): string {
  return shortened(name, MAX_NAME_LENGTH);
}

/** The same for the path of an object: names joined by `/`. */
export function shortPath(path: string): string {
  return shortened(path, MAX_PATH_LENGTH);
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 9)}…${crc32(text).toString(16).padStart(8, '0')}`;
}
