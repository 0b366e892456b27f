/** `lab simulate`: every scene for a few steps, what it writes, what it refuses, and being stopped. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Box3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import { Files } from '../../../packages/cli/test/files.js';
import { boxesObj, impinge } from '../../../packages/cli/test/run-impinge.js';
import { readScene } from '../src/jobs/read-scene.js';
import { SCENE_NAMES } from '../src/jobs/scene-list.js';
import { lab } from './run-lab.js';

const files = new Files();
const inFolder = (name: string) => join(files.folder, name);

async function simulate(...args: string[]) {
  const { code, out, err } = await lab('simulate', ...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

async function loadGlb(path: string) {
  const bytes = readFileSync(path);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return new GLTFLoader().parseAsync(buffer, '');
}

describe('scenes', () => {
  test('are listed in the help', async () => {
    const { out } = await lab('simulate', '--help');
    const listed = out.slice(out.indexOf('Scenes:')).split('\n\n')[0];
    expect(listed.split('\n').slice(1)).toHaveLength(SCENE_NAMES.length);
    for (const name of SCENE_NAMES) expect(listed).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  });

  test('tori: figures of every step, a recording, plots, checks', async () => {
    const [glb, csv, svg] = ['tori.glb', 'tori.csv', 'plots/tori.svg'].map(inFolder) as [
      string,
      string,
      string,
    ];
    const summary = await simulate(
      ...[
        'tori',
        '--steps',
        '4',
        '--record',
        glb,
        '--frames',
        '3',
        '--stats',
        csv,
        '--plot',
        svg,
        '--check',
        '2',
      ],
    );
    expect(summary).toMatchObject({
      scene: 'tori',
      steps: 4,
      checkedSteps: 2,
      intersections: 0,
      stopped: false,
    });
    expect(summary.bodies).toBe(15);
    const [head, ...rows] = readFileSync(csv, 'utf8').trim().split('\n');
    expect(rows.map((row) => row.split(',').length)).toEqual(new Array(4).fill(head.split(',').length));
    for (const kind of ['times', 'culling'])
      expect(readFileSync(inFolder(`plots/tori-${kind}.svg`), 'utf8')).toMatch(/^<svg/);
    const written = [glb, csv, inFolder('plots/tori-times.svg'), inFolder('plots/tori-culling.svg')];
    expect(summary.written).toEqual(written.map((path) => ({ path, byteLength: statSync(path).size })));
    const { scene, animations } = await loadGlb(glb);
    const names = scene.children.map(({ name }) => name);
    expect(names.length).toBe(15);
    expect(animations.length).toBe(1);
    // three frames, the first at 0
    expect(animations[0].duration).toBeCloseTo(4 / 200, 5);
  });

  test('rigid bodies: figures, a recording with a node for each, a size', async () => {
    const [glb, csv] = ['pyramid.glb', 'pyramid.csv'].map(inFolder) as [string, string];
    const args = ['pyramid', '--count', '3', '--steps', '6', '--record', glb, '--stats', csv, '--check'];
    expect(await simulate(...args)).toMatchObject({ bodies: 7, steps: 6, checkedSteps: 6, intersections: 0 });
    expect(readFileSync(csv, 'utf8')).toMatch(/^step,.*shortened,asleep,/);
    const { scene, animations } = await loadGlb(glb);
    expect(scene.children.map(({ name }) => name.replaceAll('.', ''))).toContain('box_31');
    expect(animations[0].duration).toBeCloseTo(6 / 60, 5);
  });

  test('the same on threads', async () => {
    const [alone, threads] = [
      await simulate('tori', '--steps', '2'),
      await simulate('tori', '--steps', '2', '--workers', '1'),
    ];
    expect(threads.contacts).toEqual(alone.contacts);
  });

  test('another seed is another start', async () => {
    const [a, b, c] = await Promise.all(
      ['1', '2', '2'].map((seed) => readScene('tori', { seed: Number(seed) })),
    );
    const start = ({ bodies }: NonNullable<typeof a>) => Array.from(bodies[1].positions);
    expect(start(a)).not.toEqual(start(b));
    expect(start(b)).toEqual(start(c));
  });

  test('cloth-bunny, with a model in its place', async () => {
    const model = files.write('block.obj', boxesObj(['block', [-0.5, 0.5], [0.01, 0.5], [-0.5, 0.5]]));
    const { out, code } = await lab('simulate', 'cloth-bunny', '--steps', '2', '--model', model, '--check');
    expect(code).toBe(0);
    expect(out).toContain('A cloth on block: 3 bodies');
    expect(out).toMatch(/intersections +none in 2 checked steps/);
  });

  test('cloth-ball', async () => {
    expect(await simulate('cloth-ball', '--steps', '1')).toMatchObject({ bodies: 3, steps: 1 });
  });

  test('breaking: the vase stands until the ball strikes it, then there are shards', async () => {
    const glb = inFolder('vase.glb');
    const summary = await simulate(
      'breaking',
      '--steps',
      '17',
      '--record',
      glb,
      '--frames',
      '18',
      '--check',
      '17',
    );
    expect(summary).toMatchObject({ steps: 17, checkedSteps: 1, intersections: 0 });
    expect(summary.broken[0]).toBe('vase');
    expect(summary.bodies).toBeGreaterThan(6);
    const { scene } = await loadGlb(glb);
    const names = scene.children.map(({ name }) => name);
    expect(names).toContain('vase');
    expect(names.filter((name) => /^vase.?\d/.test(name)).length).toBeGreaterThan(4);
  });
});

test('statue: a stored model falls on another, z up in both', async () => {
  const [statue, table] = ['statue', 'table'].map((name) => inFolder(`${name}.impinge`)) as [string, string];
  const high = files.write('statue.obj', boxesObj(['statue', [0, 1], [0, 1], [0, 4]]));
  const flat = files.write('table.obj', boxesObj(['table', [5, 9], [5, 9], [1, 2]]));
  for (const [file, store] of [
    [high, statue],
    [flat, table],
  ])
    expect((await impinge('pack', file, '--up', 'z', '--levels', '-o', store)).code).toBe(0);
  const glb = inFolder('statue.glb');
  const args = ['--model', statue, '--on', table, '--steps', '40', '--record', glb, '--check', '20'];
  const summary = await simulate('statue', ...args);
  expect(summary).toMatchObject({ steps: 40, triangles: 26, intersections: 0 });
  expect(summary.stepsWithContact).toBeGreaterThan(0);
  const { scene } = await loadGlb(glb);
  const box = (name: string) => new Box3().setFromObject(scene.getObjectByName(name)!);
  const [below, above] = [box('tableobj'), box('statueobj')];
  expect(below.max.y).toBeCloseTo(1, 5);
  // where it began: a little above
  expect(above.min.y).toBeCloseTo(1 + 0.03 * 4, 3);
  expect(above.max.y - above.min.y).toBeCloseTo(4, 3);
});

describe('what it refuses', () => {
  test.each([
    [['teapot'], /there is no scene "teapot"; the scenes are tori, /],
    [['dominos'], /there is no scene "dominos"; did you mean dominoes\?/],
    [['pile', '--count', '0'], /--count: 0 is not from 1 to 20,000 bodies/],
    [['gears', '--count', '9'], /--count is not for gears/],
    [['tori', '--error', '1mm'], /--error is for scenes of rigid bodies, not for tori/],
    [['gears', '--error', 'some'], /--error/],
    [['tori', '--steps', '0'], /--steps: 0 is not from 1 to/],
    [['tori', '--steps', 'many'], /--steps/],
    [['tori', '--frames', '1'], /--frames: 1 is not from 2 to/],
    [['tori', '--workers', '999'], /--workers: 999 is not from 0 to 256/],
    [['tori', '--check', '0'], /--check: 0 is not from 1 to/],
    [['tori', '--model', 'x.obj'], /--model is for cloth-bunny and statue, not for tori/],
    [['tori', '--on', 'x.impinge'], /--on is for statue, not for tori/],
    [['statue'], /statue needs --model, the store that falls, and --on/],
    [['statue', '--model', 'absent.impinge', '--on', 'y.impinge'], /absent\.impinge/],
    [['cloth-bunny', '--model', 'absent.obj'], /absent\.obj/],
    [[], /missing required argument/],
  ])('%j', async (args, message) => {
    const { code, out, err } = await lab('simulate', ...(args as string[]));
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message as RegExp);
  });
});

test('Ctrl-C ends it after the step, and what was simulated is written', async () => {
  const csv = inFolder('stopped.csv');
  const listening = process.listenerCount('SIGINT');
  const running = lab('simulate', 'tori', '--steps', '100000', '--stats', csv);
  while (process.listenerCount('SIGINT') === listening) await new Promise((resolve) => setImmediate(resolve));
  process.emit('SIGINT');
  const { code, out } = await running;
  expect(code).toBe(0);
  const [, stepsMade] = /steps +([\d,]+) \(stopped\)/.exec(out)!;
  expect(readFileSync(csv, 'utf8').trim().split('\n').length - 1).toBe(Number(stepsMade.replaceAll(',', '')));
  expect(process.listenerCount('SIGINT')).toBe(listening);
});
