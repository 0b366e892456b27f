/** Cutting a surface in two along a plane, triangle by triangle: each goes to the side of its middle, uncut. */
import type { SceneMesh } from '../deform/scene-mesh.js';

type Shape = Pick<SceneMesh, 'positions' | 'indices'>;

/**
 * The triangles below and above the plane n · x = d, each with the vertices it uses; undefined if one side is empty.
 */
export function split(
  { positions: p, indices }: Shape,
  normal: readonly number[],
  d: number,
): [Shape, Shape] | undefined {
  const sides = new Uint8Array(indices.length / 3);
  let above = 0;
  for (let t = 0; t < sides.length; t++) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * t + k];
      sum += normal[0] * p[v] + normal[1] * p[v + 1] + normal[2] * p[v + 2];
    }
    if (sum > 3 * d) {
      sides[t] = 1;
      above++;
    }
  }
  if (above === 0 || above === sides.length) return undefined;
  return [part({ positions: p, indices }, sides, 0), part({ positions: p, indices }, sides, 1)];
}

function part({ positions, indices }: Shape, sides: Uint8Array, side: number): Shape {
  const numbers = new Int32Array(positions.length / 3).fill(-1);
  const kept = new Uint32Array(indices.length);
  const used = new Float32Array(positions.length);
  let vertices = 0;
  let corners = 0;
  for (let t = 0; t < sides.length; t++) {
    if (sides[t] !== side) continue;
    for (let k = 0; k < 3; k++) {
      const v = indices[3 * t + k];
      if (numbers[v] < 0) {
        numbers[v] = vertices;
        for (let axis = 0; axis < 3; axis++) used[3 * vertices + axis] = positions[3 * v + axis];
        vertices++;
      }
      kept[corners++] = numbers[v];
    }
  }
  return { positions: used.slice(0, 3 * vertices), indices: kept.slice(0, corners) };
}
