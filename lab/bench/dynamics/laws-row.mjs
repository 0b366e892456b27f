/**
 * Small scenes whose outcome is known by a formula, beside Rapier and Jolt: how far a brick slides, what a row of balls
 * passes on, and what stands or falls at a limit. Ours begin as far apart as the thickness; theirs touch.
 */
import { fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { findJolt, joltWorld } from './jolt.mjs';
import { findRapier } from './rapier.mjs';

const G = 9.81;
const THICKNESS = 0.0002;
const UNTURNED = [0, 0, 0, 1];

/** Scenes for a gap between bodies that touch, and what is measured of the places and velocities at the end. */
const LAWS = {
  'stopping distance at 3 m/s, μ = 0.2': (gap) => ({
    law: { friction: 0.2 },
    bodies: [{ half: [0.5, 0.1, 0.3], mass: 10, place: [0, 0.1 + gap, 0], velocity: [3, 0, 0] }],
    steps: 240,
    measure: ([{ place }]) => ({ 'of v² / 2 μ g': { value: place[0] / (9 / (2 * 0.2 * G)), unit: '' } }),
  }),
  'five balls, apart by 2 cm': () => cradle(0.02),
  'five balls that touch': (gap) => cradle(gap),
  'an arch of 9 stones, 0.115 deep, which stands': (gap) => arch(0.115, gap),
  'an arch of 9 stones, 0.1 deep, which falls': (gap) => arch(0.1, gap),
  'two cards that lean at 0.95 of tan = 2 μ, which stand': (gap) => cards(0.95, gap),
  'two cards that lean at 1.05 of it, which fall': (gap) => cards(1.05, gap),
  'a cube of 1 000 kg on one of 1 kg, which stands': (gap) => ({
    law: { friction: 0.5 },
    bodies: [1, 1000].map((mass, i) => ({
      ...{ half: [0.5, 0.5, 0.5], mass },
      place: [0.1 * i, 0.5 + gap + i * (1 + gap), 0],
    })),
    steps: 300,
    measure: farthest,
  }),
};

export async function lawsRow({ figures }) {
  figures.begin('laws', 'small scenes whose outcome is known by a formula');
  const contenders = [
    ...(await findRapier(figures)).map(([name, rapier]) => [name, (scene) => simulatedBy(rapier, scene)]),
    ...(await findJolt(figures)).map(([name, jolt]) => [name, (scene) => simulatedByJolt(jolt, scene)]),
  ];
  for (const [name, sceneOf] of Object.entries(LAWS)) {
    for (const [contender, endsOf] of contenders) {
      const scene = sceneOf(0);
      figures.add(name, scene.measure(endsOf(scene), scene.bodies), contender);
    }
    const scene = sceneOf(THICKNESS);
    figures.add(name, scene.measure(simulated(figures, name, scene), scene.bodies));
  }
}

/** The first of five equal balls flies at the others. */
function cradle(gap) {
  return {
    law: { friction: 0, restitution: 1, gravity: 0 },
    bodies: [-0.5, 0, 1, 2, 3].map((i) => ({
      ...{ radius: 0.1, mass: 1 },
      place: [i < 0 ? i : i * (0.2 + gap), 5, 0],
      velocity: [i < 0 ? 1 : 0, 0, 0],
    })),
    steps: 120,
    measure: (ends) => ({
      'speed of the last': { value: ends[4].velocity[0], unit: '' },
      'of the first': { value: ends[0].velocity[0], unit: '' },
      'energy left': { value: ends.reduce((sum, { velocity }) => sum + velocity[0] ** 2, 0), unit: '' },
    }),
  };
}

/** Half a circle of stones about a radius of 1. */
function arch(depth, gap) {
  const bodies = Array.from({ length: 9 }, (_, i) => {
    const points = [0, 1].flatMap((end) => {
      const angle = (Math.PI * (i + end)) / 9;
      const off = (0.5 - end) * gap;
      return [1 - depth / 2, 1 + depth / 2].flatMap((r) =>
        [-0.25, 0.25].flatMap((z) => [
          r * Math.cos(angle) - off * Math.sin(angle),
          r * Math.sin(angle) + off * Math.cos(angle) + gap / 2,
          z,
        ]),
      );
    });
    const middle = [0, 1, 2].map((k) => points.filter((_, j) => j % 3 === k).reduce((s, x) => s + x / 8, 0));
    return { points: points.map((x, j) => x - middle[j % 3]), mass: 50, place: middle };
  });
  return { law: { friction: 0.7 }, bodies, steps: 240, measure: farthest };
}

function cards(share, gap) {
  const friction = 0.4;
  const angle = Math.atan(2 * friction * share);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const bodies = [-1, 1].map((side) => ({
    half: [0.005, 0.45, 0.3],
    mass: 0.2,
    place: [side * (0.45 * s + 0.005 * c + gap / 2), 0.45 * c + 0.005 * s + gap, 0],
    turn: [0, 0, Math.sin((side * angle) / 2), Math.cos(angle / 2)],
  }));
  return { law: { friction }, bodies, steps: 240, measure: farthest };
}

function farthest(ends, starts) {
  const ways = ends.map(({ place }, i) => Math.hypot(...place.map((x, k) => x - starts[i].place[k])));
  return { moved: { value: 1000 * Math.max(...ways), unit: 'mm' } };
}

function simulated(figures, name, { law: { gravity = G, ...law }, bodies, steps }) {
  const options = { dt: 1 / 120, thickness: THICKNESS, gravity: [0, -gravity, 0], sleeping: false, ...law };
  const simulation = new Simulation(options);
  simulation.add(fixedBody({ min: [-20, -1, -20], max: [20, 0, 20] }));
  const made = bodies.map(({ mass, place, turn = UNTURNED, velocity = [0, 0, 0], ...shape }) => {
    const { half, radius, points } = shape;
    const source = half
      ? { min: half.map((x) => -x), max: half }
      : points
        ? { points }
        : { centre: [0, 0, 0], radius };
    const body = rigidBody(source, { mass, orientation: turn, velocity });
    body.position = place.map((x, k) => x + body.position[k]);
    simulation.add(body);
    return { body, off: body.position.map((x, k) => x - place[k]) };
  });
  for (let step = 0; step < steps; step++) simulation.step();
  figures.assert(simulation.intersections() === 0, `${name}: bodies meet`);
  const ends = made.map(({ body, off }) => ({
    place: body.position.map((x, k) => x - off[k]),
    velocity: body.velocity,
  }));
  simulation.dispose();
  return ends;
}

function simulatedBy(rapier, { law: { friction, restitution = 0, gravity = G }, bodies, steps }) {
  const world = new rapier.World({ x: 0, y: -gravity, z: 0 });
  world.timestep = 1 / 120;
  const collider = (desc) =>
    desc
      .setFriction(friction)
      .setRestitution(restitution)
      .setRestitutionCombineRule(rapier.CoefficientCombineRule.Max);
  world.createCollider(collider(rapier.ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0)));
  const made = bodies.map(({ mass, place, turn = UNTURNED, velocity = [0, 0, 0], half, radius, points }) => {
    const [x, y, z, w] = turn;
    const desc = rapier.RigidBodyDesc.dynamic()
      .setTranslation(...place)
      .setRotation({ x, y, z, w })
      .setLinvel(...velocity)
      .setCanSleep(false)
      .setCcdEnabled(true);
    const body = world.createRigidBody(desc);
    const { ColliderDesc } = rapier;
    const shape = half
      ? ColliderDesc.cuboid(...half)
      : points
        ? ColliderDesc.convexHull(Float32Array.from(points))
        : ColliderDesc.ball(radius);
    world.createCollider(collider(shape.setMass(mass)), body);
    return body;
  });
  for (let step = 0; step < steps; step++) world.step();
  const ends = made.map((body) => ({
    place: Object.values(body.translation()),
    velocity: Object.values(body.linvel()),
  }));
  world.free();
  return ends;
}

function simulatedByJolt(jolt, { law, bodies, steps }) {
  const world = joltWorld(jolt, bodies, { ...law, dt: 1 / 120, side: 20, sleeping: false });
  for (let step = 0; step < steps; step++) world.step();
  const ends = world.ends();
  world.free();
  return ends;
}
