/**
 * PLY: ASCII, binary little and big endian; any elements with any properties in any order. Faces are polygons
 * (fanned) and triangle strips; everything but vertices, faces and strips is passed over.
 */
import type { ByteWindow } from './byte-window.js';
import { type Model, singleObject } from './model.js';
import { PlyBuilder } from './ply-builder.js';
import { type PlyHeader, readPlyHeader } from './ply-header.js';
import { plyRows } from './ply-rows.js';

const ENCODINGS = {
  ascii: 'ASCII',
  binary_little_endian: 'binary little endian',
  binary_big_endian: 'binary big endian',
} as const;

export async function readPly(window: ByteWindow, name: string): Promise<Model> {
  const header = await readPlyHeader(window);
  const builder = new PlyBuilder(window, header);
  const rows = plyRows(window, header, builder, header.lines + 1);
  for (const element of header.elements) {
    if (element.properties.length === 0) continue;
    // the builder keeps everything: nothing to do between two windows
    for await (const _ of rows.read(element));
  }
  return singleObject(plyFormat(header), name, builder.geometry());
}

export function plyFormat({ encoding }: PlyHeader): string {
  return `PLY, ${ENCODINGS[encoding]}`;
}
