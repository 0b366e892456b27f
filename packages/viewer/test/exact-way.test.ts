/** Ways of a moved object, looked at densely against every triangle around it. */
import { distance, Mesh } from 'impinge';
import { afterAll, describe, expect, test } from 'vitest';
import { ExactModel } from '../src/exact/exact-model.js';
import { ROOMS, wayMarks } from '../src/tools/way-finding.js';
import { box, modelOf, moved } from './small-model.js';

/** A thing on one side of a wall with a hole in it. */
const things = [
  { solid: box(0.4, 0.3, 0.8), pose: moved(-1.5, 0, 0) },
  { solid: box(0.1, 1.5, 3), pose: moved(0, 1.25, 0) },
  { solid: box(0.1, 1.5, 3), pose: moved(0, -1.25, 0) },
  { solid: box(6, 4, 0.1), pose: moved(0, 0, 1.5) },
  { solid: box(6, 4, 0.1), pose: moved(0, 0, -1.5) },
  { solid: box(6, 0.1, 3), pose: moved(0, 2, 0) },
  { solid: box(6, 0.1, 3), pose: moved(0, -2, 0) },
  { solid: box(0.1, 4, 3), pose: moved(3, 0, 0) },
  { solid: box(0.1, 4, 3), pose: moved(-3, 0, 0) },
];
const { model } = await modelOf(things);
const exact = new ExactModel(model);
afterAll(() => exact.dispose());

const [body, ...walls] = things.map(({ solid }) => Mesh.from(solid));
const GOAL = moved(1.5, 0.2, 0);

describe('a way', () => {
  test('is free at every frame, with the room that is said, and what is said to be kept', async () => {
    await exact.take(0);
    const way = await exact.way({ from: things[0].pose, to: GOAL, clearance: 0.02, seconds: 20 });
    if (!way?.found) throw new Error('none was found');
    const { poses, room, clearance, middles } = way;
    expect([...poses[0]]).toEqual([...things[0].pose].map((x) => expect.closeTo(x, 12)));
    expect([...poses.at(-1)!]).toEqual([...GOAL].map((x) => expect.closeTo(x, 12)));
    expect(clearance).toBeGreaterThan(0.02);
    expect(middles).toHaveLength(poses.length);
    for (const [i, pose] of poses.entries()) {
      const apart = walls.map((wall, k) => {
        const poseA = { rotation: pose.slice(0, 9), translation: pose.slice(9) };
        const { pose: at } = things[k + 1];
        const poseB = { rotation: at.slice(0, 9), translation: at.slice(9) };
        return distance(body, wall, { poseA, poseB }).distance;
      });
      const least = Math.min(...apart);
      expect(least).toBeGreaterThan(clearance - 1e-6);
      if (i % 4 === 0) expect(room[i]).toBeCloseTo(least, 6);
    }
    const marks = wayMarks(way, 1);
    const drawn = marks.reduce((sum, { points }) => sum + points.length / 6, 0);
    expect(drawn).toBe(poses.length - 1);
    for (const { colour } of marks) expect(ROOMS.map((one) => one.colour)).toContain(colour);
  });

  test('is not there where an end is not free, which is said', async () => {
    const inWall = moved(0, 1.25, 0);
    const answer = await exact.way({ from: things[0].pose, to: inWall, clearance: 0, seconds: 5 });
    expect(answer).toEqual({ found: false, blocked: expect.stringMatching(/^The goal is not free: .*1\.$/) });
  });

  test('that is wider than the hole is not found in time', async () => {
    const question = { from: things[0].pose, to: GOAL, clearance: 0.4, seconds: 0.3 };
    expect(await exact.way(question)).toEqual({ found: false });
  });

  test('is no longer looked for when something else is asked', async () => {
    const question = { from: things[0].pose, to: GOAL, clearance: 0.4, seconds: 60 };
    expect(await exact.way(question, async () => true)).toBeUndefined();
  });
});
