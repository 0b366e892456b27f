/**
 * Random small configurations of objects, most of them awkward on purpose: contacts in one point, in a plane, smaller
 * than a pixel, apart by one unit in the last place, far from the origin. The same number gives the same one.
 */
import type { Pose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import {
  anyShape,
  ball,
  box,
  integer,
  joined,
  latticeTetrahedron,
  mapped,
  moved,
  pick,
  type Random,
  type Shape,
  scatter,
  sheet,
  soupOf,
  type Triple,
  tube,
} from './shapes.js';

interface Item {
  readonly shape: Shape;
  readonly pose?: { readonly rotation?: readonly number[]; readonly translation?: readonly number[] };
}

export interface Configuration {
  readonly family: Family;
  /** An object with the same shape as an earlier one shares its mesh. */
  readonly items: readonly Item[];
  /** One per item. */
  readonly self: readonly boolean[];
}

/** An object of a configuration: what the culler, the library and the oracle are given. */
export interface Placed {
  readonly mesh: Mesh;
  readonly pose: Pose;
  readonly self: boolean;
}

const FAMILIES = {
  'general position': general,
  'one point': onePoint,
  coplanar,
  'smaller than a pixel': subPixel,
  'thin, edge-on': edgeOn,
  'tiny objects': tinyObjects,
  nested,
  'parallel and close': parallel,
  duplicates,
  'far from the origin': (random: Random) => far(random, anyOf(random)),
  'very small or large': (random: Random) => scaled(random, anyOf(random)),
  posed: (random: Random) => posed(random, anyOf(random)),
} satisfies Record<string, (random: Random) => Item[]>;

export type Family = keyof typeof FAMILIES;
export const FAMILY_NAMES = Object.keys(FAMILIES) as Family[];

/** The configuration of this number; families take turns. */
export function configuration(number: number): Configuration {
  const random = seededRandom(number);
  const family = FAMILY_NAMES[number % FAMILY_NAMES.length];
  const items = FAMILIES[family](random);
  return { family, items, self: items.map(() => random() < 0.15) };
}

/** Makes the meshes. */
export function realise({ items, self }: Configuration): Placed[] {
  const meshes = new Map<Shape, Mesh>();
  return items.map(({ shape, pose = {} }, i) => {
    let mesh = meshes.get(shape);
    if (!mesh) meshes.set(shape, (mesh = Mesh.from(shape)));
    return { mesh, pose: pose as Pose, self: self[i] };
  });
}

export function disposeAll(placed: readonly Placed[]): void {
  for (const mesh of new Set(placed.map(({ mesh }) => mesh))) mesh.dispose();
}

const centre = (random: Random, size: number): Triple => [
  size * (random() - 0.5),
  size * (random() - 0.5),
  size * (random() - 0.5),
];

/** Objects about 1 across in a cube, by its size sparse or crowded. */
function general(random: Random): Item[] {
  const size = pick(random, [1, 2, 3, 8]);
  return Array.from({ length: integer(random, 2, 8) }, () => ({
    shape: moved(anyShape(random), centre(random, size)),
  }));
}

const TILE: Shape = { positions: [-1, -1, 0, 3, -1, 0, -1, 3, 0] };

/**
 * One touches what is below the plane z = 0, in a point that float32 holds: corner on corner, corner on face, corner on
 * edge, edge across edge. Or it is lifted off by very little.
 */
function onePoint(random: Random): Item[] {
  const mirrored = (shape: Shape) => mapped(shape, (x, y, z) => [-x, -y, -z]);
  const above = latticeTetrahedron(random);
  const below = mirrored(latticeTetrahedron(random));
  const [upper, lower] = pick(random, [
    () => [above, below], // corner on corner
    () => [above, TILE], // corner on face
    () => [above, moved(TILE, [1, 0, 0])], // corner on edge
    () => [
      { positions: [-2, 0, 0, 3, 0, 0, 1, 1, 3] },
      { positions: [0, -1, 0, 0, 5, 0, 1, 2, -2] }, // edge across edge
    ],
    () => [moved(box(1, 1, 1), [0, 0, 1]), joined(below, moved(below, [4, 4, 0]))],
  ])();
  const gap = pick(random, [0, 0, 0, 2 ** -22, 2 ** -10]);
  const items = [{ shape: lower }, { shape: moved(upper, [0, 0, gap]) }];
  if (random() < 0.5) items.push({ shape: moved(ball(0), [8, integer(random, -8, 8), 0]) });
  return kept(random, items);
}

/** Faces in one plane that overlap, share an edge or a corner, or miss each other by one unit in the last place. */
function coplanar(random: Random): Item[] {
  const half = integer(random, 1, 3);
  const square = (x: number, y: number): Shape => moved(sheet(half), [x, y, 0]);
  const next = 1 + 2 ** -23; // [−1, 1] and [next, …]: nothing lies between in float32
  const gapped = mapped(sheet(half), (x, y) => [x < 0 ? next : 3, y, 0]);
  const other = pick(random, [
    () => square(0.5, 0.5),
    () => square(2, pick(random, [0, 0.5])),
    () => square(2, 2),
    () => gapped,
    () => gapped,
    () => mapped(gapped, (x, y) => [x, y + 0.25, 0]),
    () => moved(box(1, 1, 1), [pick(random, [0, 2]), 0, pick(random, [1, 1 + 2 ** -20])]),
  ])();
  const items = [{ shape: square(0, 0) }, { shape: other }];
  if (random() < 0.4) items.push({ shape: moved(sheet(1), [integer(random, -4, 4), 6, 0]) });
  return kept(random, items);
}

/** A contact far smaller than a pixel of a scene that is large because of others. */
function subPixel(random: Random): Item[] {
  const size = 10 ** (-2 - 3 * random());
  const at = centre(random, 1.5);
  const needle: Shape = { positions: [0, 0, -1, 1e-3, 0, -1, 0, 1e-3, 1] };
  const sliver: Shape = { positions: [-1, 0, 0, 1, 1e-3, 0, 1, -1e-3, 0] };
  const aside = random() < 0.75 ? 0 : 4e-3; // through the sliver if float32 has room for it, or past it
  const corner = moved(
    mapped(latticeTetrahedron(random), (x, y, z) => [x, y, z - 0.5]),
    [aside * 600, 0, 0],
  );
  const [one, two] = pick(random, [
    [needle, moved(sliver, [0.2, aside, 0])],
    [corner, TILE],
  ] as [Shape, Shape][]);
  const items: Item[] = [{ shape: moved(one, at, size) }, { shape: moved(two, at, size) }];
  const around = integer(random, 1, 4);
  for (let i = 0; i < around; i++) {
    items.push({ shape: moved(anyShape(random), [3 * i - 5, 4, pick(random, [-2, 0, 3])]) });
  }
  return items;
}

/** Flat things that lie along an axis: seen from there they are lines. */
function edgeOn(random: Random): Item[] {
  const items: Item[] = [];
  const count = integer(random, 2, 7);
  for (let i = 0; i < count; i++) {
    const thickness = pick(random, [0, 1e-7, 1e-3]);
    const axis = integer(random, 0, 2);
    const flat = pick(random, [
      () => sheet(integer(random, 1, 3), () => thickness * random()),
      () => box(1, 1, thickness),
      () => ({ positions: scatter(random, 8, 0.7).positions.map((x, k) => (k % 3 === 2 ? 0 : 2 * x)) }),
      () => ({ positions: [-1, 0, 0, 1, 0, 0, 0, 0, 0] }), // a segment
      () => ({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] }), // a point
    ])();
    const turned = mapped(flat, (x, y, z) => [
      [x, y, z][axis],
      [x, y, z][(axis + 1) % 3],
      [x, y, z][(axis + 2) % 3],
    ]);
    items.push({ shape: moved(turned, random() < 0.5 ? centre(random, 3) : lattice(random, 1)) });
  }
  return items;
}

const lattice = (random: Random, reach: number): Triple => [
  integer(random, -reach, reach),
  integer(random, -reach, reach),
  integer(random, -reach, reach),
];

/** Objects of which many fit into a pixel, in pairs that are about as far apart as they are large. */
function tinyObjects(random: Random): Item[] {
  const items: Item[] = [];
  const size = 10 ** (-3 - 2 * random());
  const pairs = integer(random, 1, 4);
  for (let i = 0; i < pairs; i++) {
    const at = centre(random, 4);
    const [x, y, z] = centre(random, pick(random, [1.5, 2.5]) * size);
    items.push({ shape: moved(anyShape(random), at, size) });
    items.push({ shape: moved(anyShape(random), [at[0] + x, at[1] + y, at[2] + z], size) });
  }
  return items;
}

/** Closed things in each other, apart; now and then one that pokes through. */
function nested(random: Random): Item[] {
  const shell = pick(random, [() => ball(1), () => box(1, 1, 1), () => joined(tube(12), ball(0))])();
  const items: Item[] = [];
  const depth = integer(random, 2, 5);
  for (let i = 0; i < depth; i++) items.push({ shape: moved(shell, [0, 0, 0], 0.6 ** i) });
  if (random() < 0.5) items.push({ shape: moved(ball(0), [0.7, 0, 0], 0.25) });
  return items;
}

/** Surfaces along each other, 1e-6 apart, or with a bump that reaches the other one. */
function parallel(random: Random): Item[] {
  const gap = pick(random, [1e-6, 1e-6, 3e-7, 1e-4]);
  const bump = random() < 0.5 ? 0 : 3;
  const top = integer(random, 1, 5);
  const along = pick(random, [
    () => [ball(1), moved(ball(1), [bump * gap, 0, 0], 1 + gap)],
    () => [
      sheet(5, (x, y) => 0.2 * x * x - 0.1 * y),
      sheet(5, (x, y) => 0.2 * x * x - 0.1 * y + gap * (x * top > 0.99 && y > 0.9 ? 1 - bump : 1)),
    ],
    () => [sheet(3), moved(sheet(4), [0.1, 0.05, bump ? 0 : gap])],
  ])();
  const items: Item[] = along.map((shape) => ({ shape }));
  if (random() < 0.3) items.push({ shape: moved(ball(0), [0, 0, 4]) });
  return items;
}

/** The same shape several times: in the same place, moved a little, or apart. */
function duplicates(random: Random): Item[] {
  const shape = anyShape(random);
  const items: Item[] = [{ shape }];
  const spread = pick(random, [0, 1e-6, 0.3, 4, 4]);
  const count = integer(random, 1, 5);
  for (let i = 1; i <= count; i++) {
    items.push({ shape, pose: { translation: [spread * i, spread * (random() - 0.5), 0] } });
  }
  return random() < 0.5 ? items : items.map(({ shape: s, ...rest }) => ({ shape: soupOf(s), ...rest }));
}

function anyOf(random: Random): Item[] {
  const plain = [general, onePoint, coplanar, subPixel, edgeOn, tinyObjects, nested, parallel, duplicates];
  return pick(random, plain)(random);
}

/** Survey coordinates: float64 positions, or translations, far away. */
function far(random: Random, items: Item[]): Item[] {
  const away = lattice(random, 3).map((x) => x * 10 ** integer(random, 5, 7) + random()) as Triple;
  const byPose = random() < 0.5;
  const shapes = new Map<Shape, Shape>();
  return items.map(({ shape, pose }) => {
    if (byPose) {
      const translation = away.map((x, k) => x + (pose?.translation?.[k] ?? 0));
      return { shape, pose: { ...pose, translation } };
    }
    if (!shapes.has(shape)) shapes.set(shape, moved(shape, away));
    return { shape: shapes.get(shape)!, ...(pose ? { pose } : {}) };
  });
}

function scaled(random: Random, items: Item[]): Item[] {
  const scale = pick(random, [1e-6, 2 ** -20, 1e6, 2 ** 20, 1e-12, 1e12]);
  const shapes = new Map<Shape, Shape>();
  return items.map(({ shape, pose }) => {
    if (!shapes.has(shape)) shapes.set(shape, moved(shape, [0, 0, 0], scale));
    const translation = pose?.translation?.map((x) => x * scale);
    return { shape: shapes.get(shape)!, ...(translation ? { pose: { ...pose, translation } } : {}) };
  });
}

/** A random unit quaternion. */
function quaternion(random: Random): number[] {
  const q = [0, 1, 2, 3].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  return length < 0.05 ? [0, 0, 0, 1] : q.map((x) => x / length);
}

function matrixOf([x, y, z, w]: readonly number[]): number[] {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** Each object turned about its own place, or all of them together; some of the rotations are not quite rotations. */
function posed(random: Random, items: Item[]): Item[] {
  const written = pick(random, [
    (q: number[]) => q,
    (q: number[]) => matrixOf(q).map(Math.fround),
    (q: number[]) => matrixOf(q).map((entry) => entry * (1 + 4e-6)),
  ]);
  const together = { rotation: written(quaternion(random)), translation: centre(random, 5) };
  const apart = random() < 0.6;
  return items.map(({ shape, pose }) => {
    if (!apart && !pose) return { shape, pose: together };
    const p = shape.positions;
    const [x, y, z] = [p[0], p[1], p[2]];
    const rotation = quaternion(random);
    const [a, b, c, w] = rotation as [number, number, number, number];
    // what the rotation does to the first vertex is taken back by the translation
    const u: Triple = [b * z - c * y + w * x, c * x - a * z + w * y, a * y - b * x + w * z];
    const turned = [
      x + 2 * (b * u[2] - c * u[1]),
      y + 2 * (c * u[0] - a * u[2]),
      z + 2 * (a * u[1] - b * u[0]),
    ];
    const translation = [x, y, z].map((v, k) => v - turned[k] + (pose?.translation?.[k] ?? 0));
    return { shape, pose: { rotation: written(rotation), translation } };
  });
}

/** Signed permutations of the axes that are rotations: poses that move lattice points to lattice points. */
const QUARTER_TURNS = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0, -1, 0, 1, 0, 0, 0, 0, 1],
  [0, 0, 1, 1, 0, 0, 0, 1, 0],
  [-1, 0, 0, 0, 0, 1, 0, 1, 0],
  [0, 0, -1, 0, -1, 0, -1, 0, 0],
];

/** The same places, to the last bit: as they are, turned and shifted by whole numbers, or by poses that undo that. */
function kept(random: Random, items: Item[]): Item[] {
  const r = pick(random, QUARTER_TURNS);
  const shift = lattice(random, 4);
  const turned = items.map(({ shape }) => ({
    shape: mapped(shape, (x, y, z) => [
      r[0] * x + r[1] * y + r[2] * z + shift[0],
      r[3] * x + r[4] * y + r[5] * z + shift[1],
      r[6] * x + r[7] * y + r[8] * z + shift[2],
    ]),
  }));
  const mode = integer(random, 0, 3);
  if (mode === 0) return items;
  if (mode === 1) return turned;
  if (mode === 2) {
    // one pose for all, whatever it is, leaves them as they are to each other
    const pose = { rotation: quaternion(random), translation: centre(random, 9) };
    return turned.map(({ shape }) => ({ shape, pose }));
  }
  const inverse = [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => r[k]);
  const back = [0, 1, 2].map(
    (k) => -(inverse[3 * k] * shift[0] + inverse[3 * k + 1] * shift[1] + inverse[3 * k + 2] * shift[2]),
  );
  return items.map((item, i) =>
    i % 2 === 0 ? item : { shape: turned[i].shape, pose: { rotation: inverse, translation: back } },
  );
}
