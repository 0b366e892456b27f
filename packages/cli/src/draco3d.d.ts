/** The part of the Draco decoder that the glTF reader calls; the package has no types of its own. */
declare module 'draco3d/draco_decoder_nodejs.js' {
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
  export interface DracoQuantization {
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
  const createDecoderModule: (options: {
    readonly printErr: (line: string) => void;
    readonly instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => void;
  }) => Promise<DracoDecoderModule>;
  export default createDecoderModule;
}
