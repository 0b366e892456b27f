/**
 * Scenes of rigid bodies in Jolt (WASM), given its best: boxes, spheres and hulls as its own, with its usual convex
 * radius; continuous detection on; no damping, and restitution at any speed, as the laws want. One thread: its builds
 * with SIMD have several, and do not start in Node.
 */

const PACKAGE = 'jolt-physics';
/** Its default. */
const CONVEX_RADIUS = 0.05;
/** Bodies that stay, and bodies that move. */
const LAYERS = 2;

/** The library, with its name; prints if it is missing. */
export async function findJolt(figures) {
  try {
    const { default: load } = await import(PACKAGE);
    return [[PACKAGE, await load()]];
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    figures.note(`${PACKAGE}: skipped, it is not installed`);
    return [];
  }
}

/**
 * A floor from y = −1 to 0, and bodies `{ half | radius | points, density | mass, place, turn, velocity }`.
 *
 * @param {{ dt: number, friction: number, restitution?: number, gravity?: number, side: number, sleeping?: boolean,
 *   rounds?: [velocity: number, position: number] }} law `rounds`: of its solver, 10 and 2 by default
 */
export function joltWorld(Jolt, bodies, law) {
  const { dt, friction, restitution = 0, gravity = 9.81, side, sleeping = true, rounds = [10, 2] } = law;
  const settings = new Jolt.JoltSettings();
  const layers = new Jolt.ObjectLayerPairFilterTable(LAYERS);
  const phases = new Jolt.BroadPhaseLayerInterfaceTable(LAYERS, LAYERS);
  for (let layer = 0; layer < LAYERS; layer++) {
    layers.EnableCollision(layer, 1);
    phases.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
  }
  settings.mObjectLayerPairFilter = layers;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(
    ...[phases, LAYERS, layers, LAYERS],
  );
  const jolt = new Jolt.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new Jolt.Vec3(0, -gravity, 0));
  const physics = system.GetPhysicsSettings();
  physics.mMinVelocityForRestitution = 0;
  [physics.mNumVelocitySteps, physics.mNumPositionSteps] = rounds;
  system.SetPhysicsSettings(physics);
  const space = system.GetBodyInterface();
  const add = (shape, { place, turn = [0, 0, 0, 1], velocity = [0, 0, 0], mass }, moves) => {
    const kind = moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static;
    const [at, rotation] = [new Jolt.RVec3(...place), new Jolt.Quat(...turn)];
    const made = new Jolt.BodyCreationSettings(shape, at, rotation, kind, moves ? 1 : 0);
    Object.assign(made, { mFriction: friction, mRestitution: restitution, mAllowSleeping: sleeping });
    Object.assign(made, { mLinearDamping: 0, mAngularDamping: 0 });
    if (moves) {
      made.mMotionQuality = Jolt.EMotionQuality_LinearCast;
      made.mLinearVelocity = new Jolt.Vec3(...velocity);
    }
    if (mass !== undefined) {
      made.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      made.mMassPropertiesOverride.mMass = mass;
    }
    const body = space.CreateBody(made);
    space.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return body;
  };
  add(boxOf(Jolt, [side, 0.5, side]), { place: [0, -0.5, 0] }, false);
  const shapes = new Map();
  const all = bodies.map((body) => {
    const key = body.half ?? body.points ?? body.radius;
    if (!shapes.has(key)) shapes.set(key, shapeOf(Jolt, body));
    return add(shapes.get(key), body, true);
  });
  const numbers = (v) => [v.GetX(), v.GetY(), v.GetZ()];
  return {
    step: () => jolt.Step(dt, 1),
    ends: () =>
      all.map((body) => ({
        place: numbers(body.GetPosition()),
        velocity: numbers(body.GetLinearVelocity()),
      })),
    free: () => Jolt.destroy(jolt),
  };
}

function shapeOf(Jolt, { half, radius, points, density = 1000 }) {
  const shape = half ? boxOf(Jolt, half) : points ? hullOf(Jolt, points) : new Jolt.SphereShape(radius);
  shape.SetDensity(density);
  return shape;
}

function boxOf(Jolt, half) {
  return new Jolt.BoxShape(new Jolt.Vec3(...half), Math.min(CONVEX_RADIUS, ...half));
}

function hullOf(Jolt, points) {
  const settings = new Jolt.ConvexHullShapeSettings();
  for (let i = 0; i < points.length; i += 3)
    settings.mPoints.push_back(new Jolt.Vec3(points[i], points[i + 1], points[i + 2]));
  return Jolt.castObject(settings.Create().Get(), Jolt.ConvexHullShape);
}
