/** Real parts: two castings on a trajectory of 501 frames, and two scans of 70 000 triangles in flight. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { sharedData } from '../../../../../test/shared-data.js';
import { worldMesh } from '../../../../../test/world-objects.js';
import { type Motion, poseAt } from '../../../src/math/motion.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { timeOfImpact } from '../../../src/query/motion/time-of-impact.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { randomPose } from '../../hierarchy/fixtures.js';

const assembly = sharedData('deform/Model_1.xml');
const scan = sharedData('scans/bunny.ply');

/** The numbers of all attributes of that name in an element. */
function attributes(text: string, element: string, names: readonly string[]): number[][] {
  const value = (tag: string, name: string) =>
    new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(tag)![1].trim().split(/\s+/).map(Number);
  return [...text.matchAll(new RegExp(`<${element}\\b[^>]*>`, 'g'))].map(([tag]) =>
    names.flatMap((name) => value(tag, name)),
  );
}

describe.skipIf(!assembly)('an assembly in motion', () => {
  const load = () => {
    const text = readFileSync(assembly!, 'utf8');
    const meshes = [...text.matchAll(/<OBJECT\b[\s\S]*?<\/OBJECT>/g)].map(([object]) =>
      Mesh.from({
        positions: attributes(object, 'GRID', ['x', 'y', 'z']).flat(),
        indices: attributes(object, 'TRIA', ['g1', 'g2', 'g3'])
          .flat()
          .map((id) => id - 1),
      }),
    );
    const frames = attributes(text, 'FRAME', ['obj1_pos']);
    return { moving: meshes[0], standing: meshes[1], frames };
  };

  test('every frame to the next, and all of it at once', () => {
    const { moving, standing, frames } = load();
    expect([moving.triangleCount, standing.triangleCount, frames.length]).toEqual([3322, 3564, 501]);
    const meets = frames.map(
      (translation) => collide(standing, moving, { poseB: { translation }, mode: 'any' }).colliding,
    );
    expect(meets.indexOf(true)).toBe(25);
    for (let i = 0; i < 25; i++) {
      const motionB: Motion = { from: { translation: frames[i] }, to: { translation: frames[i + 1] } };
      const { time } = timeOfImpact(standing, moving, { motionB });
      expect(time <= 1, `frame ${i}`).toBe(i === 24);
    }
    // the part moves along one line: from end to end is the same motion, at another pace
    const [from, to] = [frames[0], frames[500]];
    const motionB: Motion = { from: { translation: from }, to: { translation: to } };
    const { time, normal } = timeOfImpact(standing, moving, { motionB });
    const y = from[1] + time * (to[1] - from[1]);
    expect(y).toBeGreaterThan(frames[24][1]);
    expect(y).toBeLessThan(frames[25][1]);
    // it comes from below
    expect(normal![1]).toBeLessThan(-0.9);
    const poseB = poseAt(motionB, time);
    expect(distance(standing, moving, { poseB }).distance).toBeLessThan(1e-5);
    expect(collide(standing, moving, { poseB, mode: 'any' }).colliding).toBe(false);
  });
});

describe.skipIf(!scan)('bunnies in flight', () => {
  test('past and into each other, turning and not, seed 91', async () => {
    const shape = await worldMesh(scan!);
    const random = seededRandom(91);
    let met = 0;
    for (let n = 0; n < 12; n++) {
      const across = [random() - 0.5, random() - 0.5, random() - 0.5];
      const scale = 0.35 / Math.hypot(...across);
      const aside = [0, 1, 2].map(() => 0.15 * (random() - 0.5));
      const at = (sign: number) => {
        const p = randomPose(
          random,
          n % 2 === 0 ? 0.5 : 0.5 + sign,
          across.map((x, k) => sign * scale * x + aside[k]),
        );
        return { rotation: p.slice(0, 9), translation: p.slice(9) };
      };
      const from = at(1);
      const to = n % 2 === 0 ? { ...at(-1), rotation: from.rotation } : at(-1);
      const motionB: Motion = { from, to, kind: n % 3 === 0 ? 'screw' : 'linear' };
      const { time } = timeOfImpact(shape, shape, { motionB });
      if (time <= 1) {
        met++;
        expect(distance(shape, shape, { poseB: poseAt(motionB, time) }).distance).toBeLessThan(3e-7);
      }
      for (let i = 0; i <= 200 && i / 200 < time; i++) {
        const poseB = poseAt(motionB, i / 200);
        expect(collide(shape, shape, { poseB, mode: 'any' }).colliding).toBe(false);
      }
    }
    expect(met).toBeGreaterThan(3);
  });
});
