/** The parts of a product, as web-ifc hands them out, as shapes: equal corners joined, normals dropped. */
import type { ShapeArrays } from '@impinge/model';
import { bakedShape } from '../baked-shape.js';
import { poseFromYUp } from '../source-object.js';
import { VertexWelder } from '../weld.js';
import type { IfcPart } from './engine.js';

/** Where the part has it; `fail` makes the error. */
export function weldedPart({ vertices, indices }: IfcPart, fail: (why: string) => Error): ShapeArrays {
  const count = vertices.length / 6;
  const welder = new VertexWelder(new Float32Array(0));
  const numbers = new Uint32Array(count);
  for (let v = 0; v < count; v++) {
    const x = vertices[6 * v];
    const y = vertices[6 * v + 1];
    const z = vertices[6 * v + 2];
    if (!Number.isFinite(x + y + z)) throw fail('a coordinate is not finite');
    numbers[v] = welder.add(x, y, z);
  }
  const out = new Uint32Array(indices.length);
  for (let i = 0; i < out.length; i++) {
    if (indices[i] >= count) throw fail('a triangle has no such vertex');
    out[i] = numbers[indices[i]];
  }
  return { positions: welder.positions(), indices: out };
}

/** All of them in the world, Z up. Triangles in mirrored places are turned over already. */
export function bakedParts(parts: readonly IfcPart[], fail: (why: string) => Error): ShapeArrays {
  const placed = parts.map((part) => ({ shape: weldedPart(part, fail), place: poseFromYUp(part.matrix) }));
  const shape = bakedShape(placed);
  if (shape === undefined) throw fail('its placement is not finite');
  return shape;
}
