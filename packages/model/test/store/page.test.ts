/** Pages: what is in the file, read by hand, is what the cache makes of it; and altered numbers are found out. */
import { arena } from 'impinge/internal/base/arena.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import { TreeView } from 'impinge/internal/hierarchy/tree-view.js';
import { validateHierarchy } from 'impinge/internal/hierarchy/validate.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { icosphere, torusKnot } from '../../../../lab/scenes/index.mjs';
import { PIECE_TRIANGLES } from '../../src/store/layout.js';
import { openStore } from '../../src/store/open.js';
import { joinChecksums, pageChecksum } from '../../src/store/page-hash.js';
import { memoryBytes, meshPartBytes, pageBytes, treePartBytes } from '../../src/store/page-layout.js';
import { MemorySource } from '../../src/store/page-source.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { altered, named, storeBytes, triangleTexts } from './fixtures.js';

/** A few triangles among the last of many vertices. */
function sparse(vertices: number): ShapeArrays {
  const positions = Float32Array.from({ length: 3 * vertices }, (_, i) => ((i * 7919) % 10007) / 10007);
  const last = vertices - 1;
  return { positions, indices: Uint32Array.of(0, 1, last, last, last - 1, 2, 5, last - 7, 9) };
}

const SHAPES: [string, ShapeArrays, number][] = [
  ['one triangle', { ...sparse(3), indices: Uint32Array.of(2, 0, 1) }, PIECE_TRIANGLES],
  ['a complete tree', icosphere(4) as ShapeArrays, PIECE_TRIANGLES],
  ['a lazy tree', torusKnot(2, 3, 1, 0.25, 80, 12) as ShapeArrays, PIECE_TRIANGLES],
  ['several pieces', torusKnot(2, 3, 1, 0.25, 80, 12) as ShapeArrays, 700],
  ['65 536 vertices', sparse(65_536), PIECE_TRIANGLES],
  ['65 537 vertices', sparse(65_537), PIECE_TRIANGLES],
];

const storeOf = ({ positions, indices }: ShapeArrays, pieceTriangles = PIECE_TRIANGLES) =>
  storeBytes([{ geometry: { positions, indices }, objects: [named('a')] }], { pieceTriangles });

describe('a page', () => {
  test.each(SHAPES)('of %s is read as it lies in the file', async (_, shape, pieceTriangles) => {
    const bytes = await storeOf(shape, pieceTriangles);
    const model = await openStore(new MemorySource(bytes));
    const { pieceVertices, pieceTriangles: triangles, pieceByteOffset } = model.directory;
    const before = arena().usedBytes;
    const read: { mesh: Mesh; tree: Hierarchy }[] = [];
    const cache = new PieceCache(model, { limit: 1e9, onLoad: (mesh, tree) => read.push({ mesh, tree }) });
    const all: string[] = [];
    for (let piece = 0; piece < model.pieceCount; piece++) {
      cache.acquire([piece]);
      const { mesh, tree } = read[piece];
      expect(arena().usedBytes - before).toBe(
        [...Array(piece + 1).keys()].reduce((sum, i) => sum + memoryBytes(model.directory, i), 0),
      );
      const view = new DataView(bytes.buffer, pieceByteOffset[piece], pageBytes(model.directory, piece));
      const [vertices, corners] = [pieceVertices[piece], 3 * triangles[piece]];
      const positions = Float32Array.from({ length: 3 * vertices }, (_, i) =>
        view.getFloat32(64 + 4 * i, true),
      );
      expect(Buffer.compare(bytesOf(mesh.positions), bytesOf(positions))).toBe(0);
      const at = 64 + 16 * Math.ceil((12 * vertices) / 16);
      const indices = Uint32Array.from({ length: corners }, (_, i) =>
        vertices > 65_536 ? view.getUint32(at + 4 * i, true) : view.getUint16(at + 2 * i, true),
      );
      expect(Buffer.compare(bytesOf(mesh.indices), bytesOf(indices))).toBe(0);
      const tops = new TreeView(arena(), tree.block);
      const order = Array.from({ length: triangles[piece] }, (_, i) => tops.triangleAt(i));
      expect(order.every((triangle, i) => triangle === i)).toBe(true);
      validateHierarchy(arena(), tree.block, tree.byteLength, mesh);
      all.push(...triangleTexts(positions, indices));
      cache.release([piece]);
    }
    expect(all.sort()).toEqual(triangleTexts(shape.positions, shape.indices));
    await cache.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  test('takes about 13 bytes per triangle', async () => {
    const model = await openStore(new MemorySource(await storeOf(icosphere(40) as ShapeArrays)));
    let sum = 0;
    for (let piece = 0; piece < model.pieceCount; piece++) sum += pageBytes(model.directory, piece);
    expect(sum / model.triangleCount).toBeLessThan(13.2);
  });
});

describe('a page that was altered, with the right checksums,', () => {
  const ball = icosphere(4) as ShapeArrays;
  const pageAt = 64;
  const indicesAt = pageAt + 64 + 16 * Math.ceil((4 * ball.positions.length) / 16);
  const treeAt = pageAt + meshPartBytes(ball.positions.length / 3, ball.indices.length / 3);
  const firstReference = treeAt + 160;

  test.each([
    ['an index beyond the vertices', indicesAt + 7, 'index-out-of-range'],
    ['a coordinate that is infinite', pageAt + 64 + 10, 'non-finite'],
    ['an origin that is not a number', pageAt + 6, 'bad-buffer'],
    ['a reference to nowhere', firstReference, 'bad-buffer'],
  ])('is refused: %s', async (_, at, code) => {
    const bytes = await storeOf(ball);
    bytes.set([0xff, 0x7f], at);
    if (code === 'non-finite') bytes.set([0x80, 0x7f], at);
    if (at === firstReference) bytes.set([0xff, 0xff, 0xff, 0x0f], at);
    const source = await altered(bytes, ({ pieceChecksum, pieceBlocks, piecePending }) => {
      const end = treeAt + treePartBytes(pieceBlocks[0], piecePending[0]);
      pieceChecksum[0] = joinChecksums(
        pageChecksum(bytes.subarray(pageAt, treeAt)),
        pageChecksum(bytes.subarray(treeAt, end)),
      );
    });
    const model = await openStore(source);
    const before = arena().usedBytes;
    const cache = new PieceCache(model, { limit: 1e9, onLoad: () => {} });
    expect(() => cache.acquire([0])).toThrow(expect.objectContaining({ code }));
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });
});

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
