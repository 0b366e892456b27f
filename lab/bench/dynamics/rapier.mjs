/**
 * Scenes of rigid bodies in Rapier (WASM), given its best: boxes as cuboids; concave bodies as its trimesh, with
 * internal edges fixed, or as its convex decomposition, its own way for those that move; thick walls instead of sheets;
 * continuous detection on. Steps, masses, friction and places are those of the scene.
 */

/** The newest version, and the newest with SIMD. */
const PACKAGES = ['@dimforge/rapier3d-compat', '@dimforge/rapier3d-simd-compat'];

/** The libraries by package name; prints which are missing. */
export async function findRapier(figures) {
  const found = [];
  for (const name of PACKAGES) {
    try {
      const { default: rapier } = await import(name);
      await rapier.init();
      found.push([name, rapier]);
    } catch (error) {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      figures.note(`${name}: skipped, it is not installed`);
    }
  }
  return found;
}

/**
 * @param rapier the library
 * @param scene of `@impinge/scenes/rigid`
 * @param {(shape: object) => object} colliderOf the collider of a shape, without density
 * @param {(place: (collider: object) => void) => void} addScenery
 * @param {{ sleeping?: boolean }} [options]
 */
export function rapierWorld(rapier, scene, colliderOf, addScenery, { sleeping = true } = {}) {
  const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
  world.timestep = scene.dt;
  addScenery((collider) => world.createCollider(collider.setFriction(scene.friction)));
  const bodies = scene.bodies.map(({ shape, turn: [x, y, z, w], place }) => {
    const body = world.createRigidBody(
      rapier.RigidBodyDesc.dynamic()
        .setTranslation(...place)
        .setRotation({ x, y, z, w })
        .setCanSleep(sleeping)
        .setCcdEnabled(true),
    );
    const { density } = scene.shapes[shape];
    world.createCollider(
      colliderOf(scene.shapes[shape]).setDensity(density).setFriction(scene.friction),
      body,
    );
    return body;
  });
  return { world, bodies };
}

/** Pose of the shape of each body: quaternion and translation. */
export function rapierPoses(bodies) {
  return bodies.map((body) => {
    const [{ x, y, z, w }, t] = [body.rotation(), body.translation()];
    const length = Math.hypot(x, y, z, w);
    return { rotation: [x, y, z, w].map((v) => v / length), translation: [t.x, t.y, t.z] };
  });
}

/** A cuboid for a box mesh around the origin. */
export function cuboidOf(rapier, shape) {
  return rapier.ColliderDesc.cuboid(...halfOf(shape));
}

/** Half the sides of a box mesh around the origin. */
export function halfOf({ positions }) {
  return [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));
}
