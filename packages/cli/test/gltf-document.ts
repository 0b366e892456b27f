/** Documents of an independent implementation of glTF. */
import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { TETRAHEDRON } from './files.js';

/** A tetrahedron for each name: the name of a node, with a mesh of its own. */
export function tetrahedronDocument(names: readonly string[] = ['tetra']): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const position = document.createAccessor().setType('VEC3').setBuffer(buffer);
  position.setArray(Float32Array.from(TETRAHEDRON.positions));
  const indices = document.createAccessor().setType('SCALAR').setBuffer(buffer);
  indices.setArray(Uint16Array.from(TETRAHEDRON.indices));
  const scene = document.createScene();
  for (const name of names) {
    const primitive = document.createPrimitive().setAttribute('POSITION', position).setIndices(indices);
    const mesh = document.createMesh('shape').addPrimitive(primitive);
    scene.addChild(document.createNode(name).setMesh(mesh));
  }
  return document;
}

/** The same, compressed. */
export async function compressedGlb(
  by: 'meshopt' | 'draco',
  names?: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  const document = tetrahedronDocument(names);
  const io = new NodeIO().registerExtensions([EXTMeshoptCompression, KHRDracoMeshCompression]);
  if (by === 'meshopt') {
    const method = EXTMeshoptCompression.EncoderMethod.QUANTIZE;
    document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method });
    await MeshoptEncoder.ready;
    io.registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
  } else {
    const { default: draco } = (await import('draco3d' as string)) as {
      default: { createEncoderModule(): Promise<unknown> };
    };
    const method = KHRDracoMeshCompression.EncoderMethod.SEQUENTIAL;
    const options = { method, quantizationBits: { POSITION: 16 } };
    document.createExtension(KHRDracoMeshCompression).setRequired(true).setEncoderOptions(options);
    io.registerDependencies({ 'draco3d.encoder': await draco.createEncoderModule() });
  }
  return Uint8Array.from(await io.writeBinary(document));
}
