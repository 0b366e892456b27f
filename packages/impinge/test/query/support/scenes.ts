/** Pairs of small meshes chosen to break things, each with the poses it is asked about. */
import { icosphere, seededRandom, torus } from '../../../../../lab/scenes/index.mjs';
import { Mesh } from '../../../src/mesh/mesh.js';
import type { PoseOptions } from '../../../src/query/pair/context.js';
import { copies, degenerates, doubling, grid, randomPose, soup } from '../../hierarchy/fixtures.js';

export interface Scene {
  readonly a: () => Mesh;
  readonly b: () => Mesh;
  readonly poses: readonly PoseOptions[];
}

type Numbers = ArrayLike<number>;

/** Rotations given in every accepted form. */
export function quaternionPose(
  seed: number,
  angle: number,
  shift: readonly number[] = [0, 0, 0],
): PoseOptions {
  const p = randomPose(seededRandom(seed), angle, [...shift]);
  return { pose: { rotation: p.slice(0, 9), translation: p.slice(9) } };
}

/** A float32 matrix as three.js would hold it: not quite rigid. */
export function float32Pose(seed: number, angle: number, shift: readonly number[] = [0, 0, 0]): PoseOptions {
  const p = randomPose(seededRandom(seed), angle, [...shift]);
  return {
    pose: Float32Array.of(
      p[0],
      p[3],
      p[6],
      0,
      p[1],
      p[4],
      p[7],
      0,
      p[2],
      p[5],
      p[8],
      0,
      p[9],
      p[10],
      p[11],
      1,
    ),
  };
}

export function shiftPose(...translation: number[]): PoseOptions {
  return { pose: { translation } };
}

const HALF = Math.SQRT1_2;
const QUARTER_TURN: PoseOptions = { pose: { rotation: [0, 1, 0, -1, 0, 0, 0, 0, 1] } };
const QUARTER_QUATERNION: PoseOptions = { pose: { rotation: [0, HALF, 0, HALF], translation: [0.5, 0, 0] } };
const HALF_TURN: PoseOptions = { pose: { rotation: [1, 0, 0, 0, -1, 0, 0, 0, -1] } };
/** As far from rigid as is accepted. */
const STRETCHED: PoseOptions = {
  pose: { rotation: [1.000004, 0, 0, 0, 0.999996, 3e-6, 0, 0, 1.000002], translation: [1, 0.001, 0] },
};
/** Both placed in the world, far from it. */
const WORLD: PoseOptions = {
  poseA: { rotation: [0.48, 0.6, 0, 0.64], translation: [5e6, -3e6, 120] },
  poseB: { rotation: [0.48, 0.6, 0.64, 0], translation: [5e6 + 0.25, -3e6, 120.5] },
};
const SMALL_TURNS = [{}, quaternionPose(3, 0.7, [0.1, -0.05, 0.2]), float32Pose(4, 2.5, [0.05, 0.1, 0])];

/** Needles: two corners a millionth apart. */
export function slivers(seed: number, count: number, width = 1e-6): Mesh {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const x = random();
      const y = random();
      positions[9 * t + k] = x;
      positions[9 * t + 3 + k] = y;
      positions[9 * t + 6 + k] = x + 0.5 * (y - x) + width * (random() - 0.5);
    }
  }
  return Mesh.from({ positions });
}

/** Sizes from a millionth to the whole. */
export function mixedSizes(seed: number, count: number): Mesh {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const size = 10 ** (-6 * random());
    const middle = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[9 * t + i] = middle[i % 3] + size * (random() - 0.5);
  }
  return Mesh.from({ positions });
}

/** Long needles beside specks. */
function longAndTiny(seed: number, count: number): Mesh {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const long = t % 2 === 0;
    const middle = [random(), random(), random()];
    for (let i = 0; i < 9; i++) {
      const along = long && i % 3 === t % 3 ? 3 : long ? 1e-3 : 1e-4;
      positions[9 * t + i] = middle[i % 3] + along * (random() - 0.5);
    }
  }
  return Mesh.from({ positions });
}

/** Segments and points in all directions among ordinary triangles. */
export function flattened(seed: number, count: number): Mesh {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const p = [random(), random(), random()];
    const q = p.map((x) => x + 0.4 * (random() - 0.5));
    const r =
      t % 4 === 0
        ? p
        : t % 4 === 1
          ? p.map((x, k) => (x + q[k]) / 2)
          : p.map((x) => x + 0.4 * (random() - 0.5));
    positions.set([...p, ...(t % 4 === 0 ? p : q), ...(t % 4 === 2 ? q : r)], 9 * t);
  }
  return Mesh.from({ positions });
}

/** An axis-aligned cube of n × n squares a side with corners on a grid of powers of two. */
export function cube(n: number, at: readonly number[] = [0, 0, 0], side = 1): Mesh {
  const positions: number[] = [];
  const corner = (axis: number, end: number, i: number, j: number) => {
    const p = [0, 0, 0];
    p[axis] = at[axis] + end * side;
    p[(axis + 1) % 3] = at[(axis + 1) % 3] + (i / n) * side;
    p[(axis + 2) % 3] = at[(axis + 2) % 3] + (j / n) * side;
    return p;
  };
  for (let axis = 0; axis < 3; axis++) {
    for (const end of [0, 1]) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const [p, q, r, s] = [
            corner(axis, end, i, j),
            corner(axis, end, i + 1, j),
            corner(axis, end, i + 1, j + 1),
            corner(axis, end, i, j + 1),
          ];
          positions.push(...p, ...q, ...r, ...p, ...r, ...s);
        }
      }
    }
  }
  return Mesh.from({ positions });
}

export function scaled(mesh: Mesh, factor: number, at: readonly number[] = [0, 0, 0], float64 = false): Mesh {
  const map = (x: number, i: number) => x * factor + at[i % 3];
  const positions: Numbers = float64
    ? Float64Array.from(mesh.positions, map)
    : Float32Array.from(mesh.positions, map);
  return Mesh.from({ positions, indices: Uint32Array.from(mesh.indices) });
}

const one = (...positions: number[]) => Mesh.from({ positions: Float32Array.from(positions) });
const ball = (frequency: number, radius: number) => Mesh.from(icosphere(frequency, radius));
const together = (...meshes: Mesh[]) =>
  Mesh.from({
    positions: Float32Array.from(
      meshes.flatMap((m) =>
        Array.from(m.indices, (v) => Array.from(m.positions.slice(3 * v, 3 * v + 3))).flat(),
      ),
    ),
  });

export const SCENES: Record<string, Scene> = {
  'two soups': {
    a: () => soup(1, 96, 0.3),
    b: () => soup(2, 80, 0.3),
    poses: [...SMALL_TURNS, shiftPose(2, 0, 0), WORLD],
  },
  'lazy soup, lazy soup': {
    a: () => soup(3, 540, 0.1),
    b: () => soup(4, 520, 0.1),
    poses: [quaternionPose(5, 1, [0.2, 0, 0])],
  },
  'lazy sheet, small soup': {
    a: () => grid(24, (x, y) => 0.2 * Math.sin(7 * x) * Math.cos(5 * y)),
    b: () => soup(6, 60, 0.2),
    poses: [...SMALL_TURNS, shiftPose(0, 0, 1.5)],
  },
  slivers: {
    a: () => slivers(7, 90),
    b: () => slivers(8, 80),
    poses: [...SMALL_TURNS, shiftPose(0.9, 0.9, 0.9)],
  },
  'slivers among triangles': {
    a: () => slivers(9, 96, 1e-7),
    b: () => soup(10, 100, 0.3),
    poses: SMALL_TURNS,
  },
  'coplanar overlapping grids': {
    a: () => grid(9),
    b: () => grid(7),
    poses: [
      {},
      shiftPose(0.25, 0.5, 0),
      shiftPose(0, 0, 2 ** -30),
      QUARTER_TURN,
      HALF_TURN,
      quaternionPose(11, 0.3),
    ],
  },
  'equal grids': {
    a: () => grid(8),
    b: () => grid(8),
    poses: [{}, shiftPose(0.125, 0, 0), shiftPose(1, 0, 0), shiftPose(1, 1, 0)],
  },
  'cubes touching at a face': {
    a: () => cube(4),
    b: () => cube(4),
    poses: [shiftPose(1, 0, 0), shiftPose(1, 0.5, 0.25), shiftPose(1 + 2 ** -40, 0, 0)],
  },
  'cubes touching at an edge': {
    a: () => cube(4),
    b: () => cube(3),
    poses: [shiftPose(1, 1, 0), shiftPose(-1, 0, 1)],
  },
  'cubes touching at a corner': {
    a: () => cube(4),
    b: () => cube(4),
    poses: [shiftPose(1, 1, 1), shiftPose(-1, 1, -1)],
  },
  'a speck and a continent': {
    a: () => scaled(soup(40, 96, 0.3), 1e-5),
    b: () => scaled(soup(41, 80, 0.9), 1e5, [-5e4, -5e4, -5e4]),
    poses: [{}, quaternionPose(42, 1), shiftPose(2e5, 0, 0)],
  },
  'a strip, stretched until its tip touches': {
    a: () => one(1 + 41 * 2 ** -23, 0, 0, 1.001, 0.001, 0, 1.001, -0.001, 0),
    b: () => {
      const sheet = grid(6);
      return Mesh.from({
        positions: sheet.positions.map((x, i) => (i % 3 === 0 ? 2 * x - 1 : 1e-4 * (x - 0.5))),
        indices: Uint32Array.from(sheet.indices),
      });
    },
    poses: [{ pose: { rotation: [1.0000049, 0, 0, 0, 1.0000049, 0, 0, 0, 1.0000049] } }],
  },
  'poses that stretch a little': {
    a: () => cube(4),
    b: () => cube(4),
    poses: [STRETCHED, { poseA: STRETCHED.pose!, poseB: { translation: [1, 1, 0] } }],
  },
  'cubes turned by quarters': {
    a: () => cube(4),
    b: () => cube(4),
    poses: [QUARTER_TURN, QUARTER_QUATERNION, HALF_TURN],
  },
  'nested cubes': {
    a: () => cube(5),
    b: () => cube(3, [0.25, 0.25, 0.25], 0.5),
    poses: [{}, shiftPose(0.25, 0, 0), quaternionPose(12, 0.2)],
  },
  'shared edges': {
    a: () => grid(8),
    b: () => grid(8, (x) => x),
    poses: [{}, shiftPose(-1, 0, -1), QUARTER_TURN],
  },
  'duplicated triangles': {
    a: () => copies(40),
    b: () => copies(33),
    poses: [{}, shiftPose(0, 0, 0.5), quaternionPose(13, 0.4)],
  },
  'points and segments on a line': {
    a: () => degenerates(60),
    b: () => degenerates(50),
    poses: [{}, shiftPose(0.25, 0.25, 0.25), shiftPose(1, 0, 0), quaternionPose(14, 0.5)],
  },
  'points and segments in space': {
    a: () => flattened(15, 96),
    b: () => flattened(16, 84),
    poses: [...SMALL_TURNS, shiftPose(1.5, 0, 0), WORLD],
  },
  'one against many': {
    a: () => one(0, 0, 0, 1, 0.1, 0.2, 0.3, 1, 0.9),
    b: () => soup(17, 600, 0.1),
    poses: [...SMALL_TURNS, shiftPose(5, 5, 5)],
  },
  'one against one': {
    a: () => one(0, 0, 0, 1, 0, 0, 0, 1, 0),
    b: () => one(0, 0, 0, 0, 0, 1, 1, 1, 1),
    poses: [...SMALL_TURNS, shiftPose(3, 0, 0), QUARTER_TURN],
  },
  'a mesh and itself': {
    a: () => ball(4, 1),
    b: () => ball(4, 1),
    poses: [{}, quaternionPose(18, 1e-7), quaternionPose(19, 0.3)],
  },
  'survey coordinates, float64': {
    a: () => scaled(soup(20, 96, 0.3), 1, [5e6, 4e6, 300], true),
    b: () => scaled(soup(21, 80, 0.3), 1, [5e6 + 0.1, 4e6, 300], true),
    poses: [{}, shiftPose(2, 0, 0)],
  },
  'survey coordinates, turned where they are': {
    a: () => scaled(soup(22, 80, 0.3), 1, [5e6, 0, 0], true),
    b: () => scaled(soup(23, 80, 0.3), 1, [0, 5e6, 0], true),
    poses: [{ pose: { rotation: [0, 1, 0, -1, 0, 0, 0, 0, 1], translation: [0, 0, 0] } }],
  },
  'far away, float32': {
    a: () => scaled(soup(24, 96, 0.3), 4, [1e6, 1e6, -1e6]),
    b: () => scaled(soup(25, 80, 0.3), 4, [1e6, 1e6, -1e6]),
    poses: [{}, shiftPose(0.3, 0.1, 0), shiftPose(7, 0, 0)],
  },
  'scale 1e-6': {
    a: () => scaled(soup(26, 96, 0.3), 1e-6),
    b: () => scaled(soup(27, 80, 0.3), 1e-6),
    poses: [{}, quaternionPose(28, 1), shiftPose(2e-6, 0, 0)],
  },
  'scale 1e6': {
    a: () => scaled(soup(29, 96, 0.3), 1e6),
    b: () => scaled(soup(30, 80, 0.3), 1e6),
    poses: [{}, quaternionPose(31, 1), shiftPose(2e6, 0, 0)],
  },
  'mixed sizes': {
    a: () => mixedSizes(32, 96),
    b: () => mixedSizes(33, 84),
    poses: [...SMALL_TURNS, shiftPose(2, 0, 0)],
  },
  'long and tiny': {
    a: () => longAndTiny(34, 90),
    b: () => longAndTiny(35, 80),
    poses: [...SMALL_TURNS, shiftPose(0, 5, 0)],
  },
  'doubling distances': {
    a: () => doubling(80),
    b: () => doubling(72),
    poses: [{}, shiftPose(0, 0, 1e-3), quaternionPose(36, 0.2)],
  },
  'concentric spheres': {
    a: () => ball(4, 1),
    b: () => ball(4, 1.05),
    poses: [{}, quaternionPose(37, 0.5), shiftPose(0.05, 0, 0)],
  },
  'linked rings': {
    a: () => Mesh.from(torus(1, 0.3, 16, 8)),
    b: () => Mesh.from(torus(1, 0.3, 14, 8)),
    poses: [
      { pose: { rotation: [1, 0, 0, 0, 0, -1, 0, 1, 0], translation: [1, 0, 0] } },
      float32Pose(38, 1.2, [0.9, 0, 0]),
    ],
  },
  'one that meets itself': {
    a: () => together(cube(3), cube(3, [0.5, 0.25, 0.125])),
    b: () => soup(39, 80, 0.2),
    poses: [{}],
  },
};
