/**
 * Whether bytes from outside are contact levels: counts against the length, positions against counts, numbers finite.
 */
import { checksumOf } from 'impinge/internal/base/checksum.js';
import {
  badLevels,
  countsOf,
  HEADER_WORDS,
  Header,
  KINDS,
  type LaidOut,
  MAGIC,
  NO_NODE,
  placesOf,
  VERSION,
} from './layout.js';

/** Checks everything possible before anything is copied. */
export function assertHeader(bytes: Uint8Array): void {
  if (bytes.byteLength < 4 * HEADER_WORDS) throw badLevels(`only ${bytes.byteLength} bytes, cut off`);
  const header = new Uint32Array(bytes.slice(0, 4 * HEADER_WORDS).buffer);
  if (header[Header.magic] !== MAGIC) throw badLevels('the bytes do not begin with the expected signature');
  if (header[Header.version] !== VERSION) {
    throw badLevels(`version ${header[Header.version]}, this library reads version ${VERSION}`);
  }
  const counts = countsOf(header);
  if (header[Header.byteLength] !== bytes.byteLength || placesOf(counts).byteLength !== bytes.byteLength) {
    throw badLevels(`${bytes.byteLength} bytes do not match the header: cut off or altered`);
  }
  if (header[Header.checksum] !== checksumOf(bytes, Header.checksum)) {
    throw badLevels('the checksum does not match, they were altered');
  }
  const { levelCount, usableLevels, nodeCount, finestCount, usableNodeCount } = counts;
  if (
    header[Header.kind] >= KINDS.length ||
    nodeCount === 0 ||
    usableLevels === 0 ||
    usableLevels > levelCount ||
    finestCount > usableNodeCount ||
    usableNodeCount > nodeCount
  ) {
    throw badLevels('the header contradicts itself');
  }
  const origin = new Float64Array(header.buffer, 4 * Header.origin, 3);
  if (!origin.every(Number.isFinite)) throw badLevels('the origin is not finite');
}

/** Checks the arrays. */
export function assertSound(levels: LaidOut): void {
  assertTree(levels);
  assertStarts(levels.array('hullStart'), levels.array('supportAreas').length, 'hullStart', 1);
  assertStarts(levels.array('neighbourStart'), levels.array('neighbours').length, 'neighbourStart', 0);
  assertStarts(levels.array('faceStart'), levels.array('faces').length / 3, 'faceStart', 0);
  assertStarts(levels.array('surfaceStart'), levels.array('surfaceVertices').length / 3, 'surfaceStart', 0);
  assertStarts(levels.array('triangleStart'), levels.array('triangles').length / 3, 'triangleStart', 0);
  assertStarts(levels.array('originalStart'), levels.array('originals').length, 'originalStart', 1);
  assertHulls(levels);
  assertSurfaces(levels);
  for (const name of ['hullVertices', 'surfaceVertices'] as const) {
    if (!levels.array(name).every(Number.isFinite))
      throw badLevels(`${name} has a number that is not finite`);
  }
  for (const name of ['h', 's'] as const) {
    if (!levels.array(name).every((value) => value >= 0 && value < Infinity)) {
      throw badLevels(`${name} is out of range`);
    }
  }
  // squares of coordinates may be too great for float32
  if (!levels.array('supportAreas').every((value) => value >= 0))
    throw badLevels('supportAreas is out of range');
  if (!levels.array('r').every((value) => value > 0)) throw badLevels('r is out of range');
}

/** Rises from 0 to `count`, by at least `least` each. */
function assertStarts(starts: Uint32Array, count: number, name: string, least: number): void {
  let rises = starts[0] === 0 && starts[starts.length - 1] === count;
  for (let i = 1; i < starts.length && rises; i++) rises = starts[i] >= starts[i - 1] + least;
  if (!rises) throw badLevels(`${name} is out of order`);
}

/** Every node is in a level, has a parent in the next one, and its children are the nodes with it as parent. */
function assertTree(levels: LaidOut): void {
  const { levelCount, nodeCount, usableLevels } = levels;
  const levelStart = levels.array('levelStart');
  const parent = levels.array('parent');
  const childStart = levels.array('childStart');
  assertStarts(levelStart, nodeCount, 'levelStart', 1);
  if (
    levelStart[1] !== levels.array('originalStart').length - 1 ||
    levelStart[usableLevels] !== levels.array('triangleStart').length - 1 ||
    levelStart[levelCount] - levelStart[levelCount - 1] !== 1
  ) {
    throw badLevels('the levels contradict the header');
  }
  for (let level = 0; level < levelCount; level++) {
    const [start, end] = [levelStart[level], levelStart[level + 1]];
    const first = level === 0 ? 0 : levelStart[level - 1];
    const last = level === 0 ? 0 : start;
    if (childStart[start] !== first || childStart[end] !== last)
      throw badLevels(`children of level ${level} are wrong`);
    for (let n = start; n < end; n++) {
      const least = level === 0 ? 0 : 1;
      if (childStart[n + 1] < childStart[n] + least || childStart[n + 1] > last) {
        throw badLevels(`the children of node ${n} are wrong`);
      }
      for (let child = childStart[n]; child < childStart[n + 1]; child++) {
        if (parent[child] !== n) throw badLevels(`the parent of node ${child} is wrong`);
      }
    }
  }
  if (parent[nodeCount - 1] !== NO_NODE) throw badLevels('the root has a parent');
}

function assertHulls(levels: LaidOut): void {
  const hullStart = levels.array('hullStart');
  const faceStart = levels.array('faceStart');
  const neighbourStart = levels.array('neighbourStart');
  const faces = levels.array('faces');
  const neighbours = levels.array('neighbours');
  for (let n = 0; n < levels.nodeCount; n++) {
    const count = hullStart[n + 1] - hullStart[n];
    for (let i = 3 * faceStart[n]; i < 3 * faceStart[n + 1]; i++) {
      if (faces[i] >= count) throw badLevels(`a face of node ${n} has a vertex that does not exist`);
    }
    for (let i = neighbourStart[hullStart[n]]; i < neighbourStart[hullStart[n + 1]]; i++) {
      if (neighbours[i] >= count)
        throw badLevels(`a vertex of node ${n} has a neighbour that does not exist`);
    }
  }
}

/** Triangles refer to vertices of their level. Callers that have a mesh check originals against it. */
function assertSurfaces(levels: LaidOut): void {
  const levelStart = levels.array('levelStart');
  const surfaceStart = levels.array('surfaceStart');
  const triangleStart = levels.array('triangleStart');
  const triangles = levels.array('triangles');
  for (let level = 0; level < levels.usableLevels; level++) {
    const count = surfaceStart[level + 1] - surfaceStart[level];
    const end = 3 * triangleStart[levelStart[level + 1]];
    for (let i = 3 * triangleStart[levelStart[level]]; i < end; i++) {
      if (triangles[i] >= count)
        throw badLevels(`a triangle of level ${level} has a vertex that does not exist`);
    }
  }
}
