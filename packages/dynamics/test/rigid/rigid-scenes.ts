/** Rigid bodies to try the simulation with. */
import { box } from '../../../../lab/scenes/solids.mjs';
import { type RigidBody, type RigidBodyOptions, rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import type { JointOptions } from '../../src/rigid/joint.js';

export const FLOOR = { name: 'floor', positions: [-90, 0, -90, 90, 0, -90, 0, 0, 90], indices: [0, 2, 1] };

interface Mesh {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** A body about a place. */
export function solid(mesh: Mesh, position: readonly number[], options: RigidBodyOptions = {}): RigidBody {
  return rigidBody(
    { name: 'solid', positions: mesh.positions, indices: mesh.indices },
    { position, ...options },
  );
}

/** Runs with a simulation and lets go of it. */
export function disposed<Result>(simulation: Simulation, use: (simulation: Simulation) => Result): Result {
  try {
    return use(simulation);
  } finally {
    simulation.dispose();
  }
}

/** Of motion and height. */
export function wholeEnergy(bodies: readonly RigidBody[]): number {
  return bodies.reduce((sum, body) => sum + body.energy() + 9.81 * body.mass * body.position[1], 0);
}

/** Cubes of 1 m on each other, all as far apart as the thickness. */
export function stack(count: number, dt: number, sleeping = true) {
  const thickness = 0.002;
  const simulation = new Simulation({ dt, thickness, sleeping });
  simulation.add(fixedBody(FLOOR));
  const cubes = Array.from({ length: count }, (_, i) =>
    solid(box(1, 1, 1), [0, 0.5 + thickness + i * (1 + thickness), 0], {}),
  );
  for (const cube of cubes) simulation.add(cube);
  return { simulation, cubes, thickness };
}

/** Boxes in rows, each on two of the row below. */
export function pyramid(rows: number, dt: number, { uneven = 0, sleeping = true } = {}) {
  const thickness = 0.001;
  const simulation = new Simulation({ dt, thickness, friction: 0.5, sleeping });
  simulation.add(fixedBody(FLOOR));
  const first = solid(box(0.5, 0.25, 0.25), [0, 0, 0]);
  const boxes: RigidBody[] = [];
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < rows - row; i++) {
      const x = (i - (rows - row - 1) / 2) * 0.52;
      const z = uneven * (((7 * row + 3 * i) % 5) - 2);
      const position = [x, 0.125 + thickness + row * (0.25 + thickness), z];
      boxes.push(first.copy({ name: `box ${row} ${i}`, position }));
    }
  }
  for (const one of boxes) simulation.add(one);
  return { simulation, boxes, thickness };
}

/** Bars on joints of every kind, above a floor that some of them strike; one joint is too weak. */
export function jointed(options: Partial<SimulationOptions> = {}): Simulation {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.002, ...options });
  simulation.add(fixedBody(FLOOR));
  const bar = solid(box(0.4, 0.1, 0.1), [0, 0, 0]);
  const kinds = ['fixed', 'ball', 'hinge', 'slider', 'distance', 'spring', 'hinge', 'slider'] as const;
  kinds.forEach((kind, i) => {
    const [a, b] = [0, 1].map((k) => {
      const name = `${kind} ${i} ${k}`;
      return bar.copy({ name, position: [0.5 * k, 0.4 + 0.02 * i, 0.5 * i], spin: [0.5 * k, 0, 1 - k] });
    });
    for (const body of [a, b]) simulation.add(body);
    const at = [-0.25, 0.4 + 0.02 * i, 0.5 * i];
    const to = at.map((x, k) => (k === 1 ? x + 0.3 : x));
    const axis = [0, 0, 1];
    const motor = i > 5 ? { motor: { target: 0.3, stiffness: 90, damping: 3, most: 40 } } : {};
    const limits = i === 2 || i === 3 ? { limits: [-0.3, 0.2] as const } : {};
    const ends =
      kind === 'fixed' || kind === 'ball' ? {} : kind === 'hinge' || kind === 'slider' ? { axis } : { to };
    const own = kind === 'spring' ? { stiffness: 300, damping: 2 } : {};
    simulation.join({ kind, a, at, ...ends, ...own, ...limits, ...motor } as JointOptions);
    // a second bar on the first
    simulation.join({
      kind: 'ball',
      a: b,
      b: a,
      at: [0.25, at[1], at[2]],
      ...(i === 1 && { breakForce: 30 }),
    });
  });
  return simulation;
}

/** A prism of n sides about the y axis. */
export function cylinder(radius: number, height: number, n: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let k = 0; k < n; k++) {
    const [x, z] = [radius * Math.cos((2 * Math.PI * k) / n), radius * Math.sin((2 * Math.PI * k) / n)];
    positions.push(x, -height / 2, z, x, height / 2, z);
    const [a, b] = [2 * k, 2 * ((k + 1) % n)];
    indices.push(a, a + 1, b, b, a + 1, b + 1, 2 * n, a, b, 2 * n + 1, b + 1, a + 1);
  }
  positions.push(0, -height / 2, 0, 0, height / 2, 0);
  return { positions, indices };
}

/** Largest change of a distance between vertices. */
export function distortion(x: Float64Array, to: Float64Array): number {
  let worst = 0;
  for (let v = 0; v < x.length; v += 3) {
    for (let w = 0; w < v; w += 3) {
      const gap = (p: Float64Array) => Math.hypot(p[v] - p[w], p[v + 1] - p[w + 1], p[v + 2] - p[w + 2]);
      worst = Math.max(worst, Math.abs(gap(x) - gap(to)));
    }
  }
  return worst;
}

/** Part of a sphere about the origin, up to an angle from its lowest point, seen from outside. */
function cap(radius: number, most: number, rings: number, sectors: number): Mesh {
  const positions = [0, -radius, 0];
  const indices: number[] = [];
  for (let i = 1; i <= rings; i++) {
    const [down, out] = [radius * Math.cos((most * i) / rings), radius * Math.sin((most * i) / rings)];
    for (let j = 0; j < sectors; j++) {
      const turn = (2 * Math.PI * j) / sectors;
      positions.push(out * Math.cos(turn), -down, out * Math.sin(turn));
      const [a, b] = [1 + (i - 1) * sectors + j, 1 + (i - 1) * sectors + ((j + 1) % sectors)];
      if (i === 1) indices.push(0, a, b);
      else indices.push(a - sectors, a, b, a - sectors, b, b - sectors);
    }
  }
  return { positions, indices };
}

/** A lens that turns about its axis in a bowl, all over it; of so many triangles that a search takes long. */
export function turningLens() {
  const thickness = 1e-4;
  const [rings, sectors] = [32, 80];
  const simulation = new Simulation({ dt: 1 / 240, thickness, friction: 0.05 });
  const bowl = cap(0.1, 0.6, rings, sectors);
  const inside = Array.from(bowl.indices, (_, i) => bowl.indices[i - (i % 3) + 2 - (i % 3)]);
  simulation.add(fixedBody({ name: 'bowl', positions: bowl.positions, indices: inside }));
  const lens = cap(0.1 - 1.2 * thickness, 0.45, rings, sectors);
  const positions = [...Array.from(lens.positions), 0, -0.09, 0];
  const indices = [...Array.from(lens.indices)];
  const rim = 1 + (rings - 1) * sectors;
  for (let j = 0; j < sectors; j++)
    indices.push(rim + ((j + 1) % sectors), rim + j, positions.length / 3 - 1);
  const body = rigidBody({ name: 'lens', positions, indices }, { spin: [0, 3, 0] });
  simulation.add(body);
  return { simulation, body, thickness };
}
