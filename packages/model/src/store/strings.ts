/** Strings by number: each is kept once. */
import { type Column, u8Column, u32Column } from 'impinge/internal/base/column.js';

export class StringTable {
  readonly firstByte: Column<Uint32Array> = u32Column();
  readonly bytes: Column<Uint8Array> = u8Column();
  readonly #numbers = new Map<string, number>();
  readonly #encoder = new TextEncoder();

  constructor() {
    this.firstByte.push(0);
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.bytes.append(this.#encoder.encode(text));
    this.firstByte.push(this.bytes.length);
    return number;
  }
}
