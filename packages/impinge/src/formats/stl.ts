/** STL, binary and text. Corners at equal positions become one vertex; every solid of a text file is a mesh. */
import { firstEqual } from '../mesh/places.js';
import { Triples } from './growing.js';
import { type FileBytes, type FileMesh, quoted, unmoved } from './mesh-file.js';
import { Words } from './words.js';

export const STL_HEADER_BYTES = 84;
export const STL_TRIANGLE_BYTES = 50;
/** A text file shows its first facet within this many bytes. */
export const STL_SNIFF_BYTES = 4096;

export function readStl(file: FileBytes): FileMesh[] {
  return isBinaryStl(file.bytes, file.bytes.length) ? [readBinary(file)] : readText(file);
}

/**
 * By the first bytes of a file. Binary ones may begin with "solid" like text: a file whose size is what its count asks
 * for is binary; otherwise it is text if "solid" and its line are followed by "facet" or "endsolid".
 */
export function isBinaryStl(head: Uint8Array, byteLength: number): boolean {
  if (head.length >= STL_HEADER_BYTES) {
    const count = new DataView(head.buffer, head.byteOffset).getUint32(80, true);
    if (byteLength === STL_HEADER_BYTES + STL_TRIANGLE_BYTES * count) return true;
  }
  const text = String.fromCharCode(...head.subarray(0, STL_SNIFF_BYTES));
  return text.includes('\0') || !/^\s*solid\b[^\n]*(\n\s*(facet\b|endsolid\b|$)|$)/i.test(text);
}

/** The count of triangles that a binary file declares and holds; `at` is where it begins in `view`. */
export function binaryStlCount(
  view: DataView,
  at: number,
  byteLength: number,
  failure: (why: string) => Error,
): number {
  if (byteLength < STL_HEADER_BYTES) {
    throw failure('not an STL file: neither "solid" nor a header of 84 bytes');
  }
  const count = view.getUint32(at + 80, true);
  if (count === 0) throw failure('no triangles');
  const held = Math.floor((byteLength - STL_HEADER_BYTES) / STL_TRIANGLE_BYTES);
  if (held < count) throw failure(`cut off: the header declares ${count} triangles, the file holds ${held}`);
  return count;
}

/** Fills `corners`, nine numbers per triangle, from byte `at` on; the first triangle that is not finite, or −1. */
export function copyStlCorners(view: DataView, at: number, corners: Float32Array): number {
  let from = at + 12;
  let notFinite = 0;
  for (let o = 0; o < corners.length; o += 9, from += STL_TRIANGLE_BYTES) {
    for (let i = 0; i < 9; i++) {
      const x = view.getFloat32(from + 4 * i, true);
      corners[o + i] = x;
      // x − x is 0 for finite numbers only, and once NaN stays NaN
      notFinite += x - x;
    }
  }
  return notFinite === 0 ? -1 : Math.floor(corners.findIndex((x) => !Number.isFinite(x)) / 9);
}

function readBinary(file: FileBytes): FileMesh {
  const { bytes, view } = file;
  const count = binaryStlCount(view, 0, bytes.length, (why) => file.fail(why));
  const corners = new Float32Array(9 * count);
  const wrong = copyStlCorners(view, STL_HEADER_BYTES, corners);
  if (wrong >= 0) throw file.fail(`triangle ${wrong} has a coordinate that is not finite`);
  return welded(file.stem, corners);
}

/** What must follow what; a facet is one loop of three vertices. */
function readText(file: FileBytes): FileMesh[] {
  const words = new Words(file);
  const meshes: FileMesh[] = [];
  for (let word = words.next(); word !== ''; word = words.next()) {
    expected(words, word, 'solid');
    const name = words.rest();
    const corners = new Triples(new Float64Array(48));
    for (word = words.next(); word.toLowerCase() === 'facet'; word = words.next()) readFacet(words, corners);
    if (word === '') throw file.fail('cut off: there is no "endsolid"');
    expected(words, word, 'endsolid');
    words.rest();
    if (corners.length > 0) meshes.push(welded(name || file.stem, corners.whole()));
  }
  if (meshes.length === 0) throw file.fail('no triangles');
  return meshes;
}

function readFacet(words: Words, corners: Triples<Float64Array>): void {
  // the normal is often wrong, and never needed
  for (let i = 0; i < 4; i++) words.next();
  expected(words, words.next(), 'outer');
  expected(words, words.next(), 'loop');
  for (let corner = 0; corner < 3; corner++) {
    expected(words, words.next(), 'vertex');
    const x = words.number('a coordinate');
    const y = words.number('a coordinate');
    corners.push(x, y, words.number('a coordinate'));
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
  const indices = firstEqual(corners);
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
