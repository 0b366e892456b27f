/** Bodies in contact at the start: what is called free gets nowhere deeper, at dense samples of both surfaces. */
import { slottedPlate } from '@impinge/scenes/puzzle';
import { isClosed, Mesh, type Motion, poseAt } from 'impinge';
import { describe, expect, test } from 'vitest';
import {
  box,
  icosphere,
  randomDirection,
  randomRotation,
  seededRandom,
  torus,
} from '../../../lab/scenes/index.mjs';
import { FAST, least } from '../../../test/budget.js';
import { DrawnIn } from '../src/drawn-in.js';
import { findPath, motionFree, verifyPath } from '../src/index.js';
import { randomBody } from './bodies.js';
import { overlapOf } from './overlap.js';

const SAMPLES = FAST ? 6 : 20;

const deepest = (body: Mesh, obstacle: Mesh, motion: Motion, end = 1) =>
  Array.from({ length: SAMPLES + 1 }, (_, i) =>
    overlapOf(body, obstacle, poseAt(motion, (end * i) / SAMPLES)),
  );

/** In a slot of 6 × 4 through a plate that is 2 thick, along x; a bar that is larger by `more` on every side. */
const deep = Mesh.from({ ...slottedPlate({ thickness: 2, slot: [6, 4] }), name: 'plate' });
const barOf = (more: number) => Mesh.from(box(3, 6 + 2 * more, 4 + 2 * more));
const out: Motion = { to: { translation: [5, 0, 0] } };

describe('contact at the start', () => {
  test.each([0, 1e-3])('a bar slides out of a slot that it fits into, %f larger', (more) => {
    const bar = barOf(more);
    expect(motionFree(bar, deep, out)).toMatchObject({ verdict: 'hit', time: 0, depth: 0 });
    const pulled = motionFree(bar, deep, { ...out, allowed: 0.01 });
    expect(pulled.verdict).toBe('free');
    expect(pulled.depth).toBeGreaterThanOrEqual(more);
    expect(pulled.depth).toBeLessThanOrEqual(Math.max(4 * more, 1e-4));
    expect(Math.max(...deepest(bar, deep, out))).toBeLessThanOrEqual(pulled.depth);
    // across the slot it gets deeper
    const across = motionFree(bar, deep, { to: { translation: [0, 0.3, 0] }, allowed: 0.01 });
    expect(across.verdict).toBe('hit');
    expect(0.3 * across.time).toBeLessThanOrEqual(across.depth);
    // so does a turn
    const turned = { rotation: [0.1, 0, 0, Math.sqrt(0.99)] };
    expect(motionFree(bar, deep, { to: turned, allowed: 0.01 }).verdict).toBe('hit');
  });

  test('what is deeper than allowed is hit at the start', () => {
    const allowed = 1e-3;
    const hit = motionFree(barOf(0.1), deep, { ...out, allowed });
    expect(hit).toMatchObject({ verdict: 'hit', time: 0, depth: 0 });
    expect(hit.contact!.obstacle).toBe(deep);
  });

  test.each([1, 2])('no body that is called free gets deeper, seed %i', (seed) => {
    const random = seededRandom(seed);
    let free = 0;
    let resting = 0;
    for (let i = 0; i < (FAST ? 3 : 6); i++) {
      const solid = () =>
        random() < 0.5 ? Mesh.from(box(0.5 + random(), 0.5 + random(), 0.5)) : Mesh.from(icosphere(1, 0.5));
      const [body, obstacle] = [solid(), random() < 0.3 ? Mesh.from(torus(0.8, 0.3, 12, 8)) : solid()];
      // from aside until they are a little in each other
      const rotation = randomRotation(random);
      const way = randomDirection(random);
      const at = (length: number) => ({ rotation, translation: way.map((x: number) => length * x) });
      const approach = motionFree(body, obstacle, { from: at(4), to: at(0) });
      if (approach.verdict === 'free') continue;
      const from = at(4 - 4 * approach.time - 0.002 * random());
      const depth = overlapOf(body, obstacle, from);
      for (let k = 0; k < 4; k++) {
        const turn = k % 2 === 0 ? rotation : randomRotation(random);
        const aside = randomDirection(random);
        const motion = {
          from,
          to: { rotation: turn, translation: from.translation.map((x: number, j: number) => x + aside[j]) },
        };
        const found = motionFree(body, obstacle, { ...motion, allowed: 0.02 });
        const end = found.verdict === 'free' ? 1 : found.time;
        const depths = deepest(body, obstacle, motion, end * (1 - 1e-6));
        expect(Math.max(...depths)).toBeLessThanOrEqual(found.depth > 0 ? found.depth : 1e-9 + depth);
        expect(found.depth).toBeLessThanOrEqual(0.02);
        if (found.verdict === 'free') free++;
        if (found.depth > 0) resting++;
      }
    }
    expect(resting).toBeGreaterThan(least(4));
    expect(free).toBeGreaterThan(least(2));
  });

  test('depths by obstacle, and obstacles that may be passed through', () => {
    const bar = barOf(1e-3);
    const wall = Mesh.from(box(0.2, 9, 9)).transformed({ translation: [4, 0, 0] });
    const allowed = (one: unknown) => (one === wall ? Infinity : 0.01);
    expect(motionFree(bar, [deep, wall], { ...out, allowed }).verdict).toBe('free');
    expect(motionFree(bar, [deep, wall], { ...out, allowed: 0.01 }).contact!.obstacle).toBe(wall);
    expect(motionFree(bar, [deep, wall], { ...out, allowed: () => 0 }).time).toBe(0);
    expect(() => motionFree(bar, deep, { allowed: -1 })).toThrow(/allowed must be at least 0, got -1/);
    expect(() => motionFree(bar, deep, { allowed: Number.NaN })).toThrow(/allowed must be at least 0/);
  });

  test('only what is not in contact is held to the clearance', () => {
    const bar = barOf(1e-3);
    const beside = Mesh.from(box(1, 1, 1)).transformed({ translation: [4, 4, 0] }); // 0.5 from the way
    const pulled = (clearance: number) =>
      motionFree(bar, [deep, beside], { ...out, clearance, allowed: 0.01 }).verdict;
    expect(pulled(0.4)).toBe('free');
    expect(pulled(0.6)).toBe('hit');
  });

  test('a thin plate is held by a thick one that is drawn in instead', () => {
    const thin = Mesh.from(box(4, 4, 1e-3));
    const thick = Mesh.from(box(9, 9, 2)).transformed({ translation: [0, 0, -0.999] });
    const slid = motionFree(thin, thick, { to: { translation: [9, 0, 0] }, allowed: 0.01 });
    expect(slid.verdict).toBe('free');
    expect(slid.depth).toBeGreaterThan(0.001);
  });

  test('paths begin and end in contact', async () => {
    const bar = barOf(1e-3);
    const options = { allowed: 0.01, clearance: 0.01, bounds: { min: [-9, -1, -1], max: [9, 1, 1] } };
    const goals = [{ translation: [6, 0, 0] }];
    const result = await findPath(bar, deep, { start: {}, goals, ...options });
    if (!result.found) throw new Error(result.reason);
    const { poses, centre, certificate } = result.path;
    expect(certificate.free).toBe(true);
    expect(certificate.depth).toBeGreaterThanOrEqual(1e-3);
    for (let i = 1; i < poses.length; i++) {
      const depths = deepest(bar, deep, { from: poses[i - 1], to: poses[i], centre });
      expect(Math.max(...depths)).toBeLessThanOrEqual(certificate.depth);
    }
    const back = { poses: [...poses].reverse(), centre };
    expect(verifyPath(bar, deep, back, { allowed: 0.01 })).toMatchObject({ free: true, motion: -1 });
    expect(verifyPath(bar, deep, back, { allowed: 1e-4 }).free).toBe(false);
    expect(verifyPath(bar, deep, back)).toMatchObject({ free: false, depth: 0 });
    await expect(findPath(bar, deep, { start: {}, goals })).rejects.toThrow(/the start is not free/);
  });
});

describe('bodies drawn in', () => {
  test.each([1, 2])('no corner moves farther, and what is closed stays so, seed %i', (seed) => {
    const random = seededRandom(seed);
    for (let i = 0; i < 20; i++) {
      const body = randomBody(random).transformed({
        rotation: randomRotation(random),
        translation: [1e3 * random(), 0, 0],
      });
      const asked = 10 ** (-4 * random());
      const { mesh, depth } = new DrawnIn(body).by(asked);
      expect(depth).toBeLessThanOrEqual(asked);
      expect(isClosed(mesh)).toBe(isClosed(body));
      const [from, to] = [body, mesh].map(({ storedPositions }) => storedPositions);
      for (let v = 0; v < from.length; v += 3) {
        const moved = Math.hypot(...[0, 1, 2].map((k) => to[v + k] - from[v + k]));
        expect(moved).toBeLessThanOrEqual(depth);
      }
    }
  });

  test('faces of a box recede, whichever way they are turned', () => {
    const { positions, indices } = box(2, 2, 2);
    const inwards = indices.map((_, i) => indices[i - (i % 3) + [0, 2, 1][i % 3]]);
    for (const one of [indices, inwards]) {
      const { mesh } = new DrawnIn(Mesh.from({ positions, indices: one })).by(0.3);
      for (const x of mesh.storedPositions) expect(Math.abs(x)).toBeCloseTo(1 - 0.3 / Math.sqrt(3), 5);
    }
  });
});
