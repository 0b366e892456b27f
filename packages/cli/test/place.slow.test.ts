/** `impinge place`: what it finds, writes and refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distance, Mesh } from 'impinge';
import { describe, expect, test } from 'vitest';
import { readModel } from '../src/formats/read-model.js';
import { readRecording } from '../src/wire/recording.js';
import { Files } from './files.js';
import { boxesObj, impinge, impingeJson, type NamedBox } from './run-impinge.js';

const files = new Files();

const HALL: NamedBox[] = [
  ['floor', [-5, 5], [-5, 5], [-0.2, 0]],
  ['shelf', [-0.5, 0.5], [-2, 2], [0.001, 2]],
  ['cabinet', [0.3, 1.1], [-0.3, 0.3], [0.2, 2]],
];
const hall = files.write('hall.obj', boxesObj(...HALL));
const box = files.write('box.obj', boxesObj(['box', [-0.4, 0.4], [-0.3, 0.3], [0, 1.8]]));
const ASKED = ['place', hall, '--body', box, '--near', '-0.2,0,0.3'];

async function nearestIn(path: string, position: readonly number[]): Promise<number> {
  const { shapes } = await readModel(path);
  const [body] = (await readModel(box)).shapes.map(({ geometry }) => Mesh.from(geometry));
  const poseB = { translation: position as [number, number, number] };
  const all = shapes.map(({ geometry }) => distance(Mesh.from(geometry), body, { poseB }).distance);
  return Math.min(...all);
}

describe('a place that is found', () => {
  test('keeps the clearance, stands on the floor, and is as near as can be', async () => {
    const output = join(files.folder, 'place.json');
    const { code, out } = await impinge(
      ...ASKED,
      '--rest',
      '--clearance',
      '20mm',
      '--accuracy',
      '30mm',
      '-o',
      output,
    );
    expect(code).toBe(0);
    expect(out).toContain('free place found\n');
    expect(out).toMatch(/stands on +hall\/floor\n/);
    const written = JSON.parse(readFileSync(output, 'utf8'));
    expect(written).toMatchObject({ found: true, floor: 'hall/floor', impingePlace: 1 });
    const { position } = written.pose;
    // beside the shelf: half the shelf, half the box, and the clearance
    expect(position[0]).toBeGreaterThan(-0.96);
    expect(position[0]).toBeLessThan(-0.92);
    expect(position[2]).toBeGreaterThan(0.02);
    expect(position[2]).toBeLessThan(0.06);
    expect(await nearestIn(hall, position)).toBeGreaterThan(0.02 - 1e-6);
    expect(written.atLeast).toBeLessThanOrEqual(written.moved);
  });
  test('of an object begins where that stands, which is not in the way', async () => {
    const { pose, moved } = await impingeJson('place', hall, '--body', 'name:cabinet');
    expect(moved).toBeCloseTo(0.2, 2);
    expect(pose.position[0]).toBeGreaterThan(0.9);
  });
  test('as a recording shows the body there', async () => {
    const output = join(files.folder, 'place.glb');
    const { pose } = await impingeJson(...ASKED, '-o', output);
    const run = readRecording(readFileSync(output));
    expect(run.bodies).toHaveLength(1);
    const [x, y, z] = pose.position;
    expect([...run.bodies[0].placeAt(0).subarray(9)]).toEqual([x, z, -y].map((c) => expect.closeTo(c, 5)));
  });
});

test('a region that is full is proved to be', async () => {
  const output = join(files.folder, 'none.json');
  const asked = [...ASKED, '--region=-0.1,-1,0.9,0.1,1,1', '-o', output];
  expect(await impinge(...asked)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^proved: no place in the region is free\n/),
  });
  expect(existsSync(output)).toBe(false);
  expect(await impingeJson(...asked)).toMatchObject({ found: false, reason: 'blocked' });
});

describe('bad input is one line', () => {
  test.each([
    ['no body', [hall, '--near', '0,0,0'], '--body: name what is placed, a file or an object'],
    ['no wish', [hall, '--body', box], '--near: a pose is needed, since the body is a file'],
    ['NaN', [hall, '--body', box, '--near', '0,NaN,0'], '--near: "NaN" is not a finite number'],
    ['a region', [...ASKED.slice(1), '--region', '0,0,0,1'], /is not six numbers/],
    ['a region without room', [...ASKED.slice(1), '--region', '0,0,0,1,-1,1'], /leave no room$/],
    ['an accuracy of nothing', [...ASKED.slice(1), '--accuracy', '0'], 'accuracy must be more than 0'],
    ['a turn', [...ASKED.slice(1), '--turn', 'over'], /--turn.*Allowed choices are none, upright, any/],
    ['an output', [...ASKED.slice(1), '-o', 'place.txt'], '-o place.txt: is neither .json nor .glb'],
    ['a view of nothing', [...ASKED.slice(1), '--view'], '--view needs a recording: -o path.glb'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await impinge('place', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const line = /^impinge: (.*)\n$/.exec(err)?.[1];
    if (typeof message === 'string') expect(line).toBe(message);
    else expect(line).toMatch(message);
  });
});
