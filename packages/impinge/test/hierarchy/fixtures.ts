/** Small meshes, poses and the slow answers that traversals are compared with. */
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { intersectsTriangleTriangle } from '../../src/geometry/intersect/triangle-triangle.js';
import { type BuildOptions, buildHierarchy } from '../../src/hierarchy/build.js';
import { lazyViewOf } from '../../src/hierarchy/build-obb.js';
import type { TreeView } from '../../src/hierarchy/tree-view.js';
import { posePoint, type RigidPose, toRigidPose } from '../../src/math/pose.js';
import { Mesh } from '../../src/mesh/mesh.js';

/** Triangles of about `size` scattered in a unit cube about `at`. */
export function soup(seed: number, count: number, size: number, at = 0): Mesh {
  const random = seededRandom(seed);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const middle = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[9 * t + i] = at + middle[i % 3] + size * (random() - 0.5);
  }
  return Mesh.from({ positions });
}

/** An n × n grid of squares in the plane z = height(x, y), two triangles each. */
export function grid(n: number, height = (_x: number, _y: number) => 0): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let y = 0; y <= n; y++)
    for (let x = 0; x <= n; x++) positions.push(x / n, y / n, height(x / n, y / n));
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const v = y * (n + 1) + x;
      indices.push(v, v + 1, v + n + 2, v, v + n + 2, v + n + 1);
    }
  }
  return Mesh.from({ positions: Float32Array.from(positions), indices });
}

/** The same triangle over and over. */
export function copies(count: number): Mesh {
  return Mesh.from({
    positions: Float32Array.from({ length: 9 * count }, (_, i) => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9]),
  });
}

/** Triangles that are points and segments, along a line. */
export function degenerates(count: number): Mesh {
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < 9; i++) positions[9 * t + i] = t % 2 === 0 ? t : t + (i < 3 ? 0.5 : 0);
  }
  return Mesh.from({ positions });
}

/** Distances between neighbours double: every cut groups off one triangle. */
export function doubling(count: number): Mesh {
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const x = 2 ** (t % 120) * 1e-18;
    positions.set([x, 0, 0, x * 1.001, 0, 0, x, x * 0.001, 0], 9 * t);
  }
  return Mesh.from({ positions });
}

/** A tree that lives as long as the view of it. */
export function build(mesh: Mesh, options: BuildOptions = {}): TreeView {
  return lazyViewOf(buildHierarchy(mesh, options));
}

/** A rotation by `angle` about a random axis, then a shift. */
export function randomPose(random: () => number, angle: number, shift: readonly number[]): RigidPose {
  const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
  const s = Math.sin(angle / 2) / Math.hypot(...axis);
  return toRigidPose({
    rotation: [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)],
    translation: shift,
  });
}

/** From a pose of B's stored positions to one between the trees' frames. */
export function poseBetweenTrees(a: TreeView, b: TreeView, pose: RigidPose): RigidPose {
  const out = Float64Array.from(pose);
  const ca = a.centre;
  posePoint(pose, ...b.centre, out, 9);
  for (let k = 0; k < 3; k++) out[9 + k] -= ca[k];
  return out;
}

/** Nine float64 per triangle, posed. */
export function posedCorners(mesh: Mesh, pose: RigidPose): Float64Array {
  const { positions, indices } = mesh;
  const out = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i];
    posePoint(pose, positions[v], positions[v + 1], positions[v + 2], out, 3 * i);
  }
  return out;
}

/** Keys i · countB + j of all intersecting triangles, by testing every pair; i < j for one mesh with itself. */
export function intersectingPairs(a: Float64Array, b: Float64Array): Set<number> {
  const pairs = new Set<number>();
  for (let i = 0; i < a.length / 9; i++) {
    for (let j = a === b ? i + 1 : 0; j < b.length / 9; j++) {
      if (intersectsTriangleTriangle(a, 9 * i, b, 9 * j)) pairs.add((i * b.length) / 9 + j);
    }
  }
  return pairs;
}
