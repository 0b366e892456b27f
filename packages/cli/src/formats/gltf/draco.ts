/// <reference path="../../draco3d.d.ts" />
/** The Draco decoder of the command: loaded when it is needed, and held to a limit of memory. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type DracoArrays, type DracoDecoderModule, dracoArrays } from 'impinge/internal/formats/draco.js';

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
    return dracoArrays(draco, bytes, positionId, componentType);
  } catch (error) {
    loading = undefined; // after some errors it is of no more use
    throw limit.exceeded ? new Error('it needs more memory than its triangles justify') : error;
  }
}
