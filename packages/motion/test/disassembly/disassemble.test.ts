/** How assemblies come apart: every step looked at again, at many poses, against all parts that stay. */
import { interlockedRings } from '@impinge/scenes/puzzle';
import { collide, Mesh, poseAt, Scene } from 'impinge';
import { toRigidPose } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/index.mjs';
import { FAST } from '../../../../test/budget.js';
import {
  type DisassembleOptions,
  type DisassembleResult,
  disassemble,
  type Part,
  verifyDisassembly,
} from '../../src/index.js';
import { overlapOf } from '../overlap.js';

const LOOKS = FAST ? 10 : 30;

const boxAt = (size: number[], middle: number[], name: string) => {
  const { positions, indices } = box(size[0], size[1], size[2]);
  return Mesh.from({ positions: positions.map((x, i) => x + middle[i % 3]), indices, name });
};

/** Of what a mesh or an object is made, and where it is. */
const placedAs = (part: Part) =>
  part instanceof Mesh ? { mesh: part, pose: {} } : { mesh: part.mesh, pose: part.pose };

/** No step may meet what stays; with `depth`, none may get deeper. */
function lookAgain(parts: readonly Part[], { steps }: DisassembleResult, depth = 0): void {
  const together = new Map<Part, number>(parts.map((part) => [part, 0]));
  for (const [step, { moves }] of steps.entries()) {
    const moving = new Set(moves.map(({ part }) => part));
    const set = together.get(moves[0].part);
    const staying = parts.filter((part) => together.get(part) === set && !moving.has(part));
    for (const { part, poses, centre } of moves) {
      expect(together.get(part)).toBe(set);
      expect([...poses[0]]).toEqual([...toRigidPose(placedAs(part).pose)]);
      for (let i = 1; i < poses.length; i++) {
        for (let k = 0; k <= LOOKS; k++) {
          const poseB = poseAt({ from: poses[i - 1], to: poses[i], centre }, k / LOOKS);
          for (const other of staying) {
            const { mesh, pose } = placedAs(other);
            const own = placedAs(part).mesh;
            if (depth > 0) expect(overlapOf(own, mesh, poseB)).toBeLessThanOrEqual(depth);
            else expect(collide(mesh, own, { poseA: pose, poseB, mode: 'any' }).colliding).toBe(false);
          }
        }
      }
    }
    for (const part of moving) together.set(part, step + 1);
  }
}

async function apart(parts: readonly Mesh[] | Scene, options: DisassembleOptions = {}) {
  const result = await disassemble(parts, options);
  lookAgain(parts instanceof Scene ? parts.objects() : parts, result, options.allowed as number | undefined);
  const { clearance = 0, allowed = 0 } = options;
  expect(verifyDisassembly(parts, result.steps, { clearance, allowed })).toMatchObject({
    free: true,
    step: -1,
  });
  return result;
}

const names = ({ steps }: DisassembleResult) =>
  steps.map(({ moves }) => moves.map(({ part }) => (part as Mesh).name).join('+'));

/** A box of five walls with a lid, and two things in it. `gap` is left between all of them. */
function chest(gap: number): Mesh[] {
  const walls = [
    boxAt([4, 4, 0.2], [0, 0, -2 - gap], 'floor'),
    boxAt([0.2, 4, 4], [-2.1 - gap, 0, 0], 'left'),
    boxAt([0.2, 4, 4], [2.1 + gap, 0, 0], 'right'),
    boxAt([4, 0.2, 4], [0, -2.1 - gap, 0], 'front'),
    boxAt([4, 0.2, 4], [0, 2.1 + gap, 0], 'back'),
  ];
  const merged = walls.reduce(
    ({ positions, indices }, { storedPositions: p, storedIndices, origin }) => {
      const from = positions.length / 3;
      for (let i = 0; i < p.length; i++) positions.push(p[i] + origin[i % 3]);
      indices.push(...[...storedIndices].map((v) => v + from));
      return { positions, indices };
    },
    { positions: [] as number[], indices: [] as number[] },
  );
  return [
    Mesh.from({ ...merged, name: 'chest' }),
    boxAt([3, 3, 0.5], [0, 0, -1.5], 'below'),
    boxAt([3, 3, 0.5], [0, 0, -0.5], 'above'),
    boxAt([4.4, 4.4, 0.2], [0, 0, 2.2], 'lid'),
  ];
}

describe('sequences', () => {
  test('the lid first, then what is in the chest, from above', async () => {
    const parts = chest(0.05);
    const result = await apart(parts, { directions: [[0, 0, 1]] });
    expect(result.complete).toBe(true);
    expect(names(result)).toEqual(['lid', 'above', 'below']);
    expect(result.steps.every(({ direction }) => direction![2] === 1)).toBe(true);
    const blocked = result.blocking.find(({ parts: [part] }) => part === parts[1])!;
    expect(blocked.by).toContain(parts[2]);
    // the first to leave is farthest out
    const heights = result.explosion.map(({ pose }) => pose[11]);
    expect([...heights].sort((a, b) => b - a)).toEqual(heights);
  });

  test('a pin that holds plates leaves before them, though all touch', async () => {
    const ring = (z: number, name: string) => {
      const { positions, indices } = torus(1, 0.5, 24, 4);
      return Mesh.from({ positions: positions.map((x, i) => (i % 3 === 2 ? x + z : x)), indices, name });
    };
    // the rings have square sections on their tips; 1 high, and 0.5 free in the middle
    const parts = [ring(0, 'lower'), ring(1.001, 'upper'), boxAt([0.5, 0.5, 6], [0, 0, 0], 'pin')];
    const sideways = {
      directions: [
        [1, 0, 0],
        [0, 0, 1],
      ],
      allowed: 0.01,
    };
    const result = await apart(parts, sideways);
    expect(result.complete).toBe(true);
    expect(names(result)).toContain('pin');
  });

  test('parts in contact, out along the directions of their contacts', async () => {
    const turn = [0, 0, Math.sin(Math.PI / 12), Math.cos(Math.PI / 12)];
    const turned = (size: number[], middle: number[], name: string) =>
      boxAt(size, middle, name).transformed({ rotation: turn });
    // a bar between two jaws that touch it: it leaves between them, turned as they are
    const parts = [
      turned([6, 1, 1], [0, 0, 0], 'bar'),
      turned([1, 3, 1], [0, 2, 0], 'jaw'),
      turned([1, 3, 1], [0, -2, 0], 'jaw'),
    ];
    const result = await apart(parts, { directions: [], allowed: 1e-3 });
    expect(result.complete).toBe(true);
    const [x, y, z] = result.steps[0].direction!;
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    expect(Math.max(Math.abs(cos * x + sin * y), Math.abs(cos * y - sin * x), Math.abs(z))).toBeCloseTo(1, 6);
  });

  test('objects of a scene, with a clearance', async () => {
    const scene = new Scene();
    const ball = Mesh.from(icosphere(1, 0.4));
    for (let i = 0; i < 3; i++) scene.add(ball, { pose: { translation: [i, 0, 0] } });
    const result = await apart(scene, { directions: [[1, 0, 0]], clearance: 0.1 });
    const order = result.steps.map(({ moves: [{ part }] }) => scene.objects().indexOf(part as never));
    expect(order).toEqual([2, 1]);
    const tight = await disassemble(scene, { directions: [[1, 0, 0]], clearance: 0.35 });
    expect(tight).toMatchObject({
      complete: false,
      reason: 'deeper',
      deeper: [expect.anything(), expect.anything()],
    });
  });

  test('are the same each time', async () => {
    const [first, second] = [await disassemble(chest(0.05)), await disassemble(chest(0.05))];
    expect(names(second)).toEqual(names(first));
  });
});

describe('some of the parts', () => {
  test('what need not leave before them stays', async () => {
    const row = Array.from({ length: 6 }, (_, i) => boxAt([0.9, 1, 1], [i, 0, 0], `block ${i}`));
    const along = { directions: [[1, 0, 0]] };
    const one = await apart(row, { ...along, remove: [row[3]] });
    expect(names(one)).toEqual(['block 5', 'block 4', 'block 3']);
    const parts = chest(0.05);
    const upwards = { directions: [[0, 0, 1]] };
    expect(names(await apart(parts, { ...upwards, remove: [parts[2]] }))).toEqual(['lid', 'above']);
    expect(names(await apart(parts, { ...upwards, remove: [parts[3]] }))).toEqual(['lid']);
  });

  test('one that can leave alone does, whatever else could leave first', async () => {
    const tunnel = [
      boxAt([1, 4, 3], [-2, 0, 0], 'left'),
      boxAt([1, 4, 3], [2, 0, 0], 'right'),
      boxAt([2.9, 4, 1], [0, 0, 2.1], 'top'),
      boxAt([2.9, 4, 1], [0, 0, -2.1], 'bottom'),
      boxAt([2.9, 4, 3], [0, 0, 0], 'core'),
    ];
    expect(names(await apart(tunnel, { remove: [tunnel[4]] }))).toEqual(['core']);
  });

  test('of another assembly are refused', async () => {
    const parts = chest(0.05);
    await expect(disassemble(parts, { remove: [chest(0.05)[0]] })).rejects.toThrow(/is not a part/);
    await expect(disassemble([parts[0], parts[0]])).rejects.toThrow(/listed twice/);
    await expect(disassemble(parts, { directions: [[0, 0, 0]] })).rejects.toThrow(
      /directions\[0\] has no direction/,
    );
  });
});

describe('what cannot leave alone', () => {
  /** Two rings through each other, about a point. */
  const linked = (x: number, name: string) => {
    const ring = Mesh.from(torus(1, 0.2, 24, 10));
    const other = ring.transformed({
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      translation: [x + 1, 0, 0],
    });
    return [
      Mesh.from({ ...arraysOf(ring.transformed({ translation: [x, 0, 0] })), name: `${name}1` }),
      Mesh.from({ ...arraysOf(other), name: `${name}2` }),
    ];
  };
  const arraysOf = ({ storedPositions, storedIndices, origin }: Mesh) => ({
    positions: Float64Array.from(storedPositions, (p, i) => p + origin[i % 3]),
    indices: storedIndices,
  });

  test('leaves together with what holds it; what is left is named', async () => {
    const parts = [...linked(0, 'a'), ...linked(5, 'b')];
    const result = await apart(parts, { limits: { seconds: 0.1 } });
    expect(result).toMatchObject({ complete: false, reason: 'blocked' });
    expect(names(result)).toEqual(['a1+a2']);
    const sets = result.left.map((set) => set.map((part) => (part as Mesh).name).join());
    expect(sets.sort()).toEqual(['a1,a2', 'b1,b2']);
    expect(result.stats.searches).toBeGreaterThan(0);
    const [a1, a2] = parts;
    const blocked = result.blocking.filter(({ parts: [part] }) => part === a1);
    expect(blocked).toHaveLength(6);
    for (const { by } of blocked) expect(by).toContain(a2);
  });

  test('is found a path that is not straight', async () => {
    const { ring, start } = interlockedRings({ gap: 6 });
    const fixed = Mesh.from(ring);
    const scene = new Scene();
    scene.add(fixed);
    scene.add(fixed, { pose: start });
    const result = await apart(scene, { directions: [], limits: { seconds: 60 } });
    expect(result.complete).toBe(true);
    expect(result.steps).toHaveLength(1);
    expect(result.steps[0].direction).toBeUndefined();
    expect(result.stats.searches).toBeGreaterThan(0);
  });

  test('parts deeper in each other than allowed move as one', async () => {
    const parts = [
      boxAt([1, 1, 1], [0, 0, 0], 'a'),
      boxAt([1, 1, 1], [0.9, 0, 0], 'b'),
      boxAt([1, 1, 1], [3, 0, 0], 'c'),
    ];
    const result = await disassemble(parts, { allowed: 0.02, directions: [[0, 0, 1]] });
    expect(result).toMatchObject({ complete: false, reason: 'deeper', left: [] });
    expect(result.deeper).toEqual([[parts[0], parts[1]]]);
    expect(names(result)).toEqual(['a+b']);
    const [a, b] = result.steps[0].moves.map(({ poses }) => poses[1]);
    expect([...a]).toEqual([...b]);
    const through = (one: Part, other: Part) => (one !== parts[2] && other !== parts[2] ? Infinity : 0);
    const passing = await disassemble(parts, { allowed: through, directions: [[0, 0, 1]] });
    expect(names(passing)).toEqual(['a', 'b']);
  });

  test('says that time is up, reports steps, and can be aborted', async () => {
    const parts = [...linked(0, 'a'), ...linked(5, 'b')];
    expect(await disassemble(parts, { timeLimit: 0 })).toMatchObject({ complete: false, reason: 'time' });
    const control = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ steps }: { steps: number }) => {
      seen.push(steps);
      control.abort();
    };
    const asked = disassemble(parts, { onProgress, signal: control.signal, limits: { seconds: 60 } });
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('verifying', () => {
  test('refuses steps in another order, and of parts that are not together', async () => {
    const parts = chest(0.05);
    const { steps } = await disassemble(parts, { directions: [[0, 0, 1]] });
    const verdict = verifyDisassembly(parts, [steps[1], steps[0], steps[2]]);
    expect(verdict).toMatchObject({ free: false, step: 0 });
    expect(() => verifyDisassembly(parts, [steps[0], steps[0], { ...steps[1], moves: [] }])).toThrow(
      /together/,
    );
    const both = { ...steps[1], moves: [...steps[0].moves, ...steps[1].moves] };
    expect(() => verifyDisassembly(parts, [steps[0], both])).toThrow(
      /step 1 moves parts that are not together/,
    );
  });
});
