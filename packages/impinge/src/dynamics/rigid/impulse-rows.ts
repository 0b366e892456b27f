/**
 * Contacts as constraints on velocities, gone through one after the other: each is given the impulse that it lacks.
 *
 * A part of a step lasts h. A contact with a gap left may use it up, not more: v ≥ −gap / h. One that is nearer than it
 * should be does not get any nearer; below half of that it is moved apart slowly, by a velocity that is taken away again
 * after the move (`settle`), so that it adds no motion. Impulses of the last part are the first guess for the next. Friction is a vector in the plane of contact, no
 * longer than μ times the push.
 * What comes back of an approach is decided once the step is over: at the place of contact, the energy of the approach is
 * ½ v² and what gravity adds on the rest of the way, so the speed there is known, however long the step.
 * Layout: `ROW` numbers per contact, named below; J of a direction is (r × d) of either body, and its answer I⁻¹ (r × d).
 * Both bodies are pushed at one point of the world, so that no angular momentum comes of it.
 */
import type { BodyTable } from './body-table.js';
import { CONTACT_NUMBERS, type ContactSet, GAP, NORMAL, POINT_A, POINT_B } from './contact-set.js';

const LOCAL_A = 0;
const LOCAL_B = 3;
const LOCAL_N = 6;
/** Three directions (normal, two tangents), each: direction, J of a and b, answers of a and b, mass. */
const DIRECTIONS = 9;
const DIRECTION = 16;
const [J_A, J_B, ANSWER_A, ANSWER_B, MASS] = [3, 6, 9, 12, 15];
const IMPULSES = DIRECTIONS + 3 * DIRECTION;
const TARGET = IMPULSES + 3;
const APPROACH = TARGET + 1;
const MOST = APPROACH + 1;
const TOTAL = MOST + 1;
const COUNTED = TOTAL + 3;
/** Beyond the distance to keep, where bodies are now. */
const LEFT = COUNTED + 3;
const ROW = LEFT + 1;

/**
 * Of the distance to keep: nearer contacts are moved apart, by a share of what is missing per second; and still nearer
 * ones by a share of what is missing in this part.
 */
const TOO_NEAR = 0.5;
const RECOVERY = 5;
const MUCH_TOO_NEAR = 0.25;
const QUICK_RECOVERY = 0.5;
/** Of the distance to keep: what is farther apart than it and this has not arrived. */
const ARRIVED = 1e-3;
/** Times round for what comes back. */
const REBOUNDS = 60;
const REBOUNDED = 1e-4;

export interface ContactLaw {
  readonly friction: number;
  readonly restitution: number;
  /** Approach, in m/s, up to which nothing comes back. */
  readonly restingSpeed: number;
}

export class ImpulseRows {
  length = 0;
  #rows = new Float64Array(0);
  #bodies = new Int32Array(0);
  readonly #table: BodyTable;
  readonly #law: ContactLaw;

  constructor(table: BodyTable, law: ContactLaw) {
    this.#table = table;
    this.#law = law;
  }

  clear(): void {
    this.length = 0;
  }

  /** Enters the contacts of bodies a and b, to be kept `target` apart, with impulses to begin with, scaled. */
  add(a: number, b: number, set: ContactSet, target: number, impulses: Float64Array, scale: number): void {
    const needed = this.length + set.count;
    if (ROW * needed > this.#rows.length) {
      const [rows, bodies] = [this.#rows, this.#bodies];
      this.#rows = new Float64Array(2 * ROW * needed);
      this.#bodies = new Int32Array(4 * needed);
      this.#rows.set(rows);
      this.#bodies.set(bodies);
    }
    const rows = this.#rows;
    for (let i = 0; i < set.count; i++) {
      const at = ROW * this.length;
      const from = CONTACT_NUMBERS * i;
      this.#bodies[2 * this.length] = a;
      this.#bodies[2 * this.length + 1] = b;
      for (let k = 0; k < 3; k++) {
        rows[at + LOCAL_A + k] = set.data[from + POINT_A + k];
        rows[at + LOCAL_B + k] = set.data[from + POINT_B + k];
        rows[at + LOCAL_N + k] = set.data[from + NORMAL + k];
        rows[at + IMPULSES + k] = scale * impulses[3 * i + k];
        rows[at + TOTAL + k] = 0;
        rows[at + COUNTED + k] = 0;
      }
      rows[at + TARGET] = target;
      rows[at + MOST] = 0;
      this.#write(this.length++);
      rows[at + APPROACH] = this.#approach(at, a, b, set.data[from + GAP] - target);
    }
  }

  /** The speed at which the contact is reached, if it is: that of now, and what gravity adds on the way. */
  #approach(at: number, a: number, b: number, way: number): number {
    const { acceleration, inverseMass, velocity, spin } = this.#table;
    const now = -speedAt(this.#rows, velocity, spin, at + DIRECTIONS, 3 * a, 3 * b);
    if (!(now > 0)) return 0;
    const d = at + DIRECTIONS;
    let pull = 0;
    for (let k = 0; k < 3; k++) {
      const ofA = inverseMass[a] > 0 ? acceleration[3 * a + k] : 0;
      const ofB = inverseMass[b] > 0 ? acceleration[3 * b + k] : 0;
      pull += this.#rows[d + k] * (ofA - ofB);
    }
    return Math.sqrt(Math.max(0, now * now + 2 * pull * Math.max(0, way)));
  }

  /** Writes directions, levers and masses of a contact for where its bodies are. */
  #write(c: number): void {
    const { place, matrix, inverseMass, inverseInertia: inertia } = this.#table;
    const rows = this.#rows;
    const a = this.#bodies[2 * c];
    const b = this.#bodies[2 * c + 1];
    const at = ROW * c;
    const ma = 9 * a;
    const mb = 9 * b;
    // half the way between the two points, seen from either centre
    let px = 0;
    let py = 0;
    let pz = 0;
    {
      const x = rows[at + LOCAL_A];
      const y = rows[at + LOCAL_A + 1];
      const z = rows[at + LOCAL_A + 2];
      px = matrix[ma] * x + matrix[ma + 1] * y + matrix[ma + 2] * z + place[3 * a];
      py = matrix[ma + 3] * x + matrix[ma + 4] * y + matrix[ma + 5] * z + place[3 * a + 1];
      pz = matrix[ma + 6] * x + matrix[ma + 7] * y + matrix[ma + 8] * z + place[3 * a + 2];
    }
    {
      const x = rows[at + LOCAL_B];
      const y = rows[at + LOCAL_B + 1];
      const z = rows[at + LOCAL_B + 2];
      px = 0.5 * (px + matrix[mb] * x + matrix[mb + 1] * y + matrix[mb + 2] * z + place[3 * b]);
      py = 0.5 * (py + matrix[mb + 3] * x + matrix[mb + 4] * y + matrix[mb + 5] * z + place[3 * b + 1]);
      pz = 0.5 * (pz + matrix[mb + 6] * x + matrix[mb + 7] * y + matrix[mb + 8] * z + place[3 * b + 2]);
    }
    const ax = px - place[3 * a];
    const ay = py - place[3 * a + 1];
    const az = pz - place[3 * a + 2];
    const bx = px - place[3 * b];
    const by = py - place[3 * b + 1];
    const bz = pz - place[3 * b + 2];
    const nx = rows[at + LOCAL_N];
    const ny = rows[at + LOCAL_N + 1];
    const nz = rows[at + LOCAL_N + 2];
    const sign = nz < 0 ? -1 : 1;
    const scale = -1 / (sign + nz);
    const cross = nx * ny * scale;
    for (let k = 0; k < 3; k++) {
      // the normal and two directions across it, in the frame of a; the same for the same normal
      const lx = k === 0 ? nx : k === 1 ? 1 + sign * nx * nx * scale : cross;
      const ly = k === 0 ? ny : k === 1 ? sign * cross : sign + ny * ny * scale;
      const lz = k === 0 ? nz : k === 1 ? -sign * nx : -ny;
      const dx = matrix[ma] * lx + matrix[ma + 1] * ly + matrix[ma + 2] * lz;
      const dy = matrix[ma + 3] * lx + matrix[ma + 4] * ly + matrix[ma + 5] * lz;
      const dz = matrix[ma + 6] * lx + matrix[ma + 7] * ly + matrix[ma + 8] * lz;
      const d = at + DIRECTIONS + k * DIRECTION;
      rows[d] = dx;
      rows[d + 1] = dy;
      rows[d + 2] = dz;
      const jax = (rows[d + J_A] = ay * dz - az * dy);
      const jay = (rows[d + J_A + 1] = az * dx - ax * dz);
      const jaz = (rows[d + J_A + 2] = ax * dy - ay * dx);
      const jbx = (rows[d + J_B] = by * dz - bz * dy);
      const jby = (rows[d + J_B + 1] = bz * dx - bx * dz);
      const jbz = (rows[d + J_B + 2] = bx * dy - by * dx);
      const aax = (rows[d + ANSWER_A] = inertia[ma] * jax + inertia[ma + 1] * jay + inertia[ma + 2] * jaz);
      const aay = (rows[d + ANSWER_A + 1] =
        inertia[ma + 3] * jax + inertia[ma + 4] * jay + inertia[ma + 5] * jaz);
      const aaz = (rows[d + ANSWER_A + 2] =
        inertia[ma + 6] * jax + inertia[ma + 7] * jay + inertia[ma + 8] * jaz);
      const abx = (rows[d + ANSWER_B] = inertia[mb] * jbx + inertia[mb + 1] * jby + inertia[mb + 2] * jbz);
      const aby = (rows[d + ANSWER_B + 1] =
        inertia[mb + 3] * jbx + inertia[mb + 4] * jby + inertia[mb + 5] * jbz);
      const abz = (rows[d + ANSWER_B + 2] =
        inertia[mb + 6] * jbx + inertia[mb + 7] * jby + inertia[mb + 8] * jbz);
      rows[d + MASS] =
        1 /
        (inverseMass[a] +
          inverseMass[b] +
          jax * aax +
          jay * aay +
          jaz * aaz +
          jbx * abx +
          jby * aby +
          jbz * abz);
    }
  }

  /** Writes all contacts anew for where bodies are now. */
  rewrite(): void {
    for (let c = 0; c < this.length; c++) this.#write(c);
  }

  /** Gives bodies the impulses of the part before. */
  warmStart(): void {
    const rows = this.#rows;
    for (let c = 0; c < this.length; c++) {
      const i = ROW * c + IMPULSES;
      for (let k = 0; k < 3; k++) rows[ROW * c + COUNTED + k] = 0;
      if (rows[i] === 0 && rows[i + 1] === 0 && rows[i + 2] === 0) continue;
      this.#push(c, rows[i], rows[i + 1], rows[i + 2]);
    }
  }

  /**
   * Once through all contacts for a part of length h, in one order or the other; without `settle`, those too near are
   * moved apart. Without `rough`, friction stays as it is. Returns the largest change of a speed.
   */
  solve(h: number, settle: boolean, backward: boolean, rough: boolean): number {
    const { velocity, spin, inverseMass, pushed } = this.#table;
    const { friction } = this.#law;
    const rows = this.#rows;
    const bodies = this.#bodies;
    const perPart = 1 / h;
    let largest = 0;
    for (let k = 0; k < this.length; k++) {
      const c = backward ? this.length - 1 - k : k;
      const a = 3 * bodies[2 * c];
      const b = 3 * bodies[2 * c + 1];
      const ma = inverseMass[bodies[2 * c]];
      const mb = inverseMass[bodies[2 * c + 1]];
      const at = ROW * c;
      const i = at + IMPULSES;
      const n = at + DIRECTIONS;
      const before = rows[i];
      if (rough && (before > 0 ? friction > 0 : rows[i + 1] !== 0 || rows[i + 2] !== 0)) {
        const s = n + DIRECTION;
        const t = s + DIRECTION;
        let p = rows[i + 1] - rows[s + MASS] * speedAt(rows, velocity, spin, s, a, b);
        let q = rows[i + 2] - rows[t + MASS] * speedAt(rows, velocity, spin, t, a, b);
        const most = friction * before;
        const lengthSq = p * p + q * q;
        if (lengthSq > most * most) {
          const share = most / Math.sqrt(lengthSq);
          p *= share;
          q *= share;
        }
        const dp = p - rows[i + 1];
        const dq = q - rows[i + 2];
        const slip = Math.abs(dp / rows[s + MASS]) + Math.abs(dq / rows[t + MASS]);
        if (slip > largest) largest = slip;
        rows[i + 1] = p;
        rows[i + 2] = q;
        velocity[a] -= ma * (dp * rows[s] + dq * rows[t]);
        velocity[a + 1] -= ma * (dp * rows[s + 1] + dq * rows[t + 1]);
        velocity[a + 2] -= ma * (dp * rows[s + 2] + dq * rows[t + 2]);
        velocity[b] += mb * (dp * rows[s] + dq * rows[t]);
        velocity[b + 1] += mb * (dp * rows[s + 1] + dq * rows[t + 1]);
        velocity[b + 2] += mb * (dp * rows[s + 2] + dq * rows[t + 2]);
        spin[a] -= dp * rows[s + ANSWER_A] + dq * rows[t + ANSWER_A];
        spin[a + 1] -= dp * rows[s + ANSWER_A + 1] + dq * rows[t + ANSWER_A + 1];
        spin[a + 2] -= dp * rows[s + ANSWER_A + 2] + dq * rows[t + ANSWER_A + 2];
        spin[b] += dp * rows[s + ANSWER_B] + dq * rows[t + ANSWER_B];
        spin[b + 1] += dp * rows[s + ANSWER_B + 1] + dq * rows[t + ANSWER_B + 1];
        spin[b + 2] += dp * rows[s + ANSWER_B + 2] + dq * rows[t + ANSWER_B + 2];
      }
      const left = rows[at + LEFT];
      let bias = 0;
      if (left > 0) {
        // after the move there is nothing to hold where it did not get to
        if (settle && left > ARRIVED * rows[at + TARGET]) continue;
        bias = settle ? 0 : left * perPart;
      } else if (!settle) bias = recovery(left, rows[at + TARGET], perPart);
      const impulse = before - rows[n + MASS] * (speedAt(rows, velocity, spin, n, a, b) + bias);
      const after = Math.max(impulse, 0);
      if (after === before) continue;
      rows[i] = after;
      if (after > rows[at + MOST]) rows[at + MOST] = after;
      const d = after - before;
      const change = Math.abs(d / rows[n + MASS]);
      if (change > largest) largest = change;
      velocity[a] -= ma * d * rows[n];
      velocity[a + 1] -= ma * d * rows[n + 1];
      velocity[a + 2] -= ma * d * rows[n + 2];
      velocity[b] += mb * d * rows[n];
      velocity[b + 1] += mb * d * rows[n + 1];
      velocity[b + 2] += mb * d * rows[n + 2];
      spin[a] -= d * rows[n + ANSWER_A];
      spin[a + 1] -= d * rows[n + ANSWER_A + 1];
      spin[a + 2] -= d * rows[n + ANSWER_A + 2];
      spin[b] += d * rows[n + ANSWER_B];
      spin[b + 1] += d * rows[n + ANSWER_B + 1];
      spin[b + 2] += d * rows[n + ANSWER_B + 2];
      pushed[bodies[2 * c]] = 1;
      pushed[bodies[2 * c + 1]] = 1;
    }
    return largest;
  }

  /** Measures what is left of all gaps, where bodies are now. */
  measure(): void {
    for (let c = 0; c < this.length; c++) {
      const at = ROW * c;
      const [a, b] = [3 * this.#bodies[2 * c], 3 * this.#bodies[2 * c + 1]];
      this.#rows[at + LEFT] = this.#gap(at, at + DIRECTIONS, a, b) - this.#rows[at + TARGET];
    }
  }

  /** How far the points are apart along the normal, where bodies are now; a and b count coordinates. */
  #gap(at: number, n: number, a: number, b: number): number {
    const { place, matrix } = this.#table;
    const rows = this.#rows;
    const ma = 3 * a;
    const mb = 3 * b;
    const ax = rows[at + LOCAL_A];
    const ay = rows[at + LOCAL_A + 1];
    const az = rows[at + LOCAL_A + 2];
    const bx = rows[at + LOCAL_B];
    const by = rows[at + LOCAL_B + 1];
    const bz = rows[at + LOCAL_B + 2];
    const dx =
      place[b] +
      matrix[mb] * bx +
      matrix[mb + 1] * by +
      matrix[mb + 2] * bz -
      (place[a] + matrix[ma] * ax + matrix[ma + 1] * ay + matrix[ma + 2] * az);
    const dy =
      place[b + 1] +
      matrix[mb + 3] * bx +
      matrix[mb + 4] * by +
      matrix[mb + 5] * bz -
      (place[a + 1] + matrix[ma + 3] * ax + matrix[ma + 4] * ay + matrix[ma + 5] * az);
    const dz =
      place[b + 2] +
      matrix[mb + 6] * bx +
      matrix[mb + 7] * by +
      matrix[mb + 8] * bz -
      (place[a + 2] + matrix[ma + 6] * ax + matrix[ma + 7] * ay + matrix[ma + 8] * az);
    return rows[n] * dx + rows[n + 1] * dy + rows[n + 2] * dz;
  }

  /** Applies impulses along the three directions of a contact. */
  #push(c: number, p: number, q: number, r: number): void {
    const { velocity, spin, inverseMass, pushed } = this.#table;
    const rows = this.#rows;
    const a = this.#bodies[2 * c];
    const b = this.#bodies[2 * c + 1];
    const n = ROW * c + DIRECTIONS;
    const s = n + DIRECTION;
    const t = s + DIRECTION;
    pushed[a] = 1;
    pushed[b] = 1;
    for (let k = 0; k < 3; k++) {
      const way = p * rows[n + k] + q * rows[s + k] + r * rows[t + k];
      velocity[3 * a + k] -= inverseMass[a] * way;
      velocity[3 * b + k] += inverseMass[b] * way;
      spin[3 * a + k] -= p * rows[n + ANSWER_A + k] + q * rows[s + ANSWER_A + k] + r * rows[t + ANSWER_A + k];
      spin[3 * b + k] += p * rows[n + ANSWER_B + k] + q * rows[s + ANSWER_B + k] + r * rows[t + ANSWER_B + k];
    }
  }

  /** Counts impulses that were not counted yet in this part: they are what angular momenta change by. */
  count(): void {
    const rows = this.#rows;
    for (let c = 0; c < this.length; c++) {
      const i = ROW * c + IMPULSES;
      const j = ROW * c + COUNTED;
      const p = rows[i] - rows[j];
      const q = rows[i + 1] - rows[j + 1];
      const r = rows[i + 2] - rows[j + 2];
      if (p === 0 && q === 0 && r === 0) continue;
      for (let k = 0; k < 3; k++) rows[j + k] = rows[i + k];
      this.#turnBy(c, p, q, r);
    }
  }

  #turnBy(c: number, p: number, q: number, r: number): void {
    const { angular, inverseMass } = this.#table;
    const rows = this.#rows;
    const a = this.#bodies[2 * c];
    const b = this.#bodies[2 * c + 1];
    const n = ROW * c + DIRECTIONS;
    const s = n + DIRECTION;
    const t = s + DIRECTION;
    const total = ROW * c + TOTAL;
    rows[total] += p;
    rows[total + 1] += q;
    rows[total + 2] += r;
    for (let k = 0; k < 3; k++) {
      if (inverseMass[a] > 0)
        angular[3 * a + k] -= p * rows[n + J_A + k] + q * rows[s + J_A + k] + r * rows[t + J_A + k];
      if (inverseMass[b] > 0)
        angular[3 * b + k] += p * rows[n + J_B + k] + q * rows[s + J_B + k] + r * rows[t + J_B + k];
    }
  }

  /** Gives back the share of the approach that comes back. Spins must be up to date with angular momenta. */
  rebound(): void {
    const { restitution, restingSpeed } = this.#law;
    const rows = this.#rows;
    const { velocity, spin } = this.#table;
    if (restitution === 0) return;
    const extra = new Float64Array(this.length);
    const wanted = new Float64Array(this.length);
    let any = false;
    for (let c = 0; c < this.length; c++) {
      const at = ROW * c;
      const bounces = rows[at + MOST] > 0 && rows[at + APPROACH] > restingSpeed;
      wanted[c] = bounces ? restitution * rows[at + APPROACH] : 0;
      any ||= bounces;
    }
    for (let round = 0; any && round < REBOUNDS; round++) {
      any = false;
      for (let c = 0; c < this.length; c++) {
        const at = ROW * c;
        if (rows[at + MOST] === 0) continue;
        const n = at + DIRECTIONS;
        const missing =
          wanted[c] - speedAt(rows, velocity, spin, n, 3 * this.#bodies[2 * c], 3 * this.#bodies[2 * c + 1]);
        const after = Math.max(0, extra[c] + rows[n + MASS] * missing);
        if (Math.abs(missing) > REBOUNDED * wanted[c] && after !== extra[c]) any ||= wanted[c] > 0;
        this.#push(c, after - extra[c], 0, 0);
        extra[c] = after;
      }
    }
    for (let c = 0; c < this.length; c++) if (extra[c] !== 0) this.#turnBy(c, extra[c], 0, 0);
  }

  /** Reads the impulses of contacts `from` … for the next step. */
  readImpulses(from: number, count: number, out: Float64Array): void {
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) out[3 * i + k] = this.#rows[ROW * (from + i) + IMPULSES + k];
    }
  }

  /** Hands over what contacts did to a body in the whole step: impulses in the world, at places as seen from it. */
  eachImpulse(visit: (body: number, place: Float64Array, impulse: Float64Array) => void): void {
    const rows = this.#rows;
    const impulse = new Float64Array(3);
    for (let c = 0; c < this.length; c++) {
      const at = ROW * c;
      if (rows[at + MOST] === 0) continue;
      const n = at + DIRECTIONS;
      for (let side = 0; side < 2; side++) {
        for (let k = 0; k < 3; k++) {
          const sum =
            rows[at + TOTAL] * rows[n + k] +
            rows[at + TOTAL + 1] * rows[n + DIRECTION + k] +
            rows[at + TOTAL + 2] * rows[n + 2 * DIRECTION + k];
          impulse[k] = side === 0 ? -sum : sum;
        }
        const local = at + (side === 0 ? LOCAL_A : LOCAL_B);
        visit(this.#bodies[2 * c + side], rows.subarray(local, local + 3), impulse);
      }
    }
  }

  /** Contacts that pushed in this step. */
  get pushing(): number {
    let count = 0;
    for (let c = 0; c < this.length; c++) if (this.#rows[ROW * c + MOST] > 0) count++;
    return count;
  }
}

/** The velocity at which a contact is moved apart, below 0. */
function recovery(left: number, target: number, perPart: number): number {
  const slow = RECOVERY * Math.min(0, left + TOO_NEAR * target);
  return slow + QUICK_RECOVERY * perPart * Math.min(0, left + (1 - MUCH_TOO_NEAR) * target);
}

/** How fast b leaves a along a direction; a and b count coordinates. */
function speedAt(
  rows: Float64Array,
  v: Float64Array,
  w: Float64Array,
  d: number,
  a: number,
  b: number,
): number {
  return (
    rows[d] * (v[b] - v[a]) +
    rows[d + 1] * (v[b + 1] - v[a + 1]) +
    rows[d + 2] * (v[b + 2] - v[a + 2]) +
    rows[d + J_B] * w[b] +
    rows[d + J_B + 1] * w[b + 1] +
    rows[d + J_B + 2] * w[b + 2] -
    rows[d + J_A] * w[a] -
    rows[d + J_A + 1] * w[a + 1] -
    rows[d + J_A + 2] * w[a + 2]
  );
}
