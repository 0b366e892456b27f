import { Mesh, selfIntersect, within } from 'impinge';
import { describe, expect, it } from 'vitest';
import {
  breaking,
  bunny,
  clothBall,
  clothBunny,
  growth,
  letters,
  mixedSizes,
  START_GAP,
  tori,
  turnedAt,
} from '../dist/deform/index.js';
import { edgesOf, expectClosed, hashOf, lowest, meetingPairs, worstQuality } from './deform-checks.mjs';

/** Made once: it takes a while. */
const coarseBunny = bunny(0.025);

describe('tori', () => {
  it('has fourteen closed tori of 800 triangles in the open, above a tray', () => {
    const scene = tori();
    expect(scene.tori).toHaveLength(14);
    for (const torus of scene.tori) {
      expect(torus.indices.length).toBe(2400);
      expectClosed(torus, 1);
      expect(lowest(torus)).toBeGreaterThan(0);
    }
    expect(edgesOf(scene.tray)).toEqual({ counts: new Set([1, 2]), repeated: 0 });
    expect(meetingPairs(scene.tray, ...scene.tori)).toBe(0);
  });
});

describe('bunny', () => {
  it('is one closed smooth surface of 60 thousand well-shaped triangles', () => {
    const mesh = bunny();
    expect(mesh.indices.length / 3).toBeGreaterThan(58_000);
    expect(mesh.indices.length / 3).toBeLessThan(62_000);
    expectClosed(mesh);
    expect(worstQuality(mesh)).toBeGreaterThan(0.4);
    expect(selfIntersect(Mesh.from(mesh)).count).toBe(0);
  });
});

describe('cloth over a bunny', () => {
  it('hangs the paper’s cloth over a model that stands on the floor', () => {
    const scene = clothBunny({ model: coarseBunny });
    expect(scene.cloth.positions.length / 3).toBe(10_000);
    expect(scene.cloth.indices.length / 3).toBe(19_602);
    expect(scene.clothVertices).toBe(100);
    expect(lowest(scene.model)).toBeCloseTo(0.01, 6);
    expect(meetingPairs(scene.cloth, scene.model, scene.floor)).toBe(0);
    expect(edgesOf(scene.cloth)).toEqual({ counts: new Set([1, 2]), repeated: 0 });
  });

  it('takes any model, of any size, anywhere', () => {
    const model = {
      positions: Float32Array.of(90, 50, 0, 98, 50, 0, 90, 54, 0, 90, 50, 2),
      indices: Uint32Array.of(0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3),
    };
    const scene = clothBunny({ model, clothVertices: 5 });
    const x = [0, 3, 6, 9].map((i) => scene.model.positions[i]);
    expect(Math.max(...x)).toBeCloseTo(0.75, 6);
    expect(Math.min(...x)).toBeCloseTo(-0.75, 6);
    expect(lowest(scene.cloth)).toBeGreaterThan(0.75);
    expect(scene.cloth.indices.length / 3).toBe(32);
    expect(model.positions[0]).toBe(90);
  });
});

describe('cloth over a ball', () => {
  it('has as many triangles as the reference frames', () => {
    const scene = clothBall();
    const total = [scene.cloth, scene.ball, scene.floor].reduce(
      (sum, { indices }) => sum + indices.length / 3,
      0,
    );
    expect(Math.abs(total - 92_230)).toBeLessThan(500);
    expectClosed(scene.ball);
  });

  it('is free at the start', () => {
    const scene = clothBall({ vertices: 40 });
    expect(scene.cloth.indices.length / 3).toBe(2 * 39 * 39);
    expect(meetingPairs(scene.cloth, scene.ball, scene.floor)).toBe(0);
  });

  it('turns the ball about its own upright axis, later', () => {
    const { turn } = clothBall({ vertices: 10 });
    expect([...turnedAt(turn, turn.startS)].map((entry) => entry + 0)).toEqual([
      1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
    ]);
    const aside = { ...turn, centre: [3, 1, -2] };
    const quarter = turnedAt(aside, turn.startS + 0.25 / turn.turnsPerSecond);
    const turned = (x, y, z) =>
      [0, 1, 2].map(
        (k) => quarter[3 * k] * x + quarter[3 * k + 1] * y + quarter[3 * k + 2] * z + quarter[9 + k],
      );
    for (const [from, to] of [
      [
        [3, 7, -2],
        [3, 7, -2],
      ],
      [
        [4, 0, -2],
        [3, 0, -3],
      ],
      [
        [3, 0, -1],
        [4, 0, -2],
      ],
    ]) {
      turned(...from).forEach((value, k) => {
        expect(value).toBeCloseTo(to[k], 12);
      });
    }
  });
});

describe('breaking', () => {
  it('shoots a ball at a closed vase', () => {
    const scene = breaking({ seed: 1 });
    expectClosed(scene.vase);
    expectClosed(scene.ball);
    expect(meetingPairs(scene.vase, scene.ball, scene.floor)).toBe(0);
    // at the height of its axis, within the vase when it gets there
    const centre = [0, 1, 2].map(
      (k) =>
        scene.ball.positions.reduce((sum, value, i) => (i % 3 === k ? sum + value : sum), 0) /
        (scene.ball.positions.length / 3),
    );
    const [vx, vy, vz] = scene.ballVelocity;
    const time = -(centre[0] * vx + centre[2] * vz) / (vx * vx + vz * vz);
    expect(time).toBeGreaterThan(0);
    expect(Math.hypot(centre[0] + time * vx, centre[2] + time * vz)).toBeLessThan(0.1);
    const height = centre[1] + time * vy - 4.9 * time * time;
    expect(height).toBeGreaterThan(0.2);
    expect(height).toBeLessThan(0.6);
  });
});

describe('scenes of any size', () => {
  const meeting = (scene, end) =>
    selfIntersect(Mesh.from({ positions: scene[end], indices: scene.indices })).count;
  const volume = ({ positionsT0 }) => {
    let product = 1;
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = k; i < positionsT0.length; i += 3) {
        low = Math.min(low, positionsT0[i]);
        high = Math.max(high, positionsT0[i]);
      }
      product *= high - low;
    }
    return product;
  };

  it.each([
    ['growth', growth, 122_880],
    ['mixed sizes', mixedSizes, 44 * 1000],
  ])('%s: free at first, then colliding in proportion, equally dense', (_, make, n) => {
    const [small, large] = [make(n / 8, 3), make(n, 3)];
    for (const [scene, triangles] of [
      [small, n / 8],
      [large, n],
    ]) {
      expect(scene.indices.length / 3).toBe(triangles);
      expect(meeting(scene, 'positionsT0')).toBe(0);
    }
    const share = meeting(large, 'positionsT1') / meeting(small, 'positionsT1') / 8;
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(1.25);
    const density = volume(large) / volume(small) / 8;
    expect(density).toBeGreaterThan(0.8);
    expect(density).toBeLessThan(1.25);
  });

  it.each([
    ['growth', growth],
    ['mixed sizes', mixedSizes],
  ])('%s: exactly as many triangles as asked, every vertex number in range', (_, make) => {
    for (const n of [1, 1001, 4999]) {
      const scene = make(n);
      expect(scene.indices.length).toBe(3 * n);
      expect(Math.max(...scene.indices)).toBeLessThan(scene.positionsT0.length / 3);
      expect(scene.positionsT1.length).toBe(scene.positionsT0.length);
    }
  });

  it('mixed sizes: sides from a metre to a millimetre, as many of each', () => {
    const { positionsT0: p } = mixedSizes(4400, 2);
    const octaves = new Array(11).fill(0);
    for (let i = 0; i < p.length; i += 9) {
      const side = Math.hypot(p[i] - p[i + 3], p[i + 1] - p[i + 4], p[i + 2] - p[i + 5]);
      octaves[Math.round(-Math.log(side / 0.79) / Math.log(1.9953))]++;
    }
    expect(octaves).toEqual(new Array(11).fill(400));
  });
});

it('leaves the starting gap between all bodies of a scene', () => {
  const { tray, tori: rings } = tori();
  const overBunny = clothBunny({ model: bunny(0.04), clothVertices: 30 });
  const overBall = clothBall({ vertices: 30 });
  const { vase, ball, floor } = breaking();
  const { tray: letterTray, letters: copies } = letters({ count: 12 });
  for (const bodies of [
    [tray, ...rings],
    [overBunny.cloth, overBunny.model, overBunny.floor],
    [overBall.cloth, overBall.ball, overBall.floor],
    [vase, ball, floor],
    [letterTray, ...copies],
  ]) {
    const meshes = bodies.map((body) => Mesh.from(body));
    meshes.forEach((mesh, i) => {
      for (const other of meshes.slice(0, i)) {
        expect(within(mesh, other, { distance: 0.999 * START_GAP, mode: 'any' }).count).toBe(0);
      }
    });
  }
});

describe('equal seeds, equal bytes', () => {
  const cases = [
    ['tori', (seed) => tori({ seed }), 'b583cc34873f'],
    [
      'cloth over a bunny',
      (seed) => clothBunny({ model: coarseBunny, clothVertices: 20, seed }),
      'd9a08f386a5b',
    ],
    ['letters', (seed) => letters({ count: 52, seed }), '9b1f51940209'],
    ['cloth over a ball', (seed) => clothBall({ vertices: 20, seed }), 'e5c48ae0e4ce'],
    ['breaking', (seed) => breaking({ seed }), 'b0bfd008f1c9'],
    ['growth', (seed) => growth(5000, seed), 'a9275195d35a'],
    ['mixed sizes', (seed) => mixedSizes(5000, seed), '33f37c4ac991'],
  ];
  it.each(cases)('%s', (_, scene, pinned) => {
    expect(hashOf(scene(1))).toBe(pinned);
    expect(hashOf(scene(2))).not.toBe(pinned);
  });
});
