/** Small bodies wholly inside a nearly convex one, between its surface and the hull that it certainly fills. */
import { Mesh, Scene } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/index.mjs';
import { configurationsFree, type LinkShape, Mechanism, MechanismSpace } from '../../src/index.js';

/** A cube of edge 2 whose side at x = 1 is dented by 0.02 in its middle. */
function dentedCube(): Mesh {
  const { positions, indices } = box(2);
  const onSide = (t: number) => [0, 1, 2].every((k) => positions[3 * indices[t + k]] === 1);
  const kept: number[] = [];
  const rim: [number, number][] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [...indices.slice(t, t + 3)];
    if (!onSide(t)) {
      kept.push(...corners);
      continue;
    }
    const isEdge = (a: number, b: number) =>
      [1, 2].filter((k) => positions[3 * a + k] === positions[3 * b + k]).length === 1;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [corners[k], corners[(k + 1) % 3]];
      if (isEdge(a, b)) rim.push([a, b]);
    }
  }
  const middle = positions.length / 3;
  return Mesh.from({
    positions: [...positions, 0.98, 0, 0],
    indices: [...kept, ...rim.flatMap(([a, b]) => [a, b, middle])],
  });
}

/** Something that moves along y, at x = 0.985. */
function slider(shape: LinkShape, x: number): Mechanism {
  return new Mechanism({
    links: [{ name: 'rail' }, { name: 'slide', shapes: [shape] }],
    joints: [
      {
        name: 'along',
        type: 'prismatic',
        parent: 'rail',
        child: 'slide',
        axis: [0, 1, 0],
        pose: { translation: [x, 0, 0] },
        lower: -9,
        upper: 9,
      },
    ],
  });
}

const SMALL = 0.003;
const small: Record<string, LinkShape> = {
  sphere: { sphere: { radius: SMALL } },
  ball: { mesh: Mesh.from(icosphere(2, SMALL)) },
  ring: { mesh: Mesh.from(torus(0.7 * SMALL, 0.3 * SMALL, 12, 6)) },
};

async function expectHeld(space: MechanismSpace) {
  const inside = [0.7, -0.7, 0.8];
  const outside = [3, -3];
  for (const y of inside) expect(space.isFree([y])).toBe(false);
  for (const y of outside) expect(space.isFree([y])).toBe(true);
  const all = [...inside, ...outside];
  const expected = Uint8Array.of(0, 0, 0, 1, 1);
  expect(space.areFree(all)).toEqual(expected);
  expect(await configurationsFree(space, all)).toEqual(expected);
  expect(space.edge([0.7], [0.75])).toMatchObject({ verdict: 'hit', time: 0 });
  expect(space.edge([3], [4]).verdict).toBe('free');
}

describe('what is in the skin of a nearly convex mesh meets it', () => {
  test.each(Object.entries(small))('a small %s that moves', async (_, shape) => {
    const scene = new Scene();
    scene.add(dentedCube(), { name: 'cube' });
    await expectHeld(new MechanismSpace(slider(shape, 0.985), scene));
  });

  test.each(['ball', 'ring'])('a small %s that stands still', async (name) => {
    const scene = new Scene();
    scene.add((small[name] as { mesh: Mesh }).mesh, { name });
    await expectHeld(new MechanismSpace(slider({ mesh: dentedCube() }, -0.985), scene));
  });

  test('an open mesh in it', () => {
    const scene = new Scene();
    scene.add(Mesh.from({ positions: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0] }), { name: 'leaf' });
    const space = new MechanismSpace(slider({ mesh: dentedCube() }, 0), scene);
    expect(space.isFree([0])).toBe(false);
    expect(space.edge([0], [0.1])).toMatchObject({ verdict: 'hit', time: 0 });
  });
});

test('a convex mesh of very many vertices does not fill its box', () => {
  const scene = new Scene();
  scene.add(Mesh.from(icosphere(24, 1)), { name: 'globe' });
  const space = new MechanismSpace(slider({ sphere: { radius: 0.1 } }, 0.9), scene);
  expect(space.isFree([0.9])).toBe(true);
  expect(space.isFree([0.5])).toBe(false);
});
