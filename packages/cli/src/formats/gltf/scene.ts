/** The objects of a glTF file: the meshes in their places, their names and properties. */
import type { PropertyValue } from '@impinge/model';
import type { Json, JsonReader } from 'impinge/internal/formats/gltf-json.js';
import { placesOf, visitedNodes } from 'impinge/internal/formats/gltf-nodes.js';
import { IDENTITY, type Matrix } from '../../matrix.js';
import { type GrowthLimit, shortName, shortPath } from '../growth-limit.js';
import type { LeftOutList } from '../left-out.js';
import type { GltfAccessors } from './accessors.js';

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

export class GltfScene {
  readonly #json: JsonReader;
  readonly #accessors: GltfAccessors;
  readonly #growth: GrowthLimit;
  readonly #leftOut: LeftOutList;
  /** Paths of nodes with children, and the names of the roots above these; first that of the scene. */
  readonly #above: { readonly path: string; readonly root: string }[] = [{ path: '', root: '' }];

  constructor(json: JsonReader, accessors: GltfAccessors, growth: GrowthLimit, leftOut: LeftOutList) {
    this.#json = json;
    this.#accessors = accessors;
    this.#growth = growth;
    this.#leftOut = leftOut;
  }

  /** Every mesh of the default scene (without scenes: of every root node), depth first, one per node or instance. */
  *placements(): Generator<Placement> {
    const json = this.#json;
    /** The record that the children of a node have above them. */
    const recordOf = new Uint32Array(json.list('nodes').length);
    for (const visited of visitedNodes(json)) {
      const { index, node, parent, isHidden } = visited;
      const above = parent < 0 ? 0 : recordOf[parent];
      if (node['mesh'] !== undefined) {
        const mesh = node['mesh'] as number;
        const { name, path, properties } = this.#namesOf(node, above, `node ${index}`);
        const characters = 2 * name.length + path.length + JSON.stringify(properties).length;
        if (isHidden) this.#leftOut.add('invisible', '', path);
        else {
          for (const { instance, matrix } of placesOf(visited, json, this.#accessors)) {
            this.#growth.object(characters);
            const own = instance === 0 ? name : `${name}#${instance}`;
            yield { node: index, instance, above, name: own, mesh, matrix: unlessIdentity(matrix) };
          }
        }
      }
      if (json.array(node['children'], `node ${index}: children`).length === 0) continue;
      const { path: parentPath, root } = this.#above[above];
      const path = joinPath(parentPath, shortName(json.text(node['name'])));
      recordOf[index] = this.#above.push({ path, root: parent < 0 ? path : root }) - 1;
    }
  }

  /** The names and properties of a placement. */
  named({ node, instance, above }: PlacedNode): PlacedNames {
    const where = `node ${node}`;
    const { name, path, properties } = this.#namesOf(this.#json.entry('node', node, where), above, where);
    const { root } = this.#above[above];
    const number = instance === 0 ? '' : `#${instance}`;
    return { name: `${name}${number}`, path: `${path}${number}`, root, properties };
  }

  #namesOf(node: Json, above: number, where: string): Omit<PlacedNames, 'root'> {
    const json = this.#json;
    const mesh = json.entry('mesh', node['mesh'], where);
    const name = shortName(json.text(node['name']) || json.text(mesh['name']) || where);
    const path = joinPath(this.#above[above].path, name);
    return { name, path, properties: scalarsOf(node['extras']) };
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

function unlessIdentity(matrix: Matrix): Matrix | undefined {
  return IDENTITY.every((x, i) => matrix[i] === x) ? undefined : matrix;
}
