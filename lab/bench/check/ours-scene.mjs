/** Our in-memory check with the least code: a scene of meshes, hierarchies built lazily. */
import { collideAll, Mesh, Scene } from 'impinge';
import { runMemoryContender } from './memory-contender.mjs';

await runMemoryContender({
  prepare: (objects) =>
    objects.map(({ pose }) => ({ rotation: pose.subarray(0, 9), translation: pose.subarray(9) })),
  build(objects, poses) {
    const scene = new Scene();
    const meshes = objects.map(({ positions, indices }, i) => {
      const mesh = Mesh.from({ positions, indices });
      scene.add(mesh, { pose: poses[i] });
      return mesh;
    });
    return { scene, meshes, number: new Map(scene.objects().map((object, i) => [object, i])) };
  },
  hard: ({ scene, number }) => pairsOf(collideAll(scene, { mode: 'any' }), number),
  clearance: ({ scene, number }, _, clearance) =>
    pairsOf(collideAll(scene, { distance: clearance, mode: 'any' }), number),
  all: ({ scene }) => collideAll(scene).pairs.reduce((sum, { count }) => sum + count, 0),
  dispose({ meshes }) {
    for (const mesh of meshes) mesh.dispose();
  },
});

function pairsOf({ pairs }, number) {
  return pairs.flatMap(({ a, b }) => [number.get(a), number.get(b)]);
}
