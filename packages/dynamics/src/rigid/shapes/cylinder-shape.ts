/**
 * Cylinders with flat ends: found as prisms around them, and then made round.
 *
 * A prism of many sides that encloses the cylinder is compared like any triangles: nothing that is free of it meets the
 * cylinder. Contacts with its sides and rims are replaced by those of the cylinder itself, with the point of the axis
 * that the normal passes through: turning about the axis does not move that. Contacts with the ends stay: there a
 * prism is as flat.
 * Errs: the prism is wider by 1 / cos (π / SIDES) − 1 = 0.0003 of the radius, so much nearer do guards assume it.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { acrossOf } from '../../bodies/rotation.js';
import { CONTACT_NUMBERS, ContactSet } from '../contact-set.js';
import { ContactShape } from '../contact-shape.js';
import {
  EDGES,
  FACE_A_VERTEX_B,
  NORMAL,
  POINT_A,
  POINT_B,
  VERTEX_A_EDGE_B,
  VERTEX_A_FACE_B,
} from '../exact/layout.generated.js';
import { axisOf, type RoundSolid } from './round-solids.js';

const SIDES = 128;
/** Relative to coordinates: more than float32 rounding moves a point. */
const FLOAT32 = 2 ** -22;
/** Sine of the angle between a normal and the axis, below which a contact is one with an end. */
const FLAT = 0.2;
/** Of the radius: how far a point of the cylinder may be from that of the prism which it is for; two sides. */
const BESIDE = (4 * Math.PI) / SIDES;
/** Steps towards the closest points of a rim and an axis. */
const ROUNDS = 8;
/** Numbers in ids of the features of a and b; those of a cylinder become its ends, or its side. */
const OF_A = 2 ** 3;
const OF_B = 2 ** 26;
const SIDE = 2;

export class CylinderShape extends ContactShape {
  /** One end of the axis, about the centre; along it, of length 1; how long it is. */
  readonly from: Vec3;
  readonly along: Vec3;
  readonly length: number;
  readonly width: number;

  constructor(name: string, solid: RoundSolid, centre: Vec3) {
    super({ name, ...prismAround(solid) }, centre, true);
    const { along, length } = axisOf(solid.from, solid.to);
    this.from = [solid.from[0] - centre[0], solid.from[1] - centre[1], solid.from[2] - centre[2]];
    this.along = along;
    this.length = length;
    this.width = solid.radius;
  }

  override get curved(): boolean {
    return true;
  }
}

function prismAround({ from, to, radius }: RoundSolid) {
  const { along, length } = axisOf(from, to);
  const size = Math.max(...from.map(Math.abs), ...to.map(Math.abs)) + radius;
  const more = FLOAT32 * size;
  const wide = radius / Math.cos(Math.PI / SIDES) + more;
  const [across, other] = acrossOf(along);
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const [x, y] = [Math.cos((2 * Math.PI * i) / SIDES), Math.sin((2 * Math.PI * i) / SIDES)];
    for (const height of [-more, length + more]) {
      for (let k = 0; k < 3; k++)
        positions.push(Math.fround(from[k] + height * along[k] + wide * (x * across[k] + y * other[k])));
    }
    const [a, b] = [2 * i, 2 * ((i + 1) % SIDES)];
    indices.push(a, b, b + 1, a, b + 1, a + 1);
    // fans over both ends
    if (i > 0 && i + 1 < SIDES) indices.push(0, b, a, 1, a + 1, b + 1);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Makes contacts of prisms those of their cylinders; `p` takes the frame of b to that of a. */
export class RoundedContacts {
  readonly #a: CylinderShape | undefined;
  readonly #b: CylinderShape | undefined;
  readonly #found = new ContactSet();

  constructor(a: ContactShape, b: ContactShape) {
    this.#a = a instanceof CylinderShape ? a : undefined;
    this.#b = b instanceof CylinderShape ? b : undefined;
  }

  refine(set: ContactSet, p: Float64Array): void {
    const found = this.#found;
    found.clear();
    for (let i = 0; i < set.count; i++) found.take(set, i);
    const b = this.#b && placed(this.#b, p);
    const rounded = Array.from({ length: set.count }, (_, i) => this.#round(readContact(found, i, p), b));
    const known = new Set<number>();
    set.clear();
    for (const [i, { contact, isThere }] of rounded.entries()) {
      if (!isThere || known.has(contact.id)) continue;
      known.add(contact.id);
      set.take(found, i);
      writeContact(set, set.count - 1, contact, p);
    }
    for (const [i, { contact, isThere }] of rounded.entries())
      if (!isThere && !known.has(contact.id)) set.take(found, i);
  }

  /** The contact of cylinders for that of prisms, and whether it is in the same place: elsewhere nothing may be. */
  #round(contact: Contact, b: Cylinder | undefined): { contact: Contact; isThere: boolean } {
    const before = [...contact.points];
    if (this.#a && b) roundBoth(contact, this.#a, b);
    else if (this.#a) roundOne(contact, this.#a, true);
    else if (b) roundOne(contact, b, false);
    const isThere = [this.#a, b].every((cylinder, side) => {
      if (!cylinder || contact.points[side] === before[side]) return true;
      const out = scaled(contact.normal, (side === 0 ? 1 : -1) * contact.round[side]);
      return length(minus(plus(contact.points[side], out), before[side])) <= BESIDE * cylinder.width;
    });
    return { contact, isThere };
  }
}

/** In the frame of a: points of both, the normal from a to b, how far surfaces are from the points. */
interface Contact {
  id: number;
  readonly points: [number[], number[]];
  normal: number[];
  readonly round: [number, number];
}

type Cylinder = Pick<CylinderShape, 'from' | 'along' | 'length' | 'width'>;

/** A contact of a cylinder, which is a or b, with something else. */
function roundOne(contact: Contact, cylinder: Cylinder, isA: boolean): void {
  const { points, id } = contact;
  const [own, other] = isA ? [0, 1] : [1, 0];
  const outward = scaled(contact.normal, isA ? 1 : -1);
  if (!(sineOf(cylinder, outward) >= FLAT)) return;
  const kind = id % OF_A;
  if (kind === (isA ? VERTEX_A_FACE_B : FACE_A_VERTEX_B)) {
    roundRim(contact, cylinder, isA, endOf(cylinder, points[own]));
    return;
  }
  const x = points[other];
  const height = dot(cylinder.along, minus(x, cylinder.from));
  if (height < 0 || height > cylinder.length) {
    // beyond an end: towards its rim
    const end = height < 0 ? 0 : 1;
    const across = acrossAxis(cylinder, x);
    const wide = length(across);
    if (!(wide > cylinder.width)) return;
    const rim = plus(endAt(cylinder, end), scaled(across, cylinder.width / wide));
    const way = minus(x, rim);
    const apart = length(way);
    if (!(apart > 0)) return;
    contact.normal = scaled(way, (isA ? 1 : -1) / apart);
    if (sineOf(cylinder, contact.normal) >= FLAT) roundRim(contact, cylinder, isA, end);
    return;
  }
  const axis = plus(cylinder.from, scaled(cylinder.along, height));
  const way = minus(x, axis);
  const apart = length(way);
  if (!(apart > 0)) return;
  contact.normal = scaled(way, (isA ? 1 : -1) / apart);
  setCore(contact, isA, axis, cylinder.width, SIDE);
}

/** Two cylinders: their axes beside each other, or that of one beside an end of the other. */
function roundBoth(contact: Contact, a: Cylinder, b: Cylinder): void {
  if (!(sineOf(a, contact.normal) >= FLAT && sineOf(b, contact.normal) >= FLAT)) return;
  const kind = contact.id % OF_A;
  if (kind === EDGES) {
    const places = closestOfAxes(a, b);
    if (!places) return;
    const way = minus(places[1], places[0]);
    const apart = length(way);
    if (!(apart > 0)) return;
    contact.normal = scaled(way, 1 / apart);
    setCore(contact, true, places[0], a.width, SIDE);
    setCore(contact, false, places[1], b.width, SIDE);
    return;
  }
  const isA = kind === VERTEX_A_FACE_B || kind === VERTEX_A_EDGE_B;
  const [ended, beside] = isA ? [a, b] : [b, a];
  const end = endOf(ended, contact.points[isA ? 0 : 1]);
  const middle = endAt(ended, end);
  let axis = middle;
  // the point of the rim nearest to the other axis: each is nearest to the last of the other
  for (let round = 0, way = scaled(contact.normal, isA ? -1 : 1); round < ROUNDS; round++) {
    const across = minus(way, scaled(ended.along, dot(ended.along, way)));
    const rim = minus(middle, scaled(across, ended.width / length(across)));
    const height = dot(beside.along, minus(rim, beside.from));
    if (!(height >= 0 && height <= beside.length)) return;
    axis = plus(beside.from, scaled(beside.along, height));
    way = minus(rim, axis);
    const apart = length(way);
    if (!(apart > 0 && sineOf(ended, way) >= FLAT * apart)) return;
    way = scaled(way, 1 / apart);
    if (round === ROUNDS - 1) contact.normal = scaled(way, isA ? -1 : 1);
  }
  setCore(contact, !isA, axis, beside.width, SIDE);
  roundRim(contact, ended, isA, end);
}

/** The rim at an end, nearest along the normal: the point of the axis on the line through it. */
function roundRim(contact: Contact, cylinder: Cylinder, isA: boolean, end: number): void {
  const outward = scaled(contact.normal, isA ? 1 : -1);
  const round = cylinder.width / sineOf(cylinder, outward);
  const shift = scaled(cylinder.along, -round * dot(outward, cylinder.along));
  setCore(contact, isA, plus(endAt(cylinder, end), shift), round, end);
}

function setCore(contact: Contact, isA: boolean, point: number[], round: number, feature: number): void {
  contact.points[isA ? 0 : 1] = point;
  contact.round[isA ? 0 : 1] = round;
  const { id } = contact;
  const ofB = Math.floor(id / OF_B);
  const ofA = Math.floor((id % OF_B) / OF_A);
  contact.id = (id % OF_A) + OF_A * (isA ? feature : ofA) + OF_B * (isA ? ofB : feature);
}

/** Where two axes are closest, if that is between their ends. */
function closestOfAxes(a: Cylinder, b: Cylinder): [number[], number[]] | undefined {
  const way = minus(b.from, a.from);
  const [uv, uw, vw] = [dot(a.along, b.along), dot(a.along, way), dot(b.along, way)];
  const sineSq = 1 - uv * uv;
  if (!(sineSq > 1e-6)) return undefined;
  const s = (uw - uv * vw) / sineSq;
  const t = (uv * uw - vw) / sineSq;
  if (s < 0 || s > a.length || t < 0 || t > b.length) return undefined;
  return [plus(a.from, scaled(a.along, s)), plus(b.from, scaled(b.along, t))];
}

function endOf({ from, along, length: long }: Cylinder, point: number[]): number {
  return 2 * dot(along, minus(point, from)) < long ? 0 : 1;
}

function endAt({ from, along, length: long }: Cylinder, end: number): number[] {
  return end === 0 ? [...from] : plus(from, scaled(along, long));
}

function acrossAxis({ from, along }: Cylinder, point: number[]): number[] {
  const way = minus(point, from);
  return minus(way, scaled(along, dot(along, way)));
}

function sineOf({ along }: Cylinder, direction: readonly number[]): number {
  return length(minus(direction, scaled(along, dot(along, direction))));
}

/** A cylinder in another frame. */
function placed({ from, along, length: long, width }: Cylinder, p: Float64Array): Cylinder {
  const [x, y, z] = turned(p, along);
  const [u, v, w] = plus(turned(p, from), [p[9], p[10], p[11]]);
  return { from: [u, v, w], along: [x, y, z], length: long, width };
}

function readContact({ data, ids, round }: ContactSet, i: number, p: Float64Array): Contact {
  const at = CONTACT_NUMBERS * i;
  const read = (from: number) => [data[at + from], data[at + from + 1], data[at + from + 2]];
  return {
    id: ids[i],
    points: [read(POINT_A), plus(turned(p, read(POINT_B)), [p[9], p[10], p[11]])],
    normal: read(NORMAL),
    round: [round[2 * i], round[2 * i + 1]],
  };
}

function writeContact(set: ContactSet, i: number, contact: Contact, p: Float64Array): void {
  const at = CONTACT_NUMBERS * i;
  const ofB = minus(contact.points[1], [p[9], p[10], p[11]]);
  set.ids[i] = contact.id;
  for (let k = 0; k < 3; k++) {
    set.data[at + POINT_A + k] = contact.points[0][k];
    set.data[at + POINT_B + k] = p[k] * ofB[0] + p[3 + k] * ofB[1] + p[6 + k] * ofB[2];
    set.data[at + NORMAL + k] = contact.normal[k];
  }
  set.round[2 * i] = contact.round[0];
  set.round[2 * i + 1] = contact.round[1];
}

function turned(p: Float64Array, [x, y, z]: readonly number[]): number[] {
  return [0, 3, 6].map((k) => p[k] * x + p[k + 1] * y + p[k + 2] * z);
}

function plus(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function scaled(a: readonly number[], by: number): number[] {
  return [by * a[0], by * a[1], by * a[2]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function length([x, y, z]: readonly number[]): number {
  return Math.sqrt(x * x + y * y + z * z);
}
