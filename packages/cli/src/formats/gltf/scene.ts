/** The nodes of a glTF file: which meshes its default scene shows, and where. */
import type { PropertyValue } from '@impinge/model';
import { type Matrix, matrixOfParts, multiply } from '../../matrix.js';
import { type GrowthLimit, shortName, shortPath } from '../growth-limit.js';
import type { LeftOutList } from '../left-out.js';
import type { GltfAccessors } from './accessors.js';
import type { Json, JsonReader } from './json.js';

const MAX_DEPTH = 1000;
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as const;

/** Identifies a placement. */
export interface PlacedNode {
  readonly node: number;
  /** Counted from 1; 0: the node itself. */
  readonly instance: number;
  /** The number of the record about the nodes above. */
  readonly above: number;
}

/** The names and properties of an object in the file. */
export interface PlacedNames {
  readonly name: string;
  /** The names from the root of the scene to this one, joined by `/`. */
  readonly path: string;
  /** The name of the root node above this one, if any. */
  readonly root: string;
  /** Other properties of the node. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

/** A mesh in its place. */
export interface Placement extends PlacedNode {
  readonly name: string;
  readonly mesh: number;
  /** Column-major world matrix; undefined stands for the identity. */
  readonly matrix: Matrix | undefined;
}

interface Visit {
  readonly node: number;
  readonly depth: number;
  readonly above: number;
  readonly parentMatrix: Matrix;
  /** Whether a node above hides everything below it. */
  readonly isHidden: boolean;
}

export class GltfScene {
  readonly #json: JsonReader;
  readonly #root: Json;
  readonly #accessors: GltfAccessors;
  readonly #growth: GrowthLimit;
  readonly #leftOut: LeftOutList;
  /** Paths of nodes with children, and the names of the roots above these; first that of the scene. */
  readonly #above: { readonly path: string; readonly root: string }[] = [{ path: '', root: '' }];

  constructor(
    json: JsonReader,
    root: Json,
    accessors: GltfAccessors,
    growth: GrowthLimit,
    leftOut: LeftOutList,
  ) {
    this.#json = json;
    this.#root = root;
    this.#accessors = accessors;
    this.#growth = growth;
    this.#leftOut = leftOut;
  }

  /** Every mesh of the default scene (without scenes: of every root node), depth first, one per node or instance. */
  *placements(): Generator<Placement> {
    const json = this.#json;
    const nodeCount = json.list(this.#root, 'nodes').length;
    const seen = new Uint8Array(nodeCount);
    const stack: Visit[] = this.#rootNodes()
      .map((node) => ({
        node: node as number,
        depth: 0,
        above: 0,
        parentMatrix: IDENTITY,
        isHidden: false,
      }))
      .reverse();
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      const { depth, parentMatrix } = visit;
      const { path: parentPath, root } = this.#above[visit.above];
      const from = () => (depth === 0 ? 'scene' : `a child of ${JSON.stringify(parentPath.slice(-60))}`);
      const node = json.entry(this.#root, 'node', visit.node, from);
      const where = `node ${visit.node}`;
      if (seen[visit.node]) throw json.fail(where, 'it is its own ancestor, or has two parents');
      if (depth > MAX_DEPTH) throw json.fail(where, `nodes nested more than ${MAX_DEPTH} deep`);
      seen[visit.node] = 1;
      const local = localMatrix(node, json, where);
      const matrix =
        parentMatrix === IDENTITY ? local : local === IDENTITY ? parentMatrix : multiply(parentMatrix, local);
      const isHidden =
        visit.isHidden || json.extension(node, 'KHR_node_visibility', where)?.['visible'] === false;
      if (node['mesh'] !== undefined) yield* this.#ofNode(node, { ...visit, isHidden }, matrix, where);
      const children = json.array(node['children'], `${where}: children`);
      if (children.length === 0) continue;
      const path = joinPath(parentPath, shortName(json.text(node['name'])));
      const above = this.#above.push({ path, root: depth === 0 ? path : root }) - 1;
      for (let i = children.length - 1; i >= 0; i--) {
        stack.push({
          node: children[i] as number,
          depth: depth + 1,
          above,
          parentMatrix: matrix,
          isHidden,
        });
      }
    }
  }

  #rootNodes(): readonly unknown[] {
    const json = this.#json;
    const scenes = json.array(this.#root['scenes'], 'scenes');
    if (scenes.length > 0) {
      const scene = json.entry(this.#root, 'scene', this.#root['scene'] ?? 0, 'scene');
      return json.array(scene['nodes'], 'scene: nodes');
    }
    const nodes = json.list(this.#root, 'nodes');
    const isChild = new Set<unknown>();
    for (let i = 0; i < nodes.length; i++) {
      const node = json.object(nodes.at(i), `node ${i}`);
      for (const child of json.array(node['children'], `node ${i}: children`)) isChild.add(child);
    }
    return Array.from({ length: nodes.length }, (_, i) => i).filter((i) => !isChild.has(i));
  }

  /** The names and properties of a placement. */
  named({ node, instance, above }: PlacedNode): PlacedNames {
    const where = `node ${node}`;
    const { name, path, properties } = this.#namesOf(
      this.#json.entry(this.#root, 'node', node, where),
      above,
      where,
    );
    const { root } = this.#above[above];
    const number = instance === 0 ? '' : `#${instance}`;
    return { name: `${name}${number}`, path: `${path}${number}`, root, properties };
  }

  #namesOf(node: Json, above: number, where: string): Omit<PlacedNames, 'root'> {
    const json = this.#json;
    const mesh = json.entry(this.#root, 'mesh', node['mesh'], where);
    const name = shortName(json.text(node['name']) || json.text(mesh['name']) || where);
    const path = joinPath(this.#above[above].path, name);
    return { name, path, properties: scalarsOf(node['extras']) };
  }

  *#ofNode(node: Json, visit: Visit, matrix: Matrix, where: string): Generator<Placement> {
    const json = this.#json;
    const { name, path, properties } = this.#namesOf(node, visit.above, where);
    if (visit.isHidden) {
      this.#leftOut.add('invisible', '', path);
      return;
    }
    const { above, node: number } = visit;
    const mesh = node['mesh'] as number;
    const characters = 2 * name.length + path.length + JSON.stringify(properties).length;
    const instancing = json.extension(node, 'EXT_mesh_gpu_instancing', where);
    if (instancing === undefined) {
      this.#growth.object(characters);
      yield { node: number, instance: 0, above, name, mesh, matrix: matrixOrNone(matrix, json, where) };
      return;
    }
    const { count, at } = this.#instances(instancing, where);
    for (let i = 0; i < count; i++) {
      this.#growth.object(characters);
      const world = matrixOrNone(multiply(matrix, at(i)), json, `${where}: instance ${i}`);
      yield { node: number, instance: i + 1, above, name: `${name}#${i + 1}`, mesh, matrix: world };
    }
  }

  #instances(instancing: Json, where: string): { count: number; at: (i: number) => Matrix } {
    const json = this.#json;
    const attributes = json.object(instancing['attributes'], `${where}: EXT_mesh_gpu_instancing`);
    const read = (name: string, type: 'VEC3' | 'VEC4') =>
      attributes[name] === undefined ? undefined : this.#accessors.floats(attributes[name], type, where);
    const translations = read('TRANSLATION', 'VEC3');
    const rotations = read('ROTATION', 'VEC4');
    const scales = read('SCALE', 'VEC3');
    const counts = [
      translations && translations.length / 3,
      rotations && rotations.length / 4,
      scales && scales.length / 3,
    ];
    const known = counts.filter((count) => count !== undefined);
    if (new Set(known).size !== 1)
      throw json.fail(where, 'its instances have attributes of different counts');
    const at = (i: number) =>
      compose(
        translations?.subarray(3 * i, 3 * i + 3) ?? [0, 0, 0],
        rotations?.subarray(4 * i, 4 * i + 4) ?? [0, 0, 0, 1],
        scales?.subarray(3 * i, 3 * i + 3) ?? [1, 1, 1],
        json,
        `${where}: instance ${i}`,
      );
    return { count: known[0], at };
  }
}

/** The entries of a node's extras that are texts, finite numbers, or true or false. */
function scalarsOf(extras: unknown): Record<string, PropertyValue> {
  if (typeof extras !== 'object' || extras === null) return {};
  return Object.fromEntries(
    Object.entries(extras).filter(
      ([, value]) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
    ),
  ) as Record<string, PropertyValue>;
}

function joinPath(parent: string, name: string): string {
  return parent === '' || name === '' ? parent + name : shortPath(`${parent}/${name}`);
}

function localMatrix(node: Json, json: JsonReader, where: string): Matrix {
  const { matrix, translation, rotation, scale } = node;
  if ([matrix, translation, rotation, scale].every((part) => part === undefined)) return IDENTITY;
  if (node['matrix'] !== undefined) {
    const m = json.numbers(node['matrix'], where, 'matrix', IDENTITY);
    if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
      throw json.fail(where, 'the last row of its matrix is not 0 0 0 1');
    }
    return m;
  }
  return compose(
    json.numbers(node['translation'], where, 'translation', [0, 0, 0]),
    json.numbers(node['rotation'], where, 'rotation', [0, 0, 0, 1]),
    json.numbers(node['scale'], where, 'scale', [1, 1, 1]),
    json,
    where,
  );
}

/** Scale first, then rotation (any length but zero), then translation. */
function compose(
  translation: ArrayLike<number>,
  rotation: ArrayLike<number>,
  scale: ArrayLike<number>,
  json: JsonReader,
  where: string,
): Matrix {
  const lengthSq = Array.from(rotation).reduce((sum, x) => sum + x * x, 0);
  if (!(lengthSq > 0)) throw json.fail(where, 'its rotation is a quaternion of length 0');
  return matrixOfParts(translation, rotation, scale);
}

function matrixOrNone(matrix: Matrix, json: JsonReader, where: string): Matrix | undefined {
  let isIdentity = true;
  for (let i = 0; i < 16; i++) {
    if (!Number.isFinite(matrix[i])) throw json.fail(where, 'its matrix is not finite');
    isIdentity &&= matrix[i] === IDENTITY[i];
  }
  return isIdentity ? undefined : matrix;
}
