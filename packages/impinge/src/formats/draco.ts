/** KHR_draco_mesh_compression: positions and triangles out of one Draco stream, by the decoder of `draco3d`. */

/** What is asked of `draco3d`, once its decoder module is there; the package has no types of its own. */
export interface DracoDecoderModule {
  readonly DT_INT8: number;
  readonly DT_UINT8: number;
  readonly DT_INT16: number;
  readonly DT_UINT16: number;
  readonly DT_INT32: number;
  readonly DT_UINT32: number;
  readonly DT_FLOAT32: number;
  readonly HEAPU8: Uint8Array;
  readonly Decoder: new () => DracoDecoder;
  readonly Mesh: new () => DracoMesh;
  readonly POSITION: number;
  readonly AttributeQuantizationTransform: new () => DracoQuantization;
  destroy(object: object): void;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

interface DracoDecoder {
  SkipAttributeTransform(kind: number): void;
  DecodeArrayToMesh(bytes: Uint8Array, byteLength: number, out: DracoMesh): DracoStatus;
  GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: DracoAttribute,
    type: number,
    byteLength: number,
    pointer: number,
  ): boolean;
  GetTrianglesUInt32Array(mesh: DracoMesh, byteLength: number, pointer: number): boolean;
}

interface DracoQuantization {
  /** False if the attribute is not quantised. */
  InitFromAttribute(attribute: DracoAttribute): boolean;
  quantization_bits(): number;
  min_value(axis: number): number;
  range(): number;
}

interface DracoMesh {
  num_points(): number;
  num_faces(): number;
}

interface DracoAttribute {
  readonly ptr: number;
  num_components(): number;
}

interface DracoStatus {
  ok(): boolean;
  error_msg(): string;
}

const FLOAT = 5126;

/** @internal */
export interface DracoArrays {
  /** As bytes of the requested component type, three components per vertex. */
  readonly positions: Uint8Array<ArrayBuffer>;
  readonly indices: Uint32Array;
  /** Between neighbouring values of a position, where it was quantised; else 0. */
  readonly step: number;
}

/**
 * Throws an Error with the cause when the stream is damaged; the module may then be of no more use.
 * @internal
 */
export function dracoArrays(
  draco: DracoDecoderModule,
  bytes: Uint8Array,
  positionId: number,
  componentType: number,
): DracoArrays {
  const decoder = new draco.Decoder();
  const mesh = new draco.Mesh();
  const quantization = new draco.AttributeQuantizationTransform();
  try {
    decoder.SkipAttributeTransform(draco.POSITION);
    const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
    if (!status.ok()) throw new Error(status.error_msg());
    const attribute = decoder.GetAttributeByUniqueId(mesh, positionId);
    if (attribute.ptr === 0) throw new Error(`there is no attribute ${positionId}`);
    if (attribute.num_components() !== 3) throw new Error('positions do not have 3 components');
    const read = (type: number, size: number) =>
      fromHeap(draco, 3 * size * mesh.num_points(), (length, pointer) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, length, pointer),
      );
    const quantised = componentType === FLOAT && quantization.InitFromAttribute(attribute);
    const { positions, step } = quantised
      ? dequantised(read(draco.DT_INT32, 4), quantization)
      : { positions: read(draco[TYPES[componentType].name], TYPES[componentType].bytes), step: 0 };
    const indices = fromHeap(draco, 12 * mesh.num_faces(), (length, pointer) =>
      decoder.GetTrianglesUInt32Array(mesh, length, pointer),
    );
    return { positions, indices: new Uint32Array(indices.buffer), step };
  } finally {
    draco.destroy(quantization);
    draco.destroy(mesh);
    draco.destroy(decoder);
  }
}

/** The decoder's own floats for these integers, to the bit, and their step. */
function dequantised(bytes: Uint8Array<ArrayBuffer>, quantization: DracoQuantization) {
  const integers = new Int32Array(bytes.buffer);
  const steps = 2 ** quantization.quantization_bits() - 1;
  const step = Math.fround(quantization.range() / steps);
  const least = [0, 1, 2].map((axis) => quantization.min_value(axis));
  const positions = new Float32Array(integers.length);
  for (let i = 0; i < integers.length; i++) positions[i] = Math.fround(integers[i] * step) + least[i % 3];
  return { positions: new Uint8Array(positions.buffer), step };
}

/** glTF component types: Draco's names of them, and their sizes. */
const TYPES: Readonly<
  Record<number, { readonly name: keyof DracoDecoderModule & `DT_${string}`; readonly bytes: number }>
> = {
  5120: { name: 'DT_INT8', bytes: 1 },
  5121: { name: 'DT_UINT8', bytes: 1 },
  5122: { name: 'DT_INT16', bytes: 2 },
  5123: { name: 'DT_UINT16', bytes: 2 },
  5125: { name: 'DT_UINT32', bytes: 4 },
  [FLOAT]: { name: 'DT_FLOAT32', bytes: 4 },
};

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
