/** Small model files written by the tests, and reading them back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShapeArrays, SourceObject } from '@impinge/model';
import { afterAll } from 'vitest';
import { worldBox } from '../src/box.js';
import { FormatError } from '../src/formats/format-error.js';
import { type Model, type ReadOptions, readModel } from '../src/formats/read-model.js';
import { placeOf } from '../src/formats/source-object.js';
import { matrixOfPose } from '../src/matrix.js';

/** A folder that goes away after the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export class Files {
  readonly folder = temporaryFolder();

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    // a file that is cut to nothing and filled again waits for the disk on ext4, a new one does not
    rmSync(path, { force: true });
    writeFileSync(path, content);
    return path;
  }

  async read(name: string, content: string | Uint8Array, options: ReadOptions = {}): Promise<Model> {
    return readModel(this.write(name, content), options);
  }

  /** The one-line message with which reading fails; anything but a FormatError is let through. */
  async failure(name: string, content: string | Uint8Array): Promise<string> {
    const path = this.write(name, content);
    try {
      await readModel(path);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      if (error.message.includes('\n')) throw new Error(`more than one line: ${error.message}`);
      if (!error.message.startsWith(`${path}: `)) throw new Error(`no file name: ${error.message}`);
      return error.message.slice(path.length + 2);
    }
    throw new Error('it was read');
  }
}

/** The tetrahedron of every small test file: four vertices, four triangles, exact in float32. */
export const TETRAHEDRON = {
  positions: [0, 0, 0, 1.5, 0, 0, 0, 2.25, 0, 0.125, -0.5, 3],
  indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
} as const;

/** Triangle corners as positions: what must survive whatever the vertices are numbered like. */
export function corners({ shapes }: Model, shape = 0): number[] {
  const { positions, indices } = shapes[shape].geometry;
  return [...indices].flatMap((v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]);
}

/** Smallest and largest coordinates of an object in the world, or of a shape as it is. */
export function boundsOf(
  geometry: ShapeArrays,
  object: Pick<SourceObject, 'pose'> = { pose: undefined },
): number[] {
  const vertices = Uint32Array.from({ length: geometry.positions.length / 3 }, (_, i) => i);
  const pose = placeOf(object);
  return [...worldBox(geometry, vertices, pose && matrixOfPose(pose))];
}

/** The objects of a model in order, whatever their shapes. */
export function objectsOf({ shapes }: Model) {
  return shapes.flatMap(({ objects }) => objects);
}

export const TETRAHEDRON_CORNERS: readonly number[] = TETRAHEDRON.indices.flatMap((v) =>
  TETRAHEDRON.positions.slice(3 * v, 3 * v + 3),
);

/** Bytes written one number after the other. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = [];
  readonly #littleEndian: boolean;

  constructor(littleEndian = true) {
    this.#littleEndian = littleEndian;
  }

  text(text: string): this {
    this.#parts.push(Buffer.from(text, 'utf8'));
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  number(type: 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8', ...values: number[]): this {
    for (const value of values) {
      const view = new DataView(new ArrayBuffer(Number(type[1])));
      if (type === 'i1') view.setInt8(0, value);
      else if (type === 'u1') view.setUint8(0, value);
      else if (type === 'i2') view.setInt16(0, value, this.#littleEndian);
      else if (type === 'u2') view.setUint16(0, value, this.#littleEndian);
      else if (type === 'i4') view.setInt32(0, value, this.#littleEndian);
      else if (type === 'u4') view.setUint32(0, value, this.#littleEndian);
      else if (type === 'f4') view.setFloat32(0, value, this.#littleEndian);
      else view.setFloat64(0, value, this.#littleEndian);
      this.#parts.push(new Uint8Array(view.buffer));
    }
    return this;
  }

  done(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

export function asciiPly(): string {
  const { positions, indices } = TETRAHEDRON;
  const lines = [
    'ply',
    'format ascii 1.0',
    'comment a tetrahedron',
    'element vertex 4',
    'property float x',
    'property float y',
    'property float z',
    'element face 4',
    'property list uchar int vertex_indices',
    'end_header',
  ];
  for (let v = 0; v < 12; v += 3) lines.push(positions.slice(v, v + 3).join(' '));
  for (let t = 0; t < 12; t += 3) lines.push(`3 ${indices.slice(t, t + 3).join(' ')}`);
  return `${lines.join('\n')}\n`;
}

export function binaryPly(littleEndian: boolean): Uint8Array {
  const { positions, indices } = TETRAHEDRON;
  const writer = new ByteWriter(littleEndian).text(
    `ply\nformat binary_${littleEndian ? 'little' : 'big'}_endian 1.0\nelement vertex 4\nproperty float x\n` +
      'property float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n',
  );
  writer.number('f4', ...positions);
  for (let t = 0; t < 12; t += 3) writer.number('u1', 3).number('i4', ...indices.slice(t, t + 3));
  return writer.done();
}

export function asciiStl(): string {
  const facets: string[] = [];
  for (let t = 0; t < 36; t += 9) {
    const c = TETRAHEDRON_CORNERS.slice(t, t + 9);
    facets.push(
      `  facet normal 0 0 1\n    outer loop\n      vertex ${c.slice(0, 3).join(' ')}\n` +
        `      vertex ${c.slice(3, 6).join(' ')}\n      vertex ${c.slice(6).join(' ')}\n    endloop\n  endfacet\n`,
    );
  }
  return `solid a tetrahedron\n${facets.join('')}endsolid a tetrahedron\n`;
}

export function binaryStl(header = 'made by a test'): Uint8Array {
  const writer = new ByteWriter().text(header.padEnd(80, '\0')).number('u4', 4);
  for (let t = 0; t < 36; t += 9) {
    writer.number('f4', 0, 0, 1, ...TETRAHEDRON_CORNERS.slice(t, t + 9)).number('u2', 0);
  }
  return writer.done();
}

export function obj(): string {
  const { positions, indices } = TETRAHEDRON;
  const lines = ['# a tetrahedron', 'mtllib none.mtl', 'o tetra'];
  for (let v = 0; v < 12; v += 3) lines.push(`v ${positions.slice(v, v + 3).join(' ')}`);
  lines.push('usemtl grey');
  for (let t = 0; t < 12; t += 3)
    lines.push(
      `f ${indices
        .slice(t, t + 3)
        .map((i) => i + 1)
        .join(' ')}`,
    );
  return `${lines.join('\n')}\n`;
}

/** A .glb of these chunks. */
export function glb(json: unknown, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = JSON.stringify(json);
  const jsonBytes = Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4)));
  const length = 12 + 8 + jsonBytes.length + 8 + binary.length;
  return new ByteWriter()
    .text('glTF')
    .number('u4', 2, length, jsonBytes.length, 0x4e4f534a)
    .bytes(jsonBytes)
    .number('u4', binary.length, 0x004e4942)
    .bytes(binary)
    .done();
}

export interface GltfParts {
  json: {
    asset: unknown;
    scene: unknown;
    scenes: unknown[];
    nodes: Record<string, unknown>[];
    meshes: Record<string, unknown>[];
    accessors: Record<string, unknown>[];
    bufferViews: Record<string, unknown>[];
    buffers: Record<string, unknown>[];
    [key: string]: unknown;
  };
  binary: Uint8Array;
}

/** A plain glTF of the tetrahedron, for a test to take apart. */
export function gltfParts(): GltfParts {
  const { positions, indices } = TETRAHEDRON;
  const binary = new ByteWriter()
    .number('f4', ...positions)
    .number('u2', ...indices)
    .done();
  return {
    json: {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'tetra', mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 },
        { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 12 },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 24 },
      ],
      buffers: [{ byteLength: 72 }],
    },
    binary,
  };
}

/** The same as a .glb, altered. */
export function alteredGlb(change: (parts: GltfParts) => void): Uint8Array {
  const parts = gltfParts();
  change(parts);
  return glb(parts.json, parts.binary);
}
