/** Rules about access: what can be taken out, what is blocked and by what, in the reports and after a stop. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAccess, openAccess } from '../src/path/access.js';
import { openPathModel } from '../src/path/path-model.js';
import { readRecording } from '../src/wire/recording.js';
import { Files } from './files.js';
import { boxesObj, clashesIn, impinge } from './run-impinge.js';

const files = new Files();

/** Two rooms with an opening between them, in which a door is; pumps in both, one of them behind a pipe and walls. */
const plant = files.write(
  'plant.obj',
  boxesObj(
    ['floor', [-1, 9], [-1, 5], [-0.2, 0]],
    ['ceiling', [-1, 9], [-1, 5], [2.5, 2.7]],
    ['end-west', [-1.2, -1], [-1, 5], [0, 2.5]],
    ['side-south', [-1, 9], [-1.2, -1], [0, 2.5]],
    ['side-north', [-1, 9], [5, 5.2], [0, 2.5]],
    ['wall-left', [4, 4.2], [-1, 1.5], [0, 2.5]],
    ['wall-right', [4, 4.2], [2.6, 5], [0, 2.5]],
    ['door', [4.05, 4.15], [1.5, 2.6], [0, 2.5]],
    ['pump-free', [0, 0.8], [3, 3.5], [0.001, 1]],
    ['pump-caged', [0, 0.8], [0, 0.5], [0.001, 1]],
    ['cage-east', [1, 1.1], [-1, 1], [0, 2.5]],
    ['cage-north', [-1, 1.1], [1, 1.1], [0, 2.5]],
    ['other', [6, 6.5], [0, 0.5], [0.001, 1]],
  ),
);

const rules = (access: string, a = '{name: "pump-*"}') =>
  files.write('rules.yaml', `rules:\n  - name: pumps come out\n    a: ${a}\n    access: ${access}\n`);

async function check(access: string, ...more: string[]) {
  const report = join(files.folder, 'report');
  const ended = await impinge('check', plant, '--rules', rules(access), '-o', report, ...more);
  return { ...ended, report };
}

interface Access {
  readonly object: { readonly path: string };
  readonly found: boolean;
  readonly length?: number;
  readonly certificate?: { readonly clearance: number };
}

describe('objects that must be removable', () => {
  test('to a door: a path is kept, and what has none is blocked by what is in its way', async () => {
    const { code, out, err, report } = await check(
      '{to: {name: door}, clearance: 20mm, snap: 50mm, poses: 300}',
    );
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain(
      'pumps come out: a way is proved for 1 of 2 objects; none was found for 1, there may be one\n',
    );
    const clashes = clashesIn(report);
    expect(clashes).toHaveLength(1);
    expect(clashes[0]).toMatchObject({ kind: 'blocked', rule: 'pumps come out' });
    expect(clashes[0].a.name).toBe('pump-caged');
    expect(clashes[0].b.name).toMatch(/^cage-(east|north)$/);
    const access: Access[] = JSON.parse(readFileSync(join(report, 'access.json'), 'utf8'));
    const [free, caged] = access;
    expect(free).toMatchObject({ object: { path: 'plant/pump-free' }, found: true });
    expect(free.length).toBeGreaterThan(3.5);
    expect(free.certificate!.clearance).toBeGreaterThan(0.02);
    expect(caged).toMatchObject({ object: { path: 'plant/pump-caged' }, found: false });
    expect(readFileSync(join(report, 'report.html'), 'utf8')).toContain('blocked');
    expect(existsSync(join(report, 'clashes.bcfzip'))).toBe(true);
  });

  test('ways that were found are exported with the viewer, as recordings of their objects', async () => {
    const { report } = await check('{to: {name: door}, clearance: 20mm, snap: 50mm, poses: 300}');
    const folder = join(files.folder, 'exported');
    expect((await impinge('view', report, '--export', folder)).code).toBe(0);
    const { ways } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(ways).toMatchObject([{ object: 8, rule: 'pumps come out', url: 'way-1.glb' }]);
    const { path, bodies, times } = readRecording(readFileSync(join(folder, 'way-1.glb')));
    expect(path).toEqual({ clearance: ways[0].clearance, object: 8, name: 'pump-free' });
    // metres with y up: from where it stands into the door
    const at = (frame: number) => [...bodies[0].placeAt(frame).subarray(9)];
    expect(Math.hypot(at(0)[0] - 0.4, at(0)[2] + 3.25)).toBeLessThan(0.05);
    expect(at(times.length - 1)[0]).toBeCloseTo(4.1, 5);
  });

  test('a damaged record of ways is named', async () => {
    const { report } = await check('{to: {name: door}, clearance: 20mm, poses: 2}');
    writeFileSync(
      join(report, 'access.json'),
      '[{"rule": "x", "object": {"id": "", "path": ""}, "found": true}]',
    );
    const { code, err } = await impinge('view', report, '--export', join(files.folder, 'not'));
    expect(code).toBe(2);
    expect(err).toMatch(/access\.json: is not of "impinge check": 0\.length/);
  });

  test('to a point, past a door that is shut', async () => {
    const { code, out } = await check('{to: [7, 3, 1], clearance: 10mm, poses: 200}');
    expect(code).toBe(1);
    expect(out).toContain('a way is proved for 0 of 2 objects; none was found for 2, there may be one');
  });

  test('have the same ids, clashes and paths in every run', async () => {
    const bytes = async () => {
      const { report } = await check('{to: {name: door}, clearance: 20mm, poses: 300}');
      return ['access.json', 'clashes.jsonl'].map((name) => readFileSync(join(report, name), 'utf8'));
    };
    expect(await bytes()).toEqual(await bytes());
  });

  test('are not looked for where --kinds leaves blocked out', async () => {
    const { code, out } = await check('{to: {name: door}}', '--kinds', 'hard');
    expect(code).toBe(0);
    expect(out).not.toContain('a way is proved');
  });
});

test('a run that goes on asks about the objects that are missing, and finds the same', async () => {
  const model = await openPathModel(plant, {});
  const rule = {
    ...{ name: 'out', objects: { name: ['pump-*', 'other'] }, to: { name: 'door' } },
    ...{ clearance: 0.02, snap: 0.05, poses: 200 },
  };
  const open = await openAccess(model, [rule], {}, false);
  const { signal } = new AbortController();
  const asked = async (known: readonly number[]) => {
    const isDone = (name: string, object: number) => name === 'out' && known.includes(object);
    const answers = [];
    for await (const answer of checkAccess(model, open, { memory: 1e8, signal, isDone }))
      answers.push(answer);
    return answers;
  };
  const all = await asked([]);
  expect(all.map(({ finding }) => finding.object)).toEqual([8, 9, 12]);
  expect(await asked([8])).toEqual(all.slice(1));
  expect(await asked([8, 9, 12])).toEqual([]);
});

describe('mistakes in a rule about access are named with their places', () => {
  test.each([
    ['{clearance: 20mm}', /rules\.yaml:4:13: access: "to" says where/],
    ['{to: [1, 2]}', /rules\.yaml:4:18: to: a point has three numbers, in metres/],
    ['{to: {name: door}, poses: 0.5}', /poses: write a whole number from 2 to 1000000/],
    ['{to: {name: door}, snap: 5}', /snap: 5 has no unit/],
    ['{to: {name: door}, speed: 5}', /speed/],
    ['{to: {name: gate}}', /rule "pumps come out": access, to selects no object/],
  ])('%s', async (access, message) => {
    const { code, err } = await check(access);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
  test('a rule without objects, and with what pairs have', async () => {
    const text = 'rules:\n  - {access: {to: [1, 2, 3]}, clearance: 5mm}\n';
    const file = files.write('wrong.yaml', text);
    const { code, err } = await impinge('check', plant, '--rules', file, '-o', join(files.folder, 'none'));
    expect(code).toBe(2);
    expect(err).toContain('access: side a says which objects must be removable');
    expect(err).toContain('access: a rule with it has no clearance');
  });
});
