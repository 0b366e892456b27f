/**
 * The space above (or below) an object: its surface, swept upwards.
 *
 * Every point less than `above` over a point of the object is over a face that one sees from there, so that the prisms
 * over these faces are the whole space, exactly; what would be inside the object is left away. Faces that hang together
 * are swept as one solid, as long as none of them is above another: a ramp that winds is divided.
 *
 * Near an other object only: faces whose prisms do not reach its box are left out. The walls that are cut there are
 * outside of that box, which has to be wider than the object by the depth that is asked about.
 *
 * Errs: faces steeper than one in fifty count as walls.
 */
import { locatePoint } from 'impinge/internal/query/solid/locate.js';
import type { PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';
import { planeAt, type ZoneCell, type ZonePart } from './zone-part.js';

/** The least share of up in a normal. */
const LEAST_UP = 0.02;
/** How far over a face is looked whether that is outside, as a share of the object's size. */
const OVER = 1e-6;
/** Triangles that overlap by less, as a share of their size, are neighbours. */
const OVERLAP = 1e-7;
/** Most cells in which neighbours are looked up, along the largest face; a row of cells has a range of numbers. */
const CELLS = 16;
const ROW = 2 ** 26;

interface Face {
  /** Nine numbers, in the world. */
  readonly corners: Float64Array;
  /** Whether it is counter-clockwise as seen from the zone. */
  readonly isTurned: boolean;
  readonly keys: readonly string[];
}

/** From `from` to `to` in the direction `up` (1, or −1: downwards), near a box. */
export function sweptParts(
  owner: PlacedParts,
  from: number,
  to: number,
  up: 1 | -1,
  near: Float64Array,
): ZonePart[] {
  const faces = [...facesNear(owner, to, up, near)];
  const regionOf = new Int32Array(faces.length).fill(-1);
  const byEdge = new Map<string, number[]>();
  faces.forEach(({ keys }, face) => {
    for (let k = 0; k < 3; k++) {
      const edge = edgeKey(keys[k], keys[(k + 1) % 3]);
      const own = byEdge.get(edge);
      if (own) own.push(face);
      else byEdge.set(edge, [face]);
    }
  });
  let [mean, largest] = [0, 0];
  for (const { corners } of faces) {
    const size = sizeFromAbove(corners);
    mean += size / faces.length;
    largest = Math.max(largest, size);
  }
  const cell = Math.max(mean, largest / CELLS);
  const parts: ZonePart[] = [];
  for (let seed = 0; seed < faces.length; seed++) {
    if (regionOf[seed] >= 0) continue;
    const region = grow(seed, faces, byEdge, regionOf, cell);
    if (isOutside(owner, faces[seed], up))
      parts.push(
        prismOver(
          region.map((face) => faces[face]),
          from,
          to,
          up,
        ),
      );
  }
  return parts;
}

function* facesNear(owner: PlacedParts, to: number, up: 1 | -1, near: Float64Array): Generator<Face> {
  const { pose, parts } = owner;
  for (const mesh of parts.meshes) {
    const { positions, indices, origin } = mesh;
    const placed = new Float64Array(positions.length);
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = [
        positions[v] + origin[0],
        positions[v + 1] + origin[1],
        positions[v + 2] + origin[2],
      ];
      for (let k = 0; k < 3; k++)
        placed[v + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
    }
    for (let t = 0; t < indices.length; t += 3) {
      const corners = new Float64Array(9);
      for (let k = 0; k < 9; k++) corners[k] = placed[3 * indices[t + Math.floor(k / 3)] + (k % 3)];
      const [least, most] = extentOf(corners);
      if (least[0] > near[3] || most[0] < near[0] || least[1] > near[4] || most[1] < near[1]) continue;
      if (
        up > 0 ? least[2] > near[5] || most[2] + to < near[2] : most[2] < near[2] || least[2] - to > near[5]
      )
        continue;
      const n = normalOf(corners);
      const size = Math.hypot(n[0], n[1], n[2]);
      if (!(Math.abs(n[2]) > LEAST_UP * size)) continue;
      const keys = [0, 3, 6].map((at) => corners.subarray(at, at + 3).join());
      yield { corners, isTurned: n[2] * up > 0, keys };
    }
  }
}

/** What hangs together with a face, turned alike, and is not above or below another face of it. */
function grow(
  seed: number,
  faces: readonly Face[],
  byEdge: ReadonlyMap<string, readonly number[]>,
  regionOf: Int32Array,
  cell: number,
): number[] {
  const region: number[] = [];
  const cells = new Map<number, number[]>();
  const around = (face: number): number[] => {
    const [low, high] = extentOf(faces[face].corners);
    const keys: number[] = [];
    for (let x = Math.floor(low[0] / cell); x <= Math.floor(high[0] / cell); x++)
      for (let y = Math.floor(low[1] / cell); y <= Math.floor(high[1] / cell); y++) keys.push(x * ROW + y);
    return keys;
  };
  const waiting = [seed];
  for (let face = waiting.pop(); face !== undefined; face = waiting.pop()) {
    if (regionOf[face] >= 0) continue;
    const places = around(face);
    const beside = new Set(places.flatMap((place) => cells.get(place) ?? []));
    if ([...beside].some((other) => overlap(faces[other].corners, faces[face!].corners))) continue;
    regionOf[face] = seed;
    region.push(face);
    for (const place of places) {
      const own = cells.get(place);
      if (own) own.push(face);
      else cells.set(place, [face]);
    }
    const { keys, isTurned } = faces[face];
    for (let k = 0; k < 3; k++) {
      const both = byEdge.get(edgeKey(keys[k], keys[(k + 1) % 3]))!;
      if (both.length !== 2) continue;
      const other = both[0] === face ? both[1] : both[0];
      if (faces[other].isTurned === isTurned && regionOf[other] < 0) waiting.push(other);
    }
  }
  return region;
}

/** Whether two triangles have more than a border in common, as seen from above. */
function overlap(p: Float64Array, q: Float64Array): boolean {
  for (const [one, other] of [
    [p, q],
    [q, p],
  ]) {
    const turn = Math.sign(normalOf(one)[2]);
    for (let k = 0; k < 3; k++) {
      const [x, y] = [one[3 * k], one[3 * k + 1]];
      const [dx, dy] = [one[(3 * k + 3) % 9] - x, one[(3 * k + 4) % 9] - y];
      const length = Math.hypot(dx, dy);
      const inside = [0, 3, 6].map(
        (at) => (turn * (dx * (other[at + 1] - y) - dy * (other[at] - x))) / length,
      );
      if (Math.max(...inside) <= OVERLAP * length) return false;
    }
  }
  return true;
}

/** Whether the space over a face is outside the object; that of an open one always is. */
function isOutside({ parts, pose, box }: PlacedParts, { corners: c }: Face, up: 1 | -1): boolean {
  if (!parts.closed) return true;
  const size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const p = [0, 1, 2].map((k) => (c[k] + c[3 + k] + c[6 + k]) / 3 - pose[9 + k]);
  p[2] += up * OVER * size;
  const { origin } = parts.meshes[0];
  const own = Float64Array.from(
    [0, 1, 2],
    (k) => pose[k] * p[0] + pose[3 + k] * p[1] + pose[6 + k] * p[2] - origin[k],
  );
  return locatePoint(parts, own) !== 'inside';
}

function prismOver(region: readonly Face[], from: number, to: number, up: 1 | -1): ZonePart {
  const numbers = new Map<string, number>();
  const corners: number[] = [];
  const triangles = region.map(({ corners: c, keys, isTurned }) => {
    const own = keys.map((key, k) => {
      let number = numbers.get(key);
      if (number === undefined) {
        numbers.set(key, (number = numbers.size));
        corners.push(c[3 * k], c[3 * k + 1], c[3 * k + 2]);
      }
      return number;
    });
    return isTurned ? own : [own[0], own[2], own[1]];
  });
  const count = numbers.size;
  const positions = Float64Array.from([...corners, ...corners], (x, i) =>
    i % 3 === 2 ? x + up * (i < 3 * count ? from : to) : x,
  );
  const edges = new Map<string, number>();
  for (const [p, q, r] of triangles)
    for (const [i, j] of [
      [p, q],
      [q, r],
      [r, p],
    ])
      edges.set(
        `${Math.min(i, j)},${Math.max(i, j)}`,
        (edges.get(`${Math.min(i, j)},${Math.max(i, j)}`) ?? 0) + 1,
      );
  const indices: number[] = [];
  for (const [p, q, r] of triangles) {
    indices.push(p, r, q, count + p, count + q, count + r);
    for (const [i, j] of [
      [p, q],
      [q, r],
      [r, p],
    ]) {
      if (edges.get(`${Math.min(i, j)},${Math.max(i, j)}`) === 1)
        indices.push(i, j, count + j, i, count + j, count + i);
    }
  }
  const cells = region.map((face) => cellOver(face, from, to, up));
  return { positions, indices: Uint32Array.from(indices), cells, curveError: 0 };
}

function cellOver({ corners: c }: Face, from: number, to: number, up: 1 | -1): ZoneCell {
  const n = normalOf(c);
  const turn = Math.sign(n[2]);
  // how far a point is over the plane of the face
  const [x, y] = [(up * n[0]) / n[2], (up * n[1]) / n[2]];
  const length = [x, y, up, -(x * c[0] + y * c[1] + up * c[2])];
  const planes: number[] = [];
  for (let k = 0; k < 9; k += 3) {
    const [dx, dy] = [c[(k + 3) % 9] - c[k], c[(k + 4) % 9] - c[k + 1]];
    planes.push(...planeAt([turn * dy, -turn * dx, 0], c.subarray(k, k + 3)));
  }
  planes.push(x, y, up, to - length[3], -x, -y, -up, length[3] - from);
  const base = [0, 1, 2].map((k) => (c[k] + c[3 + k] + c[6 + k]) / 3);
  base[2] += up * from;
  return { planes, length, base };
}

function edgeKey(p: string, q: string): string {
  return p < q ? `${p} ${q}` : `${q} ${p}`;
}

function extentOf(c: Float64Array): [least: number[], most: number[]] {
  const of = (pick: typeof Math.min) => [0, 1, 2].map((k) => pick(c[k], c[3 + k], c[6 + k]));
  return [of(Math.min), of(Math.max)];
}

function sizeFromAbove(c: Float64Array): number {
  const [least, most] = extentOf(c);
  return Math.max(most[0] - least[0], most[1] - least[1]);
}

function normalOf(c: Float64Array): number[] {
  const [ux, uy, uz] = [c[3] - c[0], c[4] - c[1], c[5] - c[2]];
  const [vx, vy, vz] = [c[6] - c[0], c[7] - c[1], c[8] - c[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}
