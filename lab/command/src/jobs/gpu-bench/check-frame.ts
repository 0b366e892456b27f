/** Compares a culler's answer with the CPU engine, pair by pair. */
import type { CulledPairs } from '@impinge/gpu';
import type { MovingScene } from '@impinge/scenes/gpu';
import { collideAll, Mesh, Scene, type SceneObject } from 'impinge';

/** The error, or undefined. The culler may have other ids than the scene. */
export function checkFrame(
  { objects }: MovingScene,
  found: CulledPairs,
  culledId: (id: number) => number = (id) => id,
): string | undefined {
  const scene = new Scene();
  const meshes = new Map<Float32Array, Mesh>();
  const ids = new Map<SceneObject, number>();
  try {
    // in the order of ids, so that the engine orders objects of a pair equally
    for (const { id, positions, indices, pose } of objects) {
      const mesh = meshes.get(positions) ?? Mesh.from({ positions, indices });
      meshes.set(positions, mesh);
      const place = { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
      ids.set(scene.add(mesh, { pose: place }), culledId(id));
    }
    const expected: string[] = [];
    for (const { a, b, pairs } of collideAll(scene).pairs) {
      for (let i = 0; i < pairs.length; i += 2) {
        expected.push(pairText(ids.get(a)!, pairs[i], ids.get(b)!, pairs[i + 1]));
      }
    }
    const answered = new Set<string>();
    for (let i = 0; i < 2 * found.count; i += 2) {
      const [t, u] = [found.triangles[i], found.triangles[i + 1]];
      answered.add(pairText(found.objects[i], t, found.objects[i + 1], u));
    }
    const wanted = new Set(expected);
    const missing = expected.find((pair) => !answered.has(pair));
    if (missing !== undefined) return `${missing} is missing (${wanted.size} pairs, ${found.count} found)`;
    if (found.count === wanted.size) return undefined;
    const extra = [...answered].find((pair) => !wanted.has(pair));
    return extra === undefined ? 'a pair was found twice' : `${extra} does not meet`;
  } finally {
    for (const mesh of meshes.values()) mesh.dispose();
  }
}

function pairText(a: number, triangleA: number, b: number, triangleB: number): string {
  return `triangle ${triangleA} of object ${a} with ${triangleB} of ${b}`;
}
