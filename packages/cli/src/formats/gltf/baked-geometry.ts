/** Shapes with the linear part of a matrix applied that is not rigid, and which matrices can share one. */
import type { ShapeArrays, ShapeStream } from '@impinge/model';
import { determinant, isRigid, type Matrix } from '../../matrix.js';
import { FormatError } from '../format-error.js';
import { type SourceFile, shapeStream } from '../source-file.js';

/** Equal for matrices that differ by a rigid motion, save for rounding: MᵀM to some nine digits, and the handedness. */
export function metricKey(m: Matrix): string {
  const dot = (i: number, j: number) =>
    m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
  const size = dot(0, 0) + dot(1, 1) + dot(2, 2);
  const shares = [dot(0, 0), dot(1, 1), dot(0, 1), dot(0, 2), dot(1, 2)].map((d) =>
    Math.round((d / size) * 1e9),
  );
  return `${size.toPrecision(9)} ${shares.join(' ')} ${Math.sign(determinant(m))}`;
}

/** The rigid motion from the image of a shape under `from`, without its translation, to its image under `to`. */
export function motionBetween(from: Matrix, to: Matrix): Float64Array | undefined {
  const motion = new Float64Array(16);
  for (let i = 12; i < 16; i++) motion[i] = to[i];
  if ([0, 1, 2, 4, 5, 6, 8, 9, 10].every((i) => from[i] === to[i])) {
    // to the bit: the usual case of an assembly without turned parts
    motion[0] = motion[5] = motion[10] = 1;
    return motion;
  }
  const scale = 1 / determinant(from);
  for (let i = 0; i < 3; i++) {
    // column i of the inverse of `from`
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    for (let row = 0; row < 3; row++) {
      let sum = 0;
      for (let c = 0; c < 3; c++) {
        const c1 = 4 * ((c + 1) % 3);
        const c2 = 4 * ((c + 2) % 3);
        const inverse = (from[c1 + j] * from[c2 + k] - from[c1 + k] * from[c2 + j]) * scale;
        sum += to[4 * c + row] * inverse;
      }
      motion[4 * i + row] = sum;
    }
  }
  return isRigid(motion) ? motion : undefined;
}

/** The geometry with the linear part of `matrix` applied, in float64; `where` is for messages. */
export function bakedGeometry(
  geometry: ShapeArrays | ShapeStream,
  matrix: Matrix,
  file: SourceFile,
  where: string,
): ShapeArrays | ShapeStream {
  const apply = (points: Float32Array | Float64Array): Float64Array => {
    const out = new Float64Array(points.length);
    let notFinite = 0;
    for (let o = 0; o < points.length; o += 3) {
      for (let row = 0; row < 3; row++) {
        const x = matrix[row] * points[o] + matrix[4 + row] * points[o + 1] + matrix[8 + row] * points[o + 2];
        out[o + row] = x;
        // x − x is 0 for finite numbers only
        notFinite += x - x;
      }
    }
    if (notFinite !== 0) throw new FormatError(file.path, 'the matrix of a node makes it too large', where);
    return out;
  };
  if ('indices' in geometry) return { positions: apply(geometry.positions), indices: geometry.indices };
  return shapeStream(file, geometry.triangleCount, async function* () {
    for await (const corners of geometry.batches()) yield apply(corners);
  });
}
