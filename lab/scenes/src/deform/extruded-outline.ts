/**
 * Solids of even triangles between two copies of an outline.
 *
 * Layout: vertices are the front outline and its inner points, the rings behind the front from front to back, the
 * back's inner points. The box is centred on the origin, z points out of the front.
 */
import { contoursOf, type Point } from './letter-outlines.js';
import type { SceneMesh } from './scene-mesh.js';
import { innerPoints, triangulateOutline } from './triangulate-outline.js';

export interface Extrusion {
  /** Metres for a hundredth of the capital height. */
  readonly scale: number;
  /** From front to back, in hundredths of the capital height. */
  readonly depth: number;
  /** Rows of cells between front and back. */
  readonly rows: number;
  /** Upper limit. */
  readonly triangles: number;
}

export function extrudedOutline(name: string, path: string, extrusion: Extrusion): SceneMesh {
  const { scale, depth, rows } = extrusion;
  const { contours, inner } = sampled(path, extrusion);
  const outline = contours.flat();
  const flat = [...outline, ...inner];
  const front = triangulateOutline(contours, inner);
  const rings = outline.length;
  const behind = flat.length + (rows - 1) * rings;
  const positions = new Float32Array(3 * (behind + flat.length));
  const [left, right] = [Math.min(...outline.map((p) => p[0])), Math.max(...outline.map((p) => p[0]))];
  const put = (vertex: number, [x, y]: Point, share: number): void => {
    positions[3 * vertex] = (x - (left + right) / 2) * scale;
    positions[3 * vertex + 1] = (y - 50) * scale;
    positions[3 * vertex + 2] = (0.5 - share) * depth * scale;
  };
  flat.forEach((point, i) => {
    put(i, point, 0);
    put(behind + i, point, 1);
  });
  for (let row = 1; row < rows; row++) {
    outline.forEach((point, i) => {
      put(flat.length + (row - 1) * rings + i, point, row / rows);
    });
  }

  const indices = [...front];
  for (let i = 0; i < front.length; i += 3) {
    indices.push(behind + front[i], behind + front[i + 2], behind + front[i + 1]);
  }
  let first = 0;
  const ringStart = (row: number): number =>
    row === 0 ? 0 : row === rows ? behind : flat.length + (row - 1) * rings;
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i++) {
      const from = first + i;
      const to = first + ((i + 1) % contour.length);
      for (let row = 0; row < rows; row++) {
        const [near, away] = [ringStart(row), ringStart(row + 1)];
        indices.push(near + from, away + from, away + to, near + from, away + to, near + to);
      }
    }
    first += contour.length;
  }
  return { name, positions, indices: Uint32Array.from(indices) };
}

/** About the finest sampling that does not exceed the wanted number of triangles: coarse search, then fine. */
function sampled(path: string, extrusion: Extrusion): { contours: Point[][]; inner: Point[] } {
  let side = 4;
  for (const step of [0.4, 0.05]) {
    while (trianglesWith(path, side, extrusion) > extrusion.triangles) side += step;
    if (step > 0.05) side -= step;
  }
  const contours = contoursOf(path, side);
  return { contours, inner: innerPoints(contours, side) };
}

function trianglesWith(path: string, side: number, { rows, triangles }: Extrusion): number {
  const contours = contoursOf(path, side);
  const boundary = contours.flat().length;
  const walls = 2 * rows * boundary;
  // without inner points the front has two triangles fewer than the outline has sides
  if (walls + 2 * (boundary - 2) > triangles) return Infinity;
  const inner = innerPoints(contours, side).length;
  return walls + 2 * (2 * inner + boundary + 2 * (contours.length - 1) - 2);
}
