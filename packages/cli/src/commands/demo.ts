/** `impinge demo`: two generated models, one pose in which they overlap and one in which they are close. */
import { collide, contacts, distance, Mesh, penetration, tolerance } from 'impinge';
import { count, decimal, direction, milliseconds, type Terminal, table } from '../terminal.js';

/** Pairs of triangles closer than this are counted, too; the models are about 3 long. */
const CLEARANCE = 0.005;
const REPEATS = 5;

const POSES = [
  { title: 'overlapping', pose: { translation: [0, 0, 0.1] } },
  { title: 'close', pose: { translation: [0, 0, 0.709] } },
] as const;

export function demo({ out, colors }: Terminal): number {
  const pipe = knottedPipe();
  const membrane = wavyMembrane();
  out(`${colors.bold('Two generated models')}\n`);
  out(table([modelRow('A', pipe), modelRow('B', membrane)], [2]));

  // the first query builds both bounding-volume hierarchies
  const { ms: firstMs } = timed(() => collide(pipe, membrane, { pose: POSES[0].pose, mode: 'any' }), 1);
  const columns = POSES.map(({ title, pose }) => figures(title, pipe, membrane, pose));
  const labels = [
    '',
    'collision',
    'triangle pairs',
    `pairs within ${CLEARANCE}`,
    'distance',
    'any collision?',
    'every pair',
    `every pair within ${CLEARANCE}`,
    'distance',
  ];
  const rows = labels.map((label, row) => [label, ...columns.map((column) => column[row]!)]);
  out(`\n${colors.bold('What is found')}\n${table(rows.slice(0, 5), [1, 2])}`);
  out(`\n${colors.bold('How they overlap')}\n${overlap(pipe, membrane, POSES[0].pose)}`);
  out(`\n${colors.bold('How long it takes')}\n${table([rows[0]!, ...rows.slice(5)], [1, 2])}`);
  out(`  the first query, which builds both hierarchies: ${milliseconds(firstMs)}\n`);
  out(`\nNow on your own files:  impinge collide A B    impinge distance A B    impinge --help\n`);
  return 0;
}

function modelRow(side: string, mesh: Mesh): string[] {
  return [side, mesh.name, count(mesh.triangleCount), 'triangles'];
}

function figures(title: string, a: Mesh, b: Mesh, pose: { translation: readonly number[] }): string[] {
  const any = timed(() => collide(a, b, { pose, mode: 'any' }), REPEATS);
  const all = timed(() => collide(a, b, { pose }), REPEATS);
  const near = timed(() => tolerance(a, b, { pose, tolerance: CLEARANCE, mode: 'all' }), REPEATS);
  const apart = timed(() => distance(a, b, { pose }), REPEATS);
  return [
    title,
    all.result.colliding ? 'yes' : 'no',
    count(all.result.pairCount),
    count(near.result.pairCount),
    decimal(apart.result.distance),
    ...[any, all, near, apart].map(({ ms }) => milliseconds(ms)),
  ];
}

function overlap(a: Mesh, b: Mesh, pose: { translation: readonly number[] }): string {
  const met = timed(() => contacts(a, b, { pose }), 1);
  const out = timed(() => penetration(a, b, { pose }), 1);
  const { regions } = met.result;
  const { depth, direction: way } = out.result;
  return table([
    ['contact regions', count(regions.length), `in ${milliseconds(met.ms)}`],
    ['deepest below the surface', decimal(Math.max(...regions.map((region) => region.depth)))],
    ['a way out for B', `${decimal(depth)} along ${direction(way)}`, `in ${milliseconds(out.ms)}`],
  ]);
}

/** The result of `query`, and the median of its times. */
function timed<T>(query: () => T, repeats: number): { result: T; ms: number } {
  const times: number[] = [];
  let result: T;
  do {
    const start = performance.now();
    result = query();
    times.push(performance.now() - start);
  } while (times.length < repeats);
  times.sort((x, y) => x - y);
  return { result, ms: times[times.length >> 1]! };
}

type Surface = (u: number, v: number, out: Float64Array) => void;

/** A (2, 5) torus knot with a round section. */
function knottedPipe(): Mesh {
  const centre = (t: number, axis: number): number => {
    const radius = 1 + 0.4 * Math.cos(5 * t);
    return axis === 0
      ? radius * Math.cos(2 * t)
      : axis === 1
        ? radius * Math.sin(2 * t)
        : 0.4 * Math.sin(5 * t);
  };
  const at = new Float64Array(3);
  const along = new Float64Array(3);
  const surface: Surface = (u, v, out) => {
    const t = 2 * Math.PI * u;
    for (let k = 0; k < 3; k++) {
      at[k] = centre(t, k);
      along[k] = centre(t + 1e-4, k) - centre(t - 1e-4, k);
    }
    // two directions across the pipe: out of the torus, and square to that
    const outward = [at[0]!, at[1]!, 0];
    const across = normalised(cross(along, outward));
    const other = normalised(cross(across, along));
    const turn = 2 * Math.PI * v;
    for (let k = 0; k < 3; k++)
      out[k] = at[k]! + 0.13 * (Math.cos(turn) * across[k]! + Math.sin(turn) * other[k]!);
  };
  return gridMesh('knotted pipe', surface, 1500, 40, true);
}

/** A round membrane in waves. */
function wavyMembrane(): Mesh {
  const surface: Surface = (u, v, out) => {
    const radius = 1.6 * v;
    const angle = 2 * Math.PI * u;
    out[0] = radius * Math.cos(angle);
    out[1] = radius * Math.sin(angle);
    out[2] = 0.12 * Math.cos(9 * radius) + 0.06 * radius * Math.sin(7 * angle);
  };
  return gridMesh('wavy membrane', surface, 360, 180, false);
}

/** A surface over the unit square, closed in u, and in v where said; two triangles per cell. */
function gridMesh(name: string, surface: Surface, columns: number, rows: number, closed: boolean): Mesh {
  const rings = closed ? rows : rows + 1;
  const positions = new Float64Array(3 * columns * rings);
  const point = new Float64Array(3);
  for (let j = 0; j < rings; j++) {
    for (let i = 0; i < columns; i++) {
      surface(i / columns, j / rows, point);
      positions.set(point, 3 * (columns * j + i));
    }
  }
  const indices = new Uint32Array(6 * columns * rows);
  for (let j = 0, o = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, o += 6) {
      const right = (i + 1) % columns;
      const up = columns * ((j + 1) % rings);
      const here = columns * j;
      indices.set([here + i, here + right, up + i, here + right, up + right, up + i], o);
    }
  }
  return Mesh.from({ positions, indices, name });
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!);
}

function normalised(a: readonly number[]): number[] {
  const length = Math.hypot(...a);
  return a.map((x) => x / length);
}
