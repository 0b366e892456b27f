/**
 * Where the triangles of a .glb are, found in another way: accessors are decoded by gltf-transform, nodes are
 * multiplied out here after the letter of the standard.
 */
import { readFileSync } from 'node:fs';
import { NodeIO, type Primitive } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';

interface JsonNode {
  readonly name?: string;
  readonly mesh?: number;
  readonly children?: readonly number[];
  readonly matrix?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
}

type Rows = readonly (readonly number[])[];

/** Nine numbers per triangle, Z up, by the path of their node. */
export async function gltfCorners(path: string): Promise<Map<string, number[]>> {
  const bytes = new Uint8Array(readFileSync(path));
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const meshes = (await io.readBinary(bytes)).getRoot().listMeshes();
  const { json } = await io.binaryToJSON(bytes);
  const nodes = (json.nodes ?? []) as readonly JsonNode[];
  const found = new Map<string, number[]>();
  const visit = (index: number, parent: Rows, folder: string) => {
    const node = nodes[index];
    const world = product(parent, localRows(node));
    const join = (name: string) => (folder === '' || name === '' ? folder + name : `${folder}/${name}`);
    if (node.mesh !== undefined) {
      const mesh = meshes[node.mesh];
      const corners = mesh.listPrimitives().flatMap((primitive) => placedCorners(primitive, world));
      if (corners.length > 0) found.set(join(node.name || mesh.getName() || `node ${index}`), corners);
    }
    for (const child of node.children ?? []) visit(child, world, join(node.name ?? ''));
  };
  for (const root of json.scenes![json.scene ?? 0].nodes ?? []) visit(root, IDENTITY, '');
  return found;
}

const IDENTITY: Rows = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
];

function product(a: Rows, b: Rows): Rows {
  const last = [0, 0, 0, 1];
  return a.map((row) => [0, 1, 2, 3].map((c) => row.reduce((sum, x, k) => sum + x * (b[k] ?? last)[c], 0)));
}

function localRows({ matrix, translation, rotation, scale }: JsonNode): Rows {
  if (matrix) return [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => matrix[4 * column + row]));
  const q = rotation ?? [0, 0, 0, 1];
  const [x, y, z, w] = q.map((part) => part / Math.hypot(...q));
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return turn.map((row, i) => [...row.map((r, k) => r * (scale?.[k] ?? 1)), translation?.[i] ?? 0]);
}

function placedCorners(primitive: Primitive, rows: Rows): number[] {
  const position = primitive.getAttribute('POSITION')!;
  const indices = primitive.getIndices();
  const count = (indices ?? position).getCount();
  const order = Array.from({ length: count }, (_, i) => (indices ? indices.getScalar(i) : i));
  const mode = primitive.getMode();
  const triangles: number[][] = [];
  if (mode === 4) for (let i = 0; i + 2 < count; i += 3) triangles.push(order.slice(i, i + 3));
  for (let i = 0; mode > 4 && i + 2 < count; i++) {
    if (mode === 6) triangles.push([order[0], order[i + 1], order[i + 2]]);
    else triangles.push(i % 2 === 0 ? order.slice(i, i + 3) : [order[i + 1], order[i], order[i + 2]]);
  }
  return triangles.flat().flatMap((v) => {
    // normalised integers become float32 here, as everywhere
    const at = position.getElement(v, []).map(Math.fround);
    const [x, y, z] = rows.map((row) => row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]);
    return [x, 0 - z, y];
  });
}
