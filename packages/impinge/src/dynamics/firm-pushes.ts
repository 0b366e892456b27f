/**
 * Pushes on a body that keeps its shape: it moves as a rigid one would, with the mass of the whole, and is
 * under stress where it was pushed.
 */
import { embed, type MatchedShape } from './matched-shape.js';
import { measureRigidPart, type RigidPart, rigidPart, solveInertia } from './step-guard.js';

/** Passes over the pushed vertices in which the motion comes to agree with them. */
const PASSES = 8;

/** What is needed while pushes are spread; nothing in it outlives a call. */
export interface FirmScratch {
  readonly part: RigidPart;
  readonly inverseInertia: Float64Array;
  readonly response: Float64Array;
  readonly surface: Float64Array;
}

export function firmScratch(vertexCount: number): FirmScratch {
  return {
    part: rigidPart(),
    inverseInertia: new Float64Array(9),
    response: new Float64Array(9),
    surface: new Float64Array(3 * vertexCount),
  };
}

/** Vertices with pushes on them. */
export interface PushList {
  readonly vertices: Uint32Array;
  readonly count: number;
  /** Three numbers per vertex of the body. */
  readonly pushes: Float64Array;
}

/**
 * Moves nodes rigidly so that the listed vertices move by about their pushes: each, in turn, as an impulse on a rigid
 * body would. One push on its own is met exactly, several as a compromise.
 */
export function spreadFirmPushes(
  shape: MatchedShape,
  { vertices, count, pushes }: PushList,
  placed: Float64Array,
  scratch: FirmScratch,
): void {
  const { surface, response } = scratch;
  const part = measureInertia(shape, placed, scratch);
  embed(shape.embedding, placed, surface);
  const [cx, cy, cz] = part.centre;
  const shift = new Float64Array(3);
  const turn = new Float64Array(3);
  const impulse = new Float64Array(3);
  for (let pass = 0; pass < (count > 1 ? PASSES : 1); pass++) {
    // ever shorter steps, so that it is a compromise and not the last push that counts
    const relaxed = 1 / (1 + pass);
    for (let at = 0; at < count; at++) {
      const v = vertices[at];
      const rx = surface[3 * v] - cx;
      const ry = surface[3 * v + 1] - cy;
      const rz = surface[3 * v + 2] - cz;
      const dx = pushes[3 * v] - shift[0] - (turn[1] * rz - turn[2] * ry);
      const dy = pushes[3 * v + 1] - shift[1] - (turn[2] * rx - turn[0] * rz);
      const dz = pushes[3 * v + 2] - shift[2] - (turn[0] * ry - turn[1] * rx);
      writeResponse(part.mass, scratch.inverseInertia, rx, ry, rz, response);
      solve3(response, relaxed * dx, relaxed * dy, relaxed * dz, impulse);
      const [jx, jy, jz] = impulse;
      const torque = [ry * jz - rz * jy, rz * jx - rx * jz, rx * jy - ry * jx];
      for (let k = 0; k < 3; k++) {
        shift[k] += impulse[k] / part.mass;
        for (let l = 0; l < 3; l++) turn[k] += scratch.inverseInertia[3 * k + l] * torque[l];
      }
    }
  }
  moveRigidly(placed, part.centre, shift, turn);
}

/**
 * Adds to `struck` what the pushes would do to the nodes near which they are made, if the impulse that moves the whole
 * body acted there: a measure of stress. Pushes share the impulse by their lengths.
 */
export function dentByPushes(
  shape: MatchedShape,
  { vertices, count, pushes }: PushList,
  inverseMasses: Float64Array,
  struck: Float64Array,
): void {
  const { start, nodes, weights } = shape.embedding;
  const { masses } = shape.particles;
  const lengthOf = (v: number) => Math.hypot(pushes[3 * v], pushes[3 * v + 1], pushes[3 * v + 2]);
  let total = 0;
  for (let at = 0; at < count; at++) total += lengthOf(vertices[at]);
  if (total === 0) return;
  for (let at = 0; at < count; at++) {
    const v = vertices[at];
    const perPush = lengthOf(v) / (total * inverseMasses[v]);
    for (let i = start[v]; i < start[v + 1]; i++) {
      const share = (perPush * weights[i]) / masses[nodes[i]];
      for (let k = 0; k < 3; k++) struck[3 * nodes[i] + k] += share * pushes[3 * v + k];
    }
  }
}

/** A third of the trace of what an impulse of 1 does to each vertex: 1 / its effective mass, over all directions. */
export function firmInverseMasses(shape: MatchedShape): Float64Array {
  const { vertexCount } = shape.embedding;
  const scratch = firmScratch(vertexCount);
  const part = measureInertia(shape, shape.rest, scratch);
  const { surface, response } = scratch;
  embed(shape.embedding, shape.rest, surface);
  return Float64Array.from({ length: vertexCount }, (_, v) => {
    const [rx, ry, rz] = [0, 1, 2].map((k) => surface[3 * v + k] - part.centre[k]);
    writeResponse(part.mass, scratch.inverseInertia, rx, ry, rz, response);
    return (response[0] + response[4] + response[8]) / 3;
  });
}

function measureInertia(
  shape: MatchedShape,
  x: Float64Array,
  { part, inverseInertia }: FirmScratch,
): RigidPart {
  measureRigidPart(shape.particles, x, x, part);
  for (let k = 0; k < 3; k++) {
    part.angular.fill(0);
    part.angular[k] = 1;
    solveInertia(part.inertia, part.angular, part.spin);
    for (let l = 0; l < 3; l++) inverseInertia[3 * l + k] = part.spin[l];
  }
  return part;
}

/** The matrix 1 / mass + [r]ᵀ I⁻¹ [r]: how a point at r from the centre moves by an impulse on it. */
function writeResponse(
  mass: number,
  inverse: Float64Array,
  rx: number,
  ry: number,
  rz: number,
  out: Float64Array,
): void {
  // columns of [r]: r × each axis
  const cross = [0, rz, -ry, -rz, 0, rx, ry, -rx, 0];
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l < 3; l++) {
      let sum = k === l ? 1 / mass : 0;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) sum += cross[3 * k + i] * inverse[3 * i + j] * cross[3 * l + j];
      }
      out[3 * k + l] = sum;
    }
  }
}

/** Solves m · out = (x, y, z) for a symmetric positive definite matrix. */
function solve3(m: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  const [a, b, c, , e, f, , , i] = m;
  const aa = e * i - f * f;
  const ab = c * f - b * i;
  const ac = b * f - c * e;
  const bb = a * i - c * c;
  const bc = b * c - a * f;
  const cc = a * e - b * b;
  const det = a * aa + b * ab + c * ac;
  out[0] = (aa * x + ab * y + ac * z) / det;
  out[1] = (ab * x + bb * y + bc * z) / det;
  out[2] = (ac * x + bc * y + cc * z) / det;
}

/** Shifts points and turns them about a centre, by the angle whose tangent is that of `turn`, without stretching. */
function moveRigidly(x: Float64Array, centre: Float64Array, shift: Float64Array, turn: Float64Array): void {
  // the quaternion (turn / 2, 1), normalised
  const norm = 1 / Math.sqrt(1 + 0.25 * (turn[0] ** 2 + turn[1] ** 2 + turn[2] ** 2));
  const [qx, qy, qz] = [0.5 * turn[0] * norm, 0.5 * turn[1] * norm, 0.5 * turn[2] * norm];
  for (let k = 0; k < x.length; k += 3) {
    const rx = x[k] - centre[0];
    const ry = x[k + 1] - centre[1];
    const rz = x[k + 2] - centre[2];
    const tx = 2 * (qy * rz - qz * ry);
    const ty = 2 * (qz * rx - qx * rz);
    const tz = 2 * (qx * ry - qy * rx);
    x[k] += shift[0] + norm * tx + qy * tz - qz * ty;
    x[k + 1] += shift[1] + norm * ty + qz * tx - qx * tz;
    x[k + 2] += shift[2] + norm * tz + qx * ty - qy * tx;
  }
}
