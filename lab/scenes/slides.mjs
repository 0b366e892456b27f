/**
 * Bodies that slide without friction over flat ground. Their motion is known, however the ground is triangulated.
 * @typedef {{ positions: number[] | Float32Array, indices: number[] | Uint32Array }} SlideMesh
 * @typedef {(random: () => number, along: number, across: number) => SlideMesh} Ground
 */
import { randomRotation } from './random.mjs';
import { box, icosphere, torus } from './solids.mjs';

const G = 9.81;
const WIDTH = 1.6;
const MARGIN = 0.8;

/**
 * Triangulations of the plane y = 0 around a track along x, facing up, with about the given columns and rows.
 * @type {Record<string, Ground>}
 */
export const GROUNDS = {
  /** Squares with one diagonal. */
  regular: (_, columns, rows) => lattice(columns, rows),
  /** Squares with either diagonal. */
  flipped: (random, columns, rows) => lattice(columns, rows, { random }),
  /** Randomly displaced corners: no two triangles are alike. */
  uneven: (random, columns, rows) => lattice(columns, rows, { random, jitter: 0.24 }),
  /** Adjacent strips with different columns: corners of one lie on edges of the other. */
  strips: (random, columns, rows) => {
    const strips = Array.from({ length: rows }, (_, j) =>
      lattice(columns + Math.floor(7 * random()), 1, { random, from: j / rows, to: (j + 1) / rows }),
    );
    return joined(strips);
  },
  /** Such strips across the track. */
  steps: (random, columns, rows) => {
    const steps = Array.from({ length: columns }, (_, i) =>
      lattice(1, rows + Math.floor(7 * random()), { random, begin: i / columns, end: (i + 1) / columns }),
    );
    return joined(steps);
  },
  /** Triangles without width along the edges between strips: rounding makes their normals arbitrary. */
  slivers: (random, columns, rows) => {
    const { positions, indices } = lattice(columns, rows, { random });
    for (let t = indices.length - 3; t >= 0; t -= 3) {
      if (random() < 0.5) continue;
      const [a, b, c] = indices.slice(t, t + 3);
      const middle = [0, 1, 2].map((k) => (positions[3 * a + k] + positions[3 * b + k]) / 2);
      const m = positions.push(...middle) / 3 - 1;
      indices.splice(t, 3, m, b, c, a, m, c, a, b, m);
    }
    return { positions, indices };
  },
  /** A closed slab. */
  slab: (random, columns, rows) => {
    const top = lattice(columns, rows, { random, jitter: 0.24 });
    return slabUnder(top, columns, rows, 0.3);
  },
};

/**
 * Bodies whose lowest points lie on y = 0, in a plane or a line.
 * @type {Record<string, SlideMesh & { round?: boolean }>}
 */
export const SLIDERS = {
  ball: raised(icosphere(16, 0.1)),
  box: raised(box(0.3, 0.1, 0.2)),
  capsule: raised(capsule(0.06, 0.2, 24, 8)),
  ring: raised(placed(torus(0.15, 0.05, 32, 16), ([x, y, z]) => [y, z, x])),
  bridge: raised(bridge()),
};

/**
 * A random slide: `at` takes points near the track to the world.
 * @param {() => number} random
 * @param {{ ground: string, slider: string, length: number, far?: number, columns?: number, rows?: number }} what
 */
export function randomSlide(random, { ground, slider, length, far = 0, columns, rows }) {
  const { at, back, orientation } = randomFrame(random, far);
  const along = columns ?? Math.ceil(length * (1 + 9 * random()));
  const across = rows ?? 1 + Math.floor(8 * random());
  const track = GROUNDS[ground](random, along, across);
  const heading = 0.3 * (random() - 0.5) * Math.min(1, WIDTH / length);
  const quarter = 2 * Math.PI * random();
  return {
    at,
    back,
    ground: placed(track, (u) => at([u[0] * (length + 2 * MARGIN) - MARGIN, u[1], u[2] * WIDTH])),
    body: SLIDERS[slider],
    direction: [Math.cos(heading), 0, Math.sin(heading)],
    /** A turn about the vertical, then into the world. */
    orientation: orientation([0, Math.sin(quarter / 2), 0, Math.cos(quarter / 2)]),
  };
}

/**
 * Lets a body slide without friction, simulated by the given library. Returns its distance from the expected end as a
 * share of the way, its speed as a share of the expected one, how far it hopped and sank in metres, and intersections.
 * @param {Record<'Simulation' | 'fixedBody' | 'rigidBody', any>} dynamics
 * @param {ReturnType<typeof randomSlide>} slide
 * @param {{ speed: number, seconds: number, pull?: number, thickness: number }} course `pull`: gravity along x, m/s²
 */
export function slideOutcome(
  { Simulation, fixedBody, rigidBody },
  slide,
  { speed, seconds, pull = 0, thickness },
) {
  const { at, back, body, direction, orientation } = slide;
  const along = (by) => direction.map((x) => by * x);
  const gravity = at([pull * direction[0], -Math.sqrt(G * G - pull * pull), pull * direction[2]], false);
  const simulation = new Simulation({ dt: 1 / 60, thickness, friction: 0, gravity, sleeping: false });
  try {
    simulation.add(fixedBody({ name: 'ground', ...slide.ground }));
    const height = rigidBody({ name: 'slider', ...body }).position[1] + thickness;
    const options = { position: at([0, height, 0]), velocity: at(along(speed), false), orientation };
    const slider = rigidBody({ name: 'slider', ...body }, options);
    simulation.add(slider);
    let [lowest, hop] = [Infinity, 0];
    for (let step = 0; step < 60 * seconds; step++) {
      simulation.step();
      const y = back(slider.position)[1];
      lowest = Math.min(lowest, y);
      hop = Math.max(hop, y - lowest);
    }
    const way = speed * seconds + 0.5 * pull * seconds * seconds;
    const [place, end] = [back(slider.position), along(way)];
    return {
      off: Math.hypot(place[0] - end[0], place[2] - end[2]) / way,
      speed: Math.hypot(...slider.velocity) / (speed + pull * seconds),
      hop,
      sunk: height - lowest,
      meeting: simulation.intersections(),
    };
  } finally {
    simulation.dispose();
  }
}

/**
 * A random frame: `at` takes its points and directions to the world, `back` takes points back, `orientation` takes
 * orientations to the world.
 * @param {() => number} random
 * @param {number} far
 */
export function randomFrame(random, far = 0) {
  const turn = randomRotation(random);
  const shift = [0, 1, 2].map(() => far * (2 * random() - 1));
  return {
    /** @type {(point: readonly number[], isPlace?: boolean) => [number, number, number]} */
    at: (point, isPlace = true) =>
      [0, 3, 6].map(
        (k, i) =>
          turn[k] * point[0] + turn[k + 1] * point[1] + turn[k + 2] * point[2] + (isPlace ? shift[i] : 0),
      ),
    /** @type {(point: ArrayLike<number>) => [number, number, number]} */
    back: (point) => {
      const own = shift.map((x, k) => point[k] - x);
      return [0, 1, 2].map((k) => turn[k] * own[0] + turn[k + 3] * own[1] + turn[k + 6] * own[2]);
    },
    /** @type {(quaternion: readonly number[]) => number[]} */
    orientation: (quaternion) => product(quaternionOf(turn), quaternion),
  };
}

/**
 * A valley, or a hill where the radius is negative: an arc about the z axis from −angle to angle.
 * @param {number} radius
 * @param {number} angle
 * @param {number} segments
 * @param {() => number} random
 * @returns {SlideMesh}
 */
export function arc(radius, angle, segments, random) {
  const { positions, indices } = lattice(segments, 2, { random });
  return placed({ positions, indices }, ([u, , w]) => {
    const a = angle * (2 * u - 1);
    return [Math.abs(radius) * Math.sin(a), radius * (1 - Math.cos(a)), w];
  });
}

/** Corners in the unit square of x and z about z = 0. */
function lattice(columns, rows, { random, jitter = 0, from = 0, to = 1, begin = 0, end = 1 } = {}) {
  const positions = [];
  const indices = [];
  for (let i = 0; i <= columns; i++) {
    for (let j = 0; j <= rows; j++) {
      const inside = (n, most) => (n > 0 && n < most && jitter > 0 ? jitter * (2 * random() - 1) : 0);
      const u = (i + inside(i, columns)) / columns;
      const v = (j + inside(j, rows)) / rows;
      positions.push(begin + (end - begin) * u, 0, from + (to - from) * v - 0.5);
      if (i === columns || j === rows) continue;
      const a = i * (rows + 1) + j;
      const [b, c, d] = [a + rows + 1, a + 1, a + rows + 2];
      if (random && random() < 0.5) indices.push(a, c, d, a, d, b);
      else indices.push(a, c, b, b, c, d);
    }
  }
  return { positions, indices };
}

function joined(meshes) {
  const [positions, indices] = [[], []];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    for (const i of mesh.indices) indices.push(first + i);
  }
  return { positions, indices };
}

function slabUnder({ positions, indices }, columns, rows, depth) {
  const count = positions.length / 3;
  const all = [...positions];
  for (let v = 0; v < count; v++) all.push(positions[3 * v], -depth, positions[3 * v + 2]);
  const faces = [...indices];
  for (let t = 0; t < indices.length; t += 3)
    faces.push(count + indices[t], count + indices[t + 2], count + indices[t + 1]);
  const wall = (a, b) => faces.push(a, b, count + b, a, count + b, count + a);
  const at = (i, j) => i * (rows + 1) + j;
  for (let i = 0; i < columns; i++) {
    wall(at(i, 0), at(i + 1, 0));
    wall(at(i + 1, rows), at(i, rows));
  }
  for (let j = 0; j < rows; j++) {
    wall(at(0, j + 1), at(0, j));
    wall(at(columns, j), at(columns, j + 1));
  }
  return outward({ positions: all, indices: faces });
}

/** About the x axis, with a face below. */
function capsule(radius, length, around, across) {
  const rings = [];
  for (let k = 1; k <= across; k++) {
    const angle = (Math.PI * k) / (2 * across);
    rings.push([-length / 2 - radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  for (const [x, r] of rings.toReversed()) rings.push([-x, r]);
  const positions = [-length / 2 - radius, 0, 0, length / 2 + radius, 0, 0];
  const indices = [];
  rings.forEach(([x, r], k) => {
    for (let i = 0; i < around; i++) {
      const angle = (2 * Math.PI * (i + 0.5)) / around;
      positions.push(x, -r * Math.cos(angle), r * Math.sin(angle));
      const [a, b] = [2 + k * around + i, 2 + k * around + ((i + 1) % around)];
      if (k === 0) indices.push(0, a, b);
      if (k === rings.length - 1) indices.push(1, b, a);
      else indices.push(a, a + around, b, b, a + around, b + around);
    }
  });
  return outward({ positions, indices });
}

/** A bridge with two feet. */
function bridge() {
  const outline = [
    [-0.15, 0],
    [-0.07, 0],
    [-0.07, 0.06],
    [0.07, 0.06],
    [0.07, 0],
    [0.15, 0],
    [0.15, 0.1],
    [-0.15, 0.1],
  ];
  const positions = [];
  for (const z of [-0.1, 0.1]) for (const [x, y] of outline) positions.push(x, y, z);
  const face = [0, 1, 2, 0, 2, 7, 2, 3, 6, 2, 6, 7, 3, 4, 5, 3, 5, 6];
  const indices = [];
  for (let t = 0; t < face.length; t += 3) {
    indices.push(face[t], face[t + 2], face[t + 1]);
    indices.push(8 + face[t], 8 + face[t + 1], 8 + face[t + 2]);
  }
  for (let i = 0; i < 8; i++) {
    const j = (i + 1) % 8;
    indices.push(i, j, 8 + j, i, 8 + j, 8 + i);
  }
  return outward({ positions, indices });
}

/** Flips a consistently oriented closed surface so that it faces outwards. */
function outward({ positions, indices }) {
  let volume = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => [...positions.slice(3 * indices[t + i], 3 * indices[t + i] + 3)]);
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return { positions, indices: volume < 0 ? indices.toReversed() : indices };
}

/**
 * A mesh with transformed corners.
 * @param {SlideMesh} mesh
 * @param {(point: readonly number[]) => readonly number[]} at
 * @returns {SlideMesh}
 */
export function placed({ positions, indices }, at) {
  const moved = [];
  for (let v = 0; v < positions.length; v += 3) moved.push(...at(positions.slice(v, v + 3)));
  return { positions: moved, indices };
}

/** Raises a mesh so that its lowest points lie on y = 0. */
function raised(mesh) {
  let low = Infinity;
  for (let v = 1; v < mesh.positions.length; v += 3) low = Math.min(low, mesh.positions[v]);
  return placed(mesh, ([x, y, z]) => [x, y - low, z]);
}

/** The unit quaternion of a rotation. */
function quaternionOf(m) {
  const w = Math.sqrt(Math.max(0, 1 + m[0] + m[4] + m[8])) / 2;
  const x = Math.sign(m[7] - m[5]) * (Math.sqrt(Math.max(0, 1 + m[0] - m[4] - m[8])) / 2);
  const y = Math.sign(m[2] - m[6]) * (Math.sqrt(Math.max(0, 1 - m[0] + m[4] - m[8])) / 2);
  const z = Math.sign(m[3] - m[1]) * (Math.sqrt(Math.max(0, 1 - m[0] - m[4] + m[8])) / 2);
  return [x, y, z, w];
}

/** The rotation by q, then by p. */
function product(p, q) {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}
