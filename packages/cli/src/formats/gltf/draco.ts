/// <reference path="../../draco3d.d.ts" />
/** KHR_draco_mesh_compression: positions and triangles out of one Draco stream. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { DracoDecoderModule, DracoQuantization } from 'draco3d/draco_decoder_nodejs.js';
import { componentBytes } from './components.js';

const FLOAT = 5126;

export interface DracoArrays {
  /** As bytes of the requested component type, three components per vertex. */
  readonly positions: Uint8Array<ArrayBuffer>;
  readonly indices: Uint32Array;
  /** Between neighbouring values of a position, where it was quantised; else 0. */
  readonly step: number;
}

/** A decoder, and the limit of its memory. */
interface LimitedDecoder {
  readonly draco: DracoDecoderModule;
  readonly limit: GrowthLimit;
}

interface GrowthLimit {
  mostBytes: number;
  /** Whether it wanted more. */
  exceeded: boolean;
}

let loading: Promise<LimitedDecoder> | undefined;

async function load(): Promise<LimitedDecoder> {
  const { default: create } = await import('draco3d/draco_decoder_nodejs.js');
  const binary = await readFile(createRequire(import.meta.url).resolve('draco3d/draco_decoder.wasm'));
  const limit = { mostBytes: Infinity, exceeded: false };
  const draco = await create({
    printErr: () => {}, // the error contains its output
    instantiateWasm: async (imports, done) => {
      const { instance } = await WebAssembly.instantiate(binary, imports);
      for (const value of Object.values(instance.exports))
        if (value instanceof WebAssembly.Memory) limitGrowth(value, limit);
      done(instance);
    },
  });
  return { draco, limit };
}

/** The decoder takes it for a refusal of the system. */
function limitGrowth(memory: WebAssembly.Memory, limit: GrowthLimit): void {
  memory.grow = (pages) => {
    limit.exceeded = memory.buffer.byteLength + 65536 * pages > limit.mostBytes;
    if (limit.exceeded) throw new RangeError('out of memory');
    return WebAssembly.Memory.prototype.grow.call(memory, pages);
  };
}

/**
 * Decodes, with a decoder of at most `mostBytes` of memory; throws an Error with the cause when the stream is damaged,
 * or needs more.
 */
export async function decodeDraco(
  bytes: Uint8Array,
  positionId: number,
  componentType: number,
  mostBytes: number,
): Promise<DracoArrays> {
  loading ??= load();
  const { draco, limit } = await loading;
  limit.mostBytes = mostBytes;
  limit.exceeded = false;
  try {
    return decode(draco, bytes, positionId, componentType);
  } catch (error) {
    loading = undefined; // after some errors it is of no more use
    throw limit.exceeded ? new Error('it needs more memory than its triangles justify') : error;
  }
}

function decode(
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
      : { positions: read(draco[TYPE_NAMES[componentType]], componentBytes(componentType)), step: 0 };
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

/** Draco's names of glTF component types. */
const TYPE_NAMES: Readonly<Record<number, keyof DracoDecoderModule & `DT_${string}`>> = {
  5120: 'DT_INT8',
  5121: 'DT_UINT8',
  5122: 'DT_INT16',
  5123: 'DT_UINT16',
  5125: 'DT_UINT32',
  5126: 'DT_FLOAT32',
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
