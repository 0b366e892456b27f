/** Where to look first for a way out: what near surfaces leave, however the bodies are turned. */
import { slottedPlate } from '@impinge/scenes/puzzle';
import { nutBolt } from '@impinge/scenes/rigid';
import { collide, distance, Mesh, poseAt } from 'impinge';
import { composePoses, invertPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box, randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import { FreeSpace } from '../../src/free-space.js';
import { disassemble, findPath, verifyDisassembly } from '../../src/index.js';
import { surfaceFreedom } from '../../src/plan/surface-freedom.js';

const PITCH = 0.002;

/** A nut that is some turns up its bolt, in metres, the axis along y: after fifteen its thread has left the other. */
function threaded(turns: number) {
  const { shapes, scenery } = nutBolt({ columns: 24 });
  const [s, c] = [Math.sin(Math.PI * turns), Math.cos(Math.PI * turns)];
  return {
    nut: Mesh.from({ ...shapes[0], name: 'nut' }),
    bolt: Mesh.from({ ...scenery[0], name: 'bolt' }),
    pose: toRigidPose({ rotation: [0, s, 0, c], translation: [0, PITCH * turns, 0] }),
  };
}

function freedomOf(body: Mesh, obstacle: Mesh, pose: Float64Array, arm: number): Float64Array[] {
  return surfaceFreedom(new FreeSpace(body, obstacle), pose, arm);
}

const rounded = (headings: readonly Float64Array[]) =>
  headings.map((heading) => Array.from(heading, (x) => Math.round(1e6 * x) / 1e6 + 0));

const placed = (mesh: Mesh, pose: Float64Array) =>
  mesh.transformed(
    [0, 1, 2, 9].flatMap((c) => (c < 9 ? [pose[c], pose[3 + c], pose[6 + c], 0] : [...pose.subarray(9), 1])),
  );

describe('freedom', () => {
  test.each(FAST ? [1] : [1, 2, 3])('a nut may turn along its thread, however it lies, seed %i', (seed) => {
    const { nut, bolt, pose } = threaded(7.3);
    const world = toRigidPose({ rotation: randomRotation(seededRandom(seed)), translation: [seed, -2, 0.5] });
    const arm = 0.02;
    const [screw] = freedomOf(nut, placed(bolt, world), composePoses(world, pose), arm);
    const [v, w] = [screw.subarray(0, 3), screw.subarray(3).map((x) => x / arm)];
    const rate = Math.hypot(...w);
    const up = [world[1], world[4], world[7]];
    const along = w.reduce((sum, x, k) => sum + x * up[k], 0) / rate;
    expect(Math.abs(along)).toBeGreaterThan(0.999);
    const pitch = (2 * Math.PI * v.reduce((sum, x, k) => sum + x * w[k], 0)) / rate ** 2;
    expect(pitch).toBeGreaterThan(0.9 * PITCH);
    expect(pitch).toBeLessThan(1.1 * PITCH);
  });

  test('a bar in a slot may leave it both ways, one on a table upwards, and one in the air is told nothing', () => {
    const plate = Mesh.from(slottedPlate({ thickness: 6 }));
    const bar = Mesh.from(box(8, 3.95, 1.95));
    const along = rounded(freedomOf(bar, plate, toRigidPose({}), 4));
    expect(along).toContainEqual([1, 0, 0, 0, 0, 0]);
    expect(along).toContainEqual([-1, 0, 0, 0, 0, 0]);
    expect(along).toHaveLength(2);
    const table = Mesh.from(box(20, 20, 1));
    const at = (z: number) => toRigidPose({ translation: [0, 0, z] });
    expect(rounded(freedomOf(bar, table, at(1.5), 4))).toContainEqual([0, 0, 1, 0, 0, 0]);
    expect(freedomOf(bar, table, at(9), 4)).toEqual([]);
  });

  test('faces that look inwards lead away all the same', () => {
    const { positions, indices } = box(20, 20, 1);
    const inwards = Mesh.from({ positions, indices: Array.from(indices).reverse() });
    const found = freedomOf(Mesh.from(box(2, 2, 2)), inwards, toRigidPose({ translation: [0, 0, 1.51] }), 2);
    expect(rounded(found)).toContainEqual([0, 0, 1, 0, 0, 0]);
  });
});

describe('threads', () => {
  test('a path turns a nut off its bolt', async () => {
    const { nut, bolt, pose } = threaded(14.2);
    const goal = { translation: [0, bolt.box.max[1] + PITCH, 0] };
    const result = await findPath(nut, bolt, { start: pose, goals: [goal] });
    if (!result.found) throw new Error(`none found: ${result.reason}`);
    const { poses, centre, certificate } = result.path;
    expect(certificate.free).toBe(true);
    for (let i = 1; i < poses.length; i++) {
      for (let k = 0; k <= 50; k++) {
        const poseB = poseAt({ from: poses[i - 1], to: poses[i], centre }, k / 50);
        expect(collide(bolt, nut, { poseB, mode: 'any' }).colliding).toBe(false);
        expect(distance(bolt, nut, { poseB }).distance).toBeGreaterThanOrEqual(certificate.clearance);
      }
    }
  });

  test('a nut and its bolt come apart', async () => {
    const { nut, bolt, pose } = threaded(14.2);
    const parts = [placed(nut, pose), bolt];
    const { complete, steps } = await disassemble(parts, { limits: { seconds: 60 } });
    expect(complete).toBe(true);
    expect(steps).toHaveLength(1);
    const [{ moves, direction }] = steps;
    expect(direction).toBeUndefined();
    const turned = composePoses(moves[0].poses[1], invertPose(moves[0].poses[0]));
    expect(turned[0] + turned[4] + turned[8]).toBeLessThan(2.99);
  });

  test('a nut that holds a bolt in a plate is turned off first', async () => {
    const { nut, bolt, pose } = threaded(14.2);
    const size = { size: 0.05, thickness: 0.012, slot: [0.018, 0.018] as const };
    const standing = toRigidPose({
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      translation: [0, 0.0065, 0],
    });
    const plate = placed(Mesh.from({ ...slottedPlate(size), name: 'plate' }), standing);
    const parts = [plate, placed(nut, pose), bolt];
    const { complete, steps } = await disassemble(parts, { limits: { seconds: 60 } });
    expect(complete).toBe(true);
    expect(steps.map(({ moves }) => moves.map(({ part }) => part.name).join())).toEqual(['nut', 'plate']);
    expect(steps.map(({ direction }) => direction === undefined)).toEqual([true, false]);
    expect(verifyDisassembly(parts, steps).free).toBe(true);
    const blocked = await disassemble(parts, { limits: { nodes: 0 } });
    expect(blocked.complete).toBe(false);
  });
});
