/**
 * A nut and a bolt with a metric thread, both closed.
 *
 * Idea: seen along the axis, a thread has one radius in every direction and at every height, a function of height /
 * pitch − turns. So each is made of columns, one in each direction, with a corner wherever the profile bends; strips
 * between neighbouring columns join corners in the order of their heights. Caps and the hexagon are rings of as many
 * points.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';

/** Metres, as M16: the height of a turn, the radius of crests, and the depth of the thread. */
export const PITCH = 0.002;
const MAJOR = 0.008;
const DEPTH = 0.625 * 0.8660254037844386 * PITCH;
/** Radius of the nut's thread over that of the bolt; flanks, at 30°, are half as far apart. */
const CLEARANCE = 0.0003;
/** Bends of the profile, in pitches from the middle of a crest. */
const BENDS = [-3 / 8, -1 / 16, 1 / 16, 3 / 8];
/** Bends nearer to an end than this share of the pitch are left out. */
const LEAST = 0.04;
/** From the middle of the hexagon to its sides. */
const ACROSS = 0.012;
export const NUT_HEIGHT = 0.013;
const SHANK = 0.03;
const HEAD = 0.01;

/** x and y across the axis, z along it. */
type Point = readonly [x: number, y: number, z: number];

/** The shank above z = 0, the head below. `columns` must be a multiple of 6. */
export function bolt(columns: number): SceneMesh {
  const mesh = new Builder();
  const foot = mesh.point([0, 0, -HEAD]);
  const around = mesh.points(hexagon(columns, -HEAD));
  const shoulder = mesh.points(hexagon(columns, 0));
  const thread = threaded(columns, SHANK, 0).map((column) => mesh.points(column));
  const tip = mesh.point([0, 0, SHANK]);
  for (let i = 0; i < columns; i++) {
    const next = (i + 1) % columns;
    mesh.triangle(foot, around[next], around[i]);
    mesh.quad(around[i], around[next], shoulder[next], shoulder[i]);
    mesh.quad(shoulder[i], shoulder[next], thread[next][0], thread[i][0]);
    mesh.strip(thread[i], thread[next], PITCH / columns);
    mesh.triangle(thread[i][thread[i].length - 1], thread[next][thread[next].length - 1], tip);
  }
  return mesh.finish('bolt');
}

/** From z = 0 up. At a height z on the bolt, turned by z / PITCH, its thread is in the middle of the bolt's. */
export function nut(columns: number): SceneMesh {
  const mesh = new Builder();
  const thread = threaded(columns, NUT_HEIGHT, CLEARANCE).map((column) => mesh.points(column));
  const bottom = mesh.points(hexagon(columns, 0));
  const top = mesh.points(hexagon(columns, NUT_HEIGHT));
  for (let i = 0; i < columns; i++) {
    const next = (i + 1) % columns;
    const [here, there] = [thread[i], thread[next]];
    mesh.quad(bottom[i], bottom[next], top[next], top[i]);
    mesh.quad(top[i], top[next], there[there.length - 1], here[here.length - 1]);
    mesh.quad(here[0], there[0], bottom[next], bottom[i]);
    // facing the axis
    mesh.strip(there, here, -PITCH / columns);
  }
  return mesh.finish('nut');
}

/** Columns of a thread up to a height, all radii larger by a distance. */
function threaded(columns: number, height: number, wider: number): Point[][] {
  return Array.from({ length: columns }, (_, i) => {
    const turns = i / columns;
    const heights = [0, height];
    for (let turn = -1; turn <= height / PITCH + 1; turn++) {
      for (const bend of BENDS) {
        const z = PITCH * (turn + bend + turns);
        if (z > LEAST * PITCH && z < height - LEAST * PITCH) heights.push(z);
      }
    }
    const [c, s] = circlePoint(turns);
    return heights
      .sort((p, q) => p - q)
      .map((z) => {
        const radius = radiusAt(z / PITCH - turns) + wider;
        return [radius * c, radius * s, z] as const;
      });
  });
}

/** The radius by pitches from the middle of a crest. */
function radiusAt(phase: number): number {
  const off = Math.abs(phase - Math.round(phase));
  const down = Math.min(1, Math.max(0, (off - BENDS[2]) / (BENDS[3] - BENDS[2])));
  return MAJOR - DEPTH * down;
}

function hexagon(columns: number, z: number): Point[] {
  return Array.from({ length: columns }, (_, i) => {
    const [c, s] = circlePoint(i / columns);
    const [away] = circlePoint(((6 * i) % columns) / (6 * columns) - 1 / 12);
    return [(ACROSS * c) / away, (ACROSS * s) / away, z] as const;
  });
}

class Builder {
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];

  point([x, y, z]: Point): number {
    // y up
    this.#positions.push(x, z, -y);
    return this.#positions.length / 3 - 1;
  }

  points(points: readonly Point[]): number[] {
    return points.map((point) => this.point(point));
  }

  triangle(a: number, b: number, c: number): void {
    this.#indices.push(a, b, c);
  }

  quad(a: number, b: number, c: number, d: number): void {
    this.#indices.push(a, b, c, a, c, d);
  }

  /** Between two columns, of which corresponding corners of the second are higher by a distance. */
  strip(left: readonly number[], right: readonly number[], higher: number): void {
    const heightOf = (point: number) => this.#positions[3 * point + 1];
    for (let i = 0, j = 0; i < left.length - 1 || j < right.length - 1; ) {
      const isLeft =
        j === right.length - 1 ||
        (i < left.length - 1 && heightOf(left[i + 1]) + higher / 2 <= heightOf(right[j + 1]) - higher / 2);
      if (isLeft) this.triangle(left[i], right[j], left[++i]);
      else this.triangle(left[i], right[j], right[++j]);
    }
  }

  finish(name: string): SceneMesh {
    return { name, positions: Float32Array.from(this.#positions), indices: Uint32Array.from(this.#indices) };
  }
}
