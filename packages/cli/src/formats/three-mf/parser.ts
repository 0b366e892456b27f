/**
 * The XML parts of a 3MF archive: objects, each a mesh or a list of components, and the items of the build. Elements
 * are taken by their names in the prefix of the root element, so that extensions never pass for the core; a required
 * extension that would change the geometry is refused.
 */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { FormatError, quoted } from '../format-error.js';
import { trimmed, withRoom } from '../growing.js';
import { shortName } from '../growth-limit.js';
import { DECIMAL } from '../scanner.js';
import type { ShapeSpill } from '../shape-spill.js';
import type { SourceFile } from '../source-file.js';

const UNITS: Readonly<Record<string, number>> = {
  micron: 1e-6,
  millimeter: 1e-3,
  centimeter: 1e-2,
  inch: 0.0254,
  foot: 0.3048,
  meter: 1,
};

/** Required extensions that leave the triangles as they are, or are followed. */
const UNDERSTOOD = /\/3dmanufacturing\/(production|material|slice|trianglesets|core)\//;

export interface ThreeMfComponent {
  /** Of the object it places. */
  readonly key: string;
  readonly matrix: readonly number[] | undefined;
}

export interface ThreeMfObject {
  readonly key: string;
  readonly name: string;
  readonly partNumber: string;
  /** `model`, `support`, `surface`. */
  readonly type: string;
  /** Its mesh in the spill; undefined where it has none. */
  shape: number | undefined;
  readonly components: ThreeMfComponent[];
}

export interface ThreeMfItem extends ThreeMfComponent {
  readonly partNumber: string;
  readonly where: string;
}

export class ThreeMfParser {
  readonly objects = new Map<string, ThreeMfObject>();
  readonly items: ThreeMfItem[] = [];
  readonly #file: SourceFile;
  readonly #spill: ShapeSpill;
  #unit = '';

  constructor(file: SourceFile, spill: ShapeSpill) {
    this.#file = file;
    this.#spill = spill;
  }

  /** The metres of one unit of the part with these contents, of which only the beginning is read. */
  async unitOf(part: string, contents: AsyncIterable<Uint8Array>): Promise<number> {
    let root: Attributes | undefined;
    const text = new XmlText(this.#file.path, part, (_, attributes) => {
      root ??= attributes;
    });
    for await (const bytes of contents) {
      text.write(bytes);
      if (root !== undefined) break;
    }
    if (root === undefined) text.end();
    this.#unit = root?.['unit'] ?? 'millimeter';
    if (!Object.hasOwn(UNITS, this.#unit)) throw text.fail(`unknown unit ${quoted(this.#unit)}`);
    return UNITS[this.#unit];
  }

  /** Reads a part; returns the names of other parts that its components and items are in. */
  async read(part: string, contents: AsyncIterable<Uint8Array>, isRoot: boolean): Promise<Set<string>> {
    const reader = new PartReader(this.#file.path, part, this.#unit, this.#spill);
    for await (const bytes of contents) reader.text.write(bytes);
    reader.text.end();
    for (const object of reader.objects) {
      if (this.objects.has(object.key)) throw reader.text.fail(`object ${object.key} is defined twice`);
      this.objects.set(object.key, object);
    }
    if (isRoot) this.items.push(...reader.items);
    return reader.otherParts;
  }
}

type Attributes = Readonly<Record<string, string>>;

/** Parts of 3MF files are six elements deep, and extensions add few. */
const MAX_DEPTH = 100;
/** From one tag to the end of the next. */
const MAX_TAG_BYTES = 1 << 20;

/** An XML text in pieces: complains with file, part and line. */
export class XmlText {
  readonly #file: string;
  readonly #part: string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #parser = new SaxesParser();
  #depth = 0;
  #lastTag = 0;

  constructor(
    file: string,
    part: string,
    open: (name: string, attributes: Attributes) => void,
    close?: (name: string) => void,
  ) {
    this.#file = file;
    this.#part = part;
    this.#parser.on('error', (error) => {
      throw this.fail(error.message.replace(/^[\d:]+\s*/, '').slice(0, 120));
    });
    this.#parser.on('doctype', () => {
      throw this.fail('a document type is not allowed');
    });
    this.#parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
      if (++this.#depth > MAX_DEPTH) throw this.fail(`elements are nested more than ${MAX_DEPTH} deep`);
      this.#lastTag = this.#parser.position;
      open(name, attributes);
    });
    this.#parser.on('closetag', ({ name }) => {
      this.#depth--;
      this.#lastTag = this.#parser.position;
      close?.(name);
    });
  }

  write(bytes: Uint8Array): void {
    this.#parser.write(this.#decode(bytes));
    if (this.#parser.position - this.#lastTag > MAX_TAG_BYTES)
      throw this.fail('a single tag, or the text before it, takes more than 1 MB');
  }

  end(): void {
    this.#parser.write(this.#decode(undefined));
    this.#parser.close();
  }

  fail(why: string): FormatError {
    return new FormatError(this.#file, why, this.where());
  }

  where(): string {
    return `${quoted(this.#part)} line ${this.#parser.line}`;
  }

  #decode(bytes: Uint8Array | undefined): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw this.fail('it is not UTF-8');
    }
  }
}

class PartReader {
  readonly text: XmlText;
  readonly objects: ThreeMfObject[] = [];
  readonly items: ThreeMfItem[] = [];
  readonly otherParts = new Set<string>();
  readonly #part: string;
  readonly #unit: string;
  readonly #spill: ShapeSpill;
  /** The root element's, with its colon. */
  #prefix: string | undefined;
  #object: ThreeMfObject | undefined;
  #positions = new Float64Array(0);
  #indices = new Uint32Array(0);
  #coordinateCount = 0;
  #indexCount = 0;

  constructor(file: string, part: string, unit: string, spill: ShapeSpill) {
    this.#part = part;
    this.#unit = unit;
    this.#spill = spill;
    this.text = new XmlText(
      file,
      part,
      (name, attributes) => this.#open(name, attributes),
      (name) => this.#close(name),
    );
  }

  #open(name: string, attributes: Attributes): void {
    if (this.#prefix === undefined) {
      this.#openRoot(name, attributes);
      return;
    }
    switch (this.#coreName(name)) {
      case 'vertex':
        this.#addVertex(attributes);
        break;
      case 'triangle':
        this.#addTriangle(attributes);
        break;
      case 'object':
        this.#openObject(attributes);
        break;
      case 'component':
        if (this.#object === undefined) throw this.text.fail('a component outside of an object');
        this.#object.components.push(this.#placement(attributes));
        break;
      case 'item':
        this.items.push({
          ...this.#placement(attributes),
          partNumber: shortName(attributes['partnumber'] ?? ''),
          where: this.text.where(),
        });
        break;
    }
  }

  #openRoot(name: string, attributes: Attributes): void {
    this.#prefix = /^[^:]*:/.exec(name)?.[0] ?? '';
    if (this.#coreName(name) !== 'model')
      throw this.text.fail(`<model> expected, not <${name.slice(0, 40)}>`);
    const unit = attributes['unit'] ?? 'millimeter';
    if (unit !== this.#unit) {
      throw this.text.fail(`its unit is ${quoted(unit)}, that of the first part ${quoted(this.#unit)}`);
    }
    for (const prefix of (attributes['requiredextensions'] ?? '')
      .split(/\s+/)
      .filter((word) => word !== '')) {
      const extension = attributes[`xmlns:${prefix}`] ?? prefix;
      if (!UNDERSTOOD.test(extension))
        throw this.text.fail(`it needs ${quoted(extension)}, which is not supported`);
    }
  }

  #openObject(attributes: Attributes): void {
    if (this.#object !== undefined) throw this.text.fail('an object in an object');
    const id = this.#integer(attributes['id'], 'id');
    const partNumber = shortName(attributes['partnumber'] ?? '');
    this.#object = {
      key: keyOf(this.#part, id),
      name: shortName(attributes['name'] || partNumber || `object ${id}`),
      partNumber,
      type: shortName(attributes['type'] ?? 'model'),
      shape: undefined,
      components: [],
    };
    this.#coordinateCount = 0;
    this.#indexCount = 0;
  }

  #close(name: string): void {
    const core = this.#coreName(name);
    if (core === 'mesh') this.#endMesh();
    if (core !== 'object' || this.#object === undefined) return;
    this.objects.push(this.#object);
    this.#object = undefined;
  }

  #endMesh(): void {
    const vertexCount = this.#coordinateCount / 3;
    const indices = trimmed(this.#indices, this.#indexCount);
    const wrong = indices.findIndex((index) => index >= vertexCount);
    if (wrong >= 0) {
      const triangle = Math.floor(wrong / 3);
      throw this.text.fail(
        `triangle ${triangle} refers to vertex ${indices[wrong]}, but there are ${vertexCount}`,
      );
    }
    if (this.#object === undefined || indices.length === 0) return;
    if (this.#object.shape !== undefined) throw this.text.fail('an object with two meshes');
    const positions = trimmed(this.#positions, this.#coordinateCount);
    const isSingle = positions.every((x) => Math.fround(x) === x);
    this.#object.shape = this.#spill.add({
      positions: isSingle ? Float32Array.from(positions) : positions.slice(),
      indices: indices.slice(),
    });
  }

  #addVertex(attributes: Attributes): void {
    const at = this.#coordinateCount;
    this.#positions = withRoom(this.#positions, at + 3);
    this.#positions[at] = this.#number(attributes['x'], 'x');
    this.#positions[at + 1] = this.#number(attributes['y'], 'y');
    this.#positions[at + 2] = this.#number(attributes['z'], 'z');
    this.#coordinateCount = at + 3;
  }

  #addTriangle(attributes: Attributes): void {
    const at = this.#indexCount;
    this.#indices = withRoom(this.#indices, at + 3);
    this.#indices[at] = this.#integer(attributes['v1'], 'v1');
    this.#indices[at + 1] = this.#integer(attributes['v2'], 'v2');
    this.#indices[at + 2] = this.#integer(attributes['v3'], 'v3');
    this.#indexCount = at + 3;
  }

  #placement(attributes: Attributes): ThreeMfComponent {
    const id = this.#integer(attributes['objectid'], 'objectid');
    const pathName = Object.keys(attributes).find((name) => name.endsWith(':path'));
    const part = pathName === undefined ? this.#part : attributes[pathName];
    if (pathName !== undefined) this.otherParts.add(part);
    return { key: keyOf(part, id), matrix: this.#matrix(attributes['transform']) };
  }

  /** Twelve numbers, row after row for row vectors: column after column for ours. */
  #matrix(text: string | undefined): number[] | undefined {
    if (text === undefined) return undefined;
    const words = text.trim().split(/\s+/);
    if (words.length !== 12) throw this.text.fail(`a transform of ${words.length} numbers; 12 are needed`);
    const n = words.map((word) => this.#number(word, 'transform'));
    return [0, 3, 6, 9].flatMap((at) => [n[at], n[at + 1], n[at + 2], at === 9 ? 1 : 0]);
  }

  #coreName(name: string): string {
    const prefix = this.#prefix!;
    return name.startsWith(prefix) ? name.slice(prefix.length) : '';
  }

  #number(text: string | undefined, name: string): number {
    const value = text !== undefined && DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) throw this.text.fail(`${name} is ${quoted(text ?? '')}, not a number`);
    return value;
  }

  #integer(text: string | undefined, name: string): number {
    const value = this.#number(text, name);
    if (!(Number.isInteger(value) && value >= 0 && value < 2 ** 32)) {
      throw this.text.fail(`${name} is ${quoted(text ?? '')}, not a number from 0 to ${2 ** 32 - 1}`);
    }
    return value;
  }
}

/** Objects have numbers of their own in every part. */
function keyOf(part: string, id: number): string {
  return `${part.replace(/^\/+/, '').toLowerCase()}#${id}`;
}
