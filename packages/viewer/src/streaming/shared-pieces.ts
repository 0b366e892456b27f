/**
 * Pieces of shapes that several objects share: their arrays, and a copy on the card for each object that shows them.
 *
 * A copy stays there until its room is needed, so that what comes back into view need not be written again.
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
  /** Copies that were not drawn by this selection have been freed. */
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

  /** Forgets a piece that has no copies. False: it has one, or is not there. */
  drop(piece: number): boolean {
    const shared = this.#pieces.get(piece);
    if (!shared || shared.copies.size > 0) return false;
    this.bytes -= SharedPieces.bytesOf(shared.arrays);
    return this.#pieces.delete(piece);
  }

  /** Where a piece lies for an object that a selection draws; undefined: nowhere. */
  see(piece: number, object: number, selection: number): Place | undefined {
    const copy = this.#pieces.get(piece)?.copies.get(object);
    if (copy) copy.seen = selection;
    return copy?.place;
  }

  setCopy(piece: number, object: number, place: Place, selection: number): void {
    this.#pieces.get(piece)!.copies.set(object, { place, seen: selection });
  }

  /** The card has lost them all. */
  forgetCopies(): void {
    for (const { copies } of this.#pieces.values()) copies.clear();
  }

  /** Frees copies that no selection from this one on has drawn. True: there was one. */
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
