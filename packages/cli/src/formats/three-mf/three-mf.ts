/**
 * 3MF: a zip archive with one or more XML parts of objects, and build items that place them. One object per mesh in its
 * place: a build item made of components becomes a folder with its parts. Components of other parts (the production
 * extension) are followed; materials, slices and metadata are ignored. Meshes are set aside as they are read, so that
 * memory follows the largest one.
 */
import type { ShapeArrays, SourceObject, SourceShape } from '@impinge/model';
import { determinant, isRigid, type Matrix, multiply } from '../../matrix.js';
import { bakedShape } from '../baked-shape.js';
import { FormatError, quoted } from '../format-error.js';
import { shortPath } from '../growth-limit.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { ShapeSpill } from '../shape-spill.js';
import { type SourceFile, sourceOfFile } from '../source-file.js';
import { ObjectIds } from '../source-object.js';
import { ZipArchive } from '../zip-archive.js';
import { type ThreeMfComponent, type ThreeMfObject, ThreeMfParser, XmlText } from './parser.js';

const DEFAULT_PART = '3D/3dmodel.model';
const RELATIONS_PART = '_rels/.rels';
const MODEL_RELATION = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';
const MAX_DEPTH = 100;
/** Components can multiply like rabbits: ten generations of ten each are 10¹⁰ parts in a small file. */
const MAX_PLACEMENTS = 1_000_000;
const Y_UP = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1] as const;

export async function threeMfSource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    if (file.byteLength !== file.bytesOnDisk)
      throw new FormatError(path, 'is compressed twice; unpack it first');
    const archive = ZipArchive.open(file);
    const root = await rootPart(file, archive);
    const spill = new ShapeSpill(file, options.memoryBytes / 4);
    const parser = new ThreeMfParser(file, spill);
    return {
      format: '3MF',
      metresPerUnit: await parser.unitOf(root, archive.read(root)),
      shapes: () => new ThreeMfReader(file, archive, parser, spill).shapes(root),
    };
  });
}

/** The name of the part that holds the build. */
async function rootPart(file: SourceFile, archive: ZipArchive): Promise<string> {
  let root = DEFAULT_PART;
  if (archive.has(RELATIONS_PART)) {
    const text = new XmlText(file.path, RELATIONS_PART, (name, { Type: type, Target: target }) => {
      if (/(^|:)Relationship$/.test(name) && type === MODEL_RELATION && target !== undefined) root = target;
    });
    for await (const bytes of archive.read(RELATIONS_PART)) text.write(bytes);
    text.end();
  }
  if (!archive.has(root))
    throw new FormatError(file.path, `not a 3MF file: there is no ${quoted(root)} in it`);
  return root;
}

interface Placement {
  readonly path: string;
  readonly matrix: Matrix | undefined;
}

interface Visit {
  readonly object: ThreeMfObject;
  readonly path: string;
  readonly matrix: Matrix | undefined;
  readonly depth: number;
  readonly parent: Visit | undefined;
}

class ThreeMfReader {
  readonly #file: SourceFile;
  readonly #archive: ZipArchive;
  readonly #parser: ThreeMfParser;
  readonly #spill: ShapeSpill;
  readonly #ids = new ObjectIds();
  /** Object with a mesh → where it is. */
  readonly #placements = new Map<ThreeMfObject, Placement[]>();

  constructor(file: SourceFile, archive: ZipArchive, parser: ThreeMfParser, spill: ShapeSpill) {
    this.#file = file;
    this.#archive = archive;
    this.#parser = parser;
    this.#spill = spill;
  }

  async *shapes(root: string): AsyncGenerator<SourceShape> {
    await this.#readParts(root);
    this.#placeItems();
    if (this.#placements.size === 0) throw new FormatError(this.#file.path, 'no triangles in its build');
    for (const [object, placements] of this.#placements) {
      this.#file.options.signal?.throwIfAborted();
      yield* this.#shapesOf(object, placements);
    }
  }

  /** The root part, and every part that one already read refers to. */
  async #readParts(root: string): Promise<void> {
    const parts = [root];
    const known = new Set(parts.map(partKey));
    for (const part of parts) {
      const others = await this.#parser.read(part, this.#archive.read(part), part === root);
      this.#file.growth.alsoRead(this.#archive.byteLength(part));
      for (const other of others) {
        if (known.has(partKey(other))) continue;
        known.add(partKey(other));
        if (!this.#archive.has(other)) {
          throw new FormatError(
            this.#file.path,
            `it refers to ${quoted(other)}, which is not in it`,
            quoted(part),
          );
        }
        parts.push(other);
      }
    }
  }

  /** Walks from each item of the build down to the meshes. */
  #placeItems(): void {
    const up = this.#file.options.up === 'y' ? Y_UP : undefined;
    let count = 0;
    for (const item of this.#parser.items) {
      const first = this.#object(item, item.where);
      const path = `${this.#file.stem}/${word(item.partNumber || first.name)}`;
      const stack: Visit[] = [
        { object: first, path, matrix: product(up, item.matrix), depth: 0, parent: undefined },
      ];
      for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
        if (++count > MAX_PLACEMENTS) throw this.#fail(`more than ${MAX_PLACEMENTS} parts`, item.where);
        this.#place(visit, item.where);
        // the last one pushed comes first
        const { components } = visit.object;
        for (let i = components.length - 1; i >= 0; i--)
          stack.push(this.#enter(visit, components[i], item.where));
      }
    }
  }

  #place({ object, path, matrix }: Visit, where: string): void {
    if (object.shape === undefined) return;
    this.#file.growth.object(object.name.length + 2 * path.length);
    if (matrix !== undefined && !Array.from(matrix).every(Number.isFinite)) {
      throw this.#fail('its place is not finite', where);
    }
    const placements = this.#placements.get(object);
    if (placements === undefined) this.#placements.set(object, [{ path, matrix }]);
    else placements.push({ path, matrix });
  }

  #enter(parent: Visit, component: ThreeMfComponent, where: string): Visit {
    const object = this.#object(component, where);
    for (let at: Visit | undefined = parent; at !== undefined; at = at.parent) {
      if (at.object === object) throw this.#fail(`object ${quoted(object.name)} contains itself`, where);
    }
    if (parent.depth >= MAX_DEPTH) throw this.#fail(`components nested more than ${MAX_DEPTH} deep`, where);
    return {
      object,
      path: shortPath(`${parent.path}/${word(object.name)}`),
      matrix: product(parent.matrix, component.matrix),
      depth: parent.depth + 1,
      parent,
    };
  }

  #object({ key }: ThreeMfComponent, where: string): ThreeMfObject {
    const object = this.#parser.objects.get(key);
    if (object === undefined) throw this.#fail(`there is no object ${quoted(key)}`, where);
    return object;
  }

  /** One shape for all rigid places, one for each that scales, shears or mirrors. */
  *#shapesOf(object: ThreeMfObject, placements: readonly Placement[]): Generator<SourceShape> {
    const rigid = placements.filter(({ matrix }) => matrix === undefined || isRigid(matrix));
    if (rigid.length > 0) {
      const objects = rigid.map(({ path, matrix }) =>
        this.#sourceObject(object, path, matrix && poseOf(matrix)),
      );
      yield { geometry: this.#spill.get(object.shape!), objects };
    }
    for (const { path, matrix } of placements) {
      if (matrix === undefined || isRigid(matrix)) continue;
      yield {
        geometry: this.#baked(object, matrix),
        objects: [this.#sourceObject(object, path, undefined)],
      };
    }
  }

  #sourceObject(object: ThreeMfObject, path: string, pose: Float64Array | undefined): SourceObject {
    return {
      id: this.#ids.take(path),
      name: object.name,
      path,
      type: object.type,
      discipline: this.#file.stem,
      file: this.#file.name,
      storey: '',
      pose,
      ...(object.partNumber !== '' && { properties: { partnumber: object.partNumber } }),
    };
  }

  #baked(object: ThreeMfObject, matrix: Matrix): ShapeArrays {
    const { positions, indices } = this.#spill.get(object.shape!);
    const kept = determinant(matrix) < 0 ? turnedOver(indices) : indices;
    const shape = bakedShape([{ shape: { positions, indices: kept }, place: poseOf(matrix) }]);
    if (shape === undefined) throw this.#fail('its place is not finite', quoted(object.name));
    return shape;
  }

  #fail(why: string, where: string): FormatError {
    return new FormatError(this.#file.path, why, where);
  }
}

function product(a: Matrix | undefined, b: Matrix | undefined): Matrix | undefined {
  return a === undefined ? b : b === undefined ? a : multiply(a, b);
}

/** Nine entries row by row, then the translation; without −0. */
function poseOf(m: Matrix): Float64Array {
  return Float64Array.from([0, 4, 8, 1, 5, 9, 2, 6, 10, 12, 13, 14], (at) => m[at] + 0);
}

/** The same triangles with reversed orientation: keeps the outside outside after mirroring. */
function turnedOver(indices: Uint32Array): Uint32Array {
  const out = indices.slice();
  for (let t = 0; t < out.length; t += 3) {
    out[t + 1] = indices[t + 2];
    out[t + 2] = indices[t + 1];
  }
  return out;
}

/** A name as one step of a path. */
function word(name: string): string {
  return name.replaceAll('/', '_');
}

function partKey(part: string): string {
  return part.replace(/^\/+/, '').toLowerCase();
}
