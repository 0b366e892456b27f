/** Pieces as arrays, as graphics cards take them: nothing of them stays in the memory of queries. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readKnown, shown } from 'impinge/internal/base/options.js';
import type { OwnBytes } from 'impinge/internal/base/platform-types.js';
import { NARROW_VERTICES, PAGE_HEAD_BYTES } from 'impinge/internal/kernel/layout.generated.js';
import { align16 } from 'impinge/internal/mesh/mesh-layout.js';
import { assertModel, type StoredModel } from './model.js';
import { alteredPage, joinChecksums, pageChecksum } from './page-hash.js';
import { GAP_BYTES, meshPartBytes, pageBytes, runsOf } from './page-layout.js';
import { readPieceList } from './piece-list.js';

export interface PieceArrays {
  readonly piece: number;
  /** Where positions count from, in the frame of the shape. The pieces of a shape have the same. */
  readonly origin: Float64Array;
  /** Three float32 per vertex. Where two pieces of a front meet, both have the very same numbers. */
  readonly positions: Float32Array;
  /** Three per triangle, counter-clockwise as in the input. */
  readonly indices: Uint16Array | Uint32Array;
}

export interface ReadPiecesOptions {
  /** Gaps of up to this many bytes between two pieces are read, too, to save a second read. Default: 16384. */
  readonly gapBytes?: number;
  /**
   * Memory to read into, at a multiple of 16 bytes of its buffer. Results that fit are views of it, valid until the
   * next read. Default: separate arrays.
   */
  readonly scratch?: OwnBytes;
}

/**
 * Reads pieces, adjacent ones in one read, and synchronously where the source can. The results are in the order of
 * `pieces`.
 */
export async function readPieces(
  model: StoredModel,
  pieces: ArrayLike<number>,
  options: ReadPiecesOptions = {},
): Promise<PieceArrays[]> {
  assertModel(model);
  const names = { gapBytes: true, scratch: true } as const;
  const { gapBytes = GAP_BYTES, scratch } = readKnown('readPieces', options, names);
  readAtMost('gapBytes', gapBytes);
  assertScratch(scratch);
  const wanted = readPieceList(pieces, model.pieceCount);
  const { pieceByteOffset } = model.directory;
  const pages = new Map<number, OwnBytes>();
  let scratchUsed = 0;
  const reads: Promise<void>[] = [];
  const unique = Array.from(new Set(wanted), (piece) => ({ piece }));
  for (const together of runsOf(model.directory, unique, gapBytes)) {
    const at = pieceByteOffset[together[0].piece];
    const last = together[together.length - 1].piece;
    const end = pieceByteOffset[last] + pageBytes(model.directory, last);
    let run = scratch?.subarray(scratchUsed, scratchUsed + end - at);
    if (run?.length === end - at) scratchUsed = align16(scratchUsed + run.length);
    else run = new Uint8Array(end - at);
    for (const { piece } of together) {
      const start = pieceByteOffset[piece] - at;
      pages.set(piece, run.subarray(start, start + pageBytes(model.directory, piece)));
    }
    // awaiting a short read of a file takes longer than the read
    if (model.source.readNow) model.source.readNow(at, [run]);
    else reads.push(model.source.read(at, [run]));
  }
  await Promise.all(reads);
  const found = new Map(
    unique.map(({ piece }) => {
      const page = pages.get(piece)!;
      const arrays = arraysIn(model, piece, page);
      return [piece, page.buffer === scratch?.buffer ? arrays : copyOf(arrays)];
    }),
  );
  return wanted.map((piece) => found.get(piece)!);
}

function assertScratch(scratch: Uint8Array | undefined): void {
  if (scratch === undefined || (scratch instanceof Uint8Array && scratch.byteOffset % 16 === 0)) return;
  const why = 'scratch must be a Uint8Array at a multiple of 16 bytes of its buffer';
  throw new ImpingeError('bad-option', `${why}, got ${shown(scratch?.byteOffset ?? scratch)}`, {
    option: 'scratch',
  });
}

/** With memory of its own, and nothing else of the page. */
function copyOf({ piece, origin, positions, indices }: PieceArrays): PieceArrays {
  return { piece, origin: origin.slice(), positions: positions.slice(), indices: indices.slice() };
}

/** Views of a page. */
function arraysIn({ directory }: StoredModel, piece: number, page: OwnBytes): PieceArrays {
  const vertices = directory.pieceVertices[piece];
  const triangles = directory.pieceTriangles[piece];
  const end = meshPartBytes(vertices, triangles);
  const checksum = joinChecksums(pageChecksum(page.subarray(0, end)), pageChecksum(page.subarray(end)));
  if (checksum !== directory.pieceChecksum[piece]) throw alteredPage(piece, 'it does not match its checksum');
  const isNarrow = vertices <= NARROW_VERTICES;
  const indices = new (isNarrow ? Uint16Array : Uint32Array)(
    page.buffer,
    page.byteOffset + PAGE_HEAD_BYTES + align16(12 * vertices),
    3 * triangles,
  );
  if (indices.some((vertex) => vertex >= vertices)) throw alteredPage(piece, 'a triangle has no such vertex');
  return {
    piece,
    origin: new Float64Array(page.buffer, page.byteOffset, 3),
    positions: new Float32Array(page.buffer, page.byteOffset + PAGE_HEAD_BYTES, 3 * vertices),
    indices,
  };
}
