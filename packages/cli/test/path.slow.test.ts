/** `impinge path`: what it finds, writes and refuses. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { distance, Mesh, poseAt, type Vec3 } from 'impinge';
import { describe, expect, test } from 'vitest';
import { readModel } from '../src/formats/read-model.js';
import { matrixOfPose } from '../src/matrix.js';
import { momentsOf } from '../src/path/path-motion.js';
import { transformed } from '../src/path/path-poses.js';
import { readRecording } from '../src/wire/recording.js';
import { Files } from './files.js';
import { boxesObj, impinge, impingeJson, type NamedBox } from './run-impinge.js';

const files = new Files();

/** A wall with a door, and a cabinet in front of it, a millimetre above the floor. */
const ROOM: NamedBox[] = [
  ['floor', [-1, 9], [-1, 5], [-0.2, 0]],
  ['wall-left', [4, 4.2], [-1, 1.5], [0, 2.5]],
  ['wall-right', [4, 4.2], [2.6, 5], [0, 2.5]],
  ['ceiling', [-1, 9], [-1, 5], [2.5, 2.7]],
  ['cabinet', [0, 1], [3, 3.5], [0.001, 1.8]],
];
const room = files.write('room.obj', boxesObj(...ROOM));
const pump = files.write('pump.obj', boxesObj(['pump', [-0.3, 0.3], [-0.2, 0.2], [0, 1]]));
const WAY = ['--from', '1,1,0.2', '--to', '7,1,0.2', '--bounds=-1,-1,0,9,5,2.5'];

interface Written {
  readonly centre: Vec3;
  readonly poses: { readonly time: number; readonly position: number[]; readonly rotation: number[] }[];
  readonly certificate: { readonly clearance: number; readonly nearest: number };
  readonly clearance: number;
  readonly length: number;
}

async function meshesIn(path: string): Promise<Mesh[]> {
  const { shapes } = await readModel(path);
  return shapes.map(({ geometry }) => Mesh.from(geometry));
}

/** The least distance at many poses of a path, by the interpolation of the library. */
function leastDistance(body: Mesh, obstacles: readonly Mesh[], { poses, centre }: Written, samples: number) {
  let least = Infinity;
  for (let i = 1; i < poses.length; i++) {
    const [from, to] = [poses[i - 1], poses[i]].map(({ position, rotation }) => ({
      translation: position as unknown as Vec3,
      rotation,
    }));
    for (let k = 0; k <= samples; k++) {
      const poseB = poseAt({ from, to, centre }, k / samples);
      for (const obstacle of obstacles)
        least = Math.min(least, distance(obstacle, body, { poseB, atMost: least }).distance);
    }
  }
  return least;
}

describe('a path that is found', () => {
  test('keeps its clearance at every sample, and is proved again by itself', async () => {
    const output = join(files.folder, 'path.json');
    const { code, out } = await impinge(
      'path',
      room,
      '--body',
      pump,
      ...WAY,
      '--clearance',
      '50mm',
      '-o',
      output,
    );
    expect(code).toBe(0);
    expect(out).toContain('path found\n');
    expect(out).toMatch(/clearance +at least 0\.0\d+ m all along, proved, 0\.05 m asked/);
    const written: Written = JSON.parse(readFileSync(output, 'utf8'));
    expect(written).toMatchObject({ model: basename(room), body: { file: basename(pump) }, clearance: 0.05 });
    const { poses, certificate } = written;
    expect(poses[0].position).toEqual([1, 1, 0.2].map((x) => expect.closeTo(x, 12)));
    expect(poses.at(-1)!.position).toEqual([7, 1, 0.2].map((x) => expect.closeTo(x, 12)));
    expect(certificate.clearance).toBeGreaterThan(0.05);
    const [body] = await meshesIn(pump);
    const least = leastDistance(body, await meshesIn(room), written, 400);
    expect(least).toBeGreaterThanOrEqual(certificate.clearance);
    const again = await impinge('path', '--verify', output);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toMatch(/^proved: \d+ motions keep at least 0\.0\d+ m/);
  });

  test('keeps the body upright, and says so', async () => {
    const output = join(files.folder, 'upright.json');
    const asked = ['path', room, '--body', pump, ...WAY, '--seed', '5', '-o', output];
    const { code, out } = await impinge(...asked, '--upright', '10');
    expect(code).toBe(0);
    expect(Number(/upright +leans by at most (\d+\.\d+)°, proved/.exec(out)![1])).toBeLessThanOrEqual(10);
    const written = JSON.parse(readFileSync(output, 'utf8'));
    expect(written.upright).toBeCloseTo(Math.PI / 18, 12);
    expect((await impinge('path', '--verify', output)).code).toBe(0);
    const turned = await impingeJson(...asked, '--upright');
    for (const { rotation } of (turned as Written).poses) {
      expect(Math.hypot(rotation[0], rotation[1])).toBeLessThan(1e-6);
    }
    // the pose in the middle leans: what is written is held to it
    written.poses[1].rotation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    writeFileSync(output, JSON.stringify(written));
    const again = await impinge('path', '--verify', output);
    expect(again.code).toBe(1);
    expect(again.out).toMatch(/^not proved: motion 1 of \d+ .* leans too far, or cannot be shown not to/);
  });

  test('walks through the door and up a step, and is verified on its own', async () => {
    const step: NamedBox = ['step', [6, 9], [-1, 5], [0, 0.17]];
    const stepped = files.write('stepped.obj', boxesObj(...ROOM, step));
    const output = join(files.folder, 'walk.json');
    const size = ['--walk', '0.6x0.4x1.8m'];
    const way = ['--from', '1,1,0', '--to', '7,1,0.17', '--clearance', '20mm', '-o', output];
    const { code, out } = await impinge('path', stepped, ...size, ...way);
    expect(code).toBe(0);
    expect(out).toMatch(/clearance +at least 0\.0\d+ m all along, proved, 0\.02 m asked/);
    const written: Written & { walk: object } = JSON.parse(readFileSync(output, 'utf8'));
    expect(written).toMatchObject({ body: { box: [0.6, 0.4, 1.8] }, walk: { stepHeight: 0.3 } });
    expect(written.poses.at(-1)!.position).toEqual([7, 1, 0.17].map((x) => expect.closeTo(x, 4)));
    // all of the person above half the step height, among all there is
    const knees = files.write('knees.obj', boxesObj(['k', [-0.3, 0.3], [-0.2, 0.2], [0.15, 1.8]]));
    const [body] = await meshesIn(knees);
    const least = leastDistance(body, await meshesIn(stepped), written, 200);
    expect(least).toBeGreaterThan(written.certificate.clearance - 1e-5);
    expect((await impinge('path', '--verify', output)).code).toBe(0);
    // a pose in the air is none on foot
    written.poses[1].position[2] += 0.5;
    writeFileSync(output, JSON.stringify(written));
    const again = await impinge('path', '--verify', output);
    expect(again.code).toBe(1);
    expect(again.out).toMatch(/has no floor below/);
    const low = await impinge('path', stepped, ...size, ...way, '--step', '100mm', '--time', '4');
    expect(low.code).toBe(1);
    expect(low.out).toMatch(/closest +5\.\d+,.* m from the goal, straight/);
  });

  test('of an object of the model begins where that stands, which is then not in the way', async () => {
    const found = await impingeJson('path', room, '--body', 'name:cabinet', '--to', '7,2,1', '--seed', '2');
    expect(found).toMatchObject({ found: true, body: { object: 'name:cabinet' }, clearance: 0 });
    const { poses } = found as Written;
    expect(poses[0].position).toEqual([0.5, 3.25, 0.9005].map((x) => expect.closeTo(x, 6)));
    const others = files.write('others.obj', boxesObj(...ROOM.slice(0, 4)));
    // about the middle of its box
    const middle = files.write('middle.obj', boxesObj(['c', [-0.5, 0.5], [-0.25, 0.25], [-0.8995, 0.8995]]));
    const [body] = await meshesIn(middle);
    const least = leastDistance(body, await meshesIn(others), found, 200);
    // the coordinates of files are rounded, those of stores relative to other origins
    expect(least).toBeGreaterThan(found.certificate.clearance - 1e-6);
  });

  test('is the same for equal seeds', async () => {
    const ask = async (seed: string) =>
      (await impingeJson('path', room, '--body', 'name:cabinet', '--to', '7,2,1', '--seed', seed)).poses;
    expect(await ask('3')).toEqual(await ask('3'));
    expect(await ask('3')).not.toEqual(await ask('4'));
  });

  test('as an animation is where the path is, in metres with y up', async () => {
    const [output, recorded] = [join(files.folder, 'same.json'), join(files.folder, 'same.glb')];
    for (const file of [output, recorded])
      expect(await impinge('path', room, '--body', pump, ...WAY, '-o', file)).toMatchObject({ code: 0 });
    const written: Written = JSON.parse(readFileSync(output, 'utf8'));
    const run = readRecording(readFileSync(recorded));
    expect(run.bodies).toHaveLength(1);
    const [body] = run.bodies;
    const [{ centre, poses }, times] = [written, run.times];
    expect(times[times.length - 1]).toBeCloseTo(poses.at(-1)!.time, 4);
    const path = { centre, poses, times: poses.map(({ time }) => time) };
    const moments = momentsOf(path, 0.04, 5000);
    expect(times).toHaveLength(moments.length);
    moments.forEach((moment, frame) => {
      const at = body.placeAt(frame);
      const [x, y, z] = moment.centre;
      expect([...at.subarray(9)]).toEqual([x, z, -y].map((c) => expect.closeTo(c, 4)));
    });
    // the poses themselves are keys, and between them the library's motion is what is shown
    const corner = body.surface.positions.subarray(0, 3);
    const shown = (frame: number) => {
      const p = body.placeAt(frame);
      return [0, 1, 2].map((r) => p[9 + r] + [0, 1, 2].reduce((sum, k) => sum + p[3 * r + k] * corner[k], 0));
    };
    const half = moments.findIndex(({ time }) => time > 0.5 * (poses[0].time + poses[1].time));
    const share = (moments[half].time - poses[0].time) / (poses[1].time - poses[0].time);
    const [from, to] = poses.map(({ position, rotation }) => ({ translation: position as never, rotation }));
    const { rotation, translation } = poseAt({ from, to, centre }, share);
    const own = [corner[0] + centre[0], centre[1] - corner[2], corner[1] + centre[2]];
    const world = transformed(matrixOfPose([...rotation, ...translation]), own);
    expect(shown(half)).toEqual([world[0], world[2], -world[1]].map((c) => expect.closeTo(c, 4)));
  });

  test('is not proved where it has been altered, or the model has', async () => {
    const output = join(files.folder, 'altered.json');
    await impinge('path', room, '--body', pump, ...WAY, '-o', output);
    const written = JSON.parse(readFileSync(output, 'utf8'));
    const straight = { ...written, poses: [written.poses[0], written.poses.at(-1)] };
    writeFileSync(output, JSON.stringify(straight));
    const { code, out } = await impinge('path', '--verify', output);
    expect(code).toBe(1);
    expect(out).toMatch(/^not proved: motion 1 of 1 /);
  });
});

describe('where none is found', () => {
  const closed = files.write(
    'closed.obj',
    boxesObj(...ROOM.slice(0, 4), ['door', [4, 4.2], [1.4, 2.7], [0, 2.5]]),
  );
  test('it says so, and writes nothing', async () => {
    const output = join(files.folder, 'none.json');
    const asked = ['path', closed, '--body', pump, ...WAY, '--time', '0.3', '-o', output];
    const { code, out } = await impinge(...asked);
    expect(code).toBe(1);
    expect(out).toMatch(/^no path found in 0\.3 s; there may be one\n/);
    expect(existsSync(output)).toBe(false);
    expect(await impingeJson(...asked)).toMatchObject({ found: false, reason: 'time' });
  });
});

test('a search that is stopped ends at once, and writes nothing', async () => {
  const sealed = files.write(
    'sealed.obj',
    boxesObj(...ROOM.slice(0, 4), ['door', [4, 4.2], [1.4, 2.7], [0, 2.5]]),
  );
  const output = join(files.folder, 'stopped.json');
  const running = impinge('path', sealed, '--body', pump, ...WAY, '--time', '600', '-o', output);
  while (process.listenerCount('SIGINT') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.emit('SIGINT');
  expect(await running).toEqual({ code: 2, out: '', err: 'impinge: stopped\n' });
  expect(existsSync(output)).toBe(false);
});

describe('an end that is not free', () => {
  test('is named, with its depth and a place that is free', async () => {
    const { code, err } = await impinge('path', room, '--body', pump, '--from', '1,1,-0.05', '--to', '7,1,1');
    expect(code).toBe(2);
    expect(err).toMatch(
      /^impinge: start: the body is 0\.05 m deep in room\/floor; free is --from 1,1,0\.\d+, for which it moves by 0\.0\d+ m\n$/,
    );
  });
  test('may be moved by --snap, but no farther', async () => {
    const asked = ['path', room, '--body', 'name:cabinet', '--to', '2,2,1', '--clearance', '20mm'];
    expect((await impinge(...asked)).err).toMatch(
      /start: the body is nearer than 0\.02 m to room\/floor; free/,
    );
    expect((await impinge(...asked, '--snap', '10mm')).code).toBe(2);
    const found = await impingeJson(...asked, '--snap', '30mm');
    expect(found.found).toBe(true);
    expect(found.poses[0].position[2]).toBeGreaterThan(0.9005 + 0.019);
    expect(found.poses[0].position[2]).toBeLessThan(0.9005 + 0.03);
  });
  test('inside of a solid is not free, though no surface of it is near', async () => {
    const hill = files.write('hill.obj', ballObj(100, 50));
    const store = join(files.folder, 'hill.impinge');
    await impinge('pack', hill, '-o', store);
    const { code, err } = await impinge('path', store, '--body', pump, '--from', '0,0,0', '--to', '3,0,0');
    expect(code).toBe(2);
    expect(err).toBe('impinge: start: the body is inside of hill\n');
  });
});

/** A closed ball of 2 n² triangles, more than a piece holds. */
function ballObj(n: number, radius: number): string {
  const lines: string[] = [];
  for (let row = 0; row <= n; row++) {
    const [z, r] = [Math.cos((Math.PI * row) / n), Math.sin((Math.PI * row) / n)];
    for (let i = 0; i < n; i++) {
      const turn = (2 * Math.PI * i) / n;
      const across = row === 0 || row === n ? 0 : radius * r;
      lines.push(`v ${across * Math.cos(turn)} ${across * Math.sin(turn)} ${radius * z}`);
    }
  }
  for (let row = 0; row < n; row++) {
    for (let i = 0; i < n; i++) {
      const [a, b] = [row * n + i, row * n + ((i + 1) % n)].map((v) => v + 1);
      lines.push(`f ${a} ${a + n} ${b + n} ${b}`);
    }
  }
  return lines.join('\n');
}

describe('bad input is one line', () => {
  const nothing = files.write('nothing.obj', 'o p\nv 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n');
  test.each([
    ['no body', [room, '--to', '1,1,1'], '--body: name what is moved, a file or an object'],
    ['no goal', [room, '--body', pump, '--from', '1,1,1'], '--to: a pose is needed'],
    [
      'no start',
      [room, '--body', pump, '--to', '1,1,1'],
      '--from: a pose is needed, since the body is a file',
    ],
    ['no model', ['--body', pump, '--to', '1,1,1'], 'name a model, or a path with --verify'],
    ['a missing model', ['absent.obj', '--body', pump, ...WAY], 'absent.obj: no such file or folder'],
    [
      'a missing body',
      [room, '--body', 'absent.obj', ...WAY],
      '--body absent.obj: there is no such file, and no object of the model has this path',
    ],
    [
      'a selector of nothing',
      [room, '--body', 'name:pump', ...WAY],
      '--body name:pump: selects no object of the model',
    ],
    [
      'a selector of several',
      [room, '--body', 'name:wall*', ...WAY],
      '--body name:wall*: selects 2 objects, and one is moved: room/wall-left, room/wall-right',
    ],
    [
      'NaN',
      [room, '--body', pump, '--from', '1,NaN,1', '--to', '1,1,1'],
      '--from: "NaN" is not a finite number',
    ],
    [
      'two numbers',
      [room, '--body', pump, '--from', '1,1', '--to', '1,1,1'],
      '--from: "1,1" is not a pose: it takes 3 numbers, or 7 with a turn, and has 2',
    ],
    [
      'a turn of another length',
      [room, '--body', pump, '--from', '1,1,1,0,0,0,2', '--to', '1,1,1'],
      `--from: "q=0,0,0,2": the quaternion's length is not 1`,
    ],
    [
      'a goal out of bounds',
      [room, '--body', pump, '--from', '1,1,1', '--to', '20,1,1', '--bounds', '0,0,0,8,4,3'],
      '--to: the middle of the body is at 20,1,1.5 there, which is outside of --bounds',
    ],
    [
      'bounds without room',
      [room, '--body', pump, ...WAY.slice(0, 4), '--bounds', '5,0,0,1,1,1'],
      /leave no room/,
    ],
    ['a body without size', [room, '--body', nothing, ...WAY], /the body has no size$/],
    [
      'a clearance without unit',
      [room, '--body', pump, ...WAY, '--clearance', '5'],
      /--clearance: "5" has no unit/,
    ],
    ['no time', [room, '--body', pump, ...WAY, '--time', '0'], '--time: "0" is not a number of seconds'],
    ['a seed', [room, '--body', pump, ...WAY, '--seed', '-1'], /--seed: "-1" is not a whole number/],
    [
      'a lean',
      [room, '--body', pump, ...WAY, '--upright', 'x'],
      '--upright: "x" is not an angle from 0 to 180 degrees',
    ],
    [
      'a lean at the start',
      [room, '--body', pump, '--from', 'rx=90 t=1,1,1', '--to', '7,1,1', '--upright'],
      /the start is not upright: it leans by 1\.5708 radians/,
    ],
    [
      'two bodies',
      [room, '--body', pump, '--walk', '1x1x1m', ...WAY],
      '--walk: takes a size, or --body says what walks, and not both',
    ],
    [
      'upright and walking',
      [room, '--walk', '1x1x1m', ...WAY, '--upright', '5'],
      '--upright: what walks is upright anyhow: give --walk or --upright, and not both',
    ],
    [
      'no size',
      [room, '--walk', ...WAY],
      '--walk: say how large, as in 0.6x0.4x1.8m, or what walks with --body',
    ],
    [
      'half a size',
      [room, '--walk', '1x2m', ...WAY],
      '--walk: "1x2m" is not a width, depth and height such as 0.6x0.4x1.8m',
    ],
    ['no floor', [room, '--walk', '1x1x2m', ...WAY.slice(0, 2), '--to', '7,1,1'], /the goal has no floor/],
    ['an output', [room, '--body', pump, ...WAY, '-o', 'path.txt'], '-o path.txt: is neither .json nor .glb'],
    ['a view of nothing', [room, '--body', pump, ...WAY, '--view'], '--view needs a recording: -o path.glb'],
    ['what is no path', ['--verify', room], /room\.obj: is not JSON$/],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await impinge('path', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const line = /^impinge: (.*)\n$/.exec(err)?.[1];
    if (typeof message === 'string') expect(line).toBe(message);
    else expect(line).toMatch(message);
  });

  test('a file that is not a path', async () => {
    const file = files.write('other.json', '{"impingePath": 1, "model": "room.obj"}');
    const { code, err } = await impinge('path', '--verify', file);
    expect(code).toBe(2);
    expect(err).toMatch(/^impinge: .*other\.json: is not of "impinge path": body: .*\n$/);
  });
});

describe('a store is read as far as memory allows', () => {
  const store = join(files.folder, 'dome.impinge');
  const small = files.write('small.obj', boxesObj(['s', [-0.2, 0.2], [-0.2, 0.2], [-0.2, 0.2]]));
  const asked = ['path', store, '--body', small, '--from', '54,0,0', '--to', '58,0,0', '--memory', '1MB'];

  test('with less room beside the way', async () => {
    await impinge('pack', files.write('dome.obj', ballObj(100, 50)), '-o', store);
    const much = await impingeJson(...asked.slice(0, -2));
    expect(much).toMatchObject({ found: true, cutByMemory: false });
    const little = await impingeJson('path', store, '--body', small, '--from', '54,0,0', '--to', '150,0,0');
    expect(little).toMatchObject({ found: true, cutByMemory: false });
    const cut = await impingeJson(...asked.slice(0, -4), '--to', '150,0,0', '--memory', '1MB');
    expect(cut).toMatchObject({ found: true, cutByMemory: true });
    expect(cut.bounds.max[1]).toBeLessThan(little.bounds.max[1]);
  });

  test('or not at all, naming the options', async () => {
    const { code, out, err } = await impinge(...asked, '--bounds=-60,-60,-60,60,60,60');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'impinge: what lies around --bounds does not fit into --memory 1 MB: allow more, or limit with --bounds where the body may be\n',
    );
  });
});
