/**
 * When do two elements that move linearly first touch? Decided without rounding.
 *
 * Vertex and face, or edge and edge, touch when the origin lies in the closed convex polygon of their differences
 * (second minus first): a triangle seen from the vertex, or the parallelogram of all differences of two edges. Its
 * corners move linearly, too. The first touch is at a root of a polynomial in time:
 *  - of the volume of the origin and three corners (degree 3), where that is not zero throughout;
 *  - otherwise the origin starts in the polygon or enters it over a side, where the cross product of the side's
 *    corners vanishes; where that is zero throughout, the side slides along itself and their dot product does.
 * At such a time, origin and corners are coplanar, and the signs of the cross products of successive corners, seen
 * along an axis, are those of the origin's sides: any two opposite say outside; not all zero then says inside. All
 * zero along each axis: everything is on a line, and the origin lies between two successive corners whose dot
 * product is not positive.
 * Errs: never in the decision. The time is rounded down; place and normal are rounded.
 */
import { ratio, toCommonIntegers, toProportionalDoubles } from '../../math/dyadic.js';
import { addScaled, gcd, linear, multiply, type Polynomial } from '../../math/polynomial.js';
import { rootsInUnitInterval, UnitRoot } from '../../math/unit-root.js';

/** A point that moves linearly. */
export type MovingVector = readonly [Polynomial, Polynomial, Polynomial];

/** How places in a polygon of differences are named. */
export interface ContactShape {
  /** For each corner the point of the second element and the point of the first, numbers in the query's order. */
  readonly corners: readonly (readonly [second: number, first: number])[];
  /** u, v where the triangles of the origin with the first and the last side are such parts of corners 0, 1, 2. */
  readonly inside: (first: number, last: number) => readonly [u: number, v: number];
  /** u, v at the parameter x from corner i to the next. */
  readonly onSide: (i: number, x: number) => readonly [u: number, v: number];
  /** The weights of the corners at u, v. */
  readonly weights: (u: number, v: number) => readonly number[];
}

interface Contact {
  readonly time: UnitRoot;
  /** An axis along which the polygon is seen with an area; undefined when all is on a line through the origin. */
  readonly axis: number | undefined;
  /** Where all is on a line: the corner after which the origin lies. */
  readonly side: number;
}

/**
 * Whether two elements touch at some time in [0, 1]. `p` is 24 finite numbers, four points at T0, then at T1; `out`
 * receives [t, u, v, nx, ny, nz] of the first contact.
 */
export function exactContact(shape: ContactShape, p: Float64Array, out: Float64Array): boolean {
  const x = toCommonIntegers(p);
  const corners = shape.corners.map(([second, first]) => {
    const coordinate = (axis: number) => {
      const i = 3 * second + axis;
      const j = 3 * first + axis;
      return linear(x[i] - x[j], x[12 + i] - x[12 + j]);
    };
    return [coordinate(0), coordinate(1), coordinate(2)] as const;
  });
  const volume = dot(corners[0], cross(corners[1], corners[2]));
  const contact = firstContact(corners, volume);
  if (contact === undefined) return false;
  const [u, v] =
    contact.axis === undefined ? placeOnSide(shape, corners, contact) : placeInside(shape, corners, contact);
  const normal = normalAt(shape, corners, volume, contact, u, v);
  out.set([contact.time.toDoubleDown(), u, v, ...normal]);
  return true;
}

function firstContact(corners: readonly MovingVector[], volume: Polynomial): Contact | undefined {
  const candidates = volume.length > 0 ? rootsInUnitInterval(volume) : timesInPlane(corners);
  if (candidates.length === 0) return undefined;
  const sides = corners.map((corner, i) => cross(corner, corners[(i + 1) % corners.length]));
  for (const time of candidates) {
    const contact = contactAt(time, corners, sides);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** The times at which a first contact is possible when origin and corners are coplanar throughout, ascending. */
function timesInPlane(corners: readonly MovingVector[]): UnitRoot[] {
  const times = corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % corners.length];
    const turn = cross(corner, next).reduce(gcd);
    return rootsInUnitInterval(turn.length > 0 ? turn : dot(corner, next));
  });
  const ascending = times
    .map((time) => ({ time, lower: time.toDoubleDown() }))
    .sort((a, b) => a.lower - b.lower);
  return [new UnitRoot(0n, 0), ...ascending.map(({ time }) => time)];
}

/** Whether the origin is in the polygon at a time when it is in the polygon's plane. */
function contactAt(
  time: UnitRoot,
  corners: readonly MovingVector[],
  sides: readonly MovingVector[],
): Contact | undefined {
  for (let axis = 0; axis < 3; axis++) {
    let seen = 0;
    for (const side of sides) {
      const sign = time.signOf(side[axis]);
      if (sign * seen < 0) return undefined;
      if (sign !== 0) seen = sign;
    }
    if (seen !== 0) return { time, axis, side: 0 };
  }
  const side = corners.findIndex(
    (corner, i) => time.signOf(dot(corner, corners[(i + 1) % corners.length])) <= 0,
  );
  return side < 0 ? undefined : { time, axis: undefined, side };
}

/** u, v of a contact where corners 0, 1, 2 span an area, by the areas seen along the axis. */
function placeInside(shape: ContactShape, corners: readonly MovingVector[], contact: Contact) {
  const axis = contact.axis ?? 0;
  const last = corners.length - 1;
  const area = areaOf(corners);
  const firstSide = cross(corners[0], corners[1]);
  const lastSide = cross(corners[last], corners[0]);
  const [whole, first, rest] = contact.time.scaledValues([area[axis], firstSide[axis], lastSide[axis]], 2);
  return shape.inside(ratio(first, whole), ratio(rest, whole));
}

/** u, v of a contact on a side, when all is on a line. */
function placeOnSide(shape: ContactShape, corners: readonly MovingVector[], { time, side }: Contact) {
  const from = corners[side];
  const along = minus(corners[(side + 1) % corners.length], from);
  const lengthSq = dot(along, along);
  if (time.signOf(lengthSq) === 0) return shape.onSide(side, 0);
  const [length, reached] = time.scaledValues([lengthSq, dot(from, along)], 2);
  return shape.onSide(side, Math.min(1, Math.max(0, -ratio(reached, length))));
}

/**
 * The unit normal from the second element to the first, on the side from which the first comes: the polygon's normal
 * where it has one and the elements cross its plane, else against the motion at the place of contact.
 */
function normalAt(
  shape: ContactShape,
  corners: readonly MovingVector[],
  volume: Polynomial,
  { time, axis }: Contact,
  u: number,
  v: number,
): readonly number[] {
  if (axis !== undefined && (volume.length > 0 || time.isZero)) {
    const area = areaOf(corners);
    const order = [axis, (axis + 1) % 3, (axis + 2) % 3];
    const values = toProportionalDoubles(
      time.scaledValues(
        order.map((k) => area[k]),
        2,
      ),
    );
    // corner 0 along the normal has the sign of the volume, and corners are second minus first
    const towardsFirst = volume.length > 0 ? -time.signBefore(volume) : 1;
    const normal = [0, 0, 0];
    for (let i = 0; i < 3; i++) normal[order[i]] = towardsFirst * values[i];
    return unit(normal);
  }
  const velocities = toProportionalDoubles(corners.flatMap((corner) => corner.map((x) => x[1] ?? 0n)));
  const weights = shape.weights(u, v);
  return unit(
    [0, 1, 2].map((k) => weights.reduce((sum, weight, i) => sum + weight * velocities[3 * i + k], 0)),
  );
}

/** Twice the area of corners 0, 1, 2 as a vector along the polygon's normal. */
function areaOf(corners: readonly MovingVector[]): MovingVector {
  return cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
}

function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((x) => x / length) : [0, 0, 1];
}

function minus(a: MovingVector, b: MovingVector): MovingVector {
  return [addScaled(a[0], -1n, b[0]), addScaled(a[1], -1n, b[1]), addScaled(a[2], -1n, b[2])];
}

function cross(a: MovingVector, b: MovingVector): MovingVector {
  const component = (i: number, j: number) => addScaled(multiply(a[i], b[j]), -1n, multiply(a[j], b[i]));
  return [component(1, 2), component(2, 0), component(0, 1)];
}

function dot(a: MovingVector, b: MovingVector): Polynomial {
  return a.reduce<Polynomial>((sum, x, k) => addScaled(sum, 1n, multiply(x, b[k])), []);
}
