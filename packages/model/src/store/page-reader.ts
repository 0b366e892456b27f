/**
 * Reads pages into memory. Pages close together in the file are one read, including the gaps: a read takes longer than
 * its few extra bytes.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import { assertWalkable } from 'impinge/internal/hierarchy/validate.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { piecesKernels } from './kernels.generated.js';
import type { StoredModel } from './model.js';
import { alteredPage, joinChecksums } from './page-hash.js';
import { type ArrivingPage, GAP_BYTES, pageBytes, runsOf } from './page-layout.js';

/**
 * Maximum pages per read: two buffers each and one between them, of which systems accept 1 024; and callers wait until
 * the whole read is done.
 */
const PAGES_PER_READ = 64;

/** A piece, and the destination of its page. */
export interface ArrivingPiece {
  readonly piece: number;
  readonly page: ArrivingPage;
}

export class PageReader {
  readonly #model: StoredModel;
  /** Receives the bytes between pages. */
  readonly #between = new Uint8Array(GAP_BYTES);

  constructor(model: StoredModel) {
    this.#model = model;
  }

  /** The reads to make, in the order of the file. */
  runsOf(arriving: readonly ArrivingPiece[]): ArrivingPiece[][] {
    return runsOf(this.#model.directory, arriving, GAP_BYTES, PAGES_PER_READ);
  }

  /** Reads a run synchronously; false where the source cannot. */
  readNow(run: readonly ArrivingPiece[]): boolean {
    const { source, directory } = this.#model;
    if (!source.readNow) return false;
    source.readNow(directory.pieceByteOffset[run[0].piece], this.#buffers(run, viewsOf));
    return true;
  }

  async read(run: readonly ArrivingPiece[]): Promise<void> {
    const { source, directory } = this.#model;
    const at = directory.pieceByteOffset[run[0].piece];
    // memory that is not shared may have grown, and its views be dead, when the answer comes
    if (arena().shared) return source.read(at, this.#buffers(run, viewsOf));
    const copies = run.map(({ page }) => copiesOf(page));
    await source.read(
      at,
      this.#buffers(run, (_, i) => copies[i]),
    );
    for (const [i, { page }] of run.entries()) {
      for (const [k, view] of viewsOf(page).entries()) view.set(copies[i][k]);
    }
  }

  #buffers(
    run: readonly ArrivingPiece[],
    buffersOf: (page: ArrivingPage, i: number) => readonly Uint8Array[],
  ): Uint8Array[] {
    const { directory } = this.#model;
    const buffers: Uint8Array[] = [];
    let end = directory.pieceByteOffset[run[0].piece];
    for (const [i, { piece, page }] of run.entries()) {
      const at = directory.pieceByteOffset[piece];
      if (at > end) buffers.push(this.#between.subarray(0, at - end));
      buffers.push(...buffersOf(page, i));
      end = at + pageBytes(directory, piece);
    }
    return buffers;
  }
}

/** Announces to a slow source the pieces about to be needed, in this order. */
export function expectPieces({ source, directory }: StoredModel, pieces: Uint32Array): void {
  if (!source.expect) return;
  const ranges = Array.from(new Set(pieces), (piece) => ({
    at: directory.pieceByteOffset[piece],
    length: pageBytes(directory, piece),
  }));
  source.expect(ranges);
}

/** A mesh and a tree of the bytes read, after checking them; frees the page if they are invalid. */
export function adoptPage({ directory }: StoredModel, { piece, page }: ArrivingPiece) {
  const run = piecesKernels.kernels();
  const checksum = joinChecksums(
    run.pageChecksum(page.meshPart, page.meshPartBytes),
    run.pageChecksum(page.treePart, page.treePartBytes),
  );
  let mesh: Mesh | undefined;
  try {
    if (checksum !== directory.pieceChecksum[piece])
      throw alteredPage(piece, 'it does not match its checksum');
    run.unpackPage(page.mesh, page.tree);
    mesh = Mesh.adopt(page.mesh, page.meshBytes);
    assertWalkable(page.tree, page.treeBytes, mesh, run.inspectTree);
  } catch (error) {
    if (mesh) mesh.dispose();
    else if (checksum !== directory.pieceChecksum[piece]) arena().free(page.mesh);
    arena().free(page.tree);
    throw error;
  }
  return { mesh, tree: new Hierarchy(mesh, page.tree) };
}

/** Frees an unfilled page. */
export function freePage({ mesh, tree }: ArrivingPage): void {
  arena().free(mesh);
  arena().free(tree);
}

function viewsOf({ meshPart, meshPartBytes, treePart, treePartBytes }: ArrivingPage): Uint8Array[] {
  const bytes = arena().u8();
  return [
    bytes.subarray(meshPart, meshPart + meshPartBytes),
    bytes.subarray(treePart, treePart + treePartBytes),
  ];
}

function copiesOf({ meshPartBytes, treePartBytes }: ArrivingPage): Uint8Array[] {
  return [new Uint8Array(meshPartBytes), new Uint8Array(treePartBytes)];
}
