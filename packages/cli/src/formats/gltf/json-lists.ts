/**
 * The JSON of a glTF file. Its long lists stay in place: only the start of each entry is in memory, and an entry is
 * parsed on request. All of them are parsed once, in parts, so that damage shows right away.
 */
import type { Entries } from 'impinge/internal/formats/gltf-json.js';
import type { GltfBytes } from './bytes.js';

/** Lists with thousands of entries. */
const LONG_LISTS: ReadonlySet<unknown> = new Set(['nodes', 'meshes', 'accessors']);

const SCANNED_BYTES = 1 << 18;
const [QUOTE, COMMA, BACKSLASH, BRACKET] = [0x22, 0x2c, 0x5c, 0x5b];

/** The nesting depth of JSON, and its approximate size when parsed. */
export interface JsonExtent {
  readonly depth: number;
  readonly parsedBytes: number;
}

/** Parses the JSON in `bytes`, once `accept` has seen its extent; throws errors unchanged. */
export function parseLongJson(bytes: GltfBytes, accept: (extent: JsonExtent) => void): unknown {
  const scan = new JsonScan(bytes);
  accept(scan.extent);
  const root: unknown = JSON.parse(scan.textBesides());
  for (const list of scan.lists) list.assertSound();
  if (typeof root !== 'object' || root === null) return root;
  const record = root as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    if (LONG_LISTS.has(key) && Array.isArray(record[key])) record[key] = scan.lists[record[key][0]];
  }
  return root;
}

/** Entries that are parsed together, up to these bytes, and the number of such blocks that are kept. */
const BLOCK = 32;
const BLOCK_BYTES = 1 << 16;
const KEPT = 8;

export class JsonList implements Entries {
  length = 0;
  /** Where entries begin; at last, behind the comma that would follow. */
  readonly #starts: number[] = [];
  readonly #bytes: GltfBytes;
  /** By the last bits of the blocks' numbers: the first entry that is parsed, and those from there on. */
  readonly #kept: { first: number; values: readonly unknown[] }[] = [];

  constructor(bytes: GltfBytes, start: number) {
    this.#bytes = bytes;
    this.#starts.push(start);
  }

  /** An entry ends at `end`; one of spaces alone, which is none, is the only one of an empty list. */
  add(end: number): void {
    this.#starts.push(end + 1);
    this.length++;
  }

  finish(end: number): void {
    const isEmpty = this.length === 0 && textOf(this.#bytes, this.#starts[0], end).trim() === '';
    if (!isEmpty) this.add(end);
  }

  at(index: number): unknown {
    const block = Math.floor(index / BLOCK);
    const known = this.#kept[block % KEPT];
    if (known && index >= known.first && index < known.first + known.values.length) {
      return known.values[index - known.first];
    }
    let [first, end] = [BLOCK * block, Math.min(BLOCK * (block + 1), this.length)];
    if (this.#starts[end] - this.#starts[first] > BLOCK_BYTES) [first, end] = [index, index + 1];
    const values = JSON.parse(`[${this.#text(first, end)}]`) as unknown[];
    this.#kept[block % KEPT] = { first, values };
    return values[index - first];
  }

  assertSound(): void {
    for (let from = 0; from < this.length; ) {
      let to = from + 1;
      while (to < this.length && this.#starts[to + 1] - this.#starts[from] < SCANNED_BYTES) to++;
      JSON.parse(`[${this.#text(from, to)}]`);
      from = to;
    }
  }

  #text(from: number, to: number): string {
    return textOf(this.#bytes, this.#starts[from], this.#starts[to] - 1);
  }
}

function textOf(bytes: GltfBytes, start: number, end: number): string {
  const { buffer, byteOffset, length } = bytes.slice(start, end);
  return Buffer.from(buffer, byteOffset, length).toString();
}

class JsonScan {
  readonly lists: JsonList[] = [];
  readonly extent: JsonExtent;
  readonly #bytes: GltfBytes;
  /** The JSON outside the long lists, with the number of each list instead of its entries. */
  readonly #besides: Uint8Array[] = [];

  constructor(bytes: GltfBytes) {
    this.#bytes = bytes;
    this.extent = this.#scan();
  }

  textBesides(): string {
    return new TextDecoder().decode(Buffer.concat(this.#besides));
  }

  #scan(): JsonExtent {
    let [parents, commas, depth, open] = [0, 0, 0, 0];
    let inText = false;
    let isEscaped = false;
    let textStart = 0;
    let key = [0, 0];
    let list: JsonList | undefined;
    for (let base = 0; base < this.#bytes.byteLength; base += SCANNED_BYTES) {
      const block = this.#bytes.slice(base, Math.min(this.#bytes.byteLength, base + SCANNED_BYTES));
      let besidesFrom = list ? block.length : 0;
      for (let i = 0; i < block.length; i++) {
        const byte = block[i];
        if (inText) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) {
            inText = false;
            if (open === 1) key = [textStart, base + i + 1];
          }
        } else if (byte === QUOTE) {
          inText = true;
          textStart = base + i;
        } else if (byte === COMMA) {
          commas++;
          if (list && open === 2) list.add(base + i);
        }
        // braces and brackets differ in this bit alone
        else if ((byte | 0x20) === 0x7b) {
          parents++;
          if (++open > depth) depth = open;
          if (open === 2 && byte === BRACKET && this.#isLong(key)) {
            this.#keep(block.subarray(besidesFrom, i + 1), Buffer.from(String(this.lists.length)));
            besidesFrom = block.length;
            list = new JsonList(this.#bytes, base + i + 1);
            this.lists.push(list);
          }
        } else if ((byte | 0x20) === 0x7d && --open === 1 && list) {
          list.finish(base + i);
          list = undefined;
          besidesFrom = i;
        }
      }
      this.#keep(block.subarray(besidesFrom));
    }
    return { depth, parsedBytes: 64 * parents + 16 * commas + 2 * this.#bytes.byteLength };
  }

  /** Whether the text there is the name of a long list. */
  #isLong([start, end]: readonly number[]): boolean {
    try {
      return LONG_LISTS.has(JSON.parse(textOf(this.#bytes, start, end)));
    } catch {
      return false; // damaged, which shows when it is parsed
    }
  }

  #keep(...parts: Uint8Array[]): void {
    for (const part of parts) if (part.length > 0) this.#besides.push(part.slice());
  }
}
