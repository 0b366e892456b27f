import { expect, test } from 'vitest';
import { readHeader } from '../src/formats/ifc/step-header.js';
import type { SourceFile } from '../src/formats/source-file.js';

function headerOf(lines: string) {
  const bytes = Buffer.from(`ISO-10303-21;\nHEADER;\n${lines}\nENDSEC;\n`, 'latin1');
  const file = {
    path: 'house.ifc',
    byteLength: bytes.length,
    read: (into: Uint8Array, at: number) => into.set(bytes.subarray(at, at + into.length)),
  };
  return readHeader(file as unknown as SourceFile);
}

const SCHEMA = "FILE_SCHEMA(('ifc2x3'));";

test.each([
  ["FILE_NAME('a','2011-09-07T12:40:02',('')", '2011-09-07T12:40:02.000Z'],
  ["FILE_NAME ( 'it''s, \\X\\E9' ,\n '2026-02-28T23:59:59.25+02:00',('')", '2026-02-28T21:59:59.000Z'],
  ["FILE_NAME('a','2015-04-01 08:15',('')", '2015-04-01T08:15:00.000Z'],
  ["FILE_NAME('a','2015-04-01',('')", '2015-04-01T00:00:00.000Z'],
  ["FILE_NAME('a','2015-13-01T00:00:00',('')", undefined],
  ["FILE_NAME('a','01.04.2015',('')", undefined],
  ["FILE_NAME('a','',('')", undefined],
  ['', undefined],
])('a header with %s was written at %s', (name, written) => {
  expect(headerOf(`${name},(''),'','','');\n${SCHEMA}`)).toEqual({ schema: 'IFC2X3', written });
});

test('a header needs a schema, of IFC', () => {
  expect(() => headerOf('')).toThrow('house.ifc: its header names no schema');
  expect(() => headerOf("FILE_SCHEMA(('AP214'));")).toThrow('a STEP file of schema "AP214", not IFC');
});
