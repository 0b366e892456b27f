/**
 * A body in a lattice as a skin of four joints per vertex.
 *
 * The body interpolates between the eight corners of a cell; skins have four weights in most viewers. So each cell is
 * cut into the six tetrahedra around its diagonal, and a vertex follows the corners of its own: exact wherever a cell
 * is moved, turned, stretched or sheared as a whole, off by its twist otherwise.
 */
import { embed } from '../bodies/matched-shape.js';
import type { ShapeMatchingBody } from '../bodies/shape-matching.js';
import type { LatticeShape } from './glb-recording.js';

/** Precondition: every vertex follows the eight corners of an axis-aligned box of the rest state. */
export function latticeSkin({ name, indices, shape }: ShapeMatchingBody): LatticeShape {
  const rest = Float32Array.from(shape.rest);
  const { start, nodes, vertexCount } = shape.embedding;
  const surface = new Float64Array(3 * vertexCount);
  embed(shape.embedding, shape.rest, surface);
  const positions = Float32Array.from(surface);
  const joints = new Uint16Array(4 * vertexCount);
  const weights = new Float32Array(4 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const corners = cornersByBits(nodes.subarray(start[v], start[v + 1]), shape.rest);
    const at = (bits: number, axis: number) => shape.rest[3 * corners[bits] + axis];
    const place = [0, 1, 2].map((k) => (positions[3 * v + k] - at(0, k)) / (at(7, k) - at(0, k)));
    // from the lowest corner along the axis of the largest coordinate, then the next, to the highest
    const axes = [0, 1, 2].sort((a, b) => place[b] - place[a]);
    let bits = 0;
    let above = 1;
    for (let k = 0; k < 4; k++) {
      const below = k < 3 ? place[axes[k]] : 0;
      joints[4 * v + k] = corners[bits];
      weights[4 * v + k] = above - below;
      above = below;
      if (k < 3) bits |= 1 << axes[k];
    }
  }
  return { name, positions, indices, joints, weights, rest };
}

/** The corners of a box: bit k of an index is set for upper corners along axis k. */
function cornersByBits(corners: Uint32Array, rest: Float64Array): number[] {
  const middle = [0, 1, 2].map((k) => {
    const along = Array.from(corners, (node) => rest[3 * node + k]);
    return (Math.min(...along) + Math.max(...along)) / 2;
  });
  const byBits: number[] = [];
  for (const node of corners) {
    const bits = [0, 1, 2].reduce((sum, k) => sum | (rest[3 * node + k] > middle[k] ? 1 << k : 0), 0);
    byBits[bits] = node;
  }
  return byBits;
}
