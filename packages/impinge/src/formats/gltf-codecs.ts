/**
 * Compressed meshes of glTF files, by decoders that the caller has: the library brings none along. What streams claim
 * is held against the memory that the file may take before anything is decoded.
 */
import { type DracoDecoderModule, dracoArrays } from './draco.js';
import { dracoCounts } from './draco-header.js';
import type { Json, JsonReader } from './gltf-json.js';

/** `MeshoptDecoder` of the package `meshoptimizer`, once its `ready` is fulfilled. */
export interface MeshoptDecoderModule {
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

export interface Decoders {
  /** `MeshoptDecoder` of `meshoptimizer`, once it is `ready`. */
  readonly meshopt?: MeshoptDecoderModule;
  /** What `createDecoderModule()` of `draco3d` is fulfilled with. */
  readonly draco?: DracoDecoderModule;
}

export const DRACO = 'KHR_draco_mesh_compression';
export const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const;
const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];
/** Meshopt never packs tighter than this: a control byte for a kilobyte of equal bytes. */
const MAX_MESHOPT_RATIO = 2048;
const FLOAT = 5126;
const MOST_STRIDE = 256;

/** How a buffer view is compressed; undefined: not at all. */
export function meshoptOf(json: JsonReader, view: Json, where: string): Json | undefined {
  return json.extension(view, MESHOPT[0], where) ?? json.extension(view, MESHOPT[1], where);
}

/** The bytes of a buffer view that `given` describes. `sourceOf` hands out a part of a buffer. */
export function decodedView(
  decoder: MeshoptDecoderModule,
  given: Json,
  json: JsonReader,
  where: string,
  sourceOf: (part: Json) => Uint8Array,
  allow: (bytes: number) => void,
): Uint8Array {
  const source = sourceOf(given);
  const count = json.integer(given['count'], where, 'count');
  const stride = json.integer(given['byteStride'], where, 'byteStride');
  const [mode, filter] = [json.text(given['mode']), json.text(given['filter']) || 'NONE'];
  const fits =
    mode === 'ATTRIBUTES' ? stride % 4 === 0 && stride <= MOST_STRIDE : stride === 2 || stride === 4;
  if (!MODES.includes(mode) || !FILTERS.includes(filter) || !fits || stride === 0) {
    throw json.fail(where, `byteStride ${stride} does not fit mode ${mode}, filter ${filter}`);
  }
  if (count * stride > MAX_MESHOPT_RATIO * source.length || (mode === 'TRIANGLES' && count % 3 !== 0)) {
    throw json.fail(where, `${count} elements cannot come from ${source.length} compressed bytes`);
  }
  allow(count * stride);
  const bytes = new Uint8Array(count * stride);
  try {
    decoder.decodeGltfBuffer(bytes, count, stride, source, mode, filter);
  } catch (error) {
    throw json.fail(where, `its meshopt data is damaged (${causeOf(error)})`);
  }
  return bytes;
}

/**
 * Positions of the component type of their accessor, as bytes, and corners.
 * @internal
 */
export function decodedPrimitive(
  decoder: DracoDecoderModule,
  given: Json,
  accessor: Json,
  json: JsonReader,
  where: string,
  stream: Uint8Array,
  allow: (bytes: number) => void,
) {
  const type = json.integer(accessor['componentType'], where, 'componentType', FLOAT);
  const attributes = json.object(given['attributes'], `${where}: ${DRACO}`);
  const id = json.integer(attributes['POSITION'], where, 'Draco attribute POSITION');
  const counts = dracoCounts(stream);
  // the decoder takes several arrays of these sizes
  if (counts) allow(8 * (12 * counts.points + 12 * counts.faces));
  try {
    return dracoArrays(decoder, stream, id, type);
  } catch (error) {
    throw json.fail(where, `the Draco data is damaged (${causeOf(error)})`);
  }
}

function causeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return message === '' ? 'it cannot be decoded' : message.slice(0, 80);
}
