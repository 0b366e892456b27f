/** A mesh that is produced in blocks. */
interface Blocks {
  readonly vertexCount: number;
  readonly triangleCount: number;
  vertices(): Iterable<Float32Array>;
  triangles(): Iterable<Uint32Array>;
}

/** Bytes of a face: the number of its vertices, and three of them. */
const FACE_BYTES = 13;

/** The bytes of a binary PLY file (little-endian), chunk by chunk; vertices are shared. */
export function* plyOf(scan: Blocks): Generator<Uint8Array, void, undefined> {
  const { vertexCount, triangleCount } = scan;
  yield new TextEncoder().encode(
    `ply\nformat binary_little_endian 1.0\nelement vertex ${vertexCount}\n` +
      'property float x\nproperty float y\nproperty float z\n' +
      `element face ${triangleCount}\nproperty list uchar uint vertex_indices\nend_header\n`,
  );
  for (const positions of scan.vertices()) {
    const view = new DataView(new ArrayBuffer(4 * positions.length));
    for (let i = 0; i < positions.length; i++) view.setFloat32(4 * i, positions[i], true);
    yield new Uint8Array(view.buffer);
  }
  for (const indices of scan.triangles()) {
    const view = new DataView(new ArrayBuffer((FACE_BYTES * indices.length) / 3));
    for (let i = 0, at = 0; i < indices.length; i += 3, at += FACE_BYTES) {
      view.setUint8(at, 3);
      for (let k = 0; k < 3; k++) view.setUint32(at + 1 + 4 * k, indices[i + k], true);
    }
    yield new Uint8Array(view.buffer);
  }
}

/** The PLY file of a mesh in memory. */
export function plyOfMesh(mesh: { readonly positions: Float32Array; readonly indices: Uint32Array }) {
  return plyOf({
    vertexCount: mesh.positions.length / 3,
    triangleCount: mesh.indices.length / 3,
    vertices: () => [mesh.positions],
    triangles: () => [mesh.indices],
  });
}
