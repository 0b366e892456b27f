/** Tops that nothing holds: bodies of any moments, moved by the kernels alone, and what mechanics says of them. */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { ANGULAR, RigidState, ROTATION } from '../../src/bodies/rigid-state.js';
import { turnBy } from '../../src/bodies/rotation.js';
import { BodyTable } from '../../src/rigid/body-table.js';
import { ImpulseSystem } from '../../src/rigid/impulse-system.js';

type Vec = readonly number[];

/** A body with these moments along its axes, of which each is at most the sum of the others. */
export function topOf([a, b, c]: Vec, spin: Vec, turn: Vec = [0, 0, 0]): RigidState {
  const second = Float64Array.of((b + c - a) / 2, (c + a - b) / 2, (a + b - c) / 2, 0, 0, 0);
  const state = new RigidState({ mass: 1, centre: [0, 0, 0], second });
  turnBy(state.rotation, turn[0], turn[1], turn[2]);
  state.angular.set(state.angularOf(state.rotation, spin));
  return state;
}

/** Moments of a random solid, of which the largest is up to `ratio` times the least. */
export function randomMoments(random: SeededRandom, ratio: number): Vec {
  const across = [0, 1, 2].map(() => (0.5 / ratio) ** random.next());
  return [across[1] + across[2], across[2] + across[0], across[0] + across[1]];
}

export function randomVector(random: SeededRandom, length: number): Vec {
  const v = [0, 1, 2].map(() => 2 * random.next() - 1);
  return v.map((x) => (x * length) / Math.max(1e-9, Math.hypot(...v)));
}

/** Moves a body by steps of h seconds through the kernels; after each, `visit`. */
export function turnOn(state: RigidState, h: number, steps: number, visit: (step: number) => void): void {
  const table = new BodyTable();
  table.resize(1);
  table.load(0, state, [0, 0, 0]);
  const system = new ImpulseSystem();
  system.open(1, 0, 0);
  const body = system.addBody(table, 0);
  const { kernel } = system;
  kernel.openIsland(0, 1, 0, 0);
  for (let step = 1; step <= steps; step++) {
    kernel.accelerate(h, true);
    kernel.advance(h, false);
    kernel.orient();
    system.readBody(body, table, 0);
    for (let k = 0; k < 4; k++) state.numbers[ROTATION + k] = table.turn[k];
    for (let k = 0; k < 3; k++) state.numbers[ANGULAR + k] = table.angular[k];
    visit(step);
  }
  system.dispose();
}

export function energyOf(state: RigidState): number {
  const { angular, rotation } = state;
  return 0.5 * state.spinOf(rotation, angular).reduce((sum, w, k) => sum + w * angular[k], 0);
}

/** Angular momentum, or any vector of the world, in the frame of a body. */
export function inBody({ rotation: [x, y, z, w] }: RigidState, v: ArrayLike<number>): Vec {
  // q⁻¹ v q
  const t = [2 * (z * v[1] - y * v[2]), 2 * (x * v[2] - z * v[0]), 2 * (y * v[0] - x * v[1])];
  return [
    v[0] + w * t[0] - (y * t[2] - z * t[1]),
    v[1] + w * t[1] - (z * t[0] - x * t[2]),
    v[2] + w * t[2] - (x * t[1] - y * t[0]),
  ];
}

/** How far two turns are from each other, in radians. */
export function angleBetween(p: ArrayLike<number>, q: ArrayLike<number>): number {
  const [plus, minus] = [1, -1].map((s) => Math.hypot(...[0, 1, 2, 3].map((k) => p[k] - s * q[k])));
  return 4 * Math.asin(Math.min(1, Math.min(plus, minus) / 2));
}

/** The same turning by the classic rule of Runge and Kutta in many small steps: plain, slow, and another way to go. */
export function plainTurn(moments: Vec, state: RigidState, time: number, steps: number): Vec {
  const w = inBody(state, state.angular).map((m, k) => m / moments[k]);
  const rates = ([a, b, c, x, y, z, s]: Vec): Vec => [
    ((moments[1] - moments[2]) / moments[0]) * b * c,
    ((moments[2] - moments[0]) / moments[1]) * c * a,
    ((moments[0] - moments[1]) / moments[2]) * a * b,
    0.5 * (s * a + y * c - z * b),
    0.5 * (s * b + z * a - x * c),
    0.5 * (s * c + x * b - y * a),
    -0.5 * (x * a + y * b + z * c),
  ];
  const ahead = (at: Vec, by: Vec, h: number): Vec => at.map((x, k) => x + h * by[k]);
  let at: Vec = [...w, ...state.rotation];
  const h = time / steps;
  for (let step = 0; step < steps; step++) {
    const a = rates(at);
    const b = rates(ahead(at, a, h / 2));
    const c = rates(ahead(at, b, h / 2));
    const d = rates(ahead(at, c, h));
    at = at.map((x, k) => x + (h / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]));
  }
  return at.slice(3);
}

/** sn, cn and dn of u for the parameter m = k², by Landen's descent. */
export function jacobi(u: number, m: number): { sn: number; cn: number; dn: number } {
  const a = [1];
  const c = [Math.sqrt(m)];
  let b = Math.sqrt(1 - m);
  while (Math.abs(c[c.length - 1]) > 1e-16 && a.length < 30) {
    const last = a[a.length - 1];
    a.push((last + b) / 2);
    c.push((last - b) / 2);
    b = Math.sqrt(last * b);
  }
  let phi = 2 ** (a.length - 1) * a[a.length - 1] * u;
  for (let n = a.length - 1; n > 0; n--) phi = (phi + Math.asin((c[n] * Math.sin(phi)) / a[n])) / 2;
  const [sn, cn] = [Math.sin(phi), Math.cos(phi)];
  return { sn, cn, dn: Math.sqrt(1 - m * sn * sn) };
}

/** A quarter of the period of sn, by the arithmetic-geometric mean. */
export function quarterPeriod(m: number): number {
  let [a, b] = [1, Math.sqrt(1 - m)];
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (a + b);
}
