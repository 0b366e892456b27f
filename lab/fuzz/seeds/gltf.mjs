/** glTF seeds: containers, accessors of every kind, nodes, instances, both compressions. */
import { Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3d';
import { MeshoptEncoder } from 'meshoptimizer/encoder';

const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;

/** File contents by name. */
export async function gltfSeeds(solid) {
  const { json, binary } = sceneOf(solid);
  const uri = `data:application/octet-stream;base64,${binary.toString('base64')}`;
  return {
    'scene.glb': joined(json, binary),
    'scene.gltf': JSON.stringify({ ...json, buffers: [{ byteLength: binary.length, uri }] }),
    'draco.glb': await compressed(solid, KHRDracoMeshCompression),
    'meshopt.glb': await compressed(solid, EXTMeshoptCompression),
  };
}

/** A box, plain, quantised, sparse and as a strip, under nodes that rotate, scale, mirror and repeat it. */
function sceneOf({ positions, indices }) {
  const parts = [];
  const bufferViews = [];
  const view = (numbers, stride) => {
    const byteOffset = parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    parts.push(Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]));
    bufferViews.push({
      buffer: 0,
      byteOffset,
      byteLength: bytes.length,
      ...(stride ? { byteStride: stride } : {}),
    });
    return bufferViews.length - 1;
  };
  const count = positions.length / 3;
  const quantised = Int16Array.from({ length: 4 * count }, (_, i) =>
    i % 4 === 3 ? 0 : Math.round(positions[3 * Math.floor(i / 4) + (i % 4)] * 32767),
  );
  const accessors = [
    { bufferView: view(positions), componentType: FLOAT, type: 'VEC3', count },
    {
      bufferView: view(Uint16Array.from(indices)),
      componentType: UNSIGNED_SHORT,
      type: 'SCALAR',
      count: indices.length,
    },
    { bufferView: view(quantised, 8), componentType: 5122, normalized: true, type: 'VEC3', count },
    {
      componentType: FLOAT,
      type: 'VEC3',
      count: 4,
      bufferView: 0,
      sparse: {
        count: 2,
        indices: { bufferView: view(Uint8Array.of(1, 3)), componentType: 5121 },
        values: { bufferView: view(Float32Array.of(1, 1, 0, 2, 2, 2)) },
      },
    },
    {
      bufferView: view(Float32Array.of(0, 0, 0, 2, 0, 0, 0, 0, 2)),
      componentType: FLOAT,
      type: 'VEC3',
      count: 3,
    },
  ];
  const json = {
    asset: { version: '2.0', generator: 'seed' },
    extensionsUsed: ['EXT_mesh_gpu_instancing', 'KHR_mesh_quantization', 'KHR_node_visibility'],
    scene: 0,
    scenes: [{ name: 'all', nodes: [0, 4] }],
    nodes: [
      { name: 'hvac', children: [1, 2, 3], rotation: [0, 0, 0.6, 0.8] },
      { name: 'duct', mesh: 0, translation: [0.5, 0, 0], extras: { type: 'IfcDuct', storey: 'L1', dn: 50 } },
      {
        name: 'mirrored',
        mesh: 1,
        scale: [-1, 1, 2],
        extensions: { KHR_node_visibility: { visible: true } },
      },
      { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1] },
      { name: 'bolts', mesh: 2, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 4 } } } },
    ],
    meshes: [
      { name: 'box', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] },
      {
        primitives: [
          { attributes: { POSITION: 2 }, indices: 1, mode: 4 },
          { attributes: { POSITION: 3 }, mode: 5 },
        ],
      },
      { primitives: [{ attributes: { POSITION: 0 }, mode: 6 }] },
    ],
    accessors,
    bufferViews,
  };
  const binary = Buffer.concat(parts);
  json.buffers = [{ byteLength: binary.length }];
  return { json, binary };
}

function joined(json, binary) {
  const text = JSON.stringify(json);
  const document = Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4)));
  const words = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
  return Buffer.concat([
    Buffer.from('glTF'),
    words(2, 28 + document.length + binary.length, document.length, 0x4e4f534a),
    document,
    words(binary.length, 0x004e4942),
    binary,
  ]);
}

async function compressed({ positions, indices }, Extension) {
  await MeshoptEncoder.ready;
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'meshopt.encoder': MeshoptEncoder,
    'draco3d.encoder': await draco.createEncoderModule(),
  });
  const document = new Document();
  const buffer = document.createBuffer();
  document.createExtension(Extension).setRequired(true);
  const accessor = (array, type) => document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor(new Float32Array(positions), 'VEC3'))
    .setIndices(accessor(Uint16Array.from(indices), 'SCALAR'));
  const node = document.createNode('packed').setMesh(document.createMesh('box').addPrimitive(primitive));
  document.createScene('all').addChild(node);
  return io.writeBinary(document);
}
