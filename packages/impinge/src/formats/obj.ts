/**
 * Wavefront OBJ: vertices and polygons (fanned); one mesh for each `o` or `g`, with the materials that `usemtl` names.
 * Indices may count back, and may refer to vertices that come later. A single mesh keeps the file's vertices as they
 * are; several get their own, in order of first use.
 */
import { Triples } from './growing.js';
import { FileBytes, type FileMaterial, type FileMesh, quoted, unmoved } from './mesh-file.js';
import { withOwnVertices } from './own-vertices.js';
import { Words } from './words.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
const SPACE = 32;
const CORNER = /^(-?\d+)(\/.*)?$/;

interface Part {
  readonly name: string;
  readonly indices: Triples<Uint32Array>;
  readonly materials: { name: string; firstTriangle: number }[];
}

export function readObj(file: FileBytes): FileMesh[] {
  const reader = new ObjReader(file);
  reader.read();
  return reader.meshes();
}

class ObjReader {
  readonly #file: FileBytes;
  readonly #positions = new Triples(new Float64Array(48));
  readonly #parts = new Map<string, Part>();
  #part: Part;
  #object = '';
  #material = '';
  #largest = { vertex: -1, line: 0 };

  constructor(file: FileBytes) {
    this.#file = file;
    this.#part = this.#enter('', file.stem);
  }

  read(): void {
    const { bytes } = this.#file;
    // very old files end lines by CR alone
    const newline =
      !bytes.includes(LINE_FEED) && bytes.includes(CARRIAGE_RETURN) ? CARRIAGE_RETURN : LINE_FEED;
    const joined = this.#joined(newline);
    let line = 1;
    for (let at = 0; at < bytes.length; ) {
      const found = joined.bytes.indexOf(newline, at);
      const end = found < 0 ? bytes.length : found;
      this.#statement(new Words(joined, at, line, end), line);
      line++;
      at = end + 1;
    }
    const count = this.#positions.length / 3;
    if (this.#largest.vertex >= count) {
      const why = `a face refers to vertex ${this.#largest.vertex + 1}, but there are ${count}`;
      throw this.#file.fail(why, `line ${this.#largest.line}`);
    }
  }

  /** The file with blanks in place of line ends that a backslash takes back. */
  #joined(newline: number): FileBytes {
    const { bytes } = this.#file;
    if (!bytes.includes(BACKSLASH)) return this.#file;
    const copy = bytes.slice();
    for (let at = copy.indexOf(BACKSLASH); at >= 0; at = copy.indexOf(BACKSLASH, at + 1)) {
      let end = at + 1;
      while (copy[end] === CARRIAGE_RETURN && newline === LINE_FEED) end++;
      if (copy[end] === newline) copy.fill(SPACE, at, end + 1);
    }
    return new FileBytes(copy, this.#file.name);
  }

  #statement(words: Words, line: number): void {
    const keyword = words.next();
    // a letter alone says nothing
    if (words.isAtEnd) return;
    switch (keyword) {
      case 'v': {
        const x = words.number('a coordinate');
        const y = words.number('a coordinate');
        this.#positions.push(x, y, words.number('a coordinate'));
        break;
      }
      case 'f':
        this.#face(words, line);
        break;
      case 'o':
        this.#object = words.rest();
        this.#part = this.#enter(this.#object, this.#object || this.#file.stem);
        break;
      case 'g':
        this.#group(words.rest());
        break;
      case 'usemtl':
        this.#material = words.rest();
        break;
    }
  }

  #group(group: string): void {
    const inObject = this.#object !== '';
    const isOwn = inObject && group !== '' && group !== this.#object;
    const name = group || this.#object || this.#file.stem;
    const path = isOwn ? `${this.#object}/${group}` : name;
    this.#part = this.#enter(inObject || group !== '' ? path : '', name);
  }

  /** What follows belongs to this part; it may have been met before. */
  #enter(key: string, name: string): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { name, indices: new Triples(new Uint32Array(48)), materials: [] };
      this.#parts.set(key, part);
    }
    return part;
  }

  #face(words: Words, line: number): void {
    const { indices, materials } = this.#part;
    const last = materials[materials.length - 1];
    if (this.#material !== (last?.name ?? '')) {
      materials.push({ name: this.#material, firstTriangle: indices.length / 3 });
    }
    let corners = 0;
    let [first, previous] = [0, 0];
    for (let word = words.next(); word !== ''; word = words.next(), corners++) {
      const index = this.#corner(words, word);
      if (index > this.#largest.vertex) this.#largest = { vertex: index, line };
      if (corners === 0) first = index;
      if (corners >= 2) indices.push(first, previous, index);
      previous = index;
    }
    if (corners < 3) throw words.fail(`a face needs 3 corners, this one has ${corners}`);
  }

  #corner(words: Words, word: string): number {
    const found = CORNER.exec(word);
    if (!found) throw words.fail(`a corner of a face is ${quoted(word)}`);
    const value = Number(found[1]);
    const count = this.#positions.length / 3;
    const index = found[1].startsWith('-') ? count + value : value - 1;
    if (index >= 0 && index < 2 ** 32 - 1 && value !== 0) return index;
    throw words.fail(`a face refers to vertex ${value}, but there are ${count} so far`);
  }

  meshes(): FileMesh[] {
    const parts = [...this.#parts.values()].filter(({ indices }) => indices.length > 0);
    if (parts.length === 0) {
      const count = this.#positions.length / 3;
      throw this.#file.fail(
        count > 0 ? `no triangles, only ${count} vertices` : 'not an OBJ file, or an empty one: no vertices',
      );
    }
    const lists = parts.map(({ indices }) => indices.whole());
    const positions = this.#positions.whole();
    const geometries =
      lists.length === 1 ? [{ positions, indices: lists[0] }] : withOwnVertices(positions, lists);
    return parts.map(({ name, indices, materials }, i) => ({
      name,
      ...geometries[i],
      poses: unmoved(),
      materials: materialsOf(materials, indices.length / 3),
    }));
  }
}

function materialsOf(begun: Part['materials'], triangleCount: number): FileMaterial[] {
  return begun.map(({ name, firstTriangle }, i) => ({
    name,
    firstTriangle,
    triangleCount: (begun[i + 1]?.firstTriangle ?? triangleCount) - firstTriangle,
  }));
}
