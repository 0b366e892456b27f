/** Characters on closed geometry: where they get, what holds them, and that they are never in anything. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { every, full, runs } from '../../../../../test/budget.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { CharacterController } from '../../../src/query/walk/character-controller.js';
import { boxOf, DEGREE, Terrain, turnAbout, Walker } from './terrain.js';

const DOWN = -0.02;
/** A tenth of the skin: how far above it characters stand at most. */
const PLAY = 0.001;
/** Terrains as they are, and turned. */
const TURNS = [undefined, 3401, 3402];

function expectAt([x, y, z]: readonly number[], [a, b, c]: readonly number[], off = 1e-9): void {
  expect(Math.hypot(x - a, z - c)).toBeLessThan(off);
  expect(y - b - 0.01).toBeGreaterThanOrEqual(-1e-9);
  expect(y - b - 0.01).toBeLessThanOrEqual(PLAY);
}

describe.each(TURNS)('on a plane (seed %s)', (seed) => {
  test('it falls, lands, goes where it is told and stands', () => {
    const terrain = new Terrain(seed);
    const floor = terrain.addFloor();
    const walker = new Walker(terrain, [0, 1, 0]);
    expect(walker.move([0.25, -0.5, 0])).toMatchObject({ grounded: false, ground: undefined, hits: [] });
    const landed = walker.move([0.25, -0.9, 0]);
    expect(landed.grounded).toBe(true);
    expect(landed.ground!.object).toBe(floor);
    terrain.back(landed.ground!.normal).forEach((x, k) => {
      expect(x).toBeCloseTo([0, 1, 0][k], 9);
    });
    expect(landed.hits.map(({ object }) => object)).toEqual([floor]);
    expectAt(walker.position, [0.5, 0, 0]);
    expect(walker.walk(100, [0.05, DOWN, -0.03]).flights).toBe(0);
    expectAt(walker.position, [5.5, 0, -3]);
    const before = walker.position;
    walker.walk(20, [0, DOWN, 0]);
    expect(Math.hypot(...walker.position.map((x, k) => x - before[k]))).toBeLessThan(1e-12);
    // without gravity, too
    expect(walker.walk(10, [0.1, 0, 0]).flights).toBe(0);
    const jump = walker.move([0, 0.5, 0]);
    expect(jump.grounded).toBe(false);
    expect(jump.moved[1]).toBeCloseTo(0.5, 12);
  });
});

/** Steps up along x from x = 1, and as much floor on top. */
function stairs(terrain: Terrain, height: number, depth: number, count: number): Terrain {
  terrain.addFloor();
  for (let i = 0; i < count; i++)
    terrain.add(boxOf([1 + i * depth, -0.5, -9], [9 + count * depth, (i + 1) * height, 9]));
  return terrain;
}

describe('stairs', () => {
  const rows = [0.1, 0.2, 0.299, 0.3].flatMap((height) =>
    [0.02, 0.09, 0.4].map((speed) => ({ height, speed })),
  );
  test.each(every(rows, 3))('of $height are climbed and gone down at $speed a step', ({ height, speed }) => {
    const walker = new Walker(stairs(new Terrain(3403), height, 0.4, 6), [0, 0.011, 0]);
    const steps = Math.ceil(6 / speed);
    const sideways = 0.3 * speed;
    expect(walker.walk(steps, [speed, DOWN, sideways]).flights).toBe(0);
    expectAt(walker.position, [steps * speed, 6 * height, steps * sideways]);
    if (speed < 0.1) expect(walker.walk(steps, [-speed, DOWN, -sideways]).flights).toBe(0);
    else walker.walk(2 * steps, [-speed, 40 * DOWN, -sideways]);
    expect(walker.position[1]).toBeLessThan(0.012);
  });

  test.each([0.302, 0.35, 1])('of %s are refused, and slid along', (height) => {
    const walker = new Walker(stairs(new Terrain(3404), height, 0.4, 2), [0, 0.011, 0]);
    expect(walker.walk(60, [0.05, DOWN, 0.02])).toMatchObject({ flights: 0 });
    // at the wall but for the play, and on its way along it
    expect(walker.position[0]).toBeGreaterThan(1 - 0.31 - PLAY);
    expectAt(walker.position, [walker.position[0], 0, 60 * 0.02]);
  });

  test('without a step height, no edge is climbed, however low', () => {
    for (const height of [0.02, 0.05, 0.1]) {
      const walker = new Walker(stairs(new Terrain(3405), height, 0.4, 1), [0, 0.011, 0], { stepHeight: 0 });
      walker.walk(40, [0.05, DOWN, 0]);
      expectAt(walker.position, [walker.position[0], 0, 0], 1e-6);
      expect(walker.position[0]).toBeLessThan(1);
    }
  });

  test('nor the border of a sheet', () => {
    const terrain = new Terrain(3406);
    terrain.addFloor();
    const positions = [1, 0.08, -9, 9, 0.08, -9, 9, 0.08, 9, 1, 0.08, 9];
    terrain.add(Mesh.from({ positions, indices: [0, 2, 1, 0, 3, 2] }));
    const low = new Walker(terrain, [0, 0.011, 0], { stepHeight: 0.05 });
    low.walk(40, [0.05, DOWN, 0]);
    expect(low.position[1]).toBeLessThan(0.012);
    const high = new Walker(terrain, [0, 0.011, 0], { stepHeight: 0.1 });
    high.walk(40, [0.05, DOWN, 0]);
    expectAt(high.position, [2, 0.08, 0]);
  });

  test('a step below a ceiling is climbed only where there is room', () => {
    for (const [ceiling, climbs] of [
      [2.2, true],
      [2.0, false],
    ] as const) {
      const terrain = stairs(new Terrain(3407), 0.25, 3, 1);
      terrain.add(boxOf([0.5, ceiling, -9], [20, ceiling + 1, 9]));
      const walker = new Walker(terrain, [0, 0.011, 0]);
      walker.walk(60, [0.05, DOWN, 0]);
      expect(walker.position[1] > 0.2).toBe(climbs);
    }
  });

  test('a ledge is walked off, and what is below its reach is fallen to', () => {
    const walker = new Walker(stairs(new Terrain(3408), 0.8, 3, 1), [3, 0.811, 0]);
    expect(walker.walk(10, [0.05, DOWN, 0]).grounded).toBe(true);
    const { flights } = walker.walk(90, [-0.05, 4 * DOWN, 0]);
    expect(flights).toBeGreaterThan(3);
    expect(walker.position[1]).toBeLessThan(0.012);
  });
});

describe('slopes', () => {
  /** A slope up along x from 0, as a box that is turned. */
  function slope(angle: number, seed?: number): Terrain {
    const terrain = new Terrain(seed);
    terrain.add(boxOf([-40, -1, -20], [0, 0, 20]));
    terrain.add(boxOf([0, -1, -20], [40, 0, 20]), [0, 0, 0], turnAbout(2, angle));
    return terrain;
  }

  test.each([10, 30, 44.9])('of %s° are walked up and down without slowing down, below 45°', (degrees) => {
    const angle = degrees * DEGREE;
    const walker = new Walker(slope(angle, 3409), [-1, 0.011, 0], { maxSlope: 45 * DEGREE });
    expect(walker.walk(60, [0.05, DOWN, 0.02]).flights).toBe(0);
    const [x, y, z] = walker.position;
    expect(x).toBeCloseTo(2, 6);
    expect(z).toBeCloseTo(1.2, 6);
    // the capsule touches the slope with its round end
    const above = 0.31 / Math.cos(angle) - 0.3;
    expect(y).toBeGreaterThan(2 * Math.tan(angle) + above - 1e-6);
    expect(y).toBeLessThan(2 * Math.tan(angle) + above + 2 * PLAY);
    // standing does not slide
    walker.walk(20, [0, DOWN, 0]);
    expect(walker.position[0]).toBeCloseTo(x, 6);
    expect(walker.walk(80, [-0.05, DOWN, 0]).flights).toBe(0);
    expectAt(walker.position, [-2, 0, z], 1e-6);
  });

  test.each([45.1, 60, 85])('of %s° are not climbed, and slid down, above 45°', (degrees) => {
    const angle = degrees * DEGREE;
    const terrain = slope(angle, 3410);
    const walker = new Walker(terrain, [-1, 0.011, 0], { maxSlope: 45 * DEGREE, stepHeight: 0.05 });
    walker.walk(60, [0.05, DOWN, 0]);
    expect(walker.position[1]).toBeLessThan(0.05);
    const high = new Walker(terrain, [1, Math.tan(angle) + 0.8, 0], { maxSlope: 45 * DEGREE });
    const { flights } = high.walk(160, [0.02, 5 * DOWN, 0]);
    expect(flights).toBeGreaterThan(2);
    expect(high.position[1]).toBeLessThan(0.05);
  });

  test('two that are too steep hold it where they meet', () => {
    const terrain = new Terrain(3411);
    for (const side of [1, -1])
      terrain.add(boxOf([-9, -1, -9], [9, 0, 9]), [0, 0, 0], turnAbout(2, side * 60 * DEGREE));
    const walker = new Walker(terrain, [0.1, 3, 0]);
    const { grounded } = walker.walk(100, [0, 3 * DOWN, 0]);
    expect(grounded).toBe(true);
    // along the groove
    walker.walk(20, [0, DOWN, 0.05]);
    expect(walker.position[2]).toBeCloseTo(1, 3);
  });
});

describe('corners', () => {
  test.each([30, 45, 60, 90, 120, 150])('of %s° stop it, or are slid along', (degrees) => {
    const half = 0.5 * degrees * DEGREE;
    const terrain = new Terrain(3412);
    terrain.addFloor();
    // two walls from the corner at 0 towards −x
    terrain.add(boxOf([-20, -1, 0], [3, 3, 1]), [0, 0, 0], turnAbout(1, half));
    terrain.add(boxOf([-20, -1, -1], [3, 3, 0]), [0, 0, 0], turnAbout(1, -half));
    const walker = new Walker(terrain, [-4, 0.011, 0]);
    walker.walk(120, [0.05, DOWN, 0]);
    // as far as its capsule fits between them
    const reach = -0.31 / Math.sin(half);
    expect(walker.position[0]).toBeLessThanOrEqual(reach + 1e-9);
    expect(walker.position[0]).toBeGreaterThan(reach - (4 * PLAY) / Math.sin(half));
    expect(Math.abs(walker.position[2])).toBeLessThan(0.05);
    const before = walker.position;
    walker.walk(30, [0.05, DOWN, 0]);
    expect(Math.hypot(...walker.position.map((x, k) => x - before[k]))).toBeLessThan(PLAY);
    // back along one wall, as far as the wish goes along it
    walker.walk(40, [-0.05 * Math.cos(half), DOWN, 0.05 * Math.sin(half)]);
    expect(walker.position[0]).toBeCloseTo(before[0] - 2 * Math.cos(half), 2);
  });

  test('a wall is slid along with what of the wish is along it', () => {
    const terrain = new Terrain(3413);
    terrain.addFloor();
    terrain.add(boxOf([1, -1, -40], [2, 5, 40]));
    const walker = new Walker(terrain, [0, 0.011, 0]);
    walker.walk(100, [0.06, DOWN, 0.08]);
    expectAt(walker.position, [walker.position[0], 0, 8], 1e-6);
    const last = walker.move([0.06, DOWN, 0.08]);
    expect(last.hits.some(({ normal, blocked }) => terrain.back(normal)[0] < -0.999 && blocked > 0.05)).toBe(
      true,
    );
  });

  test('a gap is passed if it is wide enough for the skin, and otherwise not', () => {
    for (const [width, passes] of [
      [0.63, true],
      [0.61, false],
    ] as const) {
      const terrain = new Terrain(3414);
      terrain.addFloor();
      for (const side of [1, -1])
        terrain.add(boxOf([1, -1, -10], [2, 5, 0]), [0, 0, side * (0.5 * width + 5) + 5]);
      const walker = new Walker(terrain, [0, 0.011, 0]);
      walker.walk(80, [0.05, DOWN, 0]);
      expect(walker.position[0] > 2).toBe(passes);
    }
  });
});

describe('ground of many triangles', () => {
  /** A square of 2 n² triangles with a height above each corner, cut at random. */
  function field(
    n: number,
    size: number,
    height: (x: number, z: number) => number,
    random: () => number,
  ): Mesh {
    const at = (i: number) => ((i / n) * 2 - 1) * size;
    const positions: number[] = [];
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n; j++) positions.push(at(i), height(at(i), at(j)), at(j));
    const indices: number[] = [];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const [a, b, c, d] = [i, i + 1].flatMap((k) => [k * (n + 1) + j, k * (n + 1) + j + 1]);
        indices.push(...(random() < 0.5 ? [a, b, c, b, d, c] : [a, d, c, a, b, d]));
      }
    return Mesh.from({ positions, indices });
  }

  test.each([3415, 3416, 3417])('in one plane, turned, is as one triangle (seed %i)', (seed) => {
    const terrain = new Terrain(seed);
    terrain.add(field(60, 6, () => 0, seededRandom(seed)));
    const walker = new Walker(terrain, [-5, 0.0106, -3]);
    expect(walker.walk(100, [0.09, DOWN, 0.05]).flights).toBe(0);
    expectAt(walker.position, [4, 0, 2], 1e-5);
  });

  test.each([3418, 3419])('that is hilly is followed, without a step height (seed %i)', (seed) => {
    const terrain = new Terrain(seed);
    const height = (x: number, z: number) => 0.4 * Math.sin(1.3 * x) + 0.3 * Math.cos(1.7 * z);
    terrain.add(field(50, 6, height, seededRandom(seed)));
    const walker = new Walker(terrain, [-5, height(-5, -3) + 0.1, -3], { stepHeight: 0, snap: 0.2 });
    walker.walk(10, [0, DOWN, 0]);
    const [x, , z] = walker.position;
    expect(walker.walk(80, [0.09, DOWN, 0.05]).flights).toBe(0);
    expect(walker.position[0]).toBeCloseTo(x + 80 * 0.09, 5);
    expect(walker.position[2]).toBeCloseTo(z + 80 * 0.05, 5);
  });
});

describe('platforms', () => {
  /** A platform of a terrain, where it is told to be. */
  function platform(seed: number, size = 3) {
    const terrain = new Terrain(seed);
    const object = terrain.add(boxOf([-size, -1, -size], [size, 0, size]));
    const walker = new Walker(terrain, [1, 0.0105, 0.5]);
    walker.move([0, DOWN, 0]);
    return { terrain, object, walker };
  }

  test('carry it up, down and sideways', () => {
    const { terrain, object, walker } = platform(3420);
    const [x, y, z] = walker.position;
    for (let i = 1; i <= 60; i++) {
      const at = [0.05 * i, 1.5 * Math.sin(0.1 * i), -0.03 * i];
      object.move(terrain.pose(at));
      const { grounded, moved, carried } = walker.move([0, DOWN, 0]);
      expect(grounded).toBe(true);
      moved.forEach((m, k) => {
        expect(m).toBeCloseTo(carried[k], 9);
      });
      walker.expectFree();
      walker.position.forEach((p, k) => {
        expect(p).toBeCloseTo([x, y, z][k] + at[k], 9);
      });
    }
  });

  test('carry it round on a turntable, and tell how far it turned', () => {
    const { terrain, object, walker } = platform(3421);
    let turned = 0;
    for (let i = 1; i <= 90; i++) {
      object.move(terrain.pose([0, 0, 0], turnAbout(1, 2 * i * DEGREE)));
      turned += walker.move([0, DOWN, 0]).turned;
    }
    expect(turned).toBeCloseTo(Math.PI, 9);
    expectAt(walker.position, [-1, 0, -0.5], 1e-9);
  });

  test('are walked on while they move, and left behind in a jump', () => {
    const { terrain, object, walker } = platform(3422);
    for (let i = 1; i <= 20; i++) {
      object.move(terrain.pose([0.05 * i, 0, 0]));
      walker.move([0, DOWN, 0.03]);
    }
    expectAt(walker.position, [2, 0, 1.1], 1e-9);
    walker.move([0, 0.3, 0]);
    object.move(terrain.pose([2, 0, 0]));
    expect(Math.hypot(...walker.move([0, 0.3, 0]).carried)).toBe(0);
    expect(walker.position[0]).toBeCloseTo(2, 9);
  });

  test('take it along to a wall, and no farther', () => {
    const { terrain, object, walker } = platform(3423);
    terrain.add(boxOf([2, 0.5, -9], [3, 5, 9]));
    for (let i = 1; i <= 30; i++) {
      object.move(terrain.pose([0.05 * i, 0, 0.02 * i]));
      walker.move([0, DOWN, 0]);
      walker.expectFree();
    }
    expect(walker.position[0]).toBeLessThanOrEqual(2 - 0.31 + 1e-9);
    expect(walker.position[0]).toBeGreaterThan(2 - 0.31 - PLAY);
    expect(walker.position[2]).toBeCloseTo(1.1, 6);
  });

  test('push it aside, and what crushes it is told', () => {
    const terrain = new Terrain(3424);
    terrain.addFloor();
    const ram = terrain.add(boxOf([-3, 0.2, -3], [-0.5, 3, 3]));
    const walker = new Walker(terrain, [0, 0.0105, 0]);
    for (let i = 1; i <= 20; i++) {
      ram.move(terrain.pose([0.05 * i, 0, 0]));
      expect(walker.move([0, DOWN, 0]).stuck).toBe(false);
      walker.expectFree();
    }
    expect(walker.position[0]).toBeGreaterThan(0.5 + 0.31 - 1e-9);
    terrain.add(boxOf([1, -1, -9], [2, 5, 9]));
    for (let i = 1; i <= 10; i++) ram.move(terrain.pose([1 + 0.02 * i, 0, 0]));
    const { stuck, moved, grounded } = walker.move([0.5, DOWN, 0.5]);
    expect({ stuck, grounded, moved: Math.hypot(...moved) }).toEqual({
      stuck: true,
      grounded: false,
      moved: 0,
    });
    ram.move(terrain.pose([0, 0, 0]));
    walker.walk(10, [-0.02, DOWN, 0]);
    expect(walker.controller.grounded).toBe(true);
  });
});

describe('in any scene', () => {
  full.each([3430, 3431, 3432, 3433])(
    'it is never in anything, passes through nothing, and does the same again (seed %i)',
    (seed) => {
      for (let round = 0; round < runs(6); round++) {
        const random = seededRandom(seed * 100 + round);
        const make = () => {
          const again = seededRandom(seed * 100 + round);
          const terrain = new Terrain(seed);
          // a closed room, from the inside
          for (const axis of [0, 1, 2])
            for (const side of [-1, 1]) {
              const [min, max] = [-9, 9].map((end) => [end, end, end]);
              min[axis] = side < 0 ? -9 : 8;
              max[axis] = side < 0 ? -8 : 9;
              terrain.add(boxOf(min, max));
            }
          const things = Array.from({ length: 60 }, () => {
            const size = [0, 1, 2].map(() => 0.1 + 2 * again() ** 2);
            const mesh = boxOf(
              size.map((s) => -s),
              size,
            );
            const place = [0, 1, 2].map(() => 14 * again() - 7);
            if (Math.hypot(place[0], place[1] - 1, place[2]) < 4) place[0] += 9 * Math.sign(place[0]);
            return terrain.add(mesh, place, turnAbout(Math.floor(3 * again()), 6 * again()));
          });
          return { terrain, things, walker: new Walker(terrain, [0, 0.1, 0]) };
        };
        const [one, other] = [make(), make()];
        for (let step = 0; step < 60; step++) {
          // from a millimetre to a hundred metres a step
          const speed = 10 ** (5 * random() - 3);
          const by = [0, 1, 2].map(() => speed * (2 * random() - 1));
          const { grounded, hits } = one.walker.move(by);
          one.walker.expectFree();
          expect(Math.max(...one.walker.position.map(Math.abs))).toBeLessThan(8);
          expect(other.walker.move(by)).toMatchObject({ grounded });
          expect(other.walker.controller.position).toEqual(one.walker.controller.position);
          for (const { normal } of hits) expect(Math.hypot(...normal)).toBeCloseTo(1, 9);
        }
      }
    },
  );
});

describe('among moving things', () => {
  test.each([3441, 3442, 3443])(
    'it gets out of what moves into it, or says that it cannot (seed %i)',
    (seed) => {
      const random = seededRandom(seed);
      const terrain = new Terrain(seed);
      terrain.addFloor();
      const things = Array.from({ length: 12 }, () => {
        const size = [0, 1, 2].map(() => 0.2 + random());
        const place = [6 * random() - 3, 2 * random(), 6 * random() - 3];
        return {
          object: terrain.add(
            boxOf(
              size.map((s) => -s),
              size,
            ),
          ),
          place,
          angle: 0,
        };
      });
      const walker = new Walker(terrain, [0, 4, 0]);
      let [free, met] = [0, 0];
      for (let step = 0; step < 300; step++) {
        for (const thing of things) {
          thing.place = thing.place.map((x, k) => 0.98 * x + 0.06 * (random() - 0.5) + (k === 1 ? 0.01 : 0));
          thing.angle += 0.02 * random();
          thing.object.move(terrain.pose(thing.place, turnAbout(1, thing.angle)));
        }
        const { stuck, hits } = walker.move([0.1 * (random() - 0.5), DOWN, 0.1 * (random() - 0.5)]);
        if (stuck) walker.controller.position = terrain.out([0, 4, 0]);
        else walker.expectFree(1e-6);
        free += stuck ? 0 : 1;
        met += hits.length;
      }
      expect(free).toBeGreaterThan(150);
      expect(met).toBeGreaterThan(0);
    },
  );
});

describe('its options', () => {
  test('are refused where they make no sense', () => {
    const { scene } = new Terrain();
    const make = (options: object) => () => new CharacterController(scene, options);
    expect(make({ height: 0.5 })).toThrow('height must be at least twice the radius, got 0.5');
    expect(make({ skin: 0 })).toThrow('skin must be a number above 0, got 0');
    expect(make({ maxSlope: 2 })).toThrow('maxSlope must be below π / 2, got 2');
    expect(make({ up: [0, 0, 0] })).toThrow('up must not be 0 0 0');
    expect(make({ stepsize: 1 })).toThrow(/has no option stepsize; did you mean stepHeight/);
    expect(() => new CharacterController(undefined as never)).toThrow('a scene is needed');
    expect(() => new CharacterController(scene).move([1, 2])).toThrow(/: by must be 3 finite numbers/);
  });

  test('name what it passes through', () => {
    const terrain = new Terrain(3440);
    terrain.addFloor();
    const ghost = terrain.add(boxOf([1, -1, -9], [2, 5, 9]));
    const walker = new Walker(terrain, [0, 0.011, 0], { ignores: (object) => object === ghost });
    walker.controller.move(terrain.out([3, DOWN, 0]));
    expect(walker.position[0]).toBeCloseTo(3, 6);
  });

  test('its place can be set', () => {
    const terrain = new Terrain();
    terrain.addFloor();
    const walker = new CharacterController({ scene: terrain.scene }, { position: [0, 0.01, 0] });
    walker.move([0, DOWN, 0]);
    walker.position = [3, 2, 1];
    expect(walker.grounded).toBe(false);
    expect(walker.shape).toEqual({ from: [3, 2.3, 1], to: [3, 3.5, 1], radius: 0.3 });
  });
});
