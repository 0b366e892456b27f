/**
 * Pieces of shapes that several objects share: their arrays, and a copy on the GPU for each object that shows them.
 *
 * A copy stays there until its space is needed, so that objects that come back into view need no upload.
 */
import type { PieceArrays } from '@impinge/model';
import type { Place, Places } from './places.js';

interface Copy {
  readonly place: Place;
  /** The last selection that draws it. */
  seen: number;
}

interface Shared {
  readonly arrays: PieceArrays;
  readonly copies: Map<number, Copy>;
}

export class SharedPieces {
  /** Of the arrays. */
  bytes = 0;
  readonly #pieces = new Map<number, Shared>();
  /** The selection for which unused copies were last freed. */
  #freedFor = 0;

  keys(): IterableIterator<number> {
    return this.#pieces.keys();
  }

  has(piece: number): boolean {
    return this.#pieces.has(piece);
  }

  arrays(piece: number): PieceArrays {
    return this.#pieces.get(piece)!.arrays;
  }

  static bytesOf({ positions, indices }: PieceArrays): number {
    return positions.byteLength + indices.byteLength;
  }

  add(arrays: PieceArrays): void {
    this.#pieces.set(arrays.piece, { arrays, copies: new Map() });
    this.bytes += SharedPieces.bytesOf(arrays);
  }

  /** Drops a piece without copies. False: it has one, or is missing. */
  drop(piece: number): boolean {
    const shared = this.#pieces.get(piece);
    if (!shared || shared.copies.size > 0) return false;
    this.bytes -= SharedPieces.bytesOf(shared.arrays);
    return this.#pieces.delete(piece);
  }

  /** The place of an object's copy, marked as drawn by a selection; undefined: none. */
  see(piece: number, object: number, selection: number): Place | undefined {
    const copy = this.#pieces.get(piece)?.copies.get(object);
    if (copy) copy.seen = selection;
    return copy?.place;
  }

  setCopy(piece: number, object: number, place: Place, selection: number): void {
    this.#pieces.get(piece)!.copies.set(object, { place, seen: selection });
  }

  /** Call after a lost context. */
  forgetCopies(): void {
    for (const { copies } of this.#pieces.values()) copies.clear();
  }

  /** Frees copies not drawn since a selection; returns whether there were any. */
  free(places: Places, since: number): boolean {
    if (this.#freedFor === since) return false;
    this.#freedFor = since;
    const before = places.usedBytes;
    for (const { copies } of this.#pieces.values()) {
      for (const [object, { place, seen }] of copies) {
        if (seen >= since) continue;
        places.free(place);
        copies.delete(object);
      }
    }
    return places.usedBytes < before;
  }
}
