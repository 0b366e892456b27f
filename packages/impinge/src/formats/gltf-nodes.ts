/** The nodes of a glTF file: which meshes its default scene shows, and where. */
import type { Json, JsonReader } from './gltf-json.js';
import { IDENTITY, type Matrix, matrixOfParts, multiply } from './matrix.js';

const MAX_DEPTH = 1000;

export interface VisitedNode {
  readonly index: number;
  readonly node: Json;
  /** The index of the node above; −1: none. */
  readonly parent: number;
  /** In the world. */
  readonly matrix: Matrix;
  /** Whether this node or one above hides everything below it. */
  readonly isHidden: boolean;
}

/** The nodes of the default scene (without scenes: all), depth first. */
export function* visitedNodes(json: JsonReader): Generator<VisitedNode> {
  const seen = new Uint8Array(json.list('nodes').length);
  type Visit = Pick<VisitedNode, 'parent' | 'matrix' | 'isHidden'> & { index: unknown; depth: number };
  const stack: Visit[] = [];
  const push = (nodes: readonly unknown[], visit: Omit<Visit, 'index'>) => {
    for (let i = nodes.length - 1; i >= 0; i--) stack.push({ ...visit, index: nodes[i] });
  };
  push(rootNodes(json), { parent: -1, matrix: IDENTITY, isHidden: false, depth: 0 });
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { depth, parent } = visit;
    const node = json.entry('node', visit.index, parent < 0 ? 'scene' : `node ${parent}`);
    const index = visit.index as number;
    const where = `node ${index}`;
    if (seen[index]) throw json.fail(where, 'it is its own ancestor, or has two parents');
    if (depth > MAX_DEPTH) throw json.fail(where, `nodes nested more than ${MAX_DEPTH} deep`);
    seen[index] = 1;
    const local = localMatrix(node, json, where);
    const matrix =
      visit.matrix === IDENTITY ? local : local === IDENTITY ? visit.matrix : multiply(visit.matrix, local);
    const isHidden =
      visit.isHidden || json.extension(node, 'KHR_node_visibility', where)?.['visible'] === false;
    yield { index, node, parent, matrix, isHidden };
    push(json.array(node['children'], `${where}: children`), {
      parent: index,
      matrix,
      isHidden,
      depth: depth + 1,
    });
  }
}

function rootNodes(json: JsonReader): readonly unknown[] {
  if (json.list('scenes').length > 0) {
    const scene = json.entry('scene', json.root['scene'] ?? 0, 'scene');
    return json.array(scene['nodes'], 'scene: nodes');
  }
  const nodes = json.list('nodes');
  const isChild = new Set<unknown>();
  for (let i = 0; i < nodes.length; i++) {
    const node = json.object(nodes.at(i), `node ${i}`);
    for (const child of json.array(node['children'], `node ${i}: children`)) isChild.add(child);
  }
  return Array.from({ length: nodes.length }, (_, i) => i).filter((i) => !isChild.has(i));
}

/** Where a node has its mesh: once, or for each instance of EXT_mesh_gpu_instancing. */
export function* placesOf(
  { index, node, matrix }: VisitedNode,
  json: JsonReader,
  accessors: { floats(index: unknown, type: 'VEC3' | 'VEC4', from: string): Float32Array },
): Generator<{ readonly instance: number; readonly matrix: Matrix }> {
  const where = `node ${index}`;
  const instancing = json.extension(node, 'EXT_mesh_gpu_instancing', where);
  if (instancing === undefined) {
    yield { instance: 0, matrix: finite(matrix, json, where) };
    return;
  }
  const attributes = json.object(instancing['attributes'], `${where}: EXT_mesh_gpu_instancing`);
  const read = (name: string, width: 3 | 4) =>
    attributes[name] === undefined ? undefined : accessors.floats(attributes[name], `VEC${width}`, where);
  const parts = [read('TRANSLATION', 3), read('ROTATION', 4), read('SCALE', 3)];
  const counts = parts.flatMap((part, i) => (part ? [part.length / NEUTRAL[i].length] : []));
  if (new Set(counts).size !== 1) throw json.fail(where, 'its instances have attributes of different counts');
  for (let i = 0; i < counts[0]; i++) {
    const at = `${where}: instance ${i}`;
    const [t, r, s] = NEUTRAL.map(
      (neutral, k) => parts[k]?.subarray(neutral.length * i, neutral.length * (i + 1)) ?? neutral,
    );
    const world = multiply(matrix, compose(t, r, s, json, at));
    yield { instance: i + 1, matrix: finite(world, json, at) };
  }
}

/** A translation, rotation and scale that do nothing. */
const NEUTRAL = [
  [0, 0, 0],
  [0, 0, 0, 1],
  [1, 1, 1],
] as const;

function localMatrix(node: Json, json: JsonReader, where: string): Matrix {
  const { matrix, translation, rotation, scale } = node;
  if ([matrix, translation, rotation, scale].every((part) => part === undefined)) return IDENTITY;
  if (matrix !== undefined) {
    const m = json.numbers(matrix, where, 'matrix', IDENTITY);
    if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
      throw json.fail(where, 'the last row of its matrix is not 0 0 0 1');
    }
    return m;
  }
  return compose(
    json.numbers(translation, where, 'translation', NEUTRAL[0]),
    json.numbers(rotation, where, 'rotation', NEUTRAL[1]),
    json.numbers(scale, where, 'scale', NEUTRAL[2]),
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

function finite(matrix: Matrix, json: JsonReader, where: string): Matrix {
  for (let i = 0; i < 16; i++)
    if (!Number.isFinite(matrix[i])) throw json.fail(where, 'its matrix is not finite');
  return matrix;
}
