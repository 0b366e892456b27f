/**
 * How a mesh lies in memory: the words of its header, and whether bytes from outside are laid out like one.
 */
import type { Arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';

export const MESH_MAGIC = 0x4d504d49; // "IMPM"
export const MESH_VERSION = 1;
export const MESH_HEADER_BYTES = 128;

/** Word positions in the header. Byte offsets count from the start of the block. */
export const MeshHeader = {
  magic: 0,
  version: 1,
  vertexCount: 2,
  triangleCount: 3,
  positionsByteOffset: 4,
  indicesByteOffset: 5,
  nameByteOffset: 6,
  nameByteLength: 7,
  byteLength: 8,
  checksum: 9,
  origin: 16, // three float64 (words 16 … 21)
  box: 22, // six float32: minimum, maximum, relative to the origin
} as const;

/** Most triangles and vertices a mesh may hold; tree references keep 28 bits for a position. */
export const MAX_TRIANGLES = 2 ** 28 - 1;

/** Indices begin at a multiple of 16 bytes. */
export function align16(n: number): number {
  return Math.ceil(n / 16) * 16;
}

export function badBuffer(why: string): ImpingeError {
  return new ImpingeError('bad-buffer', `mesh buffer: ${why}`);
}

/** Bytes of a mesh without a name. */
export function meshBytes(vertexCount: number, triangleCount: number): number {
  return align16(MESH_HEADER_BYTES + 12 * vertexCount) + 12 * triangleCount;
}

/** Allocates a mesh and writes its header but for origin and box. Returns its byte offset; the caller owns it. */
export function layOutMesh(
  owner: Arena,
  shape: { vertexCount: number; triangleCount: number; nameByteLength: number },
): number {
  const { vertexCount, triangleCount, nameByteLength } = shape;
  const nameAt = meshBytes(vertexCount, triangleCount);
  const block = owner.alloc(nameAt + nameByteLength);
  const header = owner.u32().subarray(block >>> 2, (block + MESH_HEADER_BYTES) >>> 2);
  header.fill(0);
  header[MeshHeader.magic] = MESH_MAGIC;
  header[MeshHeader.version] = MESH_VERSION;
  header[MeshHeader.vertexCount] = vertexCount;
  header[MeshHeader.triangleCount] = triangleCount;
  header[MeshHeader.positionsByteOffset] = MESH_HEADER_BYTES;
  header[MeshHeader.indicesByteOffset] = align16(MESH_HEADER_BYTES + 12 * vertexCount);
  header[MeshHeader.nameByteOffset] = nameAt;
  header[MeshHeader.nameByteLength] = nameByteLength;
  header[MeshHeader.byteLength] = nameAt + nameByteLength;
  return block;
}

/** Checks that the header tells of a mesh that is exactly `byteLength` bytes long. */
export function assertLayout(owner: Arena, block: number, byteLength: number): void {
  if (byteLength < MESH_HEADER_BYTES) throw badBuffer(`only ${byteLength} bytes, cut off`);
  const header = owner.u32().subarray(block >>> 2, (block + MESH_HEADER_BYTES) >>> 2);
  if (header[MeshHeader.magic] !== MESH_MAGIC) throw badBuffer('it does not start like a mesh');
  if (header[MeshHeader.version] !== MESH_VERSION) {
    throw badBuffer(`version ${header[MeshHeader.version]}, this library reads version ${MESH_VERSION}`);
  }
  const vertexCount = header[MeshHeader.vertexCount];
  const triangleCount = header[MeshHeader.triangleCount];
  if (triangleCount === 0) throw badBuffer('it has no triangles');
  if (triangleCount > MAX_TRIANGLES || vertexCount > MAX_TRIANGLES)
    throw badBuffer('its header counts too many triangles');
  const at = (block + 4 * MeshHeader.origin) >>> 3;
  if (
    !owner
      .f64()
      .subarray(at, at + 3)
      .every(Number.isFinite)
  ) {
    throw badBuffer('its origin is not finite');
  }
  const indicesAt = align16(MESH_HEADER_BYTES + 12 * vertexCount);
  const nameAt = meshBytes(vertexCount, triangleCount);
  if (
    header[MeshHeader.positionsByteOffset] !== MESH_HEADER_BYTES ||
    header[MeshHeader.indicesByteOffset] !== indicesAt ||
    header[MeshHeader.nameByteOffset] !== nameAt ||
    header[MeshHeader.byteLength] !== nameAt + header[MeshHeader.nameByteLength]
  ) {
    throw badBuffer('its header contradicts itself');
  }
  if (byteLength !== header[MeshHeader.byteLength]) {
    throw badBuffer(`${byteLength} bytes where ${header[MeshHeader.byteLength]} belong`);
  }
}
