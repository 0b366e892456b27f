/** Our side of the row `mover`: a scene, `collideOne`, and `collide` for the first two objects. */
import { collide, collideOne, Mesh, Scene } from 'impinge';
import { runMover } from './mover-contender.mjs';

await runMover({
  build(objects) {
    const scene = new Scene();
    const meshes = objects.map(({ positions, indices }) => Mesh.from({ positions, indices }));
    const placed = objects.map(({ pose }, i) =>
      scene.add(meshes[i], { pose: { rotation: pose.slice(0, 9), translation: pose.slice(9) } }),
    );
    return { scene, meshes, mover: placed.at(-1) };
  },
  step({ scene, mover }, translation) {
    mover.move({ translation });
    return collideOne(scene, mover, { mode: 'any' }).count;
  },
  apart: ({ meshes: [a, b] }, translation) =>
    !collide(a, b, { mode: 'any', pose: { translation } }).colliding,
});
