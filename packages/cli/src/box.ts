/** Axis-aligned boxes: minimum x, y, z, maximum x, y, z. */
import type { ShapeArrays } from '@impinge/model';
import { BROAD_PHASES } from 'impinge';
import { type Matrix, transformedAxis } from './matrix.js';

export type Box = Float64Array;

export function emptyBox(): Box {
  return Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
}

export function growBox(box: Box, by: Box): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.min(box[axis], by[axis]);
    box[3 + axis] = Math.max(box[3 + axis], by[3 + axis]);
  }
}

/** The box of every vertex. */
export function boxOfVertices({ positions }: ShapeArrays): Box {
  const box = emptyBox();
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    const x = positions[i];
    if (x < box[axis]) box[axis] = x;
    if (x > box[3 + axis]) box[3 + axis] = x;
  }
  return box;
}

/** The vertices that triangles use, each once. */
export function usedVertices({ positions, indices }: ShapeArrays): Uint32Array {
  const isUsed = new Uint8Array(positions.length / 3);
  const used = new Uint32Array(Math.min(indices.length, isUsed.length));
  let count = 0;
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (isUsed[v] === 0) used[count++] = v;
    isUsed[v] = 1;
  }
  return used.subarray(0, count);
}

/** The exact box of these vertices in world coordinates. */
export function worldBox({ positions }: ShapeArrays, vertices: Uint32Array, matrix: Matrix | undefined): Box {
  const box = emptyBox();
  for (let i = 0; i < vertices.length; i++) {
    const at = 3 * vertices[i];
    for (let axis = 0; axis < 3; axis++) {
      const value = matrix
        ? transformedAxis(matrix, axis, positions[at], positions[at + 1], positions[at + 2])
        : positions[at + axis];
      if (value < box[axis]) box[axis] = value;
      if (value > box[3 + axis]) box[3 + axis] = value;
    }
  }
  return box;
}

/**
 * A box that certainly contains the contents of `box` after `matrix`; larger than necessary after a rotation. The
 * margin covers the rounding of coordinates to float32 and of the transformation.
 */
export function transformedBox(box: Box, matrix: Matrix | undefined): Box {
  const out = emptyBox();
  let largest = 0;
  for (let corner = 0; corner < 8; corner++) {
    const x = box[corner & 1 ? 3 : 0];
    const y = box[corner & 2 ? 4 : 1];
    const z = box[corner & 4 ? 5 : 2];
    largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z));
    for (let axis = 0; axis < 3; axis++) {
      const value = matrix ? transformedAxis(matrix, axis, x, y, z) : [x, y, z][axis];
      largest = Math.max(largest, Math.abs(value));
      out[axis] = Math.min(out[axis], value);
      out[3 + axis] = Math.max(out[3 + axis], value);
    }
  }
  const margin = largest * 2 ** -21;
  for (let axis = 0; axis < 3; axis++) {
    out[axis] -= margin;
    out[3 + axis] += margin;
  }
  return out;
}

/** The least distance between points of two boxes. */
export function distanceBoxBox(a: Box, b: Box): number {
  const gap = (axis: number) => Math.max(0, a[axis] - b[3 + axis], b[axis] - a[3 + axis]);
  return Math.hypot(gap(0), gap(1), gap(2));
}

/** The greatest distance between points of two boxes. */
export function greatestDistanceBoxBox(a: Box, b: Box): number {
  const reach = (axis: number) => Math.max(a[3 + axis] - b[axis], b[3 + axis] - a[axis]);
  return Math.hypot(reach(0), reach(1), reach(2));
}

/**
 * Pairs (index in a, index in b) of boxes that come within `margin` of each other along every axis, sorted by a,
 * then b.
 */
export function closePairs(a: readonly Box[], b: readonly Box[], margin: number): [number, number][] {
  const boxes = new Float64Array(6 * (a.length + b.length));
  for (const [i, box] of [...a, ...b].entries()) boxes.set(box, 6 * i);
  const near = BROAD_PHASES['box-sweep'].pairs(boxes, margin);
  const pairs: [number, number][] = [];
  for (let i = 0; i < near.length; i += 2) {
    if (near[i] < a.length && near[i + 1] >= a.length) pairs.push([near[i], near[i + 1] - a.length]);
  }
  return pairs;
}
