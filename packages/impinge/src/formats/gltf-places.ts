/** Where the scene of a glTF file has its meshes. A file without scenes has each mesh once, where it is. */
import type { GltfAccessors, Json } from './gltf-accessors.js';
import { type FileBytes, unmoved } from './mesh-file.js';

const MAX_DEPTH = 1000;

/** Mesh → the poses of the nodes that have it, in the order of the meshes. */
export function readPlaces(
  file: FileBytes,
  json: Json,
  accessors: GltfAccessors,
): ReadonlyMap<number, Float64Array[]> {
  const places = new Map<number, Float64Array[]>();
  const scenes = json['scenes'];
  if (!Array.isArray(scenes) || scenes.length === 0) {
    const count = Array.isArray(json['meshes']) ? json['meshes'].length : 0;
    for (let index = 0; index < count; index++) places.set(index, unmoved());
    return places;
  }
  const seen = new Set<unknown>();
  const visit = (index: unknown, parent: Float64Array, depth: number) => {
    const where = `node ${String(index)}`;
    const node = accessors.entry('nodes', index, where);
    if (seen.has(index)) throw file.fail('has two parents', where);
    seen.add(index);
    if (depth > MAX_DEPTH) throw file.fail(`more than ${MAX_DEPTH} nodes in each other`, where);
    const visibility = Object((Object(node['extensions']) as Json)['KHR_node_visibility']) as Json;
    if (visibility['visible'] === false) return;
    const pose = product(parent, localMatrix(file, node, where));
    if (node['mesh'] !== undefined) {
      const mesh = node['mesh'] as number;
      accessors.entry('meshes', mesh, where);
      const poses = places.get(mesh) ?? [];
      for (const instance of instancesOf(file, node, accessors, where)) poses.push(product(pose, instance));
      places.set(mesh, poses);
    }
    for (const child of listOf(node['children'])) visit(child, pose, depth + 1);
  };
  const scene = accessors.entry('scenes', json['scene'] ?? 0, 'scene');
  for (const index of listOf(scene['nodes'])) visit(index, unmoved()[0], 0);
  return new Map([...places].sort(([a], [b]) => a - b));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Column-major. */
function localMatrix(file: FileBytes, node: Json, where: string): Float64Array {
  const read = (name: string, fallback: readonly number[]) => {
    const given = node[name];
    if (given === undefined) return fallback;
    if (Array.isArray(given) && given.length === fallback.length && given.every(Number.isFinite)) {
      return given as number[];
    }
    throw file.fail(`${name} is not ${fallback.length} numbers`, where);
  };
  if (node['matrix'] !== undefined) {
    const matrix = Float64Array.from(read('matrix', [...unmoved()[0]]));
    if (matrix[3] || matrix[7] || matrix[11] || matrix[15] !== 1)
      throw file.fail('its matrix projects', where);
    return matrix;
  }
  return matrixOf(
    read('translation', [0, 0, 0]),
    read('rotation', [0, 0, 0, 1]),
    read('scale', [1, 1, 1]),
    () => file.fail('its rotation is not a rotation', where),
  );
}

/** Where EXT_mesh_gpu_instancing repeats a node, seen from it. */
function instancesOf(file: FileBytes, node: Json, accessors: GltfAccessors, where: string): Float64Array[] {
  const extension = (Object(node['extensions']) as Json)['EXT_mesh_gpu_instancing'];
  if (extension === undefined) return unmoved();
  const attributes = Object((Object(extension) as Json)['attributes']) as Json;
  const read = (name: string, width: 3 | 4) =>
    attributes[name] === undefined ? undefined : accessors.vectors(attributes[name], width, where);
  const places = read('TRANSLATION', 3);
  const turns = read('ROTATION', 4);
  const sizes = read('SCALE', 3);
  const counts = [places, sizes].flatMap((numbers) => (numbers ? [numbers.length / 3] : []));
  if (turns) counts.push(turns.length / 4);
  const count = counts[0] ?? 0;
  if (counts.some((other) => other !== count))
    throw file.fail('its instance attributes differ in length', where);
  file.allow(128 * count);
  return Array.from({ length: count }, (_, i) =>
    matrixOf(
      places?.subarray(3 * i, 3 * i + 3) ?? [0, 0, 0],
      turns?.subarray(4 * i, 4 * i + 4) ?? [0, 0, 0, 1],
      sizes?.subarray(3 * i, 3 * i + 3) ?? [1, 1, 1],
      () => file.fail(`the rotation of instance ${i} is not a rotation`, where),
    ),
  );
}

function matrixOf(
  [tx, ty, tz]: Iterable<number>,
  [x, y, z, w]: Iterable<number>,
  [sx, sy, sz]: Iterable<number>,
  failure: () => Error,
): Float64Array {
  const s = 2 / (x * x + y * y + z * z + w * w);
  if (!Number.isFinite(s)) throw failure();
  return Float64Array.of(
    ...[sx * (1 - s * (y * y + z * z)), sx * s * (x * y + z * w), sx * s * (x * z - y * w), 0],
    ...[sy * s * (x * y - z * w), sy * (1 - s * (x * x + z * z)), sy * s * (y * z + x * w), 0],
    ...[sz * s * (x * z + y * w), sz * s * (y * z - x * w), sz * (1 - s * (x * x + y * y)), 0],
    ...[tx, ty, tz, 1],
  );
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
}
