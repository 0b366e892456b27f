/**
 * The meshes that a robot file names. Each file is read once and becomes one mesh for each scale, in metres with Z up
 * where its format says what it is in.
 */
import { Mesh } from 'impinge';
import { type FileMesh, readMeshes } from 'impinge/internal/formats/index.js';
import { transformedAxis } from 'impinge/internal/formats/matrix.js';
import { quoted } from 'impinge/internal/formats/mesh-file.js';
import { readCollada } from './collada.js';
import type { XmlElement } from './xml-tree.js';

/** A file behind an address. */
export interface OpenedFile {
  /** For messages, and to recognise the format. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How robot files reach others: `package://…`, `model://…`, `file://…`, or relative to the robot file. */
export interface RobotFiles {
  /** Undefined where there is no such file; an error where it may not be read. */
  open(address: string): Promise<OpenedFile | undefined>;
}

const MOST_MESHES = 10_000;
const MOST_ADDRESS = 4096;

export class RobotMeshes {
  readonly #files: RobotFiles | undefined;
  readonly #read = new Map<string, Promise<FileMesh[]>>();
  readonly #meshes = new Map<string, Promise<Mesh>>();

  constructor(files: RobotFiles | undefined) {
    this.#files = files;
  }

  /** The mesh at an address; `element` is what asks for it. */
  mesh(address: string, scale: readonly number[], element: XmlElement): Promise<Mesh> {
    const key = `${scale.join(' ')} ${address}`;
    let mesh = this.#meshes.get(key);
    if (!mesh) {
      if (this.#meshes.size === MOST_MESHES) throw element.fail(`more than ${MOST_MESHES} meshes`);
      this.#meshes.set(key, (mesh = this.#make(address, scale, element)));
    }
    return mesh;
  }

  async #make(address: string, scale: readonly number[], element: XmlElement): Promise<Mesh> {
    if (scale.some((factor) => factor === 0)) throw element.fail('a scale of 0');
    let read = this.#read.get(address);
    if (!read) this.#read.set(address, (read = this.#open(address, element)));
    return joined(await read, scale, address);
  }

  async #open(address: string, element: XmlElement): Promise<FileMesh[]> {
    if (address.length > MOST_ADDRESS) throw element.fail('the address of a mesh is too long');
    try {
      const file = await this.#files?.open(address);
      if (!file) throw element.fail(`mesh ${quoted(address)} is missing`);
      const { name, bytes } = file;
      return /\.dae$/i.test(name) ? readCollada(bytes, name) : readMeshes(bytes, { name });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (
        error.message.includes(': line ') &&
        error.message.startsWith(element.fail('').message.split(': line ')[0])
      )
        throw error;
      throw element.fail(`mesh ${quoted(address)}: ${error.message}`);
    }
  }
}

/** All triangles of a file where it has them. Mirrored ones keep their outside. */
function joined(parts: readonly FileMesh[], scale: readonly number[], address: string): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const isMirrored = scale[0] * scale[1] * scale[2] < 0;
  for (const { positions: own, indices: corners, poses } of parts) {
    for (const pose of poses) {
      const first = positions.length / 3;
      for (let i = 0; i < own.length; i += 3) {
        for (let k = 0; k < 3; k++)
          positions.push(scale[k] * transformedAxis(pose, k, own[i], own[i + 1], own[i + 2]));
      }
      for (let i = 0; i < corners.length; i += 3) {
        const [b, c] = isMirrored ? [2, 1] : [1, 2];
        indices.push(first + corners[i], first + corners[i + b], first + corners[i + c]);
      }
    }
  }
  const name = address.replace(/^.*[/\\]/s, '');
  return Mesh.from({ positions: Float64Array.from(positions), indices: Uint32Array.from(indices) }, { name });
}
