/** STL, binary and text. Corners at equal positions become one vertex; every solid of a text file is a mesh. */
import { firstAtPlace } from '../mesh/places.js';
import { type FileBytes, type FileMesh, GrowingNumbers, quoted, unmoved } from './mesh-file.js';
import { Words } from './words.js';

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;
/** A text file shows its first facet within this many bytes. */
const SNIFF_BYTES = 4096;

export function readStl(file: FileBytes): FileMesh[] {
  return isBinary(file) ? [readBinary(file)] : readText(file);
}

/** A file whose size is what its count asks for is binary, whatever it begins with. */
function isBinary({ bytes, view }: FileBytes): boolean {
  if (bytes.length >= HEADER_BYTES) {
    if (bytes.length === HEADER_BYTES + TRIANGLE_BYTES * view.getUint32(80, true)) return true;
  }
  const text = String.fromCharCode(...bytes.subarray(0, SNIFF_BYTES));
  return text.includes('\0') || !/^\s*solid\b[^\n]*(\n\s*(facet\b|endsolid\b|$)|$)/i.test(text);
}

function readBinary(file: FileBytes): FileMesh {
  const { bytes, view } = file;
  if (bytes.length < HEADER_BYTES) {
    throw file.fail('not an STL file: neither "solid" nor a header of 84 bytes');
  }
  const count = view.getUint32(80, true);
  if (count === 0) throw file.fail('no triangles');
  const held = Math.floor((bytes.length - HEADER_BYTES) / TRIANGLE_BYTES);
  if (held < count) {
    throw file.fail(`cut off: the header declares ${count} triangles, the file holds ${held}`);
  }
  const corners = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const from = HEADER_BYTES + TRIANGLE_BYTES * t + 12;
    for (let i = 0; i < 9; i++) {
      const x = view.getFloat32(from + 4 * i, true);
      if (!Number.isFinite(x)) throw file.fail(`triangle ${t} has a coordinate that is not finite`);
      corners[9 * t + i] = x;
    }
  }
  return welded(file.stem, corners);
}

/** What must follow what; a facet is one loop of three vertices. */
function readText(file: FileBytes): FileMesh[] {
  const words = new Words(file);
  const meshes: FileMesh[] = [];
  for (let word = words.next(); word !== ''; word = words.next()) {
    expected(words, word, 'solid');
    const name = words.rest();
    const corners = new GrowingNumbers(new Float64Array(0));
    for (word = words.next(); word.toLowerCase() === 'facet'; word = words.next()) readFacet(words, corners);
    if (word === '') throw file.fail('cut off: there is no "endsolid"');
    expected(words, word, 'endsolid');
    words.rest();
    if (corners.length > 0) meshes.push(welded(name || file.stem, corners.numbers()));
  }
  if (meshes.length === 0) throw file.fail('no triangles');
  return meshes;
}

function readFacet(words: Words, corners: GrowingNumbers<Float64Array>): void {
  // the normal is often wrong, and never needed
  for (let i = 0; i < 4; i++) words.next();
  expected(words, words.next(), 'outer');
  expected(words, words.next(), 'loop');
  for (let corner = 0; corner < 3; corner++) {
    expected(words, words.next(), 'vertex');
    const x = words.number('a coordinate');
    const y = words.number('a coordinate');
    corners.push3(x, y, words.number('a coordinate'));
  }
  expected(words, words.next(), 'endloop');
  expected(words, words.next(), 'endfacet');
}

function expected(words: Words, word: string, wanted: string): void {
  if (word.toLowerCase() === wanted) return;
  throw words.fail(word === '' ? `cut off before "${wanted}"` : `${quoted(word)} instead of "${wanted}"`);
}

/** One vertex for each place, in order of first use. */
function welded(name: string, corners: Float32Array | Float64Array): FileMesh {
  const indices = firstAtPlace(corners, 0);
  const positions = corners.slice();
  let count = 0;
  for (let v = 0; v < indices.length; v++) {
    if (indices[v] < v) indices[v] = indices[indices[v]];
    else {
      // what stands for itself was not renumbered before; adding zero makes one zero of two
      for (let k = 0; k < 3; k++) positions[3 * count + k] = corners[3 * v + k] + 0;
      indices[v] = count++;
    }
  }
  return { name, positions: positions.slice(0, 3 * count), indices, poses: unmoved(), materials: [] };
}
