/** Convex shapes: which are, and that planes between them find what comparing all triangles does. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { facesOfHull } from 'impinge/internal/query/shape/convex-shape.js';
import { expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { least, runs } from '../../../../test/budget.js';
import { fixedBody, rigidBody, Simulation } from '../../src/index.js';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { PatchContacts } from '../../src/rigid/exact/patch-contacts.js';
import { distanceAt, poseOf, shapeOf, surfaceOf } from './engines/posed-shapes.js';
import { cylinder } from './rigid-scenes.js';

interface Arrays {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

function hull(count: number, seed: number): Arrays {
  const random = new SeededRandom(seed);
  const points = Float64Array.from({ length: 3 * count }, () => Math.fround(0.5 * random.next() - 0.25));
  const faces = facesOfHull(points);
  const used = [...new Set(faces)];
  return {
    positions: used.flatMap((v) => Array.from(points.subarray(3 * v, 3 * v + 3))),
    indices: Array.from(faces, (v) => used.indexOf(v)),
  };
}

/** The same turned, so that float32 bends flat faces. */
function turned({ positions, indices }: Arrays, shift = 0): Arrays {
  const m = poseOf([0.3, -0.5, 0.2, 0.7], [0, 0, 0]);
  const moved = Array.from({ length: positions.length }, (_, i) => {
    const [k, v] = [i % 3, i - (i % 3)];
    return (
      shift + m[3 * k] * positions[v] + m[3 * k + 1] * positions[v + 1] + m[3 * k + 2] * positions[v + 2]
    );
  });
  return { positions: moved, indices };
}

const FAR = 40;
const CONVEX: Record<string, Arrays> = {
  box: box(0.5, 0.3, 0.4),
  sliver: box(0.6, 0.002, 0.03),
  'turned box': turned(box(0.5, 0.3, 0.4)),
  'box far away': turned(box(0.5, 0.3, 0.4), FAR),
  prism: turned(cylinder(0.2, 0.3, 24)),
  ball: icosphere(2, 0.25),
  'fine ball': icosphere(7, 0.25),
  'hull of points': hull(60, 5),
};

/** One of these about a point near its middle. */
function convex(name: string): ContactShape {
  const far = name.endsWith('far away') ? FAR : 0;
  return new ContactShape(surfaceOf(name, CONVEX[name]), [far + 0.02, far - 0.01, far + 0.03]);
}

test.each(Object.keys(CONVEX))('%s is convex', (name) => {
  expect(convex(name).convex).toBeDefined();
});

test('others are not, nor those that are too large', () => {
  const { positions, indices } = box(0.5, 0.3, 0.4);
  const dented = icosphere(2, 0.25);
  const bent = Float64Array.from(dented.positions, (x, i) => (i < 3 ? 0.8 * x : x));
  const others: Arrays[] = [
    torus(0.3, 0.1, 12, 8),
    { positions, indices: Array.from(indices).slice(3) },
    { positions, indices: Array.from(indices).reverse() },
    { positions: bent, indices: dented.indices },
    icosphere(12, 0.25),
    {
      positions: [...positions, ...Array.from(positions, (x) => x + 2)],
      indices: [...indices, ...Array.from(indices, (v) => v + positions.length / 3)],
    },
  ];
  for (const [i, arrays] of others.entries()) expect(shapeOf(`${i}`, arrays).convex).toBeUndefined();
  const part = new ContactShape(
    surfaceOf('part', { positions, indices: Array.from(indices).slice(3) }),
    [0, 0, 0],
    true,
  );
  expect(part.convex).toBeUndefined();
});

/** Contacts as text: features, and where they are. */
function told({ count, data, ids }: ContactSet): Set<string> {
  return new Set(
    Array.from({ length: count }, (_, i) => {
      const numbers = data.subarray(CONTACT_NUMBERS * i, CONTACT_NUMBERS * i + CONTACT_NUMBERS);
      return `${ids[i]} ${Array.from(numbers, (x) => (Math.abs(x) < 1e-12 ? 0 : x).toFixed(9)).join(' ')}`;
    }),
  );
}

test.each([
  ['box', 'box'],
  ['turned box', 'box far away'],
  ['sliver', 'box'],
  ['prism', 'turned box'],
  ['ball', 'hull of points'],
])('%s and %s: contacts are those of all triangles, seed 7', (first, second) => {
  const [a, b] = [convex(first), convex(second)];
  const engine = new PairContacts(new OwnedMemory(), a, b);
  const every = new PatchContacts();
  const [found, expected] = [new ContactSet(), new ContactSet()];
  const [allA, allB] = [a, b].map(({ facet }) => [...facet.keys()]);
  const random = new SeededRandom(7);
  const signed = (size: number) => size * (2 * random.next() - 1);
  let contacts = 0;
  for (let run = 0; run < runs(8); run++) {
    // any turn; with faces parallel; nearly so; with edges across
    const turns = [
      [signed(1), signed(1), signed(1), signed(1)],
      [0, 0, 0, 1],
      [signed(1e-4), signed(1e-4), signed(1e-4), 1],
      [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)],
    ];
    const way = run % 3 === 0 ? [0, 1, 0] : [signed(1), signed(1), signed(1)];
    const pose = poseOf(
      turns[run % 4],
      way.map((x) => (2 * x) / Math.hypot(...way)),
    );
    const gap = 10 ** -(2 + 3 * random.next());
    for (let step = 0, apart = 1; step < 24 && apart > 1.01 * gap; step++) {
      apart = distanceAt(a, b, pose);
      const away = Math.hypot(pose[9], pose[10], pose[11]);
      const share = 1 - (apart - gap) / away;
      for (let k = 9; k < 12; k++) pose[k] *= share;
    }
    for (const reach of [1.5 * gap, 4 * gap, 0.05]) {
      engine.findAll({ a, b, pose }, reach, found);
      every.find({ a, b, pose }, reach, allA, allB, expected);
      expect(told(found)).toEqual(told(expected));
      const apart = distanceAt(a, b, pose);
      expect(found.atLeast).toBeLessThanOrEqual(apart + 1e-12);
      expect(found.atLeast).toBeGreaterThan(Math.min(apart, reach) - 1e-5);
      contacts += found.count;
    }
  }
  expect(contacts).toBeGreaterThanOrEqual(least(20));
  every.dispose();
});

test('a box on a face keeps the four corners that it stands on', () => {
  const [a, b] = [shapeOf('ground', box(2, 0.5, 2)), shapeOf('box', box(0.5, 0.3, 0.4))];
  const engine = new PairContacts(new OwnedMemory(), a, b);
  const found = new ContactSet();
  engine.contacts({ a, b, pose: poseOf([0, 0.2, 0, 1], [0, 0.4005, 0]) }, 0.002, found);
  expect(found.count).toBe(4);
});

test('meshes that are convex stand on each other, and sleep', () => {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.001, friction: 0.5 });
  simulation.add(fixedBody({ min: [-2, -1, -2], max: [2, 0, 2] }));
  const prism = cylinder(0.1, 0.2, 60);
  const first = rigidBody({ name: 'prism', positions: prism.positions, indices: prism.indices });
  const low = Math.min(...Array.from(prism.positions).filter((_, i) => i % 3 === 1));
  const bodies = [0, 1, 2].map((i) =>
    first.copy({ name: `${i}`, position: [0, 0.1 + 0.2 * i + 0.002 * (i + 1), 0] }),
  );
  expect(low).toBeCloseTo(-0.1, 6);
  for (const body of bodies) simulation.add(body);
  for (let step = 0; step < 120 && !bodies.every(({ asleep }) => asleep); step++) simulation.step();
  expect(bodies.every(({ asleep }) => asleep)).toBe(true);
  for (const [i, { position }] of bodies.entries()) {
    expect(position[1]).toBeGreaterThan(0.1 + 0.2 * i);
    expect(position[1]).toBeLessThan(0.1 + 0.2 * i + 0.0011 * (i + 1));
  }
  expect(simulation.intersections()).toBe(0);
  simulation.dispose();
});
