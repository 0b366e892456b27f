/**
 * COLLADA (.dae): triangles and polygons of all geometries, where the scene has them, in metres with Z up. Materials,
 * lines, skins and what has no triangles are left out.
 */

import { IDENTITY, multiply } from 'impinge/internal/formats/matrix.js';
import { FileBytes, type FileMesh, quoted } from 'impinge/internal/formats/mesh-file.js';
import { readXml, type XmlElement } from './xml-tree.js';

type Matrix = ArrayLike<number>;

const MOST_DEEP = 32;
const MOST_NODES = 100_000;
const BYTES_PER_CORNER = 16;

/** From the axes of a file to Z up, column-major. */
const UP: Readonly<Record<string, Matrix>> = {
  X_UP: [0, 0, 1, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 1],
  Y_UP: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1],
  Z_UP: IDENTITY,
};

export function readCollada(bytes: Uint8Array, name: string): FileMesh[] {
  const file = new FileBytes(bytes as Uint8Array<ArrayBuffer>, name);
  return new ColladaReader(file).read();
}

class ColladaReader {
  readonly #file: FileBytes;
  readonly #root: XmlElement;
  readonly #byId = new Map<string, XmlElement>();
  readonly #meshes = new Map<
    XmlElement,
    { readonly mesh: FileMesh | undefined; readonly poses: Float64Array[] }
  >();
  #nodes = 0;

  constructor(file: FileBytes) {
    this.#file = file;
    this.#root = readXml(new TextDecoder().decode(file.bytes), file.name);
    if (this.#root.name !== 'COLLADA')
      throw this.#root.fail(`not COLLADA: it begins with <${this.#root.name}>`);
    const note = (element: XmlElement) => {
      const id = element.attribute('id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      for (const child of element.children) note(child);
    };
    note(this.#root);
  }

  read(): FileMesh[] {
    const asset = this.#root.first('asset');
    const unit = asset?.first('unit');
    const metres = unit ? unit.number(unit.attribute('meter') ?? '1', 'the metres of a unit') : 1;
    if (!(metres > 0)) throw unit!.fail(`a unit of ${metres} metres`);
    const up = asset?.first('up_axis')?.text.trim() ?? 'Y_UP';
    if (!Object.hasOwn(UP, up)) throw asset!.need('up_axis').fail(`unknown up axis ${quoted(up)}`);
    const start = multiply(UP[up], [metres, 0, 0, 0, 0, metres, 0, 0, 0, 0, metres, 0, 0, 0, 0, 1]);
    const shown = this.#root.first('scene')?.first('instance_visual_scene');
    const scene = shown
      ? this.#target(shown, 'visual_scene')
      : this.#root.first('library_visual_scenes')?.first('visual_scene');
    if (scene) for (const node of scene.all('node')) this.#visit(node, start, 0);
    else {
      for (const geometry of this.#root.first('library_geometries')?.all('geometry') ?? [])
        this.#place(geometry, start);
    }
    const found = [...this.#meshes.values()].flatMap(({ mesh, poses }) => (mesh ? [{ ...mesh, poses }] : []));
    if (found.length === 0) throw this.#file.fail('no triangles');
    return found;
  }

  #visit(node: XmlElement, parent: Matrix, depth: number): void {
    if (depth > MOST_DEEP) throw node.fail(`nodes are nested deeper than ${MOST_DEEP}, or in a loop`);
    if (++this.#nodes > MOST_NODES) throw node.fail(`more than ${MOST_NODES} nodes`);
    let matrix = parent;
    for (const child of node.children) {
      const own = transformOf(child);
      if (own) matrix = multiply(matrix, own);
    }
    for (const child of node.children) {
      if (child.name === 'node') this.#visit(child, matrix, depth + 1);
      else if (child.name === 'instance_node') this.#visit(this.#target(child, 'node'), matrix, depth + 1);
      else if (child.name === 'instance_geometry') this.#place(this.#target(child, 'geometry'), matrix);
    }
  }

  #target(instance: XmlElement, name: string): XmlElement {
    const url = instance.needAttribute('url');
    const found = url.startsWith('#') ? this.#byId.get(url.slice(1)) : undefined;
    if (found?.name === name) return found;
    throw instance.fail(`${quoted(url)} is no ${name} of this file`);
  }

  #place(geometry: XmlElement, matrix: Matrix): void {
    let known = this.#meshes.get(geometry);
    if (!known) this.#meshes.set(geometry, (known = { mesh: this.#readGeometry(geometry), poses: [] }));
    if (!known.mesh) return;
    this.#file.allow(BYTES_PER_CORNER * (known.mesh.indices.length + known.mesh.positions.length));
    known.poses.push(Float64Array.from(matrix));
  }

  #readGeometry(geometry: XmlElement): FileMesh | undefined {
    const mesh = geometry.first('mesh');
    if (!mesh) return undefined;
    const corners: number[] = [];
    let positions: Float64Array | undefined;
    let source: XmlElement | undefined;
    for (const part of mesh.children) {
      if (!/^(triangles|polylist|polygons)$/.test(part.name)) continue;
      const inputs = part.all('input').map((input) => ({
        offset: input.number(input.attribute('offset') ?? '0', 'an offset'),
        semantic: input.attribute('semantic'),
        input,
      }));
      const vertex = inputs.find(({ semantic }) => semantic === 'VERTEX');
      if (!vertex) throw part.fail(`<${part.name}> has no vertices`);
      const vertices = this.#reference(vertex.input, 'vertices');
      const place = vertices.all('input').find((input) => input.attribute('semantic') === 'POSITION');
      if (!place) throw vertices.fail('<vertices> have no positions');
      const own = this.#reference(place, 'source');
      if (source && own !== source) throw part.fail('positions of two sources in one mesh');
      source = own;
      positions ??= this.#readSource(own);
      const stride = 1 + Math.max(...inputs.map(({ offset }) => offset));
      if (!Number.isInteger(stride) || stride < 1 || stride > 64) throw part.fail('an offset out of range');
      this.#readFaces(part, stride, vertex.offset, positions.length / 3, corners);
    }
    if (!positions || corners.length === 0) return undefined;
    const name = geometry.attribute('name') ?? geometry.attribute('id') ?? this.#file.stem;
    return { name, positions, indices: Uint32Array.from(corners), poses: [], materials: [] };
  }

  #reference(input: XmlElement, name: string): XmlElement {
    const to = input.needAttribute('source');
    const found = to.startsWith('#') ? this.#byId.get(to.slice(1)) : undefined;
    if (found?.name === name) return found;
    throw input.fail(`${quoted(to)} is no ${name} of this file`);
  }

  #readSource(source: XmlElement): Float64Array {
    const list = source.need('float_array');
    const numbers = wordsOf(list).map((word) => list.number(word, 'a coordinate'));
    const accessor = source.first('technique_common')?.first('accessor');
    const stride = accessor ? accessor.number(accessor.attribute('stride') ?? '1', 'a stride') : 3;
    const offset = accessor ? accessor.number(accessor.attribute('offset') ?? '0', 'an offset') : 0;
    const count = accessor ? accessor.number(accessor.needAttribute('count'), 'a count') : numbers.length / 3;
    const isWhole = [stride, offset, count].every((x) => Number.isInteger(x) && x >= 0) && stride >= 3;
    if (!isWhole || offset + stride * count > numbers.length)
      throw (accessor ?? list).fail(`${numbers.length} numbers are too few for ${count} positions`);
    this.#file.allow(24 * count);
    return Float64Array.from(
      { length: 3 * count },
      (_, i) => numbers[offset + stride * Math.floor(i / 3) + (i % 3)],
    );
  }

  /** Polygons, fanned. */
  #readFaces(part: XmlElement, stride: number, offset: number, count: number, out: number[]): void {
    const lists = part.all('p').map((p) => wordsOf(p).map((word) => p.number(word, 'an index')));
    const indices = part.name === 'polygons' ? lists : [lists.flat()];
    const sizes = part.first('vcount');
    for (const list of indices) {
      const total = Math.floor(list.length / stride);
      this.#file.allow(BYTES_PER_CORNER * 3 * total);
      const each = sizes
        ? wordsOf(sizes).map((word) => sizes.number(word, 'the corners of a polygon'))
        : part.name === 'polygons'
          ? [total]
          : new Array(Math.floor(total / 3)).fill(3);
      let at = 0;
      for (const size of each) {
        if (!Number.isInteger(size) || size < 0 || at + size > total)
          throw part.fail('fewer indices than corners');
        const corner = (k: number) => {
          const vertex = list[stride * (at + k) + offset];
          if (Number.isInteger(vertex) && vertex >= 0 && vertex < count) return vertex;
          throw part.fail(`a corner refers to vertex ${vertex}, but there are ${count}`);
        };
        for (let k = 2; k < size; k++) out.push(corner(0), corner(k - 1), corner(k));
        at += size;
      }
    }
  }
}

function wordsOf({ text }: XmlElement): string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : trimmed.split(/\s+/);
}

/** What an element of a node does, column-major. */
function transformOf(element: XmlElement): Matrix | undefined {
  const { name, text } = element;
  if (name === 'matrix') {
    const rows = element.numbers(text, 'a matrix', 16);
    return rows.map((_, i) => rows[4 * (i % 4) + Math.floor(i / 4)]);
  }
  if (name === 'translate') {
    const [x, y, z] = element.numbers(text, 'a translation', 3);
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
  }
  if (name === 'scale') {
    const [x, y, z] = element.numbers(text, 'a scale', 3);
    return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
  }
  if (name !== 'rotate') return undefined;
  const [x, y, z, degrees] = element.numbers(text, 'a rotation', 4);
  const length = Math.hypot(x, y, z);
  if (length === 0) throw element.fail('a rotation about an axis without length');
  const [u, v, w] = [x / length, y / length, z / length];
  const angle = (degrees * Math.PI) / 180;
  const [s, c] = [Math.sin(angle), 1 - Math.cos(angle)];
  return [
    ...[1 - c * (v * v + w * w), c * u * v + s * w, c * u * w - s * v, 0],
    ...[c * u * v - s * w, 1 - c * (u * u + w * w), c * v * w + s * u, 0],
    ...[c * u * w + s * v, c * v * w - s * u, 1 - c * (u * u + v * v), 0],
    ...[0, 0, 0, 1],
  ];
}
