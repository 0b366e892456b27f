/** The plant of the demo as a scene, and as plain arrays. */
import { plant } from '@impinge/scenes/plant';
import { Mesh, Scene } from 'impinge';

const TRIANGLES = 300_000;
const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** Moved so that a place in it is the origin. */
export function plantScene([x, y, z] = [0, 0, 0]) {
  const scene = new Scene();
  const world = [];
  for (const { geometry, objects } of plant({ triangles: TRIANGLES }).shapes()) {
    const mesh = Mesh.from(geometry);
    for (const { pose: own = IDENTITY, name } of objects) {
      const pose = Float64Array.from(own);
      pose.set([own[9] - x, own[10] - y, own[11] - z], 9);
      scene.add(mesh, { pose, name });
      world.push({ ...geometry, pose });
    }
  }
  return { scene, world };
}
