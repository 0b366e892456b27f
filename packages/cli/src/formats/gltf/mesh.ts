/** The meshes of a glTF file: the triangles of all their primitives; points and lines are left out. */
import type { ShapeArrays } from '@impinge/model';
import { DRACO_HEADER_BYTES, dracoCounts } from 'impinge/internal/formats/draco-header.js';
import { joined, TRIANGLE_FAN, TRIANGLES, unrolled } from 'impinge/internal/formats/gltf.js';
import type { Json, JsonReader } from 'impinge/internal/formats/gltf-json.js';
import type { AccessorRecords, GltfAccessors } from './accessors.js';
import type { GltfBuffers } from './buffers.js';
import { componentBytes, componentStep, firstNonFinite, floatsOf } from './components.js';
import { type IndexedRecords, primitiveCorners, triangleCountOf } from './corners.js';
import { decodeDraco } from './draco.js';

/** Draco packs equal values into nothing; no real mesh of more than this is packed tighter. */
const ALWAYS_DRACO_BYTES = 16e6;
const MAX_DRACO_RATIO = 4096;
/** Memory of the decoder, fixed and per decoded byte: a factor of 24 was seen with nine attributes. */
const DECODER_BYTES = 64e6;
const DECODER_RATIO = 40;

interface Primitive {
  readonly primitive: Json;
  readonly mode: number;
  /** For messages. */
  readonly where: string;
}

/** Between neighbouring values of a position, where they were quantised; else 0. */
interface Stepped {
  readonly step: number;
}

export interface MeshStream extends Stepped {
  readonly triangleCount: number;
  /** Nine numbers per triangle, in batches. */
  corners(): Iterable<Float32Array | Float64Array>;
}

export class GltfMeshes {
  readonly #json: JsonReader;
  readonly #accessors: GltfAccessors;
  readonly #buffers: GltfBuffers;
  #lastPositions: { readonly accessor: unknown; readonly positions: Float32Array } | undefined;

  constructor(json: JsonReader, accessors: GltfAccessors, buffers: GltfBuffers) {
    this.#json = json;
    this.#accessors = accessors;
    this.#buffers = buffers;
  }

  /** The geometry of a mesh; undefined when it has no triangles. */
  async read(index: number): Promise<(ShapeArrays & Stepped) | undefined> {
    const json = this.#json;
    const vertexStart = new Map<unknown, number>();
    const positions: Float32Array[] = [];
    const indices: Uint32Array[] = [];
    let vertexCount = 0;
    let step = 0;
    for (const { primitive, mode, where: at } of this.#primitives(index)) {
      const part = await this.#readPrimitive(primitive, mode, at);
      step = Math.max(step, part.step);
      // primitives that share their vertices do so here as well
      let start = part.key === undefined ? undefined : vertexStart.get(part.key);
      const partCount = part.positions.length / 3;
      if (start === undefined) {
        start = vertexCount;
        if (part.key !== undefined) vertexStart.set(part.key, start);
        positions.push(part.positions);
        vertexCount += partCount;
      }
      for (let i = 0; i < part.indices.length; i++) {
        if (part.indices[i] >= partCount) {
          throw json.fail(at, `index ${i} refers to vertex ${part.indices[i]}, but there are ${partCount}`);
        }
        part.indices[i] += start;
      }
      if (part.indices.length > 0) indices.push(part.indices);
    }
    if (indices.length === 0) return undefined;
    return {
      positions: joined(positions),
      indices: joined(indices),
      step,
    };
  }

  /** The approximate size of a mesh's arrays, in bytes. */
  decodedBytes(index: number): number {
    let bytes = 0;
    for (const { primitive, where } of this.#primitives(index))
      bytes += this.#primitiveBytes(primitive, where);
    return bytes;
  }

  /** The size according to accessors or to a Draco stream's header, whichever is larger. */
  #primitiveBytes(primitive: Json, where: string): number {
    let bytes = 12 * this.#accessors.count(this.#position(primitive, where), where);
    if (primitive['indices'] !== undefined) bytes += 4 * this.#accessors.count(primitive['indices'], where);
    const draco = this.#json.extension(primitive, 'KHR_draco_mesh_compression', where);
    return draco ? Math.max(bytes, this.#dracoBytes(draco, where)) : bytes;
  }

  #dracoBytes(draco: Json, where: string): number {
    const { bytes, start, end } = this.#buffers.view(draco['bufferView'], where);
    const counts = dracoCounts(bytes.slice(start, Math.min(end, start + DRACO_HEADER_BYTES)));
    return counts ? 12 * counts.points + 12 * counts.faces : 0; // the decoder reports the error
  }

  /** The compressed buffer views that a mesh reads. */
  compressedViews(index: number): number[] {
    const views: number[] = [];
    for (const { primitive, where } of this.#primitives(index)) {
      for (const accessor of [this.#position(primitive, where), primitive['indices']]) {
        const view = accessor === undefined ? undefined : this.#accessors.compressedView(accessor, where);
        if (view !== undefined) views.push(view);
      }
    }
    return views;
  }

  /** The corners of a mesh, read on request; undefined when something in it is compressed, sparse, or missing. */
  stream(index: number, cacheBytes: number): MeshStream | undefined {
    const parts: IndexedRecords[] = [];
    for (const { primitive, mode, where } of this.#primitives(index)) {
      if (this.#json.extension(primitive, 'KHR_draco_mesh_compression', where)) return undefined;
      const positions = this.#accessors.records(this.#position(primitive, where), 'VEC3', where);
      if (positions === undefined) return undefined;
      let indices: AccessorRecords | undefined;
      if (primitive['indices'] !== undefined) {
        indices = this.#accessors.records(primitive['indices'], 'SCALAR', where);
        if (indices === undefined) return undefined;
      }
      parts.push({ positions, indices, mode, fail: (why) => this.#json.fail(where, why) });
    }
    const triangleCount = parts.reduce((sum, part) => sum + triangleCountOf(part), 0);
    if (triangleCount === 0) return undefined;
    const corners = function* () {
      for (const part of parts) yield* primitiveCorners(part, cacheBytes);
    };
    const step = Math.max(
      ...parts.map(({ positions }) => componentStep(positions.componentType, positions.isNormalised)),
    );
    return { triangleCount, corners, step };
  }

  /** The primitives of a mesh that are triangles. */
  #primitives(index: number): Primitive[] {
    const json = this.#json;
    const where = `mesh ${index}`;
    const mesh = json.entry('mesh', index, where);
    const found: Primitive[] = [];
    json.array(mesh['primitives'], `${where}: primitives`).forEach((value, p) => {
      const at = `${where}: primitive ${p}`;
      const primitive = json.object(value, at);
      const mode = json.integer(primitive['mode'], at, 'mode', TRIANGLES);
      if (mode >= TRIANGLES && mode <= TRIANGLE_FAN) found.push({ primitive, mode, where: at });
    });
    return found;
  }

  /** The accessor of the positions. */
  #position(primitive: Json, where: string): unknown {
    return this.#json.object(primitive['attributes'], `${where}: attributes`)['POSITION'];
  }

  /** `key` is the same for primitives with the same vertices. */
  async #readPrimitive(
    primitive: Json,
    mode: number,
    where: string,
  ): Promise<Stepped & { positions: Float32Array; indices: Uint32Array; key: unknown }> {
    const json = this.#json;
    const position = this.#position(primitive, where);
    const draco = json.extension(primitive, 'KHR_draco_mesh_compression', where);
    if (draco) {
      const claimed = this.#primitiveBytes(primitive, where);
      return { ...(await this.#readDraco(draco, position, claimed, where)), key: undefined };
    }
    const positions = this.#readPositions(position, where);
    const corners =
      primitive['indices'] === undefined
        ? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i)
        : this.#accessors.indices(primitive['indices'], where);
    if (mode === TRIANGLES && corners.length % 3 !== 0) {
      throw json.fail(where, `${corners.length} corners are not a multiple of 3`);
    }
    const indices = mode === TRIANGLES ? corners : unrolled(corners, mode);
    return { positions, indices, key: position, step: this.#accessors.step(position, where) };
  }

  /** Some files have one accessor for all their meshes; it is decoded once, and shared. */
  #readPositions(accessor: unknown, where: string): Float32Array {
    const last = this.#lastPositions;
    if (last && last.accessor === accessor) return last.positions;
    const positions = this.#accessors.floats(accessor, 'VEC3', where);
    this.#lastPositions = { accessor, positions };
    return positions;
  }

  async #readDraco(draco: Json, position: unknown, claimed: number, where: string) {
    const json = this.#json;
    const accessor = json.entry('accessor', position, where);
    const componentType = json.integer(accessor['componentType'], where, 'componentType');
    if (componentBytes(componentType) === 0) {
      throw json.fail(`accessor ${position}`, `unknown componentType ${componentType}`);
    }
    const attributes = json.object(draco['attributes'], `${where}: KHR_draco_mesh_compression`);
    const id = json.integer(attributes['POSITION'], where, 'Draco attribute POSITION');
    const { bytes, start, end } = this.#buffers.view(draco['bufferView'], where);
    if (claimed > Math.max(ALWAYS_DRACO_BYTES, MAX_DRACO_RATIO * (end - start))) {
      throw json.fail(
        where,
        `${Math.round(claimed / 1e6)} MB cannot come from ${end - start} bytes of Draco data`,
      );
    }
    const decoded = await decodeDraco(
      bytes.slice(start, end),
      id,
      componentType,
      DECODER_BYTES + DECODER_RATIO * claimed,
    ).catch((error: unknown) => {
      const cause =
        error instanceof Error && error.message !== '' ? error.message.slice(0, 80) : 'it cannot be decoded';
      throw json.fail(where, `the Draco data is damaged (${cause})`);
    });
    const normalised = accessor['normalized'] === true;
    const positions = floatsOf(decoded.positions, componentType, normalised);
    const bad = firstNonFinite(positions);
    if (bad >= 0) throw json.fail(where, `vertex ${Math.floor(bad / 3)} is not finite`);
    const step = Math.max(decoded.step, componentStep(componentType, normalised));
    return { positions, indices: decoded.indices, step };
  }
}
