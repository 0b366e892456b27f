/** Opening a file of any format: by its first bytes, then by its name. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../src/formats/format-error.js';
import { openSource } from '../src/formats/formats.js';
import { asciiPly, asciiStl, binaryStl, Files, glb, gltfParts, obj } from './files.js';
import { threeMf } from './model-files.js';

const files = new Files();
const OPTIONS = { memoryBytes: 64e6 };
const { json, binary } = gltfParts();

describe('by content and name', () => {
  test.each<[name: string, content: string | Uint8Array, format: RegExp]>([
    ['a.glb', glb(json, binary), /^glTF, binary/],
    ['a.dat', glb(json, binary), /^glTF, binary/],
    ['a.ply', asciiPly(), /^PLY/],
    ['a.txt', asciiPly(), /^PLY/],
    ['a.stl', binaryStl(), /^STL/],
    ['b.stl', asciiStl(), /^STL/],
    ['b', asciiStl(), /^STL/],
    ['a.obj', obj(), /^OBJ/],
    ['a.OBJ', obj(), /^OBJ/],
    ['a.obj.gz', gzipSync(obj()), /^OBJ/],
    ['b.gz', gzipSync(asciiPly()), /^PLY/],
    ['c.stl', gzipSync(binaryStl()), /^STL/],
    ['a.3mf', threeMf(), /^3MF/],
    ['a.zip', threeMf(), /^3MF/],
  ])('%s', async (name, content, format) => {
    const source = await openSource(files.write(name, content), OPTIONS);
    try {
      expect(source.format).toMatch(format);
      expect(source.byteLength).toBe(Buffer.from(content as string).length);
      let objects = 0;
      for await (const shape of source.shapes()) objects += [...shape.objects].length;
      expect(objects).toBe(1);
    } finally {
      await source.close();
    }
  });
});

describe('refused', () => {
  test.each<[name: string, content: string | Uint8Array, message: RegExp]>([
    ['empty.stl', '', /is empty/],
    ['a.dwg', 'hello', /unknown format; IFC, .*, glTF, .* are supported/],
    ['constructor', 'hello', /unknown format/],
    ['a.ifc', 'hello', /not an IFC file/],
    ['a.3mf', 'hello', /not a whole zip archive/],
    ['a.glb', 'hello', /not a glTF file/],
    ['cut.ifc', 'ISO-10303-21;', /names no schema/],
    ['a.ifc.gz', gzipSync('ISO-10303-21;'), /names no schema/],
    ['a.ifczip', zipSync({ 'a.txt': strToU8('hello') }), /holds no IFC file/],
    ['two.ifczip', zipSync({ 'a.ifc': new Uint8Array(1), 'b.ifc': new Uint8Array(1) }), /holds 2 IFC files/],
    [
      'x.ifczip',
      zipSync({ 'a.ifcxml': strToU8('<ifcXML/>') }),
      /is ifcXML, which is not supported; export it as .ifc/,
    ],
    ['a.ifcxml', '<?xml version="1.0"?>\n<ifcXML/>', /is ifcXML, which is not supported; export it as .ifc/],
    ['a.xml', '<ex:iso_10303_28 xmlns:ex="urn:x"/>', /is ifcXML/],
  ])('%s', async (name, content, message) => {
    const opened = openSource(files.write(name, content), OPTIONS);
    await expect(opened).rejects.toThrow(FormatError);
    await expect(opened).rejects.toThrow(message);
  });

  test('what is no file', async () => {
    mkdirSync(join(files.folder, 'folder.stl'));
    await expect(openSource(join(files.folder, 'folder.stl'), OPTIONS)).rejects.toThrow(
      /folder.stl: is a folder/,
    );
    await expect(openSource(join(files.folder, 'none.stl'), OPTIONS)).rejects.toThrow(
      /none.stl: no such file/,
    );
  });

  test('an aborted signal', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(openSource(files.write('a.stl', binaryStl()), { ...OPTIONS, signal })).rejects.toBe(reason);
  });
});
