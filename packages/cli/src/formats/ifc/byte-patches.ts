/** Patches applied to bytes of a file as they are read; the file itself is unchanged, and its length, too. */
export class BytePatches {
  /** Start, end, byte. */
  readonly #ranges: [start: number, end: number, byte: number][] = [];

  /** Bytes [start, end) are read as this character. */
  fill(start: number, end: number, character: string): void {
    this.#ranges.push([start, end, character.charCodeAt(0)]);
  }

  /** For another thread: three numbers per range, by their beginnings. Of overlapping ranges, the first remains. */
  toNumbers(): Float64Array {
    let end = 0;
    const kept = this.#ranges
      .sort((a, b) => a[0] - b[0] || b[1] - a[1])
      .filter((range) => {
        if (range[0] < end) return false;
        end = range[1];
        return true;
      });
    return Float64Array.from(kept.flat());
  }
}
