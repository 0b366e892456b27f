/** Preconditioned conjugate gradients on M / h² + stiffness. */
import {
  along, forces, gradient, lefts, masses, others, own, products, searches, starts, vertices, volumes, ways,
} from './layout';

/** The sum of the lanes, as f64. */
// @ts-ignore: decorator
@inline function total(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** sum + a b, lane by lane, in two lanes of f64. */
// @ts-ignore: decorator
@inline function added(sum: v128, a: v128, b: v128): v128 {
  const x = f32x4.mul(a, b);
  const high = v128.shuffle<f32>(x, x, 2, 3, 0, 1);
  return f64x2.add(sum, f64x2.add(f64x2.promote_low_f32x4(x), f64x2.promote_low_f32x4(high)));
}

// @ts-ignore: decorator
@inline function addTo(at: usize, x: v128): void {
  v128.store(at, f32x4.add(v128.load(at), x));
}

/** Inverts the stiffness of each vertex on its own, to 0 for those held in place. `perSquare`: 1 / h². */
export function invertOwn(perSquare: f64): void {
  memory.fill(own, 0, 48 * <usize>vertices);
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const end = <usize>load<u32>(starts + 4 * i, 4);
    let x = f32x4.splat(0), y = f32x4.splat(0), z = f32x4.splat(0);
    for (let s = <usize>load<u32>(starts + 4 * i); s < end; s++) {
      const a = v128.load(along + 16 * s);
      const o = own + 48 * <usize>load<u32>(others + 4 * s);
      const b = f32x4.extract_lane(a, 3);
      const dx = f32x4.add(f32x4.mul(a, v128.shuffle<f32>(a, a, 0, 0, 0, 0)), f32x4(b, 0, 0, 0));
      const dy = f32x4.add(f32x4.mul(a, v128.shuffle<f32>(a, a, 1, 1, 1, 1)), f32x4(0, b, 0, 0));
      const dz = f32x4.add(f32x4.mul(a, v128.shuffle<f32>(a, a, 2, 2, 2, 2)), f32x4(0, 0, b, 0));
      x = f32x4.add(x, dx);
      y = f32x4.add(y, dy);
      z = f32x4.add(z, dz);
      addTo(o, dx);
      addTo(o + 16, dy);
      addTo(o + 32, dz);
    }
    addTo(own + 48 * i, x);
    addTo(own + 48 * i + 16, y);
    addTo(own + 48 * i + 32, z);
  }
  for (let i: usize = 0; i < <usize>vertices; i++) invert(own + 48 * i, load<f64>(masses + 8 * i) * perSquare, i);
}

function invert(o: usize, m: f64, i: usize): void {
  if (m === 0) {
    memory.fill(o, 0, 48);
    return;
  }
  let xx = m + <f64>load<f32>(o), xy = <f64>load<f32>(o, 4), xz = <f64>load<f32>(o, 8);
  let yy = m + <f64>load<f32>(o, 20), yz = <f64>load<f32>(o, 24), zz = m + <f64>load<f32>(o, 40);
  if (gradient !== 0) {
    const g = volumes + 16 * i;
    const x = <f64>load<f32>(g), y = <f64>load<f32>(g, 4), z = <f64>load<f32>(g, 8);
    xx += x * x;
    xy += x * y;
    xz += x * z;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  const cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
  const per = 1 / (xx * cxx + xy * cxy + xz * cxz);
  const ixy = <f32>(per * cxy), ixz = <f32>(per * cxz), iyz = <f32>(per * (xy * xz - xx * yz));
  v128.store(o, f32x4(<f32>(per * cxx), ixy, ixz, 0));
  v128.store(o, f32x4(ixy, <f32>(per * (xx * zz - xz * xz)), iyz, 0), 16);
  v128.store(o, f32x4(ixz, iyz, <f32>(per * (xx * yy - xy * xy)), 0), 32);
}

/**
 * Writes the ways that the forces left over call for, until they have fallen to `share`, by at most `most` products of
 * the stiffness with a vector; returns the number of these.
 */
export function descend(perSquare: f64, share: f64, most: u32): u32 {
  const size = <usize>vertices << 4;
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const f = forces + 24 * i;
    v128.store(
      lefts + 16 * i, f32x4(<f32>load<f64>(f), <f32>load<f64>(f, 8), <f32>load<f64>(f, 16), 0),
    );
  }
  memory.fill(ways, 0, size);
  memory.fill(searches, 0, size);
  memory.fill(products, 0, size);
  let left = goOn(0);
  const enough = share * share * left;
  let n: u32 = 0, beta: f64 = 0;
  while (n < most && left > enough) {
    const uphill = multiply(<f32>perSquare, <f32>beta);
    if (!(uphill > 0)) break;
    const next = goOn(<f32>(left / uphill));
    beta = next / left;
    left = next;
    n++;
  }
  return n;
}

/** Goes on along the search by alpha; returns the square of what is left. */
function goOn(alpha: f32): f64 {
  const a = f32x4.splat(alpha);
  let sum = f64x2.splat(0);
  for (let k: usize = 0; k < 16 * <usize>vertices; k += 16) {
    const o = own + 3 * k;
    addTo(ways + k, f32x4.mul(a, v128.load(searches + k)));
    const r = f32x4.sub(v128.load(lefts + k), f32x4.mul(a, v128.load(products + k)));
    v128.store(lefts + k, r);
    const z = owned(o, r);
    v128.store(products + k, z);
    sum = added(sum, r, z);
  }
  return total(sum);
}

// @ts-ignore: decorator
@inline function owned(o: usize, r: v128): v128 {
  const x = f32x4.mul(v128.load(o), v128.shuffle<f32>(r, r, 0, 0, 0, 0));
  const y = f32x4.mul(v128.load(o, 16), v128.shuffle<f32>(r, r, 1, 1, 1, 1));
  const z = f32x4.mul(v128.load(o, 32), v128.shuffle<f32>(r, r, 2, 2, 2, 2));
  return f32x4.add(f32x4.add(x, y), z);
}

/** The next search, and its product with M / h² + stiffness; returns their product. */
function multiply(perSquare: f32, beta: f32): f64 {
  const b = f32x4.splat(beta);
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const k = i << 4;
    const p = f32x4.add(v128.load(products + k), f32x4.mul(b, v128.load(searches + k)));
    v128.store(searches + k, p);
    v128.store(products + k, f32x4.mul(p, f32x4.splat(perSquare * <f32>load<f64>(masses + 8 * i))));
  }
  for (let i: usize = 0; i < <usize>vertices; i++) {
    const p = v128.load(searches + 16 * i);
    const end = <usize>load<u32>(starts + 4 * i, 4);
    let sum = f32x4.splat(0);
    for (let s = <usize>load<u32>(starts + 4 * i); s < end; s++) {
      const j = <usize>load<u32>(others + 4 * s) << 4;
      const d = f32x4.sub(p, v128.load(searches + j));
      const a = v128.load(along + 16 * s);
      let dot = f32x4.mul(a, d); // the fourth lane of d is 0
      dot = f32x4.add(dot, v128.shuffle<f32>(dot, dot, 2, 3, 0, 1));
      dot = f32x4.add(dot, v128.shuffle<f32>(dot, dot, 1, 0, 3, 2));
      const f = f32x4.add(f32x4.mul(a, dot), f32x4.mul(v128.shuffle<f32>(a, a, 3, 3, 3, 3), d));
      sum = f32x4.add(sum, f);
      v128.store(products + j, f32x4.sub(v128.load(products + j), f));
    }
    addTo(products + 16 * i, sum);
  }
  if (gradient !== 0) keepVolume();
  let dot = f64x2.splat(0);
  for (let k: usize = 0; k < 16 * <usize>vertices; k += 16) {
    dot = added(dot, v128.load(searches + k), v128.load(products + k));
  }
  return total(dot);
}

/** Adds the product of the search with the stiffness of the volume. */
function keepVolume(): void {
  let dot = f64x2.splat(0);
  for (let k: usize = 0; k < 16 * <usize>vertices; k += 16) {
    dot = added(dot, v128.load(volumes + k), v128.load(searches + k));
  }
  const grown = f32x4.splat(<f32>total(dot));
  for (let k: usize = 0; k < 16 * <usize>vertices; k += 16) addTo(products + k, f32x4.mul(grown, v128.load(volumes + k)));
}
