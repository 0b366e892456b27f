/**
 * A body that falls onto a model that lies still, bounces and comes to rest: poses for queries, the same for everybody.
 *
 * Impulses act where triangles of coarse versions of both meet, along the normals of the model that lies still; pairs
 * that are close to each other count as one contact. No trigonometry, so the poses are equal on every machine.
 */
import { collide, Mesh } from 'impinge';

const SUBSTEPS = 4;
const SUBSTEP_SECONDS = 1 / 240;
const ITERATIONS = 12;
const RESTITUTION = 0.35;
const FRICTION = 0.7;
/** Shares of the model's size per second squared. */
const GRAVITY = 0.5;
/** Slower contacts do not bounce; share of the size per second. */
const BOUNCES_FROM = 0.01;
/** Number of intersecting triangle pairs at rest: with fewer the body sinks in, with more it is pushed out. */
const PAIRS_AT_REST = 250;
/** Maximum speed of that; share of the size per second. */
const PUSH = 0.005;
/** Share of the spin left after a second of contact. */
const SPIN_LEFT = 0.05;
/** Contacts in one cell count as one; share of the size. */
const CELL = 0.02;

/**
 * @param {{ positions: Float32Array, indices: Uint32Array }} ground lies still
 * @param {{ positions: Float32Array, indices: Uint32Array }} body about its centre of mass
 * @param {{ steps: number, size: number, start: number[], rotation: number[], down: number[] }} options `size` of the
 *   model, `rotation` three rows, `down` a unit vector
 * @returns {{ kind: string, rotation: number[], translation: number[] }[]}
 */
export function fallPoses(ground, body, { steps, size, start, rotation, down }) {
  const a = Mesh.from(ground);
  const b = Mesh.from(body);
  const normals = triangleNormals(ground);
  const inertia = boxInertia(body);
  const state = {
    place: [...start],
    turn: [...rotation],
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
  };
  const poses = [];
  try {
    for (let step = 0; step < steps; step++) {
      let touched = false;
      for (let sub = 0; sub < SUBSTEPS; sub++) {
        for (let k = 0; k < 3; k++) state.velocity[k] += GRAVITY * size * SUBSTEP_SECONDS * down[k];
        const pose = { rotation: state.turn, translation: state.place };
        const { pairs } = collide(a, b, { pose });
        const contacts = contactsOf(pairs, body, normals, state, CELL * size);
        touched ||= contacts.length > 0;
        const push = Math.min(1, pairs.length / 2 / PAIRS_AT_REST - 1) * PUSH * size;
        if (contacts.length > 0) resolve(contacts, state, inertia, push, BOUNCES_FROM * size);
        advance(state);
      }
      poses.push({
        kind: touched ? 'touching' : 'falling',
        rotation: [...state.turn],
        translation: [...state.place],
      });
    }
  } finally {
    a.dispose();
    b.dispose();
  }
  return poses;
}

function contactsOf(pairs, body, normals, state, cell) {
  const cells = new Map();
  for (let p = 0; p < pairs.length; p += 2) {
    const arm = turned(state.turn, centre(body, pairs[p + 1]));
    const key = arm.map((x, k) => Math.floor((x + state.place[k]) / cell)).join(' ');
    let found = cells.get(key);
    if (!found) cells.set(key, (found = { arm: [0, 0, 0], normal: [0, 0, 0], count: 0 }));
    for (let k = 0; k < 3; k++) {
      found.arm[k] += arm[k];
      found.normal[k] += normals[3 * pairs[p] + k];
    }
    found.count++;
  }
  const contacts = [];
  for (const { arm, normal, count } of cells.values()) {
    const length = Math.sqrt(dot(normal, normal));
    if (length < 0.2 * count) continue; // both sides of something thin: no direction
    contacts.push({ arm: arm.map((x) => x / count), normal: normal.map((x) => x / length), pushed: 0 });
  }
  return contacts;
}

/** Sequential impulses on a body of mass 1. */
function resolve(contacts, state, inertia, push, bouncesFrom) {
  const { velocity, spin } = state;
  for (const contact of contacts) {
    const approach = -dot(velocityAt(state, contact.arm), contact.normal);
    contact.wanted = approach > bouncesFrom ? Math.max(RESTITUTION * approach, push) : push;
  }
  for (let i = 0; i < ITERATIONS; i++) {
    for (const contact of contacts) {
      const { arm, normal } = contact;
      const before = contact.pushed;
      const missing = contact.wanted - dot(velocityAt(state, arm), normal);
      contact.pushed = Math.max(0, before + missing / response(state.turn, inertia, arm, normal));
      pushAt(velocity, spin, state.turn, inertia, arm, normal, contact.pushed - before);
      const speed = velocityAt(state, arm);
      const along = dot(speed, normal);
      const slide = speed.map((x, k) => x - along * normal[k]);
      const slip = Math.sqrt(dot(slide, slide));
      if (slip === 0) continue;
      const against = slide.map((x) => -x / slip);
      const stop = slip / response(state.turn, inertia, arm, against);
      pushAt(
        velocity,
        spin,
        state.turn,
        inertia,
        arm,
        against,
        Math.min(stop, FRICTION * Math.abs(contact.pushed - before)),
      );
    }
  }
  const left = SPIN_LEFT ** SUBSTEP_SECONDS;
  for (let k = 0; k < 3; k++) spin[k] *= left;
}

function pushAt(velocity, spin, turn, inertia, arm, direction, amount) {
  const change = turnedByInertia(turn, inertia, cross(arm, direction));
  for (let k = 0; k < 3; k++) {
    velocity[k] += amount * direction[k];
    spin[k] += amount * change[k];
  }
}

/** The change of speed along the direction by an impulse of 1. */
function response(turn, inertia, arm, direction) {
  const lever = cross(arm, direction);
  return 1 + dot(lever, turnedByInertia(turn, inertia, lever));
}

function velocityAt({ velocity, spin }, arm) {
  const around = cross(spin, arm);
  return velocity.map((x, k) => x + around[k]);
}

function advance(state) {
  const { turn, spin } = state;
  for (let k = 0; k < 3; k++) state.place[k] += SUBSTEP_SECONDS * state.velocity[k];
  const columns = [0, 1, 2].map((c) => {
    const column = [turn[c], turn[3 + c], turn[6 + c]];
    const around = cross(spin, column);
    return column.map((x, k) => x + SUBSTEP_SECONDS * around[k]);
  });
  const x = unit(columns[0]);
  const along = dot(x, columns[1]);
  const y = unit(columns[1].map((value, k) => value - along * x[k]));
  const z = cross(x, y);
  for (let k = 0; k < 3; k++) [turn[3 * k], turn[3 * k + 1], turn[3 * k + 2]] = [x[k], y[k], z[k]];
}

/** Inverse moments of a solid box around the body, mass 1, about its own axes. */
function boxInertia({ positions }) {
  const extent = [0, 0, 0];
  for (let i = 0; i < positions.length; i++)
    extent[i % 3] = Math.max(extent[i % 3], 2 * Math.abs(positions[i]));
  const [x, y, z] = extent.map((e) => e * e);
  return [12 / (y + z), 12 / (x + z), 12 / (x + y)];
}

function turnedByInertia(turn, inertia, v) {
  const own = [0, 1, 2].map((c) => inertia[c] * (turn[c] * v[0] + turn[3 + c] * v[1] + turn[6 + c] * v[2]));
  return turned(turn, own);
}

function triangleNormals({ positions, indices }) {
  const normals = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3));
    const normal = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    const length = Math.sqrt(dot(normal, normal));
    for (let k = 0; k < 3; k++) normals[t + k] = length > 0 ? normal[k] / length : 0;
  }
  return normals;
}

function centre({ positions, indices }, triangle) {
  return [0, 1, 2].map(
    (k) =>
      (positions[3 * indices[3 * triangle] + k] +
        positions[3 * indices[3 * triangle + 1] + k] +
        positions[3 * indices[3 * triangle + 2] + k]) /
      3,
  );
}

function turned(turn, v) {
  return [0, 3, 6].map((row) => turn[row] * v[0] + turn[row + 1] * v[1] + turn[row + 2] * v[2]);
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(v) {
  const length = Math.sqrt(dot(v, v));
  return v.map((x) => x / length);
}
