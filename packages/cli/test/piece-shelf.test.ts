/** Pieces on a shelf: as they were put there, or gone, the oldest first; never anything else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { PieceShelf } from '../src/reports/piece-shelf.js';

const BYTES = 512;
const ROOM = (bytes: number) => (bytes + 7) & ~7;

function pieceOf(piece: number, vertices: number, triangles: number, isWide: boolean) {
  const corners = { length: 3 * triangles };
  const corner = (_: unknown, i: number) => (7 * piece + i) % 1000;
  return {
    piece,
    origin: Float64Array.of(piece, 0, 0),
    positions: Float32Array.from({ length: 3 * vertices }, (_, i) => piece + i / 8),
    indices: isWide ? Uint32Array.from(corners, corner) : Uint16Array.from(corners, corner),
  };
}

test('what is there is whole, and the last ones that fit are there (seed 4)', () => {
  const one = fc.tuple(fc.nat(12), fc.nat(8), fc.nat(6), fc.boolean());
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), (list) => {
      const shelf = new PieceShelf(BYTES);
      const last = new Map<number, ReturnType<typeof pieceOf>>();
      for (const [piece, ...rest] of list) {
        // a piece is always the same
        const arrays = last.get(piece) ?? pieceOf(piece, ...rest);
        const read = structuredClone(arrays);
        shelf.put(read);
        for (const array of [read.origin, read.positions, read.indices]) array.fill(0); // what is read next takes their place
        last.set(piece, arrays);
        const size = ROOM(arrays.positions.byteLength) + ROOM(arrays.indices.byteLength);
        expect(shelf.get(piece)).toEqual(size > BYTES ? undefined : arrays);
        let kept = 0;
        for (const known of last.values()) {
          const found = shelf.get(known.piece);
          if (found === undefined) continue;
          expect(found).toEqual(known);
          kept += ROOM(known.positions.byteLength) + ROOM(known.indices.byteLength);
        }
        expect(kept).toBeLessThanOrEqual(BYTES);
      }
    }),
    { seed: 4, numRuns: runs(200) },
  );
});

test('little is let go before it has to be', () => {
  const shelf = new PieceShelf(BYTES);
  for (let piece = 0; piece < 100; piece++) shelf.put(pieceOf(piece, 4, 4, false));
  const kept = Array.from({ length: 100 }, (_, piece) => piece).filter((piece) => shelf.get(piece));
  // 72 bytes each
  expect(kept).toEqual([93, 94, 95, 96, 97, 98, 99]);
});
