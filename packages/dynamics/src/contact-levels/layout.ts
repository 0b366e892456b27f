/**
 * The layout of contact levels. Memory, file and message are the same bytes.
 *
 * Layout: 32 header words, then the arrays of `ARRAYS` in that order, each from a multiple of 16 bytes on. Nodes are
 * numbered from the finest level to the root; within a level in the order of their parents, so that the children of
 * node n are childStart[n] … childStart[n + 1] − 1. An array named `…Start` has one number more than the items it
 * divides. Coordinates are float32 relative to the float64 origin of the mesh.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';

export const MAGIC = 0x43504d49; // "IMPC"
export const VERSION = 2;
export const HEADER_WORDS = 32;
export const NO_NODE = 0xffffffff;
export const KINDS = ['hulls', 'boxes'] as const;

/** Word positions in the header. */
export const Header = {
  magic: 0,
  version: 1,
  byteLength: 2,
  checksum: 3,
  kind: 4,
  levelCount: 5,
  usableLevels: 6,
  nodeCount: 7,
  hullVertexCount: 8,
  neighbourCount: 9,
  faceCount: 10,
  surfaceVertexCount: 11,
  triangleCount: 12,
  originalCount: 13,
  finestCount: 14, // nodes of level 0
  usableNodeCount: 15, // nodes of the usable levels
  origin: 16, // three float64
  positionsChecksum: 22, // of the mesh
  indicesChecksum: 23,
} as const;

const COUNTS = [
  ...(['levelCount', 'usableLevels', 'nodeCount', 'hullVertexCount', 'neighbourCount', 'faceCount'] as const),
  ...(['surfaceVertexCount', 'triangleCount', 'originalCount', 'finestCount', 'usableNodeCount'] as const),
];
export type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

type Length = (counts: Counts) => number;

/** Every array: its type, and its length. */
export const ARRAYS = {
  /** First node of each level. */
  levelStart: ['u32', (c) => c.levelCount + 1],
  parent: ['u32', (c) => c.nodeCount],
  childStart: ['u32', (c) => c.nodeCount + 1],
  h: ['f32', (c) => c.nodeCount],
  s: ['f32', (c) => c.nodeCount],
  r: ['f32', (c) => c.nodeCount],
  /** Vertices of each node's hull, and their coordinates and support areas. */
  hullStart: ['u32', (c) => c.nodeCount + 1],
  hullVertices: ['f32', (c) => 3 * c.hullVertexCount],
  supportAreas: ['f32', (c) => c.hullVertexCount],
  /** Vertices beside each vertex of a hull, counted from the hull's first. */
  neighbourStart: ['u32', (c) => c.hullVertexCount + 1],
  neighbours: ['u32', (c) => c.neighbourCount],
  /** Three vertices of the hull per face, counted from its first. */
  faceStart: ['u32', (c) => c.nodeCount + 1],
  faces: ['u32', (c) => 3 * c.faceCount],
  /** Vertices of each usable level's surface. */
  surfaceStart: ['u32', (c) => c.usableLevels + 1],
  surfaceVertices: ['f32', (c) => 3 * c.surfaceVertexCount],
  /** Triangles of each usable node's convex patch: three vertices of the level's surface, counted from its first. */
  triangleStart: ['u32', (c) => c.usableNodeCount + 1],
  triangles: ['u32', (c) => 3 * c.triangleCount],
  /** Triangles of the mesh below each node of level 0. */
  originalStart: ['u32', (c) => c.finestCount + 1],
  originals: ['u32', (c) => c.originalCount],
} as const satisfies Record<string, readonly ['u32' | 'f32', Length]>;

export type ArrayName = keyof typeof ARRAYS;
export type ArrayOf<Name extends ArrayName> = (typeof ARRAYS)[Name][0] extends 'f32'
  ? Float32Array
  : Uint32Array;

/** The arrays, read-only. */
export interface LaidOut {
  readonly levelCount: number;
  readonly usableLevels: number;
  readonly nodeCount: number;
  array<Name extends ArrayName>(name: Name): ArrayOf<Name>;
}

export interface Places {
  readonly byteOffsets: Readonly<Record<ArrayName, number>>;
  readonly byteLength: number;
}

/** Where each array begins, and the bytes of it all; counts up to 2³² cannot make a sum that is not exact. */
export function placesOf(counts: Counts): Places {
  const byteOffsets = {} as Record<ArrayName, number>;
  let at = 4 * HEADER_WORDS;
  for (const [name, [, length]] of Object.entries(ARRAYS) as [ArrayName, readonly [string, Length]][]) {
    byteOffsets[name] = at;
    at = 16 * Math.ceil((at + 4 * length(counts)) / 16);
  }
  return { byteOffsets, byteLength: at };
}

/** The counts in a header. */
export function countsOf(header: Uint32Array): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, header[Header[name]]])) as Counts;
}

export function badLevels(why: string): ImpingeError {
  return new ImpingeError('bad-buffer', `contact levels: ${why}`);
}
