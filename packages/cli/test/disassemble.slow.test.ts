/** `impinge disassemble`: what it finds, writes and refuses. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../src/wire/recording.js';
import { Files } from './files.js';
import { boxesObj, impinge, impingeJson, type NamedBox } from './run-impinge.js';

const files = new Files();

/** A drawer in a frame that is open to the front, and a block that bars it. */
const CHEST: NamedBox[] = [
  ['bottom', [0, 1], [0, 1], [0, 0.1]],
  ['top', [0, 1], [0, 1], [0.4, 0.5]],
  ['left', [0, 0.1], [0, 1], [0.1, 0.4]],
  ['right', [0.9, 1], [0, 1], [0.1, 0.4]],
  ['drawer', [0.1, 0.9], [0, 1], [0.1, 0.4]],
];
const chest = files.write('chest.obj', boxesObj(...CHEST));
const ALLOWED = ['--allowed', '1mm'];
// biome-ignore lint/suspicious/noExplicitAny: of a file
const partsOf = (steps: any[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: of a file
  steps.map(({ moves }) => moves.map(({ part }: any) => part.path.split('/')[1]).join('+'));

describe('an assembly that comes apart', () => {
  test('is written with its steps, which are proved again by themselves', async () => {
    const output = join(files.folder, 'steps.json');
    const { code, out } = await impinge('disassemble', chest, ...ALLOWED, '-o', output);
    expect(code).toBe(0);
    expect(out).toMatch(/^comes apart\n/);
    const written = JSON.parse(readFileSync(output, 'utf8'));
    expect(written).toMatchObject({ complete: true, left: [], model: 'chest.obj', allowed: 0.001 });
    expect(partsOf(written.steps)).toHaveLength(4);
    expect(written.explosion.length).toBe(4);
    const again = await impinge('disassemble', '--verify', output);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toMatch(/^proved: 4 steps, parts get at most \d\S+e-\d m deep\n$/);
  });

  test('one part alone comes out along the only way, which is not proved where it is altered', async () => {
    const output = join(files.folder, 'drawer.json');
    const asked = ['disassemble', chest, ...ALLOWED, '--remove', 'name:drawer', '-o', output];
    const found = await impingeJson(...asked);
    expect(partsOf(found.steps)).toEqual(['drawer']);
    expect(Math.abs(found.steps[0].direction[1])).toBe(1);
    const [{ poses }] = found.steps[0].moves;
    poses[1].position[2] += 0.5;
    writeFileSync(output, JSON.stringify({ ...found, model: 'chest.obj' }));
    const { code, out } = await impinge('disassemble', '--verify', output);
    expect(code).toBe(1);
    expect(out).toMatch(/^not proved: step 1 of 1 /);
  });

  test('is played step after step: what left with others goes on from there', async () => {
    const output = join(files.folder, 'steps.glb');
    const found = await impingeJson('disassemble', chest, ...ALLOWED, '-o', output);
    const run = readRecording(readFileSync(output));
    expect(run.bodies).toHaveLength(5);
    const frames = run.times.length;
    // biome-ignore lint/suspicious/noExplicitAny: of a file
    const moves = found.steps.flatMap((step: any) => step.moves);
    for (const [i, [name, x, y, z]] of CHEST.entries()) {
      // biome-ignore lint/suspicious/noExplicitAny: of a file
      const ways = moves.filter(({ part }: any) => part.path.endsWith(`/${name}`));
      const middle = [x, y, z].map(([low, high]) => 0.5 * (low + high));
      const moved = [0, 1, 2].map((k) =>
        // biome-ignore lint/suspicious/noExplicitAny: of a file
        ways.reduce((sum: number, { poses }: any) => {
          return sum + poses.at(-1).position[k] - poses[0].position[k];
        }, 0),
      );
      const [a, b, c] = middle.map((m, k) => m + moved[k]);
      const body = run.bodies[i];
      const at = (frame: number) => {
        const p = body.placeAt(frame);
        const p0 = body.surface.positions;
        const sums = [0, 1, 2].map((k) => {
          let [low, high] = [Infinity, -Infinity];
          for (let v = k; v < p0.length; v += 3) [low, high] = [Math.min(low, p0[v]), Math.max(high, p0[v])];
          return p[9 + k] + 0.5 * (low + high);
        });
        return sums;
      };
      const [mx, my, mz] = middle;
      expect(at(0)).toEqual([mx, mz, -my].map((one) => expect.closeTo(one, 5)));
      expect(at(frames - 1)).toEqual([a, c, -b].map((one) => expect.closeTo(one, 5)));
    }
  });

  test('is pulled apart in a still picture', async () => {
    const output = join(files.folder, 'exploded.glb');
    expect(await impinge('disassemble', chest, ...ALLOWED, '--exploded', '-o', output)).toMatchObject({
      code: 0,
    });
    const run = readRecording(readFileSync(output));
    expect(run.times).toHaveLength(1);
    expect(run.bodies).toHaveLength(5);
  });
});

describe('an assembly that does not', () => {
  const barred = files.write(
    'barred.obj',
    boxesObj(...CHEST.slice(0, 4), ['core', [0.05, 0.95], [0.3, 0.7], [0.05, 0.45]]),
  );
  test('names what is deeper than allowed', async () => {
    const output = join(files.folder, 'none.glb');
    const { code, out } = await impinge('disassemble', barred, ...ALLOWED, '-o', output);
    expect(code).toBe(1);
    expect(out).toMatch(/^does not come apart: some parts are deeper/);
    expect(out).toMatch(/\ndeeper in each other than allowed\n {2}barred\/bottom, barred\/core\n/);
    expect(existsSync(output)).toBe(true);
  });
  test('unless what is deeper may pass', async () => {
    const found = await impingeJson('disassemble', barred, ...ALLOWED, '--passing', 'name:core');
    expect(found).toMatchObject({ complete: true, deeper: [] });
  });
  test('names what is in the way', async () => {
    const shut = files.write(
      'shut.obj',
      boxesObj(
        ['ball', [0.4, 0.6], [0.4, 0.6], [0.4, 0.6]],
        ['a', [0, 1], [0, 1], [0, 0.1]],
        ['a2', [0, 1], [0, 1], [0.9, 1]],
      ),
    );
    const found = await impingeJson('disassemble', shut, '--parts', 'name:a*');
    expect(found).toMatchObject({ complete: true, parts: 'name:a*' });
    expect(partsOf(found.steps)).toHaveLength(1);
  });
});

describe('bad input is one line', () => {
  const one = files.write('one.obj', boxesObj(['a', [0, 1], [0, 1], [0, 1]]));
  test.each([
    ['no model', [], 'name a model, or a file with --verify'],
    ['one part', [one], 'the model has one object, and an assembly has two or more'],
    [
      'parts',
      [chest, '--parts', 'name:x'],
      '--parts name:x: selects no object, and an assembly has two or more',
    ],
    ['what to remove', [chest, '--remove', 'name:x'], '--remove name:x: selects no part'],
    ['what may pass', [chest, '--passing', 'name:x'], '--passing name:x: selects no part'],
    ['a depth without unit', [chest, '--allowed', '5'], /--allowed: "5" has no unit/],
    [
      'a direction',
      [chest, '--direction', '0,0,0'],
      '--direction: "0,0,0" is not a direction: three numbers, not all 0',
    ],
    ['no time', [chest, '--time', '0'], '--time: "0" is not a number of seconds'],
    ['a picture', [chest, '--exploded', '-o', 'x.json'], '--exploded needs a picture: -o exploded.glb'],
    ['an output', [chest, '-o', 'steps.txt'], '-o steps.txt: is neither .json nor .glb'],
    ['what are no steps', ['--verify', chest], /chest\.obj: is not JSON$/],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await impinge('disassemble', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const line = /^impinge: (.*)\n$/.exec(err)?.[1];
    if (typeof message === 'string') expect(line).toBe(message);
    else expect(line).toMatch(message);
  });
  test('steps of another model', async () => {
    const output = join(files.folder, 'other.json');
    await impinge('disassemble', chest, ...ALLOWED, '-o', output);
    const { code, err } = await impinge('disassemble', one, '--verify', output);
    expect(code).toBe(2);
    expect(err).toMatch(/^impinge: .*one object.*\n$/);
    const two = files.write('two.obj', boxesObj(...CHEST.slice(1)));
    expect((await impinge('disassemble', two, '--verify', output)).err).toMatch(
      /^impinge: .*other\.json: its part chest\/\w+ is not in the model, or elsewhere\n$/,
    );
  });
});
