/** The forces of springs, the stiffness behind them, and the energy that is to be minimised. */
import {
  aims, along, forces, gradient, laws, masses, origins, others, places, starts, vertices, volumes, ways,
} from './layout';

/** Springs shorter than this, relative to their rest length, have no direction and are left alone. */
const SHORTEST: f64 = 1e-12;

/**
 * Writes the forces left over and the stiffness of springs; returns Σ m |x − aim|² / h² + Σ stiffness · stretch².
 * `perSquare`: 1 / h².
 */
export function linearise(perSquare: f64): f64 {
  let sum: f64 = 0;
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const k: usize = 24 * i;
    const m = load<f64>(masses + 8 * i) * perSquare;
    const dx = load<f64>(aims + k) - load<f64>(places + k);
    const dy = load<f64>(aims + k, 8) - load<f64>(places + k, 8);
    const dz = load<f64>(aims + k, 16) - load<f64>(places + k, 16);
    sum += m * (dx * dx + dy * dy + dz * dz);
    store<f64>(forces + k, m * dx);
    store<f64>(forces + k, m * dy, 8);
    store<f64>(forces + k, m * dz, 16);
  }
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const end = <usize>load<u32>(starts + 4 * i, 4);
    const p = places + 24 * i;
    const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
    let fx: f64 = 0, fy: f64 = 0, fz: f64 = 0;
    for (let s = <usize>load<u32>(starts + 4 * i); s < end; s++) {
      const j: usize = 24 * <usize>load<u32>(others + 4 * s);
      const q = places + j;
      const dx = x - load<f64>(q), dy = y - load<f64>(q, 8), dz = z - load<f64>(q, 16);
      const length = sqrt(dx * dx + dy * dy + dz * dz);
      const rest = load<f64>(laws + 16 * s), k = load<f64>(laws + 16 * s, 8);
      const stretch = length - rest;
      sum += k * stretch * stretch;
      const at = along + 16 * s;
      if (!(length > SHORTEST * rest)) {
        v128.store(at, f32x4.splat(0));
        continue;
      }
      const per = 1 / length;
      const pull = k * stretch * per;
      const px = pull * dx, py = pull * dy, pz = pull * dz;
      fx -= px;
      fy -= py;
      fz -= pz;
      const f = forces + j;
      store<f64>(f, load<f64>(f) + px);
      store<f64>(f, load<f64>(f, 8) + py, 8);
      store<f64>(f, load<f64>(f, 16) + pz, 16);
      // compressed springs would push outwards, across
      const across = max(pull, 0);
      const root = sqrt(k - across) * per;
      store<f32>(at, <f32>(root * dx));
      store<f32>(at, <f32>(root * dy), 4);
      store<f32>(at, <f32>(root * dz), 8);
      store<f32>(at, <f32>across, 12);
    }
    const f = forces + 24 * i;
    store<f64>(f, load<f64>(f) + fx);
    store<f64>(f, load<f64>(f, 8) + fy, 8);
    store<f64>(f, load<f64>(f, 16) + fz, 16);
  }
  return sum;
}

/** Σ stiffness · stretch² */
export function stored(): f64 {
  let sum: f64 = 0;
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const end = <usize>load<u32>(starts + 4 * i, 4);
    const p = places + 24 * i;
    const x = load<f64>(p), y = load<f64>(p, 8), z = load<f64>(p, 16);
    for (let s = <usize>load<u32>(starts + 4 * i); s < end; s++) {
      const q = places + 24 * <usize>load<u32>(others + 4 * s);
      const dx = x - load<f64>(q), dy = y - load<f64>(q, 8), dz = z - load<f64>(q, 16);
      const stretch = sqrt(dx * dx + dy * dy + dz * dz) - load<f64>(laws + 16 * s);
      sum += load<f64>(laws + 16 * s, 8) * stretch * stretch;
    }
  }
  return sum;
}

/** Adds the force of a volume that has grown too large by `change`, from its gradient. */
export function press(change: f64, stiffness: f64): void {
  const root = sqrt(stiffness), pressure = change * stiffness;
  for (let i: usize = 0; i < <usize>vertices; i++) {
    for (let axis: usize = 0; axis < 24; axis += 8) {
      const g = load<f64>(gradient + 24 * i + axis);
      const f = forces + 24 * i + axis;
      store<f64>(f, load<f64>(f) - pressure * g);
      store<f32>(volumes + 16 * i + (axis >> 1), <f32>(root * g));
    }
    store<f32>(volumes + 16 * i, 0, 12);
  }
}

/** Σ |force left over|² / m, of those that can move. */
export function imbalance(): f64 {
  let sum: f64 = 0;
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const m = load<f64>(masses + 8 * i);
    if (m === 0) continue;
    const f = forces + 24 * i;
    const x = load<f64>(f), y = load<f64>(f, 8), z = load<f64>(f, 16);
    sum += (x * x + y * y + z * z) / m;
  }
  return sum;
}

/** Moves on from the origins by the ways, times `share`. */
export function go(share: f64): void {
  for (let i: usize = 0; i < <usize>vertices; i++) {
    for (let axis: usize = 0; axis < 3; axis++) {
      const way = share * <f64>load<f32>(ways + 16 * i + 4 * axis);
      const k: usize = 24 * i + 8 * axis;
      store<f64>(places + k, load<f64>(origins + k) + way);
    }
  }
}
