/**
 * Bent tubes: rings with a gap, closed at their ends. Two of them, linked, only come apart through the gaps, which are
 * a little wider than the tubes.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';

export interface OpenRingOptions {
  /** From the middle to the middle of the tube (default 10). */
  readonly radius?: number;
  /** Radius of the tube (default 2). */
  readonly tube?: number;
  /** Between the ends (default 6). */
  readonly gap?: number;
  /** Segments along the tube, and around it (defaults 32 and 10). */
  readonly along?: number;
  readonly around?: number;
}

/** About zero in the plane z = 0; the gap is on the positive side of the x-axis. */
export function openRing(options: OpenRingOptions = {}): SceneMesh {
  const { radius = 10, tube = 2, gap = 6, along = 32, around = 10 } = options;
  const half = Math.asin((0.5 * gap) / radius);
  const rings = along + 1;
  const positions = new Float32Array(3 * (rings * around + 2));
  const indices: number[] = [];
  for (let i = 0; i < rings; i++) {
    const angle = half + ((2 * Math.PI - 2 * half) * i) / along;
    for (let j = 0; j < around; j++) {
      const turn = (2 * Math.PI * j) / around;
      const out = radius + tube * Math.cos(turn);
      const at = 3 * (i * around + j);
      positions.set([out * Math.cos(angle), out * Math.sin(angle), tube * Math.sin(turn)], at);
      if (i === along) continue;
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      indices.push(a, a + around, b, b, a + around, b + around);
    }
  }
  const ends = rings * around;
  for (const [end, angle] of [half, 2 * Math.PI - half].entries()) {
    positions.set([radius * Math.cos(angle), radius * Math.sin(angle), 0], 3 * (ends + end));
    const first = end * along * around;
    for (let j = 0; j < around; j++) {
      const [a, b] = [first + j, first + ((j + 1) % around)];
      indices.push(ends + end, ...(end === 0 ? [a, b] : [b, a]));
    }
  }
  return { name: 'ring', positions, indices: Uint32Array.from(indices) };
}

/**
 * Two linked rings, gaps away from each other: one stands still, the other is posed by twelve numbers, nine row-major
 * entries of a rotation and a translation.
 */
export function interlockedRings(options: OpenRingOptions = {}) {
  const { radius = 10 } = options;
  const ring = openRing(options);
  return {
    ring,
    // through the hole of the other, at right angles to it
    start: Float64Array.of(1, 0, 0, 0, 0, -1, 0, 1, 0, -radius, 0, 0),
    goal: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 4 * radius),
  };
}
