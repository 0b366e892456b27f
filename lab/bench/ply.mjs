/**
 * Just enough PLY for the benchmark models: ASCII or binary (either byte order), optionally gzipped, vertices
 * with scalar properties, faces that are triangles. The command's readers are the ones that take any file.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const READERS = {
  char: [1, 'getInt8'],
  uchar: [1, 'getUint8'],
  int8: [1, 'getInt8'],
  uint8: [1, 'getUint8'],
  short: [2, 'getInt16'],
  ushort: [2, 'getUint16'],
  int: [4, 'getInt32'],
  uint: [4, 'getUint32'],
  int32: [4, 'getInt32'],
  uint32: [4, 'getUint32'],
  float: [4, 'getFloat32'],
  float32: [4, 'getFloat32'],
  double: [8, 'getFloat64'],
  float64: [8, 'getFloat64'],
};

/**
 * @param {string | URL} path
 * @returns {{ positions: Float64Array, indices: Uint32Array }}
 */
export function readPly(path) {
  let bytes = readFileSync(path);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes);
  const bodyStart = bytes.indexOf('\n', bytes.indexOf('end_header')) + 1;
  const header = parseHeader(bytes.toString('latin1', 0, bodyStart));
  const next =
    header.format === 'ascii'
      ? asciiNumbers(bytes, bodyStart)
      : binaryNumbers(bytes, bodyStart, header.format === 'binary_little_endian');
  const positions = new Float64Array(3 * header.elements.find((e) => e.name === 'vertex').count);
  const indices = [];
  for (const element of header.elements) {
    for (let i = 0; i < element.count; i++) {
      for (const property of element.properties) {
        if (property.countType) {
          const corners = Array.from({ length: next(property.countType) }, () => next(property.type));
          if (corners.length !== 3) throw new Error(`${path}: face ${i} has ${corners.length} corners`);
          indices.push(...corners);
        } else {
          const value = next(property.type);
          const axis = 'xyz'.indexOf(property.name);
          if (element.name === 'vertex' && axis >= 0) positions[3 * i + axis] = value;
        }
      }
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

function parseHeader(text) {
  const elements = [];
  let format = '';
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'format') format = words[1];
    if (words[0] === 'element') elements.push({ name: words[1], count: Number(words[2]), properties: [] });
    if (words[0] === 'property') {
      const isList = words[1] === 'list';
      elements
        .at(-1)
        .properties.push(
          isList
            ? { countType: words[2], type: words[3], name: words[4] }
            : { type: words[1], name: words[2] },
        );
    }
  }
  return { format, elements };
}

/** Reads one number after another; a `float` in a text file is rounded to float32, as in a binary one. */
function asciiNumbers(bytes, start) {
  let at = start;
  return (type) => {
    while (bytes[at] <= 32) at++;
    const from = at;
    while (bytes[at] > 32) at++;
    const value = Number(bytes.latin1Slice(from, at));
    return type === 'float' || type === 'float32' ? Math.fround(value) : value;
  };
}

function binaryNumbers(bytes, start, littleEndian) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  return (type) => {
    const [size, method] = READERS[type];
    const value = view[method](at, littleEndian);
    at += size;
    return value;
  };
}
