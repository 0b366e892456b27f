/**
 * A pile of concave bodies: time per step, and what fell through.
 *
 * Counted where the last step left them, for every contender by the same exact queries on the scene's own triangles:
 * bodies whose centre of mass is below the floor or beyond a wall; pairs of bodies that meet; of those, the pairs in
 * which one is in the other by more than 5 mm (about a tenth of what bodies are thick).
 */
import { pile } from '@impinge/scenes/rigid';
import { collide, contacts, Mesh } from 'impinge';
import { milliseconds } from '../measure/figures.mjs';
import { findRapier, rapierPoses, rapierWorld } from './rapier.mjs';
import { openScene, posesOf, timedSteps } from './steps.mjs';

const DEEP = 0.005;
/** Required milliseconds per step. */
const ASKED = 50;
const WORKERS = 2;
/** Seconds after which a peer is stopped. */
const PATIENCE = 300;

export async function pileRow({ figures, quick }) {
  const size = quick ? 24 : 1000;
  const steps = quick ? 80 : 400;
  const scene = pile({ count: size });
  const name = `${size} bodies, ${steps} steps of 1/100 s`;
  figures.begin('pile', `rings and letters of ${triangles(scene)} triangles fall into a box`);
  for (const [contender, rapier] of await findRapier(figures)) {
    for (const [way, colliderOf] of Object.entries(collidersOf(rapier))) {
      const known = new Map();
      const shapeOf = (shape) => known.get(shape) ?? known.set(shape, colliderOf(shape)).get(shape);
      const { world, bodies } = rapierWorld(rapier, scene, shapeOf, (place) => walls(rapier, scene, place));
      const taken = await timedSteps(steps, () => world.step(), undefined, PATIENCE);
      const found = fallen(scene, rapierPoses(bodies));
      world.free();
      figures.add(`${name}, ${way}`, { ...timesOf(taken), ...found }, contender);
    }
  }
  const ours = await openScene('pile', { count: size, workers: WORKERS });
  const taken = await timedSteps(steps, ours.step);
  const found = fallen(scene, posesOf(ours.bodies));
  const asleep = ours.bodies.filter((body) => body.asleep).length;
  await ours.dispose();
  figures.add(`${name}, ${WORKERS} threads`, {
    ...timesOf(taken, quick ? undefined : ASKED),
    ...found,
    'at rest': { value: asleep, unit: 'bodies' },
  });
  for (const [what, { value, unit }] of Object.entries(found)) {
    figures.assert(value === 0, `${value} ${unit} ${what}`);
  }
}

const timesOf = ({ mean, most, made }, asked) => ({
  made: { value: made, unit: 'steps' },
  mean: milliseconds(mean, asked),
  most: milliseconds(most),
});

function triangles({ shapes }) {
  const sizes = shapes.map(({ indices }) => indices.length / 3);
  return `${Math.min(...sizes)} to ${Math.max(...sizes)}`;
}

function collidersOf({ ColliderDesc, TriMeshFlags, CompoundFlags }) {
  return {
    trimesh: ({ positions, indices }) =>
      ColliderDesc.trimesh(positions, indices, TriMeshFlags.FIX_INTERNAL_EDGES),
    ...(ColliderDesc.convexDecomposition && {
      'convex decomposition': ({ positions, indices }) =>
        ColliderDesc.convexDecomposition(positions, indices, undefined, CompoundFlags?.FIX_INTERNAL_EDGES),
    }),
  };
}

/** The walls lean outwards by this share of their height. */
const LEAN = 0.2;

/** A floor and four walls a metre thick, with inner sides like the scene's box. */
function walls({ ColliderDesc }, { side, height }, place) {
  place(ColliderDesc.cuboid(side, 0.5, side).setTranslation(0, -0.5, 0));
  const angle = Math.atan(LEAN);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const long = height / c / 2;
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    // from the foot of the inner side: half-way up along it, half a metre out
    const out = side / 2 + long * s + 0.5 * c;
    const up = long * c - 0.5 * s;
    const wall = x === 0 ? ColliderDesc.cuboid(side, long, 0.5) : ColliderDesc.cuboid(0.5, long, side);
    const half = { sin: Math.sin(angle / 2), cos: Math.cos(angle / 2) };
    place(
      wall
        .setTranslation(out * x, up, out * z)
        .setRotation({ x: z * half.sin, y: 0, z: -x * half.sin, w: half.cos }),
    );
  }
}

/** Counts bodies out of place; `poses` are those of the shapes. */
function fallen({ bodies, shapes, side }, poses) {
  const meshes = shapes.map((shape) => Mesh.from(shape));
  const reaches = shapes.map(({ positions }) => reachOf(positions));
  let outside = 0;
  for (const {
    translation: [x, y, z],
  } of poses) {
    if (!(y > 0) || Math.max(Math.abs(x), Math.abs(z)) > side / 2 + LEAN * y) outside++;
  }
  let [meeting, deep] = [0, 0];
  for (let i = 0; i < poses.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [bodies[i].shape, bodies[j].shape];
      const apart = Math.hypot(...poses[i].translation.map((x, k) => x - poses[j].translation[k]));
      if (!(apart < reaches[a] + reaches[b])) continue;
      const placed = { poseA: poses[i], poseB: poses[j] };
      if (!collide(meshes[a], meshes[b], { ...placed, mode: 'any' }).colliding) continue;
      meeting++;
      const { regions } = contacts(meshes[a], meshes[b], placed);
      if (regions.some(({ depth }) => depth > DEEP)) deep++;
    }
  }
  for (const mesh of meshes) mesh.dispose();
  return {
    'outside the box': { value: outside, unit: 'bodies' },
    'that meet': { value: meeting, unit: 'pairs' },
    'deeper than 5 mm': { value: deep, unit: 'pairs' },
  };
}

function reachOf(positions) {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
  }
  return most;
}
