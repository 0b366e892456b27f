/**
 * How a mesh lies in memory: the words of its header, and whether bytes from outside are laid out like one.
 */
import type { Arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { MESH_HEADER_BYTES, MeshHeader } from '../kernel/layout.generated.js';

export const MESH_MAGIC = 0x4d504d49; // "IMPM"
export const MESH_VERSION = 1;

/** Most triangles and vertices a mesh may hold; tree references keep 28 bits for a position. */
export const MAX_TRIANGLES = 2 ** 28 - 1;

const NO_NAME = new Uint8Array(0);

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

/**
 * Allocates a mesh, writes its header but for origin and box, and its name. Returns its byte offset; the caller owns
 * it.
 */
export function layOutMesh(
  owner: Arena,
  shape: { readonly vertexCount: number; readonly triangleCount: number; readonly name: string },
): number {
  const { vertexCount, triangleCount, name } = shape;
  const nameBytes = name === '' ? NO_NAME : new TextEncoder().encode(name);
  const indicesAt = align16(MESH_HEADER_BYTES + 12 * vertexCount);
  const nameAt = indicesAt + 12 * triangleCount;
  const block = owner.alloc(nameAt + nameBytes.length);
  const words = owner.u32();
  const at = block >>> 2;
  words.fill(0, at, at + MESH_HEADER_BYTES / 4);
  words[at + MeshHeader.magic] = MESH_MAGIC;
  words[at + MeshHeader.version] = MESH_VERSION;
  words[at + MeshHeader.vertexCount] = vertexCount;
  words[at + MeshHeader.triangleCount] = triangleCount;
  words[at + MeshHeader.positions] = MESH_HEADER_BYTES;
  words[at + MeshHeader.indices] = indicesAt;
  words[at + MeshHeader.name] = nameAt;
  words[at + MeshHeader.nameBytes] = nameBytes.length;
  words[at + MeshHeader.byteLength] = nameAt + nameBytes.length;
  for (let gap = at + MESH_HEADER_BYTES / 4 + 3 * vertexCount; gap < at + indicesAt / 4; gap++)
    words[gap] = 0;
  if (nameBytes.length > 0) owner.u8().set(nameBytes, block + nameAt);
  return block;
}

/** Checks that the header describes a mesh of exactly `byteLength` bytes. */
export function assertLayout(owner: Arena, block: number, byteLength: number): void {
  if (byteLength < MESH_HEADER_BYTES) throw badBuffer(`only ${byteLength} bytes, cut off`);
  const header = owner.u32().subarray(block >>> 2, (block + MESH_HEADER_BYTES) >>> 2);
  if (header[MeshHeader.magic] !== MESH_MAGIC)
    throw badBuffer('it does not begin with the signature of a mesh');
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
    header[MeshHeader.positions] !== MESH_HEADER_BYTES ||
    header[MeshHeader.indices] !== indicesAt ||
    header[MeshHeader.name] !== nameAt ||
    header[MeshHeader.byteLength] !== nameAt + header[MeshHeader.nameBytes]
  ) {
    throw badBuffer('its header contradicts itself');
  }
  if (byteLength !== header[MeshHeader.byteLength]) {
    throw badBuffer(`${byteLength} bytes instead of ${header[MeshHeader.byteLength]}`);
  }
}

/** The least and the greatest coordinates. */
export function writeBox(positions: Float32Array, out: Float32Array): void {
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  out[0] = minX;
  out[1] = minY;
  out[2] = minZ;
  out[3] = maxX;
  out[4] = maxY;
  out[5] = maxZ;
}
