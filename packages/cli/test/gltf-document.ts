/** Documents of an independent implementation of glTF. */
import { Document } from '@gltf-transform/core';
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
