/**
 * Model files with any number of triangles: a hilly square of two triangles per cell, written row by row, so that
 * writing needs little memory.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { plyOf } from '@impinge/scenes/standins';

const SIZE = 100;
const GLB_STRIPS = 64;

/** @returns {number} cells along a side */
function sideFor(triangles) {
  return Math.ceil(Math.sqrt(triangles / 2));
}

/** Vertices of row `j` of a square of `side` cells, three numbers each. */
function vertexRow(side, j) {
  const row = new Float32Array(3 * (side + 1));
  const y = (SIZE * j) / side;
  for (let i = 0; i <= side; i++) {
    const x = (SIZE * i) / side;
    row[3 * i] = x;
    row[3 * i + 1] = y;
    row[3 * i + 2] = 3 * Math.sin(0.31 * x) * Math.cos(0.23 * y) + 0.2 * Math.sin(2.7 * x + 1.9 * y);
  }
  return row;
}

/** The six corners of each cell of row `j`. */
function cornerRow(side, j) {
  const row = new Uint32Array(6 * side);
  for (let i = 0; i < side; i++) {
    const [low, high] = [j * (side + 1) + i, (j + 1) * (side + 1) + i];
    row.set([low, low + 1, high + 1, low, high + 1, high], 6 * i);
  }
  return row;
}

function withFile(path, write) {
  const file = openSync(path, 'w');
  try {
    write((bytes) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
  } finally {
    closeSync(file);
  }
}

/** Binary STL. @returns {number} triangles written */
export function writeStl(path, triangles) {
  const side = sideFor(triangles);
  withFile(path, (write) => {
    const head = Buffer.alloc(84);
    head.writeUInt32LE(2 * side * side, 80);
    write(head);
    for (let j = 0; j < side; j++) {
      const rows = [vertexRow(side, j), vertexRow(side, j + 1)];
      const out = Buffer.alloc(100 * side);
      cornerRow(side, 0).forEach((v, i) => {
        // 50 bytes per triangle, the corners after a normal of 12
        const at = 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
        const [row, place] = v > side ? [rows[1], v - side - 1] : [rows[0], v];
        for (let k = 0; k < 3; k++) out.writeFloatLE(row[3 * place + k], at + 4 * k);
      });
      write(out);
    }
  });
  return 2 * side * side;
}

/** Binary PLY. @returns {number} triangles written */
export function writePly(path, triangles) {
  const side = sideFor(triangles);
  const triangleCount = 2 * side * side;
  const ply = plyOf({
    ...{ vertexCount: (side + 1) ** 2, triangleCount },
    *vertices() {
      for (let j = 0; j <= side; j++) yield vertexRow(side, j);
    },
    *triangles() {
      for (let j = 0; j < side; j++) yield cornerRow(side, j);
    },
  });
  withFile(path, (write) => {
    for (const chunk of ply) write(chunk);
  });
  return triangleCount;
}

/** GLB with one object per strip of the square. @returns {number} triangles written */
export function writeGlb(path, triangles) {
  const side = sideFor(triangles);
  const strips = Array.from({ length: GLB_STRIPS }, (_, s) => {
    const from = Math.floor((s * side) / GLB_STRIPS);
    return { from, rows: Math.floor(((s + 1) * side) / GLB_STRIPS) - from };
  });
  const accessors = [];
  const bufferViews = [];
  let byteLength = 0;
  const view = (bytes, accessor) => {
    bufferViews.push({ buffer: 0, byteOffset: byteLength, byteLength: bytes });
    accessors.push({ bufferView: bufferViews.length - 1, ...accessor });
    byteLength += bytes;
    return accessors.length - 1;
  };
  const meshes = strips.map(({ rows }) => {
    const vertices = (rows + 1) * (side + 1);
    const bounds = { min: [0, 0, -4], max: [SIZE, SIZE, 4] };
    const position = view(12 * vertices, { componentType: 5126, count: vertices, type: 'VEC3', ...bounds });
    const indices = view(24 * rows * side, {
      componentType: 5125,
      count: 6 * rows * side,
      type: 'SCALAR',
    });
    return { primitives: [{ attributes: { POSITION: position }, indices }] };
  });
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: meshes.map((_, i) => i) }],
    nodes: meshes.map((_, mesh) => ({ name: `strip ${mesh}`, mesh })),
    meshes,
    accessors,
    bufferViews,
    buffers: [{ byteLength }],
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  withFile(path, (write) => {
    write(Buffer.from(Uint32Array.of(0x46546c67, 2, 28 + text.length + byteLength).buffer));
    write(Buffer.from(Uint32Array.of(text.length, 0x4e4f534a).buffer));
    write(text);
    write(Buffer.from(Uint32Array.of(byteLength, 0x004e4942).buffer));
    for (const { from, rows } of strips) {
      for (let j = 0; j <= rows; j++) write(Buffer.from(vertexRow(side, from + j).buffer));
      for (let j = 0; j < rows; j++) write(Buffer.from(cornerRow(side, j).buffer));
    }
  });
  return 2 * side * side;
}
