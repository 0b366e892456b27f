/// <reference path="../../draco3d.d.ts" />
/** KHR_draco_mesh_compression: positions and triangles out of one Draco stream. */
import type { DracoDecoderModule } from 'draco3d/draco_decoder_nodejs.js';

export interface DracoArrays {
  /** As bytes of the requested component type, three components per vertex. */
  readonly positions: Uint8Array<ArrayBuffer>;
  readonly indices: Uint32Array;
}

let loading: Promise<DracoDecoderModule> | undefined;

/** Decodes; throws an Error with the cause when the stream is damaged. */
export async function decodeDraco(
  bytes: Uint8Array,
  positionId: number,
  componentType: number,
): Promise<DracoArrays> {
  loading ??= import('draco3d/draco_decoder_nodejs.js').then((draco) => draco.default());
  const draco = await loading;
  const decoder = new draco.Decoder();
  const mesh = new draco.Mesh();
  try {
    const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
    if (!status.ok()) throw new Error(status.error_msg());
    const attribute = decoder.GetAttributeByUniqueId(mesh, positionId);
    if (attribute.ptr === 0) throw new Error(`there is no attribute ${positionId}`);
    if (attribute.num_components() !== 3) throw new Error('positions do not have 3 components');
    const [type, size] = componentOf(draco, componentType);
    const positions = fromHeap(draco, 3 * size * mesh.num_points(), (length, pointer) =>
      decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, length, pointer),
    );
    const indices = fromHeap(draco, 12 * mesh.num_faces(), (length, pointer) =>
      decoder.GetTrianglesUInt32Array(mesh, length, pointer),
    );
    return { positions, indices: new Uint32Array(indices.buffer) };
  } finally {
    draco.destroy(mesh);
    draco.destroy(decoder);
  }
}

/** Draco's name and the size of a glTF component type. */
function componentOf(draco: DracoDecoderModule, componentType: number): [type: number, size: number] {
  switch (componentType) {
    case 5120:
      return [draco.DT_INT8, 1];
    case 5121:
      return [draco.DT_UINT8, 1];
    case 5122:
      return [draco.DT_INT16, 2];
    case 5123:
      return [draco.DT_UINT16, 2];
    case 5125:
      return [draco.DT_UINT32, 4];
    case 5126:
      return [draco.DT_FLOAT32, 4];
    default:
      throw new Error(`unknown componentType ${componentType}`);
  }
}

function fromHeap(
  draco: DracoDecoderModule,
  byteLength: number,
  fill: (byteLength: number, pointer: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const pointer = draco._malloc(byteLength);
  if (pointer === 0 && byteLength > 0) throw new Error('out of memory');
  try {
    if (!fill(byteLength, pointer)) throw new Error('an attribute cannot be read');
    return new Uint8Array(draco.HEAPU8.subarray(pointer, pointer + byteLength));
  } finally {
    draco._free(pointer);
  }
}
