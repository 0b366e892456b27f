/**
 * Closed solids from a few primitives, written directly into typed arrays.
 *
 * Layout: x y z per vertex, three indices per triangle, counter-clockwise from outside. Every primitive is a closed
 * part: each edge belongs to two triangles. Parts of one object may touch, but never overlap. Invariant: coordinates
 * are multiples of GRID if the arguments are.
 */
import { cutCircle, ringInto, snap, unitCircle } from './circle.js';

export type Axis = 0 | 1 | 2;

/** Builds shapes. Frames across an axis: x → (y, z), y → (x, −z), z → (x, y). */
export interface Solid {
  box(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void;
  /** An outline (u, v pairs, counter-clockwise) extruded along the axis from t0 to t1; `caps` triangulates it. */
  prism(axis: Axis, outline: readonly number[], caps: readonly number[], t0: number, t1: number): void;
  /**
   * A stack of rings about the axis through (x, y, z): stations are pairs of position along the axis and radius, of
   * which only the first and last may be 0. With `cut`, rings have two flat sides across v.
   */
  lathe(
    axis: Axis,
    x: number,
    y: number,
    z: number,
    sides: number,
    stations: ArrayLike<number>,
    cut?: boolean,
  ): void;
  /** A lathe whose stations form a loop: a ring with a hole, without caps. */
  hoop(axis: Axis, x: number, y: number, z: number, sides: number, stations: ArrayLike<number>): void;
  /** A round bar along points joined by legs along the axes, each corner rounded with a bend of 90°. */
  tube(points: ArrayLike<number>, form: TubeForm): void;
  /**
   * An open sheet: rows × columns of squares between a corner and the ends of its two edges. Every other column
   * stands out by `wave` along y.
   */
  sheet(
    corner: readonly number[],
    u: readonly number[],
    v: readonly number[],
    rows: number,
    columns: number,
    wave?: number,
  ): void;
}

export interface TubeForm {
  readonly radius: number;
  readonly sides: number;
  /** Radius of the bends, along the middle. */
  readonly bend: number;
  readonly bendSteps: number;
  /** Longest stretch between two rings of a straight leg. */
  readonly pitch: number;
}

/** Two triangles per square of a box: corners by bits x, y, z. */
const BOX_TRIANGLES = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
] as const;

/** Directions across an axis, as (index, sign) of u and v. */
const ACROSS = [
  [1, 1, 2, 1],
  [0, 1, 2, -1],
  [0, 1, 1, 1],
] as const;

/** Counts the triangles of a shape without building it. */
export class TriangleCounter implements Solid {
  triangles = 0;

  box(): void {
    this.triangles += 12;
  }

  prism(_axis: Axis, outline: readonly number[], caps: readonly number[]): void {
    this.triangles += outline.length + (2 * caps.length) / 3;
  }

  lathe(
    _axis: Axis,
    _x: number,
    _y: number,
    _z: number,
    sides: number,
    stations: ArrayLike<number>,
    _cut?: boolean,
  ): void {
    const rings = stations.length / 2;
    this.triangles += 2 * sides * (rings - 1) - (stations[1] === 0 ? sides : 2 - sides);
    this.triangles -= stations[2 * rings - 1] === 0 ? sides : 2 - sides;
  }

  hoop(_axis: Axis, _x: number, _y: number, _z: number, sides: number, stations: ArrayLike<number>): void {
    this.triangles += sides * stations.length;
  }

  tube(points: ArrayLike<number>, form: TubeForm): void {
    let rings = 1;
    const corners = points.length / 3 - 2;
    for (let leg = 0; leg <= corners; leg++) {
      const steps = legSteps(points, leg, corners, form);
      rings += steps + (leg < corners ? form.bendSteps : 0);
    }
    this.triangles += 2 * form.sides * (rings - 1) + 2 * (form.sides - 2);
  }

  sheet(
    _corner: readonly number[],
    _u: readonly number[],
    _v: readonly number[],
    rows: number,
    columns: number,
    _wave?: number,
  ): void {
    this.triangles += 2 * rows * columns;
  }
}

/** Builds shapes. One builder serves many: `take` returns everything built since the last call. */
export class SolidBuilder implements Solid {
  #positions = new Float32Array(3 << 12);
  #indices = new Uint32Array(3 << 13);
  #vertexCount = 0;
  #indexCount = 0;
  #origin: readonly number[] = [0, 0, 0];
  readonly #circles = new Map<number, Float64Array>();
  #ring = new Float64Array(128);

  /** Sets the origin of the coordinates that follow. */
  moveTo(origin: readonly number[]): void {
    this.#origin = origin;
  }

  take(): { positions: Float32Array; indices: Uint32Array } {
    const positions = this.#positions.slice(0, 3 * this.#vertexCount);
    const indices = this.#indices.slice(0, this.#indexCount);
    this.#vertexCount = 0;
    this.#indexCount = 0;
    return { positions, indices };
  }

  box(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
    const first = this.#reserve(8, 36);
    for (let corner = 0; corner < 8; corner++) {
      this.#vertex(corner & 1 ? x1 : x0, corner & 2 ? y1 : y0, corner & 4 ? z1 : z0);
    }
    const indices = this.#indices;
    let at = this.#indexCount;
    for (let i = 0; i < 36; i++) indices[at++] = first + BOX_TRIANGLES[i];
    this.#indexCount = at;
  }

  prism(axis: Axis, outline: readonly number[], caps: readonly number[], t0: number, t1: number): void {
    const sides = outline.length / 2;
    const first = this.#reserve(2 * sides, 6 * sides + 2 * caps.length);
    for (let end = 0; end < 2; end++) {
      for (let j = 0; j < sides; j++) {
        this.#across(axis, 0, 0, 0, end === 0 ? t0 : t1, outline[2 * j], outline[2 * j + 1]);
      }
    }
    this.#band(first, first + sides, sides);
    for (let i = 0; i < caps.length; i += 3) {
      this.#triangle(first + caps[i], first + caps[i + 2], first + caps[i + 1]);
      this.#triangle(first + sides + caps[i], first + sides + caps[i + 1], first + sides + caps[i + 2]);
    }
  }

  lathe(
    axis: Axis,
    x: number,
    y: number,
    z: number,
    sides: number,
    stations: ArrayLike<number>,
    cut = false,
  ): void {
    const rings = stations.length / 2;
    let row = this.#reserve(rings * sides, 6 * sides * (rings + 1));
    let last = -1;
    for (let i = 0; i < rings; i++) {
      const t = stations[2 * i];
      const radius = stations[2 * i + 1];
      row = this.#vertexCount;
      if (radius === 0) {
        this.#across(axis, x, y, z, t, 0, 0);
        if (i > 0) this.#fan(last, sides, row, 1);
      } else {
        this.#circleAt(axis, x, y, z, t, radius, sides, cut);
        if (i === 0) this.#cap(row, sides, -1);
        else if (stations[2 * i - 1] === 0) this.#fan(row, sides, last, -1);
        else this.#band(last, row, sides);
      }
      last = row;
    }
    if (stations[2 * rings - 1] !== 0) this.#cap(row, sides, 1);
  }

  hoop(axis: Axis, x: number, y: number, z: number, sides: number, stations: ArrayLike<number>): void {
    const rings = stations.length / 2;
    const first = this.#reserve(rings * sides, 6 * sides * rings);
    for (let i = 0; i < rings; i++) {
      this.#circleAt(axis, x, y, z, stations[2 * i], stations[2 * i + 1], sides, false);
    }
    for (let i = 0; i < rings; i++) {
      this.#band(first + i * sides, first + ((i + 1) % rings) * sides, sides);
    }
  }

  tube(points: ArrayLike<number>, form: TubeForm): void {
    const { sides, radius, bend, bendSteps } = form;
    const corners = points.length / 3 - 2;
    const arc = this.#circle(4 * bendSteps);
    const d0 = [0, 0, 0];
    const d1 = [0, 0, 0];
    direction(points, 0, d0);
    // the frame across the first leg: u × v points along it
    const axis = (d0[0] !== 0 ? 0 : d0[1] !== 0 ? 1 : 2) as Axis;
    const [ui, us, vi, vs] = ACROSS[axis];
    const u = [0, 0, 0];
    const v = [0, 0, 0];
    u[ui] = us;
    v[vi] = vs * (d0[axis] < 0 ? -1 : 1);
    ringInto(this.#circle(sides), radius, this.#scratch(2 * sides));
    let row = this.#vertexCount;
    this.#frame(points, 0, d0, 0, u, v, sides);
    this.#cap(row, sides, -1);
    for (let leg = 0; leg <= corners; leg++) {
      direction(points, leg, d0);
      const steps = legSteps(points, leg, corners, form);
      const from = leg === 0 ? 0 : bend;
      const length = legLength(points, leg) - from - (leg < corners ? bend : 0);
      for (let s = 1; s <= steps; s++) {
        const along = from + (s === steps ? length : snap((length * s) / steps));
        this.#frame(points, leg, d0, along, u, v, sides);
        row = this.#joined(row, sides);
      }
      if (leg === corners) break;
      direction(points, leg + 1, d1);
      for (let s = 1; s <= bendSteps; s++) {
        this.#bent(points, leg + 1, d0, d1, bend, arc[2 * s], arc[2 * s + 1], u, v, sides);
        row = this.#joined(row, sides);
      }
      turn(u, d0, d1);
      turn(v, d0, d1);
    }
    this.#cap(row, sides, 1);
  }

  sheet(
    corner: readonly number[],
    u: readonly number[],
    v: readonly number[],
    rows: number,
    columns: number,
    wave = 0,
  ): void {
    const first = this.#reserve((rows + 1) * (columns + 1), 6 * rows * columns);
    for (let r = 0; r <= rows; r++) {
      for (let c = 0; c <= columns; c++) {
        const at = (i: number) =>
          snap(corner[i] + ((u[i] - corner[i]) * c) / columns + ((v[i] - corner[i]) * r) / rows);
        this.#vertex(at(0), at(1) + (c % 2) * wave, at(2));
      }
    }
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const p = first + r * (columns + 1) + c;
        this.#triangle(p, p + 1, p + columns + 2);
        this.#triangle(p, p + columns + 2, p + columns + 1);
      }
    }
  }

  /** A ring across a straight leg, `along` from its start. */
  #frame(
    points: ArrayLike<number>,
    leg: number,
    d: readonly number[],
    along: number,
    u: readonly number[],
    v: readonly number[],
    sides: number,
  ): void {
    this.#reserve(sides, 12 * sides);
    const ring = this.#ring;
    const x = points[3 * leg] + d[0] * along;
    const y = points[3 * leg + 1] + d[1] * along;
    const z = points[3 * leg + 2] + d[2] * along;
    for (let j = 0; j < sides; j++) {
      const a = ring[2 * j];
      const b = ring[2 * j + 1];
      this.#vertex(x + a * u[0] + b * v[0], y + a * u[1] + b * v[1], z + a * u[2] + b * v[2]);
    }
  }

  /** A ring within a bend from d0 to d1: each point turns about the bend's centre at its own distance. */
  #bent(
    points: ArrayLike<number>,
    corner: number,
    d0: readonly number[],
    d1: readonly number[],
    bend: number,
    cosine: number,
    sine: number,
    u: readonly number[],
    v: readonly number[],
    sides: number,
  ): void {
    this.#reserve(sides, 12 * sides);
    const ring = this.#ring;
    const at = 3 * corner;
    const uInward = u[0] * d1[0] + u[1] * d1[1] + u[2] * d1[2];
    const vInward = v[0] * d1[0] + v[1] * d1[1] + v[2] * d1[2];
    const armX = cosine * d1[0] - sine * d0[0];
    const armY = cosine * d1[1] - sine * d0[1];
    const armZ = cosine * d1[2] - sine * d0[2];
    const x = points[at] + bend * (d1[0] - d0[0]);
    const y = points[at + 1] + bend * (d1[1] - d0[1]);
    const z = points[at + 2] + bend * (d1[2] - d0[2]);
    for (let j = 0; j < sides; j++) {
      const a = ring[2 * j];
      const b = ring[2 * j + 1];
      const inward = a * uInward + b * vInward;
      const arm = inward - bend;
      this.#vertex(
        x + a * u[0] + b * v[0] - inward * d1[0] + snap(arm * armX),
        y + a * u[1] + b * v[1] - inward * d1[1] + snap(arm * armY),
        z + a * u[2] + b * v[2] - inward * d1[2] + snap(arm * armZ),
      );
    }
  }

  /** Connects the last ring to the one before. */
  #joined(last: number, sides: number): number {
    const row = this.#vertexCount - sides;
    this.#band(last, row, sides);
    return row;
  }

  #circleAt(
    axis: Axis,
    x: number,
    y: number,
    z: number,
    t: number,
    radius: number,
    sides: number,
    cut: boolean,
  ): void {
    const ring = this.#scratch(2 * sides);
    ringInto(this.#circle(sides, cut), radius, ring);
    for (let j = 0; j < sides; j++) this.#across(axis, x, y, z, t, ring[2 * j], ring[2 * j + 1]);
  }

  #across(axis: Axis, x: number, y: number, z: number, t: number, u: number, v: number): void {
    if (axis === 0) this.#vertex(x + t, y + u, z + v);
    else if (axis === 1) this.#vertex(x + u, y + t, z - v);
    else this.#vertex(x + u, y + v, z + t);
  }

  /** Triangles between two rings, the second farther along the axis. */
  #band(low: number, high: number, sides: number): void {
    const indices = this.#indices;
    let at = this.#indexCount;
    for (let j = 0; j < sides; j++) {
      const next = j + 1 === sides ? 0 : j + 1;
      indices[at++] = low + j;
      indices[at++] = low + next;
      indices[at++] = high + next;
      indices[at++] = low + j;
      indices[at++] = high + next;
      indices[at++] = high + j;
    }
    this.#indexCount = at;
  }

  #cap(row: number, sides: number, facing: 1 | -1): void {
    for (let j = 1; j + 1 < sides; j++) {
      if (facing === 1) this.#triangle(row, row + j, row + j + 1);
      else this.#triangle(row, row + j + 1, row + j);
    }
  }

  #fan(row: number, sides: number, pole: number, facing: 1 | -1): void {
    for (let j = 0; j < sides; j++) {
      const next = j + 1 === sides ? 0 : j + 1;
      if (facing === 1) this.#triangle(row + j, row + next, pole);
      else this.#triangle(row + next, row + j, pole);
    }
  }

  #vertex(x: number, y: number, z: number): void {
    const positions = this.#positions;
    const at = 3 * this.#vertexCount++;
    positions[at] = x + this.#origin[0];
    positions[at + 1] = y + this.#origin[1];
    positions[at + 2] = z + this.#origin[2];
  }

  #triangle(a: number, b: number, c: number): void {
    const indices = this.#indices;
    indices[this.#indexCount++] = a;
    indices[this.#indexCount++] = b;
    indices[this.#indexCount++] = c;
  }

  #circle(sides: number, cut = false): Float64Array {
    const key = cut ? -sides : sides;
    let circle = this.#circles.get(key);
    if (circle === undefined) {
      circle = cut ? cutCircle(sides) : unitCircle(sides);
      this.#circles.set(key, circle);
    }
    return circle;
  }

  #scratch(length: number): Float64Array {
    if (this.#ring.length < length) this.#ring = new Float64Array(2 * length);
    return this.#ring;
  }

  /** Reserves room; returns the index of the next vertex. */
  #reserve(vertices: number, indices: number): number {
    const floats = 3 * (this.#vertexCount + vertices);
    if (floats > this.#positions.length) {
      const grown = new Float32Array(2 * floats);
      grown.set(this.#positions);
      this.#positions = grown;
    }
    const slots = this.#indexCount + indices;
    if (slots > this.#indices.length) {
      const grown = new Uint32Array(2 * slots);
      grown.set(this.#indices);
      this.#indices = grown;
    }
    return this.#vertexCount;
  }
}

/** The number of segments of a straight leg between its bends. */
function legSteps(points: ArrayLike<number>, leg: number, corners: number, form: TubeForm): number {
  const length = legLength(points, leg) - (leg > 0 ? form.bend : 0) - (leg < corners ? form.bend : 0);
  return Math.ceil(length / form.pitch);
}

function legLength(points: ArrayLike<number>, leg: number): number {
  const at = 3 * leg;
  return (
    Math.abs(points[at + 3] - points[at]) +
    Math.abs(points[at + 4] - points[at + 1]) +
    Math.abs(points[at + 5] - points[at + 2])
  );
}

function direction(points: ArrayLike<number>, leg: number, out: number[]): void {
  for (let i = 0; i < 3; i++) out[i] = Math.sign(points[3 * leg + 3 + i] - points[3 * leg + i]);
}

/** Rotates a vector across d0 by the quarter turn that takes d0 to d1. */
function turn(vector: number[], d0: readonly number[], d1: readonly number[]): void {
  const inward = vector[0] * d1[0] + vector[1] * d1[1] + vector[2] * d1[2];
  for (let i = 0; i < 3; i++) vector[i] -= inward * (d1[i] + d0[i]);
}
